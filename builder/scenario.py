"""The scenario: a model, its machine, the grid of states, and the source of every figure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from builder import roofline
from builder.errors import ContentError, Finding
from builder.toml_file import T, Table, TomlFile, place_of

AXES = ("prompt", "output", "batch")
MAX_ROWS = 100_000

# What no machine or model reaches; within it every product of figures stays finite.
SMALLEST, LARGEST = 1e-12, 1e15


def _in_reach(number: float) -> float:
    if not SMALLEST <= number <= LARGEST:
        raise ValueError(f"must lie between {SMALLEST:g} and {LARGEST:g}")
    return number


Name = Annotated[str, Field(min_length=1)]
Count = Annotated[int, Field(gt=0), AfterValidator(_in_reach)]
Quantity = Annotated[float, Field(gt=0), AfterValidator(_in_reach)]
OptionalCount = Count | None
FIGURE_TYPES: tuple[object, ...] = (int, float, OptionalCount)


def _rising(stops: tuple[int, ...]) -> tuple[int, ...]:
    if not stops:
        raise ValueError("needs at least one entry")
    twice = [str(stop) for stop in sorted(set(stops)) if stops.count(stop) > 1]
    faults = [f"has {', '.join(twice)} more than once"] if twice else []
    faults += ["does not rise"] if list(stops) != sorted(stops) else []
    if faults:
        raise ValueError(f"{' and '.join(faults)}; write {sorted(set(stops))}")
    return stops


Stops = Annotated[tuple[Count, ...], Field(strict=False), AfterValidator(_rising)]


Origin = Annotated[
    Annotated[Name, Tag("text")] | Annotated[dict[str, Name], Tag("table")],
    Discriminator(lambda value: "table" if isinstance(value, dict) else "text"),
]


class Sourced(Table):
    """A table of figures; `source` says where each comes from: one text for all, or one a key."""

    source: Origin


class ModelTable(Sourced):
    """A language model with full attention, and the precision that it is served in."""

    name: Name
    precision: Name
    parameters: Count
    active_parameters: OptionalCount = None
    checkpoint_parameters: OptionalCount = None
    layers: Count
    kv_heads: Count
    head_dim: Count
    attention: Literal["full"] = "full"
    weight_bytes: Quantity
    kv_bytes: Quantity
    context_window: Count

    @cached_property
    def costs(self) -> roofline.Model:
        """What the formulas need of it."""
        return roofline.Model(
            parameters=self.parameters,
            active_parameters=self.active_parameters or self.parameters,
            weight_bytes=self.weight_bytes,
            kv_bytes_per_token=roofline.kv_bytes_per_token(
                self.layers, self.kv_heads, self.head_dim, self.kv_bytes
            ),
        )


class HardwareTable(Sourced):
    """Cards of one kind; every figure is that of one card, the peak the dense one."""

    name: Name
    count: Count
    memory_gb: Quantity
    bandwidth_gb_s: Quantity
    peak_tflops_dense: Quantity

    @cached_property
    def machine(self) -> roofline.Machine:
        """All cards together, in SI units."""
        return roofline.Machine(
            peak_flop_per_s=self.count * self.peak_tflops_dense * 10**12,
            bandwidth_bytes_per_s=self.count * self.bandwidth_gb_s * 10**9,
            memory_bytes=self.count * self.memory_gb * 10**9,
        )


class GridTable(Table):
    """The stops of each axis, rising."""

    prompt: Stops
    output: Stops
    batch: Stops


class StartTable(Table):
    """The state that the page opens at."""

    prompt: Count
    output: Count
    batch: Count


class ScenarioTable(Table):
    """The whole file; its tables are validated one by one, so that one at fault does not hide another's."""

    model: ModelTable
    hardware: HardwareTable
    cards: dict[str, HardwareTable] = Field(default={})
    grid: GridTable
    presets: GridTable
    start: StartTable


@dataclass(frozen=True, slots=True)
class State:
    """A point of the grid: tokens, tokens, requests."""

    prompt: int
    output: int
    batch: int


@dataclass(frozen=True)
class Axis:
    """One control: its stops, the presets among them, and the stop it starts at."""

    name: str
    stops: tuple[int, ...]
    presets: tuple[int, ...]
    start: int


@dataclass(frozen=True)
class Scenario:
    """A validated scenario.

    Attributes:
        cards: the start's hardware under "", and the others that the prose compares it with, by key.
        axes: in the order of `AXES`.
        doubts: figures that can hardly be meant.
    """

    file: str
    model: ModelTable
    cards: dict[str, HardwareTable]
    axes: tuple[Axis, ...]
    doubts: tuple[Finding, ...] = ()

    def __hash__(self) -> int:
        """By what can be hashed of it; the rest is compared."""
        return hash((self.file, self.axes))

    @property
    def hardware(self) -> HardwareTable:
        """The cards that the page is about."""
        return self.cards[""]

    @property
    def start(self) -> State:
        """The state that the page opens at."""
        return State(*(axis.start for axis in self.axes))

    def operation(self, state: State, card: str = "") -> roofline.Operation:
        """The model's view of a state, on the scenario's own cards or on another kind."""
        return roofline.Operation(
            self.model.costs, self.cards[card].machine, state.prompt, state.output, state.batch
        )


