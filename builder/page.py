"""The pages: templates filled with the start state, the prose, the drawings and the scripts' data."""

import base64
import functools
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from markupsafe import Markup

from builder import figures, units, vega
from builder.charts import FIGURES as CHARTS
from builder.charts import GRID, PAGE, rows_at_start, spec_without_data
from builder.content import PageContent
from builder.errors import ContentError, Finding
from builder.grid import DRAWN_FIGURES, KEPT, Column, Grid
from builder.metadata import PageTable
from builder.scenario import Axis
from builder.templates import inlined, name_findings, render, safe_inline

STYLES = (
    *("base.css", "type.css", "sliders.css", "controls.css", "charts.css", "figures.css"),
    *("article.css", "embed.css", "print.css"),
)
MISSING_STYLES = ("base.css", "type.css")
SCRIPTS = (
    *("data.js", "address.js", "display.js", "controls.js", "charts.js", "points.js"),
    *("frame.js", "explainer.js"),
)

# The figures that have a tile of their own.
TILES = ("ttft", "itl", "latency", "throughput")

# What each document is made of: the names that its template may use.
_INTERACTIVE = {
    *("page", "axes", "start", "figures", "scenario_figures", "drawings", "data"),
    *("style", "opening", "script", "runtime", "policy"),
}
DOCUMENTS = {
    "page.html.j2": _INTERACTIVE
    | {"table", "regime", "dash", "nothing_fits", "prose", "cards", "machine", "links"},
    "embed.html.j2": _INTERACTIVE | {"name"},
    "404.html.j2": {"page", "style", "policy"},
    "stage.html.j2": _INTERACTIVE | {"name"},
    "sheet.html.j2": {"page", "style", "policy", "shown"},
}
# The pieces that the documents share, and what every template may use: the pieces see no context.
PARTS = "parts.html.j2"
WORDS = {"words": figures.words, "short_words": figures.short_words}


@dataclass(frozen=True)
class Link:
    """The way to a page of the site.

    Attributes:
        machine: what that page is worked out for.
        address: relative to the page that the link stands on.
        here: whether it is that page itself.
    """

    machine: str
    address: str
    here: bool


class Kind(Protocol):
    """What a document has to know of a chart."""

    @property
    def fields(self) -> tuple[str, ...]:
        """The columns that it looks up."""
        ...

    @property
    def padding(self) -> dict[str, int]:
        """Pixels around its plot."""
        ...


@dataclass(frozen=True)
class Charts:
    """The charts as pages carry them.

    Attributes:
        specs: the compiled Vega spec of each, without its data.
        drawings: each at the start state, in every size; a style sheet shows one of them until Vega draws.
    """

    specs: dict[str, dict[str, Any]]
    drawings: dict[str, dict[str, Markup]]


@functools.lru_cache(KEPT)
def draw_charts(grid: Grid) -> Charts:
    """Compiles and draws every chart, once for all pages that carry it."""
    specs = {name: vega.compiled(spec_without_data(name, grid, PAGE)) for name in CHARTS}
    return Charts(specs, {name: _drawings(name, spec, grid) for name, spec in specs.items()})


def render_page(content: PageContent, charts: Charts, links: Sequence[Link], templates: Path) -> str:
    """The whole page as one HTML document, with the way to the pages of `links` where there are others.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    grid = content.grid
    context = interactive(content.page, grid, charts, tuple(CHARTS), templates)
    context |= {
        "table": figures.STATE_FIGURES,
        "regime": figures.regime(grid.scenario.operation(grid.scenario.start)),
        "dash": units.DASH,
        "nothing_fits": "fits" not in grid.texts["fits"].values,
        "prose": content.prose,
        "cards": content.cards,
        "machine": content.machine,
        "links": links,
    }
    return render(templates, "page.html.j2", context, WORDS)


def render_embed(name: str, page: PageTable, grid: Grid, charts: Charts, templates: Path) -> str:
    """One chart with its controls, as an HTML document for a frame.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    context = interactive(page, grid, charts, (name,), templates)
    return render(templates, "embed.html.j2", context | {"name": name}, WORDS)


