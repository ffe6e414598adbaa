"""Where things stand on a slide, in pixels of one that is 1,920 wide and 1,080 high."""

from typing import NamedTuple

from builder.look import Look, choose_look


class Box(NamedTuple):
    """A rectangle."""

    left: int
    top: int
    width: int
    height: int


SLIDE = Box(0, 0, 1920, 1080)
TITLE = Box(96, 36, 1728, 84)
TITLE_ALONE = Box(96, 330, 1728, 120)
TEXT_ALONE = Box(96, 480, 1400, 300)

# A chart with two axes wants height, and has the text beside it; the others have it above.
_TALL = {"roofline", "throughput"}


def text_box(chart: str) -> Box:
    """Where the text of a slide stands."""
    if not chart:
        return TEXT_ALONE
    return Box(96, 168, 500, 800) if chart in _TALL else Box(96, 138, 1728, 130)


def chart_box(chart: str) -> Box:
    """Where the chart of a slide stands; it brings its own margin."""
    return Box(600, 120, 1320, 960) if chart in _TALL else Box(48, 290, 1824, 760)


def chart_look(chart: str, theme: str) -> Look:
    """The look of a chart that fills its box."""
    box = chart_box(chart)
    return choose_look(theme, "", f"{box.width}x{box.height}", 1)
