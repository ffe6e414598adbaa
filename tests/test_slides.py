"""The talk: six slides from the page's content, the same in the deck and in the PowerPoint file."""

import io
import re
from xml.etree import ElementTree

import pytest
from pptx import Presentation
from pptx.enum.shapes import MSO_SHAPE_TYPE
from pptx.util import Inches, Pt

from builder.content import read_content
from builder.errors import BuilderError, ContentError
from examples.slides.deck import HERE, deck_files
from examples.slides.powerpoint import powerpoint_file
from examples.slides.talk import read_talk
from tests.conftest import ROOT, TEMPLATES
from tests.markup import Markup


@pytest.fixture(scope="session")
def page():
    """What the shipped page says."""
    return read_content(ROOT / "content").pages[0]


@pytest.fixture(scope="session")
def slides(page):
    """The shipped talk."""
    return read_talk(HERE / "slides.toml", page)


@pytest.fixture(scope="session")
def deck(slides, page, tmp_path_factory):
    """The files of the deck, with stand-ins for those of reveal.js."""
    reveal = tmp_path_factory.mktemp("reveal")
    (reveal / "dist").mkdir()
    for name in ("dist/reveal.js", "dist/reveal.css", "LICENSE"):
        (reveal / name).write_bytes(name.encode())
    return deck_files(slides, page, "light", TEMPLATES, reveal)


@pytest.fixture(scope="session")
def powerpoint(slides, page):
    """The PowerPoint file."""
    return powerpoint_file(slides, page, "light")


def text_of(slide):
    """The text of a slide, a line a paragraph."""
    return "\n".join("".join(run.text for run in runs) for runs in slide.paragraphs)


# What the slides say


def test_six_slides(slides):
    """The argument takes six slides, of which two have a chart with its controls."""
    assert len(slides) == 6
    assert [slide.chart for slide in slides if slide.live] == ["timeline", "roofline"]


def test_figures_are_the_models(slides):
    """The text has the figures that the model gives for its states."""
    texts = [text_of(slide).replace("\xa0", " ") for slide in slides]
    assert "in one pass: 114.9 ms. Decode then takes 23.4 ms" in texts[1]
    assert "uses 0.5% of the peak" in texts[2]
    assert "full at 52 requests; the ridge would take 443" in texts[3]
    assert "want 182.5 GB of caches. Beside the weights there are 20 GB" in texts[4]


def test_a_run_of_text(slides):
    """A piece of text is bold where it was written so, and a figure has its phase."""
    runs = {run.text: run for run in slides[1].paragraphs[0]}
    assert (runs["Prefill"].bold, runs["Prefill"].phase) == (True, "")
    assert (runs["114.9\xa0ms"].bold, runs["114.9\xa0ms"].phase) == (False, "prefill")
    assert runs["23.4\xa0ms"].phase == "decode"


def test_paragraphs_and_line_ends(page, tmp_path):
    """Paragraphs stay apart, a hard line end is one, and bold ends where it was closed."""
    path = tmp_path / "slides.toml"
    text = "**bold  \\nbreak** then\\nplain.\\n\\nMore."
    path.write_text(f'[[slide]]\ntitle = "A"\ntext = "{text}"\n', encoding="utf-8")
    (slide,) = read_talk(path, page)
    first, second = [[(run.text, run.bold) for run in runs] for runs in slide.paragraphs]
    assert ("\n", True) in first
    assert first[-1] == (" then plain.", False)
    assert second == [("More.", False)]


