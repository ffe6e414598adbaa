"""The charts by name, and each as a complete Vega-Lite spec in a theme."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import altair as alt

from builder.charts import roofline, timeline
from builder.charts.parameters import GRID, own_inputs, page_inputs, state_row
from builder.charts.theme import LIGHT, Theme
from builder.grid import KEPT, Grid

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

    def plot(self, size: str) -> tuple[int, int]:
        """Width and height inside the padding."""
        width, height = self.sizes[size]
        pad = self.padding
        return width - pad["left"] - pad["right"], height - pad["top"] - pad["bottom"]


_TIMELINE_HEIGHT = timeline.HEIGHT + timeline.PADDING["top"] + timeline.PADDING["bottom"]

FIGURES: dict[str, ChartKind] = {
    "timeline": ChartKind(
        timeline.timeline_chart,
        timeline.FIELDS,
        timeline.PADDING,
        {
            size: (width, _TIMELINE_HEIGHT)
            for size, width in (("wide", 960), ("middle", 704), ("narrow", 328))
        },
    ),
    "roofline": ChartKind(
        roofline.roofline_chart,
        roofline.FIELDS,
        roofline.PADDING,
        {"wide": (960, 480), "middle": (704, 440), "narrow": (328, 420)},
    ),
}


def spec_with_data(name: str, grid: Grid, theme: Theme) -> Spec:
    """A standalone Vega-Lite spec: its data inside, inputs of its own bound to its parameters."""
    spec = _spec_with_inputs(name, grid, theme)
    return spec | {"datasets": spec.get("datasets", {}) | {GRID: grid.rows(FIGURES[name].fields)}}


def spec_without_data(name: str, grid: Grid, theme: Theme) -> Spec:
    """The spec for the page, which binds its own inputs and hands the grid over as the data set "grid"."""
    return _spec(name, grid, theme, page_inputs(grid))


# What other sites show of a link: 1,200 by 630 pixels.
CARD_SCALE = 1.25
_CARD_SIZE = (960, 504)


def social_card(grid: Grid, title: str) -> Spec:
    """The roofline at the start state under the page's title, as a Vega-Lite spec of that size."""
    pad = {"left": 72, "right": 32, "top": 112, "bottom": 56}
    heading = {"text": title, "anchor": "start", "frame": "group", "fontSize": 28, "color": LIGHT.ink}
    spec = _spec_with_inputs("roofline", grid, LIGHT)
    return spec | {
        "datasets": spec.get("datasets", {}) | {GRID: rows_at_start("roofline", grid)},
        "background": LIGHT.paper,
        "padding": pad,
        "width": _CARD_SIZE[0] - pad["left"] - pad["right"],
        "height": _CARD_SIZE[1] - pad["top"] - pad["bottom"],
        "title": heading | {"offset": 26, "dx": 32 - pad["left"]},
    }


def rows_at_start(name: str, grid: Grid) -> list[dict[str, Any]]:
    """The rows that the chart looks up at the start: the state's own, and those of the presets beside it."""
    start = grid.scenario.start
    beside = (replace(start, **{axis.name: preset}) for axis in grid.axes for preset in axis.presets)
    return grid.rows(FIGURES[name].fields, {start, *beside})


# The picture of a link and the standalone spec of the roofline are the same chart.
@lru_cache(KEPT)
def _spec_with_inputs(name: str, grid: Grid, theme: Theme) -> Spec:
    return _spec(name, grid, theme, own_inputs(grid))


def _spec(name: str, grid: Grid, theme: Theme, inputs: list[alt.Parameter]) -> Spec:
    kind = FIGURES[name]
    width, height = kind.plot("wide")
    # Nothing is sized by measuring text, so that each renderer lays the chart out alike.
    chart = kind.draw(grid, theme).properties(
        width=width, height=height, padding=kind.padding, autosize=alt.AutoSizeParams(type="none")
    )
    # `add_params` does the same, and copies all layers several times.
    chart.params = [parameter.param for parameter in (*inputs, state_row(grid))]
    # The tests hold every spec to Vega-Lite's schema, which takes Altair a third of the time at each build.
    return chart.to_dict(validate=False) | {"config": theme.config()}
