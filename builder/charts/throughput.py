"""Throughput against inter-token latency as the batch grows, at one prompt and output."""

from typing import Any

import altair as alt

from builder.charts import axes
from builder.charts.labels import GAP, NARROW
from builder.charts.parameters import STATE_ROW, looked_up, pixels, row_expression
from builder.charts.roofline import CROSS, POINT_SIZE, ground
from builder.charts.theme import FONT_SIZE, LINE_HEIGHT, Theme
from builder.grid import Grid
from builder.scenario import Axis

CURVE_FIELDS = ("itl_s", "tok_per_s", "fits")
STATE_FIELDS = (
    *("batch", "itl", "throughput", "shortfall", "memory_limit", "ridge_crossing"),
    *("full_tok_per_s", "ridge_itl_s"),
)
FIELDS = CURVE_FIELDS + STATE_FIELDS
PADDING = {"left": 54, "right": 14, "top": 40, "bottom": 48}
# Of the height, free below the slowest state, where its label stands, and above the fastest.
ROOM = 0.24


def throughput_chart(grid: Grid, theme: Theme) -> Any:
    """The curve of all batches as a layered chart without data, size or parameters."""
    x_axis, y_axis, ticks = _axes(grid)
    x = alt.X("itl_s:Q", scale=_scale(x_axis), axis=_ticked(axes.time_ticks(x_axis)))
    y = alt.Y("tok_per_s:Q", scale=_scale(y_axis), axis=_ticked(axes.rate_ticks(ticks)))
    batch = next(axis for axis in grid.axes if axis.name == "batch")
    return alt.layer(
        _limits(theme),
        *_curve(grid, batch, x, y, theme),
        _presets(grid, batch, theme),
        _live(theme),
        *_names(theme),
    )


def _axes(grid: Grid) -> tuple[axes.LogAxis, axes.LogAxis, axes.LogAxis]:
    """Both axes, the same in every state so that charts compare, and how far the second's ticks go."""
    times, rates = grid.numbers["itl_s"].values, grid.curve["tok_per_s"].values
    lowest, highest = axes.at_least_a_decade(min(rates), max(rates))
    # A short curve stands at the left of its decade: the label is right of it.
    x_axis = axes.LogAxis(min(times) / 1.45, max(*times, 10 * min(times)) * 1.05)
    y_axis, around = axes.roomy_axis(lowest, highest, ROOM), axes.rate_axis(lowest, highest)
    return x_axis, y_axis, axes.LogAxis(max(y_axis.low, around.low), min(y_axis.high, around.high))


def _scale(axis: axes.LogAxis) -> alt.Scale:
    return alt.Scale(type="log", domain=[axis.low, axis.high], nice=False)


def _ticked(ticks: dict[float, str]) -> alt.Axis:
    labels = f"{list(ticks.values())}[indexof({list(ticks)}, datum.value)]"
    return alt.Axis(values=list(ticks), labelExpr=labels, title=None)


def _curve(grid: Grid, batch: Axis, x: alt.X, y: alt.Y, theme: Theme) -> list[Any]:
    """Dashed through every batch, and drawn out through those that fit."""
    stops = alt.InlineData(values=[{"stop": index} for index in range(len(batch.stops))])
    row = row_expression(grid, batch="datum.stop")
    dashes: dict[str, Any] = {"strokeDash": [4, 4], "strokeWidth": 1.75, "stroke": theme.decode}
    every = alt.Chart(stops).mark_line(**dashes).encode(x, y, order="stop:Q")
    fitting = alt.Chart(stops).mark_line(stroke=theme.decode, strokeWidth=2.5)
    fitting = fitting.encode(x=alt.X("itl_s:Q"), y=alt.Y("tok_per_s:Q"), order="stop:Q")
    return [
        looked_up(every, row, CURVE_FIELDS),
        looked_up(fitting, row, CURVE_FIELDS).transform_filter("datum.fits === 'fits'"),
    ]


def _presets(grid: Grid, batch: Axis, theme: Theme) -> Any:
    """The presets of the batch as hollow points, each with its number."""
    values = [
        {"stop": batch.stops.index(preset), "label": f"{preset:,}", "nth": nth}
        for nth, preset in enumerate(reversed(batch.presets))
    ]
    point = alt.Chart(name="batch_presets").mark_point(
        size=64, filled=True, fill=theme.paper, stroke=theme.decode, strokeWidth=1.5, opacity=1
    )
    number = alt.Chart(name="batch_numbers").mark_text(align="right", dx=-9, dy=-7, fill=theme.muted)
    place: dict[str, Any] = {"x": alt.X("itl_s:Q"), "y": alt.Y("tok_per_s:Q")}
    number = number.encode(text="label:N", **place)
    # The batch chosen may lie on the number of the next preset; a narrow plot has room for each second.
    covered = "toNumber(batch) < datum.stop && toNumber(batch) >= datum.stop - 2"
    number = number.transform_filter(f"!({covered}) && (width >= {NARROW} || datum.nth % 2 === 0)")
    layers = alt.layer(point.encode(**place), number)
    layers.data = alt.InlineData(values=values)
    return looked_up(layers, row_expression(grid, batch="datum.stop"), CURVE_FIELDS)


