"""One exported chart, and the files that it becomes."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from builder import png, vega
from builder.drawing import Drawing
from builder.look import PIXELS_PER_INCH, Look
from builder.typeface import FAMILY, STACK, missing

# SVG's own pixels an inch, and those of a PDF.
CSS_INCH = 96
POINTS_INCH = 72
# Of a pixel, what makes up for the last digit of a number.
HAIR = 0.01


@dataclass(frozen=True)
class Picture:
    """One chart at a state in a look.

    Attributes:
        name: of its files, without their endings.
        alt: all that it shows, in words.
        spec: its Vega-Lite spec, data included.
        inches: width and height at which it is placed on a slide.
    """

    name: str
    alt: str
    spec: dict[str, Any]
    look: Look
    drawing: Drawing

    @property
    def inches(self) -> tuple[float, float]:
        """How wide and how high it is when placed on a slide."""
        return self.look.size[0] / PIXELS_PER_INCH, self.look.size[1] / PIXELS_PER_INCH

    @property
    def unknown_characters(self) -> dict[str, str]:
        """Each character that the exports' font does not have, and the line that it stands in."""
        return {character: text.line for text in self.drawing.texts for character in missing(text.line)}

    def svg(self, *, outlines: bool = False) -> bytes:
        """SVG with its text as text, in a font that every office has, or with its letters as shapes."""
        return self._svg("" if outlines else STACK, CSS_INCH).encode()

    def png(self) -> bytes:
        """A picture that is placed at the same size whatever its scale."""
        ppi = PIXELS_PER_INCH * self.look.scale
        # What draws it cuts a part of a pixel off: the size is rounded before, and a hair above that.
        wide, high = ((round(side * self.look.scale) + HAIR) * POINTS_INCH / ppi for side in self.look.size)
        drawn = vega.svg_png(self.drawing.svg(self.alt, (wide, high), ""), 1, ppi)
        return png.recompressed(drawn)

    def pdf(self) -> bytes:
        """A page of the picture's size, with text that can be searched."""
        return vega.svg_pdf(self._svg(FAMILY, POINTS_INCH))

    def json(self) -> bytes:
        """The Vega-Lite spec, for who wants to restyle it."""
        return (json.dumps(self.spec, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()

    def _svg(self, family: str, pixels_per_inch: int) -> str:
        wide, high = self.inches
        return self.drawing.svg(self.alt, (wide * pixels_per_inch, high * pixels_per_inch), family)

    def files(self, kind: str) -> Iterator[tuple[str, bytes]]:
        """Its files in one format, by their names: png, svg, pdf or json."""
        if kind == "svg":
            yield f"{self.name}.svg", self.svg()
            yield f"{self.name}-outlines.svg", self.svg(outlines=True)
        elif kind == "png":
            yield f"{self.name}.png", self.png()
        elif kind == "pdf":
            yield f"{self.name}.pdf", self.pdf()
        elif kind == "json":
            yield f"{self.name}.vl.json", self.json()
