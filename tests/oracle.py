"""A second implementation of the model and of how numbers are written, in exact fractions.

It shares no code with the builder and imports none of it: every formula and every form below is written again
from the definitions. `exact`, `figures` and `constants` are those of the scenario that the page starts at:
Llama 3 70B in BF16 on four A100 40 GB.
"""

import json
from dataclasses import dataclass
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path

PUBLISHED = json.loads((Path(__file__).parent / "figures.json").read_text(encoding="utf-8"))

Exact = Fraction | bool | int | str | None


@dataclass(frozen=True)
class Oracle:
    """A model on its cards, by the figures that a data sheet has: FP8 is one byte, GB and TFLOP are SI."""

    parameters: int = 70 * 10**9
    weight_bytes: int = 2
    layers: int = 80
    kv_heads: int = 8
    head_dim: int = 128
    kv_bytes: int = 2
    cards: int = 4
    card_tflops: int | Fraction = 312
    card_gb_s: int = 1500
    card_memory_gb: int = 40

    @property
    def weights(self) -> Fraction:
        """Bytes of all weights."""
        return Fraction(self.parameters * self.weight_bytes)

    @property
    def cache_per_token(self) -> Fraction:
        """Bytes that a token adds to the cache: a key and a value."""
        return Fraction(2 * self.layers * self.kv_heads * self.head_dim * self.kv_bytes)

    @property
    def peak(self) -> Fraction:
        """FLOP/s of all cards."""
        return Fraction(self.card_tflops) * self.cards * 10**12

    @property
    def bandwidth(self) -> Fraction:
        """Bytes/s of all cards."""
        return Fraction(self.cards * self.card_gb_s * 10**9)

    @property
    def memory(self) -> Fraction:
        """Bytes of all cards."""
        return Fraction(self.cards * self.card_memory_gb * 10**9)

    @property
    def ridge(self) -> Fraction:
        """FLOP/byte."""
        return self.peak / self.bandwidth

    def exact(self, prompt: int, output: int, batch: int) -> dict[str, Exact]:
        """The figures of a state, unrounded, by the names of figures.json and a few more."""
        context = prompt + Fraction(output, 2)
        prefill_flops = Fraction(2 * self.parameters * prompt)
        prefill_bytes = self.weights + prompt * self.cache_per_token
        decode_flops = Fraction(2 * self.parameters * batch)
        decode_bytes = self.weights + batch * context * self.cache_per_token
        ttft = max(prefill_flops / self.peak, prefill_bytes / self.bandwidth)
        itl = max(decode_flops / self.peak, decode_bytes / self.bandwidth)
        cache_end = batch * (prompt + output) * self.cache_per_token
        left = self.memory - self.weights
        return {
            "ttft": ttft,
            "itl": itl,
            "latency": ttft + output * itl,
            "throughput": batch / itl,
            "decode_steps": ttft / itl,
            "prefill_intensity": prefill_flops / prefill_bytes,
            "prefill_of_peak": prefill_flops / ttft / self.peak,
            "prefill_bound": self._bound(prefill_flops, prefill_bytes),
            "decode_intensity": decode_flops / decode_bytes,
            "decode_of_peak": decode_flops / itl / self.peak,
            "decode_bound": self._bound(decode_flops, decode_bytes),
            "cache_mid": batch * context * self.cache_per_token,
            "cache_end": cache_end,
            "fits": cache_end <= left,
            "shortfall": max(Fraction(0), cache_end - left),
            "max_batch": max(0, left // ((prompt + output) * self.cache_per_token)),
            "crossing_batch": self._crossing(context * self.cache_per_token),
            "crossing_prompt": self._crossing(self.cache_per_token),
        }

    def _bound(self, flops: Fraction, traffic: Fraction) -> str:
        return "compute" if flops / self.peak >= traffic / self.bandwidth else "memory"

    def _crossing(self, cache: Fraction) -> int | None:
        """The smallest n with 2·N·n / (W + n·cache) >= ridge."""
        divisor = 2 * self.parameters - self.ridge * cache
        return -int((-self.ridge * self.weights) // divisor) if divisor > 0 else None

    def figures(self, prompt: int, output: int, batch: int) -> dict[str, str]:
        """Every live figure of a state, as the page writes it."""
        found = self.exact(prompt, output, batch)
        return {
            "prompt": _tokens(prompt),
            "output": _tokens(output),
            "batch": f"{_grouped(batch)} request" + ("" if batch == 1 else "s"),
            "ttft": _time(found["ttft"]),
            "itl": _time(found["itl"]),
            "latency": _time(found["latency"]),
            "throughput": _grouped(found["throughput"]) + " tok/s",
            "decode_steps": _tenths_below_100(found["decode_steps"]),
            "prefill_bound": found["prefill_bound"],
            "prefill_intensity": _tenths_below_100(found["prefill_intensity"]) + " FLOP/B",
            "prefill_of_peak": _share(found["prefill_of_peak"], found["prefill_bound"]),
            "decode_bound": found["decode_bound"],
            "decode_intensity": _tenths_below_100(found["decode_intensity"]) + " FLOP/B",
            "decode_of_peak": _share(found["decode_of_peak"], found["decode_bound"]),
            "cache_mid": _bytes(found["cache_mid"]),
            "cache": _bytes(found["cache_end"]),
            "fits": "fits" if found["fits"] else "does not fit",
            "shortfall": _bytes(found["shortfall"]),
            "max_batch": _grouped(found["max_batch"]),
        }


SHIPPED = Oracle()
exact, figures = SHIPPED.exact, SHIPPED.figures
PEAK, BANDWIDTH = SHIPPED.peak, SHIPPED.bandwidth

PROMPTS = (32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144)
OUTPUTS = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


def constants() -> dict[str, str]:
    """The figures of the scenario alone, as the page writes them."""
    return {
        "ridge": _tenths_below_100(SHIPPED.ridge),
        "peak": _rate(PEAK, 15) + " PFLOP/s",
        "bandwidth": _rate(BANDWIDTH, 12) + " TB/s",
        "weights": _bytes(SHIPPED.weights),
    }


def _rounded(value: Fraction | int, places: int) -> Decimal:
    """The nearest double, rounded half to even on its exact binary value: what Python's `format` does.

    Of what would be rounded to nothing the first figure stays.
    """
    exact = Decimal(float(value))
    rounded = exact.quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)
    if exact and not rounded:
        return exact.quantize(Decimal(1).scaleb(exact.adjusted()), rounding=ROUND_HALF_EVEN)
    return rounded


def _grouped(value: Fraction | int) -> str:
    return f"{_rounded(value, 0):,f}"


def _tenths_below_100(value: Fraction) -> str:
    if value == 0:
        return "0"
    tenths = _rounded(value, 1)
    return f"{tenths if tenths < 100 else _rounded(value, 0):f}"


def _time(seconds: Fraction) -> str:
    milliseconds = _rounded(seconds * 1000, 1)
    if milliseconds < 1000:
        return f"{milliseconds:f} ms"
    for limit, places in ((10, 2), (100, 1)):
        if _rounded(seconds, places) < limit:
            return f"{_rounded(seconds, places)} s"
    return f"{_rounded(seconds, 0)} s"


def _share(fraction: Fraction, bound: str) -> str:
    if bound == "compute":
        return "100%"
    tenths, whole = _rounded(fraction * 100, 1), _rounded(fraction * 100, 0)
    if tenths < 10:
        return f"{tenths:f}%"
    return f"{whole}%" if whole < 100 else f"{min(tenths, Decimal('99.9'))}%"


def _tokens(number: int) -> str:
    if number < 1024:
        return f"{number} token" + ("" if number == 1 else "s")
    if (2 * number) % 1024:
        return f"{number:,} tokens"
    return _without_zeros(_rounded(Fraction(number, 1024), 1)) + "K tokens"


def _bytes(number: Fraction) -> str:
    megabytes = _rounded(number / 10**6, 0)
    if number and megabytes < 100:
        return f"{megabytes:f} MB"
    return _without_zeros(_rounded(number / 10**9, 1)) + " GB"


def _rate(value: Fraction, zeros: int) -> str:
    """Three figures of a value whose whole part, in the unit, has one."""
    return _without_zeros(_rounded(value / 10**zeros, 2))


def _without_zeros(number: Decimal) -> str:
    text = str(number)
    return text.rstrip("0").rstrip(".") if "." in text else text
