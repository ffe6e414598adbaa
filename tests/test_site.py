"""The site: what files it has, and all faults of the content in one run."""

import json
from pathlib import Path

import pytest

from builder.errors import ContentError
from builder.site import plan_site
from tests.conftest import TEMPLATES


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
    """The page, what a host needs beside it, and each chart as a page and as a spec of its own."""
    assert sorted(planned) == [
        ".nojekyll",
        "404.html",
        "card.png",
        "charts/roofline.vl.json",
        "charts/timeline.vl.json",
        "embed/roofline.html",
        "embed/timeline.html",
        "index.html",
    ]


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
        "page.toml: title: is missing; write title = text in quotes",
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
