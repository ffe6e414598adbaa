"""The state in the address, both ways."""

import pytest

from tests.page.seen import CROSSED, LONGEST, START, State, check, look, set_state, settle

SHOWN = "state => JSON.stringify(explainer.state()) === JSON.stringify(state)"
MOVED = "([name, stop]) => document.documentElement.dataset[name] === String(stop)"
NEAREST = {
    "#prompt=1100": State(prompt=1024),
    "#batch=53": State(batch=48),
    # Halfway between 1,024 and 1,536 is their geometric mean, 1,254.1; in differences it would be 1,280.
    "#prompt=1253": State(prompt=1024),
    "#prompt=1255": State(prompt=1536),
    # Between 48 and 64 it is 55.4; in differences 56.
    "#batch=55": State(batch=48),
    "#batch=55.9": State(batch=64),
    "#output=0.001&batch=0.5": State(output=16, batch=1),
    "#prompt=1000000&output=99999&batch=2000": State(6144, 2048, 1024),
    "#prompt=1e3&output=+200": State(prompt=1024, output=192),
}


def go(page, hash, state):
    """Changes the address of an open page, and waits until the page has read it."""
    page.evaluate("hash => { location.hash = hash; }", hash)
    page.wait_for_function(SHOWN, arg=state._asdict())


@pytest.mark.parametrize(
    ("hash", "state"),
    [
        ("#prompt=4096&output=512&batch=64", State(4096, 512, 64)),
        ("#batch=64&prompt=4096&output=512", State(4096, 512, 64)),
        ("#batch=64", State(batch=64)),
        ("#prompt=32&output=16&batch=1", State(32, 16, 1)),
        ("#prompt=6144&output=2048&batch=1024", State(6144, 2048, 1024)),
    ],
)
def test_an_address_opens_its_state(open_page, hash, state):
    """The page opens at the stops that the address names, in any order; what it leaves out is the start's."""
    check(open_page(hash), state)


@pytest.mark.parametrize("hash", ["#prompt=1100&output=99999&batch=53", "#prompt=1253&output=1e9&batch=48.5"])
def test_an_address_opens_the_nearest(open_page, hash):
    """A number between stops, or past an end, opens the stop that is nearest in ratio."""
    check(open_page(hash), State(1024, 2048, 48))


def test_what_is_no_stop_goes_to_the_nearest(open_page):
    """A number between stops, or past the ends, moves the open page to the stop that is nearest in ratio."""
    page = open_page()
    for hash, state in NEAREST.items():
        go(page, hash, state)
        check(page, state)


def test_controls_that_settle_do_not_undo_an_address(open_page):
    """An address that is asked for in the moment in which the controls settle is followed all the same."""
    page = open_page(LONGEST.hash)
    # The controls write what they stand at before the browser has told the page of its new address.
    page.evaluate(
        "([asked, written]) => { location.hash = asked; history.replaceState(null, '', written); }",
        [CROSSED.hash, LONGEST.hash],
    )
    page.wait_for_function(SHOWN, arg=CROSSED._asdict())
    check(page, CROSSED)
    assert page.evaluate("location.hash") == CROSSED.hash


def test_nonsense_opens_the_start(open_page):
    """Values that are no numbers above zero are as if they were not named; the others still count."""
    check(open_page("#prompt=NaN&output=-16&batch=8"), State(batch=8))
    check(open_page("#prompt=&output=0&batch=1e999"), START)


def test_nonsense_goes_to_the_start(open_page):
    """Nonsense in the address of an open page leads to the start in that axis; the others still count."""
    page = open_page()
    for value in ("NaN", "-4096", "", "0", "1e999", "-1e999", "many", "%00", "4096,0", "null"):
        go(page, LONGEST.hash, LONGEST)
        go(page, f"#prompt={value}&batch=8", State(batch=8))
        check(page, State(batch=8))


@pytest.mark.parametrize("hash", ["", "#", "#decode", "#no-such-part", "#prompted=1&batches=3", "#%F0%9F"])
def test_other_addresses_are_the_start(open_page, hash):
    """An address without a state, also one of a heading, opens the start state."""
    check(open_page(hash), START)


