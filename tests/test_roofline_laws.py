"""What holds of the model for any scenario, over random models, machines and states."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.roofline import Bound, Machine, Model, Operation, Phase, kv_bytes_per_token
from builder.scenario_tables import HardwareTable

CLOSE = 1e-12

WHOLE_BYTES = st.sampled_from([0.5, 0.5625, 1, 2, 4])
CACHES = st.builds(
    kv_bytes_per_token,
    st.integers(1, 128),
    st.integers(1, 64),
    st.sampled_from([64, 80, 128, 256]),
    WHOLE_BYTES,
)


@st.composite
def models(draw: st.DrawFn) -> Model:
    """Models from a million parameters to a trillion, dense or a mixture of experts."""
    parameters = draw(st.integers(10**6, 10**12))
    active = draw(st.just(parameters) | st.integers(10**6, parameters))
    return Model(parameters, active, draw(WHOLE_BYTES), draw(CACHES))


MACHINES = st.builds(
    Machine,
    peak_flop_per_s=st.floats(1e11, 1e18),
    bandwidth_bytes_per_s=st.floats(1e10, 1e15),
    memory_bytes=st.floats(1e9, 1e14),
)
TOKENS = st.integers(1, 2**17)
REQUESTS = st.integers(1, 4096)
OPERATIONS = st.builds(Operation, models(), MACHINES, TOKENS, TOKENS, REQUESTS)


def at_most(left: float, right: float) -> bool:
    """Whether `left` is no larger than `right`, but for the last bits."""
    return left <= right * (1 + CLOSE)


@given(OPERATIONS)
def test_the_time_is_the_slower_limit(operation):
    """A phase takes the longer of its two times, and running them one after the other at most twice that."""
    for phase in (operation.prefill, operation.decode):
        assert phase.time_s == max(phase.compute_s, phase.memory_s)
        assert at_most(phase.compute_s + phase.memory_s, 2 * phase.time_s)


@given(MACHINES, st.floats(1, 1e18))
def test_at_the_ridge_both_limits_are_equal(machine, traffic):
    """A phase whose intensity is the ridge takes as long for its arithmetic as for its bytes."""
    phase = Phase(machine.ridge_point * traffic, traffic, machine)
    assert phase.compute_s == pytest.approx(phase.memory_s, rel=CLOSE)
    assert phase.arithmetic_intensity == pytest.approx(machine.ridge_point, rel=CLOSE)


@given(OPERATIONS)
def test_the_share_of_peak(operation):
    """It lies in (0, 1] and is 1 exactly for a compute-bound phase."""
    for phase in (operation.prefill, operation.decode):
        assert 0 < phase.of_peak <= 1
        assert (phase.of_peak == 1) == (phase.bound is Bound.COMPUTE)


@given(OPERATIONS)
def test_the_achieved_rate_lies_on_the_roof(operation):
    """It is the lower of the peak and intensity times bandwidth, and the arithmetic over the time."""
    for phase in (operation.prefill, operation.decode):
        machine = phase.machine
        roof = min(machine.peak_flop_per_s, phase.arithmetic_intensity * machine.bandwidth_bytes_per_s)
        assert phase.achieved_flop_per_s == pytest.approx(roof, rel=CLOSE)
        assert phase.achieved_flop_per_s == pytest.approx(phase.flops / phase.time_s, rel=CLOSE)


@given(OPERATIONS, TOKENS, TOKENS, REQUESTS)
def test_itl_never_falls(operation, prompt, output, batch):
    """A longer prompt, a longer output or a larger batch never makes a step shorter."""
    longer = replace(operation, prompt_tokens=operation.prompt_tokens + prompt)
    assert at_most(operation.itl_s, longer.itl_s)
    assert at_most(operation.itl_s, replace(operation, output_tokens=operation.output_tokens + output).itl_s)
    assert at_most(operation.itl_s, replace(operation, batch_size=operation.batch_size + batch).itl_s)


@given(OPERATIONS, TOKENS, TOKENS, REQUESTS)
def test_ttft_grows_with_the_prompt_alone(operation, prompt, output, batch):
    """A longer prompt never makes prefill shorter; output and batch do not move it."""
    longer = replace(operation, prompt_tokens=operation.prompt_tokens + prompt)
    assert at_most(operation.ttft_s, longer.ttft_s)
    assert replace(operation, output_tokens=output, batch_size=batch).ttft_s == operation.ttft_s


@given(OPERATIONS, REQUESTS)
def test_throughput_never_falls_with_the_batch(operation, more):
    """More requests in flight never yield fewer tokens a second."""
    larger = replace(operation, batch_size=operation.batch_size + more)
    assert at_most(operation.throughput_tok_per_s, larger.throughput_tok_per_s)


@given(OPERATIONS, TOKENS, TOKENS)
def test_the_largest_batch_never_grows_with_the_tokens(operation, prompt, output):
    """A longer prompt or output never leaves room for more requests."""
    longer = replace(operation, prompt_tokens=operation.prompt_tokens + prompt)
    assert longer.max_batch <= operation.max_batch
    assert replace(operation, output_tokens=operation.output_tokens + output).max_batch <= operation.max_batch


@given(OPERATIONS)
def test_what_fits_is_what_the_largest_batch_says(operation):
    """A batch fits exactly when it is at most the largest, and exactly then nothing is short."""
    assert operation.fits == (operation.batch_size <= operation.max_batch)
    assert operation.fits == (operation.shortfall_bytes == 0)
    assert operation.max_batch >= 0
    assert operation.shortfall_bytes >= 0


@given(st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), st.floats(1e-3, 1e6), st.integers(1, 10_000))
def test_four_times_the_cards(memory, bandwidth, peak, count):
    """Peak, bandwidth and memory are four times as large, and the ridge stays where it is."""

    def machine(cards: int) -> Machine:
        return HardwareTable(
            name="card",
            count=cards,
            memory_gb=memory,
            bandwidth_gb_s=bandwidth,
            peak_tflops_dense=peak,
            source="x",
        ).machine

    one, four = machine(count), machine(4 * count)
    assert four.peak_flop_per_s == pytest.approx(4 * one.peak_flop_per_s, rel=CLOSE)
    assert four.bandwidth_bytes_per_s == pytest.approx(4 * one.bandwidth_bytes_per_s, rel=CLOSE)
    assert four.memory_bytes == pytest.approx(4 * one.memory_bytes, rel=CLOSE)
    assert four.ridge_point == pytest.approx(one.ridge_point, rel=CLOSE)


def reaches_ridge(flops: int, weights: Fraction, cache: Fraction, number: int, machine: Machine) -> bool:
    """Whether `number` requests or tokens have at least the ridge's intensity, in exact arithmetic."""
    intensity = flops * number / (weights + number * cache)
    return intensity >= Fraction(machine.peak_flop_per_s) / Fraction(machine.bandwidth_bytes_per_s)


