"""Doubts about figures: what is probably a slip is told with its reason, and what is merely odd is not."""

import pytest

# Name, GB, GB/s, dense TFLOP/s and precision, as the makers' data sheets have them.
PLAIN = [
    ("V100 32 GB", 32, 900, 125, "FP16"),
    ("A100 40 GB", 40, 1500, 312, "BF16"),
    ("A100 40 GB", 40, 1555, 312, "BF16"),
    ("NVIDIA A100-SXM4-80GB", 80, 2039, 312, "BF16"),
    ("A100 80 GB PCIe", 80, 1935, 624, "INT8"),
    ("A100 80 GB", 80, 2039, 1248, "INT4"),
    ("H100", 80, 3350, 989, "BF16"),
    ("H100 SXM", 80, 3350, 989.4, "BF16"),
    ("H100 SXM", 80, 3350, 1979, "FP8"),
    ("H100 SXM", 80, 3350, 989, "FP8"),
    ("H100 PCIe", 80, 2000, 756, "BF16"),
    ("H100 NVL", 94, 3900, 835.5, "BF16"),
    ("H200", 141, 4800, 989, "BF16"),
    ("B200", 180, 8000, 2250, "BF16"),
    ("B200", 192, 8000, 9000, "NVFP4"),
    ("GB200", 186, 8000, 2500, "BF16"),
    ("L4", 24, 300, 121, "BF16"),
    ("L40S", 48, 864, 362, "BF16"),
    ("L40S", 48, 864, 733, "FP8"),
    ("AMD Instinct MI300X", 192, 5300, 1307, "BF16"),
    ("MI300X", 192, 5300, 2614.9, "FP8"),
    ("TPU v4", 32, 1228, 275, "BF16"),
    ("TPU v5e", 16, 819, 197, "BF16"),
    ("TPU v5p", 95, 2765, 459, "BF16"),
    ("RTX 4090", 24, 1008, 165, "BF16"),
    ("M2 Ultra", 192, 800, 27, "FP16"),
    ("a server's processor", 768, 460, 10.8, "BF16"),
]
WEIGHT_BYTES = {"FP16": 2, "BF16": 2, "FP8": 1, "INT8": 1, "INT4": 0.5, "NVFP4": 0.5625}


@pytest.fixture
def doubts(load, toy):
    """The doubts about the toy scenario with some lines replaced, as they are printed but for the folder."""
    return lambda lines: [str(doubt).partition("scenario.toml:")[2] for doubt in load(toy(lines)).doubts]


def card(name="card", memory=80, bandwidth=2000, peak=400, precision="BF16", weight_bytes=2):
    """The lines that make the toy's machine another one."""
    return {
        5: f'precision = "{precision}"',
        10: f"weight_bytes = {weight_bytes}",
        16: f'name = "{name}"',
        18: f"memory_gb = {memory}",
        19: f"bandwidth_gb_s = {bandwidth}",
        20: f"peak_tflops_dense = {peak}",
    }


def test_the_shipped_scenario_is_not_doubted(scenario):
    """No figure of the page's own model and of its five kinds of cards looks like a slip."""
    assert len(scenario.cards) == 5
    assert scenario.doubts == ()


@pytest.mark.parametrize(("name", "memory", "bandwidth", "peak", "precision"), PLAIN)
def test_a_data_sheet_is_not_doubted(name, memory, bandwidth, peak, precision, doubts):
    """The figures of real cards are taken as they are, in each precision that they compute in."""
    assert doubts(card(name, memory, bandwidth, peak, precision, WEIGHT_BYTES[precision])) == []


SPARSE = [
    ("A100 40 GB", 624, "BF16", "twice the 312 that this card has dense in 16 bits", "312 (NVIDIA A100"),
    ("A100-SXM4-80GB", 1248, "FP16", "four times the 312 that", "312 (NVIDIA A100"),
    ("A100", 1248, "INT8", "twice the 624 that this card has dense in 8 bits", "624 (NVIDIA A100"),
    ("H100", 1979, "BF16", "twice the 989 that", "989 (NVIDIA H100 data sheet, SXM"),
    ("H100 SXM", 1978.9, "BF16", "twice the 989 that", "989 (NVIDIA H100 data sheet, SXM"),
    ("H100", 3958, "BF16", "four times the 989 that", "989 (NVIDIA H100"),
    ("H100", 3958, "FP8", "twice the 1979 that this card has dense in 8 bits", "1979 (NVIDIA H100"),
    ("H100 PCIe", 1513, "BF16", "twice the 756 that", "756 (NVIDIA H100 data sheet, PCIe"),
    ("h200", 1979, "BF16", "twice the 989 that", "989 (NVIDIA H200"),
    ("B200", 4500, "BF16", "twice the 2250 that", "2250 (NVIDIA DGX B200"),
    ("L4", 242, "BF16", "twice the 121 that", "121 (NVIDIA L4"),
    ("L40S", 733, "BF16", "twice the 362 that", "362 (NVIDIA L40S"),
    ("MI300X", 2614.9, "BF16", "twice the 1307 that", "1307 (AMD Instinct MI300X"),
    ("TPU v5e", 393, "BF16", "twice the 197 that", "197 (Google Cloud"),
]