def _live(theme: Theme) -> Any:
    """The chosen batch, a cross where it does not fit, and what it gives."""
    fits = "datum.fits === 'fits'"
    mark: dict[str, Any] = {"filled": True, "opacity": 1, "fill": theme.decode, "stroke": theme.paper}
    point = alt.Chart(name="batch_point").mark_point(
        size=POINT_SIZE, strokeWidth=1.5, shape={"expr": f"{fits} ? 'circle' : '{CROSS}'"}, **mark
    )
    place: dict[str, Any] = {"x": alt.X("itl_s:Q"), "y": alt.Y("tok_per_s:Q")}
    layers = [ground(theme).encode(**place), point.encode(**place), *_label(theme, fits)]
    return looked_up(alt.layer(*layers, data=alt.InlineData(values=[{}])), STATE_ROW, FIELDS)


def _label(theme: Theme, fits: str) -> list[Any]:
    """Right of the chosen batch and below it, where the curve never is."""
    x, y = "scale('x', datum.itl_s)", "scale('y', datum.tok_per_s)"
    body = (
        f"[datum.itl + ', ' + datum.throughput, {fits} ? '' : 'does not fit: ' + datum.shortfall + ' short']"
    )
    plain, bold = theme.character * FONT_SIZE, theme.bold_character * FONT_SIZE
    lengths = f"{bold:.4g} * length(datum.batch), {plain:.4g} * length(({body})[0])"
    width = f"max({lengths}, {plain:.4g} * length(({body})[1]))"
    left = f"min({x} + {GAP}, width - {width})"
    # Clear of what is said of memory, which stands below its line at the right.
    limit = "scale('y', max(datum.full_tok_per_s, 1e-300))"
    said = f"width - {plain:.4g} * (length(datum.memory_limit) + 2)"
    first, height = f"({y} + {LINE_HEIGHT + 4})", f"({fits} ? 2 : 3) * {LINE_HEIGHT}"
    beside = f"{first} - 8 < {limit} + {LINE_HEIGHT + 12} && {first} + {height} - 8 > {limit}"
    over = f"datum.full_tok_per_s > 0 && {left} + {width} > {said} && {beside}"
    top = f"({over} ? {limit} + {2 * LINE_HEIGHT + 6} : {first})"
    text: dict[str, Any] = {"align": "left", "fill": theme.decode}
    name = alt.Chart(name="batch_name").mark_text(text={"expr": "datum.batch"}, fontWeight="bold", **text)
    lines = alt.Chart(name="batch_body").mark_text(text={"expr": body}, lineHeight=LINE_HEIGHT, **text)
    return [
        name.encode(x=pixels(left), y=pixels(top)),
        lines.encode(x=pixels(left), y=pixels(f"{top} + {LINE_HEIGHT}")),
    ]


def _limits(theme: Theme) -> Any:
    """Where memory is full, across, and where decode becomes compute bound, down; each with its words."""
    plain = theme.character * FONT_SIZE
    dashes: dict[str, Any] = {"stroke": theme.muted, "strokeDash": [2, 3], "strokeWidth": 1}
    across = alt.Chart(name="memory").mark_rule(**dashes).transform_filter("datum.full_tok_per_s > 0")
    down = alt.Chart(name="ridge").mark_rule(**dashes).transform_filter("datum.ridge_itl_s > 0")
    memory = alt.Chart(name="memory_name").mark_text(
        text={"expr": "(datum.full_tok_per_s > 0 ? '\N{UPWARDS ARROW} ' : '') + datum.memory_limit"},
        align="right",
        fill=theme.ink,
    )
    # Without a line to stand below it stands in the room above the fastest state, where no label comes.
    limit = "(datum.full_tok_per_s > 0 ? scale('y', datum.full_tok_per_s) + 17 : 14)"
    ridge = alt.Chart(name="ridge_name").mark_text(
        text={"expr": "datum.ridge_crossing + (datum.ridge_itl_s > 0 ? ' \N{RIGHTWARDS ARROW}' : '')"},
        align="left",
        fill=theme.ink,
    )
    room = f"width - {plain:.4g} * (length(datum.ridge_crossing) + 2)"
    start = (
        f"(datum.ridge_itl_s > 0 ? max(0, min(scale('x', datum.ridge_itl_s) - 3, {room})) : max(0, {room}))"
    )
    layers = [
        across.encode(y=alt.Y("full_tok_per_s:Q")),
        down.encode(x=alt.X("ridge_itl_s:Q")),
        memory.encode(x=pixels("width"), y=pixels(limit)),
        ridge.encode(x=pixels(start), y=pixels("-9")),
    ]
    return looked_up(alt.layer(*layers, data=alt.InlineData(values=[{}])), STATE_ROW, FIELDS)


def _names(theme: Theme) -> list[Any]:
    """What both axes measure."""

    def name(text: Any, x: str, y: str, **mark: Any) -> Any:
        chart = alt.Chart(alt.InlineData(values=[{}])).mark_text(text=text, fill=theme.muted, **mark)
        return chart.encode(x=pixels(x), y=pixels(y))

    long, short = "inter-token latency, the time of a decode step", "inter-token latency"
    return [
        name({"expr": f"width < {NARROW} ? '{short}' : '{long}'"}, "width / 2", "height + 40"),
        name("tok/s", str(-PADDING["left"]), "-9", align="left"),
    ]
