"""The roofline's points under the mouse: drags of the live ones, clicks on the hollow ones."""

import math

import pytest

from tests.page.gestures import Spot, drag, handle, hollow, nearest_stop, show_roofline
from tests.page.seen import (
    CROSSED,
    LONGEST,
    PHASES,
    PRESETS,
    START,
    TOO_BIG,
    State,
    check,
    look,
    set_state,
    settle,
)

WIDTHS = (1280, 768, 360)
DRAWN = """
axis => [...document.querySelectorAll(`#roofline svg .${axis}_presets_marks path`)]
  .map((path) => path.getBoundingClientRect())
  .map(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2])
"""
FROM_4K = State(prompt=4096)
# With short contexts a batch lies by the prompt of as many tokens.
CROWDED = State(48, 16, 1)
CROWDED_LIVE = State(32, 16, 64)


def plot(page):
    """The plot's left edge, bottom edge, width and height."""
    box = "document.querySelector('#roofline svg .root > g > .background').getBoundingClientRect()"
    return page.evaluate(f"(({{left, bottom, width, height}}) => [left, bottom, width, height])({box})")


@pytest.mark.parametrize(
    ("axis", "stop", "words"),
    [("prompt", 4096, "4K tokens"), ("prompt", 128, "128 tokens"), ("batch", 64, "64 requests")],
)
def test_a_hollow_point_says_what_it_is(open_page, axis, stop, words):
    """Under the mouse a hollow point has its stop as a tooltip, also when another control has moved."""
    page = open_page(State(output=2048).hash)
    show_roofline(page)
    page.mouse.move(*hollow(page, axis, stop))
    assert page.get_attribute("#roofline .live", "title") == words


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(("phase", "stop"), [("prefill", 4096), ("decode", 64)])
def test_a_live_point_is_dragged(open_page, width, phase, stop):
    """Dragged to a hollow point, a live one moves its control, the address, all figures and both charts."""
    page = open_page(width=width)
    show_roofline(page)
    drag(page, handle(page, phase), hollow(page, PHASES[phase], stop))
    state = START._replace(**{PHASES[phase]: stop})
    check(page, state)
    settle(page, state)


def test_a_drag_reads_as_the_address(open_page):
    """A state reached by dragging shows letter for letter what it shows when opened by address."""
    page = open_page()
    show_roofline(page)
    drag(page, handle(page, "decode"), hollow(page, "batch", 64))
    settle(page, TOO_BIG)
    opened = open_page(TOO_BIG.hash)
    show_roofline(opened)
    assert look(page) == look(opened)


@pytest.mark.parametrize("phase", PHASES)
def test_a_dragged_point_follows_over_every_stop(open_page, phase):
    """Along the roof a dragged point rests at the stop nearest to the pointer, wherever the pointer is."""
    page = open_page()
    show_roofline(page)
    left, bottom, width, height = plot(page)
    drag(page, handle(page, phase), up=False)
    for part in range(3, 100, 4):
        page.mouse.move(left + width * part / 100, bottom - height * ((part * 7) % 100) / 100)
        stop = nearest_stop(START, phase, part / 100)
        check(page, START._replace(**{PHASES[phase]: stop}))
    page.mouse.up()


@pytest.mark.parametrize("phase", PHASES)
def test_a_press_beside_the_middle(open_page, phase):
    """A live point can be taken anywhere in a circle of 24 pixels, and stays as far from the pointer."""
    page = open_page()
    show_roofline(page)
    for away in (Spot(-11, 0), Spot(0, 11), Spot(8, -8)):
        middle = handle(page, phase)
        spot = middle.moved(*away)
        drag(page, spot, spot.moved(0, 30), hollow(page, PHASES[phase], 512).moved(*away))
        check(page, START._replace(**{PHASES[phase]: 512}))
        set_state(page, START)


def hollows(page, phase):
    """Every hollow point of a phase, by its stop."""
    return {stop: hollow(page, PHASES[phase], stop) for stop in PRESETS[PHASES[phase]]}


def coincident(spots, spot):
    """The stop among `spots` that lies within a pixel of `spot`, if there is one."""
    return next((stop for stop, other in spots.items() if math.dist(other, spot) < 1), None)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("state", [START, FROM_4K, TOO_BIG, CROSSED, CROWDED, CROWDED_LIVE, LONGEST], ids=str)
def test_a_click_on_each_hollow_point(open_page, state, width):
    """A click on a hollow point goes to its preset, however close the next point is."""
    page = open_page(state.hash, width=width)
    show_roofline(page)
    decode, prefill = hollows(page, "decode"), hollows(page, "prefill")
    for axis, spots in (("batch", decode), ("prompt", prefill)):
        for stop, spot in spots.items():
            if axis == "batch" or coincident(decode, spot) is None:
                page.mouse.click(*spot)
                check(page, state._replace(**{axis: stop}))
                set_state(page, state)


