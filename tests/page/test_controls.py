"""The three controls under keyboard and mouse: stops, ends, presets, and what they say of themselves."""

import pytest

from tests import oracle
from tests.page.seen import (
    CROSSED,
    LONGEST,
    PHASES,
    PRESETS,
    SHORTEST,
    START,
    STOPS,
    TOO_BIG,
    State,
    check,
    look,
    set_state,
    settle,
)

# What takes keys, and the axis that it moves.
FOCUSABLE = {
    "#prompt": "prompt",
    "#output": "output",
    "#batch": "batch",
    '[data-point="prefill"]': "prompt",
    '[data-point="decode"]': "batch",
}
MIDDLE = State(256, 128, 16)
STEPS = {
    "ArrowRight": 1,
    "ArrowUp": 1,
    "ArrowLeft": -1,
    "ArrowDown": -1,
    "PageUp": 3,
    "PageDown": -3,
}


def moved(state, axis, steps):
    """`state` with one control moved by a number of stops, no further than to its end."""
    stops = STOPS[axis]
    at = stops.index(getattr(state, axis)) + steps
    return state._replace(**{axis: stops[min(len(stops) - 1, max(0, at))]})


def thumb(page, name):
    """How far along its track the browser draws a control's thumb, as a share."""
    share = "id => { const i = document.getElementById(id); return (i.value - i.min) / (i.max - i.min); }"
    return page.evaluate(share, name)


def test_a_control_steps_over_its_stops(open_page):
    """A control holds the index of a stop, in steps of one, from the first to the last."""
    page = open_page()
    for name, stops in STOPS.items():
        attributes = [
            page.get_attribute(f"#{name}", attribute) for attribute in ("type", "min", "max", "step")
        ]
        assert attributes == ["range", "0", str(len(stops) - 1), "1"]


@pytest.mark.parametrize("name", STOPS)
def test_a_control_reaches_every_stop(open_page, name):
    """From one end to the other a control rests at each stop once, and each is shown."""
    page = open_page()
    page.press(f"#{name}", "Home")
    for stop in STOPS[name]:
        assert look(page)["state"] == START._replace(**{name: stop})._asdict()
        page.press(f"#{name}", "ArrowRight")
    check(page, START._replace(**{name: STOPS[name][-1]}))


@pytest.mark.parametrize("selector", FOCUSABLE)
def test_keys_move_by_stops(open_page, selector):
    """Arrows move by one stop and Page Up and Down by three, at a control as at a live point."""
    page = open_page(MIDDLE.hash)
    page.focus(selector)
    state = MIDDLE
    for key in ("ArrowRight", "PageUp", "ArrowUp", "ArrowLeft", "PageDown", "ArrowDown", "PageDown"):
        page.keyboard.press(key)
        state = moved(state, FOCUSABLE[selector], STEPS[key])
        check(page, state)


@pytest.mark.parametrize("selector", FOCUSABLE)
def test_keys_reach_the_ends(open_page, selector):
    """Home and End go to the ends, and no key goes past them."""
    page = open_page(MIDDLE.hash)
    page.focus(selector)
    axis = FOCUSABLE[selector]
    for keys, steps in ((("End", "ArrowRight", "PageUp"), 99), (("Home", "ArrowDown", "PageDown"), -99)):
        for key in keys:
            page.keyboard.press(key)
            check(page, moved(MIDDLE, axis, steps))
    page.keyboard.press("PageUp")
    check(page, moved(MIDDLE._replace(**{axis: STOPS[axis][0]}), axis, 3))


def test_other_keys_move_nothing(open_page):
    """Letters and Enter move nothing, and at a live point keys with Control, Meta or Alt do not either."""
    page = open_page(MIDDLE.hash)
    for selector in FOCUSABLE:
        page.focus(selector)
        for key in ("a", "Enter", "Shift"):
            page.keyboard.press(key)
    for key in ("Control+End", "Meta+ArrowRight", "Alt+PageUp"):
        page.press('[data-point="decode"]', key)
    check(page, MIDDLE)


def test_every_control_is_reached_by_tab(open_page):
    """The Tab key alone reaches each control, each preset, the reset and both live points."""
    page = open_page()
    reached = set()
    at = "(({ dataset, id }) => dataset.set ?? dataset.point ?? id)(document.activeElement)"
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.add(page.evaluate(at))
    presets = {f"{axis}:{stop}" for axis, stops in PRESETS.items() for stop in stops}
    assert {*STOPS, *presets, "reset", "prefill", "decode"} - reached == set()


