"""What an export is asked for: charts, states, looks and formats. What cannot be is refused in one line."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from builder.charts import SLIDES
from builder.errors import RequestError, did_you_mean
from builder.grid import Grid
from builder.look import THEMES, Look, check_room, choose_look
from builder.scenario import Axis, State

FORMATS = ("png", "svg", "pdf", "html", "json")


@dataclass(frozen=True)
class Order:
    """Charts, each in every look at every state, in some formats."""

    names: tuple[str, ...]
    states: tuple[State, ...]
    looks: tuple[Look, ...]
    formats: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names) * len(self.states) * len(self.looks)

    @property
    def file_count(self) -> int:
        """How many files it makes: SVG comes in two kinds, and one page shows all."""
        return len(self) * (len(self.formats) + ("svg" in self.formats)) + 1

    def __iter__(self) -> Iterator[tuple[str, State, Look]]:
        return ((name, state, look) for name in self.names for look in self.looks for state in self.states)


def choose_charts(names: Sequence[str]) -> tuple[str, ...]:
    """The charts named, each once, or all.

    Raises:
        RequestError: one of them is no chart.
    """
    for name in names:
        check_name(name)
    return tuple(dict.fromkeys(names)) or tuple(SLIDES)


def choose_formats(text: str) -> tuple[str, ...]:
    """Formats from a list with commas.

    Raises:
        RequestError: one of them is no format.
    """
    return _choose("--format", text, FORMATS)


def choose_looks(
    themes: str, background: str, size: str, scale: float, names: Collection[str]
) -> tuple[Look, ...]:
    """A look for each theme of a list with commas, or the one that the background asks for.

    Raises:
        RequestError: one of them cannot be, or leaves a chart no room.
    """
    chosen = _choose("--theme", themes, tuple(THEMES)) if themes else ("",)
    looks = tuple(choose_look(theme, background, size, scale) for theme in chosen)
    for name in names:
        for look in looks:
            check_room(name, look)
    return looks


def choose_states(
    grid: Grid, prompt: int | None, output: int | None, batch: int | None, *, all_presets: bool
) -> tuple[State, ...]:
    """The state named, the start where nothing is said; or each prompt preset with each batch preset.

    Raises:
        RequestError: there is no such state.
    """
    chosen = {"prompt": prompt, "output": output, "batch": batch}
    named = {name: value for name, value in chosen.items() if value is not None}
    state = replace(grid.scenario.start, **named)
    check_state(grid, state)
    if not all_presets:
        return (state,)
    for name in named.keys() - {"output"}:
        rule = "goes not with --all-presets, which takes each preset"
        raise RequestError(f"--{name} {named[name]}: {rule}; leave one of the two out")
    prompts, _, batches = grid.axes
    return tuple(State(p, state.output, b) for p in prompts.presets for b in batches.presets)


def check_name(name: str) -> None:
    """Stops where there is no chart of that name.

    Raises:
        RequestError: with the nearest name.
    """
    if name not in SLIDES:
        raise RequestError(f"{name}: is no chart; {did_you_mean(name, SLIDES)}")


def check_state(grid: Grid, state: State) -> None:
    """Stops where a state is not on the grid.

    Raises:
        RequestError: with the stops that are nearest.
    """
    for axis in grid.axes:
        stop = getattr(state, axis.name)
        if stop not in axis.stops:
            raise RequestError(f"--{axis.name} {stop}: is no stop; {_nearest(axis, stop)}")


def _nearest(axis: Axis, stop: int) -> str:
    below = [each for each in axis.stops if each < stop][-1:]
    above = [each for each in axis.stops if each > stop][:1]
    near = " and ".join(map(str, below + above))
    return f"the nearest are {near}" if below and above else f"the nearest is {near}"


def _choose(option: str, text: str, known: tuple[str, ...]) -> tuple[str, ...]:
    parts = [part.strip() for part in text.split(",")]
    chosen = tuple(dict.fromkeys(part for part in parts if part))
    if not chosen:
        raise RequestError(f"{option}: is empty; write one or more of {', '.join(known)}")
    for name in chosen:
        if name not in known:
            raise RequestError(f"{option} {text}: {name} is none; {did_you_mean(name, known)}")
    return chosen
