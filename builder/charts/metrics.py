"""The four figures that a service is judged by, as a card of four tiles."""

from typing import Any

import altair as alt

from builder.charts.parameters import STATE_ROW, looked_up, pixels
from builder.charts.theme import FONT_SIZE, Theme
from builder.grid import Grid

FIELDS = (
    *("ttft", "itl", "latency", "throughput", "output", "batch"),
    *("prefill_bound", "decode_bound", "fits", "shortfall"),
)
PADDING = {"left": 0, "right": 0, "top": 0, "bottom": 0}
GAP = 24
# A plot wider than this many times its height has its tiles in one row.
WIDE = 2.6
LARGEST_FIGURE = 48
# Of a tile's width, the most that the size of its figure may be: the longest has twelve characters.
OF_WIDTH = 1 / 7
LABEL_SIZE = 14

# Label, figure, phase, and in whose hands it is, as an expression.
TILES = (
    ("Time to first token", "ttft", "prefill", "'prefill, ' + datum.prefill_bound + ' bound'"),
    ("Inter-token latency", "itl", "decode", "'decode step, ' + datum.decode_bound + ' bound'"),
    ("Request latency", "latency", "", "'prefill and ' + datum.output"),
    ("Throughput", "throughput", "decode", "'output of ' + datum.batch"),
)


def metrics_chart(grid: Grid, theme: Theme, plot: tuple[int, int]) -> Any:
    """The tiles as a layered chart without data, size or parameters, for a plot of that width and height."""
    columns = 4 if plot[0] > WIDE * plot[1] else 2
    width = (plot[0] - (columns - 1) * GAP) / columns
    height = (plot[1] - (4 // columns - 1) * GAP) / (4 // columns)
    tiles: list[Any] = []
    for at, tile in enumerate(TILES):
        left, top = at % columns * (width + GAP), at // columns * (height + GAP)
        tiles += _tile(tile, left, top, width, theme)
    return looked_up(alt.layer(*tiles, data=alt.InlineData(values=[{}])), STATE_ROW, FIELDS)


def _tile(tile: tuple[str, str, str, str], left: float, top: float, width: float, theme: Theme) -> list[Any]:
    label, figure, phase, whose = tile
    colour = theme.phase(phase) if phase else theme.ink
    size = round(min(LARGEST_FIGURE, width * OF_WIDTH), 1)

    def line(text: Any, y: float, **mark: Any) -> Any:
        chart = alt.Chart().mark_text(text=text, align="left", baseline="alphabetic", **mark)
        return chart.encode(x=pixels(f"{left:g}"), y=pixels(f"{y:g}"))

    rule = alt.Chart().mark_rule(stroke=colour, strokeWidth=2)
    ends = {"x": f"{left:g}", "x2": f"{left + width:g}", "y": f"{top + 1:g}", "y2": f"{top + 1:g}"}
    below = top + 24 + size + 4
    return [
        rule.encode(**{name: pixels(place) for name, place in ends.items()}),
        line(label, top + 24, fill=theme.ink, fontSize=LABEL_SIZE),
        line({"expr": f"datum.{figure}"}, below, fill=colour, fontSize=size, fontWeight="bold"),
        line({"expr": whose}, below + 22, fill=theme.muted, fontSize=FONT_SIZE),
    ]
