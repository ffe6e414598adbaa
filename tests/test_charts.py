"""The charts: valid specs with their data, parameters bound to inputs, and drawings that need few rows."""

import json
import math
import re

import altair as alt
import jsonschema
import pytest

from builder import vega
from builder.charts import FIGURES, GRID, LIGHT, PAGE, rows_at_start, spec_with_data, spec_without_data
from builder.grid import build_grid
from tests.conftest import ROOT

CHARTS = sorted(FIGURES)


@pytest.fixture
def toy_grid(load, toy):
    """24 states: four prompts, two outputs, three batches; it starts at 64, 16, 1, which is row 12."""
    return build_grid(load(toy()))


def _shown(spec):
    """The parameters that are bound to inputs, by name."""
    return {param["name"]: param for param in spec["params"] if "bind" in param}


def _texts(drawing):
    """The lines of text in a drawing, in its order."""
    return re.findall(r"(?<=>)[^<>]+(?=</t)", drawing)


# Specs


@pytest.mark.parametrize("name", CHARTS)
def test_a_standalone_spec_is_valid(name, grid):
    """Vega-Lite's own schema, as Altair carries it, finds nothing to say against a chart's file."""
    spec = spec_with_data(name, grid, LIGHT)
    jsonschema.Draft7Validator(alt.load_schema()).validate(spec)
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/v6")


@pytest.mark.parametrize("name", CHARTS)
def test_a_page_spec_is_valid(name, grid):
    """The chart that the page is made of is valid as well."""
    jsonschema.Draft7Validator(alt.load_schema()).validate(spec_without_data(name, grid, PAGE))


@pytest.mark.parametrize("name", CHARTS)
def test_a_standalone_spec_has_its_data_inside(name, grid):
    """All 4,800 states are in it, numbered in the order of the grid, with every column that it looks up."""
    rows = spec_with_data(name, grid, LIGHT)["datasets"][GRID]
    assert [row["row"] for row in rows] == list(range(4800))
    assert {name for row in rows for name in row} == {"row", *FIGURES[name].fields}


@pytest.mark.parametrize("name", CHARTS)
def test_the_page_spec_has_no_rows(name, grid):
    """The grid is on the page once, so no chart carries it, neither before nor after it is compiled."""
    spec = spec_without_data(name, grid, PAGE)
    assert GRID not in spec["datasets"]
    assert {"name": GRID} in vega.compiled(spec)["data"]


@pytest.mark.parametrize("name", CHARTS)
def test_a_standalone_spec_names_no_variable_of_the_page(name, grid):
    """Its colours are colours: a variable of the page's style sheet means nothing outside the page."""
    assert "var(" not in json.dumps(spec_with_data(name, grid, LIGHT))
    assert "var(--prefill)" in json.dumps(spec_without_data(name, grid, PAGE))


def test_a_standalone_spec_has_the_colours_of_the_page():
    """The light theme has the values that the style sheet gives to the variables of the page's theme."""
    css = (ROOT / "site_templates" / "styles" / "base.css").read_text(encoding="utf-8")
    light = dict(re.findall(r"(--\w+): light-dark\((#\w+), #\w+\);", css))
    for role in ("ink", "muted", "rule", "paper", "prefill", "decode"):
        assert getattr(PAGE, role) == f"var(--{role})"
        assert getattr(LIGHT, role) == light[f"--{role}"]


@pytest.mark.parametrize("name", CHARTS)
def test_both_specs_are_the_same_chart(name, toy_grid):
    """But for the theme's colours, the inputs and the data, the page and the file have the same chart."""

    def drawn(spec):
        return {key: value for key, value in spec.items() if key not in ("params", "datasets")}

    standalone = drawn(spec_with_data(name, toy_grid, PAGE))
    page = drawn(spec_without_data(name, toy_grid, PAGE))
    assert standalone == page


@pytest.mark.parametrize("name", CHARTS)
def test_a_chart_is_made_alike_each_time(name, toy_grid):
    """Nothing in a spec counts how many charts were made before it."""
    first, second = (json.dumps(spec_without_data(name, toy_grid, PAGE)) for _ in range(2))
    assert first == second


