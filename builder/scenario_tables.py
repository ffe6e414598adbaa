"""The tables of a scenario's file: their keys, the form of each, and which are figures with a source."""

from collections import Counter
from functools import cached_property
from typing import Annotated, Literal

from pydantic import AfterValidator, Discriminator, Field, Tag

from builder import roofline
from builder.toml_file import Name, Table

# What no machine or model reaches; within it every product of figures stays finite.
SMALLEST, LARGEST = 1e-12, 1e15


def _in_reach(number: float) -> float:
    if not SMALLEST <= number <= LARGEST:
        raise ValueError(f"must lie between {SMALLEST:g} and {LARGEST:g}; look at its unit")
    return number


Count = Annotated[int, Field(gt=0), AfterValidator(_in_reach)]
Quantity = Annotated[float, Field(gt=0), AfterValidator(_in_reach)]
OptionalCount = Count | None
FIGURE_TYPES: tuple[object, ...] = (int, float, OptionalCount)


def _rising(stops: tuple[int, ...]) -> tuple[int, ...]:
    if not stops:
        raise ValueError("needs at least one entry; write [1, 2, 4]")
    twice = [str(stop) for stop, times in sorted(Counter(stops).items()) if times > 1]
    twice = [*twice[:5], "others"] if len(twice) > 6 else twice
    faults = [f"has {', '.join(twice)} more than once"] if twice else []
    faults += ["does not rise"] if list(stops) != sorted(stops) else []
    if faults:
        mended = sorted(set(stops))
        hint = f"write {mended}" if len(mended) <= 20 else "write each once, the smallest first"
        raise ValueError(f"{' and '.join(faults)}; {hint}")
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
