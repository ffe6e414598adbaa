"""The grid: every figure in every state, as columns over the axes that each depends on."""

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, lru_cache
from itertools import product
from typing import Any

from builder.figures import CURVE_FIGURES, STATE_FIGURES, View, regime, view
from builder.roofline import Operation
from builder.scenario import Axis, Scenario, State

# A chart places points with these: four figures are a hundredth of a pixel on any axis here.
DRAWN_FIGURES = 4


def _at_batch(view: View, batch: int | None) -> Operation | None:
    """The state at another batch, if that is one that the page can be set to."""
    most = next(axis.stops[-1] for axis in view.scenario.axes if axis.name == "batch")
    return replace(view.operation, batch_size=batch) if batch and batch <= most else None


def _full(view: View) -> Operation | None:
    return _at_batch(view, view.operation.max_batch)


def _at_ridge(view: View) -> Operation | None:
    return _at_batch(view, view.operation.crossing_batch)


def _itl(operation: Operation | None) -> float:
    """Inter-token latency in seconds; 0 where there is none."""
    return operation.itl_s if operation else 0


def _throughput(operation: Operation | None) -> float:
    """Tokens a second; 0 where there are none."""
    return operation.throughput_tok_per_s if operation else 0


NUMBERS: dict[str, tuple[str, Callable[[View], float]]] = {
    "prefill_flop_per_byte": ("prompt", lambda v: v.operation.prefill.arithmetic_intensity),
    "prefill_flop_per_s": ("prompt", lambda v: v.operation.prefill.achieved_flop_per_s),
    "decode_flop_per_byte": ("prompt output batch", lambda v: v.operation.decode.arithmetic_intensity),
    "decode_flop_per_s": ("prompt output batch", lambda v: v.operation.decode.achieved_flop_per_s),
    "ttft_s": ("prompt", lambda v: v.operation.ttft_s),
    "itl_s": ("prompt output batch", lambda v: v.operation.itl_s),
    "output_tokens": ("output", lambda v: v.state.output),
    "tok_per_s": ("prompt output batch", lambda v: v.operation.throughput_tok_per_s),
    "full_itl_s": ("prompt output", lambda v: _itl(_full(v))),
    "full_tok_per_s": ("prompt output", lambda v: _throughput(_full(v))),
    "ridge_itl_s": ("prompt output", lambda v: _itl(_at_ridge(v))),
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
        notes: what charts say of a whole curve of batches.
    """

    scenario: Scenario
    texts: dict[str, Column]
    numbers: dict[str, Column]
    notes: dict[str, Column] = field(default_factory=dict)

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The scenario's axes."""
        return self.scenario.axes

    @cached_property
    def columns(self) -> dict[str, Column]:
        """Texts, numbers and notes together."""
        return self.texts | self.numbers | self.notes

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
    numbers = {
        name: _column(scenario, tuple(axes.split()), lambda v, value=value: _drawn(value(v)))
        for name, (axes, value) in NUMBERS.items()
    }
    notes = {name: _column(scenario, figure.axes, figure.text) for name, figure in CURVE_FIGURES.items()}
    return Grid(scenario, texts, numbers, notes)


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
