"""The command line: what it prints, how it exits, and what it does not load."""

import gzip
import importlib
import os
import re
import signal
import subprocess
import sys
import tomllib

import pytest
from click.testing import CliRunner

from builder import __version__
from builder.cli import build, main
from builder.output import MANIFEST, OutputFolder
from tests.conftest import ROOT, TEMPLATES

HEAVY = ("altair", "jinja2", "markdown", "pydantic", "vl_convert")


@pytest.fixture
def run(content, tmp_path):
    """Runs `build` on the small content, with more arguments."""

    def ran(*arguments, command=build):
        folders = ["--content", str(content), "--templates", str(TEMPLATES), "--out", str(tmp_path / "out")]
        return CliRunner().invoke(command, [*folders, *arguments])

    return ran


def python(script, *arguments, **options):
    """A script in a Python of its own."""
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, **options)


# What it prints


def test_it_says_what_it_wrote(run, tmp_path):
    """Each file has a line with its size, raw and by gzip; the last line has the number and the seconds."""
    ran = run()
    assert (ran.exit_code, ran.stderr) == (0, "")
    *lines, last = ran.stdout.splitlines()
    files = {path.as_posix(): path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert files.pop(f"{tmp_path}/out/{MANIFEST}")
    assert f"{tmp_path}/out/index.html" in files
    assert sorted(lines) == sorted(
        f"{name}  {len(data) / 1000:,.1f} kB, {len(gzip.compress(data, mtime=0)) / 1000:,.1f} kB gzip"
        for name, data in files.items()
    )
    assert re.fullmatch(rf"{len(files)} files in \d+\.\d s", last)


@pytest.mark.parametrize("form", ["build", "builder build", "python -m builder build"])
def test_the_three_forms_are_one_command(form):
    """The console command, the subcommand and the module take the same options and say the same of them."""
    targets = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["scripts"]
    if form.startswith("python"):
        ran = subprocess.run(
            [sys.executable, *form.split()[1:], "--help"],
            capture_output=True,
            text=True,
            check=True,
            cwd=ROOT,
        )
        text = ran.stdout
    else:
        module, name = targets[form.split()[0]].split(":")
        command = getattr(importlib.import_module(module), name)
        text = CliRunner().invoke(command, [*form.split()[1:], "--help"]).stdout
    for option, default in (("--content", "content"), ("--templates", "site_templates"), ("--out", "dist")):
        assert re.search(rf"{option} DIRECTORY .*?\[default: {default}\]", text, re.DOTALL)
    assert "--version" in text


def test_the_group_lists_its_commands():
    """`builder --help` names the command and says what it does."""
    ran = CliRunner().invoke(main, ["--help"])
    assert ran.exit_code == 0
    assert re.search(r"build +Build the page", ran.stdout)


@pytest.mark.parametrize(("command", "name"), [(build, "build"), (main, "builder")])
def test_the_version(command, name):
    """It is that of the package, whether or not the package is installed."""
    assert CliRunner().invoke(command, ["--version"]).stdout == f"{name}, version {__version__}\n"


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["build", "--help"], ["build", "--nope"]])
def test_what_needs_no_library_loads_none(arguments):
    """Help, version and a mistyped option are there before any library of the build is loaded."""
    script = (
        "import sys; from builder.cli import main\n"
        "try: main(sys.argv[1:])\n"
        f"finally: print([name for name in {HEAVY} if name in sys.modules])"
    )
    assert python(script, *arguments).stdout.endswith("\n[]\n" if "--nope" not in arguments else "[]\n")


# Faults


def test_faults_of_the_content(run, content, tmp_path):
    """Each finding is a line with file, line, place, rule and hint; exit 1, no traceback, nothing written."""
    (content / "prose" / "part.md").write_text("A {{ ttft_msec }} and {{ decode_time }}.\n", encoding="utf-8")
    (content / "readings" / "memory-memory-fits.md").unlink()
    ran = run()
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr.replace(f"{content.as_posix()}/", "").splitlines() == [
        "prose/part.md:1: {{ decode_time }}: decode_time is not a figure; did you mean decode_steps?",
        "prose/part.md:1: {{ ttft_msec }}: ttft_msec is not a figure; did you mean ttft?",
        "readings/memory-memory-fits.md: file: is missing; write it, or name another folder",
        "3 findings; nothing was written",
    ]
    assert not (tmp_path / "out").exists()


