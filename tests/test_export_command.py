"""`builder export`: what it writes and says, what it refuses, and what is left when it is stopped."""

import json
import re
import signal
import subprocess
import sys
import time

import pytest
from click.testing import CliRunner

from builder.cli import main
from builder.output import MANIFEST
from builder.png import SIGNATURE
from tests.conftest import ROOT, TEMPLATES
from tests.markup import Markup

STEM = "p64-o16-b1-light"  # the toy scenario starts at 64, 16, 1
PNG_END = b"\0\0\0\0IEND\xaeB`\x82"


@pytest.fixture
def run(content, tmp_path):
    """Runs `builder export` on the small content, with more arguments."""

    def ran(*arguments):
        folders = ["--content", str(content), "--templates", str(TEMPLATES), "--out", str(tmp_path / "out")]
        return CliRunner().invoke(main, ["export", *folders, *arguments])

    return ran


@pytest.fixture
def out(tmp_path):
    """The files written, by their names, without the list of them."""

    def files():
        folder = tmp_path / "out"
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != MANIFEST}

    return files


def test_it_says_what_it_wrote(run, out, tmp_path):
    """Each file has a line with its size, the sheet the last; then comes how many and how long."""
    ran = run("roofline")
    assert (ran.exit_code, ran.stderr) == (0, "")
    *lines, last = ran.stdout.splitlines()
    names = [f"roofline-{STEM}.png", "index.html"]
    assert lines == [f"{tmp_path}/out/{name}  {len(out()[name]) / 1000:,.1f} kB" for name in names]
    assert sorted(out()) == sorted(names)
    assert re.fullmatch(r"2 files in \d+\.\d s", last)


def test_every_format(run, out):
    """Without a name all four charts are made, and SVG comes in two kinds."""
    assert run("--format", "png,svg,pdf,html,json").exit_code == 0
    charts = ("roofline", "timeline", "metrics", "throughput")
    endings = (".png", ".svg", "-outlines.svg", ".pdf", ".html", ".vl.json")
    assert sorted(out()) == sorted(["index.html", *(f"{c}-{STEM}{e}" for c in charts for e in endings)])
    starts = {".png": SIGNATURE, ".svg": b"<svg ", ".pdf": b"%PDF-", ".html": b"<!doctype html>"}
    for name, data in out().items():
        assert data.startswith(starts.get(name[name.rindex(".") :], b"{")), name


def test_the_same_command_twice(run, out):
    """PNG, SVG, HTML and JSON have the same bytes when they are made again."""
    command = ("roofline", "metrics", "--format", "png,svg,html,json")
    assert run(*command).exit_code == 0
    first = out()
    assert run(*command).exit_code == 0
    assert len(first) == 11
    assert out() == first


def test_another_run_leaves_what_was_there(run, out):
    """Files of another state or look are beside the first ones, under names of their own."""
    assert run("timeline").exit_code == 0
    assert run("timeline", "--batch", "4", "--theme", "dark").exit_code == 0
    assert sorted(out()) == ["index.html", "timeline-p64-o16-b1-light.png", "timeline-p64-o16-b4-dark.png"]


def test_all_presets(run, out):
    """Each preset of the prompt with each of the batch, in both themes: 2 · 2 · 2 files and the sheet."""
    ran = run("timeline", "--all-presets", "--output", "32", "--theme", "light,dark", "--format", "json")
    assert ran.exit_code == 0
    assert sorted(out()) == sorted(
        ["index.html"]
        + [
            f"timeline-p{prompt}-o32-b{batch}-{theme}.vl.json"
            for prompt in (16, 64)
            for batch in (1, 4)
            for theme in ("light", "dark")
        ]
    )
    assert len(ran.stdout.splitlines()) == 2


# The sheet


def test_the_sheet_shows_what_was_written(run, out):
    """It links every file, shows each picture, and has its alt text for those who copy it."""
    assert run("roofline", "metrics", "--format", "png,svg").exit_code == 0
    html = out()["index.html"].decode()
    links = set(re.findall(r'href="([^"]+)"', html))
    assert links == set(out()) - {"index.html"}
    assert re.findall(r'<img [^>]*src="([^"]+)"', html) == [f"roofline-{STEM}.png", f"metrics-{STEM}.png"]
    areas = re.findall(r"<textarea [^>]*readonly>([^<]+)</textarea>", html)
    alts = re.findall(r' alt="([^"]+)"', html)
    assert areas == alts
    assert areas[0].startswith("Roofline of ")


def test_the_sheet_shows_nothing_where_there_is_no_picture(run, out):
    """A PDF or a spec is linked alone."""
    assert run("timeline", "--format", "pdf,json").exit_code == 0
    html = out()["index.html"].decode()
    assert "<img" not in html
    assert html.count("<li>") == 2


def test_the_sheet_is_under_a_strict_policy(run, out):
    """It runs no script and has no handler; its one style is allowed by its hash."""
    assert run("timeline").exit_code == 0
    html = out()["index.html"].decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]+)"', html)[1]
    assert "default-src &#39;none&#39;" in policy
    assert "script-src &#39;none&#39;" in policy
    assert not re.search(r"<script|\son\w+=|\sstyle=", html)
    assert Markup(html)


