"""The pages: templates filled with the start state, the prose, the drawings and the scripts' data."""

import base64
import hashlib
import json
import traceback
from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from builder import figures, units, vega
from builder.charts import FIGURES as CHARTS
from builder.charts import GRID, PAGE, rows_at_start, spec_without_data
from builder.errors import ContentError, Finding
from builder.grid import DRAWN_FIGURES, Column, Grid
from builder.metadata import Card, PageTable
from builder.scenario import Axis
from builder.source import read_source

STYLES = (
    *("base.css", "type.css", "sliders.css", "controls.css", "charts.css", "figures.css"),
    *("article.css", "embed.css", "print.css"),
)
MISSING_STYLES = ("base.css", "type.css")
SCRIPTS = (
    *("data.js", "address.js", "display.js", "controls.js", "charts.js", "points.js"),
    *("frame.js", "explainer.js"),
)


@dataclass(frozen=True)
class Prose:
    """The rendered text of a page.

    Attributes:
        parts: the fixed parts by name: masthead, introduction, assumptions.
        article: name and HTML of each further part, in order.
        readings: one a regime, its figures live.
    """

    parts: dict[str, str]
    article: list[tuple[str, str]]
    readings: dict[str, str]


@dataclass(frozen=True)
class Charts:
    """The charts as pages carry them.

    Attributes:
        specs: the compiled Vega spec of each, without its data.
        drawings: each at the start state, in every size; a style sheet shows one of them until Vega draws.
    """

    specs: dict[str, dict[str, Any]]
    drawings: dict[str, dict[str, Markup]]


def draw_charts(grid: Grid) -> Charts:
    """Compiles and draws every chart, once for all pages that carry it."""
    specs = {name: vega.compiled(spec_without_data(name, grid, PAGE)) for name in CHARTS}
    return Charts(specs, {name: _drawings(name, spec, grid) for name, spec in specs.items()})


def render_page(
    page: PageTable, grid: Grid, charts: Charts, prose: Prose, cards: Iterable[Card], templates: Path
) -> str:
    """The whole page as one HTML document.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    context = _interactive(page, grid, charts, tuple(CHARTS), templates)
    context |= {
        "table": figures.STATE_FIGURES,
        "regime": figures.regime(grid.scenario.operation(grid.scenario.start)),
        "dash": units.DASH,
        "nothing_fits": "fits" not in grid.texts["fits"].values,
        "prose": prose,
        "cards": list(cards),
    }
    return _rendered(templates, "page.html.j2", context)


def render_embed(name: str, page: PageTable, grid: Grid, charts: Charts, templates: Path) -> str:
    """One chart with its controls, as an HTML document for a frame.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    context = _interactive(page, grid, charts, (name,), templates)
    return _rendered(templates, "embed.html.j2", context | {"name": name})


