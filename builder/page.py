"""The page: templates filled with the start state, the prose, the drawings and the data that the scripts look up."""

import base64
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from builder import figures, vega
from builder.charts import FIGURES as CHARTS
from builder.charts import PAGE, spec_with_data, spec_without_data
from builder.errors import ContentError, Finding
from builder.grid import Column, Grid
from builder.metadata import Card, PageTable

STYLES = ("base.css", "type.css", "controls.css", "figures.css", "article.css", "print.css")
SCRIPTS = ("data.js", "address.js", "display.js", "controls.js", "charts.js", "points.js", "explainer.js")


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


def render_page(page: PageTable, grid: Grid, prose: Prose, cards: Iterable[Card], templates: Path) -> str:
    """The whole page as one HTML document.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    style = _inlined(templates, "styles", STYLES)
    script = f'(() => {{\n"use strict";\n{_inlined(templates, "scripts", SCRIPTS)}}})();\n'
    opening = _inlined(templates, "scripts", ("opening.js",))
    context: dict[str, Any] = {
        "page": page,
        "scenario": grid.scenario,
        "axes": [_control(grid, axis.name) for axis in grid.axes],
        "start": grid.scenario.start,
        "figures": _texts_at_start(grid),
        "table": figures.STATE_FIGURES,
        "regime": figures.regime(grid.scenario.operation(grid.scenario.start)),
        "nothing_fits": "fits" not in grid.texts["fits"].values,
        "scenario_figures": _scenario_texts(grid),
        "prose": prose,
        "cards": list(cards),
        "drawings": {name: _drawings(name, grid) for name in CHARTS},
        "data": _page_data(grid),
        "style": Markup(style),
        "opening": Markup(opening),
        "script": Markup(script),
        "runtime": Markup(_safe_inline(vega.runtime(), "script", "Vega's runtime")),
    }
    context["policy"] = _policy(styles=[style], scripts=[opening, script, context["runtime"]])
    return _rendered(templates, "page.html.j2", context)


def inline_json(value: Any) -> Markup:
    """JSON that can stand in a script element: no tag or comment begins in it, no NaN."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def _rendered(templates: Path, name: str, context: dict[str, Any]) -> str:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(templates, encoding="utf-8"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["inline_json"] = inline_json
    environment.filters["html"] = Markup
    environment.globals["words"] = figures.words
    environment.globals["short_words"] = figures.short_words
    try:
        return environment.get_template(name).render(context)
    except jinja2.TemplateNotFound as error:
        raise ContentError([_template_finding(templates, str(error), None, "is missing")]) from None
    except jinja2.TemplateSyntaxError as error:
        file = error.name or name
        raise ContentError([_template_finding(templates, file, error.lineno, error.message or "")]) from None
    except jinja2.UndefinedError as error:
        raise ContentError([_template_finding(templates, name, _line_in(name, error), str(error))]) from None


def _template_finding(templates: Path, name: str, line: int | None, rule: str) -> Finding:
    return Finding((templates / name).as_posix(), line, "template", rule)


def _line_in(name: str, error: Exception) -> int | None:
    """The template's line on which a run-time error arose; Jinja rewrites tracebacks to point at templates."""
    lines: list[int] = []
    trace = error.__traceback__
    while trace:
        if trace.tb_frame.f_code.co_filename.endswith(name):
            lines.append(trace.tb_lineno)
        trace = trace.tb_next
    return lines[-1] if lines else None


def _inlined(templates: Path, folder: str, names: Iterable[str]) -> str:
    """The files of a folder, one after the other, fit to stand in a style or script element."""
    element = "style" if folder == "styles" else "script"
    parts: list[str] = []
    for name in names:
        path = templates / folder / name
        try:
            parts.append(_safe_inline(path.read_text(encoding="utf-8"), element, path.as_posix()))
        except OSError as error:
            raise ContentError([Finding(path.as_posix(), None, "file", f"cannot be read: {error.strerror}")]) from None
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
        digests = (hashlib.sha256(block.encode()).digest() for block in blocks)
        return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _texts_at_start(grid: Grid) -> dict[str, str]:
    return figures.state_texts(grid.scenario, grid.scenario.start)


def _scenario_texts(grid: Grid) -> dict[str, str]:
    view = figures.view(grid.scenario, grid.scenario.start)
    return {name: figure.text(view) for name, figure in figures.PROSE_FIGURES.items()}


def _control(grid: Grid, name: str) -> dict[str, Any]:
    axis = next(axis for axis in grid.axes if axis.name == name)
    return {
        "name": axis.name,
        "last": len(axis.stops) - 1,
        "at": axis.stops.index(axis.start),
        "start": axis.start,
        "presets": axis.presets,
    }


def _drawings(name: str, grid: Grid) -> dict[str, Markup]:
    """The chart at the start state, in each size; the style sheet shows one of them until Vega draws."""
    return {size: Markup(vega.svg(spec_with_data(name, grid, PAGE, size))) for size in CHARTS[name].sizes}


def _page_data(grid: Grid) -> dict[str, Any]:
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
        "numbers": {name: _packed(column) for name, column in grid.numbers.items()},
        "charts": {
            name: {
                "spec": vega.compiled(spec_without_data(name, grid, PAGE)),
                "fields": kind.fields,
                "padding": kind.padding,
            }
            for name, kind in CHARTS.items()
        },
    }


def _packed(column: Column) -> dict[str, Any]:
    return {"axes": column.axes, "values": column.values}
