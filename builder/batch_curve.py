"""The curve of all batches at one prompt and output: where memory ends, and where it meets the ridge."""

from collections.abc import Callable
from dataclasses import replace

from builder.figures import View, words
from builder.roofline import Operation

ALL, AXES = "prompt output batch", "prompt output"


def largest_batch(view: View) -> int:
    """The largest batch that the page can be set to."""
    return next(axis.stops[-1] for axis in view.scenario.axes if axis.name == "batch")


def _at_batch(view: View, batch: int | None) -> Operation | None:
    """The state at another batch, if that is one that the page can be set to."""
    return replace(view.operation, batch_size=batch) if batch and batch <= largest_batch(view) else None


def full_tok_per_s(view: View) -> float:
    """Throughput of the largest batch that fits, tokens a second; 0 where none does, or all do."""
    full = _at_batch(view, view.operation.max_batch)
    return full.throughput_tok_per_s if full else 0


def ridge_itl_s(view: View) -> float:
    """Inter-token latency of the smallest compute-bound batch, seconds; 0 where there is none."""
    crossing = _at_batch(view, view.operation.crossing_batch)
    return crossing.itl_s if crossing else 0


def memory_limit(view: View) -> str:
    """How many requests memory holds, in words."""
    most, largest = view.operation.max_batch, largest_batch(view)
    if most >= largest:
        return f"memory holds all {words('batch', largest)}"
    return f"memory is full beyond {words('batch', most)}" if most else "memory has no room for one request"


def ridge_crossing(view: View) -> str:
    """From how many requests on decode is compute bound, in words."""
    crossing = view.operation.crossing_batch
    if crossing is None:
        return "no batch crosses the ridge"
    return f"compute bound from {words('batch', crossing)}"


def tok_per_s(view: View) -> float:
    """Throughput of a state, tokens a second."""
    return view.operation.throughput_tok_per_s


# By name: the axes that each depends on, and its value. Numbers are in SI units; 0 is what there is not.
NUMBERS: dict[str, tuple[str, Callable[[View], float]]] = {
    "tok_per_s": (ALL, tok_per_s),
    "full_tok_per_s": (AXES, full_tok_per_s),
    "ridge_itl_s": (AXES, ridge_itl_s),
}
NOTES: dict[str, tuple[str, Callable[[View], str]]] = {
    "memory_limit": (AXES, memory_limit),
    "ridge_crossing": (AXES, ridge_crossing),
}
