"""Logarithmic axes: how far they reach, and their ticks."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class LogAxis:
    """A domain and the decades inside it.

    Attributes:
        low: its lower end.
        high: its upper end.
    """

    low: float
    high: float

    @property
    def decades(self) -> list[float]:
        """The powers of ten inside the domain."""
        return [float(f"1e{power}") for power in self.powers]

    @property
    def powers(self) -> range:
        """The exponents of the decades."""
        return range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)

    @property
    def length(self) -> float:
        """Decades between the ends."""
        return math.log10(self.high / self.low)


def intensity_axis(values: Iterable[float]) -> LogAxis:
    """Up to the next power of ten, and down to one digit below three quarters of the lowest value.

    >>> intensity_axis([0.98, 6057])
    LogAxis(low=0.7, high=10000.0)
    """
    found = list(values)
    return LogAxis(_one_digit_down(min(found) * 0.75), 10.0 ** math.ceil(math.log10(max(found) * 1.01)))


def rate_axis(lowest: float, peak: float) -> LogAxis:
    """One and three of a decade around the lowest rate and the peak, with room for a label on either side.

    Above the peak that is an eighth of the axis at least, which the label of a point on the roof fills.

    >>> rate_axis(5.9e12, 1.248e15)
    LogAxis(low=3000000000000.0, high=3000000000000000.0)
    """
    low = max(_steps(lowest / 1.5, below=True))
    return LogAxis(low, min(_steps(peak * max(2, (peak / low) ** (1 / 7)), below=False)))


def roomy_axis(lowest: float, highest: float, room: float) -> LogAxis:
    """From one value to another, with `room`, a share below a half of the whole axis, free at either end.

    >>> roomy_axis(10, 1000, 0.25)
    LogAxis(low=1.0, high=10000.0)
    """
    beyond = 10 ** (math.log10(highest / lowest) * room / (1 - 2 * room))
    return LogAxis(lowest / beyond, highest * beyond)


def at_least_a_decade(lowest: float, highest: float) -> tuple[float, float]:
    """Both values, or a decade around them where they lie closer.

    >>> at_least_a_decade(10, 1000)
    (10, 1000)
    >>> [round(value, 2) for value in at_least_a_decade(5, 20)]
    [3.16, 31.62]
    """
    middle, half = math.sqrt(lowest) * math.sqrt(highest), math.sqrt(10)
    return (lowest, highest) if highest >= 10 * lowest else (middle / half, middle * half)


def _steps(value: float, *, below: bool) -> Iterator[float]:
    """One and three of the decades around `value`, on one side of it."""
    nearest = math.floor(math.log10(value))
    for power in (nearest - 1, nearest, nearest + 1):
        for step in (float(f"1e{power}"), float(f"3e{power}")):
            if step <= value if below else step >= value:
                yield step


def tick_labels(axis: LogAxis, *, unit: str = "") -> dict[str, str]:
    """The decades as an axis writes them, by the value's text in Vega.

    >>> tick_labels(LogAxis(0.7, 1e4))
    {'1': '1', '10': '10', '100': '100', '1000': '1k', '10000': '10k'}
    >>> tick_labels(LogAxis(3e12, 3e15), unit="F")
    {'10000000000000': '10 TF', '100000000000000': '100 TF', '1000000000000000': '1 PF'}
    """
    return {_key(power): _tick(decade, unit) for power, decade in zip(axis.powers, axis.decades, strict=True)}


def rate_ticks(axis: LogAxis) -> dict[float, str]:
    """The decades inside the domain, or one, two and five of each where there is but one.

    >>> rate_ticks(LogAxis(7, 2000))
    {10.0: '10', 100.0: '100', 1000.0: '1k'}
    >>> rate_ticks(LogAxis(15, 160))
    {20.0: '20', 50.0: '50', 100.0: '100'}
    """
    values = axis.decades if len(axis.powers) > 1 else _one_two_five(axis)
    return {value: _tick(value, "") for value in values}


def time_ticks(axis: LogAxis) -> dict[float, str]:
    """One, two and five of each decade of seconds inside the domain, as an axis writes them.

    >>> time_ticks(LogAxis(0.02, 2))
    {0.02: '20 ms', 0.05: '50 ms', 0.1: '100 ms', 0.2: '200 ms', 0.5: '500 ms', 1.0: '1 s', 2.0: '2 s'}
    """
    values = _one_two_five(axis)
    return {value: f"{value:g} s" if value >= 1 else f"{value * 1e3:g} ms" for value in values}


def _one_two_five(axis: LogAxis) -> list[float]:
    """One, two and five of each decade, as far as they lie inside the domain."""
    powers = range(math.floor(math.log10(axis.low)), math.ceil(math.log10(axis.high)) + 1)
    values = [float(f"{step}e{power}") for power in powers for step in (1, 2, 5)]
    return [value for value in values if axis.low <= value <= axis.high]


def _key(power: int) -> str:
    """A power of ten as JavaScript writes it: it takes to exponents later than Python."""
    if -7 < power < 21:
        return f"{float(f'1e{power}'):.{max(0, -power)}f}"
    return f"1e{power:+d}"


def _tick(value: float, unit: str) -> str:
    for scale, prefix in ((1e15, "P"), (1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k")):
        if value >= scale:
            return f"{value / scale:g}{' ' if unit else ''}{prefix}{unit}"
    return f"{value:g}{' ' + unit if unit else ''}"


def _one_digit_down(value: float) -> float:
    power = math.floor(math.log10(value))
    return round(math.floor(value / 10.0**power) * 10.0**power, -power)
