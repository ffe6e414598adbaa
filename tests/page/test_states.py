"""Every state: what the page carries is what the model gives, and what it shows is what it carries."""

import random
from itertools import product

import pytest

from builder.figures import regime, state_texts
from tests import oracle
from tests.page.seen import CROSSED, LONGEST, SHORTEST, START, STOPS, TOO_BIG, State, check, set_state

STATES = [State(*stops) for stops in product(*STOPS.values())]
SEED = 20
ALL_FIGURES = "states => states.map(explainer.figures)"


def test_the_grid_is_the_ordered_one(grid):
    """The states of the shipped scenario are those that the oracle knows, in one order."""
    assert [(state.prompt, state.output, state.batch) for state in grid.states()] == STATES
    assert len(STATES) == 4_800


def test_every_state_arrives(open_page, grid, scenario):
    """In all 4,800 states the browser gives the strings that the builder wrote, and the regime."""
    found = open_page().evaluate(ALL_FIGURES, [state._asdict() for state in STATES])
    for state, texts in zip(grid.states(), found, strict=True):
        assert texts.pop("regime") == regime(scenario.operation(state))
        assert texts == state_texts(scenario, state)


def test_every_state_is_the_oracles(open_page):
    """In all 4,800 states the browser gives the strings of the exact fractions."""
    found = open_page().evaluate(ALL_FIGURES, [state._asdict() for state in STATES])
    for state, texts in zip(STATES, found, strict=True):
        figures = oracle.figures(*state)
        assert {name: texts[name] for name in figures} == figures


@pytest.mark.parametrize("width", [1280, 360])
def test_random_states_are_shown(open_page, width):
    """In sixty random states every number, both charts and the table show what the exact fractions give."""
    page = open_page(width=width)
    for state in random.Random(SEED + width).sample(STATES, 60):
        set_state(page, state)
        check(page, state)


def test_state_says_where_the_page_is(open_page):
    """`explainer.state()` is the state shown, whether it came by address or by `explainer.set`."""
    page = open_page(TOO_BIG.hash)
    assert page.evaluate("explainer.state()") == TOO_BIG._asdict()
    for state in (START, CROSSED, SHORTEST, LONGEST):
        set_state(page, state)
        assert page.evaluate("explainer.state()") == state._asdict()
        check(page, state)


def test_set_takes_a_part_and_the_nearest(open_page):
    """`explainer.set` leaves out what is to stay, and goes to the nearest stop."""
    page = open_page("#prompt=4096&output=16&batch=8")
    page.evaluate("explainer.set({batch: 53})")
    check(page, State(4096, 16, 48))


def test_figures_of_another_state_move_nothing(open_page):
    """Asking for the figures of a state leaves the page where it is."""
    page = open_page()
    page.evaluate("explainer.figures({prompt: 6144, output: 2048, batch: 1024})")
    check(page, START)
