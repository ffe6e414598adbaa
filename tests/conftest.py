"""What the tests share: the shipped content and what is made of it, and small content of their own."""

import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from playwright.sync_api import Browser, sync_playwright

from builder.content import read_content
from builder.errors import ContentError, Finding
from builder.export import Exporter
from builder.grid import Grid, build_grid
from builder.prose import ProseRenderer
from builder.scenario import Scenario, load_scenario
from builder.site import plan_site
from builder.source import Source
from tests.browser import LAUNCH_ARGS, find_browser
from tests.markup import Markup
from tests.oracle import PUBLISHED
from tests.rendering import Render, Slips

ROOT = Path(__file__).parents[1]
CASES = Path(__file__).parent / "cases"
TEMPLATES = ROOT / "site_templates"

# In the background of a shell Ctrl-C is ignored, also by all that is started there, unless it is taken anew.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples every time, however slow the machine.
settings.register_profile("project", derandomize=True, deadline=None)
settings.load_profile("project")


@pytest.fixture(scope="session")
def scenario_text() -> str:
    """The text of the scenario that the repository ships."""
    return (ROOT / "content" / "scenario.toml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def scenario() -> Scenario:
    """The scenario that the repository ships."""
    return load_scenario(ROOT / "content" / "scenario.toml")


@pytest.fixture(scope="session")
def grid(scenario: Scenario) -> Grid:
    """All 4,800 states of the shipped scenario."""
    return build_grid(scenario)


@pytest.fixture(scope="session")
def planned() -> dict[str, bytes]:
    """Every file of the shipped site, by its path."""
    return plan_site(ROOT / "content", TEMPLATES).files


@pytest.fixture(scope="session")
def two_pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The shipped content, with a second machine beside the first."""
    folder = tmp_path_factory.mktemp("two pages") / "content"
    shutil.copytree(ROOT / "content", folder)
    shutil.copytree(ROOT / "tests" / "a100-80gb", folder / "scenarios" / "a100-80gb")
    return folder


@pytest.fixture(scope="session")
def html(planned: dict[str, bytes]) -> str:
    """The shipped page."""
    return planned["index.html"].decode()


@pytest.fixture(scope="session")
def markup(html: str) -> Markup:
    """The elements of the shipped page."""
    return Markup(html)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=find_browser(), args=LAUNCH_ARGS)
        yield running
        running.close()


@pytest.fixture
def content(tmp_path: Path) -> Path:
    """A folder with small content that has no fault, for a test to change."""
    folder = tmp_path / "content"
    shutil.copytree(Path(__file__).parent / "content", folder)
    shutil.copy(CASES / "toy.toml", folder / "scenario.toml")
    return folder


@pytest.fixture(params=PUBLISHED["rows"], ids=lambda row: "{prompt}-{output}-{batch}".format(**row))
def row(request: pytest.FixtureRequest) -> dict[str, object]:
    """One of the published rows of figures."""
    return request.param


@pytest.fixture
def toy() -> Callable[..., str]:
    """The text of the toy scenario, with some of its lines, counted from 1, replaced."""

    def edited(lines: dict[int, str] | None = None) -> str:
        text = (CASES / "toy.toml").read_text(encoding="utf-8").splitlines()
        for number, line in (lines or {}).items():
            text[number - 1] = line
        return "\n".join(text) + "\n"

    return edited


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], Scenario]:
    """Loads a scenario from its text."""

    def loaded(text: str) -> Scenario:
        path = tmp_path / "scenario.toml"
        path.write_text(text, encoding="utf-8", newline="")
        return load_scenario(path)

    return loaded


@pytest.fixture
def faults(load: Callable[[str], Scenario], tmp_path: Path) -> Callable[[str], list[str]]:
    """The findings of a scenario's text, as they are printed but for the folder."""

    def found(text: str) -> list[str]:
        with pytest.raises(ContentError) as caught:
            load(text)
        folder = tmp_path.as_posix() + "/"
        assert all(isinstance(finding, Finding) for finding in caught.value.findings)
        return [str(finding).removeprefix(folder) for finding in caught.value.findings]

    return found


@pytest.fixture
def render(scenario: Scenario) -> Render:
    """The HTML of a text in which nothing is at fault."""

    def rendered(text: str, prefix: str = "part", *, live: bool = False) -> str:
        renderer = ProseRenderer(scenario)
        page = (renderer.render_live if live else renderer.render)(Source("prose.md", text), prefix)
        assert renderer.findings == []
        return page

    return rendered


@pytest.fixture
def slips(scenario: Scenario) -> Slips:
    """The findings of a text, as they are printed."""

    def found(text: str, *, live: bool = False) -> list[str]:
        renderer = ProseRenderer(scenario)
        (renderer.render_live if live else renderer.render)(Source("prose.md", text), "part")
        return [str(finding) for finding in renderer.findings]

    return found


@pytest.fixture(scope="session")
def exporter() -> Exporter:
    """Makes pictures of the shipped page."""
    return Exporter(read_content(ROOT / "content").pages[0])