def load_scenario(path: Path) -> Scenario:
    """Reads and validates a scenario.

    Raises:
        ContentError: with every finding of the file.
    """
    file = TomlFile(path)
    findings = list(_unknown_tables(file))
    tables = _Tables(file, findings)
    findings.extend(tables.cross_findings())
    if findings:
        raise ContentError(findings)
    return tables.scenario()


def _unknown_tables(file: TomlFile) -> Iterator[Finding]:
    """Tables that are missing or unknown; what is wrong inside them is found table by table."""
    findings: list[Finding] = []
    file.validate(ScenarioTable, findings)
    names = {*file.data, *ScenarioTable.model_fields}
    yield from (finding for finding in findings if finding.place in names)


class _Tables:
    """The tables of one file, each validated by itself; one at fault is None."""

    def __init__(self, file: TomlFile, findings: list[Finding]) -> None:
        def read(kind: type[T], *location: str) -> T | None:
            data = file.at(location)
            return None if data is None else file.validate(kind, findings, location, data)

        self.file = file
        self.model = read(ModelTable, "model")
        self.hardware = read(HardwareTable, "hardware")
        others: dict[str, Any] = file.sound(dict[str, Any], "cards") or {}
        self.cards = {name: read(HardwareTable, "cards", name) for name in others}
        self.grid = read(GridTable, "grid")
        self.presets = read(GridTable, "presets")
        self.start = read(StartTable, "start")

    def scenario(self) -> Scenario:
        """The scenario, once nothing is at fault."""
        if not (self.model and self.hardware and self.grid and self.presets and self.start):
            raise AssertionError("a table at fault, and no finding")
        others = {name: card for name, card in self.cards.items() if card}
        axes = tuple(
            Axis(name, getattr(self.grid, name), getattr(self.presets, name), getattr(self.start, name))
            for name in AXES
        )
        return Scenario(self.file.source.file, self.model, {"": self.hardware, **others}, axes)

    def cross_findings(self) -> Iterator[Finding]:
        """Faults between keys, wherever the keys concerned are valid by themselves."""
        yield from self._source_findings(ModelTable, "model")
        yield from self._source_findings(HardwareTable, "hardware")
        for name in self.cards:
            yield from self._source_findings(HardwareTable, "cards", name)
        if "" in self.cards:
            yield self.file.finding(("cards", ""), "has no name", "write [cards.name]")
        stops = {name: self.file.sound(Stops, "grid", name) for name in AXES}
        for name in AXES:
            yield from self._axis_findings(name, stops[name] or ())
        if all(stops.values()):
            yield from self._size_findings({name: len(stops[name]) for name in AXES})
        window = self.file.sound(Count, "model", "context_window")
        if stops["prompt"] and stops["output"] and window:
            yield from self._context_findings(stops["prompt"][-1], stops["output"][-1], window)

    def _source_findings(self, kind: type[Sourced], *location: str) -> Iterator[Finding]:
        """Figures without a source and sources without a figure, where there is one source a key."""
        source = self.file.sound(dict[str, Any], *location, "source")
        if source is None:
            return
        fields = {
            name: field for name, field in kind.model_fields.items() if field.annotation in FIGURE_TYPES
        }
        figures = set(fields) & set(self.file.at(location))
        needed = {name for name, field in fields.items() if field.is_required()}
        for key in sorted(figures - set(source)):
            hint = f"say where the figure is from in {place_of((*location, 'source'))}"
            yield self.file.finding((*location, key), "has no source", hint)
        for key in sorted(set(source) - figures - needed):
            yield self.file.finding(
                (*location, "source", key), "is the source of no figure here", "remove it"
            )

    def _axis_findings(self, name: str, stops: tuple[int, ...]) -> Iterator[Finding]:
        presets = self.file.sound(Stops, "presets", name) or ()
        start = self.file.sound(Count, "start", name)
        wanted = [(("presets", name), preset) for preset in presets]
        wanted += [(("start", name), start)] if start else []
        for location, stop in wanted if stops else []:
            if stop not in stops:
                near = min(stops, key=lambda s: abs(s - stop))
                yield self.file.finding(
                    location, f"{stop} is not a stop of grid.{name}", f"the nearest is {near}"
                )

    def _size_findings(self, sizes: dict[str, int]) -> Iterator[Finding]:
        rows = math.prod(sizes.values())
        if rows > MAX_ROWS:
            longest = max(sizes, key=lambda name: sizes[name])
            rule = f"makes {rows:,} states with the other axes, and {MAX_ROWS:,} is the most a page carries"
            yield self.file.finding(
                ("grid", longest), rule, f"shrink this axis, the longest ({sizes[longest]} stops)"
            )

    def _context_findings(self, prompt: int, output: int, window: int) -> Iterator[Finding]:
        if prompt + output > window:
            rule = f"passes the context window: {prompt} + {output} > {window} tokens"
            axis = "prompt" if prompt >= output else "output"
            yield self.file.finding(
                ("grid", axis), rule, "drop the longest stops, or mend model.context_window"
            )
