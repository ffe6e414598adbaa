"""Plans every file of the site as {path: bytes}, and writes them."""

import json
import os
import tempfile
from pathlib import Path

from builder.charts import FIGURES as CHARTS
from builder.charts import LIGHT, spec_with_data
from builder.errors import BuilderError, ContentError, Finding
from builder.grid import Grid, build_grid
from builder.metadata import PageTable, load_cards, load_page
from builder.page import Prose, render_page
from builder.prose import ProseRenderer
from builder.scenario import load_scenario
from builder.source import read_source

FIXED_PARTS = ("masthead", "introduction", "assumptions")


def plan_site(content: Path, templates: Path) -> dict[str, bytes]:
    """Every file of the site by its path inside the output folder; nothing is written.

    Raises:
        ContentError: with the findings of all content files that could be read.
    """
    faults: list[Finding] = []

    def attempt(load, path):
        try:
            return load(path)
        except ContentError as error:
            faults.extend(error.findings)
            return None

    scenario = attempt(load_scenario, content / "scenario.toml")
    page = attempt(load_page, content / "page.toml")
    cards = attempt(load_cards, content / "read_next.toml")
    if scenario is None:
        raise ContentError(faults)
    grid = build_grid(scenario)
    prose = _render_prose(content, page, grid, faults)
    if faults or page is None or cards is None:
        raise ContentError(faults)
    files = {"index.html": render_page(page, grid, prose, cards, templates).encode()}
    for name in CHARTS:
        spec = spec_with_data(name, grid, LIGHT)
        files[f"charts/{name}.vl.json"] = json.dumps(spec, allow_nan=False, ensure_ascii=False).encode()
    return files


def _render_prose(content: Path, page: PageTable | None, grid: Grid, faults: list[Finding]) -> Prose:
    """All prose of the page; what is wrong with it goes into `faults`."""
    renderer = ProseRenderer(grid.scenario)

    def part(folder: str, name: str, *, live: bool = False) -> str:
        try:
            source = read_source(content / folder / f"{name}.md")
        except ContentError as error:
            faults.extend(error.findings)
            return ""
        return renderer.render_live(source, name) if live else renderer.render(source, name)

    prose = Prose(
        parts={name: part("prose", name) for name in FIXED_PARTS},
        article=[(name, part("prose", name)) for name in (page.article if page else ())],
        readings={
            regime: part("readings", regime, live=True) for regime in dict.fromkeys(grid.texts["regime"].values)
        },
    )
    faults.extend(renderer.findings)
    return prose


def write_site(files: dict[str, bytes], out: Path) -> None:
    """Writes each file whole or not at all, the page last.

    Raises:
        BuilderError: the folder cannot be written.
    """
    try:
        for path in sorted(files, key=lambda path: (path == "index.html", path)):
            _write(out / path, files[path])
    except OSError as error:
        raise BuilderError(f"{error.filename or out}: cannot be written: {error.strerror}") from error


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        # mkstemp lets nobody else read, which a web server would have to.
        os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
