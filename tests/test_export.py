"""Exported charts: what is in their files, in every format, and that it can be read from the back row."""

import json
import re
import struct
from xml.etree import ElementTree

import altair as alt
import jsonschema
import pypdf
import pytest

from builder.charts import contrast
from builder.content import read_content
from builder.errors import RequestError
from builder.export import Exporter, file_name
from builder.look import choose_look
from builder.png import size_of
from builder.scenario import State
from tests.conftest import ROOT
from tests.pictures import CHARTS, LIGHT, SIZES, STATES


def physical(picture):
    """Pixels a metre, as a PNG says them."""
    at = picture.index(b"pHYs") + 4
    across, down, unit = struct.unpack(">IIB", picture[at : at + 9])
    assert (across, unit) == (down, 1)
    return across


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", CHARTS)
def test_type_is_for_the_back_row(exporter, name, size):
    """No text is smaller than 18 pt where the picture is placed as large as its size says."""
    picture = exporter.picture(name, STATES["too big"], choose_look("dark", "", size, 1))
    points_per_pixel = picture.inches[0] * 72 / picture.drawing.width
    assert min(text.size for text in picture.drawing.texts) * points_per_pixel >= 17.99
    assert picture.inches[1] == 7.5


@pytest.mark.parametrize("background", ["white", "black", "#1f2937", "#fef3c7"])
@pytest.mark.parametrize("name", CHARTS)
def test_text_can_be_read(exporter, name, background):
    """Each text is painted in a colour with a contrast of 4.5:1 or more on the background named."""
    look = choose_look("", background, "16:9", 1)
    drawing = exporter.picture(name, STATES["too big"], look).drawing
    assert drawing.background == look.background
    assert min(contrast(text.fill, drawing.background) for text in drawing.texts) >= 4.5


# PNG


@pytest.mark.parametrize(("scale", "pixels"), [(1, (1920, 1080)), (2, (3840, 2160)), (0.5, (960, 540))])
def test_more_pixels_are_placed_at_the_same_size(exporter, scale, pixels):
    """A 16:9 picture is 13.33 inches wide whatever its scale: at 1 it has 144 pixels an inch."""
    png = exporter.picture("metrics", STATES["start"], choose_look("", "", "16:9", scale)).png()
    assert size_of(png) == pixels
    assert physical(png) == pytest.approx(144 * scale / 0.0254, abs=1)
    assert pixels[0] / (physical(png) * 0.0254) == pytest.approx(1920 / 144, abs=0.01)


@pytest.mark.parametrize(
    ("size", "scale", "pixels"),
    [
        ("16:9", 0.1, (192, 108)),
        ("16:9", 3.3333, (6400, 3600)),  # 6399.9 and 3600.0
        ("16:9", 0.667, (1281, 720)),  # 1280.6 and 720.4
        ("1501x991", 0.5, (750, 496)),  # 750.5, to the even one, and 495.5
    ],
)
def test_parts_of_a_pixel_are_rounded(exporter, size, scale, pixels):
    """A scale that does not go in whole pixels takes the nearest, and the placed size stays the same."""
    png = exporter.picture("metrics", STATES["start"], choose_look("", "", size, scale)).png()
    assert size_of(png) == pixels
    wide = 1501 if size == "1501x991" else 1920
    assert pixels[0] / (physical(png) * 0.0254) == pytest.approx(wide / 144, abs=0.02)


@pytest.mark.parametrize(
    ("size", "pixels"), [("4:3", (1440, 1080)), ("square", (1080, 1080)), ("1500x990", (1500, 990))]
)
def test_a_picture_has_the_size_asked_for(exporter, size, pixels):
    """Whatever it is drawn at before it is enlarged, not a pixel is missing."""
    for name in CHARTS:
        assert size_of(exporter.picture(name, STATES["start"], choose_look("", "", size, 1)).png()) == pixels


