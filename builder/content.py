"""An author's folder, read whole: what each page says, and every fault of all files in one run.

A content folder makes one page. Each folder of its `scenarios/` makes another: it has a scenario of its own,
and for every other file that is not there the one of the content folder stands in.
"""

import posixpath
import re
from collections.abc import Callable, Collection, Container, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from builder import units
from builder.entries import SCENARIOS, entries, misplaced_files, unread_entries
from builder.errors import ContentError, Finding, did_you_mean
from builder.figures import REGIMES
from builder.grid import Grid, build_grid
from builder.metadata import FIXED_PARTS, PAGE_IDS, Card, PageTable, load_cards, load_page
from builder.prose import ProseRenderer
from builder.scenario import Scenario, load_scenario
from builder.source import read_source

T = TypeVar("T")


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
class PageContent:
    """All that one page says.

    Attributes:
        name: of its folder in the site; "" for the page at the root.
    """

    name: str
    page: PageTable
    cards: tuple[Card, ...]
    grid: Grid
    prose: Prose

    @property
    def machine(self) -> str:
        """What the page is worked out for, in words."""
        model, cards = self.grid.scenario.model, self.grid.scenario.hardware
        return f"{model.name}, {model.precision}, on {units.count(cards.count)} × {cards.name}"


@dataclass(frozen=True)
class Content:
    """All pages of a content folder, the first one at the root, and what is doubtful about them."""

    pages: list[PageContent]
    warnings: list[Finding]


def read_content(folder: Path, taken: Container[str] = (), files: Collection[str] | None = None) -> Content:
    """Reads every file of a content folder.

    Args:
        folder: the content folder.
        taken: names that no page's folder may have.
        files: that every page has, by their paths in its folder; without them links to files are not checked.

    Raises:
        ContentError: with the findings of all files, and the warnings.
    """
    faults: list[Finding] = []
    warnings: list[Finding] = []
    pages: list[PageContent] = []
    readers = list(_readers(folder, taken, faults))
    linked = files and {posixpath.join(reader.name, file) for reader in readers for file in files}
    for reader in readers:
        page = reader.read(linked)
        pages += [page] if page else []
        new = [fault for fault in reader.faults if fault not in faults]
        faults.extend(map(reader.told_apart, new))
        warnings.extend(reader.doubts())
    faults.extend(_twin_findings(pages, folder))
    if faults:
        raise ContentError(faults, warnings)
    return Content(pages, list(dict.fromkeys(warnings)))


def _readers(folder: Path, taken: Container[str], faults: list[Finding]) -> "Iterator[_Reader]":
    """One for each page; what cannot be a page is a fault."""
    faults.extend(misplaced_files(folder, shared=True))
    yield _Reader("", [folder])
    for path in entries(folder / SCENARIOS):
        if rule := _name_fault(path, taken):
            faults.append(Finding(path.as_posix(), None, "name", *rule))
        else:
            faults.extend(misplaced_files(path, shared=False))
            yield _Reader(path.name, [path, folder])


def _name_fault(path: Path, taken: Container[str]) -> tuple[str, str] | None:
    """Why a path is not the folder of a page, and how to mend it."""
    if not path.is_dir():
        return "is no folder", f"write {path.parent.as_posix()}/{path.stem}/scenario.toml"
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", path.name):
        return "is not of small letters, digits and hyphens", "rename the folder, as in a100-80gb"
    if path.name in taken:
        return "is that of a folder which every site has", "rename the folder"
    return None


def _twin_findings(pages: Sequence[PageContent], folder: Path) -> Iterator[Finding]:
    """Pages that nothing in words tells apart."""
    for at, page in enumerate(pages):
        if page.machine in [other.machine for other in pages[:at]]:
            file = (folder / SCENARIOS / page.name / "scenario.toml").as_posix()
            rule = f"{page.machine!r} is another page as well"
            yield Finding(file, None, "model.name", rule, "name the model, the precision or the cards apart")


def _stands(path: Path) -> bool:
    """Whether something is there; what cannot be asked is looked at once more when it is read."""
    try:
        return path.exists()
    except OSError:
        return True


