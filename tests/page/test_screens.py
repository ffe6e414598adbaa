"""Narrow and wide, zoomed, in forced colours, and for those who want nothing to move."""

import pytest

from tests import oracle
from tests.page.colours import Picture, contrast
from tests.page.gestures import show_roofline
from tests.page.seen import LONGEST, PHASES, START, STOPS, TOO_BIG, check, set_state
from tests.page.test_width import CUT, SCROLLS

# The smallest text that a chart shows, in CSS pixels.
SMALLEST_TEXT = """
() => {
  const sizes = [...document.querySelectorAll(".chart text")]
    .filter((text) => text.textContent && text.checkVisibility())
    .map((text) => {
      const { a, b } = text.getScreenCTM();
      return Math.hypot(a, b) * parseFloat(getComputedStyle(text).fontSize);
    });
  return sizes.length > 15 ? Math.min(...sizes) : 0;
}
"""
SMALL_TARGETS = """
() => [...document.querySelectorAll("button, input, summary, [data-point], .cards a, .skip:focus")]
  .filter((element) => element.checkVisibility())
  .map((element) => [element.outerHTML.slice(0, 60), element.getBoundingClientRect()])
  .filter(([, box]) => box.width < 24 || box.height < 24)
  .map(([name, box]) => [name, box.width, box.height])
"""
MOVING = """
() => {
  const long = (times) => times.split(",").some((time) => parseFloat(time) > 0);
  const moves = (style) =>
    long(style.transitionDuration) || long(style.animationDuration) || style.scrollBehavior === "smooth";
  const moving = [...document.querySelectorAll("*")].flatMap((element) =>
    ["", "::before", "::after"]
      .filter((pseudo) => moves(getComputedStyle(element, pseudo || null)))
      .map((pseudo) => element.tagName + pseudo));
  return [...moving, ...document.getAnimations().map(String)];
}
"""
LAID_OUT = """
() => [...document.querySelectorAll(".chart")].every((box) => {
  const svg = box.querySelector(".live svg");
  return box.clientWidth > 0 && Number(svg?.getAttribute("width")) === box.clientWidth;
})
"""
HIDE = """
addEventListener("DOMContentLoaded", () => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(".bench { display: none !important; }");
  document.adoptedStyleSheets = [sheet];
});
"""
WIDTHS = (320, 360, 704, 768, 1024, 1280)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scripts", [True, False])
def test_text_in_charts_is_large_enough(open_page, width, scripts):
    """With and without scripts no text in a chart is smaller than 11 pixels, also where it does not fit."""
    page = open_page(width=width, java_script_enabled=scripts)
    assert page.evaluate(SMALLEST_TEXT) >= 11
    if scripts:
        set_state(page, TOO_BIG)
        assert page.evaluate(SMALLEST_TEXT) >= 11


def test_no_scripts_on_a_phone(open_page):
    """At 320 pixels without scripts the start's numbers, its reading and both drawings can be seen."""
    page = open_page(width=320, java_script_enabled=False)
    for chart, words in (("timeline", "latency"), ("roofline", "decode_of_peak")):
        shown = page.locator(f"#{chart} svg:visible")
        assert shown.count() == 1
        assert oracle.figures(*START)[words] in shown.text_content()
        box = shown.bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
    assert page.locator("#reading").is_visible()
    assert page.locator(".tiles [data-figure=ttft]").inner_text() == oracle.figures(*START)["ttft"]


@pytest.mark.parametrize("width", [320, 1280])
def test_charts_that_start_in_a_hidden_part(open_page, width):
    """Charts in a part that a style sheet hides from the first are right as soon as it shows them."""
    page = open_page(TOO_BIG.hash, width=width, init=HIDE)
    assert not page.locator("#roofline").is_visible()
    page.evaluate("document.adoptedStyleSheets = []")
    page.wait_for_function(LAID_OUT)
    page.evaluate("explainer.set({})")
    check(page, TOO_BIG)
    assert page.evaluate(SMALLEST_TEXT) >= 11


