"""Plans every file of the site as {path: bytes}, and writes them."""

import json
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from builder import vega
from builder.charts import CARD_SCALE, LIGHT, social_card, spec_with_data
from builder.charts import FIGURES as CHARTS
from builder.errors import BuilderError, ContentError, Finding
from builder.grid import Grid, build_grid
from builder.metadata import FIXED_PARTS, PAGE_IDS, load_cards, load_page
from builder.page import Prose, draw_charts, render_embed, render_missing, render_page
from builder.prose import ProseRenderer
from builder.scenario import load_scenario
from builder.source import read_source

T = TypeVar("T")


def plan_site(content: Path, templates: Path) -> dict[str, bytes]:
    """Every file of the site by its path inside the output folder; nothing is written.

    Raises:
        ContentError: with the findings of all content files, or with the first one of the templates.
    """
    faults: list[Finding] = []
    scenario = _attempt(load_scenario, content / "scenario.toml", faults)
    page = _attempt(load_page, content / "page.toml", faults)
    cards = _attempt(load_cards, content / "read_next.toml", faults)
    grid = build_grid(scenario) if scenario else None
    article = page.article if page else _unlisted_parts(content)
    prose = _render_prose(content, article, grid, faults)
    if faults or not (page and cards and grid):
        raise ContentError(faults)
    charts = draw_charts(grid)
    files = {
        "index.html": render_page(page, grid, charts, prose, cards, templates).encode(),
        "404.html": render_missing(page, templates).encode(),
        "card.png": vega.png(social_card(grid, page.title), CARD_SCALE),
        # Without it GitHub Pages would run the site through Jekyll.
        ".nojekyll": b"",
    }
    for name in CHARTS:
        spec = spec_with_data(name, grid, LIGHT)
        files[f"embed/{name}.html"] = render_embed(name, page, grid, charts, templates).encode()
        files[f"charts/{name}.vl.json"] = json.dumps(spec, allow_nan=False, ensure_ascii=False).encode()
    return files


def _attempt(load: Callable[[Path], T], path: Path, faults: list[Finding]) -> T | None:
    """What `load` makes of the file, or None; what is wrong with it goes into `faults`."""
    try:
        return load(path)
    except ContentError as error:
        faults.extend(error.findings)
        return None


def _render_prose(content: Path, article: Iterable[str], grid: Grid | None, faults: list[Finding]) -> Prose:
    """All prose of the page. Without a grid its files are read, as far as they are known, and no more."""
    renderer = ProseRenderer(grid.scenario, (*PAGE_IDS, *article)) if grid else None

    def part(folder: str, name: str) -> str:
        source = _attempt(read_source, content / folder / f"{name}.md", faults)
        if source is None or renderer is None:
            return ""
        return renderer.render_live(source, name) if folder == "readings" else renderer.render(source, name)

    regimes = dict.fromkeys(grid.texts["regime"].values if grid else _names(content / "readings"))
    prose = Prose(
        parts={name: part("prose", name) for name in FIXED_PARTS},
        article=[(name, part("prose", name)) for name in article],
        readings={regime: part("readings", regime) for regime in regimes},
    )
    faults.extend(renderer.findings if renderer else ())
    return prose


def _unlisted_parts(content: Path) -> list[str]:
    """Every part that could be in the article, where the page's metadata cannot be asked."""
    return [name for name in _names(content / "prose") if name not in FIXED_PARTS]


def _names(folder: Path) -> list[str]:
    return sorted(path.stem for path in folder.glob("*.md"))


def write_site(files: dict[str, bytes], out: Path) -> None:
    """Writes all files into a folder beside their places first, and then moves them there, the page last.

    Raises:
        BuilderError: the folder cannot be written.
    """
    try:
        out.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=out, prefix=".new-") as folder:
            for path, data in files.items():
                _parent_made(Path(folder, path)).write_bytes(data)
            for path in sorted(files, key=lambda path: (path == "index.html", path)):
                Path(folder, path).replace(_parent_made(out / path))
    except OSError as error:
        place = error.filename2 or error.filename or out
        raise BuilderError(f"{place}: cannot be written: {error.strerror}") from error


def _parent_made(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path