@pytest.mark.parametrize(("name", "peak", "precision", "rule", "mend"), SPARSE)
def test_a_peak_that_is_not_the_dense_one(name, peak, precision, rule, mend, doubts):
    """A peak with sparsity, or in fewer bits than the model's, is told with the dense one and its source."""
    (doubt,) = doubts(card(name, peak=peak, precision=precision, weight_bytes=WEIGHT_BYTES[precision]))
    assert doubt.startswith(f"20: hardware.peak_tflops_dense: is {peak}, {rule}")
    assert f"; that is its figure with sparsity or in fewer bits; write {mend}" in doubt


def test_a_doubt_has_the_form_of_a_finding(doubts):
    """It is said where, what, why and what to write; other cards have theirs at their own table."""
    lines = {
        28: "[cards.h100]",
        29: 'name = "H100"',
        33: "peak_tflops_dense = 1979",
        32: "bandwidth_gb_s = 3350",
    }
    assert doubts(lines) == [
        "33: cards.h100.peak_tflops_dense: is 1979, twice the 989 that this card has dense in 16 bits; "
        "that is its figure with sparsity or in fewer bits; write 989 (NVIDIA H100 data sheet, SXM)"
    ]


BITS = [
    ("BF16", 16, "is 16: bits, it seems, taken for bytes; 16 bits are 2"),
    ("FP8", 8, "is 8: bits, it seems, taken for bytes; 8 bits are 1"),
    ("INT4", 4, "is 4: bits, it seems, taken for bytes; 4 bits are 0.5"),
    ("W4A16", 4, "is 4: bits, it seems, taken for bytes; 4 bits are 0.5"),
    ("AWQ", 16, "is 16: bits, it seems, taken for bytes; 16 bits are 2"),
    ("BF16", 1, "is 1, and BF16 has 2 bytes a parameter; mend it, or model.precision"),
    ("bfloat16", 4, "is 4, and bfloat16 has 2 bytes a parameter; mend it, or model.precision"),
    ("FP8", 2, "is 2, and FP8 has 1 bytes a parameter; mend it, or model.precision"),
    ("FP32", 2, "is 2, and FP32 has 4 bytes a parameter; mend it, or model.precision"),
    ("INT4", 1, "is 1, and INT4 has 0.5 bytes a parameter; mend it, or model.precision"),
]


@pytest.mark.parametrize(("precision", "value", "said"), BITS)
def test_bytes_that_are_not_those_of_the_precision(precision, value, said, doubts):
    """Bits taken for bytes, and bytes of another precision than the one that is named, are told."""
    assert doubts({5: f'precision = "{precision}"', 10: f"weight_bytes = {value}"}) == [
        f"10: model.weight_bytes: {said}"
    ]


@pytest.mark.parametrize(
    ("precision", "value"),
    [
        *[
            ("BF16", 2),
            ("FP16", 2.0),
            ("float32", 4),
            ("TF32", 4),
            ("FP8", 1),
            ("fp8_e4m3", 1.03),
            ("INT8", 1),
        ],
        *[("INT4", 0.5), ("MXFP4", 0.53125), ("Q4_K_M", 0.606), ("W4A16", 0.56), ("INT3", 0.4)],
        *[("BF16 in 2 parts", 2), ("FP8 weights, BF16 cache", 1), ("FP8 weights, BF16 cache", 2)],
        *[("GPTQ", 0.55), ("mixed", 1.3), ("version 3", 2)],
    ],
)
def test_bytes_that_go_with_the_precision(precision, value, doubts):
    """Formats with scales take a little more than their bits, and a name without bits says nothing."""
    assert doubts({5: f'precision = "{precision}"', 10: f"weight_bytes = {value}"}) == []


def test_a_cache_in_bits(doubts):
    """No cached value has more than four bytes; a cache may be wider or narrower than the weights."""
    assert doubts({11: "kv_bytes = 16"}) == [
        "11: model.kv_bytes: is 16: bits, it seems, taken for bytes; 16 bits are 2"
    ]
    assert doubts({5: 'precision = "FP8"', 10: "weight_bytes = 1", 11: "kv_bytes = 2"}) == []
    assert doubts({11: "kv_bytes = 1"}) == []


@pytest.mark.parametrize(
    ("name", "bandwidth", "right"),
    [
        ("A100 40 GB", 12440, "1555"),
        ("A100 80 GB", 16312, "2039"),
        ("H100", 26800, "3350"),
        ("L4", 2400, "300"),
    ],
)
def test_a_bandwidth_in_bits(name, bandwidth, right, doubts):
    """Eight times what the card's data sheet has is told with an eighth of it."""
    (doubt,) = doubts(card(name, bandwidth=bandwidth, peak=1000))
    assert doubt.startswith(
        f"19: hardware.bandwidth_gb_s: is {bandwidth}, eight times what this card has: "
        f"bits, it seems, taken for bytes; write {right} ("
    )