def test_a_transparent_picture_has_no_ground(exporter):
    """Nothing is painted behind it in SVG; the PNG is of colour type 6, with an alpha channel."""
    picture = exporter.picture("timeline", STATES["start"], choose_look("dark", "transparent", "16:9", 1))
    assert b"<rect" not in picture.svg()
    assert picture.png()[25] == 6
    assert picture.json().count(b'"background": "transparent"') == 1


# SVG


@pytest.mark.parametrize("outlines", [False, True])
@pytest.mark.parametrize("name", CHARTS)
def test_svg_has_nothing_that_office_programs_trip_over(exporter, name, outlines):
    """Shapes and text alone: no style, no clip, no ids, no groups; 96 of its pixels an inch."""
    root = ElementTree.fromstring(exporter.picture(name, STATES["start"], LIGHT).svg(outlines=outlines))
    tags = {element.tag.split("}")[1] for element in root}
    assert tags - {"title", "rect", "path", "line"} == (set() if outlines else {"text"})
    attributes = {key for element in root for key in element.attrib}
    assert attributes.isdisjoint({"id", "class", "style", "clip-path", "mask", "filter", "href"})
    assert [len(element) for element in root] == [0] * len(root)
    assert (root.get("width"), root.get("height")) == ("1280", "720")


def test_the_texts_of_the_roofline(exporter):
    """Text stays text, and says what the page's roofline does."""
    root = ElementTree.fromstring(exporter.picture("roofline", STATES["start"], LIGHT).svg())
    texts = {element.text for element in root if element.tag.endswith("text")}
    assert {"ridge 208 FLOP/B", "1.25 PFLOP/s peak", "6 TB/s", "prefill, 1K tokens"} <= texts
    assert {"1022 FLOP/B, 100% of peak", "decode, 1 request", "1.0 FLOP/B, 0.5% of peak"} <= texts
    # No rate reaches 10 PF or falls to 1 TF.
    assert {"10 TF", "100 TF", "1 PF"} <= texts
    assert texts.isdisjoint({"1 TF", "10 PF"})


def test_the_texts_of_the_metrics(exporter):
    """The card has the four figures of the page's tiles, and whose they are."""
    drawing = exporter.picture("metrics", STATES["start"], LIGHT).drawing
    assert [text.line for text in drawing.texts][:12] == [
        *("Time to first token", "114.9 ms", "prefill, compute bound"),
        *("Inter-token latency", "23.4 ms", "decode step, memory bound"),
        *("Request latency", "3.11 s", "prefill and 128 tokens"),
        *("Throughput", "43 tok/s", "output of 1 request"),
    ]


@pytest.mark.parametrize(
    ("state", "texts"),
    [
        ("start", {"1 request", "23.4 ms, 43 tok/s", "compute bound from 443 requests →"}),
        ("start", {"↑ memory is full beyond 52 requests"}),
        ("too big", {"no batch crosses the ridge", "does not fit: 688.7 GB short"}),
        ("past the ridge and fits", {"memory holds all 1,024 requests", "compute bound from 213 requests →"}),
    ],
)
def test_the_texts_of_the_curve(exporter, state, texts):
    """It says where memory ends and where the ridge is, and what the chosen batch gives."""
    drawing = exporter.picture("throughput", STATES[state], LIGHT).drawing
    assert texts <= {text.line for text in drawing.texts}


def test_the_other_formats_show_the_same(exporter):
    """In a state that does not fit every chart says so."""
    for name in CHARTS:
        drawing = exporter.picture(name, STATES["too big"], LIGHT).drawing
        assert any("688.7 GB short" in text.line for text in drawing.texts), name


# PDF and JSON


def test_a_pdf_is_a_page_of_its_size(exporter, tmp_path):
    """One page of 13.33 by 7.5 inches, in points, with text that can be found, in the shipped font alone."""
    path = tmp_path / "chart.pdf"
    path.write_bytes(exporter.picture("throughput", STATES["start"], LIGHT).pdf())
    (page,) = pypdf.PdfReader(path).pages
    assert tuple(page.mediabox) == (0, 0, 960, 540)
    assert "memory is full beyond 52 requests" in page.extract_text()
    fonts = {font.get_object()["/BaseFont"] for font in page["/Resources"]["/Font"].values()}
    assert {font.split("+")[1] for font in fonts} == {"TwoPhasesSans", "TwoPhasesSans-Bold"}


