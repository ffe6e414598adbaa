"""The whole page by keyboard alone."""

import pytest

from tests.page.gestures import drag, handle, hollow, show_roofline
from tests.page.seen import PHASES, PRESETS, STOPS, State, check

# Everything that the Tab key has to reach now, in the order of the page; each gets a number that names it.
STOPS_IN_ORDER = """
[...document.querySelectorAll("a[href], button, input, summary, [tabindex]")]
  .filter((element) => element.tabIndex >= 0 && element.checkVisibility())
  .map((element, at) => {
    element.dataset.walked = at;
    const { set, point } = element.dataset;
    return set ?? point ?? (element.id || element.textContent.trim().slice(0, 40));
  })
"""
# The element with the focus: its number, the outline that shows it, and whether any of it can be seen.
FOCUSED = """
() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const outline = (pseudo) => {
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element, pseudo);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && !outlineColor.endsWith(", 0)");
  };
  const { left, right, top, bottom } = element.getClientRects()[0];
  const shares = [0.02, 0.25, 0.5, 0.75, 0.98];
  const spot = (x, y) => [left + (right - left) * x, top + (bottom - top) * y];
  const spots = shares.flatMap((x) => shares.map((y) => spot(x, y)));
  return {
    at: Number(element.dataset.walked),
    outlined: outline(null) || outline("::after"),
    seen: spots.some((spot) => element.contains(document.elementFromPoint(...spot))),
  };
}
"""
SIZES = [(1280, 800), (320, 640)]


def walk(page, key, count):
    """Presses the key until the focus has been everywhere once, or has left the page; gives what it met."""
    met = []
    for _ in range(count + 1):
        page.keyboard.press(key)
        focused = page.evaluate(FOCUSED)
        if focused is None or (met and focused["at"] == met[0]["at"]):
            break
        met.append(focused)
    return met


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("opened", [False, True])
def test_tab_goes_through_the_page(open_page, width, height, opened):
    """Tab reaches everything in the order of the page, Shift and Tab in the other; nothing traps."""
    page = open_page(width=width, height=height)
    if opened:
        page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    names = page.evaluate(STOPS_IN_ORDER)
    presets = {f"{axis}:{stop}" for axis, stops in PRESETS.items() for stop in stops}
    assert {"prompt", "output", "batch", *presets, "reset", "prefill", "decode"} <= set(names)
    assert page.locator("summary").count() == 2
    forth = walk(page, "Tab", len(names))
    assert [stop["at"] for stop in forth] == list(range(len(names)))
    # From the last one: before the first the focus may leave the page, or come round.
    page.evaluate('last => document.querySelector(`[data-walked="${last}"]`).focus()', len(names) - 1)
    back = walk(page, "Shift+Tab", len(names) - 2)
    assert [stop["at"] for stop in back] == list(range(len(names) - 2, -1, -1))
    assert [names[stop["at"]] for stop in forth + back if not stop["outlined"]] == []
    assert [names[stop["at"]] for stop in forth + back if not stop["seen"]] == []


@pytest.mark.parametrize("name", ["embed/roofline.html", "embed/timeline.html", "404.html"])
def test_tab_goes_through_the_other_files(open_file, name):
    """The same holds in the charts' own pages and in the page for what is not there."""
    page = open_file(name)
    names = page.evaluate(STOPS_IN_ORDER)
    forth = walk(page, "Tab", len(names))
    assert [stop["at"] for stop in forth] == list(range(len(names)))
    assert [names[stop["at"]] for stop in forth if not (stop["outlined"] and stop["seen"])] == []


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_focus_is_not_left_beneath_the_controls(open_page, width, height):
    """What gets the focus while it lies beneath the controls at the top is moved out from under them."""
    page = open_page(width=width, height=height)
    page.locator("details.state").first.evaluate("part => { part.open = true; }")
    names = page.evaluate(STOPS_IN_ORDER)
    for name in ("prefill", "decode"):
        at = names.index(name)
        place = f"document.querySelector('[data-walked=\"{at}\"]')"
        page.evaluate(f"scrollBy(0, {place}.getBoundingClientRect().top - 5)")
        page.evaluate(
            f"document.querySelector('[data-walked=\"{at - 1}\"]').focus({{ preventScroll: true }})"
        )
        page.keyboard.press("Tab")
        assert page.evaluate(FOCUSED) == {"at": at, "outlined": True, "seen": True}, name


