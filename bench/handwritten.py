"""The page as one would write it by hand: SVG and a plain script, filled with the builder's figures and prose."""

import json
from pathlib import Path
from typing import Any

import jinja2

from builder import figures, units
from builder.charts.axes import LogAxis, intensity_axis, rate_axis, tick_labels
from builder.grid import DRAWN_FIGURES, Column, Grid
from builder.metadata import FIXED_PARTS, load_cards, load_page
from builder.prose import ProseRenderer
from builder.scenario import Axis
from builder.source import read_source

TEMPLATE = Path(__file__).with_name("handwritten.html")
LABELS = {"prompt": "Prompt", "output": "Output", "batch": "Batch"}


def handwritten_page(content: Path, grid: Grid) -> str:
    """The whole page as one HTML document, with the text of a content folder and a grid's figures."""
    page = load_page(content / "page.toml")
    renderer = ProseRenderer(grid.scenario)

    def part(name: str) -> str:
        return renderer.render(read_source(content / "prose" / f"{name}.md"), name)

    def reading(regime: str) -> str:
        return renderer.render_live(read_source(content / "readings" / f"{regime}.md"), regime)

    data = _data(grid)
    template = jinja2.Template(
        TEMPLATE.read_text(encoding="utf-8"), undefined=jinja2.StrictUndefined, trim_blocks=True
    )
    return template.render(
        page=page,
        cards=load_cards(content / "read_next.toml"),
        parts={name: part(name) for name in FIXED_PARTS},
        article=[part(name) for name in page.article],
        readings={regime: reading(regime) for regime in dict.fromkeys(grid.texts["regime"].values)},
        labels={name: figure.label for name, figure in figures.STATE_FIGURES.items()},
        data=data,
        data_json=json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    )


def _data(grid: Grid) -> dict[str, Any]:
    """What the script looks up: the same columns as in the builder's page, packed in the same way."""
    return {
        "axes": [_axis(axis) for axis in grid.axes],
        "figures": {name: _packed(column, "{}") for name, column in grid.texts.items()},
        "numbers": {name: _packed(column, f"{{:.{DRAWN_FIGURES}g}}") for name, column in grid.numbers.items()},
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


def _packed(column: Column, form: str) -> dict[str, Any]:
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
