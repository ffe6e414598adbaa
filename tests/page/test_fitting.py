"""What fits and what does not, wherever the page says it; and the reading of each regime."""

import re
from functools import cache
from itertools import product

import pytest

from tests import oracle
from tests.page.colours import Picture, contrast
from tests.page.gestures import show_roofline
from tests.page.seen import CROSSED, LONGEST, SHORTEST, START, STOPS, TOO_BIG, State, check, look, set_state

FITTING = State(batch=48)
REGIMES = ("compute-memory-fits", "compute-memory-too-big", "memory-compute-fits", "memory-compute-too-big")
REGIMES += ("memory-memory-fits", "memory-memory-too-big", "compute-compute-too-big")
PRAISE = r"\b(good|well|best|better|ideal|efficien\w*|optimal\w*|great|healthy|perfect\w*|enough|room)\b"
LIVE = "[...document.querySelectorAll('#reading [data-figure]')].map(e => [e.dataset.figure, e.textContent])"


def regime(state):
    """The regime of a state, from the exact fractions."""
    found = oracle.exact(*state)
    return f"{found['prefill_bound']}-{found['decode_bound']}-{'fits' if found['fits'] else 'too-big'}"


@cache
def states_of(name):
    """Every state of a regime."""
    return [state for stops in product(*STOPS.values()) if regime(state := State(*stops)) == name]


def test_53_is_no_stop():
    """By hand: the cards hold 52 requests, 48 is the last stop that fits, and 64 is 4.2 GB too many."""
    left, cache = 160e9 - 140e9, (1024 + 128) * 327_680
    assert int(left / cache) == 52
    assert 53 not in STOPS["batch"]
    assert STOPS["batch"][STOPS["batch"].index(48) + 1] == 64
    assert f"{(64 * cache - left) / 1e9:.1f}" == "4.2"


def test_48_fits(open_page):
    """At a batch of 48 nothing on the page says that it does not fit, and the largest batch is named."""
    page = open_page(FITTING.hash)
    seen = check(page, FITTING)
    assert "does not fit" not in page.inner_text("main").replace("Whether a state fits", "")
    assert "does not fit" not in " ".join(seen["roofline"]["texts"])
    assert "52" in seen["control"]
    assert seen["spoken"]["batch"] == "48 requests, fits"


def test_64_does_not_fit(open_page):
    """At 64 the control, the decode label and the reading say so with the 4.2 GB; two of them name the 52."""
    seen = check(open_page(TOO_BIG.hash), TOO_BIG)
    label = ", ".join(seen["roofline"]["decode"]["label"])
    for place in (seen["control"], label, seen["reading"]):
        assert "does not fit" in place
        assert "4.2 GB" in place
    for place in (seen["control"], seen["reading"]):
        assert re.search(r"\b52\b", place)
    assert seen["spoken"]["batch"] == "64 requests, does not fit"


@pytest.mark.parametrize("width", [1280, 768, 360])
def test_the_words_are_visible(open_page, width):
    """In every width what the control says about memory can be seen, not only found."""
    page = open_page(TOO_BIG.hash, width=width)
    control = page.locator(".control.decode")
    assert control.get_by_text("does not fit").locator("visible=true").count() == 1
    assert control.get_by_text("4.2 GB").locator("visible=true").count() == 1


def test_the_point_has_another_shape(open_page):
    """Where a state does not fit the decode point is drawn in another shape, and the prefill point is not."""
    page = open_page(FITTING.hash)
    fitting = look(page)["roofline"]
    set_state(page, TOO_BIG)
    too_big = look(page)["roofline"]
    assert too_big["decode"]["shape"] != fitting["decode"]["shape"]
    assert too_big["prefill"]["shape"] == fitting["prefill"]["shape"] == fitting["decode"]["shape"]
    set_state(page, FITTING)
    assert look(page)["roofline"] == fitting


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_shows_between_the_arms_of_the_cross(open_page, scheme):
    """The hollow point of the preset that is chosen, a ring 4.5 px about it, is covered by paper."""
    page = open_page(TOO_BIG.hash, scheme=scheme)
    show_roofline(page)
    middle = look(page)["roofline"]["decode"]["centre"]
    picture = Picture(page, clip={"x": middle["x"] - 8, "y": middle["y"] - 8, "width": 16, "height": 16})
    paper = Picture(page, clip={"x": 0, "y": 0, "width": 4, "height": 4}).at(0, 0)
    assert contrast(picture.at(0.5, 0.5), paper) > 3
    for x, y in ((0, -1), (0, 1), (-1, 0), (1, 0)):
        assert contrast(picture.at(0.5 + 4.5 * x / 16, 0.5 + 4.5 * y / 16), paper) < 1.1, (x, y)


