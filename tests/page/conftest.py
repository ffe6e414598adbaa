"""A built site, one browser, and pages that may ask for nothing and say nothing."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from builder.output import OutputFolder
from builder.site import plan_site

ROOT = Path(__file__).parents[2]
LIMIT_MS = 30_000


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site built from the content and the templates that the repository ships."""
    out = tmp_path_factory.mktemp("site")
    OutputFolder(out).replace(plan_site(ROOT / "content", ROOT / "site_templates").files)
    return out


class Watched:
    """Opens pages in contexts of their own, and notes all that they should not have done.

    Attributes:
        faults: each request for another file than those named, each console message, each uncaught error.
    """

    def __init__(self, browser: Browser, *files: Path):
        self.faults: list[str] = []
        self._browser = browser
        self._allowed = {file.as_uri() for file in files}
        self._contexts: list[BrowserContext] = []

    def new_page(self, *files: Path, init: str = "", **options: Any) -> Page:
        """An empty page that may open `files` as well; `init` runs before any script of theirs."""
        self._allowed |= {file.as_uri() for file in files}
        context = self._browser.new_context(**{"offline": True} | options)
        self._contexts.append(context)
        context.set_default_timeout(LIMIT_MS)
        context.on("request", lambda request: self._note_request(request.url))
        context.on("console", lambda message: self.faults.append(f"console {message.type}: {message.text}"))
        context.on("weberror", lambda error: self.faults.append(f"error: {error.error}"))
        if init:
            context.add_init_script(init)
        return context.new_page()

    def allow(self, *addresses: str) -> None:
        """Lets pages ask for these addresses as well, whatever query and fragment follow them."""
        self._allowed |= set(addresses)

    def close(self) -> None:
        """Closes every page; what they still had to say is noted."""
        while self._contexts:
            self._contexts.pop().close()

    def _note_request(self, url: str) -> None:
        if re.split("[?#]", url)[0] not in self._allowed and not url.startswith("data:"):
            self.faults.append(f"request: {url[:200]}")


@pytest.fixture
def watched(browser: Browser, site: Path) -> Iterator[Watched]:
    """Pages that are watched: the test fails after all if one of them asked for anything or complained."""
    watched = Watched(browser, site / "index.html")
    yield watched
    watched.close()
    assert watched.faults == []


@pytest.fixture
def open_page(watched: Watched, site: Path) -> Callable[..., Page]:
    """Opens the built page at an address, in a window of a size, and waits until Vega drives its charts."""

    def opened(
        hash: str = "",
        width: int = 1280,
        height: int = 800,
        scheme: str = "light",
        *,
        init: str = "",
        ready: bool = True,
        **options: Any,
    ) -> Page:
        size = {"width": width, "height": height}
        page = watched.new_page(init=init, viewport=size, color_scheme=scheme, **options)
        page.goto((site / "index.html").as_uri() + hash)
        if ready and options.get("java_script_enabled", True):
            page.evaluate("explainer.ready")
        return page

    return opened


@pytest.fixture
def open_file(watched: Watched, site: Path) -> Callable[..., Page]:
    """Opens any page of the site, `tail` after its path; waits until Vega drives its charts, if any."""

    def opened(
        name: str, tail: str = "", width: int = 1280, height: int = 800, scheme: str = "light", **options: Any
    ) -> Page:
        size = {"width": width, "height": height}
        page = watched.new_page(site / name, viewport=size, color_scheme=scheme, **options)
        page.goto((site / name).as_uri() + tail)
        if options.get("java_script_enabled", True):
            page.evaluate("globalThis.explainer?.ready")
        return page

    return opened
