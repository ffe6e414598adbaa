"""The command line on doubts and on faults of its own: warnings, --strict, where to report."""

import subprocess
import sys
from importlib import metadata

import pytest
from click.testing import CliRunner

from builder.cli import build, check
from builder.site import Site
from tests.conftest import ROOT, TEMPLATES

DOUBT = "scenario.toml:18: hardware.memory_gb: is 42.9, which is 40 GiB in GB; as cards are sold: write 40\n"


@pytest.fixture
def doubtful(content):
    """The small content with a card's memory in the wrong unit."""
    path = content / "scenario.toml"
    text = path.read_text(encoding="utf-8").replace("memory_gb = 1\n", "memory_gb = 42.9\n", 1)
    path.write_text(text, encoding="utf-8")
    return content


@pytest.fixture
def run(doubtful, tmp_path):
    """Runs a command on it; what it says on stderr is without the folder's name."""

    def ran(command, *arguments):
        folders = [doubtful] if command is check else ["--content", doubtful, "--out", tmp_path / "out"]
        every = [*map(str, folders), "--templates", str(TEMPLATES), *arguments]
        result = CliRunner().invoke(command, every)
        return result.exit_code, result.stderr.replace(f"{doubtful.as_posix()}/", ""), result.stdout

    return ran


def test_a_doubt_stops_no_build(run, tmp_path):
    """It is a warning on stderr, and the site is written."""
    code, said, _ = run(build)
    assert (code, said) == (0, f"warning: {DOUBT}")
    assert (tmp_path / "out" / "index.html").is_file()


def test_strict_takes_it_for_a_fault(run, tmp_path):
    """With --strict the same is a finding: exit 1, and nothing is written."""
    code, said, told = run(build, "--strict")
    assert (code, said, told) == (1, f"{DOUBT}1 finding; nothing was written\n", "")
    assert not (tmp_path / "out").exists()


def test_a_check_does_the_same(run):
    """`check` warns and passes, and with --strict it fails."""
    assert run(check)[:2] == (0, f"warning: {DOUBT}")
    assert run(check, "--strict")[:2] == (1, f"{DOUBT}1 finding; nothing was written\n")


def test_warnings_beside_faults(run, doubtful):
    """Where something is at fault as well, warnings come first; with --strict they are counted in."""
    (doubtful / "prose" / "part.md").unlink()
    fault = "prose/part.md: file: is missing; write it, or name another folder\n"
    code, said, _ = run(build)
    assert (code, said) == (1, f"warning: {DOUBT}{fault}1 finding; nothing was written\n")
    code, said, _ = run(build, "--strict")
    assert (code, said) == (1, f"{fault}{DOUBT}2 findings; nothing was written\n")


def test_strict_without_a_doubt(run, monkeypatch, tmp_path):
    """With nothing to warn of, --strict changes nothing."""
    monkeypatch.setattr("builder.site.plan_site", lambda *folders: Site({"index.html": b"page"}, []))
    code, said, told = run(build, "--strict")
    assert (code, said) == (0, "")
    assert told.startswith(str(tmp_path))
    assert (tmp_path / "out" / "index.html").read_bytes() == b"page"


# A fault of the builder

BROKEN = """
import sys
import builder.site
from builder.cli import build
def broken(*folders): raise ZeroDivisionError("odd")
builder.site.plan_site = broken
build(["--content", ".", "--templates", ".", "--out", sys.argv[1]])
"""


def test_a_fault_of_the_builder_says_where_to_report_it(tmp_path):
    """Its traceback is shown, and the last line says that it is one, and where it should be told."""
    command = [sys.executable, "-c", BROKEN, str(tmp_path / "out")]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "Traceback" in ran.stderr
    *_, error, last = ran.stderr.splitlines()
    assert error == "ZeroDivisionError: odd"
    assert last.startswith("This is a fault of the builder, whatever the content: please report it")
    assert "the project's issue tracker" in last
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("urls", "ending"),
    [
        (["Issues, https://example.org/issues"], "issue tracker (https://example.org/issues)."),
        (["Source, https://example.org/"], "issue tracker."),
        ([], "issue tracker."),
        (None, "issue tracker."),
    ],
)
def test_the_tracker_is_the_package_s_own(urls, ending, monkeypatch, run):
    """The address is that of the package's metadata, and none is made up where there is none."""

    class Package:
        def get_all(self, name):
            assert name == "Project-URL"
            return urls

    def broken(*folders):
        raise ZeroDivisionError

    monkeypatch.setattr(metadata, "metadata", lambda name: Package())
    monkeypatch.setattr("builder.site.plan_site", broken)
    result = CliRunner().invoke(build, ["--content", str(ROOT / "content"), "--templates", str(TEMPLATES)])
    assert isinstance(result.exception, ZeroDivisionError)
    assert result.exception.__notes__[0].endswith(ending)


def test_a_package_that_is_not_installed(monkeypatch):
    """A checkout that runs without being installed says the same without an address."""

    def unknown(name):
        raise metadata.PackageNotFoundError(name)

    def broken(*folders):
        raise ZeroDivisionError

    monkeypatch.setattr(metadata, "metadata", unknown)
    monkeypatch.setattr("builder.site.plan_site", broken)
    result = CliRunner().invoke(build, ["--content", str(ROOT / "content"), "--templates", str(TEMPLATES)])
    assert result.exception.__notes__[0].endswith("issue tracker.")