# Parameters


@pytest.mark.parametrize("name", CHARTS)
def test_own_inputs_name_the_stops(name, toy_grid):
    """In a file each axis is a list that names its stops and holds their indices, at the start's at first."""
    shown = _shown(spec_with_data(name, toy_grid, LIGHT))
    assert list(shown) == ["prompt", "output", "batch"]
    assert {name: param["value"] for name, param in shown.items()} == {"prompt": 2, "output": 0, "batch": 0}
    assert {name: param["bind"]["input"] for name, param in shown.items()} == dict.fromkeys(shown, "select")
    assert shown["prompt"]["bind"]["labels"] == ["16 tokens", "32 tokens", "64 tokens", "128 tokens"]
    assert shown["prompt"]["bind"]["options"] == [0, 1, 2, 3]
    assert shown["batch"]["bind"]["labels"] == ["1 request", "2 requests", "4 requests"]


@pytest.mark.parametrize("name", CHARTS)
def test_page_inputs_are_the_controls(name, toy_grid):
    """On the page each axis is bound to the control of its name, at the start's index."""
    shown = _shown(spec_without_data(name, toy_grid, PAGE))
    assert {name: param["bind"] for name, param in shown.items()} == {
        name: {"element": f"#{name}", "event": "input"} for name in ("prompt", "output", "batch")
    }
    assert [param["value"] for param in shown.values()] == [2, 0, 0]


def _at(grid, **indices):
    """The drawing of each chart with its parameters at these indices, and all rows at hand."""
    drawings = {}
    for name in CHARTS:
        spec = spec_without_data(name, grid, PAGE)
        for param in spec["params"]:
            param |= {"value": indices[param["name"]]} if param["name"] in indices else {}
        rows = {GRID: grid.rows(FIGURES[name].fields)}
        drawings[name] = vega.svg(vega.compiled(spec), FIGURES[name].plot("wide"), rows)
    return drawings


def test_a_moved_parameter_moves_the_charts(grid):
    """At 64 requests, stop 11, the decode label says so with the shortfall; the timeline has its times."""
    drawings = _at(grid, batch=11)
    assert "decode, 64 requests" in drawings["roofline"]
    assert "4.2 GB short" in drawings["roofline"]
    assert "done after 3.59 s" in drawings["timeline"]  # 0.1149 + 128 · (140e9 + 64 · 1088 · 327,680) / 6e12
    assert drawings != _at(grid)


def test_an_input_hands_over_text(grid):
    """A bound input's value is text: "11" is stop 11, in every chart, and never joined to a number."""
    assert _at(grid, prompt="4", output="2", batch="11") == _at(grid, prompt=4, output=2, batch=11)


# Drawings


@pytest.mark.parametrize("name", CHARTS)
def test_a_drawing_of_the_start_needs_few_rows(name, grid):
    """The start's row and those of the presets beside it draw what all 4,800 draw, to the byte."""
    few, every = rows_at_start(name, grid), grid.rows(FIGURES[name].fields)
    spec = vega.compiled(spec_without_data(name, grid, PAGE))
    assert len(few) == 16  # the start is a preset on each axis: 1 + 5 + 4 + 6
    for size in FIGURES[name].sizes:
        plot = FIGURES[name].plot(size)
        assert vega.svg(spec, plot, {GRID: few}) == vega.svg(spec, plot, {GRID: every})


def test_the_rows_at_the_start(toy_grid):
    """They are those of 64, 16, 1 and of the presets: a prompt of 16, an output of 32, a batch of 4."""
    assert [row["row"] for row in rows_at_start("roofline", toy_grid)] == [0, 12, 14, 15]


def test_the_drawn_start_of_the_roofline(grid):
    """It names the ridge, the roof, both sides, both live points and every tick."""
    spec = vega.compiled(spec_without_data("roofline", grid, PAGE))
    texts = _texts(vega.svg(spec, (892, 388), {GRID: rows_at_start("roofline", grid)}))
    assert {"1", "10", "100", "1k", "10k", "10 TF", "100 TF", "1 PF"} <= set(texts)
    assert {"ridge 208 FLOP/B", "1.25 PFLOP/s peak", "6 TB/s"} <= set(texts)
    assert {"← memory bound", "compute bound →"} <= set(texts)
    assert {"prefill, 1K tokens", "1022 FLOP/B, 100% of peak"} <= set(texts)
    assert {"decode, 1 request", "1.0 FLOP/B, 0.5% of peak"} <= set(texts)


