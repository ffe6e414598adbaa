"""Vega's drawings as SVG that office programs take."""

from xml.etree import ElementTree

import pytest

from builder.drawing import Rule, Text, read_drawing
from builder.typeface import STACK, face

# What Vega writes: groups in groups, what is not seen, clips and classes, a turned text and one of two lines.
VEGA = """<svg xmlns="http://www.w3.org/2000/svg" class="marks" width="200" height="100">
<rect width="200" height="100" fill="white"/>
<defs><clipPath id="clip0"><rect width="9" height="9"/></clipPath></defs>
<g fill="none" stroke-miterlimit="10" transform="translate(10,20)">
<g class="root" clip-path="url(#clip0)"><g transform="translate(1,2)">
<path class="background" aria-hidden="true" d="M0,0h180v70h-180Z"/>
<path class="foreground" d="" display="none"/>
<line transform="translate(0,30)" x2="180" y2="0" stroke="#e4dfd5" stroke-width="1" opacity="1"/>
<path transform="translate(5.55555,6)" d="M0,0h3.14159v3h-3Z" fill="#1d5fa8" fill-opacity="0.5"/>
<text text-anchor="middle" transform="translate(90,34)" font-size="12px" fill="#111111">middle</text>
<text transform="translate(9,9) rotate(-30) translate(0,-10)"
  font-size="12px" font-weight="bold" fill="#222222">up</text>
<text transform="translate(20,50)"
  font-size="12px" fill="#333333"><tspan>one</tspan><tspan x="0" dy="16">two</tspan></text>
<text transform="translate(20,50)" font-size="12px" fill="#333333"></text>
</g></g></g></svg>"""


@pytest.fixture
def drawing():
    return read_drawing(VEGA, (200, 100), "#ffffff")


def written(drawing, family=STACK):
    """The elements of a drawing's SVG, by their names, in order."""
    root = ElementTree.fromstring(drawing.svg("What it shows & more", (400, 200), family))
    return root, [(element.tag.split("}")[1], element) for element in root]


def test_what_it_is_made_of(drawing):
    """Shapes and text alone, one below the other: no group, style, clip, id, class or definition."""
    _, elements = written(drawing)
    assert [name for name, _ in elements] == ["title", "rect", *["line"] * 2, "path", *["text"] * 4]
    named = {attribute for _, element in elements for attribute in element.attrib}
    assert named.isdisjoint({"id", "class", "style", "clip-path", "role", "aria-hidden"})


def test_its_size(drawing):
    """The document is as wide as asked, and its drawing is enlarged to that."""
    root, _ = written(drawing)
    assert (root.get("width"), root.get("height"), root.get("viewBox")) == ("400", "200", "0 0 200 100")


def test_its_title(drawing):
    """The title says what it shows, whatever characters are in it."""
    root, _ = written(drawing)
    assert root[0].text == "What it shows & more"


def test_its_ground(drawing):
    """It is painted once, in the colour asked for; a transparent drawing has none."""
    _, elements = written(drawing)
    assert elements[1][1].attrib == {"width": "200", "height": "100", "fill": "#ffffff"}
    _, bare = written(read_drawing(VEGA, (200, 100), "transparent"))
    assert "rect" not in [name for name, _ in bare]


def test_places_are_those_of_all_groups_together(drawing):
    """A shape is moved as far as all groups around it were: 10 + 1 + 5.56, 20 + 2 + 6."""
    _, elements = written(drawing)
    path = next(element for name, element in elements if name == "path")
    assert path.get("transform") == "translate(16.56,28)"
    assert path.get("d") == "M0,0h3.14v3h-3Z"
    assert path.get("fill-opacity") == "0.5"


def test_texts(drawing):
    """Each line is by itself, with its place, size, weight and colour."""
    assert [(text.line, text.x, text.y, text.anchor, text.bold, text.fill) for text in drawing.texts] == [
        ("middle", 101, 56, "middle", False, "#111111"),
        ("up", 20, 31, "start", True, "#222222"),
        ("one", 31, 72, "start", False, "#333333"),
        ("two", 31, 88, "start", False, "#333333"),
    ]
    assert drawing.texts[1].turned == "rotate(-30) translate(0,-10)"


def test_text_as_text(drawing):
    """It names fonts that every office has, and its anchor; a turned one is turned about its place."""
    _, elements = written(drawing)
    middle, up, *_ = (element for name, element in elements if name == "text")
    assert middle.attrib == {
        "x": "101",
        "y": "56",
        "font-family": STACK,
        "font-size": "12",
        "text-anchor": "middle",
        "fill": "#111111",
    }
    assert up.get("transform") == "translate(20,31) rotate(-30) translate(0,-10)"
    assert up.get("font-weight") == "bold"


def test_text_as_outlines(drawing):
    """Letters are shapes, and start half their width left of a middle."""
    _, elements = written(drawing, family="")
    assert "text" not in [name for name, _ in elements]
    middle = next(element for _, element in elements if element.get("fill") == "#111111")
    assert middle.get("d") == face().outline("middle", 12)
    half = face().width("middle", 12) / 2
    assert middle.get("transform") == f"translate(101,56) translate({-half:.2f},0)".replace("-0.00", "0")


def test_a_rule_does_not_strike_through_text(drawing):
    """The rule at 52 px leaves out the word on it, with 3 px of air on either side."""
    _, elements = written(drawing)
    left, right = (element for name, element in elements if name == "line")
    half = face().width("middle", 12) / 2
    assert (left.get("x1"), right.get("x2")) == ("11", "191")
    assert float(left.get("x2")) == pytest.approx(101 - half - 3, abs=0.01)
    assert float(right.get("x1")) == pytest.approx(101 + half + 3, abs=0.01)


@pytest.mark.parametrize(
    ("rule", "pieces"),
    [
        ((0, 46, 200, 46), 2),
        ((110, 0, 110, 90), 2),
        ((0, 70, 200, 70), 1),
        ((90, 0, 90, 90), 1),
        ((102, 46, 104, 46), 0),
        ((102, 0, 102, 46), 1),
    ],
)
def test_where_a_rule_is_cut(rule, pieces):
    """It is cut where a text of 12 px at 100, 50 is, across and down, and is whole everywhere else."""
    text = Text("text", 100, 50, "", "start", 12, bold=False, fill="#000000")
    assert len(Rule(*rule, ()).apart_from(text)) == pieces


def test_a_turned_text_cuts_nothing():
    """What is written along a slope has no box to keep free."""
    text = Text("text", 100, 50, "rotate(-30)", "start", 12, bold=False, fill="#000000")
    rule = Rule(0, 46, 200, 46, ())
    assert rule.apart_from(text) == [rule]


def test_the_dashes_of_a_thick_line_are_bars():
    """A line 38 px thick with a dash of 1 px every 4 px is a shape of three bars, which no program rounds."""
    place = 'transform="translate(10,50)" x2="9" y2="0"'
    paint = 'stroke="#1d5fa8" stroke-width="38" stroke-dasharray="1,3"'
    vega = f'<svg xmlns="http://www.w3.org/2000/svg"><line {place} {paint}/></svg>'
    (bars,) = read_drawing(vega, (200, 100), "#ffffff").parts
    assert bars.attrib == {
        "d": "M10,31h1v38h-1ZM14,31h1v38h-1ZM18,31h1v38h-1Z",
        "fill": "#1d5fa8",
    }