@pytest.mark.parametrize(
    ("hash", "kept"),
    [("", ""), ("#decode", "#decode"), ("#prompt=1100", "#prompt=1024&output=128&batch=1")],
)
def test_opening_announces_nothing(watched, site, hash, kept):
    """Only a move is announced, not the start of the charts; an address changes only to that of its state."""
    page = watched.new_page()
    page.clock.install()
    page.goto((site / "index.html").as_uri() + hash)
    page.clock.run_for(5_000)
    page.evaluate("explainer.ready")
    page.clock.run_for(5_000)
    assert page.evaluate("location.hash") == kept
    assert page.inner_text("#announcement") == ""


def test_going_back_to_the_bare_address(open_page):
    """The way back from a state to the page's bare address is the way back to the start."""
    page = open_page()
    page.evaluate("location.hash = '#prompt=4096'")
    page.wait_for_function("document.documentElement.dataset.prompt === '4096'")
    page.go_back()
    page.wait_for_function("document.documentElement.dataset.prompt === '1024'")


def test_skipping_to_the_controls_keeps_the_state(open_page):
    """The first link of the page leads to the controls and leaves the address alone."""
    page = open_page("#prompt=4096&output=128&batch=64")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "prompt"
    assert page.evaluate("location.hash") == "#prompt=4096&output=128&batch=64"


def test_a_heading_leaves_the_state_alone(open_page):
    """A link to a heading goes there and moves no control."""
    page = open_page()
    set_state(page, CROSSED)
    settle(page, CROSSED)
    page.evaluate("location.hash = '#decode'")
    page.wait_for_function(
        "() => Math.abs(document.getElementById('decode').getBoundingClientRect().top) < innerHeight"
    )
    check(page, CROSSED)
    assert page.evaluate("location.hash") == "#decode"


def test_a_new_address_moves_the_page(open_page):
    """Typing another state into the address of the open page moves everything there."""
    page = open_page()
    page.evaluate("location.hash = '#prompt=4096&output=512&batch=64'")
    page.wait_for_function(MOVED, arg=["batch", 64])
    check(page, State(4096, 512, 64))


def test_a_new_address_goes_to_the_nearest(open_page):
    """An address that is changed to what is no stop is corrected to the stop that is shown."""
    page = open_page("#batch=8")
    page.evaluate("location.hash = '#prompt=1024&output=128&batch=53'")
    settle(page, State(batch=48))
    check(page, State(batch=48))


def test_going_back_restores_the_state(open_page):
    """The browser's Back goes to the state of the address before."""
    page = open_page("#prompt=1024&output=128&batch=8")
    page.evaluate("location.hash = '#prompt=4096&output=128&batch=8'")
    page.wait_for_function(MOVED, arg=["prompt", 4096])
    page.evaluate("history.back()")
    page.wait_for_function(MOVED, arg=["prompt", 1024])
    check(page, State(batch=8))


@pytest.mark.parametrize("move", ["a key", "a preset", "a script"])
def test_a_move_is_written(open_page, move):
    """After a move the address is that of the state, all three stops of it."""
    page = open_page()
    if move == "a key":
        page.press("#batch", "ArrowRight")
    elif move == "a preset":
        page.click('[data-set="batch:8"]')
    else:
        page.evaluate("explainer.set({batch: 512})")
    state = START._replace(batch={"a key": 2, "a preset": 8, "a script": 512}[move])
    settle(page, state)
    check(page, state)


def test_moves_leave_no_trail(open_page):
    """Moving about adds nothing to the history: Back leads to where the reader came from."""
    page = open_page()
    before = page.evaluate("history.length")
    page.press("#batch", "End")
    settle(page, State(batch=1024))
    page.press("#batch", "Home")
    settle(page, START)
    assert page.evaluate("history.length") == before


def test_a_written_address_opens_the_same(open_page):
    """What a move wrote, opened anew, shows letter for letter what the moved page shows."""
    page = open_page()
    set_state(page, State(2048, 32, 24))
    settle(page, State(2048, 32, 24))
    moved, opened = look(page), look(open_page(page.evaluate("location.hash")))
    assert moved == opened
