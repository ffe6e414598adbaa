"""The scenario: a model, its machine, the grid of states, and the source of every figure."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from builder import roofline
from builder.errors import ContentError, Finding
from builder.plausibility import doubts
from builder.scenario_tables import (
    FIGURE_TYPES,
    Count,
    GridTable,
    HardwareTable,
    ModelTable,
    ScenarioTable,
    Sourced,
    StartTable,
    Stops,
)
from builder.toml_file import T, TomlFile, place_of

AXES = ("prompt", "output", "batch")
MAX_ROWS = 100_000


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
        doubts: warnings of figures that are valid and hardly true.
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
    findings: list[Finding] = []
    file.respell(ScenarioTable, findings)
    findings += _unknown_tables(file)
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
        places = {("hardware",): self.hardware} | {("cards", name): card for name, card in others.items()}
        return Scenario(
            self.file.source.file,
            self.model,
            {"": self.hardware, **others},
            axes,
            doubts(self.file, self.model, places),
        )

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
        yield from self._experts_findings()
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

    def _experts_findings(self) -> Iterator[Finding]:
        """More parameters for a token than there are."""
        active = self.file.sound(Count, "model", "active_parameters")
        parameters = self.file.sound(Count, "model", "parameters")
        if active and parameters and active > parameters:
            rule = f"is {active}, and must be at most the {parameters} of model.parameters"
            hint = "give the parameters that one token passes through"
            yield self.file.finding(("model", "active_parameters"), rule, hint)

    def _axis_findings(self, name: str, stops: tuple[int, ...]) -> Iterator[Finding]:
        presets = self.file.sound(Stops, "presets", name) or ()
        start = self.file.sound(Count, "start", name)
        wanted = [(("presets", name), preset) for preset in presets]
        wanted += [(("start", name), start)] if start else []
        known = set(stops)
        for location, stop in wanted if stops else []:
            if stop not in known:
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