def test_a_bandwidth_that_no_device_has(doubts):
    """An unknown card is doubted above 25,000 GB/s, and up to there it is not."""
    assert doubts(card(bandwidth=25_001)) == [
        "19: hardware.bandwidth_gb_s: is 25001, above the 25000 GB/s that devices have at most; "
        "give that of one card, in bytes: 25001 bits are 3125.12"
    ]
    assert doubts(card(bandwidth=25_000)) == []


@pytest.mark.parametrize(
    ("memory", "said"),
    [
        (42.9, "is 42.9, which is 40 GiB in GB; as cards are sold: write 40"),
        (42.949672960, "is 42.9497, which is 40 GiB in GB; as cards are sold: write 40"),
        (85.9, "is 85.9, which is 80 GiB in GB; as cards are sold: write 80"),
        (25.77, "is 25.77, which is 24 GiB in GB; as cards are sold: write 24"),
        (37.25, "is 37.25, which is 40 GB in GiB; a GB is 10^9 bytes here: write 40"),
        (74.5, "is 74.5, which is 80 GB in GiB; a GB is 10^9 bytes here: write 80"),
        (131.3, "is 131.3, which is 141 GB in GiB; a GB is 10^9 bytes here: write 141"),
    ],
)
def test_gib_and_gb(memory, said, doubts):
    """Memory that is a card's in the other unit is told with the figure that it is sold by."""
    assert doubts(card(memory=memory)) == [f"18: hardware.memory_gb: {said}"]


@pytest.mark.parametrize("memory", [1, 6, 8, 10, 11, 20, 36, 44, 75, 79.6, 84, 95, 144, 186, 512, 1536])
def test_memory_of_another_size(memory, doubts):
    """Other sizes, the part of a card that is free among them, are nobody's slip."""
    assert doubts(card(memory=memory)) == []


@pytest.mark.parametrize(("memory", "said"), [("0.08", "0.08"), ("80_000", "80000"), ("81_920", "81920")])
def test_memory_that_no_device_has(memory, said, doubts):
    """Memory in TB, MB or MiB is told, with the unit that it is in."""
    assert doubts(card(memory=memory)) == [
        f"18: hardware.memory_gb: is {said}, outside the 1 to 2000 GB that devices have; "
        "give that of one card, in GB"
    ]


@pytest.mark.parametrize(
    ("peak", "bandwidth", "ridge"), [(20, 2001, "9.995"), (1.5, 400, "3.75"), (801, 400, "2002.5")]
)
def test_a_ridge_that_no_machine_has(peak, bandwidth, ridge, doubts):
    """A ridge below 10 or above 2,000 is told at the table, with the units that may be mixed up."""
    assert doubts(card(peak=peak, bandwidth=bandwidth)) == [
        f"15: hardware: has a ridge of {ridge} FLOP/B, not 10 to 2000 as machines have; "
        "look at the units of peak_tflops_dense (TFLOP/s) and bandwidth_gb_s (GB/s)"
    ]


@pytest.mark.parametrize(("peak", "bandwidth"), [(20, 2000), (1, 100), (800, 400), (20_000, 10_000)])
def test_a_ridge_and_a_peak_at_their_limits(peak, bandwidth, doubts):
    """Exactly 10, 2,000, 1 TFLOP/s and 20,000 TFLOP/s are not doubted."""
    assert doubts(card(peak=peak, bandwidth=bandwidth)) == []


@pytest.mark.parametrize(("peak", "said"), [("0.989", "0.989"), ("20_001", "20001"), ("312e12", "3.12e+14")])
def test_a_peak_that_no_device_has(peak, said, doubts):
    """A peak in PFLOP/s, FLOP/s or of a whole rack is told once, and not by its ridge again."""
    assert doubts(card(peak=peak)) == [
        f"20: hardware.peak_tflops_dense: is {said}, outside the 1 to 20000 TFLOP/s that devices have; "
        "give the figure of one card, in TFLOP/s"
    ]


def test_heads_that_do_not_go_into_the_model(doubts):
    """The width of all heads taken for that of one makes keys larger than the model can hold."""
    # 2 layers, keys and values of 4 · 128 = 512 numbers: 2 · 2 · 512² = 1,048,576 of 1,000,000 parameters
    assert doubts({9: "head_dim = 128"}) == [
        "9: model.head_dim: with kv_heads, makes keys 512 numbers wide, "
        "too wide for 2 layers of 1e+06 parameters; "
        "give the size of one head and the count of KV heads, not the whole width"
    ]
    assert doubts({9: "head_dim = 124"}) == []  # 2 · 2 · 496² = 984,064


def test_all_doubts_in_one_run(doubts):
    """The model's and every card's doubts come together, each once."""
    lines = card("A100", memory=42.9, bandwidth=12440, peak=624, weight_bytes=16) | {
        33: "peak_tflops_dense = 0.1"
    }
    assert [doubt.partition(": is")[0] for doubt in doubts(lines)] == [
        "10: model.weight_bytes",
        "20: hardware.peak_tflops_dense",
        "19: hardware.bandwidth_gb_s",
        "18: hardware.memory_gb",
        "33: cards.other.peak_tflops_dense",
    ]