class _Reader:
    """Reads one page's files: each from the first of its folders that has it."""

    def __init__(self, name: str, folders: Sequence[Path]) -> None:
        self.name = name
        self.folders = folders
        self.faults: list[Finding] = []
        self.scenario: Scenario | None = None
        self.article: Sequence[str] | None = None

    def read(self, files: Collection[str] | None) -> PageContent | None:
        """The page, or None where something is at fault; `files` are those of the site, for links."""
        self.scenario = self._attempt(load_scenario, self.folders[0] / "scenario.toml")
        page = self._attempt(load_page, self._find("page.toml"))
        cards = self._attempt(load_cards, self._find("read_next.toml"))
        grid = build_grid(self.scenario) if self.scenario else None
        self.article = page.article if page else None
        prose = self._prose(grid, files)
        if self.faults or not (page and cards and grid):
            return None
        if page.address and self.name:
            page = page.model_copy(update={"address": f"{page.address}{self.name}/"})
        return PageContent(self.name, page, cards, grid, prose)

    def doubts(self) -> Iterator[Finding]:
        """What is not at fault, and can hardly be meant."""
        yield from self.scenario.doubts if self.scenario else ()
        if self.article is not None:
            hint = f"name it in article in {self._find('page.toml').as_posix()}, or remove it"
            for name in sorted(self._names("prose") - {*FIXED_PARTS, *self.article}):
                yield self._unused("prose", name, "is no part of the page", hint)
        for name in sorted(self._names("readings") - {*REGIMES}):
            yield self._unused("readings", name, "is no regime's reading", did_you_mean(name, REGIMES))
        yield from unread_entries(self.folders[0], shared=not self.name)

    def _unused(self, kind: str, name: str, rule: str, hint: str) -> Finding:
        return Finding(self._find(kind, name).as_posix(), None, "file", rule, hint)

    def _attempt(self, load: Callable[[Path], T], path: Path) -> T | None:
        """What `load` makes of the file, or None; what is wrong with it goes into the faults."""
        try:
            return load(path)
        except ContentError as error:
            self.faults.extend(error.findings)
            return None

    def _prose(self, grid: Grid | None, files: Collection[str] | None) -> Prose:
        """All prose of the page. Without a grid its files are looked at, as far as they are known."""
        article = self.article
        if article is None:  # the metadata cannot be asked
            article = sorted(self._names("prose") - {*FIXED_PARTS})
        renderer = ProseRenderer(self.scenario, (*PAGE_IDS, *article))

        def part(kind: str, name: str) -> str:
            source = self._attempt(read_source, self._find(kind, name))
            if source is None:
                return ""
            return renderer.render_live(source, name) if kind == "readings" else renderer.render(source, name)

        regimes = dict.fromkeys(grid.texts["regime"].values if grid else sorted(self._names("readings")))
        prose = Prose(
            parts={name: part("prose", name) for name in FIXED_PARTS},
            article=[(name, part("prose", name)) for name in article],
            readings={regime: part("readings", regime) for regime in regimes},
        )
        if all(prose.parts.values()) and all(text for _, text in prose.article):  # else not all ids are known
            renderer.check_links(self.name, files)
        self.faults.extend(renderer.findings)
        return prose

    def told_apart(self, finding: Finding) -> Finding:
        """A fault of this page; of a shared file it says on which page it is one."""
        if finding.file.startswith(f"{self.folders[0].as_posix()}/"):
            return finding
        own = self.folders[0] / Path(finding.file).relative_to(self.folders[-1])
        hint = f"{finding.hint}; or write {own.as_posix()} for that page"
        return replace(finding, rule=f"on the page {self.name}: {finding.rule}", hint=hint)

    def _find(self, *path: str) -> Path:
        """A file, in the page's own folder or in the one that it shares; a part of the prose by its name."""
        name = Path(*path) if len(path) == 1 else Path(path[0], f"{path[1]}.md")
        places = [folder / name for folder in self.folders]
        return next((place for place in places if _stands(place)), places[-1])

    def _names(self, kind: str) -> set[str]:
        """The names of all Markdown files of a kind."""
        found = (path for folder in self.folders for path in entries(folder / kind))
        return {path.stem for path in found if path.suffix == ".md"}
