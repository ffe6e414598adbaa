"""The labels of the roofline's live points: what they say, and where they keep clear of everything."""

from dataclasses import dataclass
from typing import Any

import altair as alt

from builder.charts.parameters import pixels
from builder.charts.theme import FONT_SIZE, LINE_HEIGHT, Theme

# A plot narrower than this stacks what it says.
NARROW = 420
# Clear of a live point: its radius, its outline and a little air.
GAP = 13
# From a line's top to its baseline.
ASCENT = 12
# What the name of the peak takes of a plot's width.
NAME_WIDTH = 122
# How far from its point a label's last line can end: farther off, another point is in nobody's way.
TALLEST = 5 * LINE_HEIGHT + 2 * GAP


def live_labels(peak: float, theme: Theme, *, low: bool = False) -> list[Any]:
    """The marks of both labels, for a record of the state with the columns that `roofline.FIELDS` names.

    Args:
        peak: FLOP/s, where the roof is.
        theme: the look.
        low: whether the plot is so low that the prefill label could come down to the peak's name.
    """
    return [*_prefill_label(peak, theme, low=low), *_decode_label(peak, theme)]


def _at(phase: str) -> tuple[str, str]:
    """Where a live point is drawn, as expressions for x and y."""
    return f"scale('x', datum.{phase}_flop_per_byte)", f"scale('y', datum.{phase}_flop_per_s)"


@dataclass(frozen=True)
class _Lines:
    """The lines of a label below its name, as expressions: beside each other, or stacked for want of room."""

    name: str
    beside: list[str]
    stacked: list[str]
    is_stacked: str
    theme: Theme

    def width(self) -> str:
        """A cautious width in pixels."""
        plain, bold = self.theme.character * FONT_SIZE, self.theme.bold_character * FONT_SIZE

        def widest(lines: list[str]) -> str:
            lengths = ", ".join(f"{plain:.4g} * length({line})" for line in lines)
            return f"max({bold:.4g} * length({self.name}), {lengths})"

        return f"({self.is_stacked} ? {widest(self.stacked)} : {widest(self.beside)})"

    def body(self) -> str:
        """All lines but the name, as an array."""
        stacked, beside = (" + '|' + ".join(lines) for lines in (self.stacked, self.beside))
        return f"split({self.is_stacked} ? {stacked} : {beside}, '|')"


def _prefill_label(peak: float, theme: Theme, *, low: bool) -> list[Any]:
    """Above the roof and above the live points that lie beneath it."""
    (x, y), (other_x, other_y) = _at("prefill"), _at("decode")
    on_slope = "datum.prefill_bound === 'memory'"
    intensity, share = "datum.prefill_intensity", "datum.prefill_of_peak + ' of peak'"
    # Down the slope there is room above for a line more, near the roof there is none.
    is_stacked = f"(width < {NARROW} && {y} > {3 * LINE_HEIGHT + 2 * GAP})"
    lines = _Lines(
        "'prefill, ' + datum.prompt", [f"{intensity} + ', ' + {share}"], [intensity, share], is_stacked, theme
    )
    width = lines.width()
    # On a wide plot the peak's name stands at the left above the roof.
    at_name = f"width >= {NARROW} && {y} - scale('y', {peak}) < {2 * LINE_HEIGHT + GAP}"
    beside_name = f"({at_name} ? {NAME_WIDTH} : 0)" if low else "0"
    # Over a point on the roof, and left of one on the slope, where nothing else is drawn.
    left = f"clamp({x} - ({on_slope} ? 1 : 0.5) * {width}, {beside_name}, width - {width})"
    reach, height = f"{width} / 2 + {GAP}", f"({is_stacked} ? 3 : 2) * {LINE_HEIGHT}"
    beneath = f"abs({other_x} - ({left}) - {width} / 2) < {reach} && {y} - ({other_y}) < {height} + {GAP} + 4"
    above = f"({beneath} ? min({y}, {other_y}) : {y})"
    return _label("prefill", theme, lines, left, f"{above} - {GAP} - ({is_stacked} ? 2 : 1) * {LINE_HEIGHT}")


def _decode_label(peak: float, theme: Theme) -> list[Any]:
    """Below the roof, right of the point where there is room, and below the live points above it."""
    (x, y), (other_x, other_y) = _at("decode"), _at("prefill")
    fits = "datum.fits === 'fits'"
    intensity, share = "datum.decode_intensity", "datum.decode_of_peak + ' of peak'"
    verdict, short = f"({fits} ? '' : 'does not fit:')", f"({fits} ? '' : datum.shortfall + ' short')"
    lines = _Lines(
        "'decode, ' + datum.batch",
        [f"{intensity} + ', ' + {share}", f"({verdict} + ' ' + {short})"],
        [intensity, share, verdict, short],
        f"(width < {NARROW})",
        theme,
    )
    width = lines.width()
    left = f"clamp({x} + {GAP}, 0, width - {width})"
    over = f"abs({other_x} - ({left}) - {width} / 2) < {width} / 2 + {GAP} && {other_y} - ({y}) < {TALLEST}"
    below = f"({over} ? max({y}, {other_y}) : {y})"
    # Right of its point a label may start at the point's height; under a point it must start below.
    start = f"(({left}) < {x} + {GAP} || ({over}) ? {GAP} : 4) + {ASCENT}"
    # On a narrow plot the peak's name stands below the roof as well.
    under_name = f"(width < {NARROW} ? scale('y', {peak}) + 2 * {LINE_HEIGHT} + 3 : 0)"
    height = f"({lines.is_stacked} ? ({fits} ? 2 : 4) : ({fits} ? 1 : 2)) * {LINE_HEIGHT}"
    top = f"min(max({below} + {start}, {under_name}), height - {height} - 4)"
    return _label("decode", theme, lines, left, top)


def _label(phase: str, theme: Theme, lines: _Lines, left: str, top: str) -> list[Any]:
    """A label's name in bold and its lines beneath; `left` and `top` place the name's baseline."""
    text: dict[str, Any] = {"align": "left", "baseline": "alphabetic", "fill": theme.phase(phase)}
    name = alt.Chart(name=f"{phase}_label_name").mark_text(
        text={"expr": lines.name}, fontWeight="bold", **text
    )
    body = alt.Chart(name=f"{phase}_label_body").mark_text(
        text={"expr": lines.body()}, lineHeight=LINE_HEIGHT, **text
    )
    return [
        name.encode(x=pixels(left), y=pixels(top)),
        body.encode(x=pixels(left), y=pixels(f"({top}) + {LINE_HEIGHT}")),
    ]
