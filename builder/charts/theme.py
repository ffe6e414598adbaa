"""The look of every chart: colours, type and the few sizes that marks share."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Theme:
    """Colours by their role, and the font; a colour is anything that CSS takes.

    Attributes:
        ink: text and the roof.
        muted: axis labels and everything that recedes.
        rule: hairlines.
        paper: what the chart lies on; the fill of hollow points.
        prefill: the first phase, wherever it is drawn.
        decode: the second phase.
        character: how wide a character is at most, on the average of a line, as a share of the type's size.
        bold_character: the same in bold.
    """

    ink: str
    muted: str
    rule: str
    paper: str
    prefill: str
    decode: str
    font: str
    # No expression can measure text: these hold for the widest of the fonts that a reader may have.
    character: float = 6.5 / 12
    bold_character: float = 7.4 / 12

    def config(self) -> dict[str, Any]:
        """The Vega-Lite config of a chart in this theme."""
        return {
            # The page describes each drawing in words; without this every mark would speak for itself.
            "aria": False,
            "background": "transparent",
            "font": self.font,
            "view": {"stroke": None},
            "text": {"fontSize": FONT_SIZE, "fill": self.ink},
            "axis": {
                "domain": False,
                "ticks": False,
                "grid": True,
                "gridColor": self.rule,
                "labelColor": self.muted,
                "labelFontSize": FONT_SIZE,
                "labelPadding": 7,
                "titleColor": self.muted,
                "titleFontSize": FONT_SIZE,
                "titleFontWeight": "normal",
            },
        }

    def phase(self, name: str) -> str:
        """The colour of "prefill" or "decode"."""
        return {"prefill": self.prefill, "decode": self.decode}[name]


FONT_SIZE = 12
LINE_HEIGHT = 16

# The page's own variables, so that its style sheet decides on light and dark.
PAGE = Theme(
    ink="var(--ink)",
    muted="var(--muted)",
    rule="var(--rule)",
    paper="var(--paper)",
    prefill="var(--prefill)",
    decode="var(--decode)",
    font="system-ui, sans-serif",
)

# The same colours by value, for files that stand alone; the test of the style sheet keeps the two equal.
LIGHT = Theme(
    ink="#1f1d1a",
    muted="#625d55",
    rule="#e4dfd5",
    paper="#fdfcf9",
    prefill="#b04a0c",
    decode="#1d5fa8",
    font="system-ui, sans-serif",
)

DARK = Theme(
    ink="#e9e5dc",
    muted="#a8a196",
    rule="#35322d",
    paper="#161513",
    prefill="#f2935c",
    decode="#7fb4f0",
    font="system-ui, sans-serif",
)
