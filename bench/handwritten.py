"""The page as one would write it by hand, filled with the figures and the prose of the builder's."""

from pathlib import Path
from typing import Any

from builder import figures, units
from builder.charts.axes import LogAxis, intensity_axis, rate_axis, tick_labels
from builder.content import PageContent
from builder.grid import DRAWN_FIGURES, Column, Grid
from builder.scenario import Axis
from builder.templates import render

FOLDER = Path(__file__).parent
LABELS = {"prompt": "Prompt", "output": "Output", "batch": "Batch"}


def handwritten_page(content: PageContent) -> str:
    """The whole page as one HTML document, with the text and the figures of the builder's page."""
    context = {
        "page": content.page,
        "cards": content.cards,
        "prose": content.prose,
        "labels": {name: figure.label for name, figure in figures.STATE_FIGURES.items()},
        "data": _data(content.grid),
    }
    return render(FOLDER, "handwritten.html", context, {})


def _data(grid: Grid) -> dict[str, Any]:
    """What the script looks up: the columns of the builder's page, packed as it packs them."""
    return {
        "axes": [_axis(axis) for axis in grid.axes],
        "figures": {name: _packed(column) for name, column in grid.texts.items()},
        "numbers": {
            name: _packed(column, f"{{:.{DRAWN_FIGURES}g}}") for name, column in grid.numbers.items()
        },
        "roof": _roof(grid),
    }


def _axis(axis: Axis) -> dict[str, Any]:
    return {
        "name": axis.name,
        "label": LABELS[axis.name],
        "stops": axis.stops,
        "short": [figures.short_words(axis.name, stop) for stop in axis.stops],
        "start": axis.stops.index(axis.start),
        "presets": [axis.stops.index(preset) for preset in axis.presets],
    }


def _packed(column: Column, form: str = "{}") -> dict[str, Any]:
    return {"axes": column.axes, "values": "|".join(map(form.format, column.values))}


def _roof(grid: Grid) -> dict[str, Any]:
    machine = grid.scenario.hardware.machine
    phases = ("prefill", "decode")
    intensities = [value for phase in phases for value in grid.numbers[f"{phase}_flop_per_byte"].values]
    rates = [value for phase in phases for value in grid.numbers[f"{phase}_flop_per_s"].values]
    x = intensity_axis([*intensities, machine.ridge_point])
    y = rate_axis(min(rates), machine.peak_flop_per_s)
    return {
        "ridge": machine.ridge_point,
        "peak": machine.peak_flop_per_s,
        "bandwidth": machine.bandwidth_bytes_per_s,
        "x": [x.low, x.high],
        "y": [y.low, y.high],
        "xTicks": _ticks(x, ""),
        "yTicks": _ticks(y, "F"),
        "words": {
            "ridge": f"ridge {units.intensity(machine.ridge_point)}",
            "peak": f"{units.flop_rate(machine.peak_flop_per_s)} peak",
            "bandwidth": units.byte_rate(machine.bandwidth_bytes_per_s),
        },
    }


def _ticks(axis: LogAxis, unit: str) -> list[tuple[float, str]]:
    return list(zip(axis.decades, tick_labels(axis, unit=unit).values(), strict=True))
