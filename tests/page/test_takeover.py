"""Before Vega and after: the drawings made at build time give way without a jump, and none is ever wrong."""

import base64

import pytest

from tests import oracle
from tests.page.seen import CROSSED, SHORTEST, START, TOO_BIG, State, check, check_numbers, look

WIDTHS = (1280, 768, 360)
CHARTS = ("timeline", "roofline")
# Keeps the page from being idle until told.
HOLD = "requestIdleCallback = (callback) => { globalThis.becomeIdle = callback; };"
# Notes before each frame is painted what the charts show that can be seen.
WATCH = """
globalThis.drawings = [];
const note = () => {
  for (const svg of document.querySelectorAll(".chart svg")) {
    if (svg.checkVisibility({ visibilityProperty: true })) drawings.push(svg.textContent);
  }
  requestAnimationFrame(note);
};
requestAnimationFrame(note);
"""
# The corners of every mark that a chart shows, and of every element beside the charts.
MARKS = """
Object.fromEntries([...document.querySelectorAll(".chart")].map((chart) => [chart.id,
  [...chart.querySelectorAll("svg :is(path, line, text)")]
    .filter((mark) => mark.checkVisibility())
    .map((mark) => { const r = mark.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; })
]))
"""
BOXES = """
[...document.querySelectorAll("main *:not(.chart *), .chart")]
  .map((element) => { const r = element.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })
"""
DIFFERENCE = """
async (pictures) => {
  const [a, b] = await Promise.all(pictures.map(async (picture) => {
    const image = new Image();
    image.src = `data:image/png;base64,${picture}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
    canvas.drawImage(image, 0, 0);
    return canvas.getImageData(0, 0, image.width, image.height);
  }));
  if (a.width !== b.width || a.height !== b.height) return Infinity;
  let differing = 0;
  for (let at = 0; at < a.data.length; at += 4) {
    if ([0, 1, 2].some((part) => Math.abs(a.data[at + part] - b.data[at + part]) > 24)) differing += 1;
  }
  return differing;
}
"""


def become_idle(page):
    """Lets Vega start, and waits until it drives the charts."""
    page.evaluate("becomeIdle()")
    page.evaluate("explainer.ready")


@pytest.fixture
def differing(watched):
    """Counts the pixels in which two pictures differ visibly."""
    page = watched.new_page()

    def counted(*pictures):
        return page.evaluate(DIFFERENCE, [base64.b64encode(picture).decode() for picture in pictures])

    return counted


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (1280, "dark"), (768, "light"), (360, "light")]
)
def test_vega_takes_over_without_a_jump(open_page, differing, width, scheme):
    """Vega's drawing of the start state covers that of the build mark for mark, and nothing else moves."""
    page = open_page(width=width, height=3000, scheme=scheme, init=HOLD, ready=False)
    pictures, marks, boxes = pictured(page), page.evaluate(MARKS), page.evaluate(BOXES)
    become_idle(page)
    assert page.evaluate(BOXES) == boxes
    for name in CHARTS:
        for before, after in zip(marks[name], page.evaluate(MARKS)[name], strict=True):
            assert after == pytest.approx(before, abs=0.03)
        count = differing(pictures[name], pictured(page)[name])
        # A label that begins on another quarter of a pixel has other shades along its letters.
        assert count <= 150, f"{count} pixels of the {name} differ"


def pictured(page):
    """A picture of each chart."""
    return {name: page.locator(f"#{name}").screenshot() for name in CHARTS}


def test_a_jump_would_be_found(open_page, differing):
    """The comparison of pictures finds a drawing that has moved by a pixel."""
    page = open_page(height=3000)
    before = pictured(page)
    page.evaluate(
        "document.querySelectorAll('.chart svg').forEach(svg => { svg.style.translate = '0 1px'; })"
    )
    for name, picture in pictured(page).items():
        assert differing(before[name], picture) > 150


@pytest.mark.parametrize("state", [State(4096, 512, 64), SHORTEST, CROSSED], ids=str)
def test_another_state_never_shows_the_start(open_page, state):
    """Opened at another state, no frame shows a drawing of any state but that one."""
    page = open_page(state.hash, init=WATCH)
    page.wait_for_function("() => drawings.length > 0")
    figures = oracle.figures(*state)
    for words in page.evaluate("drawings"):
        assert f"done after {figures['latency']}" in words or f"decode, {figures['batch']}" in words
    check(page, state)


def test_the_start_shows_from_the_first(open_page):
    """Opened at the start, both drawings show before Vega runs."""
    page = open_page(init=WATCH + HOLD, ready=False)
    page.wait_for_function("() => drawings.length > 1")
    words = " ".join(page.evaluate("drawings"))
    assert oracle.figures(*START)["latency"] in words
    assert oracle.figures(*START)["decode_of_peak"] in words
    check(page, START)


def test_moved_before_vega(open_page):
    """Controls moved before Vega runs change every number at once; the charts show nothing, then catch up."""
    page = open_page(init=HOLD, ready=False)
    page.press("#batch", "End")
    page.click('[data-set="prompt:4096"]')
    state = State(4096, 128, 1024)
    seen = look(page)
    check_numbers(seen, state)
    assert (seen["roofline"], seen["timeline"]) == (None, None)
    become_idle(page)
    check(page, state)


def test_moved_back_before_vega(open_page):
    """Back at the start before Vega runs, the drawings show again, for they are right."""
    page = open_page(init=HOLD, ready=False)
    page.press("#batch", "End")
    page.click("#reset")
    check(page, START)
    become_idle(page)
    check(page, START)


def test_an_address_before_vega(open_page):
    """An address that changes before Vega runs is followed, and drawn once it does."""
    page = open_page(init=HOLD, ready=False)
    page.evaluate("location.hash = '#batch=64'")
    page.wait_for_function("() => document.documentElement.dataset.batch === '64'")
    check_numbers(look(page), TOO_BIG)
    become_idle(page)
    check(page, TOO_BIG)


def test_moved_while_vega_starts(open_page):
    """A control that moves while the charts are being made is shown by them when they are there."""
    page = open_page(init=HOLD, ready=False)
    page.evaluate("becomeIdle(); explainer.set({batch: 64})")
    check(page, TOO_BIG)


def test_vega_waits_for_the_end_of_the_page(open_page):
    """A browser that is idle before all of the page has come, as on a slow line, starts no Vega too early."""
    early = "requestIdleCallback = queueMicrotask;"
    check(open_page(TOO_BIG.hash, init=early), TOO_BIG)


def test_set_waits_for_vega(open_page):
    """What `explainer.set` promises is kept only when the charts show the state."""
    page = open_page(init=HOLD, ready=False)
    page.evaluate(
        "globalThis.done = false; explainer.set({batch: 64}).then(() => { done = true; }); undefined"
    )
    check_numbers(look(page), TOO_BIG)
    assert page.evaluate("done") is False
    become_idle(page)
    page.wait_for_function("() => done")
    check(page, TOO_BIG)
