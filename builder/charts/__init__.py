"""The charts: data in, `alt.Chart` out, the same for the page, the standalone specs and exports."""

from builder.charts.background import LEAST_CONTRAST, contrast, least_contrast, on_background
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
from builder.charts.slide import MARGIN, SLIDES, at_state, rows_around, slide_spec, stage_spec
from builder.charts.theme import DARK, FONT_SIZE, LIGHT, PAGE, Theme

__all__ = [
    "CARD_SCALE",
    "DARK",
    "FIGURES",
    "FONT_SIZE",
    "GRID",
    "LEAST_CONTRAST",
    "LIGHT",
    "MARGIN",
    "PAGE",
    "SLIDES",
    "ChartKind",
    "Theme",
    "at_state",
    "contrast",
    "least_contrast",
    "on_background",
    "rows_around",
    "rows_at_start",
    "slide_spec",
    "social_card",
    "spec_with_data",
    "spec_without_data",
    "stage_spec",
]
