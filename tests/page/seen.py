"""What the page shows, and what it has to show in a state by the exact fractions of the oracle."""

import math
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from playwright.sync_api import Frame, Page

from tests import oracle

SEEN = (Path(__file__).parent / "seen.js").read_text(encoding="utf-8")

STOPS = {"prompt": oracle.PROMPTS, "output": oracle.OUTPUTS, "batch": oracle.BATCHES}
PRESETS = {
    "prompt": (32, 128, 512, 1024, 2048, 4096),
    "output": (16, 64, 128, 512, 2048),
    "batch": (1, 8, 32, 64, 128, 256, 512),
}
PHASES = {"prefill": "prompt", "decode": "batch"}

# The chart's axes as they were ordered: FLOP per byte and FLOP/s.
INTENSITIES = (0.7, 10_000)
RATES = (3e12, 3e15)


class State(NamedTuple):
    """A state of the page."""

    prompt: int = 1024
    output: int = 128
    batch: int = 1

    @property
    def hash(self) -> str:
        """The state as an address has it."""
        return f"#prompt={self.prompt}&output={self.output}&batch={self.batch}"

    @property
    def values(self) -> dict[str, int]:
        """The positions of the controls: for each axis the index of its stop."""
        return {name: STOPS[name].index(stop) for name, stop in self._asdict().items()}


START = State()
CROSSED = State(batch=512)
TOO_BIG = State(batch=64)
LONGEST = State(6144, 2048, 1024)
SHORTEST = State(32, 16, 1)


def look(page: Page | Frame) -> dict[str, Any]:
    """All that the page shows now."""
    return page.evaluate(SEEN)


def set_state(page: Page | Frame, state: State) -> None:
    """Moves the page to a state; returns when its charts show it."""
    page.evaluate("state => explainer.set(state)", state._asdict())


def settle(page: Page | Frame, state: State) -> None:
    """Waits until the controls have settled at a state, which is in the address then."""
    page.wait_for_function("hash => location.hash === hash", arg=state.hash)


def places(state: State) -> dict[str, tuple[float, float]]:
    """Where each phase lies, as shares of the plot from its lower left corner."""
    found = oracle.exact(*state)
    return {phase: _place(float(found[f"{phase}_intensity"])) for phase in PHASES}


def _place(intensity: float) -> tuple[float, float]:
    rate = min(float(oracle.PEAK), intensity * float(oracle.BANDWIDTH))
    return _share(intensity, *INTENSITIES), _share(rate, *RATES)


def _share(value: float, low: float, high: float) -> float:
    return math.log(value / low) / math.log(high / low)


def check(page: Page | Frame, state: State) -> dict[str, Any]:
    """Asserts that everything on the page shows `state`; gives what it shows."""
    seen = look(page)
    check_seen(seen, state)
    return seen


def check_seen(seen: dict[str, Any], state: State) -> None:
    """Asserts that everything in a look at the page shows `state`."""
    check_numbers(seen, state)
    _check_roofline(seen["roofline"], state)
    _check_timeline(seen["timeline"], state)
    for phase, handle in seen["handles"].items():
        centre = seen["roofline"][phase]["centre"]
        assert math.dist(handle.values(), centre.values()) < 1, f"the handle of {phase} is off its point"


def check_numbers(seen: dict[str, Any], state: State) -> None:
    """Asserts that everything but the charts shows `state`."""
    figures = oracle.figures(*state)
    assert seen["state"] == state._asdict()
    assert [(name, text) for name, text in seen["figures"] if text != figures[name]] == []
    assert sorted(seen["table"]) == sorted(figures)
    assert seen["values"] == state.values
    presets = {(name, stop) for name, stop in state._asdict().items() if stop in PRESETS[name]}
    assert set(seen["pressed"]) == {f"{name}:{stop}" for name, stop in presets}
    for phase in PHASES:
        assert figures[f"{phase}_of_peak"] in seen["reading"]


def _check_roofline(chart: dict[str, Any], state: State) -> None:
    figures = oracle.figures(*state)
    for phase, axis in PHASES.items():
        x, y = places(state)[phase]
        assert (chart[phase]["x"], chart[phase]["y"]) == pytest.approx((x, y), abs=0.1 / chart["width"]), (
            phase
        )
        label = ", ".join(chart[phase]["label"])
        wanted = [
            phase,
            figures[axis],
            figures[f"{phase}_intensity"],
            f"{figures[f'{phase}_of_peak']} of peak",
        ]
        assert [text for text in wanted if text not in label] == [], label


def _check_timeline(chart: dict[str, Any], state: State) -> None:
    found, figures = oracle.exact(*state), oracle.figures(*state)
    pixel = chart["scale"]
    prefill = max(2 * pixel, chart["width"] * float(found["ttft"] / found["latency"]))
    assert chart["prefill"] == pytest.approx(prefill, abs=0.1)
    assert chart["decode"] == pytest.approx(chart["width"] - prefill, abs=0.1)
    spacing = (chart["width"] - prefill) / pixel / state.output
    if abs(spacing - 3) > 0.01:
        assert chart["ticks"] == (state.output - 1 if spacing > 3 else 0)
    words = " ".join(chart["texts"])
    assert figures["ttft"] in words
    assert figures["latency"] in words
