"""The site: all faults of the content in one run, the same bytes everywhere, files whole or not at all."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from builder import site
from builder.errors import BuilderError, ContentError
from builder.site import plan_site, write_site
from tests.conftest import ROOT, TEMPLATES

PAGE_OLD = b"<!doctype html>the old page"


@pytest.fixture
def edit(content):
    """Replaces a part of a content file, or all of it."""

    def edited(name, *replacement):
        path = content / name
        path.parent.mkdir(exist_ok=True)
        text = path.read_text(encoding="utf-8") if len(replacement) == 2 else ""
        old, new = replacement if len(replacement) == 2 else ("", replacement[0])
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    return edited


@pytest.fixture
def faults(content):
    """The findings of the content, as they are printed but for its folder."""

    def found():
        with pytest.raises(ContentError) as caught:
            plan_site(content, TEMPLATES)
        return [str(finding).removeprefix(f"{content.as_posix()}/") for finding in caught.value.findings]

    return found


# What is planned


def test_the_files_of_the_site(planned):
    """The page, and each chart as a spec of its own."""
    assert list(planned) == ["index.html", "charts/timeline.vl.json", "charts/roofline.vl.json"]


@pytest.mark.parametrize("name", ["timeline", "roofline"])
def test_a_chart_file_is_a_spec(name, planned):
    """It is JSON without a number that is none, for any Vega-Lite viewer, with all 4,800 states inside."""

    def refuse(constant):
        raise AssertionError(constant)

    spec = json.loads(planned[f"charts/{name}.vl.json"], parse_constant=refuse)
    assert spec["$schema"].startswith("https://vega.github.io/schema/vega-lite/v6")
    assert len(spec["datasets"]["grid"]) == 4800


# Faults


def test_all_faults_of_the_content_in_one_run(edit, faults, content):
    """Metadata, cards, prose, readings and files that are missing are told of together, in order."""
    edit("page.toml", "language =", "langauge =")
    edit("read_next.toml", "https://example.org/card", "example.org")
    edit("prose/part.md", "ttft", "ttft_msec")
    edit("readings/memory-memory-fits.md", "Decode takes {{ itll }}.")
    edit("prose/introduction.md", "One <b>word</b>.")
    (content / "prose" / "masthead.md").unlink()
    assert [fault.split(": ")[0] for fault in faults()] == [
        "page.toml",
        "page.toml:6",
        "prose/introduction.md:1",
        "prose/introduction.md:1",
        "prose/masthead.md",
        "prose/part.md:3",
        "read_next.toml:4",
        "readings/memory-memory-fits.md:1",
    ]


def test_a_scenario_at_fault_hides_nothing_else(edit, faults, content):
    """Metadata at fault and files that cannot be read are told of beside the scenario's faults."""
    edit("scenario.toml", "layers = 2", "layers = 2.5")
    edit("page.toml", '["part"]', '["part", "other", "../part"]')
    edit("read_next.toml", "title", "titel")
    (content / "prose" / "introduction.md").unlink()
    (content / "readings" / "memory-memory-fits.md").write_bytes(b"a\xff")
    assert faults() == [
        "page.toml:7: article[2]: is '../part', and must be letters, digits and hyphens; "
        "name a file of prose/ without its folder and .md",
        "prose/introduction.md: file: is missing; write it, or name another folder",
        "read_next.toml:1: card[0].title: is missing; add the key",
        "read_next.toml:2: card[0].titel: is not a known key; did you mean title?",
        "readings/memory-memory-fits.md:1: byte 2 (0xff): is not UTF-8; save the file as UTF-8",
        "scenario.toml:7: model.layers: is 2.5, and must be a whole number; "
        "write it without a point or an exponent",
    ]


def test_a_part_that_is_missing(edit, faults):
    """A part that the article names, and whose file is not there, is told of with the file."""
    edit("page.toml", '["part"]', '["part", "other"]')
    assert faults() == ["prose/other.md: file: is missing; write it, or name another folder"]


