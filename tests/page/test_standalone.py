"""The charts' own specifications, as any viewer of Vega-Lite shows them."""

import json

import pytest
import vl_convert

from tests import oracle
from tests.page.seen import PHASES, START, STOPS, TOO_BIG, State, places

SEEN = """
() => {
  const plot = document.querySelector(".root > g > .background").getBoundingClientRect();
  const place = (phase) => {
    const path = document.querySelector(`[class*="${phase}_point"] path`);
    const { left, right, top, bottom } = path.getBoundingClientRect();
    return [((left + right) / 2 - plot.left) / plot.width, (plot.bottom - (top + bottom) / 2) / plot.height];
  };
  return { prefill: place("prefill"), decode: place("decode") };
}
"""


@pytest.fixture
def view(watched, site, tmp_path):
    """Shows a chart of the site in a page of its own, with all of Vega-Lite inside."""

    def shown(name):
        spec = json.loads((site / "charts" / f"{name}.vl.json").read_text(encoding="utf-8"))
        file = tmp_path / f"{name}.html"
        file.write_text(vl_convert.vegalite_to_html(spec, bundle=True, renderer="svg"), encoding="utf-8")
        page = watched.new_page(file, viewport={"width": 1280, "height": 900})
        page.goto(file.as_uri())
        page.wait_for_selector("svg text")
        return page

    return shown


def check(page, state):
    """Asserts that the roofline shows a state."""
    seen, words, figures = page.evaluate(SEEN), page.text_content("svg"), oracle.figures(*state)
    for phase, axis in PHASES.items():
        assert tuple(seen[phase]) == pytest.approx(places(state)[phase], abs=1e-3)
        for name in (axis, f"{phase}_intensity", f"{phase}_of_peak"):
            assert figures[name] in words


@pytest.mark.parametrize("chart", ["roofline", "timeline"])
def test_its_inputs_name_the_stops(view, chart):
    """Each parameter has an input of its own, which offers the stops in words and stands at the start."""
    page = view(chart)
    for name, stops in STOPS.items():
        state = START._asdict()
        words = [oracle.figures(**(state | {name: stop}))[name] for stop in stops]
        found = page.locator(f"select[name={name}]")
        assert found.locator("option").all_inner_texts() == words
        assert found.locator("option:checked").inner_text() == oracle.figures(*START)[name]


def test_words_of_stops_by_hand(view):
    """Two stops by hand: 1,024 tokens are "1K tokens", 64 requests "64 requests"."""
    page = view("roofline")
    assert page.locator("select[name=prompt] option").nth(10).inner_text() == "1K tokens"
    assert page.locator("select[name=batch] option").nth(11).inner_text() == "64 requests"


def test_the_roofline_moves(view):
    """Choosing 64 requests moves the decode point, changes its shape and says in its label what is short."""
    page = view("roofline")
    check(page, START)
    shape = page.get_attribute('[class*="decode_point"] path', "d")
    assert "does not fit" not in page.text_content("svg")
    page.select_option("select[name=batch]", label="64 requests")
    page.wait_for_function("() => document.querySelector('svg').textContent.includes('64 requests')")
    check(page, TOO_BIG)
    assert page.get_attribute('[class*="decode_point"] path', "d") != shape
    assert "does not fit: 4.2 GB short" in page.text_content("svg")


def test_the_timeline_moves(view):
    """Choosing another output moves the end of the timeline, and leaves the first token where it is."""
    page = view("timeline")
    page.select_option("select[name=output]", label="2K tokens")
    state = State(output=2048)
    latency = oracle.figures(*state)["latency"]
    page.wait_for_function("words => document.querySelector('svg').textContent.includes(words)", arg=latency)
    assert oracle.figures(*state)["ttft"] in page.text_content("svg")
