"""The README keeps its word: its commands run, its examples render, its tables name what is there."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from builder.prose import ProseRenderer
from builder.scenario import Scenario
from builder.source import Source

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```", README, re.M | re.S)


COMMANDS = [line for block in blocks("sh") for line in block.splitlines()]

# A run of all tests inside a test would not end: it runs the ones of a single file. Nor would a preview end,
# which tests/test_serve.py runs and stops.
NARROWED = {
    "make test": 'make test ARGS="-q tests/test_errors.py"',
    "make serve": 'make serve ARGS="--help"',
}
WRITES = {
    "make build": ["dist/index.html", "dist/charts/roofline.vl.json", "dist/charts/timeline.vl.json"],
    ".venv/bin/build": ["dist/index.html"],
    ".venv/bin/build --content content --templates site_templates --out build/site": [
        "build/site/index.html"
    ],
    ".venv/bin/builder export roofline --batch 64 --format png,svg": [
        "slides/roofline-p1024-o128-b64-light.png",
        "slides/roofline-p1024-o128-b64-light.svg",
        "slides/roofline-p1024-o128-b64-light-outlines.svg",
        "slides/index.html",
    ],
    ".venv/bin/builder export roofline throughput --batch 64 --format pdf --size 4:3": [
        "slides/roofline-p1024-o128-b64-light-4x3.pdf",
        "slides/throughput-p1024-o128-b64-light-4x3.pdf",
    ],
    ".venv/bin/builder export metrics --theme dark --background '#1f2937' --scale 2": [
        "slides/metrics-p1024-o128-b1-dark-on-1f2937-at-2x.png"
    ],
    ".venv/bin/builder export roofline --prompt 4096 --batch 8 --format html": [
        "slides/roofline-p4096-o128-b8-light.html"
    ],
    ".venv/bin/builder export timeline --output 16 --format pdf --theme dark --background transparent": [
        "slides/timeline-p1024-o16-b1-dark-on-transparent.pdf"
    ],
    ".venv/bin/builder export throughput --format svg,json --size square": [
        "slides/throughput-p1024-o128-b1-light-square.vl.json"
    ],
    "make screenshots": ["build/screenshots/1280-light-start.png", "build/screenshots/360-dark-longest.png"],
}


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A copy of the project's files, with the environment that the tests run in."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(sys.prefix)
    return tmp_path


def test_the_two_commands_come_first():
    """A newcomer meets the build and then the tests before anything else."""
    assert COMMANDS[:2] == ["make build", "make test"]


@pytest.mark.parametrize("command", COMMANDS)
def test_command(clone: Path, command: str):
    """Each command of the README succeeds in a copy of the project, and leaves what the README says."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "MAKE"))}
    run = subprocess.run(
        # The copy shares the environment, into which it must not install itself.
        NARROWED.get(command, command).replace("make ", "make --assume-old=.venv/project.stamp ", 1),
        cwd=clone,
        shell=True,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    for path in WRITES.get(command, []):
        assert (clone / path).stat().st_size > 0, path


@pytest.mark.parametrize("example", blocks("markdown"))
def test_example_of_prose(scenario: Scenario, example: str):
    """Each example of prose is valid, and its constructs leave no brace behind."""
    prose = ProseRenderer(scenario)
    html = prose.render(Source("README.md", example), "readme")
    assert prose.findings == []
    assert "{" not in html
    assert "459.5" in html or "No batch crosses the ridge." in html


def test_paths_exist():
    """Every file and folder that the README names in code is there."""
    tables = re.findall(r"`((?:content|site_templates|tests|builder)/[\w./]*)`", README)
    modules = [f"builder/{name}" for name in re.findall(r"`(\w+\.py)`", README)]
    assert len(tables) > 8
    assert len(modules) > 12
    assert [name for name in tables + modules if not (ROOT / name).exists()] == []
    assert [
        picture for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README) if not (ROOT / picture).is_file()
    ] == []


def test_every_module_is_on_the_map():
    """The map names each module of the program."""
    modules = {path.name for path in (ROOT / "builder").glob("*.py")} - {"__init__.py", "__main__.py"}
    assert sorted(module for module in modules if f"`{module}`" not in README) == []