def render_missing(page: PageTable, templates: Path) -> str:
    """The page that a host shows where there is none.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    style = _inlined(templates, "styles", MISSING_STYLES)
    context = {"page": page, "style": Markup(style), "policy": _policy(styles=[style], scripts=[])}
    return _rendered(templates, "404.html.j2", context)


def _interactive(
    page: PageTable, grid: Grid, charts: Charts, names: tuple[str, ...], templates: Path
) -> dict[str, Any]:
    """What every document with charts needs: start state, styles and scripts, data, policy."""
    style = _inlined(templates, "styles", STYLES)
    opening = _inlined(templates, "scripts", ("opening.js",))
    script = f'(() => {{\n"use strict";\n{_inlined(templates, "scripts", SCRIPTS)}}})();\n'
    runtime = _safe_inline(vega.runtime(), "script", "Vega's runtime")
    return {
        "page": page,
        "axes": [_control(axis) for axis in grid.axes],
        "start": grid.scenario.start,
        "figures": figures.state_texts(grid.scenario, grid.scenario.start),
        "scenario_figures": _scenario_texts(grid),
        "drawings": charts.drawings,
        "data": _page_data(grid, {name: charts.specs[name] for name in names}),
        "style": Markup(style),
        "opening": Markup(opening),
        "script": Markup(script),
        "runtime": Markup(runtime),
        "policy": _policy(styles=[style], scripts=[opening, script, runtime]),
    }


def inline_json(value: Any) -> Markup:
    """JSON that can stand in a script element: no tag or comment begins in it, no NaN."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _rendered(templates: Path, name: str, context: dict[str, Any]) -> str:
    """The template filled; it and those that it takes in are read like any author's file."""
    files: set[str] = set()

    def load(name: str) -> tuple[str, str, None]:
        source = read_source(templates / name)
        files.add(source.file)
        return source.text, source.file, None

    environment = jinja2.Environment(
        loader=jinja2.FunctionLoader(load),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["inline_json"] = inline_json
    environment.filters["html"] = Markup
    # The macros need these as well, and they see no context.
    words = {"words": figures.words, "short_words": figures.short_words}
    try:
        return environment.get_template(name, globals=words).render(context)
    except jinja2.TemplateSyntaxError as error:
        finding = Finding(error.filename or name, error.lineno, "template", str(error.message))
    except jinja2.TemplateRuntimeError as error:
        finding = Finding(*_place_in(files, error), "template", str(error.message))
    raise ContentError([finding])


def _place_in(files: Container[str], error: Exception) -> tuple[str, int]:
    """The template and its line where a run-time error arose; Jinja makes tracebacks point at templates."""
    frames = traceback.extract_tb(error.__traceback__)
    frame = next(frame for frame in reversed(frames) if frame.filename in files)
    return frame.filename, frame.lineno or 0


def _inlined(templates: Path, folder: str, names: Iterable[str]) -> str:
    """The files of a folder, one after the other, fit to stand in a style or script element."""
    element = "style" if folder == "styles" else "script"
    parts: list[str] = []
    for name in names:
        source = read_source(templates / folder / name)
        parts.append(_safe_inline(source.text, element, source.file))
    return "".join(parts)


def _safe_inline(text: str, element: str, file: str) -> str:
    lowered = text.lower()
    if f"</{element}" in lowered or "<!--" in lowered:
        rule = f"holds </{element} or <!--, which would end the element that it stands in"
        raise ContentError([Finding(file, None, "text", rule, "write < as \\x3c there")])
    return text


def _policy(styles: Iterable[str], scripts: Iterable[str]) -> str:
    """A Content-Security-Policy that lets exactly these inline blocks run, and nothing be fetched."""

    def hashes(blocks: Iterable[str]) -> str:
        digests = [hashlib.sha256(block.encode()).digest() for block in blocks]
        return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests) or "'none'"

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _scenario_texts(grid: Grid) -> dict[str, str]:
    """The figures that are the same in every state."""
    view = figures.view(grid.scenario, grid.scenario.start)
    return {name: figure.text(view) for name, figure in figures.PROSE_FIGURES.items() if not figure.axes}


def _control(axis: Axis) -> dict[str, Any]:
    return {
        "name": axis.name,
        "last": len(axis.stops) - 1,
        "at": axis.stops.index(axis.start),
        "start": axis.start,
        "presets": axis.presets,
    }


def _drawings(name: str, spec: dict[str, Any], grid: Grid) -> dict[str, Markup]:
    kind, rows = CHARTS[name], {GRID: rows_at_start(name, grid)}
    return {size: Markup(vega.svg(spec, kind.plot(size), rows)) for size in kind.sizes}


def _page_data(grid: Grid, specs: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """All that the scripts look up, once: the axes, every figure of every state, and the charts."""
    return {
        "axes": [
            {
                "name": axis.name,
                "start": axis.stops.index(axis.start),
                "stops": axis.stops,
                "presets": axis.presets,
            }
            for axis in grid.axes
        ],
        "figures": {name: _packed(column) for name, column in grid.texts.items()},
        "numbers": {
            name: _packed(column, f"{{:.{DRAWN_FIGURES}g}}") for name, column in grid.numbers.items()
        },
        "charts": {
            name: {"spec": spec, "fields": CHARTS[name].fields, "padding": CHARTS[name].padding}
            for name, spec in specs.items()
        },
    }


def _packed(column: Column, form: str = "{}") -> dict[str, Any]:
    """A column with its values as one text, which is smaller than a list; no figure has a bar in it."""
    return {"axes": column.axes, "values": "|".join(map(form.format, column.values))}
