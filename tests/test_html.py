"""`make check` sees what is wrong with the page's HTML, scripts and styles, and says where."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
NEEDED = ["Makefile", "biome.json", "package.json", "package-lock.json", "pyproject.toml"]
NEEDED += ["requirements.txt", "requirements-dev.txt", "builder", "content", "site_templates"]


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    """The templates of a copy of the project, which has the environment that the tests run in."""
    for name in NEEDED:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy2
        copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path / "site_templates"


@pytest.fixture
def check(templates: Path) -> Callable[[], str]:
    """Checks the copy, which has to fail; gives what was said."""
    # The installed project is the one under test, whatever the ages of the copy's files.
    command = ["make", "check-web", "--assume-old=.venv/project.stamp"]
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "MAKE"))}

    def checked() -> str:
        run = subprocess.run(
            command, cwd=templates.parent, env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode != 0
        return run.stdout + run.stderr

    return checked


def add(path: Path, text: str) -> None:
    """Puts a text at the end of a file."""
    path.write_text(path.read_text(encoding="utf-8") + text, encoding="utf-8")


def test_html(templates: Path, check: Callable[[], str]):
    """The W3C checker reads every page that a build writes, and a warning is enough for it."""
    page = templates / "page.html.j2"
    text = page.read_text(encoding="utf-8")
    assert text.count("</main>") == 1
    page.write_text(
        text.replace("</main>", '<p><ul></ul></p><section id="bare"></section>\n</main>'), encoding="utf-8"
    )
    said = check()
    assert "build/check/index.html" in said
    assert "No “p” element in scope" in said
    assert "Section lacks heading" in said


def test_scripts_and_styles(templates: Path, check: Callable[[], str]):
    """Each file is held to its form; names are looked for in the scope that all scripts share."""
    add(templates / "scripts" / "address.js", "\nshow(nobodyKnowsThis);\n")
    add(templates / "scripts" / "display.js", "\nfunction nobodyCallsThis() {}\n")
    add(templates / "scripts" / "data.js", "\nfor (const axis of axes)   axis.name += '';\n")
    add(templates / "styles" / "type.css", "\np {\n  colour: red;\n}\n")
    said = check()
    assert "The nobodyKnowsThis variable is undeclared" in said
    assert "This function nobodyCallsThis is unused" in said
    assert "site_templates/scripts/data.js format" in said
    assert "noUnknownProperty" in said
    # What one fragment declares and another uses is neither; a slip is told of the page and of both embeds.
    assert "positionIn" not in said
    assert said.count("is undeclared") == said.count("is unused") == 3