def test_faults_leave_the_old_page(run, content, tmp_path):
    """After a build that fails, what an earlier one wrote is there, to the byte."""
    assert run().exit_code == 0
    out = tmp_path / "out"
    before = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.rglob("*") if path.is_file()}
    (content / "scenario.toml").write_text("", encoding="utf-8")
    assert run().exit_code == 1
    after = {path: (path.read_bytes(), path.stat().st_mtime_ns) for path in out.rglob("*") if path.is_file()}
    assert after == before
    assert out / "index.html" in after


def test_one_fault_is_no_plural(run, content):
    """One finding is said in the singular."""
    (content / "prose" / "part.md").unlink()
    assert run().stderr.splitlines()[-1] == "1 finding; nothing was written"


def test_a_slip_in_a_template(run, tmp_path):
    """A template's fault is told like one of the content: exit 1, file and line, no traceback."""
    templates = tmp_path / "templates"
    subprocess.run(["cp", "-r", TEMPLATES, templates], check=True)
    (templates / "page.html.j2").write_text("<!doctype html>\n{{ polici }}\n", encoding="utf-8")
    ran = run("--templates", str(templates))
    assert ran.exit_code == 1
    assert ran.stderr.splitlines() == [
        f"{templates}/page.html.j2:2: template: 'polici' is undefined; did you mean policy?",
        "1 finding; nothing was written",
    ]
    assert not (tmp_path / "out").exists()


def test_an_output_that_cannot_be_written(run, tmp_path):
    """Where the site cannot be written the reason is one line, and the exit 1."""
    (tmp_path / "file").write_bytes(b"mine")
    ran = run("--out", str(tmp_path / "file" / "out"))
    assert ran.exit_code == 1
    assert ran.stderr == f"{tmp_path}/file/out: cannot be written: Not a directory\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--nope"], "No such option"),
        (["--content"], "requires an argument"),
        (["more"], "unexpected extra argument"),
        (["--content", "gone"], "gone: no such folder; run in the project's folder, or name it by --content"),
        (
            ["--templates", "gone"],
            "gone: no such folder; run in the project's folder, or name it by --templates",
        ),
        (["--out", __file__], "is a file"),
    ],
)
def test_usage_errors(arguments, message, run, tmp_path):
    """What is wrong with the command itself exits with 2, and nothing is done."""
    ran = run(*arguments)
    assert ran.exit_code == 2
    assert message in " ".join(ran.stderr.split())
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "out").exists()


def test_a_fault_of_the_builder_shows_itself(run, monkeypatch):
    """What is nobody's slip is raised with its traceback, so that it can be reported."""

    def broken(content, templates):
        raise ZeroDivisionError

    monkeypatch.setattr("builder.site.plan_site", broken)
    assert isinstance(run().exception, ZeroDivisionError)


def test_a_library_that_makes_another_error_of_ctrl_c(run, monkeypatch):
    """Ctrl-C is Ctrl-C, whatever a library in between turns it into: exit 130, no traceback."""

    def broken(content, templates):
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise ValueError("not finished") from error

    monkeypatch.setattr("builder.site.plan_site", broken)
    ran = run()
    assert (ran.exit_code, ran.stderr) == (130, "Aborted\n")


# Outputs that are not ours


