"""Pages of scenarios unlike the shipped one: right, and fit to be read, wherever their controls stand."""

import math
import re
import shutil

import pytest

from builder.output import OutputFolder
from builder.site import plan_site
from tests.conftest import ROOT, TEMPLATES
from tests.page.scenarios import SCENARIOS
from tests.page.seen import State, look, set_state
from tests.page.test_labels import WALK
from tests.page.test_width import CUT, SCROLLS

AXES = ("prompt", "output", "batch")
SAID = "document.documentElement.innerText + [...document.querySelectorAll('svg')].map(svg => svg.outerHTML)"
# Whatever the presets, this much of a window of 800 pixels is left to what the controls move.
MOST_HEIGHT = 200


@pytest.fixture(scope="module")
def pages(tmp_path_factory):
    """The page of a scenario by its name, built once."""
    built = {}

    def page(name):
        if name not in built:
            folder = tmp_path_factory.mktemp("scenario")
            shutil.copytree(ROOT / "tests" / "content", folder / "content")
            (folder / "content" / "scenario.toml").write_text(SCENARIOS[name].toml, encoding="utf-8")
            OutputFolder(folder / "out").replace(plan_site(folder / "content", TEMPLATES).files)
            built[name] = folder / "out" / "index.html"
        return built[name]

    return page


@pytest.fixture
def open_scenario(pages, watched):
    """Opens the page of a scenario in a window of a width; Vega drives its charts."""

    def opened(name, width=1280, **options):
        file = pages(name)
        page = watched.new_page(file, viewport={"width": width, "height": 800}, **options)
        page.goto(file.as_uri())
        page.evaluate("explainer.ready")
        return page

    return opened


def stops(name, axis):
    return SCENARIOS[name].stops[axis]


@pytest.mark.parametrize("name", SCENARIOS)
def test_figures(open_scenario, name):
    """At the start, at the ends of all axes and between, every figure is that of the exact fractions."""
    page, kind = open_scenario(name), SCENARIOS[name]
    for corner in kind.corners:
        state, figures = State(*corner), kind.machine.figures(*corner)
        set_state(page, state)
        seen = look(page)
        assert seen["state"] == state._asdict()
        assert [(figure, text) for figure, text in seen["figures"] if text != figures[figure]] == []
        assert sorted(seen["table"]) == sorted(figures)
        for phase, axis in (("prefill", "prompt"), ("decode", "batch")):
            centre = seen["roofline"][phase]["centre"].values()
            assert math.dist(seen["handles"][phase].values(), centre) < 1
            label = ", ".join(seen["roofline"][phase]["label"])
            assert figures[axis] in label
            assert figures[f"{phase}_intensity"] in label
        assert figures["latency"] in " ".join(seen["timeline"]["texts"])
        assert not re.search(r"NaN|Infinity|undefined|null|\[object", page.evaluate(SAID))


@pytest.mark.parametrize("name", SCENARIOS)
@pytest.mark.parametrize("width", [1280, 360])
def test_the_chart_can_be_read(open_scenario, name, width):
    """Both points lie in the chart, names, ticks and labels are inside it, and nothing touches another."""
    page = open_scenario(name, width)
    walk = page.evaluate(WALK, [State(*corner)._asdict() for corner in SCENARIOS[name].corners])
    assert walk["bad"] == []
    assert all(walk["ticks"])
    assert len(walk["ticks"]) >= 4
    assert (page.evaluate(CUT), page.evaluate(SCROLLS)) == ([], [0, 0])


@pytest.mark.parametrize("name", SCENARIOS)
def test_keys_reach_both_ends(open_scenario, name):
    """Each control with more than one stop goes to both ends by key, and from the first to the second."""
    page = open_scenario(name)
    for axis in AXES:
        control, all_stops = page.locator(f"#{axis}"), stops(name, axis)
        if len(all_stops) == 1:
            continue
        for key, stop in (("End", all_stops[-1]), ("Home", all_stops[0]), ("ArrowRight", all_stops[1])):
            control.press(key)
            assert page.evaluate(f"explainer.state().{axis}") == stop
        control.press("Home")


@pytest.mark.parametrize("name", [name for name in SCENARIOS if "one" in name])
def test_one_stop_is_a_value(open_scenario, name):
    """An axis of one stop is said and cannot be moved: no slider, no preset, no point to take hold of."""
    page = open_scenario(name)
    fixed = [axis for axis in AXES if len(stops(name, axis)) == 1]
    for axis in fixed:
        assert not page.locator(f"input#{axis}").is_visible()
        assert page.locator(f'[data-set^="{axis}:"]').count() == 0
        assert page.locator(f'output [data-figure="{axis}"]').is_visible()
    for phase, axis in (("prefill", "prompt"), ("decode", "batch")):
        handle = page.locator(f'[data-point="{phase}"]')
        handle.evaluate("handle => handle.focus()")
        assert handle.evaluate("handle => handle === document.activeElement") == (axis not in fixed)
    assert page.locator("#reset").is_visible() == (len(fixed) < 3)
    assert page.locator(".skip").count() == (len(fixed) < 3)
    assert page.locator(".hint").count() == (len(fixed) < 3)


def test_every_one_of_200_stops(open_scenario):
    """Arrow by arrow a slider goes over all of 200 stops, and a click on its track reaches the last."""
    page = open_scenario("200 stops")
    control, met = page.locator("#prompt"), []
    control.press("Home")
    for _ in stops("200 stops", "prompt"):
        met.append(page.evaluate("explainer.state().prompt"))
        control.press("ArrowRight")
    assert tuple(met) == stops("200 stops", "prompt")
    control.press("Home")
    box = control.bounding_box()
    page.mouse.click(box["x"] + box["width"] - 1, box["y"] + box["height"] / 2)
    assert page.evaluate("explainer.state().prompt") == 6400


@pytest.mark.parametrize("width", [1280, 768])
def test_60_presets_leave_the_charts_in_sight(open_scenario, width):
    """However many presets there are, the controls stay low, and each can be seen once it is reached."""
    page = open_scenario("60 presets", width)
    assert page.locator(".controls").bounding_box()["height"] <= MOST_HEIGHT
    presets = page.locator('[data-set^="prompt:"]')
    assert presets.count() == 60
    last = presets.last
    last.focus()
    assert last.evaluate(
        "button => { const { x, y, width, height } = button.getBoundingClientRect();"
        " return document.elementFromPoint(x + width / 2, y + height / 2) === button; }"
    )
    last.press("Enter")
    assert page.evaluate("explainer.state().prompt") == SCENARIOS["60 presets"].presets["prompt"][-1]


@pytest.mark.parametrize("name", ["a laptop", "a ridge of 1,900", "prompts of 128K tokens"])
def test_a_point_is_dragged_to_its_end(open_scenario, name):
    """On any machine the prefill point follows the mouse along the roof, as far as its last stop."""
    page = open_scenario(name)
    page.evaluate("document.getElementById('roofline').scrollIntoView({block: 'end', behavior: 'instant'})")
    place, box = look(page)["handles"]["prefill"], page.locator("#roofline").bounding_box()
    page.mouse.move(place["x"], place["y"])
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] - 2, place["y"], steps=8)
    page.mouse.up()
    assert page.evaluate("explainer.state().prompt") == stops(name, "prompt")[-1]
