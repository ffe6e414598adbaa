"""From the narrowest phone to a wide screen, the page fits its window."""

import pytest

from tests.page.seen import LONGEST, START, TOO_BIG, State, set_state

WIDTHS = (320, 360, 768, 1280, 2560)
# Long in the throughput, in the words of the prompt, and in the shortfall.
LONG_NUMBERS = (State(1536, 1536, 1024), State(32, 16, 1024), LONGEST)
SCROLLS = "[document.documentElement.scrollWidth - innerWidth, document.body.scrollWidth - innerWidth]"
# What reaches past the right edge, though the window does not scroll there.
CUT = """
[...document.querySelectorAll("main *, .chart text")]
  .filter((element) => element.checkVisibility() && !element.closest(".unseen, .skip, pre"))
  .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
  .map((element) => `${element.tagName} ${element.textContent.trim().slice(0, 60)}`)
"""
# The labels of the roofline's axes that can be seen: Vega leaves out those that would touch.
TICKS = """
[...document.querySelectorAll("#roofline .live .role-axis-label text")]
  .filter((label) => label.getAttribute("opacity") !== "0")
  .map((label) => label.textContent)
"""


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_scrolls_sideways(open_page, width):
    """At the start, where it does not fit and with the longest numbers, nothing is wider than the window."""
    page = open_page(width=width)
    page.evaluate("document.querySelector('details').open = true")
    for state in (START, TOO_BIG, *LONG_NUMBERS):
        set_state(page, state)
        assert (page.evaluate(CUT), page.evaluate(SCROLLS)) == ([], [0, 0]), state


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_scrolls_sideways_without_scripts(open_page, width):
    """With scripts off nothing is wider than the window either."""
    page = open_page(width=width, java_script_enabled=False)
    assert max(page.evaluate(SCROLLS)) <= 0
    assert page.evaluate(CUT) == []


def test_a_phone_shows_the_page_unscaled(open_page):
    """On a phone of 320 pixels the page is laid out for these, not for a desk and scaled down."""
    page = open_page(width=320, height=640, is_mobile=True, has_touch=True)
    assert page.evaluate("[innerWidth, visualViewport.scale]") == [320, 1]


def test_large_type(open_page):
    """With type of twice the size in a window of 640 pixels, the page still fits."""
    page = open_page(width=640)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for state in (START, TOO_BIG, LONGEST):
        set_state(page, state)
        assert max(page.evaluate(SCROLLS)) <= 0, state


@pytest.mark.parametrize("before", [280, 1280])
def test_no_label_of_an_axis_is_lost(open_page, before):
    """Where they just have room all are there: as the page opens, as it is made narrow, after a move."""
    page = open_page(width=before)
    page.set_viewport_size({"width": 280, "height": 800})
    page.wait_for_function("document.querySelector('#roofline .live svg').clientWidth < 280")
    for state in (START, LONGEST):
        set_state(page, state)
        assert page.evaluate(TICKS) == ["1", "10", "100", "1k", "10k", "10 TF", "100 TF", "1 PF"]
