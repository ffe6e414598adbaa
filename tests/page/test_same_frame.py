"""Once Vega runs: tiles, charts, labels, handles and reading move together, within one frame."""

import pytest

from tests.page.gestures import drag, handle, hollow, show_roofline
from tests.page.seen import CROSSED, PHASES, SEEN, START, TOO_BIG, State, check_seen

# Looks at the page in the frame that follows each move of a control, just before that frame is painted.
RECORD = f"""
globalThis.frames_seen = [];
addEventListener("input", () => requestAnimationFrame(() => frames_seen.push(({SEEN})())), true);
"""


@pytest.fixture
def recorded(open_page):
    """A page whose frames are looked at; gives the page and a check that all frames since show a state."""
    page = open_page(init=RECORD)
    page.evaluate("new Promise(requestAnimationFrame).then(() => frames_seen.splice(0))")

    def check_frames(state):
        page.wait_for_function("() => frames_seen.length > 0")
        for seen in page.evaluate("frames_seen.splice(0)"):
            check_seen(seen, state)

    return page, check_frames


@pytest.mark.parametrize("selector", ["#batch", '[data-point="decode"]'])
def test_a_key(recorded, selector):
    """A key at a control or at a live point moves everything in the next frame."""
    page, check_frames = recorded
    page.focus(selector)
    state = START
    for key, batch in (("PageUp", 4), ("ArrowRight", 6), ("End", 1024), ("ArrowLeft", 768), ("Home", 1)):
        page.keyboard.press(key)
        state = START._replace(batch=batch)
        check_frames(state)


def test_presets_and_reset(recorded):
    """A preset moves everything in the next frame, also across the border of what fits; so does the reset."""
    page, check_frames = recorded
    state = START
    for name, stop in (("batch", 64), ("prompt", 4096), ("output", 2048), ("batch", 1), ("prompt", 32)):
        page.click(f'[data-set="{name}:{stop}"]')
        state = state._replace(**{name: stop})
        check_frames(state)
    page.click("#reset")
    check_frames(START)


def test_an_address_and_a_script(recorded):
    """A state that comes by address or from a script moves all three axes in the same frame."""
    page, check_frames = recorded
    page.evaluate("location.hash = '#prompt=4096&output=512&batch=64'")
    check_frames(State(4096, 512, 64))
    page.evaluate("explainer.set({prompt: 32, output: 16, batch: 512}); undefined")
    check_frames(State(32, 16, 512))


@pytest.mark.parametrize("phase", PHASES)
def test_a_drag(recorded, phase):
    """While a point is dragged, every frame shows one state throughout, the one under the pointer."""
    page, check_frames = recorded
    show_roofline(page)
    axis, stops = {"prefill": ("prompt", (2048, 4096, 512, 128, 32)), "decode": ("batch", (8, 64, 512, 32))}[
        phase
    ]
    way = {stop: hollow(page, axis, stop) for stop in stops}
    drag(page, handle(page, phase), up=False)
    for stop, spot in way.items():
        page.mouse.move(*spot)
        check_frames(START._replace(**{axis: stop}))
    page.mouse.up()


def test_a_click_on_a_hollow_point(recorded):
    """A click on a hollow point moves everything in the next frame."""
    page, check_frames = recorded
    show_roofline(page)
    page.mouse.click(*hollow(page, "batch", 64))
    check_frames(TOO_BIG)
    page.mouse.click(*hollow(page, "batch", 512))
    check_frames(CROSSED)


def test_moves_in_a_row(recorded):
    """Several moves within one frame are drawn once, and what is drawn is the last."""
    page, check_frames = recorded
    page.evaluate("for (const batch of [8, 64, 1024, 32, 512]) explainer.set({batch}); undefined")
    check_frames(CROSSED)
