"""The start state: as it is published, with scripts and without, in every width."""

import pytest

from tests import oracle
from tests.page.seen import SEEN, START, State, check, check_numbers, check_seen, look

SHOWN = oracle.PUBLISHED["published"]["shown"]
WIDTHS = (1280, 768, 360)
HIDDEN = """
[...document.querySelectorAll("main p, main h2, main li")]
  .filter((element) => element.textContent && !element.checkVisibility() && !element.closest("details"))
  .map((element) => element.textContent)
"""
OF_THE_SCENARIO = ("ridge", "peak", "bandwidth", "weights")


def test_the_start_is_the_published_one():
    """The page opens at the state whose figures are published."""
    assert oracle.PUBLISHED["published"]["state"] == START._asdict()


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_it_reads_as_published(open_page, scripts):
    """Each published figure stands word for word in every place that has its name, also with scripts off."""
    page = open_page(java_script_enabled=scripts)
    seen = look(page)
    for name in SHOWN.keys() - set(OF_THE_SCENARIO):
        found = {text for figure, text in seen["figures"] if figure == name}
        assert found == {SHOWN[name]}, name


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_chart_names_the_machine(open_page, scripts):
    """The roofline is labelled with the published ridge, peak and bandwidth."""
    words = look(open_page(java_script_enabled=scripts))["roofline"]["texts"]
    for name in ("ridge", "peak", "bandwidth"):
        assert [text for text in words if SHOWN[name] in text], name


def test_the_assumptions_name_the_machine(open_page):
    """Below the chart stand the published peak, bandwidth and weights."""
    text = open_page(java_script_enabled=False).inner_text(".assumptions").replace("\N{NO-BREAK SPACE}", " ")
    for name in ("peak", "bandwidth", "weights"):
        assert SHOWN[name] in text


def test_the_reading_at_the_start(open_page):
    """It gives both shares of the peak, and says that the low one of decode is no fault."""
    reading = look(open_page())["reading"]
    assert SHOWN["prefill_of_peak"] in reading
    assert SHOWN["decode_of_peak"] in reading
    assert "no fault" in reading


@pytest.mark.parametrize("width", WIDTHS)
def test_without_scripts_both_charts_show(open_page, width):
    """With scripts off each chart is one inline SVG as large as its box, and all numbers are the start's."""
    page = open_page(width=width, java_script_enabled=False)
    seen = look(page)
    figures = oracle.figures(*START)
    assert [(name, text) for name, text in seen["figures"] if text != figures[name]] == []
    check_seen(seen, START)
    for chart in ("timeline", "roofline"):
        drawings = page.locator(f"#{chart} svg:visible")
        assert drawings.count() == 1
        box, drawing = page.locator(f"#{chart}").bounding_box(), drawings.bounding_box()
        assert box["width"] > width * 0.7
        assert box["height"] > 80
        assert drawing == pytest.approx(box, abs=0.5)


@pytest.mark.parametrize("width", WIDTHS)
def test_without_scripts_it_reads_as_an_article(open_page, width):
    """With scripts off all text can be read but what asks for a hand on the charts; no control is there."""
    page = open_page(width=width, java_script_enabled=False)
    text = page.inner_text("main")
    for part in ("Prefill", "Decode", "Disaggregation", "SLO", "Read next", SHOWN["latency"]):
        assert part in text
    assert page.evaluate(HIDDEN) == ["Drag a filled point along the roof, or click a hollow one."]
    assert [control for control in page.locator("input, button").all() if control.is_visible()] == []


@pytest.mark.parametrize("width", WIDTHS)
def test_one_drawing_with_scripts(open_page, width):
    """Once Vega runs, its drawing is the only one of a chart, visible or not."""
    page = open_page(width=width)
    assert page.locator("#timeline svg").count() == 1
    assert page.locator("#roofline svg").count() == 1
    check(page, START)


def test_each_row_by_address(open_page, row):
    """Opened at a published row's address, every place shows the row's figures, and so do the charts."""
    state = State(row["prompt"], row["output"], row["batch"])
    check(open_page(state.hash), state)


def test_numbers_come_before_the_charts(open_page):
    """Opened at an address, the numbers are right as soon as the scripts have run, whenever Vega starts."""
    page = open_page("#prompt=4096&output=512&batch=64", init="requestIdleCallback = () => {};", ready=False)
    seen = page.evaluate(SEEN)
    assert seen["roofline"] is None
    check_numbers(seen, State(4096, 512, 64))
