"""The grid: rows and columns against the oracle, and columns against brute force."""

from itertools import product

import pytest

from builder.figures import STATE_FIGURES, regime, state_texts, view
from builder.grid import NUMBERS, build_grid
from builder.scenario import State
from tests import oracle
from tests.conftest import CASES

TEXTS = tuple(STATE_FIGURES)


def test_rows_are_in_the_order_of_the_axes(grid):
    """Prompt runs slowest and batch fastest, and each row has its own number."""
    states = list(product(oracle.PROMPTS, oracle.OUTPUTS, oracle.BATCHES))
    assert [(s.prompt, s.output, s.batch) for s in grid.states()] == states
    assert [row["row"] for row in grid.rows(())] == list(range(4800))


def test_rows_of_some_states_keep_their_numbers(grid):
    """A row that is asked for by its state is the one that all rows have there."""
    some = {State(32, 16, 2), State(1024, 128, 1)}
    every = grid.rows(("ttft", "batch"))
    # batch second of 20; prompt eleventh of 16 and output seventh of 15: (10 · 15 + 6) · 20
    assert grid.rows(("ttft", "batch"), some) == [every[1], every[3120]]


def test_all_rows_have_the_oracles_texts(grid):
    """Each of the 4,800 rows is written as the oracle writes its state."""
    states = product(oracle.PROMPTS, oracle.OUTPUTS, oracle.BATCHES)
    wrong = [
        row["row"]
        for row, at in zip(grid.rows(TEXTS), states, strict=True)
        if {name: row[name] for name in TEXTS} != oracle.figures(*at)
    ]
    assert wrong == []


def exact_numbers(at) -> dict[str, float]:
    """What the charts draw of a state, unrounded."""
    found = oracle.exact(*at)
    return {
        "prefill_flop_per_byte": found["prefill_intensity"],
        "prefill_flop_per_s": found["prefill_of_peak"] * oracle.PEAK,
        "decode_flop_per_byte": found["decode_intensity"],
        "decode_flop_per_s": found["decode_of_peak"] * oracle.PEAK,
        "ttft_s": found["ttft"],
        "itl_s": found["itl"],
        "output_tokens": at[1],
    }


def test_drawn_numbers_are_the_exact_ones_to_four_figures(grid):
    """No mark stands more than half a thousandth away from where it belongs."""
    states = product(oracle.PROMPTS, oracle.OUTPUTS, oracle.BATCHES)
    for row, at in zip(grid.rows(tuple(NUMBERS)), states, strict=True):
        exact = exact_numbers(at)
        assert set(exact) == set(NUMBERS)
        off = [name for name in exact if abs(row[name] - exact[name]) > 5e-4 * exact[name]]
        assert off == [], at


def test_drawn_numbers_are_short(grid):
    """What the page carries for the charts has no digit that nobody sees."""
    assert all(value == float(f"{value:.4g}") for column in grid.numbers.values() for value in column.values)


def test_a_column_is_as_long_as_its_axes(grid):
    """One value a combination of the stops of its own axes: 16, 15, 20, or a product of them."""
    lengths = {"prompt": 16, "output": 15, "batch": 20}
    for name, column in grid.columns.items():
        expected = 1
        for axis in column.axes:
            expected *= lengths[axis]
        assert len(column.values) == expected, name


@pytest.fixture
def toy_grid(load, toy):
    """A grid of 4 · 2 · 3 states whose three axes differ in length."""
    return build_grid(load(toy()))


def test_a_column_never_varies_along_an_axis_that_it_does_not_declare(toy_grid):
    """Each cell of each row, worked out for that row's own state, is what the columns hold."""
    names = tuple(toy_grid.columns)
    rows = toy_grid.rows(names)
    assert len(rows) == 24
    for row, state in zip(rows, toy_grid.states(), strict=True):
        seen = view(toy_grid.scenario, state)
        texts = state_texts(toy_grid.scenario, state) | {"regime": regime(seen.operation)}
        assert {name: row[name] for name in texts} == texts
        for name, (_, value) in NUMBERS.items():
            assert row[name] == pytest.approx(value(seen), rel=5e-4)


@pytest.mark.parametrize("name", NUMBERS)
def test_a_number_moves_along_its_axes_alone(name, scenario):
    """A drawn number is the same wherever only an axis moves that it does not declare."""
    axes, value = NUMBERS[name]
    stops = {axis.name: axis.stops[::5] for axis in scenario.axes}
    seen = {}
    for at in product(*stops.values()):
        state = dict(zip(stops, at, strict=True))
        key = tuple(state[axis] for axis in axes.split())
        seen.setdefault(key, set()).add(value(view(scenario, State(**state))))
    assert {len(found) for found in seen.values()} == {1}


def test_seven_regimes_are_in_the_grid(grid):
    """The page needs one reading for each, and one of the eight never is."""
    assert len(set(grid.texts["regime"].values)) == 7
    assert "compute-compute-fits" not in grid.texts["regime"].values


def test_a_model_larger_than_its_machine_has_a_grid(load):
    """Every state of it reads "does not fit", with a shortfall and the largest batch 0."""
    text = (CASES / "LM-06.toml").read_text(encoding="utf-8")
    rows = build_grid(load(text)).rows(("fits", "shortfall", "max_batch", "regime"))
    # 61,107,412,992 without a cache, and B · (P + 128) · 327,680 of cache
    assert [row["shortfall"] for row in rows] == ["61.2 GB", "62.4 GB", "62.5 GB", "83.3 GB"]
    assert {row["fits"] for row in rows} == {"does not fit"}
    assert {row["max_batch"] for row in rows} == {"0"}
    assert all(row["regime"].endswith("-too-big") for row in rows)
