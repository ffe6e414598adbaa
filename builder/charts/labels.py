"""The labels of the roofline's live points: what they say, and where they keep clear of everything."""

from dataclasses import dataclass
from typing import Any

import altair as alt

from builder import units
from builder.charts.parameters import pixels
from builder.charts.theme import FONT_SIZE, LINE_HEIGHT, Theme

# A plot narrower than this stacks what it says.
NARROW = 420
# Clear of a live point: its radius, its outline and a little air.
GAP = 13
# From a line's top to its baseline.
ASCENT = 12
# Above a point this far down there is room for a label of three lines, below the names of the ridge's sides.
ROOM = GAP + 2 * LINE_HEIGHT + ASCENT - 6
# From a live point to the top of the label above it and, with the air between them, to one below that point.
APART = 3 * LINE_HEIGHT + 2 * GAP + ASCENT + 4


def live_labels(theme: Theme) -> list[Any]:
    """The marks of both labels, for a record of the state with the columns of `label_places`."""
    return [*_label("prefill", theme, _PREFILL), *_label("decode", theme, _DECODE)]


def label_places(peak: float, steepness: float, theme: Theme, *, low: bool = False) -> dict[str, str]:
    """The columns that place the labels, as expressions, each of which may use those before it.

    They ask for the columns that `roofline.FIELDS` names. Among them are the live points' places, `prefill_x`
    and so on, and the height above which the prefill label stands, `prefill_base`.

    Args:
        peak: of the roof, in FLOP/s.
        steepness: of the slope, on a plot as high as it is wide.
        theme: the look.
        low: whether the plot is so low that the prefill label could come down to the peak's name.
    """
    points = {
        f"{phase}_{axis}": f"scale('{axis}', datum.{phase}_{unit})"
        for phase in ("prefill", "decode")
        for axis, unit in (("x", "flop_per_byte"), ("y", "flop_per_s"))
    }
    return points | _prefill_places(peak, theme, low=low) | _decode_places(peak, steepness, theme)


@dataclass(frozen=True)
class _Lines:
    """The lines of a label below its name, as expressions: beside each other, or stacked for want of room.

    Of those beside each other the second, if there is one, is empty where the state fits.
    """

    name: str
    beside: list[str]
    stacked: list[str]

    def width(self, is_stacked: str, theme: Theme) -> str:
        """A cautious width in pixels."""
        plain, bold = theme.character * FONT_SIZE, theme.bold_character * FONT_SIZE

        def widest(lines: list[str]) -> str:
            lengths = ", ".join(f"{plain:.4g} * length({line})" for line in lines)
            return f"max({bold:.4g} * length({self.name}), {lengths})"

        return f"{is_stacked} ? {widest(self.stacked)} : {widest(self.beside)}"

    def body(self, is_stacked: str) -> str:
        """All lines but the name: an array or, where it is one line, a text, which is less to draw anew."""
        stacked, beside = (" + '|' + ".join(lines) for lines in (self.stacked, self.beside))
        are_several = f"({is_stacked} || !({_FITS}))" if len(self.beside) > 1 else is_stacked
        return f"{are_several} ? split({is_stacked} ? {stacked} : {beside}, '|') : {self.beside[0]}"


def _lines(phase: str, axis: str, *more: str) -> _Lines:
    intensity, share = f"datum.{phase}_intensity", f"datum.{phase}_of_peak + ' of peak'"
    beside = [f"{intensity} + ', ' + {share}", *([" + ' ' + ".join(more)] if more else [])]
    return _Lines(f"'{phase}, ' + datum.{axis}", beside, [intensity, share, *more])


_FITS = "datum.fits === 'fits'"
_PREFILL = _lines("prefill", "prompt")
_DECODE = _lines(
    "decode", "batch", f"({_FITS} ? '' : 'does not fit:')", f"({_FITS} ? '' : datum.shortfall + ' short')"
)


