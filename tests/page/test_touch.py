"""The roofline under fingers, on a phone: points follow, the page still scrolls."""

import pytest

from tests.page.gestures import Fingers, Spot, handle, hollow, show_roofline
from tests.page.seen import PHASES, START, TOO_BIG, State, check, look, settle

SCROLLED = "before => Math.abs(scrollY - before) > 60"


@pytest.fixture
def phone(open_page):
    """The page on a phone, its roofline in sight."""

    def opened(hash=""):
        page = open_page(hash, 360, 800, has_touch=True, is_mobile=True, device_scale_factor=2)
        show_roofline(page)
        return page, Fingers(page)

    return opened


@pytest.mark.parametrize(("phase", "stop"), [("prefill", 4096), ("decode", 64)])
def test_a_point_follows_the_finger(phone, phase, stop):
    """A live point, the tiles and the reading follow a finger on the point, and the page does not scroll."""
    page, fingers = phone()
    before = page.evaluate("scrollY")
    fingers.swipe(handle(page, phase), hollow(page, PHASES[phase], stop), up=False)
    state = START._replace(**{PHASES[phase]: stop})
    check(page, state)
    fingers.up()
    check(page, state)
    settle(page, state)
    assert page.evaluate("scrollY") == before


@pytest.mark.parametrize("phase", PHASES)
def test_an_upright_move_of_a_point_scrolls_nothing(phone, phase):
    """A finger that takes a point and moves up or down moves no page under it."""
    page, fingers = phone()
    before = page.evaluate("scrollY")
    start = handle(page, phase)
    fingers.swipe(start, start.moved(0, -150))
    check(page, START)
    assert page.evaluate("scrollY") == before


@pytest.mark.parametrize("place", ["the empty chart", "a hollow point", "a label"])
def test_a_swipe_elsewhere_scrolls(phone, place):
    """A swipe over the chart that starts on no live point scrolls the page and leaves the state alone."""
    page, fingers = phone()
    before = page.evaluate("scrollY")
    box = page.locator("#roofline").bounding_box()
    label = page.locator("#roofline [class*=prefill_label] text").first.bounding_box()
    start = {
        "the empty chart": Spot(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.75),
        "a hollow point": hollow(page, "batch", 8),
        "a label": Spot(label["x"] + 4, label["y"] - 4),
    }[place]
    fingers.swipe(start, start.moved(6, -300))
    page.wait_for_function(SCROLLED, arg=before)
    check(page, START)


@pytest.mark.parametrize(("axis", "stop"), [("prompt", 4096), ("prompt", 32), ("batch", 8), ("batch", 64)])
def test_a_tap_on_a_hollow_point(phone, axis, stop):
    """A tap on a hollow point goes there."""
    page, _ = phone()
    page.touchscreen.tap(*hollow(page, axis, stop))
    check(page, START._replace(**{axis: stop}))


def test_a_cancelled_touch_ends_the_drag(phone):
    """A drag that the system takes away stays where it was; what comes after moves nothing."""
    page, fingers = phone()
    fingers.swipe(handle(page, "decode"), hollow(page, "batch", 64), up=False)
    check(page, TOO_BIG)
    fingers.cancel()
    assert page.locator(".dragging").count() == 0
    box = page.locator("#roofline").bounding_box()
    empty = Spot(box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.75)
    fingers.swipe(empty, empty.moved(-100, 0))
    check(page, TOO_BIG)


def test_a_second_finger_does_not_lead(phone):
    """While one finger drags a point, another finger on the chart moves nothing."""
    page, fingers = phone()
    box = page.locator("#roofline").bounding_box()
    other = Spot(box["x"] + 30, box["y"] + box["height"] * 0.75)
    first = hollow(page, "prompt", 4096)
    fingers.swipe(handle(page, "prefill"), first, up=False)
    fingers.down(first, other)
    fingers.move(first, other.moved(20, 0))
    fingers.move(first, other.moved(60, 0))
    check(page, State(prompt=4096))
    fingers.up()
    check(page, State(prompt=4096))


@pytest.mark.parametrize("phase", PHASES)
def test_targets_are_wide_enough(phone, phase):
    """On a phone a live point's handle measures at least 24 pixels each way, and so does every preset."""
    page, _ = phone()
    box = page.locator(f'[data-point="{phase}"]').bounding_box()
    assert min(box["width"], box["height"]) >= 24
    for button in page.locator("[data-set], #reset").all():
        size = button.bounding_box()
        assert min(size["width"], size["height"]) >= 24


def test_a_control_under_the_finger(phone):
    """A finger on a control's thumb moves it to its end."""
    page, fingers = phone()
    box = page.locator("#batch").bounding_box()
    start = Spot(box["x"] + 10, box["y"] + box["height"] / 2)
    fingers.swipe(start, start.moved(box["width"], 0))
    check(page, START._replace(batch=1024))


def test_the_dials_stay_in_sight(phone):
    """While the roofline is looked at, all three controls can still be reached at the top."""
    page, _ = phone()
    for name in ("prompt", "output", "batch"):
        box = page.locator(f"#{name}").bounding_box()
        at = "([x, y]) => document.elementFromPoint(x, y).id"
        assert page.evaluate(at, [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]) == name
    assert look(page)["state"] == START._asdict()