def test_the_words_go_with_the_state(open_page):
    """From not fitting to fitting and back, the control takes its words back and says them again."""
    page = open_page(TOO_BIG.hash)
    page.click('[data-set="batch:32"]')
    assert "does not fit" not in check(page, State(batch=32))["control"]
    page.click('[data-set="batch:512"]')
    assert "does not fit" in check(page, CROSSED)["control"]


def test_there_are_seven_regimes():
    """Of the eight regimes that can be named, one does not occur: both phases compute bound, and fitting."""
    assert {regime(State(*stops)) for stops in product(*STOPS.values())} == set(REGIMES)


@pytest.mark.parametrize("name", REGIMES)
def test_the_reading_of_a_regime(open_page, name):
    """A regime has one reading, whose figures are the state's: in its first state, its last and between."""
    page = open_page()
    states, words = states_of(name), set()
    for state in (states[0], states[len(states) // 2], states[-1]):
        set_state(page, state)
        words.add(without_figures(check(page, state)["reading"]))
        figures, live = oracle.figures(*state), page.evaluate(LIVE)
        assert [(figure, text) for figure, text in live if figures[figure] != text] == []
        assert {"prefill_of_peak", "decode_of_peak"} <= {figure for figure, _ in live}
    assert len(words) == 1


def without_figures(reading):
    """The words of a reading alone."""
    return re.sub(r"[\d.,]+ ?(K tokens|tokens?|requests?|[GM]B|%)?", "", reading)


def test_the_readings_differ(open_page):
    """No two regimes share a reading."""
    page = open_page()
    texts = set()
    for name in REGIMES:
        set_state(page, states_of(name)[0])
        texts.add(without_figures(look(page)["reading"]))
    assert len(texts) == len(REGIMES)


def test_what_does_not_fit_is_not_praised(open_page):
    """What does not fit is called so first, with the shortfall and the largest batch, and is not praised."""
    page = open_page()
    for state in [states_of(name)[0] for name in REGIMES if name.endswith("too-big")]:
        set_state(page, state)
        figures, reading = oracle.figures(*state), check(page, state)["reading"].strip()
        first = re.split(r"(?<=\D)\.\s", reading)[0]
        assert "does not fit" in first
        assert figures["shortfall"] in first
        assert re.search(rf"\b{figures['max_batch']}\b", first)
        rest = re.sub("does not fit|do not fit|largest batch that fits", "", reading)
        assert not re.search(r"\bfit", rest)
        assert not re.search(PRAISE, rest)


def test_what_fits_is_not_called_too_big(open_page):
    """The reading of a state that fits says nothing to the contrary."""
    page = open_page()
    for name in [name for name in REGIMES if name.endswith("-fits")]:
        for state in (states_of(name)[0], states_of(name)[-1]):
            set_state(page, state)
            assert "not fit" not in check(page, state)["reading"]


def test_fits_is_said_in_every_state(open_page):
    """The table says in words whether the state fits, by how much it is short, and the largest batch."""
    page = open_page()
    page.click("summary")
    for state in (START, FITTING, TOO_BIG, CROSSED, SHORTEST, LONGEST):
        set_state(page, state)
        figures = oracle.figures(*state)
        for name in ("fits", "shortfall", "max_batch"):
            assert page.inner_text(f'table [data-figure="{name}"]') == figures[name]
