"""The four figures that a service is judged by, as a card of four tiles."""

from typing import Any

import altair as alt

from builder.charts.parameters import STATE_ROW, looked_up, pixels
from builder.charts.theme import FONT_SIZE, Theme
from builder.figures import words
from builder.grid import Grid

FIELDS = (
    *("ttft", "itl", "latency", "throughput", "output", "batch"),
    *("prefill_bound", "decode_bound", "fits", "shortfall"),
)
PADDING = {"left": 0, "right": 0, "top": 0, "bottom": 0}
GAP = 24
LARGEST_FIGURE = 48
# Of a tile's width, the most that the size of its figure may be: the longest has twelve characters.
OF_WIDTH = 1 / 7
LABEL_SIZE = 14
# What a tile's lines need besides the size of its figure, and how much more stands them well apart.
LINES, LEADING = 43, 10

# Label, figure, phase, and in whose hands it is, as an expression: where there is room, what it is of leads.
TILES = (
    ("Time to first token", "ttft", "prefill", "prefill, ", "datum.prefill_bound + ' bound'"),
    ("Inter-token latency", "itl", "decode", "decode step, ", "datum.decode_bound + ' bound'"),
    ("Request latency", "latency", "", "prefill and ", "datum.output"),
    ("Throughput", "throughput", "decode", "output of ", "datum.batch"),
)


def metrics_chart(grid: Grid, theme: Theme, plot: tuple[int, int]) -> Any:
    """The tiles, two by two, as a layered chart without data, size or parameters, for a plot of that size."""
    width, height = (plot[0] - GAP) / 2, (plot[1] - GAP / 2) / 2
    leads = _longest(grid) * theme.character * FONT_SIZE <= width
    tiles: list[Any] = []
    for at, (label, figure, phase, lead, whose) in enumerate(TILES):
        left, top = at % 2 * (width + GAP), at // 2 * (height + GAP / 2)
        said = (label, figure, f"'{lead}' + {whose}" if leads else whose)
        tiles += _tile(said, theme.phase(phase) if phase else theme.ink, (left, top, width, height), theme)
    return looked_up(alt.layer(*tiles, data=alt.InlineData(values=[{}])), STATE_ROW, FIELDS)


def _longest(grid: Grid) -> int:
    """Characters of the longest third line of any state."""
    outputs, batches = (
        [words(axis.name, stop) for stop in axis.stops] for axis in grid.axes if axis.name != "prompt"
    )
    lines = [f"prefill and {text}" for text in outputs] + [f"output of {text}" for text in batches]
    return max(map(len, ["decode step, compute bound", *lines]))


def _tile(
    said: tuple[str, str, str], colour: str, box: tuple[float, float, float, float], theme: Theme
) -> list[Any]:
    """A rule and three lines below it, in a box given by its left, top, width and height."""
    label, figure, whose = said
    left, top, width, height = box
    size = round(min(LARGEST_FIGURE, width * OF_WIDTH, height - LINES), 1)
    leading = min(LEADING, height - LINES - size)

    def line(text: Any, y: float, **mark: Any) -> Any:
        chart = alt.Chart().mark_text(text=text, align="left", baseline="alphabetic", **mark)
        return chart.encode(x=pixels(f"{left:g}"), y=pixels(f"{y:g}"))

    rule = alt.Chart().mark_rule(stroke=colour, strokeWidth=2)
    ends = {"x": f"{left:g}", "x2": f"{left + width:g}", "y": f"{top + 1:g}", "y2": f"{top + 1:g}"}
    above = top + 20 + 0.4 * leading
    middle = above + size + 2 + 0.2 * leading
    return [
        rule.encode(**{name: pixels(place) for name, place in ends.items()}),
        line(label, above, fill=theme.ink, fontSize=LABEL_SIZE),
        line({"expr": f"datum.{figure}"}, middle, fill=colour, fontSize=size, fontWeight="bold"),
        line({"expr": whose}, middle + 18 + 0.4 * leading, fill=theme.muted, fontSize=FONT_SIZE),
    ]
