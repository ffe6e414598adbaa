"""The HTML among the exports: a chart that is live on a slide, and the sheet that shows all of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from markupsafe import Markup

from builder import vega
from builder.charts import GRID, SLIDES, rows_around
from builder.grid import Grid
from builder.look import TRANSPARENT, Look
from builder.metadata import PageTable
from builder.page import WORDS, Charts, interactive, policy
from builder.templates import inlined, render

SHEET_STYLES = ("base.css", "type.css", "sheet.css")


@dataclass(frozen=True)
class Shown:
    """An exported chart on the contact sheet: its name, what it shows in words, its files and its theme."""

    name: str
    alt: str
    files: tuple[str, ...]
    theme: str

    @property
    def preview(self) -> str:
        """The file that a browser can show as a picture; "" where there is none."""
        return next((file for file in self.files if file.endswith((".png", ".svg"))), "")


def render_contact_sheet(page: PageTable, shown: Sequence[Shown], templates: Path) -> str:
    """The page that shows all exported charts.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    style = inlined(templates, "styles", SHEET_STYLES)
    # A picture beside a page on a disk is not of the page's own origin in every browser.
    allowed = policy(styles=[style], scripts=[], images="'self' file:")
    context = {"page": page, "shown": shown, "style": Markup(style), "policy": allowed}
    return render(templates, "sheet.html.j2", context, WORDS)


def render_stage(
    name: str,
    page: PageTable,
    grid: Grid,
    look: Look,
    size: tuple[int, int],
    spec: dict[str, Any] | None,
    templates: Path,
) -> str:
    """One chart with its controls, live, as large as whatever frame it stands in.

    Args:
        name: one of `SLIDES`.
        page: what the document says of itself.
        grid: its start is the state that the document opens at.
        look: of its theme and background.
        size: width and height that it is laid out for, in pixels.
        spec: the chart's compiled spec for such a document; None where the figures are the page's own tiles.
        templates: the folder.

    Raises:
        ContentError: a template or one of its files is missing or at fault.
    """
    style = inlined(templates, "styles", ("stage.css",)) + _look_style(look, size)
    names = (name,) if spec else ()
    charts = Charts({name: spec}, {name: {"stage": _drawing(name, spec, grid)}}) if spec else Charts({}, {})
    context = interactive(
        page, grid, charts, names, templates, kinds=SLIDES, more_style=style, more_scripts=("stage.js",)
    )
    return render(templates, "stage.html.j2", context | {"name": name}, WORDS)


def _drawing(name: str, spec: dict[str, Any], grid: Grid) -> Markup:
    """What stands there until Vega draws."""
    start = grid.scenario.start
    values = {axis.name: axis.stops.index(axis.start) for axis in grid.axes}
    rows = {GRID: rows_around(SLIDES[name], grid, start)}
    return Markup(vega.tidied(vega.drawn(spec, values, rows)))


def _look_style(look: Look, size: tuple[int, int]) -> str:
    """The colours of the look by value, whatever theme an address asks for, and the size."""
    theme = look.theme
    roles = ("paper", "ink", "muted", "rule", "prefill", "decode")
    colours = "".join(f"  --{role}: {getattr(theme, role)};\n" for role in roles)
    size_text = f"  --wide: {size[0]}px;\n  --high: {size[1]}px;\n"
    # A frame in another scheme than its page's is painted white by browsers.
    scheme = "light" if look.background == TRANSPARENT else look.name
    style = f"\n.stage {{\n  color-scheme: {scheme};\n{colours}  --control: {theme.muted};\n{size_text}}}\n"
    if look.background == TRANSPARENT:
        style += "\n.stage {\n  background: none;\n}\n\n.stage .chart svg text {\n  stroke: none;\n}\n"
    return style
