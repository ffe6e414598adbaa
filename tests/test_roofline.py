"""The model's figures: the published rows, and two machines worked by hand.

Throughout, N is 70e9 parameters, W = 2 N = 140e9 bytes of them, and c = 2 · 80 · 8 · 128 · 2 = 327,680 bytes
of cache a token.
"""

import pytest

from builder.roofline import Bound, Machine, Model, Operation, Phase, kv_bytes_per_token

LLAMA = Model(70 * 10**9, 70 * 10**9, 2, 327_680)
FOUR_A100_40 = Machine(4 * 312e12, 4 * 1.5e12, 4 * 40e9)
FOUR_A100_80 = Machine(4 * 312e12, 4 * 2.039e12, 4 * 80e9)


def at(prompt: int, output: int, batch: int, machine: Machine = FOUR_A100_40) -> Operation:
    """Llama 3 70B in one state."""
    return Operation(LLAMA, machine, prompt, output, batch)


def test_every_published_row(row):
    """Each figure of the published rows comes out to nine figures, words and counts exactly."""
    found = at(row["prompt"], row["output"], row["batch"])
    close = {
        "ttft": found.ttft_s,
        "itl": found.itl_s,
        "latency": found.request_latency_s,
        "throughput": found.throughput_tok_per_s,
        "decode_steps": found.prefill_decode_steps,
        "prefill_intensity": found.prefill.arithmetic_intensity,
        "prefill_of_peak": found.prefill.of_peak,
        "decode_intensity": found.decode.arithmetic_intensity,
        "decode_of_peak": found.decode.of_peak,
        "cache_mid": found.cache_mid_bytes,
    }
    same = {
        "prefill_bound": found.prefill.bound,
        "decode_bound": found.decode.bound,
        "cache_end": found.cache_end_bytes,
        "fits": found.fits,
        "max_batch": found.max_batch,
        "crossing_batch": found.crossing_batch,
    }
    assert {name: row[name] for name in close} == pytest.approx(close, rel=1e-9)
    assert {name: row[name] for name in same} == same
    assert set(row) == {"prompt", "output", "batch"} | set(close) | set(same)


def test_the_model_by_hand():
    """Weights are parameters times bytes; the cache is a key and a value, a layer, a KV head."""
    assert LLAMA.weights_bytes == 140e9  # 70e9 · 2
    assert LLAMA.flops_per_token == 140e9  # 2 · 70e9
    assert (
        kv_bytes_per_token(layers=80, kv_heads=8, head_dim=128, value_bytes=2) == 327_680
    )  # 2 · 80 · 8 · 128 · 2
    assert kv_bytes_per_token(layers=80, kv_heads=8, head_dim=128, value_bytes=0.5) == 81_920  # a quarter


def test_the_machine_by_hand():
    """The ridge of four A100 40 GB is 1.248e15 / 6e12 = 208 FLOP/B."""
    assert FOUR_A100_40.peak_flop_per_s == 1.248e15
    assert FOUR_A100_40.bandwidth_bytes_per_s == 6e12
    assert FOUR_A100_40.memory_bytes == 160e9
    assert FOUR_A100_40.ridge_point == 208


def test_prefill_by_hand():
    """A 1K prompt is arithmetic alone; a 32-token prompt waits for the weights."""
    long, short = at(1024, 128, 1).prefill, at(32, 16, 1).prefill
    assert long.flops == 143_360e9  # 140e9 · 1,024
    assert long.traffic_bytes == 140_335_544_320  # 140e9 + 1,024 · 327,680
    assert long.time_s == pytest.approx(0.114871794872)  # 143.36e12 / 1.248e15
    assert long.bound is Bound.COMPUTE
    assert short.traffic_bytes == 140_010_485_760  # 140e9 + 32 · 327,680
    assert short.time_s == pytest.approx(0.02333508096)  # 140.01048576e9 / 6e12
    assert short.bound is Bound.MEMORY


def test_decode_by_hand():
    """One step at 1K and 128 reads the weights and 1,024 + 64 tokens of cache."""
    found = at(1024, 128, 1)
    assert found.context_tokens == 1088  # 1,024 + 128 / 2
    assert found.cache_mid_bytes == 356_515_840  # 1,088 · 327,680
    assert found.cache_end_bytes == 377_487_360  # 1,152 · 327,680
    assert found.itl_s == pytest.approx(0.02339275264, rel=1e-12)  # 140.35651584e9 / 6e12
    assert found.request_latency_s == pytest.approx(
        3.109144132792, rel=1e-9
    )  # 0.1148718 + 128 · 0.02339275264
    assert found.throughput_tok_per_s == pytest.approx(42.748282568, rel=1e-9)  # 1 / 0.02339275264
    assert found.prefill_decode_steps == pytest.approx(4.910571947, rel=1e-9)  # 0.1148717949 / 0.02339275264