def test_a_state_between_the_stops(page, tmp_path):
    """A state that the page cannot show is found with its line and the nearest stop."""
    path = tmp_path / "slides.toml"
    path.write_text('[[slide]]\ntitle = "A"\ntext = "B"\nstate = { batch = 33 }\n', encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        read_talk(path, page)
    assert str(caught.value) == (
        f"{path}:4: slide[0].state.batch: 33 is no stop of the page; the nearest is 32"
    )


def test_a_slip_is_found(page, tmp_path):
    """A name that does not exist is found with its line, a key that is not known as well."""
    path = tmp_path / "slides.toml"
    path.write_text('[[slide]]\ntitle = "A"\ntext = "{{ ttft_msec }}"\n', encoding="utf-8")
    with pytest.raises(ContentError, match=r"slides\.toml:3: \{\{ ttft_msec \}\}: .*did you mean ttft\?"):
        read_talk(path, page)
    path.write_text('[[slide]]\ntitle = "A"\ntext = "B"\nchart = "rooflin"\n', encoding="utf-8")
    with pytest.raises(ContentError, match=r"slides\.toml:4: slide\[0\]\.chart"):
        read_talk(path, page)


def test_a_claim_holds_the_talk_too(two_pages):
    """On cards of twice the memory the talk does not build: the ridge is crossed there, and not on paper."""
    second = next(page for page in read_content(two_pages).pages if page.name)
    with pytest.raises(ContentError) as caught:
        read_talk(HERE / "slides.toml", second)
    assert "claim max_batch" in str(caught.value)


# The deck


def test_the_deck_needs_nothing_else(deck):
    """Every file that it names is among its own, and no address leads out."""
    html = deck["index.html"].decode()
    named = re.findall(r'(?:src|href)="([^"]+)"', html)
    assert len(named) > 6
    assert [name for name in named if name not in deck] == []
    assert "http" not in html


def test_each_chart_is_told_in_words(deck):
    """Each picture has its alternative text, each frame a title, and each slide one heading."""
    markup = Markup(deck["index.html"].decode())
    for element, name in [(each, "alt") for each in markup.all("img")] + [
        (each, "title") for each in markup.all("iframe")
    ]:
        assert len(element[name].split()) > 20
    assert [
        len([e for e in section.inside if e.tag in {"h1", "h2"}]) for section in markup.all("section")
    ] == [1] * 6
    assert markup.misplaced == []


def test_without_reveal_it_says_what_to_do(slides, page, tmp_path):
    """Where reveal.js is not installed one line says how to get it."""
    with pytest.raises(BuilderError, match="No such file or directory; `make slides` gets"):
        deck_files(slides, page, "light", TEMPLATES, tmp_path)


# PowerPoint


def test_the_powerpoint_file(powerpoint, slides):
    """It has a slide of 13.33 by 7.5 inches for each, with title and text; text of 18 pt and more."""
    deck = Presentation(io.BytesIO(powerpoint))
    assert (round(deck.slide_width / Inches(1), 2), deck.slide_height / Inches(1)) == (13.33, 7.5)
    assert [slide.shapes.title.text_frame.text for slide in deck.slides] == [slide.title for slide in slides]
    for shown, slide in zip(deck.slides, slides, strict=True):
        texts = [shape.text_frame for shape in shown.shapes if shape.has_text_frame]
        assert texts[1].text == text_of(slide)
        sizes = [run.font.size for text in texts for run in text.paragraphs[0].runs]
        assert min(sizes) >= Pt(18)


def test_its_pictures(powerpoint, slides):
    """Each chart is a picture with words for it, inside the slide, clear of the text and not stretched."""
    deck = Presentation(io.BytesIO(powerpoint))
    for shown, slide in zip(deck.slides, slides, strict=True):
        pictures = [shape for shape in shown.shapes if shape.shape_type == MSO_SHAPE_TYPE.PICTURE]
        assert [shape.name for shape in pictures] == ([slide.chart] if slide.chart else [])
        for picture in pictures:
            assert len(picture._element.nvPicPr.cNvPr.get("descr").split()) > 20
            assert picture.left + picture.width <= deck.slide_width
            assert picture.top + picture.height <= deck.slide_height
            width, height = picture.image.size
            assert abs(picture.width / picture.height - width / height) < 0.01
            # As many pixels as the slide has on a screen of 1,920: 144 to the inch.
            assert abs(width - picture.width / Inches(1) * 144) < 1
            text = next(s for s in shown.shapes if s.has_text_frame and s != shown.shapes.title)
            beside = text.left + text.width <= picture.left
            assert beside or text.top + text.height <= picture.top


def test_the_same_bytes(slides, page, powerpoint, deck):
    """Made again, the file is the same; no hour is in it."""
    assert powerpoint_file(slides, page, "light") == powerpoint


def test_its_pictures_are_sound(deck):
    """Each picture of the deck is an SVG that an XML parser reads."""
    pictures = [data for name, data in deck.items() if name.endswith(".svg")]
    assert len(pictures) == 3
    for data in pictures:
        assert ElementTree.fromstring(data).tag == "{http://www.w3.org/2000/svg}svg"
