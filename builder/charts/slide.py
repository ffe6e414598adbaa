"""The charts laid out for a slide: at one state, with margins, large type and a caption."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import altair as alt

from builder.charts import metrics, roofline, throughput, timeline
from builder.charts.figure import Spec
from builder.charts.labels import GAP
from builder.charts.parameters import GRID, fixed_inputs, page_inputs, pixels, state_row
from builder.charts.theme import FONT_SIZE, LINE_HEIGHT, PAGE, Theme
from builder.grid import Grid
from builder.scenario import State

# Around everything, in the drawing's pixels.
MARGIN = 16
# What the label of a live point needs above the roof, and below the lowest point.
LABEL_ROOM = 2 * LINE_HEIGHT + GAP + 4
# How wide a character of the exports' font is at most on the average of a label, as a share of its size.
CHARACTER, BOLD_CHARACTER = 0.555, 0.52
CAPTION = "caption"


@dataclass(frozen=True)
class SlideKind:
    """A chart and what becomes of it on a slide.

    Attributes:
        draw: the layered chart of a grid in a theme, for a plot of that width and height.
        fields: the columns of the grid that it looks up.
        padding: pixels around the plot.
        tallest: what the plot's height is held to; what is over goes above and below it.
        smallest: the width and height of a picture that it has room in, in pixels at scale 1.
        zoom: how much larger it is drawn than the others, having little to say.
    """

    draw: Callable[[Grid, Theme, tuple[int, int]], Any]
    fields: tuple[str, ...]
    padding: dict[str, int]
    smallest: tuple[int, int]
    tallest: int = 10_000
    zoom: float = 1


def _roofline(grid: Grid, theme: Theme, plot: tuple[int, int]) -> Any:
    return roofline.roofline_chart(grid, theme, room=LABEL_ROOM / plot[1])


def _timeline(grid: Grid, theme: Theme, plot: tuple[int, int]) -> Any:
    return timeline.timeline_chart(grid, theme)


def _throughput(grid: Grid, theme: Theme, plot: tuple[int, int]) -> Any:
    return throughput.throughput_chart(grid, theme)


SLIDES: dict[str, SlideKind] = {
    "roofline": SlideKind(
        _roofline,
        roofline.FIELDS,
        roofline.PADDING | {"top": 36, "right": 6, "bottom": 44},
        smallest=(1080, 960),
    ),
    "timeline": SlideKind(
        _timeline,
        timeline.FIELDS,
        timeline.PADDING | {"left": 0, "right": 0},
        smallest=(1080, 720),
        tallest=96,
        zoom=1.3,
    ),
    "metrics": SlideKind(metrics.metrics_chart, metrics.FIELDS, metrics.PADDING, smallest=(960, 720)),
    "throughput": SlideKind(
        _throughput,
        throughput.FIELDS,
        throughput.PADDING | {"top": 24, "right": 6},
        smallest=(1080, 960),
    ),
}


def slide_spec(name: str, grid: Grid, theme: Theme, size: tuple[int, int], lines: int) -> Spec:
    """A chart as a Vega-Lite spec of that size in pixels, at the start and without data; see `at_state`.

    Args:
        name: one of `SLIDES`.
        grid: the states.
        theme: the look.
        size: width and height, margins included.
        lines: how many its caption has.
    """
    kind = SLIDES[name]
    theme = replace(theme, character=CHARACTER, bold_character=BOLD_CHARACTER)
    pad, plot = _layout(kind, size, lines)
    chart = alt.layer(kind.draw(grid, theme, plot), _caption(lines, size, pad, theme))
    caption = alt.param(name=CAPTION, value=[""] * lines)
    chart = chart.add_params(*fixed_inputs(grid), state_row(grid), caption).properties(
        width=plot[0], height=plot[1], padding=pad, autosize=alt.AutoSizeParams(type="none")
    )
    return chart.to_dict() | {"config": theme.config() | {"background": theme.paper}}


def stage_spec(name: str, grid: Grid, size: tuple[int, int]) -> Spec:
    """A chart as a Vega-Lite spec for a live document on a slide, which binds its inputs and has the grid."""
    kind = SLIDES[name]
    pad = kind.padding
    plot = (size[0] - pad["left"] - pad["right"], size[1] - pad["top"] - pad["bottom"])
    chart = (
        kind.draw(grid, PAGE, plot)
        .add_params(*page_inputs(grid), state_row(grid))
        .properties(width=plot[0], height=plot[1], padding=pad, autosize=alt.AutoSizeParams(type="none"))
    )
    return chart.to_dict() | {"config": PAGE.config()}


def at_state(spec: Spec, name: str, grid: Grid, state: State, caption: Sequence[str]) -> Spec:
    """The spec fixed at a state, its caption in place, with no more data than it draws there."""
    values = {axis.name: axis.stops.index(getattr(state, axis.name)) for axis in grid.axes}
    values |= {CAPTION: list(caption)}
    parameters = [
        param | {"value": values[param["name"]]} if param["name"] in values else param
        for param in spec["params"]
    ]
    rows = rows_around(SLIDES[name], grid, state)
    return spec | {"params": parameters, "datasets": spec.get("datasets", {}) | {GRID: rows}}


def _layout(kind: SlideKind, size: tuple[int, int], lines: int) -> tuple[dict[str, int], tuple[int, int]]:
    """The padding around the plot, margin and caption included, and the plot's width and height."""
    pad = {side: kind.padding[side] + MARGIN for side in kind.padding}
    pad["bottom"] += LINE_HEIGHT * lines + LINE_HEIGHT // 2
    width, height = size[0] - pad["left"] - pad["right"], size[1] - pad["top"] - pad["bottom"]
    spare = max(0, height - kind.tallest)
    pad["top"] += spare // 2
    pad["bottom"] += spare - spare // 2
    return pad, (width, height - spare)


def rows_around(kind: SlideKind, grid: Grid, state: State) -> list[dict[str, Any]]:
    """The rows that a chart looks up at a state: those that differ from it or the start in one axis."""
    states = (state, grid.scenario.start)
    beside = {replace(at, **{axis.name: stop}) for at in states for axis in grid.axes for stop in axis.stops}
    return grid.rows(kind.fields, beside)


def _caption(lines: int, size: tuple[int, int], pad: dict[str, int], theme: Theme) -> Any:
    """What model, machine and state the chart shows, at the lower left."""
    text = alt.Chart(alt.InlineData(values=[{}]), name="caption").mark_text(
        text={"expr": CAPTION},
        align="left",
        baseline="alphabetic",
        fontSize=FONT_SIZE,
        lineHeight=LINE_HEIGHT,
        fill=theme.muted,
    )
    baseline = size[1] - pad["top"] - MARGIN - 3 - LINE_HEIGHT * (lines - 1)
    return text.encode(x=pixels(str(MARGIN - pad["left"])), y=pixels(str(baseline)))
