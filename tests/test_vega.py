"""What vl-convert does for the builder: compiling, drawing, and Vega's runtime."""

import re
import subprocess
import sys
from copy import deepcopy

import pytest

from builder import vega
from builder.errors import RuntimeBundleError

# One number from a named data set, with a parameter added to it.
SPEC = {
    "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
    "width": 100,
    "height": 50,
    "padding": 10,
    "autosize": "none",
    "params": [{"name": "more", "value": 8}],
    "data": {"name": "rows"},
    "mark": {"type": "text"},
    "encoding": {"text": {"field": "sum"}},
    "transform": [{"calculate": "datum.number + more", "as": "sum"}],
}


@pytest.fixture(scope="module")
def compiled():
    return vega.compiled(SPEC)


def test_a_compiled_spec_is_vega(compiled):
    """What the page carries is Vega's own form, so that the page needs no Vega-Lite."""
    assert compiled["$schema"].startswith("https://vega.github.io/schema/vega/v6")
    assert "encoding" not in compiled


def test_what_no_state_changes_is_set_once():
    """A mark gets its colour when it is made; its text, and what of its place is no number, at each move."""
    mark = {"type": "text", "fill": "#abcdef", "baseline": "alphabetic"}
    placed = {**SPEC["encoding"], "x": {"value": 20}, "y": {"value": {"expr": "more"}}}
    spec = vega.compiled(SPEC | {"mark": mark, "encoding": placed})
    (compiled,) = spec["marks"]
    assert compiled["encode"]["enter"]["fill"] == {"value": "#abcdef"}
    assert set(compiled["encode"]["update"]) - {"description"} == {"text", "y"}
    drawn = vega.drawn(spec, {"more": 9}, {"rows": [{"number": 32}]})
    assert re.search(r'translate\(20,9\)"[^>]* fill="#abcdef">41<', drawn)


def test_a_bar_grows_from_where_it_begins():
    """Of a box one end may be a number and the other follow the state; its width lies between."""
    sides = {"x": 20, "x2": {"expr": "more * 10"}, "y": {"expr": "more"}, "y2": 40}
    encoding = {name: {"value": value} for name, value in sides.items()}
    spec = vega.compiled(SPEC | {"mark": {"type": "rect"}, "encoding": encoding})
    drawn = vega.drawn(spec, {"more": 9}, {"rows": [{"number": 1}]})
    assert 'd="M20,9h70v31h-70Z"' in drawn


def test_a_named_data_set_stays_empty(compiled):
    """The rows are not in the compiled spec: whoever draws it hands them over."""
    assert [entry for entry in compiled["data"] if entry["name"] == "rows"] == [{"name": "rows"}]


def test_a_drawing_has_the_rows_and_the_parameters(compiled):
    """It shows what the spec makes of the rows handed over, at the values of the parameters."""
    drawn = vega.svg(compiled, (100, 50), {"rows": [{"number": 32}]})
    assert drawn.count("<text ") == 1
    assert ">40</text>" in drawn  # 32 + 8


def test_a_drawing_has_the_size_asked_for(compiled):
    """The plot is as large as asked, and the padding comes around it."""
    assert 'width="320" height="70"' in vega.svg(compiled, (300, 50), {"rows": []})


def test_a_drawing_leaves_the_spec_as_it_is(compiled):
    """The spec that was drawn can be drawn again, and shipped."""
    before = deepcopy(compiled)
    drawings = {vega.svg(compiled, (200, 50), {"rows": [{"number": 1}]}) for _ in range(2)}
    assert compiled == before
    assert len(drawings) == 1


def test_a_drawing_is_written_to_a_hundredth_of_a_pixel(compiled):
    """Places have two decimals at most, which keeps the page light; a number that is shown keeps its own."""
    drawn = vega.svg(compiled, (100.0 / 3, 50), {"rows": [{"number": 0.12345}]})
    assert ">8.12345</text>" in drawn
    assert "translate(16.67," in drawn  # 100 / 3 / 2
    assert not re.search(r'="[^"]*\d\.\d{3}', drawn)


def test_the_runtime_sets_one_global():
    """Everything else that the bundle declares is within one function."""
    text = vega.runtime()
    assert text.startswith("(() => {")
    assert text.endswith("})();")
    assert text.count("globalThis.vegaRuntime") == 1
    assert "import " not in text[:100]


def test_the_runtime_is_bundled_once():
    """A second page of one build costs no second bundle."""
    assert vega.runtime() is vega.runtime()


@pytest.mark.parametrize("module", vega.MODULES)
def test_a_module_that_is_gone_is_named(module):
    """Another vl-convert stops the build with the version, the path at fault and what to do."""
    # In a process of its own: below Python, the fault is a panic.
    script = f"""
from builder import vega
from builder.errors import BuilderError
vega.MODULES[{module!r}] = "/npm/gone@1.2.3/+esm"
try:
    vega.runtime()
except BuilderError as error:
    print(type(error).__name__, error)
"""
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.startswith(RuntimeBundleError.__name__ + " vl-convert 1.9")
    assert "/npm/gone@1.2.3/+esm" in ran.stdout
    assert "MODULES in builder/vega.py" in ran.stdout
