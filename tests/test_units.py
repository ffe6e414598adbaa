"""How numbers are written: every form, its edges, and what holds for any value."""

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder import units

# function, value, text; the values below and above each limit are the nearest that round to either side
WRITTEN = [
    # time: ms with one decimal below 1 s; s with two decimals below 10, one below 100, none above
    (units.time, 0, "0 ms"),
    (units.time, 0.0234, "23.4 ms"),
    (units.time, 0.9999, "999.9 ms"),
    (units.time, 0.99994, "999.9 ms"),
    (units.time, 0.99995, "1.00 s"),
    (units.time, 0.99996, "1.00 s"),
    (units.time, 1, "1.00 s"),
    (units.time, 3.109144133, "3.11 s"),
    (units.time, 9.994, "9.99 s"),
    (units.time, 9.996, "10.0 s"),
    (units.time, 13.2, "13.2 s"),
    (units.time, 99.94, "99.9 s"),
    (units.time, 99.96, "100 s"),
    (units.time, 869.4, "869 s"),
    (units.time, 12_345.6, "12346 s"),
    # intensity: one decimal below 100, none above
    (units.intensity, 0, "0 FLOP/B"),
    (units.intensity, 0.9974599267, "1.0 FLOP/B"),
    (units.intensity, 46.7, "46.7 FLOP/B"),
    (units.intensity, 99.94, "99.9 FLOP/B"),
    (units.intensity, 99.96, "100 FLOP/B"),
    (units.intensity, 1021.551601, "1022 FLOP/B"),
    # decode steps and ratios: the same
    (units.ratio, 0, "0"),
    (units.ratio, 4.910571947, "4.9"),
    (units.ratio, 0.75, "0.8"),
    (units.ratio, 0.25, "0.2"),
    (units.ratio, 99.96, "100"),
    (units.ratio, 1024, "1024"),
    # throughput: whole, thousands grouped
    (units.throughput, 0, "0 tok/s"),
    (units.throughput, 42.74828257, "43 tok/s"),
    (units.throughput, 999.6, "1,000 tok/s"),
    (units.throughput, 8914.285714, "8,914 tok/s"),
    # tokens: plain below 1,024, then K with at most one decimal
    (units.tokens, 0, "0"),
    (units.tokens, 96, "96"),
    (units.tokens, 1023, "1023"),
    (units.tokens, 1024, "1K"),
    # and where that would not be exact, the number itself: 2,000 is not 2,048
    (units.tokens, 1025, "1,025"),
    (units.tokens, 2000, "2,000"),
    (units.tokens, 3024, "3,024"),
    (units.tokens, 1536, "1.5K"),
    (units.tokens, 6144, "6K"),
    (units.tokens, 131_072, "128K"),
    # bytes: GB with one decimal, ".0" dropped; MB, whole, below 0.1 GB
    (units.bytes_, 0, "0 GB"),
    (units.bytes_, 13_107_200, "13 MB"),
    (units.bytes_, 99.4e6, "99 MB"),
    (units.bytes_, 99.6e6, "0.1 GB"),
    (units.bytes_, 0.0999e9, "0.1 GB"),
    (units.bytes_, 0.1e9, "0.1 GB"),
    (units.bytes_, 999.96e6, "1 GB"),
    (units.bytes_, 140e9, "140 GB"),
    (units.bytes_, 182_536_110_080, "182.5 GB"),
    (units.bytes_, 2_748_779_069_440, "2748.8 GB"),
    (units.bytes_, -61_107_412_992, "-61.1 GB"),
    (units.bytes_, -13_107_200, "-13 MB"),
    # rates: three figures, trailing zeros dropped
    (units.flop_rate, 0, "0 TFLOP/s"),
    (units.flop_rate, 312e12, "312 TFLOP/s"),
    (units.flop_rate, 999.4e12, "999 TFLOP/s"),
    (units.flop_rate, 999.6e12, "1 PFLOP/s"),
    (units.flop_rate, 1.248e15, "1.25 PFLOP/s"),
    (units.flop_rate, 15.832e15, "15.8 PFLOP/s"),
    (units.flop_rate, 1.248e18, "1,250 PFLOP/s"),
    (units.flop_rate, 5e7, "0.00005 TFLOP/s"),
    (units.byte_rate, 0, "0 TB/s"),
    (units.byte_rate, 1.5e12, "1.5 TB/s"),
    (units.byte_rate, 1.555e12, "1.56 TB/s"),
    (units.byte_rate, 6e12, "6 TB/s"),
    (units.byte_rate, 13.4e12, "13.4 TB/s"),
    (units.byte_rate, 3.35e15, "3,350 TB/s"),
    (units.byte_rate, 1e9, "0.001 TB/s"),
    # counts: grouped
    (units.count, 0, "0"),
    (units.count, 52, "52"),
    (units.count, 1271, "1,271"),
    (units.count, 70_000_000_000, "70,000,000,000"),
    # what the form would leave nothing of has the figure that it begins with
    (units.time, 0.00006, "0.1 ms"),
    (units.time, 0.00003, "0.03 ms"),
    (units.time, 4.4e-9, "0.000004 ms"),
    (units.ratio, 0.04, "0.04"),
    (units.intensity, 0.012, "0.01 FLOP/B"),
    (units.throughput, 0.47, "0.5 tok/s"),
    (units.throughput, 0.0321, "0.03 tok/s"),
    (units.throughput, 0.96, "1 tok/s"),
    (units.bytes_, 300_000, "0.3 MB"),
    (units.bytes_, -40_000, "-0.04 MB"),
    # a zero has no sign
    (units.count, -0.0, "0"),
    (units.bytes_, -0.0, "0 GB"),
    (units.flop_rate, -0.0, "0 TFLOP/s"),
    (units.time, -0.0, "0 ms"),
]


