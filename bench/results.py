"""What was measured, and how the pages compare."""

import statistics
from collections import defaultdict

PAGES = ("built", "altair", "handwritten")


class Results:
    """Every measurement by page and quantity, in the order of the rounds."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], list[float]] = defaultdict(list)

    def add(self, page: str, quantity: str, *values: float) -> None:
        """Takes in one more measurement, or several."""
        self._found[page, quantity].extend(values)

    def median(self, page: str, quantity: str) -> float | None:
        """The middle of what was measured; None where nothing was."""
        values = self._found.get((page, quantity))
        return statistics.median(values) if values else None

    def high(self, page: str, quantity: str) -> float | None:
        """What 95 of a hundred measurements do not exceed; None where there are none."""
        values = sorted(self._found.get((page, quantity), ()))
        return values[max(0, -(-95 * len(values) // 100) - 1)] if values else None