@pytest.mark.parametrize("name", CHARTS)
def test_a_spec_is_valid_and_small(exporter, name):
    """Vega-Lite's own schema has nothing to say against it, and it has no rows but those that it draws."""
    spec = json.loads(exporter.picture(name, STATES["past the ridge"], LIGHT).json())
    jsonschema.Draft7Validator(alt.load_schema()).validate(spec)
    values = {param["name"]: param["value"] for param in spec["params"] if "value" in param}
    # 1,024 is the eleventh stop of the prompt, 128 the seventh of the output, 512 the 18th of the batch.
    assert (values["prompt"], values["output"], values["batch"]) == (10, 6, 17)
    # 20 batches; and at two of them, that of the state and that of the start, 15 prompts and 14 outputs more.
    assert len(spec["datasets"]["grid"]) == 20 + 2 * (15 + 14)


# All of them


@pytest.mark.parametrize("name", CHARTS)
def test_a_picture_is_made_alike_each_time(exporter, name):
    """Another exporter, and another picture in between, change no byte of PNG, SVG and JSON."""
    again = Exporter(exporter.content)
    again.picture(name, STATES["too big"], LIGHT)
    one, other = (each.picture(name, STATES["past the ridge"], LIGHT) for each in (exporter, again))
    assert one.svg() == other.svg()
    assert one.svg(outlines=True) == other.svg(outlines=True)
    assert one.json() == other.json()
    assert one.png() == other.png()


def test_a_picture_needs_no_font(exporter):
    """A PNG is drawn from outlines, which name no font: the machine's cannot change it."""
    assert b"font" not in exporter.picture("roofline", STATES["start"], LIGHT).svg(outlines=True)


def test_a_character_that_the_font_lacks_is_named(content):
    """A model's name in Chinese is drawn with boxes, and which characters and where is known."""
    scenario = content / "scenario.toml"
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(re.sub(r'(?m)^name = ".*"$', 'name = "通义"', text, count=1), encoding="utf-8")
    exporter = Exporter(read_content(content).pages[0])
    start = exporter.content.grid.scenario.start
    found = exporter.picture("metrics", start, LIGHT).unknown_characters
    assert list(found) == ["通", "义"]
    assert found["通"].startswith("通义, ")


@pytest.mark.parametrize(
    ("name", "state", "size"),
    [
        ("pie", State(1024, 128, 1), "16:9"),
        ("roofline", State(1, 1, 1), "16:9"),
        ("roofline", State(1024, 128, 1), "960x500"),
    ],
)
def test_what_cannot_be_is_refused(exporter, name, state, size):
    """A chart, a state or a size that there is not is refused to a caller in Python as well."""
    with pytest.raises(RequestError):
        exporter.picture(name, state, choose_look("", "", size, 1))


def test_file_names():
    """They say chart, page, state and look, in letters, digits, hyphens and dots."""
    dark = choose_look("dark", "#1f2937", "4:3", 2)
    assert file_name("roofline", "", State(1024, 128, 1), LIGHT) == "roofline-p1024-o128-b1-light"
    assert file_name("timeline", "a100-80gb", State(4096, 16, 512), dark) == (
        "timeline-a100-80gb-p4096-o16-b512-dark-on-1f2937-4x3-at-2x"
    )


def test_a_second_page_has_pictures_of_its_own():
    """A page of the tests' second machine is drawn with that machine's name."""
    pages = {page.name: page for page in read_content(ROOT / "content").pages}
    for page in pages.values():
        lines = [
            text.line
            for text in Exporter(page).picture("metrics", page.grid.scenario.start, LIGHT).drawing.texts
        ]
        assert any(line.startswith(page.machine) for line in lines)
