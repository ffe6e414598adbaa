"""The names in a content folder: one that nothing reads is told, or an author's file would be passed over."""

import os
from collections.abc import Iterator
from pathlib import Path

from builder.errors import Finding, did_you_mean

SCENARIOS = "scenarios"
TEXTS = ("prose", "readings")
TABLES = ("page.toml", "scenario.toml", "read_next.toml")
README = "README.md"


def entries(folder: Path) -> list[Path]:
    """All entries that are not hidden, in order; none where there is no folder that may be read."""
    try:
        return sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:
        return []


def misplaced_files(folder: Path, *, shared: bool) -> Iterator[Finding]:
    """Faults: what has the name of a folder, and would be looked into in vain.

    Of the content folder's own prose and readings each file is missed by name, so these are left out.
    """
    for name in (SCENARIOS,) if shared else TEXTS:
        path = folder / name
        if not os.path.lexists(path):
            continue
        if not path.is_dir():
            yield _finding(path, "is no folder", "put a folder in its place")
        elif not os.access(path, os.R_OK | os.X_OK):
            yield _finding(path, "may not be read", "give yourself the right to read the folder")


def unread_entries(folder: Path, *, shared: bool) -> Iterator[Finding]:
    """Doubts: what lies in a page's folder, or in its prose and readings, and is read by nothing.

    Args:
        folder: of the page.
        shared: whether it is the content folder itself, which may have scenarios.
    """
    known = (*TABLES, *TEXTS, *((SCENARIOS,) if shared else ()))
    for path in entries(folder):
        if path.name not in (*known, README):
            yield _finding(path, "is read by nothing", _hint(path, known))
    for path in (path for kind in TEXTS for path in entries(folder / kind)):
        if path.suffix != ".md":
            mend = "move its files up" if path.is_dir() else f"rename it {path.stem}.md, or remove it"
            yield _finding(path, "is no Markdown file", mend)


def _hint(path: Path, known: tuple[str, ...]) -> str:
    if path.name == SCENARIOS:
        return "move its folders to the scenarios of the content folder"
    if path.suffix == ".md":
        return "move it into prose/ or readings/"
    return did_you_mean(path.name, known)


def _finding(path: Path, rule: str, hint: str) -> Finding:
    return Finding(path.as_posix(), None, "name", rule, hint)
