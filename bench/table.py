"""The results as a table in Markdown, and its place in the README."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from bench.browsing import RATES
from bench.results import Results

BEGIN, END = "<!-- written by make bench -->", "<!-- to here -->"
# Less is nothing to divide by: the blocked time of a page that is never blocked.
LEAST_MS = 5
DASH = "–"


@dataclass(frozen=True)
class Aim:
    """What a ratio should not exceed.

    Attributes:
        against: "altair" or "handwritten".
    """

    against: str
    at_most: float


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        ratios: of the built page to each of the others; None where there is nothing to compare.
        aim: what one of them should not exceed, if any was set.
    """

    label: str
    ratios: dict[str, float | None]
    aim: Aim | None = None

    @property
    def holds(self) -> bool:
        """Whether the aim is reached, as far as one is set; told by the ratio as it is written."""
        ratio = self.ratios[self.aim.against] if self.aim else None
        return ratio is None or self.aim is None or float(_written(ratio)) <= self.aim.at_most

    def line(self) -> str:
        """The row in Markdown."""
        cells = [_written(self.ratios.get(name)) for name in ("altair", "handwritten")]
        return f"| {self.label} | {' | '.join(cells)} | {self._verdict()} |"

    def _verdict(self) -> str:
        if self.aim is None:
            return ""
        other = {"altair": "Altair’s", "handwritten": "by hand"}[self.aim.against]
        return f"{self.aim.at_most:g} × {other}: {'holds' if self.holds else '**missed**'}"


def rows(results: Results) -> list[Row]:
    """Every row, in the order of the table."""
    found = [
        _row("Cold build", results.median, "build", Aim("altair", 1.5)),
        _row("Weight", results.median, "raw"),
        _row("Weight, gzip", results.median, "gzip"),
    ]
    for rate in RATES:
        found += _browser_rows(results, rate)
    return found


def _browser_rows(results: Results, rate: int) -> list[Row]:
    """What the pages do in the browser on a processor slowed so many times."""
    first, live, blocked, move, heap = (
        f"{name} {rate}" for name in ("first", "live", "blocked", "move", "heap")
    )
    sooner = _ratio(results.median("built", live), results.median("altair", first))
    calm = Aim("altair", 0.33) if rate == max(RATES) else None
    return [
        _row(f"First chart drawn, {rate}×", results.median, first, Aim("handwritten", 1.5)),
        _row(f"A moved control moves the chart, {rate}×", results.median, live),
        Row(f"That, against the first chart, {rate}×", {"altair": sooner}, Aim("altair", 1)),
        _row(f"Blocked, all tasks over 50 ms, {rate}×", results.median, blocked, calm, LEAST_MS),
        _row(f"Frame after a move, median, {rate}×", results.median, move, Aim("handwritten", 1.5)),
        _row(f"Frame after a move, 95 of 100, {rate}×", results.high, move),
        _row(f"Heap, {rate}×", results.median, heap),
    ]


Statistic = Callable[[str, str], float | None]


def _row(label: str, of: Statistic, quantity: str, aim: Aim | None = None, least: float = 0) -> Row:
    built = of("built", quantity)
    others = {name: of(name, quantity) for name in ("altair", "handwritten")}
    return Row(label, {name: _ratio(built, other, least) for name, other in others.items()}, aim)


def _ratio(built: float | None, other: float | None, least: float = 0) -> float | None:
    return None if built is None or other is None or other <= least else built / other


def _written(ratio: float | None) -> str:
    return DASH if ratio is None else f"{ratio:.2f}"


def report(results: Results, date: str, versions: dict[str, str]) -> str:
    """The table, with the date and versions before it and, behind it, where the built page loses."""
    found = rows(results)
    known = ", ".join(f"{name} {version}" for name, version in versions.items())
    lines = [
        f"{date}; {known}.",
        "",
        "| the built page against | Altair’s file | by hand | at most |",
        "| --- | ---: | ---: | --- |",
        *(row.line() for row in found),
        "",
        _losses(found, "altair", "Altair’s file"),
        _losses(found, "handwritten", "the page by hand"),
    ]
    return "\n".join(lines)


def _losses(found: list[Row], name: str, other: str) -> str:
    ratios = [(row.label[0].lower() + row.label[1:], _written(row.ratios.get(name))) for row in found]
    lost = [label for label, ratio in ratios if ratio != DASH and float(ratio) > 1]
    return f"Worse than {other}: {'; '.join(lost) or 'nothing'}."


def put_into(readme: str, text: str) -> str:
    """The README with the report between its two marks.

    Raises:
        ValueError: the marks are not there, once each and in order.
    """
    pattern = re.compile(f"{re.escape(BEGIN)}.*?{re.escape(END)}", re.S)
    if len(pattern.findall(readme)) != 1:
        raise ValueError(f"the README must have one {BEGIN} and one {END} after it")
    return pattern.sub(lambda _: f"{BEGIN}\n\n{text}\n\n{END}", readme)
