"""The figures by name: the published texts, those of all states, and the axes that each depends on."""

from itertools import product

import pytest

from builder import units
from builder.figures import (
    FIGURES,
    PROSE_FIGURES,
    STATE_FIGURES,
    regime,
    short_words,
    state_texts,
    view,
    words,
)
from builder.scenario import State
from tests import oracle

PUBLISHED = oracle.PUBLISHED["published"]


@pytest.mark.parametrize("name", PUBLISHED["shown"])
def test_the_published_texts(name, scenario):
    """What the published page shows at its start is shown here, to the letter."""
    seen = view(scenario, State(**PUBLISHED["state"]))
    assert FIGURES[name].text(seen) == PUBLISHED["shown"][name]


def test_the_texts_of_the_published_rows(scenario, row):
    """Every live figure of a published row is written as the oracle writes it."""
    state = (row["prompt"], row["output"], row["batch"])
    assert state_texts(scenario, State(*state)) == oracle.figures(*state)


def test_the_texts_of_all_states(scenario):
    """In each of the 4,800 states every live figure is what the oracle says."""
    states = list(product(oracle.PROMPTS, oracle.OUTPUTS, oracle.BATCHES))
    wrong = [at for at in states if state_texts(scenario, State(*at)) != oracle.figures(*at)]
    assert (len(states), wrong) == (4800, [])


# name, state, text; the arithmetic is that of test_roofline.py
PROSE = [
    ("model", (1024, 128, 1), "Llama 3 70B"),
    ("precision", (1024, 128, 1), "BF16"),
    ("parameters", (1024, 128, 1), "70,000,000,000"),
    ("checkpoint_parameters", (1024, 128, 1), "70,553,706,496"),
    ("context_window", (1024, 128, 1), "8K tokens"),
    ("weights", (1024, 128, 1), "140 GB"),
    ("kv_per_token", (1024, 128, 1), "327,680"),
    ("card", (1024, 128, 1), "A100 40 GB"),
    ("card_count", (1024, 128, 1), "4"),
    ("card_peak", (1024, 128, 1), "312 TFLOP/s"),
    ("card_bandwidth", (1024, 128, 1), "1.5 TB/s"),
    ("card_bandwidth_gb", (1024, 128, 1), "1,500 GB/s"),
    ("card_memory", (1024, 128, 1), "40 GB"),
    ("memory", (1024, 128, 1), "160 GB"),
    ("memory_left", (1024, 128, 1), "20 GB"),
    ("crossing_prompt", (1024, 128, 1), "209"),
    ("crossing_batch", (1024, 128, 1), "443"),
    ("crossing_batch", (4096, 128, 1), "never"),
    ("crossing_preset", (1024, 128, 1), "512"),
    ("crossing_preset", (4096, 128, 1), "never"),
    ("prefill_work_in_steps", (1024, 128, 1), "1,024"),
    ("prefill_work_in_steps", (1024, 128, 8), "128"),  # 1,024 / 8
    ("decode_below_ridge", (1024, 128, 1), "209"),  # 208 / 0.9974599
    ("cache_mid", (1024, 128, 512), "182.5 GB"),
    ("cache_mid_over_memory_left", (1024, 128, 512), "9.1"),  # 182.5 / 20
    ("shortfall", (1024, 128, 64), "4.2 GB"),
    ("shortfall", (1024, 128, 1), "0 GB"),
    ("max_batch", (1024, 128, 64), "52"),
]


@pytest.mark.parametrize(("name", "at", "text"), PROSE)
def test_what_the_prose_says(name, at, text, scenario):
    """The figures behind the page's sentences, by hand."""
    assert FIGURES[name].text(view(scenario, State(*at))) == text


@pytest.mark.parametrize(
    ("card", "texts"),
    [
        # 4 · 1.555 = 6.22 TB/s; 1,248 / 6.22 = 200.6
        ("a100_40_data_sheet", {"ridge": "201", "bandwidth": "6.22 TB/s", "memory_left": "20 GB"}),
        # 1,248 / 8.156 = 153.0; 320 - 140
        ("a100_80", {"ridge": "153", "bandwidth": "8.16 TB/s", "memory_left": "180 GB"}),
        # 989 / 3.35 = 295.2; 4 · 989 = 3,956
        ("h100", {"ridge": "295", "peak": "3.96 PFLOP/s", "memory_left": "180 GB"}),
        # 989 / 4.8 = 206.0; 4 · 141 = 564
        ("h200", {"ridge": "206", "memory": "564 GB", "memory_left": "424 GB"}),
    ],
)
def test_figures_of_other_cards(card, texts, scenario):
    """The ridge moves up or down on other cards, and room beside the weights grows."""
    seen = view(scenario, scenario.start, card)
    assert {name: FIGURES[name].text(seen) for name in texts} == texts


