"""Doubts about figures that are valid and hardly true: each says what was probably taken for what.

A doubt stops no build. It is raised where a figure matches a known slip, or lies where no machine does, and
not where it is merely unusual: whoever serves on something odd is not to learn to look away.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from builder.errors import Finding
from builder.scenario_tables import HardwareTable, ModelTable
from builder.toml_file import Location, TomlFile

# TFLOP/s a device: from a small processor to the fastest accelerators in four bits.
LEAST_PEAK, LARGEST_PEAK = 1, 20_000
# GB/s a device: three times the fastest HBM of 2025, and below any of it taken in bits.
LARGEST_BANDWIDTH = 25_000
# GB a device: from a small graphics card to several times the largest that was sold in 2025.
LEAST_MEMORY, LARGEST_MEMORY = 1, 2_000
# FLOP/B: processors lie above the one, the fastest accelerators in four bits below the other.
LEAST_RIDGE, LARGEST_RIDGE = 10, 2_000

GIB = 2**30 / 10**9
# GB, as memory is sold.
SIZES = (8, 12, 16, 24, 32, 40, 48, 64, 80, 94, 96, 128, 141, 180, 192, 256, 288)

# A key of a table, or "" for the table; the rule; the hint.
Doubt = tuple[str, str, str]


@dataclass(frozen=True)
class KnownCard:
    """What a data sheet says of a card.

    Attributes:
        name: a pattern of its name.
        dense: the peak in TFLOP/s without sparsity, by the bits of a number.
        bandwidths: in GB/s, one for each kind that goes by the name.
        source: where the figures are from.
    """

    name: str
    dense: Mapping[int, float]
    bandwidths: tuple[float, ...]
    source: str


# More special names come first. Where NVIDIA prints only figures with sparsity, these are half of them.
KNOWN_CARDS = (
    KnownCard(r"V100", {16: 125}, (900, 1134), "NVIDIA V100 data sheet, SXM2"),
    KnownCard(r"A100", {16: 312, 8: 624, 4: 1248}, (1555, 1935, 2039), "NVIDIA A100 data sheet"),
    KnownCard(r"H100\W*PCIe", {16: 756, 8: 1513}, (2000,), "NVIDIA H100 data sheet, PCIe"),
    KnownCard(r"H100\W*NVL", {16: 835, 8: 1671}, (3900,), "NVIDIA H100 data sheet, NVL"),
    KnownCard(r"H100", {16: 989, 8: 1979}, (3350,), "NVIDIA H100 data sheet, SXM"),
    KnownCard(r"H200\W*NVL", {16: 835, 8: 1671}, (4800,), "NVIDIA H200 data sheet, NVL"),
    KnownCard(r"H200", {16: 989, 8: 1979}, (4800,), "NVIDIA H200 data sheet, SXM"),
    KnownCard(r"B200", {16: 2250, 8: 4500, 4: 9000}, (8000,), "NVIDIA DGX B200 data sheet, an eighth of it"),
    KnownCard(r"L4", {16: 121, 8: 242.5, 4: 485}, (300,), "NVIDIA L4 data sheet"),
    KnownCard(r"L40S", {16: 362, 8: 733}, (864,), "NVIDIA L40S data sheet"),
    KnownCard(r"MI300X", {16: 1307, 8: 2615}, (5300,), "AMD Instinct MI300X data sheet"),
    KnownCard(r"TPU\W*v4", {16: 275, 8: 275}, (1200,), "Google Cloud's page on TPU v4"),
    KnownCard(r"TPU\W*v5e", {16: 197, 8: 393}, (800, 819), "Google Cloud's page on TPU v5e"),
    KnownCard(r"TPU\W*v5p", {16: 459, 8: 918}, (2765,), "Google Cloud's page on TPU v5p"),
    KnownCard(r"TPU\W*v6e", {16: 918, 8: 1836}, (1600, 1640), "Google Cloud's page on TPU v6e"),
)

_WIDTH = re.compile(r"(?<![A-Z0-9])(?:BF|BFLOAT|TF|FP|NVFP|MXFP|FLOAT|U?INT|NF|W|Q)[-_ ]?(\d{1,2})(?!\d)")


def doubts(
    file: TomlFile, model: ModelTable, cards: Mapping[tuple[str, ...], HardwareTable]
) -> tuple[Finding, ...]:
    """What is hardly true in a valid scenario.

    Args:
        file: the scenario's, for the lines.
        model: its model.
        cards: each table of cards by where it stands in the file.
    """
    found = [_finding(file, ("model",), doubt) for doubt in _model_doubts(model)]
    bits = min(_widths(model.precision), default=4)
    for location, card in cards.items():
        found += [_finding(file, location, doubt) for doubt in _card_doubts(card, bits)]
    return tuple(found)


def _finding(file: TomlFile, location: Location, doubt: Doubt) -> Finding:
    key, rule, hint = doubt
    return file.finding((*location, key) if key else location, rule, hint)


def _widths(precision: str) -> list[int]:
    """The bits of each number format in a name.

    >>> _widths("BF16"), _widths("W4A16"), _widths("GPTQ")
    ([16], [4], [])
    """
    return [width for found in _WIDTH.findall(precision.upper()) if 2 <= (width := int(found)) <= 64]


def _model_doubts(model: ModelTable) -> Iterator[Doubt]:
    yield from _weight_doubts(model)
    if model.kv_bytes > 4:
        yield "kv_bytes", *_bits_for_bytes(model.kv_bytes)
    kv_width = model.kv_heads * model.head_dim
    # Keys and values alone need two matrices a layer, of this width and of the model's, which is no less.
    if 2 * model.layers * kv_width**2 > model.parameters:
        rule = (
            f"with kv_heads, makes keys {kv_width} numbers wide, "
            f"too wide for {model.layers} layers of {model.parameters:g} parameters"
        )
        yield "head_dim", rule, "give the size of one head and the count of KV heads, not the whole width"


def _weight_doubts(model: ModelTable) -> Iterator[Doubt]:
    value, widths = model.weight_bytes, _widths(model.precision)
    if any(_holds(width, value) for width in widths):
        return
    if value > 4 or value in widths:
        yield "weight_bytes", *_bits_for_bytes(value)
    elif widths:
        rule = f"is {value:g}, and {model.precision} has {widths[0] / 8:g} bytes a parameter"
        yield "weight_bytes", rule, "mend it, or model.precision"


def _holds(width: int, value: float) -> bool:
    """Whether a format may take so many bytes; narrow ones have scales, and some layers stay wide."""
    return 0.99 <= value * 8 / width <= (1.01 if width >= 16 else 1.5)


def _bits_for_bytes(value: float) -> tuple[str, str]:
    return f"is {value:g}: bits, it seems, taken for bytes", f"{value:g} bits are {value / 8:g}"


def _card_doubts(card: HardwareTable, bits: int) -> Iterator[Doubt]:
    known = _known(card.name)
    peak, bandwidth = card.peak_tflops_dense, card.bandwidth_gb_s
    rates = [*_peak_doubts(peak, known, bits), *_bandwidth_doubts(bandwidth, known)]
    yield from rates
    yield from _memory_doubts(card.memory_gb)
    ridge = card.machine.ridge_point
    # A rate that is doubted already explains its ridge.
    if not rates and not LEAST_RIDGE <= ridge <= LARGEST_RIDGE:
        rule = f"has a ridge of {ridge:g} FLOP/B, not {LEAST_RIDGE} to {LARGEST_RIDGE} as machines have"
        yield "", rule, "look at the units of peak_tflops_dense (TFLOP/s) and bandwidth_gb_s (GB/s)"


def _known(name: str) -> KnownCard | None:
    """The card that goes by this name, also with more around it: `NVIDIA A100-SXM4-80GB`."""
    for card in KNOWN_CARDS:
        if re.search(rf"(?<![A-Z0-9])(?:{card.name})(?![A-Z0-9])", name, re.IGNORECASE):
            return card
    return None


def _peak_doubts(peak: float, known: KnownCard | None, bits: int) -> Iterator[Doubt]:
    if not LEAST_PEAK <= peak <= LARGEST_PEAK:
        rule = f"is {peak:g}, outside the {LEAST_PEAK} to {LARGEST_PEAK} TFLOP/s that devices have"
        yield "peak_tflops_dense", rule, "give the figure of one card, in TFLOP/s"
        return
    # Numbers of `bits` may be computed with in a wider format, but not in a narrower one.
    dense = {width: figure for width, figure in known.dense.items() if width >= bits} if known else {}
    if not known or any(_near(peak, figure, 0.02) for figure in dense.values()):
        return
    for width, figure in sorted(dense.items()):
        for factor, times in ((2, "twice"), (4, "four times")):
            if _near(peak, factor * figure, 0.02):
                rule = f"is {peak:g}, {times} the {figure:g} that this card has dense in {width} bits"
                slip = "that is its figure with sparsity or in fewer bits"
                yield "peak_tflops_dense", rule, f"{slip}; write {figure:g} ({known.source})"
                return


def _bandwidth_doubts(bandwidth: float, known: KnownCard | None) -> Iterator[Doubt]:
    as_bytes = bandwidth / 8
    if known and any(_near(as_bytes, figure, 0.05) for figure in known.bandwidths):
        rule = f"is {bandwidth:g}, eight times what this card has: bits, it seems, taken for bytes"
        yield "bandwidth_gb_s", rule, f"write {as_bytes:g} ({known.source})"
    elif bandwidth > LARGEST_BANDWIDTH:
        rule = f"is {bandwidth:g}, above the {LARGEST_BANDWIDTH} GB/s that devices have at most"
        yield (
            "bandwidth_gb_s",
            rule,
            f"give that of one card, in bytes: {bandwidth:g} bits are {as_bytes:g}",
        )


def _memory_doubts(memory: float) -> Iterator[Doubt]:
    if not LEAST_MEMORY <= memory <= LARGEST_MEMORY:
        rule = f"is {memory:g}, outside the {LEAST_MEMORY} to {LARGEST_MEMORY} GB that devices have"
        yield "memory_gb", rule, "give that of one card, in GB"
        return
    for size in SIZES:
        if _near(memory, size * GIB):
            rule, hint = f"is {memory:g}, which is {size} GiB in GB", "as cards are sold"
        elif _near(memory, size / GIB):
            rule, hint = f"is {memory:g}, which is {size} GB in GiB", "a GB is 10^9 bytes here"
        else:
            continue
        yield "memory_gb", rule, f"{hint}: write {size}"
        return


def _near(value: float, figure: float, tolerance: float = 0.0015) -> bool:
    return abs(value / figure - 1) <= tolerance
