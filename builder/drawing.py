"""Vega's drawing as plain SVG that office programs take: shapes and text, no styles, clips, ids or groups."""

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from xml.etree import ElementTree

from builder.typeface import face

Element = ElementTree.Element
SVG = "{http://www.w3.org/2000/svg}"
_MOVE = re.compile(r"translate\(([-\d.e]+),\s*([-\d.e]+)\)\s*")
_PAINT = ("fill", "fill-opacity", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray", "opacity")
# What a line of text covers above and below its baseline, as a share of its size, and the air around it.
ASCENT, DESCENT = 0.78, 0.22
AIR = 3
# A line thicker than this is a row of bars, if it is dashed.
THICK = 4


@dataclass(frozen=True)
class Text:
    """One line of text.

    Attributes:
        x, y: where its baseline starts, has its middle or ends, as `anchor` says.
        turned: what else is done to it there, as SVG writes a transform, or "".
        anchor: start, middle or end.
        size: of the type, in the drawing's pixels.
    """

    line: str
    x: float
    y: float
    turned: str
    anchor: str
    size: float
    bold: bool
    fill: str

    @property
    def width(self) -> float:
        """How long the line is in the shipped family."""
        return face(bold=self.bold).width(self.line, self.size)

    @property
    def lead(self) -> float:
        """How far left of its place the line starts."""
        return {"start": 0, "middle": 0.5, "end": 1}[self.anchor] * self.width

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of a line that is not turned."""
        left = self.x - self.lead
        return left, self.y - ASCENT * self.size, left + self.width, self.y + DESCENT * self.size


@dataclass(frozen=True)
class Rule:
    """A line across or down the drawing."""

    x: float
    y: float
    x2: float
    y2: float
    paint: tuple[tuple[str, str], ...]

    def apart_from(self, text: Text) -> list["Rule"]:
        """What is left of it where a text must not be struck through."""
        left, top, right, bottom = text.box
        left, top, right, bottom = left - AIR, top - AIR, right + AIR, bottom + AIR
        low, high = sorted((self.x, self.x2))
        if text.turned or not ((low < right and left < high) or left < self.x == self.x2 < right):
            return [self]
        low, high = sorted((self.y, self.y2))
        if not ((low < bottom and top < high) or top < self.y == self.y2 < bottom):
            return [self]
        if self.x == self.x2:
            pieces = [replace(self, y=low, y2=top), replace(self, y=bottom, y2=high)]
            return [piece for piece in pieces if piece.y < piece.y2]
        low, high = sorted((self.x, self.x2))
        pieces = [replace(self, x=low, x2=left), replace(self, x=right, x2=high)]
        return [piece for piece in pieces if piece.x < piece.x2]


Part = Element | Text | Rule


@dataclass(frozen=True)
class Drawing:
    """A drawing in its own pixels, on a ground.

    Attributes:
        parts: shapes, ready to be written, texts and rules, in the order in which they are painted.
        background: a colour, or "transparent".
    """

    width: float
    height: float
    background: str
    parts: tuple[Part, ...]

    @property
    def texts(self) -> list[Text]:
        """All that can be read in it."""
        return [part for part in self.parts if isinstance(part, Text)]

    def svg(self, title: str, size: tuple[float, float], family: str) -> str:
        """The drawing as an SVG document.

        Args:
            title: what it shows, for those who cannot see it.
            size: the document's width and height, in the same ratio as the drawing's.
            family: what its text is set in; "" for letters as shapes, which need no font.
        """
        outer = {"width": _number(size[0]), "height": _number(size[1])}
        inner = {"width": _number(self.width), "height": _number(self.height)}
        box = f"0 0 {inner['width']} {inner['height']}"
        root = Element("svg", {"xmlns": SVG[1:-1], **outer, "viewBox": box})
        ElementTree.SubElement(root, "title").text = title
        if self.background != "transparent":
            ElementTree.SubElement(root, "rect", {**inner, "fill": self.background})
        root.extend(element for part in self.parts for element in self._written(part, family))
        return ElementTree.tostring(root, encoding="unicode") + "\n"

    def _written(self, part: Part, family: str) -> Iterable[Element]:
        if isinstance(part, Text):
            return [_as_text(part, family) if family else _as_outline(part)]
        if isinstance(part, Rule):
            return map(_as_line, self._uncrossed(part))
        return [part]

    def _uncrossed(self, rule: Rule) -> list[Rule]:
        """The pieces of a rule that strike through no text."""
        pieces = [rule]
        for text in self.texts:
            pieces = [shorter for piece in pieces for shorter in piece.apart_from(text)]
        return pieces


def read_drawing(svg: str, size: tuple[float, float], background: str) -> Drawing:
    """The visible parts of what Vega drew, in a drawing of that width and height."""
    return Drawing(*size, background, tuple(_parts(ElementTree.fromstring(svg), 0, 0)))


def _parts(element: Element, x: float, y: float) -> Iterator[Part]:
    """The visible leaves below an element, each with the moves of all groups around it."""
    tag = element.tag.removeprefix(SVG)
    move = _MOVE.match(element.get("transform", ""))
    x, y = (x + float(move[1]), y + float(move[2])) if move else (x, y)
    if tag in ("svg", "g"):
        for child in element:
            yield from _parts(child, x, y)
    elif tag == "text":
        yield from _lines(element, x, y)
    elif tag == "line":
        ends = (x, y, x + float(element.attrib["x2"]), y + float(element.attrib["y2"]))
        thick = float(element.get("stroke-width", 1)) > THICK and "stroke-dasharray" in element.attrib
        yield _bars(element, *ends[:3]) if thick else Rule(*ends, tuple(_paint(element).items()))
    elif tag == "path" and _is_seen(element):
        place = {"transform": f"translate({_number(x)},{_number(y)})"}
        yield Element("path", {"d": _shortened(element.attrib["d"]), **_paint(element), **place})


def _bars(element: Element, left: float, middle: float, right: float) -> Element:
    """The dashes of a thick line across as bars in one shape: office programs round the lengths of dashes."""
    wide, gap = map(float, element.attrib["stroke-dasharray"].split(","))
    high = float(element.attrib["stroke-width"])
    count = math.ceil((right - left) / (wide + gap))
    starts = [left + at * (wide + gap) for at in range(count)]
    size = f"h{_number(wide)}v{_number(high)}h{_number(-wide)}Z"
    bars = "".join(f"M{_number(start)},{_number(middle - high / 2)}{size}" for start in starts)
    return Element("path", {"d": bars, "fill": element.attrib["stroke"]})


def _is_seen(element: Element) -> bool:
    painted = {element.get("fill", "none"), element.get("stroke", "none")} - {"none", "transparent"}
    return bool(painted and element.get("d")) and element.get("display") != "none"


def _paint(element: Element) -> dict[str, str]:
    """How a shape is painted; what only repeats the default is left out."""
    paint = {name: element.attrib[name] for name in _PAINT if name in element.attrib}
    plain = {"opacity": "1", "fill-opacity": "1", "stroke-opacity": "1"}
    return {"fill": "none"} | {name: value for name, value in paint.items() if plain.get(name) != value}


def _lines(element: Element, x: float, y: float) -> Iterator[Text]:
    """Each line of a text by itself: office programs do not place the second one reliably."""
    turned = _MOVE.sub("", element.get("transform", ""), count=1)
    size = float(element.attrib["font-size"].removesuffix("px"))
    bold = element.get("font-weight") == "bold"
    fill, anchor = element.attrib["fill"], element.get("text-anchor", "start")
    for span in element.findall(SVG + "tspan") or [element]:
        y += float(span.get("dy", 0)) if span is not element else 0
        if span.text and span.text.strip():
            yield Text(span.text, x, y, turned, anchor, size, bold, fill)


def _as_text(text: Text, family: str) -> Element:
    place = {"x": _number(text.x), "y": _number(text.y)}
    if text.turned:
        place = {"transform": f"translate({_number(text.x)},{_number(text.y)}) {text.turned}"}
    element = Element("text", {**place, "font-family": family, "font-size": _number(text.size)})
    element.attrib |= {"font-weight": "bold"} if text.bold else {}
    element.attrib |= {"text-anchor": text.anchor} if text.anchor != "start" else {}
    element.set("fill", text.fill)
    element.text = text.line
    return element


def _as_outline(text: Text) -> Element:
    """The text's letters as one shape."""
    outline = face(bold=text.bold).outline(text.line, text.size)
    lead = f"translate({_number(-text.lead)},0)" if text.lead else ""
    moves = (f"translate({_number(text.x)},{_number(text.y)})", text.turned, lead)
    return Element("path", {"d": outline, "fill": text.fill, "transform": " ".join(filter(None, moves))})


def _as_line(rule: Rule) -> Element:
    ends = {"x1": rule.x, "y1": rule.y, "x2": rule.x2, "y2": rule.y2}
    return Element("line", {name: _number(value) for name, value in ends.items()} | dict(rule.paint))


def _shortened(path: str) -> str:
    return re.sub(r"-?\d+\.\d{3,}(?:e-?\d+)?", lambda number: _number(float(number[0])), path)


def _number(value: float) -> str:
    return f"{round(value, 2) + 0:g}"