def test_cleaning_never_removes_what_others_made(tmp_path):
    """An output that is the project, the content, others' or unnamed exits with 2, and no file is lost."""
    case = ROOT / "tests" / "cases" / "CL-01.sh"
    subprocess.run(["sh", case, tmp_path], check=True)
    for folder, out in (("shared", "out"), ("root", "."), ("root", ""), ("inside", "content")):
        command = [sys.executable, "-m", "builder", "build", "--templates", TEMPLATES, "--out", out]
        environment = os.environ | {"PYTHONPATH": str(ROOT)}
        ran = subprocess.run(
            command, cwd=tmp_path / folder, env=environment, capture_output=True, text=True, check=False
        )
        assert (ran.returncode, ran.stdout) == (2, "")
        assert "Traceback" not in ran.stderr
        hint = "name a new folder, or an empty one"
        assert (
            ran.stderr.splitlines()[-1]
            == {
                ("shared", "out"): f"out: holds .git, which is not ours; {hint}",
                ("root", "."): f".: is the folder that the command runs in, or above it; {hint}",
                ("root", ""): "Error: Invalid value for '--out': the name is empty",
                (
                    "inside",
                    "content",
                ): f"content: must be apart from content; {hint}",
            }[folder, out]
        )
    checked = subprocess.run(["sh", case, "check", tmp_path], capture_output=True, text=True, check=True)
    assert [line.split()[0] for line in checked.stdout.splitlines()] == ["ok"] * 6


def test_a_refusal_comes_before_any_work():
    """An output is refused before any library of the build is loaded."""
    script = (
        "import sys; from builder.cli import main\n"
        "try: main(['build', '--out', '.'])\n"
        f"finally: print([name for name in {HEAVY} if name in sys.modules])"
    )
    assert python(script).stdout == "[]\n"


# builder check


def test_check_says_what_is_wrong(run, content, tmp_path):
    """It finds what a build would, exits as that would, and writes nothing."""
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    ran = CliRunner().invoke(main, ["check", str(content), "--templates", str(TEMPLATES)])
    assert (ran.exit_code, ran.stdout, ran.stderr) == (0, f"{content}: nothing wrong\n", "")
    (content / "prose" / "part.md").write_text("A {{ ttft_msec }}.\n", encoding="utf-8")
    ran = CliRunner().invoke(main, ["check", str(content), "--templates", str(TEMPLATES)])
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr == run().stderr
    assert {path for path in tmp_path.rglob("*") if path.is_file()} == before.keys()


def test_what_can_hardly_be_meant(run, content):
    """A file that no page uses is a warning, and the page is built."""
    (content / "prose" / "draft.md").write_text("Text.\n", encoding="utf-8")
    (content / "readings" / "memory-fits.md").write_text("Text.\n", encoding="utf-8")
    ran = run()
    assert ran.exit_code == 0
    assert sorted(ran.stderr.splitlines()) == [
        f"warning: {content}/prose/draft.md: file: is no part of the page; "
        f"name it in article in {content}/page.toml, or remove it",
        f"warning: {content}/readings/memory-fits.md: file: is no regime's reading; "
        "did you mean memory-memory-fits?",
    ]


# Ctrl-C

STOPPED = """
import sys, time
from pathlib import Path
import builder.site as site
from builder.cli import build

def wait(*arguments):
    print("waiting", flush=True)
    time.sleep(60)

if sys.argv[1] == "planning":
    site.plan_site = wait
else:
    files = {"index.html": b"new page", "charts/a.json": b"new chart"}
    site.plan_site = lambda *folders: site.Site(files, [])
    Path.write_bytes = wait
build(["--content", "content", "--templates", "site_templates", "--out", sys.argv[2]])
"""


@pytest.mark.parametrize("moment", ["planning", "writing"])
def test_ctrl_c(moment, tmp_path):
    """Stopped by Ctrl-C it exits with 130 and without a traceback, and the old page is as it was."""
    OutputFolder(tmp_path / "out").replace({"index.html": b"old page"})
    command = [sys.executable, "-c", STOPPED, moment, str(tmp_path / "out")]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout.readline() == "waiting\n"
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate()
    assert (process.returncode, said, complaint) == (130, "", "Aborted\n")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [MANIFEST, "index.html"]
    assert (tmp_path / "out" / "index.html").read_bytes() == b"old page"