def _prefill_places(peak: float, theme: Theme, *, low: bool) -> dict[str, str]:
    """Above the roof and above the live points that lie beneath it."""
    # On a wide plot the peak's name stands at the left above the roof, in the way of what is right below it.
    at_name = f"width >= {NARROW} && datum.prefill_y - scale('y', {peak}) < {GAP + LINE_HEIGHT + ASCENT - 4}"
    name_width = theme.character * FONT_SIZE * len(f"{units.flop_rate(peak)} peak")
    beside_name = f"({at_name} ? {name_width:.0f} : 0)" if low else "0"

    def extent(name: str, is_stacked: str) -> dict[str, str]:
        # Over a point on the roof, and left of one on the slope, where nothing else is drawn.
        share = "(datum.prefill_bound === 'memory' ? 1 : 0.5)"
        width = f"datum.{name}_width"
        left = f"clamp(datum.prefill_x - {share} * {width}, {beside_name}, width - {width})"
        return {f"{name}_width": _PREFILL.width(is_stacked, theme), f"{name}_left": left}

    middle = "abs(datum.decode_x - datum.tall_left - datum.tall_width / 2)"
    height = f"(datum.tall ? 3 : 2) * {LINE_HEIGHT} + {GAP} + 4"
    beneath = f"{middle} < datum.tall_width / 2 + {GAP} && datum.prefill_y - datum.decode_y < {height}"
    return {
        # Down the slope there is room above for a line more, near the roof there is none: neither for a label
        # that a decode point there lifts over itself.
        "tall": f"width < {NARROW} && datum.prefill_y > {ROOM}",
        **extent("tall", "datum.tall"),
        "prefill_base": f"{beneath} ? min(datum.prefill_y, datum.decode_y) : datum.prefill_y",
        "prefill_stacked": f"datum.tall && datum.prefill_base > {ROOM}",
        **extent("prefill", "datum.prefill_stacked"),
        "prefill_top": f"datum.prefill_base - {GAP} - (datum.prefill_stacked ? 2 : 1) * {LINE_HEIGHT}",
    }


def _decode_places(peak: float, steepness: float, theme: Theme) -> dict[str, str]:
    """Below the roof, right of the point where there is room, and below all of prefill that is above it."""
    meets = (
        f"datum.decode_left < datum.prefill_left + datum.prefill_width + {GAP}"
        f" && datum.prefill_left < datum.decode_left + datum.decode_width + {GAP}"
        f" && datum.prefill_y - datum.decode_y < datum.decode_height + {APART}"
    )
    # At the foot of the slope, where a tall label does not fit below its point's height, it goes aside.
    aside = (
        f"(datum.decode_y + datum.decode_height + {ASCENT + 10} - height) * width / height / {steepness:.3g}"
    )
    below = "(datum.meets ? max(datum.decode_y, datum.prefill_y) : datum.decode_y)"
    # Right of its point a label may start at the point's height; under a point it must start below.
    start = f"(datum.decode_left < datum.decode_x + {GAP} || datum.meets ? {GAP} : 4) + {ASCENT}"
    # On a narrow plot the peak's name stands below the roof as well.
    under_name = f"(width < {NARROW} ? scale('y', {peak}) + 2 * {LINE_HEIGHT} + 3 : 0)"
    return {
        "decode_stacked": f"width < {NARROW}",
        "decode_width": _DECODE.width("datum.decode_stacked", theme),
        "decode_height": f"(datum.decode_stacked ? 2 : 1) * ({_FITS} ? 1 : 2) * {LINE_HEIGHT}",
        "decode_left": f"clamp(datum.decode_x + max({GAP}, {aside}), 0, width - datum.decode_width)",
        "meets": meets,
        "decode_top": f"min(max({below} + {start}, {under_name}), height - datum.decode_height - 4)",
    }


def _label(phase: str, theme: Theme, lines: _Lines) -> list[Any]:
    """A label's name in bold and its lines beneath."""
    text: dict[str, Any] = {"align": "left", "baseline": "alphabetic", "fill": theme.phase(phase)}
    name = alt.Chart(name=f"{phase}_label_name").mark_text(
        text={"expr": lines.name}, fontWeight="bold", **text
    )
    body = alt.Chart(name=f"{phase}_label_body").mark_text(
        text={"expr": lines.body(f"datum.{phase}_stacked")}, lineHeight=LINE_HEIGHT, **text
    )
    left, top = f"datum.{phase}_left", f"datum.{phase}_top"
    return [
        name.encode(x=pixels(left), y=pixels(top)),
        body.encode(x=pixels(left), y=pixels(f"{top} + {LINE_HEIGHT}")),
    ]