# What is refused


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rooflin"], "rooflin: is no chart; did you mean roofline?"),
        (["--prompt", "100"], "--prompt 100: is no stop; the nearest are 64 and 128"),
        (["--background", "mauve"], "--background mauve: is no colour; write white, black, transparent"),
        (["--background", "#888"], "--background #888: grey or coloured text would have a contrast of "),
        (["--background", "transparent"], "--background transparent: needs --theme light or dark"),
        (["--size", "9000x9000"], "--size 9000x9000: a slide is at most 1920 pixels either way"),
        (["roofline", "--size", "960x500"], "--size 960x500: is too small for roofline"),
        (["roofline", "--size", "1280x720"], "--size 1280x720: is too small for roofline"),
        (["--scale", "9"], "--scale 9: must lie between 0.1 and 4"),
        (["--format", "gif"], "--format gif: gif is none; known: "),
        (["--theme", "sepia"], "--theme sepia: sepia is none; known: dark, light"),
        (["--scenario", "h100"], "--scenario h100: is no scenario; "),
        (["--all-presets", "--batch", "1"], "--batch 1: goes not with --all-presets"),
    ],
)
def test_one_line_and_nothing_written(run, tmp_path, arguments, message):
    """What cannot be is said in one line, the exit is that of a mistyped command, and there is no folder."""
    ran = run(*arguments)
    assert (ran.exit_code, ran.stdout) == (2, "")
    assert ran.stderr.startswith(message)
    assert ran.stderr.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_folder_that_cannot_be_written(run, tmp_path):
    """The reason is one line, and the exit 1."""
    (tmp_path / "file").write_bytes(b"mine")
    ran = run("timeline", "--out", str(tmp_path / "file" / "out"))
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert ran.stderr == f"{tmp_path}/file/out: cannot be written: Not a directory\n"


def test_a_folder_of_somebody_else(run, tmp_path):
    """A folder with files that are not ours, a built site among them, is left alone, with exit 2."""
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "talk.md").write_bytes(b"mine")
    ran = run("timeline")
    assert ran.exit_code == 2
    assert "talk.md, which is not ours" in ran.stderr
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["talk.md"]


def test_faults_of_content_and_templates(run, content, tmp_path):
    """They are told as a build tells them, before anything is drawn."""
    (content / "prose" / "part.md").write_text("A {{ ttft_msec }}.\n", encoding="utf-8")
    ran = run("timeline")
    assert ran.exit_code == 1
    assert "part.md:1: {{ ttft_msec }}: ttft_msec is not a figure" in ran.stderr
    templates = tmp_path / "templates"
    subprocess.run(["cp", "-r", TEMPLATES, templates], check=True)
    (templates / "sheet.html.j2").write_text("{{ nobody }}", encoding="utf-8")
    ran = run("timeline", "--templates", str(templates))
    assert "sheet.html.j2:1: template: 'nobody' is undefined" in ran.stderr
    assert not (tmp_path / "out").exists()


def test_what_can_hardly_be_meant(run, content):
    """What a build warns of, an export warns of."""
    (content / "prose" / "draft.md").write_text("Text.\n", encoding="utf-8")
    ran = run("timeline")
    assert ran.exit_code == 0
    assert "prose/draft.md: file: is no part of the page" in ran.stderr


def test_a_character_that_the_font_lacks(run, content, out):
    """It is named with its code and the line that it stands in, and the picture is made."""
    scenario = content / "scenario.toml"
    text = scenario.read_text(encoding="utf-8")
    scenario.write_text(re.sub(r'(?m)^name = ".*"$', 'name = "通"', text, count=1), encoding="utf-8")
    ran = run("timeline")
    assert ran.exit_code == 0
    (warning,) = ran.stderr.splitlines()
    assert re.fullmatch(
        r"warning: 通, .*: 通 \(U\+901A\) is not in the exports' font, and a box stands for it", warning
    )
    assert f"timeline-{STEM}.png" in out()


def test_help_names_the_charts_and_the_options():
    """`--help` says which charts there are, and what each option takes."""
    text = CliRunner().invoke(main, ["export", "--help"]).stdout
    assert "NAMES are some of roofline, timeline, metrics and throughput" in " ".join(text.split())
    for option in ("prompt", "output", "batch", "format", "theme", "background", "size", "scale", "out"):
        assert f"--{option} " in text


# Ctrl-C


def test_ctrl_c_leaves_whole_files(content, tmp_path):
    """Stopped after some files, it exits with 130, and each file that is there is whole and in the list."""
    folder = tmp_path / "out"
    command = [sys.executable, "-m", "builder", "export", "metrics", "--all-presets", "--theme", "light,dark"]
    command += ["--content", str(content), "--templates", str(TEMPLATES), "--out", str(folder)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        while process.poll() is None and len(list(folder.glob("*.png"))) < 2:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate()
    assert (process.returncode, said, complaint) == (130, "", "Aborted\n")
    pictures = [path for path in folder.iterdir() if path.name != MANIFEST]
    assert 2 <= len(pictures) < 8
    for path in pictures:
        data = path.read_bytes()
        assert data.startswith(SIGNATURE)
        assert data.endswith(PNG_END)
    listed = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["files"]
    assert sorted(listed) == sorted(path.name for path in pictures)