@pytest.mark.parametrize(("write", "value", "text"), WRITTEN, ids=lambda v: getattr(v, "__name__", str(v)))
def test_each_form_and_its_edges(write, value, text):
    """A value is written in the form that it has after rounding."""
    assert write(value) == text


@pytest.mark.parametrize(
    ("percent", "text"),
    [
        (0, "0%"),
        (0.0312, "0.03%"),
        (0.4795480417, "0.5%"),
        (9.94, "9.9%"),
        (9.96, "10%"),
        (10.4, "10%"),
        (92.27, "92%"),
        (99.4, "99%"),
        (99.49, "99%"),
        (99.51, "99.5%"),
        (99.7, "99.7%"),
        (99.94, "99.9%"),
        (99.96, "99.9%"),
        (99.9999999, "99.9%"),
        (100, "99.9%"),
    ],
)
def test_a_share_short_of_the_peak_is_never_whole(percent, text):
    """A memory-bound phase shows at most 99.9 %, with one decimal from 99.5 on."""
    assert units.share(percent / 100, whole=False) == text


@pytest.mark.parametrize("fraction", [1.0, 1, 1 - 2**-53])
def test_a_share_at_the_peak_is_whole(fraction):
    """A compute-bound phase is at 100 %, whatever a last bit says."""
    assert units.share(fraction, whole=True) == "100%"


WRITERS = {
    "time": units.time,
    "share": lambda value: units.share(value, whole=False),
    "whole share": lambda value: units.share(value, whole=True),
    "ratio": units.ratio,
    "intensity": units.intensity,
    "throughput": units.throughput,
    "tokens": units.tokens,
    "bytes": units.bytes_,
    "flop rate": units.flop_rate,
    "byte rate": units.byte_rate,
    "count": units.count,
}


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf], ids=str)
@pytest.mark.parametrize("write", WRITERS.values(), ids=WRITERS)
def test_what_is_no_number_is_refused(write, value):
    """No function writes a value that is not finite."""
    with pytest.raises(ValueError, match="cannot be written"):
        write(value)


# What each unit stands for in SI, by the function that writes it.
SCALES = {
    "time": {"ms": Fraction(1, 1000), "s": 1},
    "share": {"%": Fraction(1, 100)},
    "ratio": {"": 1},
    "intensity": {"FLOP/B": 1},
    "throughput": {"tok/s": 1},
    "tokens": {"": 1, "K": 1024},
    "bytes": {"MB": 10**6, "GB": 10**9},
    "flop rate": {"TFLOP/s": 10**12, "PFLOP/s": 10**15},
    "byte rate": {"TB/s": 10**12},
    "count": {"": 1},
}
FORM = re.compile(r"(\d{1,3}(?:,\d{3})+|\d+)(\.\d+)? ?([A-Za-z%][A-Za-z/]*)?")
VALUES = st.just(0.0) | st.floats(min_value=1e-9, max_value=1e18)


@pytest.mark.parametrize("name", SCALES)
@given(value=VALUES)
def test_what_is_written_is_the_value_to_half_a_last_digit(name, value):
    """Any finite value becomes one number with one unit, at most half a last digit away from the value."""
    value = {"share": value / 1e18, "tokens": int(value)}.get(name, value)
    text = WRITERS[name](value)
    form = FORM.fullmatch(text)
    assert form, text
    number, scale = Fraction(form[1].replace(",", "") + (form[2] or "")), SCALES[name][form[3] or ""]
    # the share below 100 % is the one form that is cut and not rounded
    within = 1 if text == "99.9%" else Fraction(1, 2) + Fraction(1, 10**9)
    assert abs(number * scale - Fraction(value)) <= within * _last_digit(number, form) * scale


@pytest.mark.parametrize("name", sorted(SCALES.keys() - {"tokens"}))
@given(value=st.floats(min_value=1e-9, max_value=1e18))
def test_only_zero_is_written_as_zero(name, value):
    """However small a value is, its text has a figure of it; tokens are whole, and never small."""
    form = FORM.fullmatch(WRITERS[name](value))
    assert form
    assert float(form[1].replace(",", "") + (form[2] or "")) > 0


def _last_digit(number: Fraction, form: re.Match[str]) -> Fraction:
    """The step of a form, zeros that it drops included."""
    if form[3] in {"TFLOP/s", "PFLOP/s", "TB/s"}:
        return Fraction(10) ** (math.floor(math.log10(number)) - 2) if number else Fraction(0)
    decimals = 1 if form[3] in {"K", "GB"} else len(form[2] or ".") - 1
    return Fraction(1, 10**decimals)


@given(value=VALUES)
def test_a_small_unit_is_left_at_its_limit(value):
    """No time reads 1000.0 ms and no size 100 MB: the form is chosen after rounding."""
    for text, limit in ((units.time(value), 1000), (units.bytes_(value), 100)):
        number, unit = text.split()
        assert unit in {"s", "GB"} or float(number) < limit


@given(fraction=st.floats(min_value=0, max_value=1, exclude_max=True))
def test_no_share_below_the_peak_looks_like_the_peak(fraction):
    """Short of the peak no rounding ever gives 100 %."""
    assert float(units.share(fraction, whole=False).removesuffix("%")) <= 99.9
