"""Plans every file of the site as {path: bytes}."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from builder import vega
from builder.charts import CARD_SCALE, LIGHT, social_card, spec_with_data
from builder.charts import FIGURES as CHARTS
from builder.content import Content, PageContent, read_content
from builder.errors import ContentError, Finding
from builder.grid import KEPT, Grid
from builder.page import Link, draw_charts, render_embed, render_missing, render_page, template_findings

EMBEDS, SPECS = "embed", "charts"
# What a link of the prose may lead to, in the folder of each page.
FILES = (
    *("index.html", "card.png"),
    *(f"{EMBEDS}/{name}.html" for name in CHARTS),
    *(f"{SPECS}/{name}.vl.json" for name in CHARTS),
)


@dataclass(frozen=True)
class Site:
    """A whole site, in memory.

    Attributes:
        files: every file by its path in the output folder.
        warnings: what is not wrong, and can hardly be meant.
    """

    files: dict[str, bytes]
    warnings: list[Finding]


def check_site(content: Path, templates: Path) -> Content:
    """The content, once nothing is wrong with it or with the templates, as far as shows before drawing.

    Raises:
        ContentError: with the findings of all files.
    """
    faults = template_findings(templates)
    try:
        whole = read_content(content, taken={EMBEDS, SPECS}, files=FILES)
    except ContentError as error:
        raise ContentError([*error.findings, *faults], error.warnings) from None
    if faults:
        raise ContentError(faults, whole.warnings)
    return whole


def plan_site(
    content: Path, templates: Path, pages_ready: Callable[[Mapping[str, bytes]], None] | None = None
) -> Site:
    """Every file of the site; nothing is written.

    Args:
        content: the content folder.
        templates: the folder of the templates.
        pages_ready: gets the pages as soon as they are there; the rest takes half as long again.

    Raises:
        ContentError: with the findings of all files.
    """
    whole = check_site(content, templates)
    files: dict[str, bytes] = {}
    for page in whole.pages:
        files |= _in_folder(page, _pages(page, _links(page, whole.pages), templates))
    files["404.html"] = render_missing(whole.pages[0].page, templates).encode()
    if pages_ready:
        pages_ready(files)
    for page in whole.pages:
        files |= _in_folder(page, _beside(page))
    # Without it GitHub Pages would run the site through Jekyll.
    files[".nojekyll"] = b""
    return Site(files, whole.warnings)


def _in_folder(page: PageContent, files: Mapping[str, bytes]) -> dict[str, bytes]:
    folder = f"{page.name}/" if page.name else ""
    return {folder + path: data for path, data in files.items()}


def _pages(content: PageContent, links: list[Link], templates: Path) -> dict[str, bytes]:
    """One page, and each of its charts as a page of its own."""
    page, grid = content.page, content.grid
    charts = draw_charts(grid)
    files = {"index.html": render_page(content, charts, links, templates).encode()}
    for name in CHARTS:
        files[f"{EMBEDS}/{name}.html"] = render_embed(name, page, grid, charts, templates).encode()
    return files


def _beside(content: PageContent) -> dict[str, bytes]:
    """What is no page: the picture of a link to it, and each chart as a file."""
    files = {"card.png": _card(content.grid, content.page.title)}
    for name in CHARTS:
        files[f"{SPECS}/{name}.vl.json"] = _standalone(name, content.grid)
    return files


@lru_cache(KEPT)
def _card(grid: Grid, title: str) -> bytes:
    return vega.png(social_card(grid, title), CARD_SCALE)


@lru_cache(KEPT * len(CHARTS))
def _standalone(name: str, grid: Grid) -> bytes:
    return json.dumps(spec_with_data(name, grid, LIGHT), allow_nan=False, ensure_ascii=False).encode()


def _links(page: PageContent, pages: list[PageContent]) -> list[Link]:
    """The way from one page to each, itself included, as it works from a file as well as from a host."""
    root = "../" if page.name else ""
    folders = {each.name: f"{each.name}/" if each.name else "" for each in pages}
    return [Link(each.machine, f"{root}{folders[each.name]}index.html", each is page) for each in pages]
