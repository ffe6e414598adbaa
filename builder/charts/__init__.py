"""The charts: data in, `alt.Chart` out, the same for the page, the standalone specs and exports."""

from builder.charts.figure import (
    CARD_SCALE,
    FIGURES,
    ChartKind,
    rows_at_start,
    social_card,
    spec_with_data,
    spec_without_data,
)
from builder.charts.parameters import GRID
from builder.charts.theme import LIGHT, PAGE, Theme

__all__ = [
    "CARD_SCALE",
    "FIGURES",
    "GRID",
    "LIGHT",
    "PAGE",
    "ChartKind",
    "Theme",
    "rows_at_start",
    "social_card",
    "spec_with_data",
    "spec_without_data",
]
