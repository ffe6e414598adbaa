"""What the tests of prose share besides their fixtures."""

import re
from collections.abc import Callable

Render = Callable[..., str]
Slips = Callable[..., list[str]]


def ids(page: str) -> list[str]:
    """The ids in some HTML, in order."""
    return re.findall(r' id="([^"]*)"', page)


def span(phase: str, text: str) -> str:
    """A figure as prose shows it."""
    return f'<span class="figure {phase}">{text}</span>' if phase else f'<span class="figure">{text}</span>'


TTFT = span("prefill", "114.9&nbsp;ms")
