"""The charts as files for slides: at a state, in a look, in the formats that programs take.

exporter = Exporter(grid, page, templates)
picture = exporter.picture("roofline", State(1024, 128, 1), choose_look("light", "white", "16:9", 1))
picture.png(), picture.svg(), picture.alt
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from builder import typeface, vega
from builder.captions import alt_text, caption
from builder.charts import FONT_SIZE, MARGIN, SLIDES, at_state, slide_spec
from builder.drawing import read_drawing
from builder.grid import Grid, build_grid
from builder.look import TRANSPARENT, ZOOM, Look, check_room
from builder.metadata import PageTable, load_page
from builder.order import (
    Order,
    check_name,
    check_state,
    choose_charts,
    choose_formats,
    choose_looks,
    choose_states,
)
from builder.page import Shown, render_contact_sheet
from builder.picture import Picture
from builder.scenario import State, load_scenario


class Exporter:
    """Makes the pictures of one scenario; what pictures share is made once.

    Attributes:
        unknown_characters: those that the exports' font does not have, each with the line that it stands in.
    """

    def __init__(self, grid: Grid, page: PageTable, templates: Path) -> None:
        self.grid = grid
        self.unknown_characters: dict[str, str] = {}
        self._page, self._templates = page, templates
        self._specs: dict[tuple[str, Look, int], tuple[dict[str, Any], dict[str, Any]]] = {}
        vega.use_fonts(typeface.FOLDER)

    def files(self, order: Order) -> Iterator[tuple[str, bytes]]:
        """Every file of an order by its name, one at a time, and at last a page that shows them all.

        Raises:
            ContentError: a template or one of its files is missing or at fault.
        """
        shown: list[Shown] = []
        for name, state, look in order:
            picture = self.picture(name, state, look)
            self.unknown_characters |= picture.unknown_characters
            names: list[str] = []
            for path, data in picture.files(order.formats):
                names.append(path)
                yield path, data
            shown.append(Shown(picture.name, picture.alt, tuple(names)))
        yield "index.html", render_contact_sheet(self._page, shown, self._templates).encode()

    def picture(self, name: str, state: State, look: Look) -> Picture:
        """One of the charts at a state of the grid.

        Raises:
            RequestError: there is no such chart, no such state, or no room for the chart in a picture of that size.
        """
        check_name(name)
        check_state(self.grid, state)
        check_room(name, look)
        zoom = ZOOM * SLIDES[name].zoom
        size = (round(look.size[0] / zoom), round(look.size[1] / zoom))
        lines = caption(name, self.grid.scenario, state, FONT_SIZE, size[0] - 2 * MARGIN)
        spec, compiled = self._spec(name, look, size, len(lines))
        spec = at_state(spec, name, self.grid, state, lines)
        ground = TRANSPARENT if look.background == TRANSPARENT else look.theme.paper
        drawing = read_drawing(vega.drawn(compiled, spec), ground)
        alt = alt_text(name, self.grid.scenario, state)
        return Picture(file_name(name, state, look), alt, spec, look, drawing)

    def _spec(
        self, name: str, look: Look, size: tuple[int, int], lines: int
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """The spec of a chart and its compiled form, both without data."""
        key = (name, look, lines)
        if key not in self._specs:
            spec = slide_spec(name, self.grid, look.theme, size, lines)
            if look.background == TRANSPARENT:
                spec["config"]["background"] = TRANSPARENT
            self._specs[key] = spec, vega.compiled(spec)
        return self._specs[key]


def file_name(name: str, state: State, look: Look) -> str:
    """The name of a picture's files, without ending: chart, state and look, in letters that any disk takes.

    `roofline-p1024-o128-b1-light`, `timeline-p4096-o128-b512-dark-on-1f2937-4x3-at-2x`
    """
    return f"{name}-p{state.prompt}-o{state.output}-b{state.batch}-{look.suffix}"


def plan_export(
    content: Path, templates: Path, names: Sequence[str], **options: Any
) -> tuple[Exporter, Order]:
    """What the command line asks for, and who makes it; nothing is drawn yet.

    Args:
        content: the content folder.
        templates: the templates' folder.
        names: of charts; none for all.
        options: `prompt`, `output`, `batch`, `all_presets`, `formats`, `themes`, `background`, `size`, `scale`.

    Raises:
        RequestError: something asked for cannot be.
        ContentError: the content is at fault.
    """
    charts = choose_charts(names)
    looks = {key: options[key] for key in ("themes", "background", "size", "scale")}
    formats, looks = choose_formats(options["formats"]), choose_looks(**looks, names=charts)
    grid = build_grid(load_scenario(content / "scenario.toml"))
    state = {key: options[key] for key in ("prompt", "output", "batch", "all_presets")}
    order = Order(charts, choose_states(grid, **state), looks, formats)
    return Exporter(grid, load_page(content / "page.toml"), templates), order
