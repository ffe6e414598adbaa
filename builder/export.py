"""The charts as files for slides: at a state, in a look, in the formats that programs take.

A picture from Python:

    exporter = Exporter(read_content(Path("content")).pages[0])
    look = choose_look("dark", "black", "16:9", scale=1)
    picture = exporter.picture("roofline", State(1024, 128, 1), look)
    picture.png(), picture.svg(), picture.pdf(), picture.alt, picture.inches
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from builder import typeface, vega
from builder.captions import alt_text, caption
from builder.charts import FONT_SIZE, GRID, MARGIN, SLIDES, at_state, slide_spec, stage_spec
from builder.content import PageContent, read_content
from builder.drawing import read_drawing
from builder.errors import ContentError, RequestError, did_you_mean
from builder.look import ZOOM, Look, check_room
from builder.order import (
    Order,
    check_name,
    check_state,
    choose_charts,
    choose_formats,
    choose_looks,
    choose_states,
)
from builder.page import template_findings
from builder.picture import Picture
from builder.scenario import State
from builder.slide_pages import Shown, render_contact_sheet, render_stage

# The chart's box in a live document: what is left of it beside controls and margins.
STAGE_MARGINS = (32, 66)
# The one whose live form is the page's own tiles.
TILES = "metrics"


class Exporter:
    """Makes the pictures of one page; what pictures share is made once.

    Attributes:
        unknown_characters: those that the exports' font does not have, each with the line that it stands in.
    """

    def __init__(self, content: PageContent) -> None:
        self.content = content
        self.unknown_characters: dict[str, str] = {}
        self._specs: dict[tuple[str, Look, int], tuple[dict[str, Any], dict[str, Any]]] = {}
        self._stages: dict[tuple[str, tuple[int, int]], dict[str, Any] | None] = {}
        vega.use_fonts(typeface.FOLDER)

    def files(self, order: Order, templates: Path) -> Iterator[tuple[str, bytes]]:
        """Every file of an order by its name, one at a time, and at last a page that shows them all.

        Raises:
            ContentError: a template or one of its files is missing or at fault.
        """
        shown: list[Shown] = []
        for name, state, look in order:
            picture = self.picture(name, state, look)
            self.unknown_characters |= picture.unknown_characters
            names: list[str] = []
            for kind in order.formats:
                live = (
                    [(f"{picture.name}.html", self.live(name, state, look, templates))]
                    if kind == "html"
                    else ()
                )
                for path, data in live or picture.files(kind):
                    names.append(path)
                    yield path, data
            shown.append(Shown(picture.name, picture.alt, tuple(names), look.name))
        yield "index.html", render_contact_sheet(self.content.page, shown, templates).encode()

    def picture(self, name: str, state: State, look: Look) -> Picture:
        """One of the charts at a state of the grid.

        Raises:
            RequestError: there is no such chart, no such state, or no room for the chart in that size.
        """
        grid, machine = self.content.grid, self.content.machine
        check_name(name)
        check_state(grid, state)
        check_room(name, look)
        zoom = ZOOM * SLIDES[name].zoom
        exact = (look.size[0] / zoom, look.size[1] / zoom)
        size = (round(exact[0]), round(exact[1]))
        width = size[0] - 2 * MARGIN
        lines = caption(name, machine, grid.scenario, state, size=FONT_SIZE, width=width)
        spec, compiled = self._spec(name, look, size, len(lines))
        spec = at_state(spec, name, grid, state, lines)
        values = {param["name"]: param["value"] for param in spec["params"] if "value" in param}
        rows = {GRID: spec["datasets"][GRID]}
        drawing = read_drawing(vega.drawn(compiled, values, rows), exact, look.background)
        alt = alt_text(name, machine, grid.scenario, state)
        return Picture(file_name(name, self.content.name, state, look), alt, spec, look, drawing)

    def live(self, name: str, state: State, look: Look, templates: Path) -> bytes:
        """A document with one of the charts and its controls, which opens at a state.

        Raises:
            RequestError: there is no such chart, no such state, or no room for the chart in that size.
            ContentError: a template or one of its files is missing or at fault.
        """
        grid = self.content.grid
        check_name(name)
        check_state(grid, state)
        check_room(name, look)
        size = (look.size[0] // ZOOM, look.size[1] // ZOOM)
        key = (name, size)
        if key not in self._stages:
            box = (size[0] - STAGE_MARGINS[0], size[1] - STAGE_MARGINS[1])
            self._stages[key] = None if name == TILES else vega.compiled(stage_spec(name, grid, box))
        opened = grid.opened_at(state)
        return render_stage(
            name, self.content.page, opened, look, size, self._stages[key], templates
        ).encode()

    def _spec(
        self, name: str, look: Look, size: tuple[int, int], lines: int
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The spec of a chart and its compiled form, both without data."""
        key = (name, look, lines)
        if key not in self._specs:
            spec = slide_spec(name, self.content.grid, look.theme, size, lines)
            spec["config"]["background"] = look.background
            self._specs[key] = spec, vega.compiled(spec)
        return self._specs[key]


def file_name(name: str, page: str, state: State, look: Look) -> str:
    """The name of a picture's files, without ending: chart, page, state, look, in what any disk takes.

    `roofline-p1024-o128-b1-light`, `timeline-p4096-o128-b512-dark-on-1f2937-4x3-at-2x`
    """
    at = f"p{state.prompt}-o{state.output}-b{state.batch}"
    return "-".join(filter(None, (name, page, at, look.suffix)))


def plan_export(
    content: Path, templates: Path, names: Sequence[str], **options: Any
) -> tuple[Exporter, Order]:
    """What the command line asks for, and who makes it; nothing is drawn yet.

    Args:
        content: the content folder.
        templates: the templates' folder; what is wrong there is found before anything is drawn.
        names: of charts; none for all.
        options: `scenario`, `prompt`, `output`, `batch`, `all_presets`, `formats`, `themes`, `background`,
            `size` and `scale`.

    Raises:
        RequestError: something asked for cannot be.
        ContentError: the content or a template is at fault.
    """
    charts = choose_charts(names)
    looks = {key: options[key] for key in ("themes", "background", "size", "scale")}
    formats, looks = choose_formats(options["formats"]), choose_looks(**looks, names=charts)
    if faults := template_findings(templates):
        raise ContentError(faults)
    page = _page(content, options["scenario"])
    state = {key: options[key] for key in ("prompt", "output", "batch", "all_presets")}
    return Exporter(page), Order(charts, choose_states(page.grid, **state), looks, formats)


def _page(content: Path, name: str) -> PageContent:
    pages = {page.name: page for page in read_content(content).pages}
    if name not in pages:
        others = [each for each in pages if each]
        hint = did_you_mean(name, others) if others else f"{content} has one alone; leave it out"
        raise RequestError(f"--scenario {name}: is no scenario; {hint}")
    return pages[name]