def check_crossing(found: int | None, operation: Operation, cache: Fraction) -> None:
    """`found` is the smallest number that reaches the ridge; None where not even endless ones do."""
    model, machine = operation.model, operation.machine
    weights, flops = model.parameters * Fraction(model.weight_bytes), 2 * model.active_parameters
    if found is None:
        ridge = Fraction(machine.peak_flop_per_s) / Fraction(machine.bandwidth_bytes_per_s)
        assert flops / cache <= ridge
        return
    assert reaches_ridge(flops, weights, cache, found, machine)
    assert found == 1 or not reaches_ridge(flops, weights, cache, found - 1, machine)


@given(OPERATIONS)
def test_the_crossing_batch_is_the_smallest(operation):
    """It reaches the ridge and one request fewer does not; where there is none, no batch ever would."""
    context = operation.prompt_tokens + Fraction(operation.output_tokens, 2)
    cache = context * Fraction(operation.model.kv_bytes_per_token)
    check_crossing(operation.crossing_batch, operation, cache)


@given(OPERATIONS)
def test_the_crossing_prompt_is_the_shortest(operation):
    """It reaches the ridge and one token fewer does not; where there is none, no prompt ever would."""
    check_crossing(operation.crossing_prompt, operation, Fraction(operation.model.kv_bytes_per_token))


@given(OPERATIONS)
def test_from_the_crossing_on_decode_is_compute_bound(operation):
    """The bound of a state and its crossing batch agree."""
    crossing = operation.crossing_batch
    if crossing is None:
        assert operation.decode.bound is Bound.MEMORY or operation.decode.of_peak == 1
    else:
        assert replace(operation, batch_size=crossing).decode.of_peak >= 1 - CLOSE
