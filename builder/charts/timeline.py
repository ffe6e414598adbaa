"""One request from start to finish: a bar to scale, the prefill and then a tick a decode step."""

from typing import Any

import altair as alt

from builder.charts.labels import NARROW
from builder.charts.parameters import ONE, STATE_ROW, box, looked_up, pixels
from builder.charts.theme import FONT_SIZE, Theme
from builder.grid import Grid

FIELDS = ("ttft_s", "itl_s", "output_tokens", "ttft", "latency")
PADDING = {"left": 1, "right": 1, "top": 26, "bottom": 24}
HEIGHT = 38

THINNEST_PREFILL = 2
CLOSEST_TICKS = 3
# Where each entry of the legend begins, and how large its colour is.
LEGEND = {"prefill": 0, "decode": 72}
SWATCH = 10
# As far as the legend reaches at its shortest, and a gap.
LEGEND_WIDTH = 136
# How wide a character of the words above the bar's end is: many of them are narrow.
DONE_CHARACTER = 0.5 * FONT_SIZE


def timeline_chart(_grid: Grid, theme: Theme) -> Any:
    """The timeline of the grid's scenario as a layered chart without data, size or parameters."""
    bars = [_bar("prefill", theme), _bar("decode", theme)]
    moving = alt.layer(*bars, _decode_entry(theme), *_ends(theme), _ticks(theme), data=ONE)
    # What stays as it is must not be drawn anew with the rest.
    return alt.layer(*_legend(theme), _placed(moving))


def _placed(chart: Any) -> Any:
    """`chart` with the state's record and, in pixels, where decode starts and how far apart its steps lie."""
    start = "width * datum.ttft_s / (datum.ttft_s + datum.output_tokens * datum.itl_s)"
    return (
        looked_up(chart, STATE_ROW, FIELDS)
        .transform_calculate(start=f"max({THINNEST_PREFILL}, {start})")
        .transform_calculate(spacing="(width - datum.start) / datum.output_tokens")
    )


def _bar(phase: str, theme: Theme) -> Any:
    """One phase's part of the bar; decode is shaded darker where its ticks would run together."""
    edges: tuple[str | float, str] = (0, "datum.start")
    opacity: Any = 1
    if phase == "decode":
        edges = ("datum.start", "width")
        opacity = {"expr": f"datum.spacing >= {CLOSEST_TICKS} ? 0.22 : 0.62"}
    mark: dict[str, Any] = {"fill": theme.phase(phase), "fillOpacity": opacity, "stroke": None}
    return alt.Chart(name=f"{phase}_bar").mark_rect(**mark).encode(**box(*edges, 0, "height"))


def _ticks(theme: Theme) -> Any:
    """The end of each decode step but the last, which is the end of the bar.

    They are the dashes of one line as wide as the bar is high: a mark for each would have some hundred to
    compute and to lay out whenever a control moves.
    """
    first = "datum.start + datum.spacing - 0.5"
    end = f"datum.spacing < {CLOSEST_TICKS} ? {first} : max({first}, width - datum.spacing / 2)"
    return (
        alt.Chart(name="ticks")
        .mark_rule(
            stroke=theme.decode,
            strokeWidth={"expr": "height"},
            strokeDash={"expr": "[1, max(0, datum.spacing - 1)]"},
        )
        .encode(**box(first, end, "height / 2", "height / 2"))
    )


def _legend(theme: Theme) -> list[Any]:
    """What of the legend is the same in every state."""
    swatches = [
        alt.Chart(ONE)
        .mark_rect(fill=theme.phase(phase), stroke=None)
        .encode(**box(left, left + SWATCH, -18, -8))
        for phase, left in LEGEND.items()
    ]
    return [*swatches, _entry("prefill", "'prefill'", theme).properties(data=ONE)]


def _decode_entry(theme: Theme) -> Any:
    """The legend's other entry, which names the ticks where there are some."""
    ticks = f"datum.spacing >= {CLOSEST_TICKS} && width > {NARROW}"
    return _entry("decode", f"{ticks} ? 'decode, a tick a step' : 'decode'", theme)


def _entry(phase: str, text: str, theme: Theme) -> Any:
    return _text(text, LEGEND[phase] + SWATCH + 6, -12.5, theme.phase(phase), align="left")


def _text(text: str, x: str | float, y: str | float, colour: str, **mark: Any) -> Any:
    chart = alt.Chart().mark_text(text={"expr": text}, baseline="middle", fill=colour, **mark)
    return chart.encode(x=pixels(x), y=pixels(y))


def _ends(theme: Theme) -> list[Any]:
    """When the first token comes, below the bar where decode starts, and above its end the whole request."""
    first, right = "'first token after ' + datum.ttft", "datum.start > width / 2"
    long = f"{theme.character * FONT_SIZE:.4g} * length({first})"
    # Its words begin or end there, unless they would run over an end of the bar.
    place = f"{right} ? max(datum.start, {long}) : min(datum.start, width - {long})"
    leans: Any = {"expr": f"{right} ? 'right' : 'left'"}
    mark = alt.Chart().mark_rule(stroke=theme.prefill)
    return [
        mark.encode(**box("datum.start", "datum.start", "height", "height + 6")),
        _text(first, place, "height + 15", theme.prefill, align=leans),
        _text(_done(), "width", -12.5, theme.ink, align="right"),
    ]


def _done() -> str:
    """When the whole request is done, in as many words as the legend leaves room for."""
    long = "'done after ' + datum.latency"
    return f"width - {LEGEND_WIDTH} > {DONE_CHARACTER} * length({long}) ? {long} : 'done: ' + datum.latency"
