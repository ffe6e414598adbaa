"""The charts: data in, `alt.Chart` out, the same for the page, the standalone specs and exports."""

from builder.charts.figure import FIGURES, ChartKind, rows_at_start, spec_with_data, spec_without_data
from builder.charts.parameters import GRID
from builder.charts.theme import LIGHT, PAGE, Theme

__all__ = [
    "FIGURES",
    "GRID",
    "LIGHT",
    "PAGE",
    "ChartKind",
    "Theme",
    "rows_at_start",
    "spec_with_data",
    "spec_without_data",
]