def test_no_figure_is_missing_or_empty(scenario):
    """Every name has a text in every corner of the grid, and none is empty, nan or inf."""
    corners = product(*((axis.stops[0], axis.stops[-1]) for axis in scenario.axes))
    for corner, card in product(corners, scenario.cards):
        texts = {name: figure.text(view(scenario, State(*corner), card)) for name, figure in FIGURES.items()}
        bad = {name for name, text in texts.items() if not text or "nan" in text or "inf" in text}
        assert bad - {"fits"} == set()


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_moves_along_its_axes_alone(name, scenario):
    """Its text and value are the same wherever only an axis moves that it does not declare."""
    figure, stops = FIGURES[name], {axis.name: axis.stops[::5] for axis in scenario.axes}
    seen = {}
    for at in product(*stops.values()):
        state = dict(zip(stops, at, strict=True))
        declared = tuple(state[axis] for axis in figure.axes)
        point = view(scenario, State(**state))
        seen.setdefault(declared, set()).add((figure.text(point), figure.value(point)))
    assert {len(found) for found in seen.values()} == {1}
    assert set(figure.axes) <= set(stops)


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_moves_along_each_of_its_axes(name, scenario):
    """No axis is declared in vain: the value differs somewhere along it."""
    figure, stops = FIGURES[name], {axis.name: axis.stops[::5] for axis in scenario.axes}
    for axis in figure.axes:
        others = [values for other, values in stops.items() if other != axis]
        assert any(
            len(
                {
                    figure.value(view(scenario, State(**dict(_state(stops, axis, stop, at)))))
                    for stop in stops[axis]
                }
            )
            > 1
            for at in product(*others)
        ), axis


def _state(stops, axis, stop, others):
    """A state's stops by name, from that of one axis and those of the others in order."""
    rest = iter(others)
    return [(name, stop if name == axis else next(rest)) for name in stops]


def test_names_are_said_once():
    """No figure of the prose hides one of a state, and labels tell all apart."""
    assert not set(STATE_FIGURES) & set(PROSE_FIGURES)
    labels = [figure.label for figure in FIGURES.values()]
    assert len(labels) == len(set(labels))


def test_what_has_no_value_is_a_dash(load, toy):
    """A figure that the scenario does not give is a dash, not nothing."""
    found = load(toy())
    assert FIGURES["checkpoint_parameters"].text(view(found, found.start)) == units.DASH


def test_one_is_no_plural():
    """One token and one request are said in the singular, all others in the plural."""
    assert [words("prompt", 1), words("output", 2), words("prompt", 1536)] == [
        "1 token",
        "2 tokens",
        "1.5K tokens",
    ]
    assert [words("batch", 1), words("batch", 2), words("batch", 1024)] == [
        "1 request",
        "2 requests",
        "1,024 requests",
    ]
    assert [short_words("prompt", 4096), short_words("batch", 1024)] == ["4K", "1,024"]


def test_exactly_seven_regimes_exist(scenario):
    """Of the eight, only two compute-bound phases that fit never meet on these cards."""
    states = product(*(axis.stops for axis in scenario.axes))
    assert {regime(scenario.operation(State(*at))) for at in states} == {
        "memory-memory-fits",
        "memory-memory-too-big",
        "memory-compute-fits",
        "memory-compute-too-big",
        "compute-memory-fits",
        "compute-memory-too-big",
        "compute-compute-too-big",
    }


def test_the_regime_of_a_row(scenario, row):
    """It names the row's two bounds, and whether it fits."""
    ending = "fits" if row["fits"] else "too-big"
    operation = scenario.operation(State(row["prompt"], row["output"], row["batch"]))
    assert regime(operation) == f"{row['prefill_bound']}-{row['decode_bound']}-{ending}"