def test_what_is_read_aloud(open_page):
    """A control says its stop in words with the unit; the batch says as well whether it fits."""
    page = open_page()
    for state in (START, TOO_BIG, CROSSED, SHORTEST, LONGEST):
        set_state(page, state)
        figures, spoken = oracle.figures(*state), look(page)["spoken"]
        assert spoken["prompt"] == figures["prompt"]
        assert spoken["output"] == figures["output"]
        assert spoken["batch"] == f"{figures['batch']}, {figures['fits']}"
        for phase, axis in PHASES.items():
            handle = page.locator(f'[data-point="{phase}"]')
            assert handle.get_attribute("aria-valuetext") == spoken[axis]
            assert handle.get_attribute("aria-valuenow") == str(state.values[axis])


def test_words_by_hand():
    """1,024 is 1K, 1,536 is 1.5K; one request stands in the singular."""
    assert oracle.figures(1536, 96, 1)["prompt"] == "1.5K tokens"
    assert oracle.figures(1536, 96, 1)["output"] == "96 tokens"
    assert oracle.figures(1536, 96, 1)["batch"] == "1 request"


@pytest.mark.parametrize("name", STOPS)
def test_presets(open_page, name):
    """A preset goes to its stop, the thumb with it, and is the only one of its control marked as pressed."""
    page = open_page()
    assert page.locator(f'[data-set^="{name}:"]').count() == len(PRESETS[name])
    for stop in PRESETS[name]:
        page.click(f'[data-set="{name}:{stop}"]')
        check(page, START._replace(**{name: stop}))
        assert thumb(page, name) == pytest.approx(STOPS[name].index(stop) / (len(STOPS[name]) - 1))


def test_between_presets_none_is_pressed(open_page):
    """At a stop that is no preset, no button of the control is marked."""
    page = open_page("#batch=48")
    assert [preset for preset in look(page)["pressed"] if preset.startswith("batch")] == []


def test_reset(open_page):
    """Reset takes all three controls back to the start, and the address with them."""
    page = open_page(LONGEST.hash)
    page.click("#reset")
    check(page, START)
    settle(page, START)


def test_enter_and_space_press_a_preset(open_page):
    """A preset that has the focus is pressed by Enter and by Space, and nothing is submitted."""
    page = open_page()
    page.press('[data-set="batch:64"]', "Enter")
    check(page, TOO_BIG)
    page.press('[data-set="batch:512"]', "Space")
    check(page, CROSSED)


def test_a_click_on_the_track(open_page):
    """A control can be taken by its track: at either end of it lies the end of the axis."""
    page = open_page()
    state = START
    for name, stops in STOPS.items():
        for share, stop in ((0.995, stops[-1]), (0.005, stops[0])):
            box = page.locator(f"#{name}").bounding_box()
            page.mouse.click(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
            state = state._replace(**{name: stop})
            check(page, state)


@pytest.mark.parametrize("width", [1280, 768, 360])
def test_the_controls_stay_where_they_are(open_page, width):
    """A control keeps its place and length in every state, so that no thumb slips from under a pointer."""
    page = open_page(width=width)
    boxes = set()
    for state in (START, TOO_BIG, LONGEST, SHORTEST):
        set_state(page, state)
        boxes.add(str([page.locator(f"#{name}").bounding_box() for name in STOPS]))
    assert len(boxes) == 1


def test_the_thumb_can_be_dragged(open_page):
    """Dragged along its track, a control's thumb moves the whole page stop by stop."""
    page = open_page(height=1600)
    box = page.locator("#batch").bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 10, y)
    page.mouse.down()
    seen = set()
    for part in range(1, 101):
        page.mouse.move(box["x"] + 10 + (box["width"] - 20) * part / 100, y)
        seen.add(page.evaluate("explainer.state().batch"))
    page.mouse.up()
    assert seen >= set(STOPS["batch"][1:])
    check(page, State(batch=1024))


@pytest.mark.parametrize("state", [State(4096, 128, 64), State(32, 512, 512), State(128, 16, 128)], ids=str)
def test_presets_read_as_the_address(open_page, state):
    """A state reached by presets shows letter for letter what it shows when opened by address."""
    page = open_page()
    for name, stop in state._asdict().items():
        page.click(f'[data-set="{name}:{stop}"]')
    settle(page, state)
    presets, opened = look(page), look(open_page(state.hash))
    assert presets == opened


def test_what_was_moved_is_announced(open_page):
    """Once a move has settled, the reading is said to those who cannot see it, after the last move only."""
    page = open_page()
    set_state(page, LONGEST)
    set_state(page, TOO_BIG)
    page.wait_for_function("() => document.getElementById('announcement').textContent !== ''")
    said = page.inner_text("#announcement")
    assert said == page.inner_text("#reading")
    assert oracle.figures(*TOO_BIG)["shortfall"] in said
