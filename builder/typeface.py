"""The family that exports are set in, shipped with the builder: its characters, widths and outlines.

It is Liberation Sans, which has the widths of Arial, a font of every office: what is laid out with one can be
set in the other. Its figures are all of one width. It has a name of its own here, so that no version of it
that a machine has is taken in its place.
"""

# fontTools has types of its own, as far as they go, and no stubs.
# pyright: reportMissingTypeStubs=false

import functools
from pathlib import Path
from typing import Any

from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

FOLDER = Path(__file__).parent / "fonts"
FAMILY = "Two Phases Sans"
# For text that stays text: what Windows and macOS have, what Linux has, and whatever there is.
STACK = "Arial, Liberation Sans, Helvetica, sans-serif"


class Face:
    """One weight of the family."""

    def __init__(self, path: Path) -> None:
        font: Any = TTFont(path)
        self.characters: dict[int, str] = font.getBestCmap()
        self._glyphs: Any = font.getGlyphSet()
        self._units: int = font["head"].unitsPerEm
        self._kerning: dict[tuple[str, str], int] = font["kern"].kernTables[0].kernTable

    def width(self, text: str, size: float) -> float:
        """How wide a line is at a type size, in that size's unit."""
        return self._places(text)[1] * size / self._units

    def outline(self, text: str, size: float) -> str:
        """A line as the data of an SVG path that starts at 0, 0 on the baseline.

        A character that the family does not have is drawn as the box that the font has for it.
        """
        pen = SVGPathPen(self._glyphs, ntos=_decimals)
        scale = size / self._units
        for glyph, at in self._places(text)[0]:
            self._glyphs[glyph].draw(TransformPen(pen, (scale, 0, 0, -scale, at * scale, 0)))
        return pen.getCommands()

    def _places(self, text: str) -> tuple[list[tuple[str, int]], int]:
        """Each character's glyph and where it starts, and where the line ends, in the font's units."""
        places: list[tuple[str, int]] = []
        at, before = 0, ""
        for character in text:
            glyph = self.characters.get(ord(character), ".notdef")
            at += self._kerning.get((before, glyph), 0)
            places.append((glyph, at))
            at, before = at + self._glyphs[glyph].width, glyph
        return places, at


@functools.cache
def face(*, bold: bool = False) -> Face:
    """The regular or the bold weight."""
    return Face(FOLDER / f"TwoPhasesSans-{'Bold' if bold else 'Regular'}.ttf")


def missing(text: str) -> list[str]:
    """The characters of a text that the family has no glyph for, each once.

    >>> missing("Llama 3, 通义 3")
    ['通', '义']
    """
    return [character for character in dict.fromkeys(text) if ord(character) not in face().characters]


def _decimals(number: float) -> str:
    return f"{round(number, 2):g}"