def render_missing(page: PageTable, templates: Path) -> str:
    """The page that a host shows where there is none.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    style = inlined(templates, "styles", MISSING_STYLES)
    context = {"page": page, "style": Markup(style), "policy": policy(styles=[style], scripts=[])}
    return render(templates, "404.html.j2", context, WORDS)


def interactive(
    page: PageTable,
    grid: Grid,
    charts: Charts,
    names: tuple[str, ...],
    templates: Path,
    *,
    kinds: Mapping[str, Kind] = CHARTS,
    more_style: str = "",
    more_scripts: tuple[str, ...] = (),
) -> dict[str, Any]:
    """What every document with charts needs: start state, styles and scripts, data, policy.

    Args:
        page: what the document says of itself.
        grid: the states that it can be set to; it opens at the start.
        charts: as it carries them.
        names: of the charts among those that are live.
        templates: the folder.
        kinds: fields and padding of each chart.
        more_style: what comes after the styles.
        more_scripts: what comes after the scripts.
    """
    style = inlined(templates, "styles", STYLES) + _tile_style(grid) + more_style
    opening = inlined(templates, "scripts", ("opening.js",))
    scripts = (*SCRIPTS, *more_scripts)
    script = f'(() => {{\n"use strict";\n{inlined(templates, "scripts", scripts)}}})();\n'
    runtime = safe_inline(vega.runtime(), "script", "Vega's runtime")
    return {
        "page": page,
        "axes": [_control(axis) for axis in grid.axes],
        "start": grid.scenario.start,
        "figures": figures.state_texts(grid.scenario, grid.scenario.start),
        "scenario_figures": _scenario_texts(grid),
        "drawings": charts.drawings,
        "data": _page_data(grid, {name: charts.specs[name] for name in names}, kinds),
        "style": Markup(style),
        "opening": Markup(opening),
        "script": Markup(script),
        "runtime": Markup(runtime),
        "policy": policy(styles=[style], scripts=[opening, script, runtime]),
    }


def _tile_style(grid: Grid) -> str:
    """How long a tile's number becomes in some state: all have the size that lets it stand in one line."""
    longest = max(len(text) for name in TILES for text in grid.texts[name].values)
    return f":root {{ --longest: {longest}; }}\n"


def template_findings(templates: Path) -> list[Finding]:
    """What is wrong with the templates, styles and scripts, as far as can be told before they are filled."""
    faults: list[Finding] = []
    for name, known in (*DOCUMENTS.items(), (PARTS, set[str]())):
        faults.extend(name_findings(templates, name, known | WORDS.keys()))
    for folder, names in (
        ("styles", (*STYLES, "stage.css", "sheet.css")),
        ("scripts", ("opening.js", *SCRIPTS, "stage.js")),
    ):
        for name in names:
            try:
                inlined(templates, folder, (name,))
            except ContentError as error:
                faults.extend(error.findings)
    return faults


def policy(styles: Iterable[str], scripts: Iterable[str], images: str = "data:") -> str:
    """A Content-Security-Policy that lets exactly these inline blocks run, and nothing be fetched."""

    def hashes(blocks: Iterable[str]) -> str:
        digests = [hashlib.sha256(block.encode()).digest() for block in blocks]
        return " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests) or "'none'"

    return (
        f"default-src 'none'; script-src {hashes(scripts)}; style-src {hashes(styles)}; "
        f"img-src {images}; base-uri 'none'; form-action 'none'"
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


def _page_data(grid: Grid, specs: dict[str, dict[str, Any]], kinds: Mapping[str, Kind]) -> dict[str, Any]:
    """All that the scripts look up, once: the axes, every figure of every state, and the charts."""
    used = {field for name in specs for field in kinds[name].fields}
    notes = {name: column for name, column in grid.notes.items() if name in used}
    curve = {name: column for name, column in grid.curve.items() if name in used}
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
        "figures": {name: _packed(column) for name, column in (grid.texts | notes).items()},
        "numbers": {
            name: _packed(column, f"{{:.{DRAWN_FIGURES}g}}")
            for name, column in (grid.numbers | curve).items()
        },
        "charts": {
            name: {"spec": spec, "fields": kinds[name].fields, "padding": kinds[name].padding}
            for name, spec in specs.items()
        },
    }


def _packed(column: Column, form: str = "{}") -> dict[str, Any]:
    """A column with its values as one text, which is smaller than a list; no figure has a bar in it."""
    return {"axes": column.axes, "values": "|".join(map(form.format, column.values))}
