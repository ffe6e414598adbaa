"""The printed page: the state on screen, its address, in light colours, its charts whole and as vectors."""

import io
import unicodedata

import pytest
from pypdf import PdfReader

from builder.charts import LIGHT
from tests import oracle
from tests.page.colours import resolved
from tests.page.seen import START, TOO_BIG, look
from tests.page.test_width import CUT

# Where an element may be broken between two sheets.
BREAKS = "[...document.querySelectorAll('.plate')].map((plate) => getComputedStyle(plate).breakInside)"


def printed(page, **options):
    """The page as a PDF that is read again."""
    return PdfReader(io.BytesIO(page.pdf(**({"format": "A4"} | options))))


def words(sheet):
    """The text of a sheet in one line, its ligatures as letters."""
    return " ".join(unicodedata.normalize("NFKC", sheet.extract_text()).split())


@pytest.fixture(scope="module")
def sheets(browser, site):
    """The sheets of the page that was open at 64 requests, in the dark."""
    context = browser.new_context(offline=True, color_scheme="dark", viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.goto((site / "index.html").as_uri() + TOO_BIG.hash)
    page.evaluate("explainer.ready")
    yield printed(page).pages
    context.close()


def test_the_address_of_the_state_is_printed(sheets):
    """The state on the sheets is found again by the address that stands on them."""
    assert TOO_BIG.hash in "".join(sheet.extract_text() for sheet in sheets).replace("\n", "")


@pytest.mark.parametrize(
    ("first", "last"),
    [("done after", "first token after"), ("ridge 208 FLOP/B", "FLOP per byte of HBM traffic")],
)
def test_a_chart_is_whole(sheets, first, last):
    """What stands above a chart's plot and what stands below it are text, and on one sheet."""
    found = [[at for at, sheet in enumerate(sheets) if part in words(sheet)] for part in (first, last)]
    assert found[0]
    assert found[0] == found[1]


def test_the_charts_show_the_state(sheets):
    """The labels in the printed charts are those of the state that was on screen."""
    text, figures = " ".join(map(words, sheets)), oracle.figures(*TOO_BIG)
    for label in (
        f"done after {figures['latency']}",
        f"first token after {figures['ttft']}",
        f"decode, {figures['batch']}",
        f"{figures['decode_intensity']}, {figures['decode_of_peak']} of peak",
        f"does not fit: {figures['shortfall']} short",
    ):
        assert label in text
    assert f"done after {oracle.figures(*START)['latency']}" not in text


def test_nothing_is_a_picture(sheets):
    """All of it is text and vectors: no sheet holds an image."""
    assert [len(sheet.images) for sheet in sheets] == [0] * len(sheets)


def test_the_article_reads_on(sheets):
    """The title is on the first sheet, the further reading on the last, and no sheet is empty."""
    assert "Two phases, two bottlenecks" in words(sheets[0])
    assert "Read next" in " ".join(map(words, sheets[-2:]))
    assert min(len(words(sheet)) for sheet in sheets) > 40


def test_no_buttons_on_paper(open_page):
    """On paper there is nothing to press: no presets, no reset, no thumbs, no handles, no hint."""
    page = open_page(TOO_BIG.hash, scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    for pressed in ("button", "input", "summary", "[data-point]", ".hint"):
        assert page.locator(f"{pressed}:visible").count() == 0, pressed
    for name in ("prompt", "output", "batch"):
        assert page.locator(f"output[for={name}]").is_visible()


@pytest.mark.parametrize("name", ["index.html", "embed/roofline.html"])
def test_paper_is_light(open_file, name):
    """Whatever the reader's or the address's theme, paper has the light colours."""
    page = open_file(name, "?theme=dark", scheme="dark")
    page.emulate_media(media="print", color_scheme="dark")
    roles = ("paper", "ink", "muted", "prefill", "decode")
    light = resolved(page, *(getattr(LIGHT, role) for role in roles))
    assert resolved(page, *(f"var(--{role})" for role in roles)) == light


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("scripts", [True, False])
def test_charts_on_paper_are_not_cut(open_page, width, scripts):
    """From a phone or a desk, with scripts or without, a chart stays on one sheet and within its edges."""
    page = open_page(width=width, java_script_enabled=scripts)
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 718, "height": 1000})  # A4 within its margins
    assert page.evaluate(BREAKS) == ["avoid"] * 2
    assert page.evaluate(CUT) == []
    for chart in ("timeline", "roofline"):
        shown = page.locator(f"#{chart} svg:visible")
        assert shown.count() == 1
        assert shown.bounding_box()["height"] < 1000
    sheets = printed(page).pages
    for part in ("ridge 208 FLOP/B", "FLOP per byte of HBM traffic", "done after", "first token after"):
        assert sum(part in words(sheet) for sheet in sheets) == 1, part


def test_printing_changes_nothing_on_screen(open_page):
    """After printing the page shows what it did."""
    page = open_page(TOO_BIG.hash)
    before = look(page)
    printed(page)
    page.evaluate("explainer.set({})")
    assert look(page) == before
