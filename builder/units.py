"""The one formatter: how a number is written, wherever it appears.

Every function takes a value in SI units and returns number and unit. The form is chosen after rounding, so
that 9.96 % is "10%" and never "10.0%"; rounding is Python's `format`. What is not zero is never written as
zero: where the form would leave nothing of it, the figure that it begins with stays.
"""

import math
from decimal import Decimal

GB = 10**9
K_TOKENS = 1024
DASH = "–"


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"{value} cannot be written")
    return value


def _rounded(value: float, *forms: tuple[float, int], last: int = 0) -> str:
    """`value` with the decimals of the first form, (limit, decimals), that it stays below once rounded."""
    if _finite(value) == 0:
        return "0"
    texts = ((f"{value:z.{decimals}f}", limit) for limit, decimals in forms)
    text = next((text for text, limit in texts if abs(float(text)) < limit), f"{value:z.{last}f}")
    return _kept(text, value)


def _kept(text: str, value: float) -> str:
    """`text`, or the first figure of `value` where the text would leave nothing of it."""
    return text if text.strip("0.") or value == 0 else f"{Decimal(f'{value:.1g}'):f}"


def time(seconds: float) -> str:
    """Seconds as ms below one second, else s.

    >>> time(0.1148717949), time(0.99996), time(13.2)
    ('114.9 ms', '1.00 s', '13.2 s')
    """
    milliseconds = _rounded(seconds * 1e3, last=1)
    if float(milliseconds) < 1000:
        return milliseconds + " ms"
    return _rounded(seconds, (10, 2), (100, 1)) + " s"


def share(fraction: float, *, whole: bool) -> str:
    """A fraction of the peak as a percentage; "100%" is kept for a phase that is at the peak.

    >>> share(0.0996, whole=False), share(0.9996, whole=False), share(1.0, whole=True)
    ('10%', '99.9%', '100%')
    """
    percent = _finite(fraction) * 100
    text = "100" if whole else _rounded(percent, (10, 1))
    if not whole and float(text) >= 100:
        text = min(f"{percent:.1f}", "99.9", key=float)
    return text + "%"


def ratio(value: float) -> str:
    """A ratio or a number of decode steps.

    >>> ratio(4.91), ratio(99.96)
    ('4.9', '100')
    """
    return _rounded(value, (100, 1))


def intensity(flop_per_byte: float) -> str:
    """Arithmetic intensity in FLOP per byte.

    >>> intensity(1021.55)
    '1022 FLOP/B'
    """
    return ratio(flop_per_byte) + " FLOP/B"


def throughput(tokens_per_second: float) -> str:
    """Output tokens a second.

    >>> throughput(8914.29), throughput(0.47)
    ('8,914 tok/s', '0.5 tok/s')
    """
    return count(tokens_per_second) + " tok/s"


def tokens(number: int) -> str:
    """A number of tokens without its noun; K is 1,024, where a number of K with one decimal at most is exact.

    >>> tokens(96), tokens(1024), tokens(1536), tokens(2000)
    ('96', '1K', '1.5K', '2,000')
    """
    if _finite(number) < K_TOKENS:
        return str(number)
    # Rounded, two stops of a control could bear one name, and 2,000 would pass for 2,048.
    if number * 10 % K_TOKENS:
        return count(number)
    return f"{number / K_TOKENS:.1f}".removesuffix(".0") + "K"


def bytes_(number: float) -> str:
    """Bytes as GB (10^9), or whole MB below 0.1 GB.

    >>> bytes_(182_536_110_080), bytes_(140e9), bytes_(13_107_200), bytes_(0)
    ('182.5 GB', '140 GB', '13 MB', '0 GB')
    """
    megabytes = _rounded(number / 1e6)
    if number != 0 and abs(float(megabytes)) < 100:
        return f"{megabytes} MB"
    return f"{number / GB:z.1f}".removesuffix(".0") + " GB"


def flop_rate(flop_per_s: float) -> str:
    """A rate of arithmetic.

    >>> flop_rate(1.248e15), flop_rate(312e12)
    ('1.25 PFLOP/s', '312 TFLOP/s')
    """
    return _three_figures(flop_per_s, "FLOP/s")


def byte_rate(bytes_per_s: float) -> str:
    """A bandwidth.

    >>> byte_rate(6e12)
    '6 TB/s'
    """
    return _three_figures(bytes_per_s, "B/s")


def count(number: float) -> str:
    """A count with its thousands grouped.

    >>> count(1271)
    '1,271'
    """
    return _kept(f"{_finite(number):z,.0f}", number)


def _three_figures(value: float, unit: str) -> str:
    figures = Decimal(f"{_finite(value):z.3g}")
    prefix, zeros = ("P", 15) if figures >= 10**15 and unit == "FLOP/s" else ("T", 12)
    return f"{figures.scaleb(-zeros).normalize():,f} {prefix}{unit}"
