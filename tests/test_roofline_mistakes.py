"""Mistakes that others made: the number that each gives, and that ours is the right one.

The state is a 1K prompt with 128-token answers, where not said otherwise; 20 GB lie beside the weights of
Llama 3 70B on four A100 40 GB, and a request ends at 1,152 tokens of 327,680 bytes.
"""

from dataclasses import replace

import pytest

from builder import units
from builder.roofline import Machine, Model, Operation, kv_bytes_per_token

LLAMA = Model(70 * 10**9, 70 * 10**9, 2, 327_680)
FOUR_A100 = Machine(4 * 312e12, 4 * 1.5e12, 4 * 40e9)
START = Operation(LLAMA, FOUR_A100, 1024, 128, 1)


def test_the_sparse_peak_is_not_the_dense_one(scenario):
    """The shipped figures are the dense 312 and 989 TFLOP/s; the sparse ones would double both ridges."""
    sparse = replace(FOUR_A100, peak_flop_per_s=4 * 624e12)
    assert sparse.ridge_point == 416  # 2.496e15 / 6e12
    assert units.time(replace(START, machine=sparse).ttft_s) == "57.4 ms"
    assert scenario.hardware.machine.ridge_point == 208
    assert units.time(scenario.operation(scenario.start).ttft_s) == "114.9 ms"
    # H100: 1,979 / 3.35 = 590.7 with the sparse peak, 989 / 3.35 = 295.2 with the dense one
    assert scenario.cards["h100"].machine.ridge_point == pytest.approx(295.2238806, rel=1e-9)
    assert scenario.cards["h200"].peak_tflops_dense == 989


def test_gb_are_not_gib():
    """A GB is 10^9 bytes; 2^30 would shrink the weights to 130.4 and find room for 84 requests."""
    gib = replace(START, machine=replace(FOUR_A100, memory_bytes=160 * 2**30))
    assert gib.max_batch == 84  # (171.8e9 - 140e9) / 377,487,360 = 84.2
    assert START.max_batch == 52  # 20e9 / 377,487,360 = 52.98
    assert units.bytes_(140e9 * 1e9 / 2**30) == "130.4 GB"
    assert units.bytes_(LLAMA.weights_bytes) == "140 GB"


def test_query_heads_do_not_enter_the_cache(scenario):
    """Eight KV heads are cached; all 64 query heads are eight times as many, with room for 6 requests."""
    mistaken = kv_bytes_per_token(layers=80, kv_heads=64, head_dim=128, value_bytes=2)
    assert mistaken == 2_621_440  # 2 · 80 · 64 · 128 · 2
    assert replace(START, model=replace(LLAMA, kv_bytes_per_token=mistaken)).max_batch == 6  # 20e9 / 3.02e9
    assert scenario.model.costs.kv_bytes_per_token == 327_680
    assert scenario.operation(scenario.start).max_batch == 52


def test_the_head_size_is_the_stated_one():
    """Qwen3-32B states 128 a head; hidden size over heads, 5,120 / 64 = 80, would lose three eighths."""
    mistaken = kv_bytes_per_token(layers=64, kv_heads=8, head_dim=5120 // 64, value_bytes=2)
    assert mistaken == 163_840  # 2 · 64 · 8 · 80 · 2
    assert (
        kv_bytes_per_token(layers=64, kv_heads=8, head_dim=128, value_bytes=2) == 262_144
    )  # 2 · 64 · 8 · 128 · 2


def test_the_prompt_is_in_the_decode_context():
    """A step at batch 48 reads 48 prompts as well: 26.2 ms, and 23.5 ms with half the answers alone."""
    mistaken = (140e9 + 48 * 64 * 327_680) / 6e12
    assert units.time(mistaken) == "23.5 ms"
    # (140e9 + 48 · 1,088 · 327,680) / 6e12 = 157.11e9 / 6e12
    assert units.time(replace(START, batch_size=48).itl_s) == "26.2 ms"


def test_the_cache_is_counted_once():
    """A key and a value are in the 327,680 bytes already; twice that would leave room for 26 requests."""
    twice = replace(START, model=replace(LLAMA, kv_bytes_per_token=2 * 327_680))
    assert twice.max_batch == 26  # 20e9 / 754,974,720 = 26.5
    assert START.max_batch == 52
    assert replace(START, batch_size=48).cache_end_bytes == 18_119_393_280  # 48 · 1,152 · 327,680
    # nor does a step both read and write it: 140e9 + 48 · 1,088 · 327,680
    assert replace(START, batch_size=48).decode.traffic_bytes == 157_112_760_320


def test_throughput_counts_output_tokens_alone():
    """One request yields 43 tok/s; prompt and output over the latency, 1,152 / 3.109 s, would say 371."""
    mistaken = (1024 + 128) / START.request_latency_s
    assert units.throughput(mistaken) == "371 tok/s"
    assert units.throughput(START.throughput_tok_per_s) == "43 tok/s"
    assert replace(START, prompt_tokens=2048).throughput_tok_per_s < START.throughput_tok_per_s


def test_a_mixture_of_experts_has_two_parameter_counts():
    """Mixtral 8x7B: memory holds all 46.7e9 parameters, and a token's arithmetic passes through 12.9e9."""
    cache = kv_bytes_per_token(layers=32, kv_heads=8, head_dim=128, value_bytes=2)
    mixtral = Model(46_700_000_000, 12_900_000_000, 2, cache)
    ours = Operation(mixtral, FOUR_A100, 1024, 128, 1)
    all_total = replace(ours, model=replace(mixtral, active_parameters=46_700_000_000))
    all_active = replace(ours, model=replace(mixtral, parameters=12_900_000_000))
    assert units.time(all_total.ttft_s) == "76.6 ms"  # 2 · 46.7e9 · 1,024 / 1.248e15
    assert units.bytes_(all_active.model.weights_bytes) == "25.8 GB"  # 2 · 12.9e9
    # 2 · 12.9e9 · 1,024 = 26.4e12 FLOP take 21.2 ms at the peak; (93.4e9 + 0.134e9) / 6e12 = 15.6 ms
    assert units.time(ours.ttft_s) == "21.2 ms"
    assert units.bytes_(ours.model.weights_bytes) == "93.4 GB"  # 2 · 46.7e9


@pytest.mark.parametrize("attention", ["sliding", "latent"])
def test_the_plain_cache_formula_is_for_full_attention_alone(attention, scenario_text, faults):
    """For DeepSeek-V3 it would give 57 times the latent cache; other attention does not load."""
    mistaken = kv_bytes_per_token(layers=61, kv_heads=128, head_dim=128, value_bytes=2)
    latent = 61 * (512 + 64) * 2  # a compressed vector and a rotary key, a layer
    assert (mistaken, latent) == (3_997_696, 70_272)
    text = scenario_text.replace("kv_heads = 8\n", f'kv_heads = 8\nattention = "{attention}"\n', 1)
    assert faults(text) == [
        f"scenario.toml:10: model.attention: is '{attention}', and must be 'full'; write 'full'"
    ]
