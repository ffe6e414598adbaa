"""The charts: data in, `alt.Chart` out, the same for the page, the standalone specs and exports."""

from builder.charts.figure import FIGURES, ChartKind, spec_with_data, spec_without_data
from builder.charts.theme import LIGHT, PAGE, Theme

__all__ = ["FIGURES", "LIGHT", "PAGE", "ChartKind", "Theme", "spec_with_data", "spec_without_data"]
