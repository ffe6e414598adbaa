"""Labels of exported charts: in no size and state do they touch each other, a point or the edge."""

import re
import shutil

import pytest

from builder.charts import SLIDES
from builder.content import read_content
from builder.drawing import Text
from builder.export import Exporter
from builder.look import choose_look
from builder.scenario import State
from tests.conftest import CASES, TEMPLATES
from tests.pictures import CHARTS, LIGHT, SIZES, STATES, flaws, live_points


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", CHARTS)
def test_labels_are_apart_and_whole(exporter, name, size):
    """In each size and state no text touches another or a live point, and none is near the edge."""
    look = choose_look("light", "", size, 1)
    found = {label: flaws(exporter.picture(name, state, look).drawing) for label, state in STATES.items()}
    assert {label: flaw for label, flaw in found.items() if flaw} == {}


@pytest.mark.parametrize("size", SIZES)
def test_words_of_memory_keep_apart(exporter, content, size):
    """What is said of memory is clear of the label where nothing fits, and where every batch does."""
    look = choose_look("light", "", size, 1)
    assert flaws(exporter.picture("throughput", State(32, 16, 1), look).drawing) == []
    shutil.copy(CASES / "LM-06.toml", content / "scenario.toml")
    small = Exporter(read_content(content).pages[0])
    for prompt in (128, 4096):
        for batch in (1, 16):
            assert flaws(small.picture("throughput", State(prompt, 128, batch), look).drawing) == []


@pytest.mark.parametrize(
    ("name", "size"),
    [(name, SLIDES[name].smallest) for name in CHARTS]
    + [(name, (1320, 960)) for name in CHARTS]
    + [(name, (1824, 760)) for name in ("metrics", "timeline")],
)
def test_labels_are_apart_in_sizes_of_their_own(exporter, name, size):
    """So they are in the smallest size that a chart takes, and in those of a chart beside or below text."""
    look = choose_look("light", "", "{}x{}".format(*size), 1)
    crowded = {
        "many": State(32, 128, 1024),
        "before the limit": State(1024, 128, 32),
        "half": State(4096, 16, 1),
    }
    found = {
        label: flaws(exporter.picture(name, state, look).drawing)
        for label, state in (STATES | crowded).items()
    }
    assert {label: flaw for label, flaw in found.items() if flaw} == {}


def short_batches(content, case, batches):
    """An exporter of a case with a batch axis of these stops."""
    text = (CASES / case).read_text(encoding="utf-8")
    text = re.sub(r"(?m)^batch = \[.*\]", f"batch = {batches}", text)
    text = re.sub(r"(?m)^batch = \d+$", f"batch = {batches[0]}", text)
    (content / "scenario.toml").write_text(text, encoding="utf-8")
    return Exporter(read_content(content).pages[0])


@pytest.mark.parametrize("batches", [[1], [1, 2], [1, 2, 4], [64]], ids=str)
@pytest.mark.parametrize("case", ["toy.toml", "LM-06.toml"])
def test_a_short_curve(content, case, batches):
    """With few batches or one the throughput chart has ticks on both axes, and its labels are apart."""
    short = short_batches(content, case, batches)
    for size in ("16:9", "1080x960"):
        look = choose_look("light", "", size, 1)
        for state in (State(128, short.content.grid.scenario.start.output, batch) for batch in batches):
            drawing = short.picture("throughput", state, look).drawing
            assert flaws(drawing) == []
            lines = [text.line for text in drawing.texts]
            assert len([line for line in lines if re.fullmatch(r"[\d.]+ m?s", line)]) >= 3
            # The ticks of the rates end where the axis begins; the numbers of batches stand inside.
            ends = {text.y for text in drawing.texts if re.fullmatch(r"\d+[kM]?", text.line) and text.x < 64}
            assert len(ends) >= 2


def test_a_short_curve_is_live(content):
    """Its document has a curve with finite places."""
    short = short_batches(content, "toy.toml", [1])
    start = short.content.grid.scenario.start
    html = short.live("throughput", start, LIGHT, TEMPLATES).decode()
    assert 'id="batch"' in html
    assert "1 request" in html
    assert not re.search(r'(?:d|transform)="[^"]*(?:NaN|Infinity|undefined)', html)


def test_flaws_would_be_found(exporter):
    """The search sees a text on another, one on a live point and one at the edge."""
    drawing = exporter.picture("roofline", STATES["start"], LIGHT).drawing
    assert len(live_points(drawing)) == 2
    left, _, _, bottom = live_points(drawing)[0]
    for x, y, line in (
        (left, bottom, "point"),
        (drawing.texts[0].x, drawing.texts[0].y, "0"),
        (1, 50, "edge"),
    ):
        text = Text(line, x, y, "", "start", 12, bold=False, fill="#000000")
        assert flaws(type(drawing)(640, 360, drawing.background, (*drawing.parts, text)))