@pytest.mark.parametrize("width", [560, 300])
def test_charts_whose_box_changes(open_page, width):
    """Charts whose box, not the window, is made narrower are laid out for it, and again when it is wide."""
    page = open_page()
    style = (
        "(width) => document.querySelectorAll('.plate').forEach((plate) => { plate.style.width = width; })"
    )
    for given in (f"{width}px", ""):
        page.evaluate(style, given)
        page.wait_for_function(LAID_OUT)
        for state in (START, TOO_BIG, LONGEST):
            set_state(page, state)
            check(page, state)
        assert page.evaluate(SMALLEST_TEXT) >= 11
        assert page.evaluate(CUT) == []


@pytest.mark.parametrize("width", [320, 768, 1280])
@pytest.mark.parametrize("name", ["index.html", "embed/roofline.html", "embed/timeline.html"])
def test_targets_are_large_enough(open_file, name, width):
    """Every button, range, handle and summary, and every card's link, measures 24 by 24 pixels at least."""
    page = open_file(name, width=width)
    for state in (START, TOO_BIG):
        set_state(page, state)
        assert page.evaluate(SMALL_TARGETS) == []


@pytest.mark.parametrize("name", ["index.html", "embed/roofline.html", "embed/timeline.html", "404.html"])
def test_zoom_of_200_percent(open_file, name):
    """In a window of 1,280 pixels at twice the size nothing scrolls sideways and nothing is cut."""
    page = open_file(name, width=640, height=400, device_scale_factor=2)
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    for state in (START, TOO_BIG, LONGEST):
        if name != "404.html":
            set_state(page, state)
        assert (page.evaluate(CUT), page.evaluate(SCROLLS)) == ([], [0, 0])


@pytest.mark.parametrize("motion", ["reduce", "no-preference"])
@pytest.mark.parametrize("name", ["index.html", "embed/roofline.html", "404.html"])
def test_nothing_moves_by_itself(open_file, name, motion):
    """No transition, no animation and no smooth scrolling, whatever the reader has asked for."""
    page = open_file(name, reduced_motion=motion)
    assert page.evaluate(MOVING) == []
    if name != "404.html":
        page.press("#batch", "End")
        assert page.evaluate(MOVING) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours(open_page, scheme):
    """In the reader's own colours thumbs, tracks, points, labels and both bars can be seen."""
    page = open_page(TOO_BIG.hash, scheme=scheme, forced_colors="active", height=1000)
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    ground = Picture(page, clip={"x": 0, "y": 0, "width": 4, "height": 4}).at(0, 0)
    for name in STOPS:
        picture, values = Picture(page.locator(f"#{name}")), page.evaluate("explainer.state()")
        last = len(STOPS[name]) - 1
        share = (10 + (picture.width - 20) * STOPS[name].index(values[name]) / last) / picture.width
        assert contrast(picture.at(share, 0.5), ground) >= 3, f"the thumb of {name}"
        assert contrast(picture.at(0.98 if share < 0.9 else 0.02, 0.5), ground) >= 3, f"the track of {name}"
    show_roofline(page)
    for phase in PHASES:
        point = Picture(page.locator(f'#roofline [class*="{phase}_point"] path'))
        assert contrast(point.at(0.5, 0.5), ground) >= 3, f"the point of {phase}"
        label = Picture(page.locator(f'#roofline [class*="{phase}_label"] text').first)
        colours = label.colours()
        assert max(contrast(colour, ground) for colour in colours) >= 4.5, f"the label of {phase}"
        assert ground in colours
    bars = [Picture(page.locator(f'#timeline [class*="{phase}_bar"] path')) for phase in PHASES]
    assert len({bar.at(0.5, 0.5) for bar in bars}) == 2


def test_focus_in_forced_colours(open_page):
    """In the reader's own colours a point that has the focus is ringed."""
    page = open_page(forced_colors="active")
    show_roofline(page)
    page.focus('[data-point="decode"]')
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.dataset.point") == "prefill"
    ring = "(({ outlineStyle, outlineWidth }) => [outlineStyle, outlineWidth])"
    assert page.evaluate(f"{ring}(getComputedStyle(document.activeElement, '::after'))") == ["solid", "2px"]