def test_the_drawn_start_of_the_timeline(grid):
    """It names both phases, the first token and the end, and has a tick a step: 127 between 128."""
    spec = vega.compiled(spec_without_data("timeline", grid, PAGE))
    drawing = vega.svg(spec, (958, 38), {GRID: rows_at_start("timeline", grid)})
    assert _texts(drawing) == [
        "prefill",
        "decode, a tick a step",
        "first token after 114.9 ms",
        "done after 3.11 s",
    ]
    # The prefill is 4.9106 of 132.9106 steps, 35.39 of 958 pixels; a step is 7.208. The first tick is half
    # a pixel before 42.60, and the line ends half a step before 958.
    line = re.search(
        r'<line transform="translate\(([\d.]+),19\)" x2="([\d.]+)" [^>]*dasharray="1,([\d.]+)"', drawing
    )
    start, length, gap = map(float, line.groups())
    assert (start, length, gap) == pytest.approx((42.10, 912.29, 6.208), abs=0.02)
    assert math.floor((length - 1) / (1 + gap)) + 1 == 127


def test_names_of_the_author_are_in_no_chart(load, toy):
    """A model and a card with quotes, brackets and dots in their names have the charts of any other."""
    odd = '"""A100.40[GB]\'\\"\\\\"""'
    named = build_grid(load(toy({4: f"name = {odd}", 16: f"name = {odd}"})))
    assert named.scenario.hardware.name == "A100.40[GB]'\"\\"
    plain = build_grid(load(toy()))
    for name in CHARTS:
        assert spec_with_data(name, named, LIGHT) == spec_with_data(name, plain, LIGHT)


def test_one_stop_on_every_axis(load, toy):
    """A scenario with a single state has its charts, and they are drawn with that state's figures."""
    lines = {37: "prompt = [64]", 38: "output = [1]", 39: "batch = [1]"}
    lines |= {42: "prompt = [64]", 43: "output = [1]", 44: "batch = [1]", 48: "output = 1"}
    drawings = _at(build_grid(load(toy(lines))))
    assert "prefill, 64 tokens" in drawings["roofline"]
    assert "first token after 0.02 ms" in drawings["timeline"]  # 2,032,768 bytes at 1e11 bytes/s
    assert drawings["timeline"].count('d="M0,0h0') == 0


# Reach


def test_the_axes_of_the_shipped_roofline(grid):
    """They reach from 0.7 to 10,000 FLOP per byte and from 3 TF to 3 PF, as ordered."""
    spec = json.dumps(spec_without_data("roofline", grid, PAGE))
    assert '"domain": [0.7, 10000.0]' in spec
    assert '"domain": [3000000000000.0, 3000000000000000.0]' in spec


@pytest.mark.parametrize(
    "edit",
    [
        {20: "peak_tflops_dense = 1e-12"},
        {20: "peak_tflops_dense = 1e15"},
        {19: "bandwidth_gb_s = 1e-12"},
        {19: "bandwidth_gb_s = 1e15"},
        {10: "weight_bytes = 1e-12"},
        {10: "weight_bytes = 1e15"},
        {11: "kv_bytes = 1e15"},
        {6: "parameters = 1"},
        {7: "layers = 1_000_000_000"},
        {18: "memory_gb = 1e-12"},
    ],
    ids=str,
)
def test_figures_at_the_edge_of_reach_are_drawn(edit, load, toy):
    """A scenario may be absurd, within what is accepted: each of its charts has finite places and ticks."""
    grid = build_grid(load(toy(edit)))
    for name, drawing in _at(grid).items():
        assert not re.search("NaN|Infinity|undefined|null", drawing), name
    assert all(math.isfinite(value) and value > 0 for c in grid.numbers.values() for value in c.values)
