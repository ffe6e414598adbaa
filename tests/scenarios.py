"""Random content for the tests: values of TOML, scenarios that are valid, and what breaks them."""

import json
import math
from collections.abc import Mapping
from datetime import date

from hypothesis import strategies as st

# What a title or a card may be called: any script, quotes and brackets, and nothing that no editor shows.
NAMES = st.text(st.characters(exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12).filter(str.strip)
# From almost nothing to almost too much, each power of ten as likely as any other.
COUNTS = st.integers(0, 14).flatmap(lambda power: st.integers(10**power, 10 ** (power + 1)))
QUANTITIES = st.floats(-11.9, 14.9).map(lambda power: 10**power)
# What a figure of a machine or a model that could be is.
LIKELY = {
    "parameters": st.integers(10**6, 2 * 10**12),
    "layers": st.integers(1, 200),
    "kv_heads": st.integers(1, 128),
    "head_dim": st.integers(1, 512),
    "weight_bytes": st.sampled_from([0.5, 1, 2, 4]),
    "kv_bytes": st.sampled_from([0.5, 1, 2, 4]),
    "count": st.integers(1, 64),
    "memory_gb": st.floats(1, 1000),
    "bandwidth_gb_s": st.floats(10, 20_000),
    "peak_tflops_dense": st.floats(1, 20_000),
}
WHOLE = ("parameters", "layers", "kv_heads", "head_dim", "count")
MODEL = ("parameters", "layers", "kv_heads", "head_dim", "weight_bytes", "kv_bytes")
CARDS = ("count", "memory_gb", "bandwidth_gb_s", "peak_tflops_dense")

VALUES = st.recursive(
    st.none().map(lambda _: {})
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=["Cs"]))
    | st.dates(date(1, 1, 1), date(9999, 12, 31))
    | st.sampled_from([0, -0.0, 1e300, -1, 10**4000, "", "2", math.nan, math.inf]),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("abc .é\"'", max_size=4), inner, max_size=4)
    ),
    max_leaves=8,
)


def toml(value: object) -> str:
    """A value as TOML, tables inline."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{toml(str(key))} = {toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return str(value).lower()


def document(tables: Mapping[str, object]) -> str:
    """A whole file, one key of its outermost table a line."""
    return "".join(f"{toml(key)} = {toml(value)}\n" for key, value in tables.items())


@st.composite
def stops(draw: st.DrawFn, largest: int, most: int) -> list[int]:
    """The stops of an axis: from one to `most`."""
    return sorted(draw(st.sets(st.integers(1, largest), min_size=1, max_size=most)))


@st.composite
def scenarios(draw: st.DrawFn, likely: bool = False) -> dict[str, dict[str, object]]:
    """A valid scenario, of figures that could be or of any that are taken."""

    def table(keys: tuple[str, ...]) -> dict[str, object]:
        any_of = {key: COUNTS if key in WHOLE else QUANTITIES for key in keys}
        kinds = {key: LIKELY[key] if likely else any_of[key] for key in keys}
        return {"name": draw(NAMES), "source": "made up"} | {key: draw(kind) for key, kind in kinds.items()}

    largest = 10**5 if likely else 10**11
    grid = {name: draw(stops(largest, 4)) for name in ("prompt", "output", "batch")}
    model = table(MODEL) | {
        "precision": draw(NAMES),
        "context_window": grid["prompt"][-1] + grid["output"][-1],
    }
    if draw(st.booleans()):
        model["active_parameters"] = draw(st.integers(1, model["parameters"]))
    presets = {name: sorted(draw(st.sets(st.sampled_from(axis), min_size=1))) for name, axis in grid.items()}
    start = {name: draw(st.sampled_from(axis)) for name, axis in grid.items()}
    cards = {"other": table(CARDS)} if draw(st.booleans()) else {}
    return {
        "model": model,
        "hardware": table(CARDS),
        "cards": cards,
        "grid": grid,
        "presets": presets,
        "start": start,
    }