@pytest.mark.parametrize("width", [1280, 360])
def test_decode_wins_at_a_tie(open_page, width):
    """Where a hollow point of prefill lies within a pixel of one of decode, a click goes to decode's."""
    page = open_page(CROWDED.hash, width=width)
    show_roofline(page)
    decode, prefill = hollows(page, "decode"), hollows(page, "prefill")
    ties = {stop: tied for stop, spot in prefill.items() if (tied := coincident(decode, spot))}
    assert ties[32] == 32
    for prompt, batch in ties.items():
        page.mouse.click(*prefill[prompt])
        check(page, CROWDED._replace(batch=batch))
        set_state(page, CROWDED)


@pytest.mark.parametrize("state", [START, TOO_BIG, CROWDED], ids=str)
def test_hollow_points_are_drawn_where_they_are_hit(open_page, state):
    """`explainer.locate` gives the centre of the drawn hollow point, for every preset, within a pixel."""
    page = open_page(state.hash)
    show_roofline(page)
    for axis in ("prompt", "batch"):
        drawn = page.evaluate(DRAWN, axis)
        assert len(drawn) == len(PRESETS[axis])
        for stop, spot in zip(PRESETS[axis], drawn, strict=True):
            assert math.dist(hollow(page, axis, stop), spot) < 1


def test_a_click_beside_every_point_does_nothing(open_page):
    """A click on the chart where no point is near leaves the state alone."""
    page = open_page()
    show_roofline(page)
    left, bottom, width, height = plot(page)
    for x, y in ((0.9, 0.2), (0.2, 0.9), (0.5, 0.1)):
        page.mouse.click(left + width * x, bottom - height * y)
    check(page, START)


def test_a_drag_goes_on_outside_the_chart(open_page):
    """A drag that leaves the chart, even the window, goes on there until the button is up, and no longer."""
    page = open_page()
    show_roofline(page)
    drag(page, handle(page, "prefill"), up=False)
    page.mouse.move(1270, 20, steps=6)
    check(page, START._replace(prompt=6144))
    page.mouse.move(1500, -200, steps=3)
    page.mouse.move(-40, 900, steps=3)
    check(page, START._replace(prompt=32))
    page.mouse.move(*hollow(page, "prompt", 512).moved(0, -400), steps=3)
    check(page, START._replace(prompt=512))
    page.mouse.up()
    page.mouse.move(*hollow(page, "prompt", 4096), steps=3)
    check(page, START._replace(prompt=512))


def test_a_drag_ends_outside_the_window(open_page):
    """A button that is let go outside the window ends the drag."""
    page = open_page()
    show_roofline(page)
    drag(page, handle(page, "decode"), Spot(1500, -200))
    state = check(page, START._replace(batch=1024))["state"]
    page.mouse.move(*hollow(page, "batch", 8), steps=4)
    assert look(page)["state"] == state


def test_the_click_that_ends_a_drag_chooses_nothing(open_page):
    """A drag that ends on a hollow point of the other control moves its own control only."""
    page = open_page()
    show_roofline(page)
    x = hollow(page, "prompt", 128)
    drag(page, handle(page, "decode"), x)
    state = look(page)["state"]
    assert state["prompt"] == START.prompt
    check(page, State(**state))
    assert state["batch"] in (96, 128, 192)


def test_a_press_and_release_on_a_live_point_is_no_move(open_page):
    """A click on a live point leaves the state alone and gives the point the focus."""
    page = open_page()
    show_roofline(page)
    for phase in PHASES:
        page.mouse.click(*handle(page, phase))
        check(page, START)
        assert page.evaluate("document.activeElement.dataset.point") == phase


@pytest.mark.parametrize("button", ["right", "middle"])
def test_other_buttons_do_nothing(open_page, button):
    """A press of another button drags no point and chooses none."""
    page = open_page()
    show_roofline(page)
    page.mouse.move(*handle(page, "prefill"))
    page.mouse.down(button=button)
    page.mouse.move(*hollow(page, "prompt", 4096), steps=4)
    page.mouse.up(button=button)
    page.mouse.click(*hollow(page, "batch", 64), button=button)
    check(page, START)


def test_a_second_drag_starts_anew(open_page):
    """After one point was dragged the other can be, each from where it lies then."""
    page = open_page()
    show_roofline(page)
    drag(page, handle(page, "prefill"), hollow(page, "prompt", 4096))
    drag(page, handle(page, "decode"), hollow(page, "batch", 64))
    drag(page, handle(page, "prefill"), hollow(page, "prompt", 32))
    check(page, State(32, 128, 64))
