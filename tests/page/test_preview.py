"""The preview in a browser: what an author sees from one save to the next."""

import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from builder.preview import CHANGES
from tests.page.colours import contrast, resolved
from tests.page.conftest import ROOT
from tests.page.seen import TOO_BIG, check

REPORT = "#preview-report"


class Project:
    """Content and templates that a test may change, and the preview that shows them."""

    def __init__(self, folder: Path):
        self.content, self.templates = folder / "content", folder / "site_templates"
        shutil.copytree(ROOT / "content", self.content)
        shutil.copytree(ROOT / "site_templates", self.templates)
        self.process: subprocess.Popen[str] | None = None

    def start(self, port: int = 0) -> str:
        """Starts the preview; gives its address once the first build is done."""
        folders = ["--content", str(self.content), "--templates", str(self.templates)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "builder", "serve", *folders, "--port", str(port)],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            cwd=ROOT,
        )
        return self.told(r"http://\S+")

    def told(self, pattern: str) -> str:
        """Waits for a line of the terminal that begins so, and gives what matches."""
        return next(found[0] for line in self.process.stdout if (found := re.match(pattern, line)))

    def stop(self) -> None:
        """Ctrl-C, while a page is still open."""
        if self.process:
            self.process.send_signal(signal.SIGINT)
            self.process.communicate()
            assert self.process.returncode == 0
        self.process = None


@pytest.fixture
def project(tmp_path) -> Iterator[Project]:
    project = Project(tmp_path)
    yield project
    project.stop()


@pytest.fixture
def open_preview(project, watched) -> Callable[..., Page]:
    """Opens a page of the preview, which may ask for itself and for changes, and waits for Vega."""

    def opened(path: str = "", width: int = 1280, scheme: str = "light") -> Page:
        root = project.start()
        watched.allow(re.split("[?#]", root + path)[0], root.rstrip("/") + CHANGES)
        size = {"width": width, "height": 700}
        page = watched.new_page(offline=False, viewport=size, color_scheme=scheme)
        page.goto(root + path)
        page.evaluate("globalThis.explainer?.ready")
        return page

    return opened


