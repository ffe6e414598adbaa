"""The grid: every figure in every state, as columns over the axes that each depends on."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import Any

from builder import batch_curve
from builder.figures import STATE_FIGURES, View, regime, view
from builder.scenario import Axis, Scenario, State

# A chart places points with these: four figures are a hundredth of a pixel on any axis here.
DRAWN_FIGURES = 4


NUMBERS: dict[str, tuple[str, Callable[[View], float]]] = {
    "prefill_flop_per_byte": ("prompt", lambda v: v.operation.prefill.arithmetic_intensity),
    "prefill_flop_per_s": ("prompt", lambda v: v.operation.prefill.achieved_flop_per_s),
    "decode_flop_per_byte": ("prompt output batch", lambda v: v.operation.decode.arithmetic_intensity),
    "decode_flop_per_s": ("prompt output batch", lambda v: v.operation.decode.achieved_flop_per_s),
    "ttft_s": ("prompt", lambda v: v.operation.ttft_s),
    "itl_s": ("prompt output batch", lambda v: v.operation.itl_s),
    "output_tokens": ("output", lambda v: v.state.output),
}


@dataclass(frozen=True)
class Column:
    """One quantity over the states.

    Attributes:
        axes: the axes that it depends on, in the order of the scenario's.
        values: one a combination of their stops, the last axis running fastest.
    """

    axes: tuple[str, ...]
    values: tuple[Any, ...]


@dataclass(frozen=True, eq=False)
class Grid:
    """All states of a scenario; equal only to itself, so that what is drawn of it can be kept beside it.

    Attributes:
        texts: the live figures as they are written, and the regime, by name.
        numbers: what the charts place their marks by, in SI units and to four figures.
        curve: what the chart of all batches places its marks by, likewise.
        notes: what it says of the whole curve.
    """

    scenario: Scenario
    texts: dict[str, Column]
    numbers: dict[str, Column]
    curve: dict[str, Column]
    notes: dict[str, Column]

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The scenario's axes."""
        return self.scenario.axes

    @cached_property
    def columns(self) -> dict[str, Column]:
        """All of them together."""
        return self.texts | self.numbers | self.curve | self.notes

    def states(self) -> Iterator[State]:
        """Every state, in the order of the rows: prompt slowest, batch fastest."""
        return (State(*stops) for stops in product(*(axis.stops for axis in self.axes)))

    def rows(self, names: tuple[str, ...], states: Collection[State] | None = None) -> list[dict[str, Any]]:
        """One record a state, of all or of those given: the named columns, and its own number as `row`."""
        positions = product(*(range(len(axis.stops)) for axis in self.axes))
        return [
            {"row": row} | {name: self._at(self.columns[name], position) for name in names}
            for row, (position, state) in enumerate(zip(positions, self.states(), strict=True))
            if states is None or state in states
        ]

    def opened_at(self, state: State) -> "Grid":
        """The same grid, with another state to start at."""
        axes = (replace(axis, start=getattr(state, axis.name)) for axis in self.axes)
        return replace(self, scenario=replace(self.scenario, axes=tuple(axes)))

    def _at(self, column: Column, position: tuple[int, ...]) -> Any:
        index = 0
        for axis, stop in zip(self.axes, position, strict=True):
            if axis.name in column.axes:
                index = index * len(axis.stops) + stop
        return column.values[index]


# A preview builds the same few scenarios again and again, whatever else of the content was changed.
KEPT = 8


@lru_cache(KEPT)
def build_grid(scenario: Scenario) -> Grid:
    """Evaluates the model at every stop of every axis; the grid of the same scenario is the same one."""
    texts = {name: _column(scenario, figure.axes, figure.text) for name, figure in STATE_FIGURES.items()}
    texts["regime"] = _column(scenario, tuple(a.name for a in scenario.axes), lambda v: regime(v.operation))
    numbers = {name: _numbers(scenario, *number) for name, number in NUMBERS.items()}
    curve = {name: _numbers(scenario, *number) for name, number in batch_curve.NUMBERS.items()}
    notes = {
        name: _column(scenario, tuple(axes.split()), note) for name, (axes, note) in batch_curve.NOTES.items()
    }
    return Grid(scenario, texts, numbers, curve, notes)


def _numbers(scenario: Scenario, axes: str, value: Callable[[View], float]) -> Column:
    return _column(scenario, tuple(axes.split()), lambda view: _drawn(value(view)))


def _column(scenario: Scenario, axes: tuple[str, ...], value: Callable[[View], Any]) -> Column:
    """`value` at each combination of stops; an axis that it does not depend on stays at its start."""
    stops = [axis.stops if axis.name in axes else (axis.start,) for axis in scenario.axes]
    view_at = _views(scenario)
    return Column(axes, tuple(value(view_at(*at)) for at in product(*stops)))


@lru_cache(1)
def _views(scenario: Scenario) -> Callable[..., View]:
    """The view of a state by its stops, made once for all columns."""
    return cache(lambda *at: view(scenario, State(*at)))


def _drawn(value: float) -> float:
    return float(f"{value:.{DRAWN_FIGURES}g}")
