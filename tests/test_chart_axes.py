"""Logarithmic axes: they hold every value, and their ticks are found by what Vega makes of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.charts.axes import LogAxis, intensity_axis, rate_axis, tick_labels

POSITIVE = st.floats(1e-60, 1e60)


@given(st.lists(POSITIVE, min_size=1))
def test_an_intensity_axis_holds_every_value(values):
    """Whatever the intensities, the axis begins above zero, below the lowest, and ends above the highest."""
    axis = intensity_axis(values)
    assert 0 < axis.low <= min(values)
    assert max(values) <= axis.high


@given(POSITIVE, st.floats(1, 1e30))
def test_a_rate_axis_has_room(lowest, times):
    """Half of a decade at most is left below the lowest, an eighth of the axis at least above the peak."""
    axis = rate_axis(lowest, lowest * times)
    assert lowest / 5 < axis.low <= lowest / 1.5 * (1 + 1e-12)
    # A seventh of what lies below the peak is an eighth of the whole; the next end is at most 10 / 3 further.
    peak = lowest * times
    least = peak * max(2, (peak / axis.low) ** (1 / 7))
    assert least * (1 - 1e-12) <= axis.high < least * 3.4


@pytest.mark.parametrize(
    ("power", "key"),
    [
        (-7, "1e-7"),
        (-6, "0.000001"),
        (-1, "0.1"),
        (0, "1"),
        (15, "1000000000000000"),
        (20, "100000000000000000000"),
        (21, "1e+21"),
        (30, "1e+30"),
    ],
)
def test_a_tick_is_found_by_the_text_of_its_value(power, key):
    """A label is kept under what JavaScript makes of the number, at every size."""
    assert list(tick_labels(LogAxis(10.0**power * 0.5, 10.0**power * 2))) == [key]


def test_ticks_have_their_prefixes():
    """Each decade is written with the largest prefix that leaves it whole."""
    labels = list(tick_labels(LogAxis(0.05, 2e16), unit="F").values())
    assert labels[:3] == ["0.1 F", "1 F", "10 F"]
    assert labels[3:8] == ["100 F", "1 kF", "10 kF", "100 kF", "1 MF"]
    assert labels[-3:] == ["100 TF", "1 PF", "10 PF"]