def edit(path: Path, old: str, new: str) -> None:
    """Saves a file with one text in the place of another, as editors do: by a new file in its place."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.with_suffix(".new").write_text(text.replace(old, new, 1), encoding="utf-8")
    path.with_suffix(".new").replace(path)


def settled(page: Page) -> Page:
    """The page once it is loaded again and Vega drives its charts."""
    page.wait_for_load_state()
    page.evaluate("explainer.ready")
    return page


def test_a_save_is_seen(project, open_preview):
    """The page loads again with the new text, in the state and at the place that it was in."""
    page = open_preview(TOO_BIG.hash)
    check(page, TOO_BIG)
    page.evaluate("scrollTo({top: 2000, behavior: 'instant'})")
    edit(project.content / "prose" / "limits.md", "##", "A sentence that was not there.\n\n##")
    page.get_by_text("A sentence that was not there.").wait_for(state="attached")
    check(settled(page), TOO_BIG)
    page.wait_for_function("() => scrollY === 2000")
    assert page.locator(REPORT).count() == 0


@pytest.mark.parametrize(
    ("file", "old", "new", "shown"),
    [
        ("styles/type.css", "body {", "body { color: red;", "style.color === 'rgb(255, 0, 0)'"),
        (
            "scripts/opening.js",
            "//",
            "document.documentElement.lang = 'fr';\n//",
            "document.documentElement.lang === 'fr'",
        ),
        ("page.html.j2", "<body>", '<body class="changed">', "document.body.className === 'changed'"),
    ],
)
def test_templates_styles_and_scripts_are_watched(file, old, new, shown, project, open_preview):
    """What a page looks like is shown anew as well as what it says."""
    page = open_preview()
    edit(project.templates / file, old, new)
    page.wait_for_function(f"() => {{ const style = getComputedStyle(document.body); return {shown}; }}")


def test_a_build_that_fails_and_one_that_does_not(project, open_preview):
    """The findings stand above the last good page, which works, and go when the mistake is mended."""
    page = open_preview(TOO_BIG.hash)
    prose = project.content / "prose" / "decode.md"
    edit(prose, "##", "A {{ ttft_msec }} &amp; <b>more</b>.\n\n##")
    report = page.locator(REPORT)
    report.wait_for()
    items = report.locator("li").all_inner_texts()
    assert (
        f"{prose.as_posix()}:1: {{{{ ttft_msec }}}}: ttft_msec is not a figure; did you mean ttft?" in items
    )
    assert any(": <b>: raw HTML is not taken" in item for item in items)
    check(settled(page), TOO_BIG)
    assert page.evaluate("document.querySelector('#preview-report').getBoundingClientRect().top") == 0
    edit(prose, "A {{ ttft_msec }} &amp; <b>more</b>.\n\n", "")
    report.wait_for(state="detached")
    check(settled(page), TOO_BIG)


def test_a_file_that_is_gone_for_a_moment(project, open_preview):
    """It is told while it is away; when it is there again the page is as it was."""
    page = open_preview()
    reading = project.content / "readings" / "memory-memory-fits.md"
    reading.rename(project.content.parent / "away.md")
    page.locator(REPORT).get_by_text("memory-memory-fits.md: file: is missing").wait_for()
    (project.content.parent / "away.md").rename(reading)
    page.locator(REPORT).wait_for(state="detached")


def test_a_folder_in_the_place_of_another(project, open_preview):
    """Content that is replaced as a whole is shown, and so is each save in it from then on."""
    page = open_preview()
    shutil.copytree(project.content, project.content.parent / "other")
    edit(project.content.parent / "other" / "page.toml", 'title = "', 'title = "New: ')
    project.content.rename(project.content.parent / "old")
    (project.content.parent / "other").rename(project.content)
    page.get_by_role("heading", name="New: Two phases").wait_for()
    edit(project.content / "page.toml", 'title = "New', 'title = "Newer')
    page.get_by_role("heading", name="Newer: Two phases").wait_for()


def test_a_mistake_from_the_start(project, open_preview, watched):
    """Where no page is yet there are the findings, and the page comes by itself once they are mended."""
    edit(project.content / "page.toml", "title", "titel")
    page = open_preview()
    report = page.locator(REPORT)
    assert report.get_by_text("titel").count() >= 1
    assert "no page yet" in report.inner_text()
    edit(project.content / "page.toml", "titel", "title")
    page.get_by_role("heading", name="Two phases").wait_for()
    assert report.count() == 0
    # The browser itself reports the status of an answer that is no page.
    watched.close()
    assert [fault for fault in watched.faults if "503" not in fault] == []
    watched.faults.clear()


def test_a_page_that_nobody_sees(project, open_preview):
    """In a tab behind others it lets go of its connection; when it is seen again it is the newest."""
    page = open_preview()
    show = "hidden => { Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });"
    show += " document.dispatchEvent(new Event('visibilitychange')); }"
    page.evaluate(show, True)
    edit(project.content / "page.toml", 'title = "', 'title = "New: ')
    project.told("built in")
    assert not page.title().startswith("New")
    page.evaluate(show, False)
    page.get_by_role("heading", name="New: Two phases").wait_for()


def test_a_preview_that_is_started_again(project, open_preview, watched):
    """A page that is still open finds it, and loads again for what was changed in between."""
    page = open_preview()
    port = int(re.search(r":(\d+)/", page.url)[1])
    project.stop()
    edit(project.content / "page.toml", 'title = "', 'title = "New: ')
    project.start(port)
    page.get_by_role("heading", name="New: Two phases").wait_for()
    # What the browser says of a server that is away for a moment.
    watched.close()
    assert [fault for fault in watched.faults if "net::ERR_" not in fault] == []
    watched.faults.clear()


def test_a_chart_alone(project, open_preview):
    """The page of one chart, for a frame, is shown anew like the whole one."""
    page = open_preview("embed/roofline.html?theme=dark")
    edit(project.templates / "embed.html.j2", "<body>", '<body class="changed">')
    page.locator("body.changed").wait_for()
    settled(page)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_findings_can_be_read(scheme, project, open_preview):
    """Text has 4.5:1 against its ground in both themes, and nothing is wider than 320 pixels."""
    page = open_preview(width=320, scheme=scheme)
    fault = "{{ a_figure_with_a_name_that_is_longer_than_any_line_of_a_narrow_window_could_ever_be }}"
    edit(project.content / "prose" / "decode.md", "##", f"{fault}\n\n##")
    page.locator(REPORT).wait_for()
    colours = page.locator(REPORT).evaluate(
        "report => ['color', 'backgroundColor'].map(name => getComputedStyle(report)[name])"
    )
    assert contrast(*resolved(page, *colours)) >= 4.5
    assert page.evaluate("document.documentElement.scrollWidth") == 320