def test_metadata_at_fault_hides_no_prose(edit, faults):
    """Without the article's names every file of the prose is looked at."""
    edit("page.toml", 'title = "A toy page"', "")
    edit("prose/part.md", "ttft", "ttft_msec")
    assert faults() == [
        "page.toml: title: is missing; add the key",
        "prose/part.md:3: {{ ttft_msec }}: ttft_msec is not a figure; did you mean ttft?",
    ]


def test_a_reading_that_is_missing(faults, content):
    """A regime that the grid has needs its reading; one that it has not needs none."""
    (content / "readings" / "memory-memory-fits.md").unlink()
    (content / "readings" / "compute-compute-too-big.md").unlink()
    assert faults() == ["readings/memory-memory-fits.md: file: is missing; write it, or name another folder"]


def test_no_content_at_all(tmp_path):
    """An empty folder is told all that a page needs, and nothing breaks."""
    with pytest.raises(ContentError) as caught:
        plan_site(tmp_path, TEMPLATES)
    assert [Path(finding.file).name for finding in caught.value.findings] == [
        *("page.toml", "assumptions.md", "introduction.md", "masthead.md", "read_next.toml", "scenario.toml"),
    ]
    assert {finding.rule for finding in caught.value.findings} == {"is missing"}


@pytest.mark.parametrize("name", ["prompt", "roofline", "reading", "part", "data"])
def test_an_id_that_is_taken(name, edit, faults):
    """A heading cannot be given an id that the page has for a part of its own or of the article."""
    edit("prose/part.md", f"## A part {{#{name}}}\n")
    assert faults() == [
        f"prose/part.md:1: ## A part: its id {name} is taken by the page itself; choose another"
    ]


def test_an_id_that_two_parts_would_have(edit, faults):
    """A part's name and a heading of another part do not meet in one id."""
    edit("page.toml", '["part"]', '["part", "part-next"]')
    edit("prose/part.md", "## Next\n")
    edit("prose/part-next.md", "Text.\n")
    assert faults() == [
        "prose/part.md:1: ## Next: its id part-next is taken by the page itself; "
        "give one an id: ## Next {#other}"
    ]


def test_nothing_is_written_when_planning(content, tmp_path):
    """A plan is bytes in memory: no file appears beside the content, and none changes."""
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    plan_site(content, TEMPLATES)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


# The same bytes

ENVIRONMENTS = {
    "C": {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "0"},
    "POSIX, and Python's UTF-8 mode off": {
        **{"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        **{"TZ": "Pacific/Kiritimati", "PYTHONHASHSEED": "1"},
    },
    "C.UTF-8": {"LC_ALL": "C.UTF-8", "LANG": "tr_TR.UTF-8", "TZ": "America/Adak", "PYTHONHASHSEED": "2"},
    "another day": {"LANG": "de_DE.UTF-8", "SOURCE_DATE_EPOCH": "1", "PYTHONHASHSEED": "3"},
}


def _built_elsewhere(content, folder, environment):
    """Every file of a build in another process, folder and environment, with sources of another age."""
    folder.mkdir()
    for source, name in ((content, "content"), (TEMPLATES, "site_templates")):
        subprocess.run(["cp", "-r", source, folder / name], check=True)
    for path in folder.rglob("*"):
        os.utime(path, (1_000_000_000, 1_000_000_000 + len(environment)))
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("LC_", "LANG", "TZ", "PYTHON"))
    }
    command = [sys.executable, "-m", "builder", "build", "--out", "the site"]
    subprocess.run(
        command,
        cwd=folder,
        env=clean | environment | {"PYTHONPATH": str(ROOT)},
        check=True,
        capture_output=True,
    )
    out = folder / "the site"
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def test_the_same_bytes_everywhere(content, tmp_path):
    """Folder, date, time zone, locale and hash seed leave no trace, also with text beyond ASCII."""
    part = content / "prose" / "part.md"
    part.write_text("## Größe, 批处理\n\n{{ ttft }} – «так» 🙂 {{ model }}\n", encoding="utf-8")
    scenario = content / "scenario.toml"
    scenario.write_text(scenario.read_text(encoding="utf-8").replace('"toy"', '"玩具"', 1), encoding="utf-8")
    here = plan_site(content, TEMPLATES)
    assert "批处理".encode() in here["index.html"]
    assert "玩具".encode() in here["index.html"]
    for number, environment in enumerate(ENVIRONMENTS.values()):
        assert _built_elsewhere(content, tmp_path / f"folder {number} ü", environment) == here


