"""What an author sees while writing: the last page that could be built, and above it what is wrong now."""

import base64
import hashlib
import html
import re
import traceback
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Condition
from typing import NamedTuple

from builder.errors import BuilderError, ContentError, Finding
from builder.site import Site
from builder.templates import inlined

CHANGES = "/.preview"  # where a page hears of changes; no file of a site has that name

# Milliseconds. An editor's save is over when nothing has happened for a step, or after the longest wait; what
# no event tells, a folder that took another's place, is looked for between two waits.
STEP, LONGEST, LOOK = 50, 300, 200

_BODY = re.compile(rb"<body\b[^>]*>")
_POLICY = re.compile(rb'(<meta http-equiv="Content-Security-Policy" content=")([^"]*)')
_NO_PAGE = b"""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No page yet</title>
<body id="no-page">
"""


@dataclass(frozen=True)
class Tools:
    """What every page that is served gets beside its own: a style and a script, which no build writes."""

    style: str
    script: str


@dataclass(frozen=True)
class Shown:
    """What is served at one moment.

    Attributes:
        version: another one whenever a page is different.
        files: by their paths in the site.
        missing: the page for any other path, and the status that it is answered with.
    """

    version: str
    files: Mapping[str, bytes]
    missing: tuple[bytes, int]


class Outcome(NamedTuple):
    """What came of a build: what kept it from a site, each as it is printed, and what is doubtful."""

    faults: list[str]
    warnings: list[Finding]


def load_tools(templates: Path) -> Tools:
    """The preview's own style and script. They are read once, so that no slip in a template takes them away.

    Raises:
        ContentError: one of them is missing or cannot be read.
    """
    return Tools(
        inlined(templates, "styles", ("preview.css",)), inlined(templates, "scripts", ("preview.js",))
    )


# Makes a site, and hands its pages over before the rest of it is there.
Build = Callable[[Callable[[Mapping[str, bytes]], None]], Site]


class Preview:
    """Builds a site again and again, in one thread; what came of it is there for all others."""

    def __init__(self, build: Build, tools: Tools) -> None:
        self._build = build
        self._tools = tools
        self._good: Mapping[str, bytes] = {}
        self._shown: Shown | None = None
        self._changed = Condition()

    def rebuild(self) -> Outcome:
        """Builds the site and shows it; where that fails, the last good one below what is wrong."""
        outcome = self._built()
        self._show(self._good, outcome.faults)
        return outcome

    def _built(self) -> Outcome:
        try:
            site = self._build(lambda pages: self._show({**self._good, **pages}, []))
        except ContentError as error:
            return Outcome([str(finding) for finding in error.findings], error.warnings)
        except BuilderError as error:
            return Outcome([str(error)], [])
        # Half a template can raise anything, and an author in the middle of it should not lose the preview.
        except Exception:
            return Outcome([traceback.format_exc().rstrip()], [])
        self._good = site.files
        return Outcome([], site.warnings)

    def _show(self, files: Mapping[str, bytes], faults: list[str]) -> None:
        shown = _shown(files, faults, self._tools)
        with self._changed:
            self._shown = shown
            self._changed.notify_all()

    def wait(self, version: str = "", timeout: float | None = None) -> Shown | None:
        """What is shown once its version is another one; None if that takes longer than `timeout` seconds."""

        def other() -> Shown | None:
            return self._shown if self._shown and self._shown.version != version else None

        with self._changed:
            return self._changed.wait_for(other, timeout)


def saves(folders: Iterable[Path]) -> Iterator[None]:
    """Yields once when the folders are watched, and then after each change in them, for ever.

    A folder that is replaced is watched anew, and one that is gone as soon as it is there again.

    Raises:
        BuilderError: the library that watches is not installed, or the system refuses.
    """
    try:
        import watchfiles
    except ModuleNotFoundError:
        hint = "`make serve` installs it, and so does `pip install watchfiles`"
        raise BuilderError(f"watchfiles is not installed, which sees a file being saved; {hint}") from None
    # The library's own list of what editors leave beside a file; in whatever folder the project itself lies.
    saved = watchfiles.DefaultFilter(ignore_dirs=())
    folders = tuple(folders)
    while True:
        watched = _identities(folders)
        there = [folder for folder, identity in zip(folders, watched, strict=True) if identity]
        try:
            for number, changes in enumerate(
                watchfiles.watch(
                    *there,
                    watch_filter=saved,
                    debounce=LONGEST,
                    step=STEP,
                    rust_timeout=LOOK,
                    yield_on_timeout=True,
                )
            ):
                if number == 0 or changes:
                    yield
                if _identities(folders) != watched:
                    break
        except FileNotFoundError:
            continue  # gone between the two looks
        except OSError as error:
            hint = "with WATCHFILES_FORCE_POLLING=1 they are looked at instead"
            raise BuilderError(f"the files cannot be watched: {error}; {hint}") from error


def _identities(folders: Iterable[Path]) -> list[tuple[int, int] | None]:
    """Which folder each is: a watch stays with the folder itself when another gets its name."""

    def identity(folder: Path) -> tuple[int, int] | None:
        try:
            found = folder.stat()
        except OSError:
            return None
        return found.st_dev, found.st_ino

    return [identity(folder) for folder in folders]


def _shown(good: Mapping[str, bytes], faults: list[str], tools: Tools) -> Shown:
    """The files as they are served: each page with the preview's style and script, and the faults if any."""
    pages = sorted((path, data) for path, data in good.items() if path.endswith(".html"))
    version = hashlib.sha256(repr((pages, faults, tools)).encode()).hexdigest()
    block = (
        f"<style>{tools.style}</style>{_report(faults, bool(good))}"
        f'<script data-changes="{CHANGES}" data-version="{version}">{tools.script}</script>'
    ).encode()
    if not good:
        return Shown(version, {}, (_NO_PAGE + block, 503))
    files = {
        path: _with_block(_POLICY.sub(lambda found: found[1] + _widened(found[2], tools), data, 1), block)
        if path.endswith(".html")
        else data
        for path, data in good.items()
    }
    return Shown(version, files, (files["404.html"], 404))


def _report(faults: list[str], has_page: bool) -> str:
    """What is wrong, for the top of a page."""
    if not faults:
        return ""
    number = f"{len(faults)} finding{'' if len(faults) == 1 else 's'}"
    state = "This is the last page that could be built" if has_page else "There is no page yet"
    items = "".join(f"<li>{html.escape(fault)}</li>" for fault in faults)
    return (
        '<section id="preview-report" role="alert" tabindex="0" aria-label="What is wrong">'
        f"<p><strong>{number}.</strong> {state}; it is built again when a file is saved.</p>"
        f"<ul>{items}</ul></section>"
    )


def _with_block(page: bytes, block: bytes) -> bytes:
    """The page with a block first in its body, or last of all where a half-written template has no body."""
    body = _BODY.search(page)
    at = body.end() if body else len(page)
    return page[:at] + block + page[at:]


def _widened(policy: bytes, tools: Tools) -> bytes:
    """The page's own policy, which here also lets the preview's style and script be, and the script ask."""
    added = {
        "style-src": _hash(tools.style),
        "script-src": _hash(tools.script),
        "connect-src": "'self'",
    }
    directives = [part.split() for part in html.unescape(policy.decode()).split(";") if part.strip()]
    named = {name: [source for source in sources if source != "'none'"] for name, *sources in directives}
    for name, source in added.items():
        named[name] = [*named.get(name, []), source]
    text = "; ".join(" ".join([name, *(sources or ["'none'"])]) for name, sources in named.items())
    return html.escape(text).encode()


def _hash(block: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()}'"