def test_an_odd_output_has_its_middle_between_two_tokens():
    """The context of a step is P + O/2, not rounded: 32 + 1/2."""
    assert at(32, 1, 1).context_tokens == 32.5
    assert at(32, 1, 2).cache_mid_bytes == 21_299_200  # 2 · 32.5 · 327,680


def test_crossings_by_hand():
    """At 1K and 128 the ridge is crossed from 443 requests, in prefill from 209 tokens, at 4K by no batch."""
    # 208 · 1,088 · 327,680 = 74.155e9; 208 · 140e9 / (140e9 - 74.155e9) = 442.25
    assert at(1024, 128, 1).crossing_batch == 443
    # 208 · 327,680 = 0.068157e9; 208 · 140e9 / (140e9 - 0.068157e9) = 208.10
    assert at(1024, 128, 1).crossing_prompt == 209
    # 208 · 4,160 · 327,680 = 283.5e9, more than 140e9: each request brings more bytes than arithmetic
    assert at(4096, 128, 1).crossing_batch is None


def test_memory_by_hand():
    """20 GB beside the weights hold 52 requests of 1,152 tokens; 64 are 4.2 GB short."""
    found = at(1024, 128, 64)
    assert found.memory_left_bytes == 20e9  # 160e9 - 140e9
    assert found.max_batch == 52  # 20e9 / 377,487,360 = 52.98
    assert found.cache_end_bytes == 24_159_191_040  # 64 · 377,487,360
    assert found.shortfall_bytes == 4_159_191_040  # 24.159e9 - 20e9
    assert not found.fits
    assert at(1024, 128, 52).fits
    assert not at(1024, 128, 53).fits
    assert at(1024, 128, 52).shortfall_bytes == 0


def test_memory_filled_to_the_last_byte_fits():
    """Weights and caches that are exactly the memory fit, and one byte less of memory does not hold them."""
    full = 140 * 10**9 + 48 * 327_680  # one request of 32 + 16 tokens
    exactly = Operation(LLAMA, Machine(1e15, 1e12, full), 32, 16, 1)
    short = Operation(LLAMA, Machine(1e15, 1e12, full - 1), 32, 16, 1)
    assert (exactly.fits, exactly.max_batch, exactly.shortfall_bytes) == (True, 1, 0)
    assert (short.fits, short.max_batch, short.shortfall_bytes) == (False, 0, 1)


def test_a_model_larger_than_its_machine():
    """70,553,706,496 parameters on one 80 GB card: short by 61.1 GB before any cache, largest batch 0."""
    model = Model(70_553_706_496, 70_553_706_496, 2, 327_680)
    found = Operation(model, Machine(989e12, 3.35e12, 80e9), 128, 128, 1)
    assert found.memory_left_bytes == -61_107_412_992  # 80e9 - 141,107,412,992
    assert found.shortfall_bytes == 61_191_299_072  # and 256 · 327,680 = 83,886,080 of cache
    assert found.max_batch == 0
    assert not found.fits


def test_a_second_machine_by_hand():
    """Four A100 80 GB at 2,039 GB/s have the same peak, a ridge of 153.0 and 180 GB beside the weights."""
    found = at(1024, 128, 512, FOUR_A100_80)
    assert FOUR_A100_80.ridge_point == pytest.approx(153.0161844, rel=1e-9)  # 1.248e15 / 8.156e12
    assert found.memory_left_bytes == 180e9  # 320e9 - 140e9
    assert found.ttft_s == at(1024, 128, 512).ttft_s  # compute bound on both
    assert at(1024, 128, 1, FOUR_A100_80).itl_s == pytest.approx(
        0.01720898919, rel=1e-9
    )  # 140.35651584e9 / 8.156e12
    assert found.max_batch == 476  # 180e9 / 377,487,360 = 476.8
    assert not found.fits
    assert found.shortfall_bytes == 13_273_528_320  # 512 · 377,487,360 = 193.27e9, less 180e9
    # 153.016 · 1,088 · 327,680 = 54.553e9; 153.016 · 140e9 / (140e9 - 54.553e9) = 250.7
    assert found.crossing_batch == 251
    # 153.016 · 327,680 = 0.05014e9; 153.016 · 140e9 / (140e9 - 0.05014e9) = 153.07
    assert found.crossing_prompt == 154


def test_a_phase_on_the_ridge_is_compute_bound():
    """208 FLOP a byte on a ridge of 208: both limits take as long, and the phase is at its peak."""
    phase = Phase(208e9, 1e9, FOUR_A100_40)
    assert phase.compute_s == phase.memory_s
    assert phase.bound is Bound.COMPUTE
    assert phase.of_peak == 1
    assert phase.achieved_flop_per_s == 1.248e15