def test_a_second_page_of_one_process(content):
    """What was built before in the same process leaves no trace."""
    assert plan_site(content, TEMPLATES) == plan_site(content, TEMPLATES)


# Writing


@pytest.fixture
def old(tmp_path):
    """An output folder that holds an old page, and a file of somebody else's."""
    out = tmp_path / "out"
    (out / "charts").mkdir(parents=True)
    (out / "index.html").write_bytes(PAGE_OLD)
    (out / "charts" / "timeline.vl.json").write_bytes(b"{}")
    (out / "notes.txt").write_bytes(b"mine")
    return out


def _files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


NEW = {
    "index.html": b"new page",
    "charts/timeline.vl.json": b"new chart",
    "charts/roofline.vl.json": b"another",
}


def test_files_are_written(tmp_path):
    """Folders are made as they are needed, and nothing but the files is left in them."""
    write_site(NEW, tmp_path / "a" / "b")
    assert _files(tmp_path) == {f"a/b/{name}": data for name, data in NEW.items()}
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["charts", "index.html"]


def test_files_can_be_read_by_a_web_server(tmp_path):
    """They have the rights of any new file, and not those of a temporary one."""
    write_site(NEW, tmp_path)
    (tmp_path / "other").write_bytes(b"")
    assert (tmp_path / "index.html").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_an_old_site_is_replaced(old):
    """Old files of the same names are replaced, and others are left alone."""
    write_site(NEW, old)
    assert _files(old) == NEW | {"notes.txt": b"mine"}


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("name", list(NEW))
def test_a_failure_leaves_the_old_site(name, error, old, monkeypatch):
    """Whichever file cannot be written, the old site is as it was, to the byte, and nothing is beside it."""
    before = _files(old)
    write_bytes = Path.write_bytes

    def fail(path, data):
        if path.as_posix().endswith(name):
            write_bytes(path, data[:3])
            raise error
        return write_bytes(path, data)

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises((BuilderError, KeyboardInterrupt)):
        write_site(NEW, old)
    assert _files(old) == before
    assert sorted(path.name for path in old.iterdir()) == ["charts", "index.html", "notes.txt"]


def test_the_page_is_moved_last(old, monkeypatch):
    """Until every other file is in its place, the old page stands."""
    moved = []
    replace = Path.replace

    def watched(path, target):
        moved.append((target.relative_to(old).as_posix(), (old / "index.html").read_bytes()))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", watched)
    write_site(NEW, old)
    assert [name for name, _ in moved] == ["charts/roofline.vl.json", "charts/timeline.vl.json", "index.html"]
    assert {page for _, page in moved} == {PAGE_OLD}


def test_a_folder_in_the_way(old):
    """A folder that has the page's name is named with the reason, and nothing is left beside it."""
    (old / "index.html").unlink()
    (old / "index.html").mkdir()
    with pytest.raises(BuilderError) as caught:
        write_site({"index.html": b"new page"}, old)
    assert str(caught.value) == f"{old}/index.html: cannot be written: Is a directory"
    assert sorted(path.name for path in old.iterdir()) == ["charts", "index.html", "notes.txt"]


def test_a_file_in_the_way(tmp_path):
    """An output folder below a file is named with the reason."""
    (tmp_path / "file").write_bytes(b"mine")
    with pytest.raises(BuilderError) as caught:
        write_site(NEW, tmp_path / "file" / "out")
    assert str(caught.value) == f"{tmp_path}/file/out: cannot be written: Not a directory"
    assert _files(tmp_path) == {"file": b"mine"}


def test_planning_and_writing_are_apart(content, tmp_path, monkeypatch):
    """Nothing is written before all is planned: a fault in the last file planned leaves no folder."""

    def broken(name, grid, theme):
        raise ValueError(name)

    monkeypatch.setattr(site, "spec_with_data", broken)
    with pytest.raises(ValueError, match="timeline"):
        write_site(plan_site(content, TEMPLATES), tmp_path / "out")
    assert not (tmp_path / "out").exists()
