"""A second implementation of the model and of how numbers are written, in exact fractions.

It shares no code with the builder and imports none of it: every formula and every form below is written again
from the definitions. It knows one scenario, the one that the page starts at: Llama 3 70B in BF16 on four
A100 40 GB.
"""

import json
from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction
from pathlib import Path

PUBLISHED = json.loads((Path(__file__).parent / "figures.json").read_text(encoding="utf-8"))

PARAMETERS = Fraction(70 * 10**9)
WEIGHTS = PARAMETERS * 2
CACHE_PER_TOKEN = Fraction(2 * 80 * 8 * 128 * 2)
PEAK = Fraction(4 * 312 * 10**12)
BANDWIDTH = Fraction(4 * 1_500 * 10**9)
MEMORY = Fraction(4 * 40 * 10**9)
RIDGE = PEAK / BANDWIDTH

PROMPTS = (32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144)
OUTPUTS = (16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048)
BATCHES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)


def exact(prompt: int, output: int, batch: int) -> dict[str, Fraction | bool | int | str | None]:
    """The figures of a state, unrounded, by the names of figures.json and a few more."""
    context = prompt + Fraction(output, 2)
    prefill_flops = 2 * PARAMETERS * prompt
    prefill_bytes = WEIGHTS + prompt * CACHE_PER_TOKEN
    decode_flops = 2 * PARAMETERS * batch
    decode_bytes = WEIGHTS + batch * context * CACHE_PER_TOKEN
    ttft = max(prefill_flops / PEAK, prefill_bytes / BANDWIDTH)
    itl = max(decode_flops / PEAK, decode_bytes / BANDWIDTH)
    cache_end = batch * (prompt + output) * CACHE_PER_TOKEN
    return {
        "ttft": ttft,
        "itl": itl,
        "latency": ttft + output * itl,
        "throughput": batch / itl,
        "decode_steps": ttft / itl,
        "prefill_intensity": prefill_flops / prefill_bytes,
        "prefill_of_peak": prefill_flops / ttft / PEAK,
        "prefill_bound": "compute" if prefill_flops / PEAK >= prefill_bytes / BANDWIDTH else "memory",
        "decode_intensity": decode_flops / decode_bytes,
        "decode_of_peak": decode_flops / itl / PEAK,
        "decode_bound": "compute" if decode_flops / PEAK >= decode_bytes / BANDWIDTH else "memory",
        "cache_mid": batch * context * CACHE_PER_TOKEN,
        "cache_end": cache_end,
        "fits": WEIGHTS + cache_end <= MEMORY,
        "shortfall": max(Fraction(0), WEIGHTS + cache_end - MEMORY),
        "max_batch": max(0, (MEMORY - WEIGHTS) // ((prompt + output) * CACHE_PER_TOKEN)),
        "crossing_batch": _crossing(context * CACHE_PER_TOKEN),
        "crossing_prompt": _crossing(CACHE_PER_TOKEN),
    }


def _crossing(cache: Fraction) -> int | None:
    """The smallest n with 2·N·n / (W + n·cache) >= ridge."""
    divisor = 2 * PARAMETERS - RIDGE * cache
    return -((-RIDGE * WEIGHTS) // divisor) if divisor > 0 else None


def figures(prompt: int, output: int, batch: int) -> dict[str, str]:
    """Every live figure of a state, as the page writes it."""
    found = exact(prompt, output, batch)
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


def constants() -> dict[str, str]:
    """The figures of the scenario alone, as the page writes them."""
    return {
        "ridge": _tenths_below_100(RIDGE),
        "peak": _rate(PEAK, 15) + " PFLOP/s",
        "bandwidth": _rate(BANDWIDTH, 12) + " TB/s",
        "weights": _bytes(WEIGHTS),
    }


def _rounded(value: Fraction | int, places: int) -> Decimal:
    """The nearest double, rounded half to even on its exact binary value: what Python's `format` does."""
    return Decimal(float(value)).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_EVEN)


def _grouped(value: Fraction | int) -> str:
    return f"{int(_rounded(value, 0)):,}"


def _tenths_below_100(value: Fraction) -> str:
    if value == 0:
        return "0"
    tenths = _rounded(value, 1)
    return str(tenths if tenths < 100 else _rounded(value, 0))


def _time(seconds: Fraction) -> str:
    milliseconds = _rounded(seconds * 1000, 1)
    if milliseconds < 1000:
        return f"{milliseconds} ms"
    for limit, places in ((10, 2), (100, 1)):
        if _rounded(seconds, places) < limit:
            return f"{_rounded(seconds, places)} s"
    return f"{_rounded(seconds, 0)} s"


def _share(fraction: Fraction, bound: str) -> str:
    if bound == "compute":
        return "100%"
    tenths, whole = _rounded(fraction * 100, 1), _rounded(fraction * 100, 0)
    if tenths < 10:
        return f"{tenths}%"
    return f"{whole}%" if whole < 100 else f"{min(tenths, Decimal('99.9'))}%"


def _tokens(number: int) -> str:
    if number < 1024:
        return f"{number} token" + ("" if number == 1 else "s")
    return _without_zeros(_rounded(Fraction(number, 1024), 1)) + "K tokens"


def _bytes(number: Fraction) -> str:
    megabytes = _rounded(number / 10**6, 0)
    if number and megabytes < 100:
        return f"{megabytes} MB"
    return _without_zeros(_rounded(number / 10**9, 1)) + " GB"


def _rate(value: Fraction, zeros: int) -> str:
    """Three figures of a value whose whole part, in the unit, has one."""
    return _without_zeros(_rounded(value / 10**zeros, 2))


def _without_zeros(number: Decimal) -> str:
    text = str(number)
    return text.rstrip("0").rstrip(".") if "." in text else text
