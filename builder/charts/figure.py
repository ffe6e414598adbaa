"""The charts by name, and each as a complete Vega-Lite spec in a size and a theme."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import altair as alt

from builder.charts import roofline, timeline
from builder.charts.parameters import GRID, own_inputs, page_inputs, state_row
from builder.charts.theme import Theme
from builder.grid import Grid

Spec = dict[str, Any]


@dataclass(frozen=True)
class ChartKind:
    """A chart and what it needs around it.

    Attributes:
        draw: the layered chart of a grid in a theme.
        fields: the columns of the grid that it looks up.
        padding: pixels around the plot.
        sizes: width and height, padding included, of the box on a wide, a middle and a narrow page.
    """

    draw: Callable[[Grid, Theme], Any]
    fields: tuple[str, ...]
    padding: dict[str, int]
    sizes: dict[str, tuple[int, int]]


_TIMELINE_HEIGHT = timeline.HEIGHT + timeline.PADDING["top"] + timeline.PADDING["bottom"]

FIGURES: dict[str, ChartKind] = {
    "timeline": ChartKind(
        timeline.timeline_chart,
        timeline.FIELDS,
        timeline.PADDING,
        {"wide": (960, _TIMELINE_HEIGHT), "middle": (704, _TIMELINE_HEIGHT), "narrow": (328, _TIMELINE_HEIGHT)},
    ),
    "roofline": ChartKind(
        roofline.roofline_chart,
        roofline.FIELDS,
        roofline.PADDING,
        {"wide": (960, 480), "middle": (704, 440), "narrow": (328, 420)},
    ),
}


def spec_with_data(name: str, grid: Grid, theme: Theme, size: str = "wide") -> Spec:
    """A standalone Vega-Lite spec: its data inside, inputs of its own bound to its parameters."""
    spec = _spec(name, grid, theme, size, own_inputs(grid))
    spec["datasets"] = spec.get("datasets", {}) | {GRID: grid.rows(FIGURES[name].fields)}
    return spec


def spec_without_data(name: str, grid: Grid, theme: Theme, size: str = "wide") -> Spec:
    """The spec for the page, which binds its own inputs and hands the grid over as the data set "grid"."""
    return _spec(name, grid, theme, size, page_inputs(grid))


def _spec(name: str, grid: Grid, theme: Theme, size: str, inputs: list[alt.Parameter]) -> Spec:
    kind = FIGURES[name]
    width, height = kind.sizes[size]
    pad = kind.padding
    chart = kind.draw(grid, theme).add_params(*inputs, state_row(grid))
    # Nothing is sized by measuring text, so that each renderer lays the chart out alike.
    chart = chart.properties(
        width=width - pad["left"] - pad["right"],
        height=height - pad["top"] - pad["bottom"],
        padding=pad,
        autosize=alt.AutoSizeParams(type="none"),
    )
    return chart.to_dict() | {"config": theme.config()}