def tab_to(page, selector):
    """Presses Tab until the element has the focus."""
    for _ in range(80):
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def step_to(page, axis, stop):
    """Takes what has the focus to its end, and from there to a stop."""
    page.keyboard.press("End")
    for _ in STOPS[axis][STOPS[axis].index(stop) + 1 :]:
        page.keyboard.press("ArrowLeft")


def by_mouse(page):
    """A walk through states with the mouse: a preset, a click, a drag, a track, the reset, a preset."""
    page.click('[data-set="output:512"]')
    yield State(output=512)
    show_roofline(page)
    page.mouse.click(*hollow(page, "batch", 64))
    yield State(1024, 512, 64)
    drag(page, handle(page, "prefill"), hollow(page, "prompt", 4096))
    yield State(4096, 512, 64)
    box = page.locator("#output").bounding_box()
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    yield State(4096, 2048, 64)
    page.click("#reset")
    yield State()
    page.click('[data-set="batch:512"]')
    yield State(batch=512)


def by_keys(page):
    """The same states by keys alone."""
    tab_to(page, '[data-set="output:512"]')
    page.keyboard.press("Enter")
    yield State(output=512)
    tab_to(page, '[data-point="decode"]')
    step_to(page, "batch", 64)
    yield State(1024, 512, 64)
    tab_to(page, '[data-point="prefill"]')
    step_to(page, "prompt", 4096)
    yield State(4096, 512, 64)
    tab_to(page, "#output")
    page.keyboard.press("End")
    yield State(4096, 2048, 64)
    tab_to(page, "#reset")
    page.keyboard.press("Space")
    yield State()
    tab_to(page, '[data-set="batch:512"]')
    page.keyboard.press("Space")
    yield State(batch=512)


def test_keys_reach_what_the_mouse_does(open_page):
    """By keys alone the page comes to the same states as by mouse, and shows the same in each."""
    mouse, keys = open_page(), open_page()
    for wanted, reached in zip(by_mouse(mouse), by_keys(keys), strict=True):
        assert wanted == reached
        shown = [check(page, reached) for page in (mouse, keys)]
        for seen in shown:
            # Addresses are written later, windows are scrolled differently, and places are fractions.
            del seen["hash"], seen["handles"]
            for phase in PHASES:
                seen["roofline"][phase] = (seen["roofline"][phase]["label"], seen["roofline"][phase]["shape"])
        assert shown[0] == shown[1]


@pytest.mark.parametrize("selector", ['[data-set="batch:64"]', "#reset", '[data-point="decode"]', "#prompt"])
def test_the_focus_stays(open_page, selector):
    """What was pressed or moved keeps the focus once the charts have followed."""
    page = open_page("#prompt=128")
    page.press(selector, "Enter" if "set" in selector else "End")
    page.evaluate("explainer.set({})")
    assert page.evaluate("selector => document.activeElement.matches(selector)", selector)


def test_details_open_by_key(open_page):
    """The table of all figures opens and closes by key, and stays open while the state changes."""
    page = open_page()
    summary = page.locator("summary").first
    summary.press("Enter")
    assert page.locator("table [data-figure]").first.is_visible()
    page.press("#batch", "End")
    check(page, State(batch=1024))
    assert page.locator("table [data-figure]").first.is_visible()
    summary.press("Space")
    assert not page.locator("table [data-figure]").first.is_visible()
