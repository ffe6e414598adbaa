"""Findings: their text, their order, and the hint at a name that is not known."""

import pytest

from builder.errors import (
    BuilderError,
    ContentError,
    Finding,
    RuntimeBundleError,
    did_you_mean,
    nearest,
)


@pytest.mark.parametrize(
    ("finding", "text"),
    [
        (Finding("a.toml", 3, "model.layers", "is 0", "write 80"), "a.toml:3: model.layers: is 0; write 80"),
        (Finding("a.toml", None, "model", "is missing", "add it"), "a.toml: model: is missing; add it"),
        (Finding("ü\n\udcff.md", None, "file", "is big", "cut it"), r"ü\n\udcff.md: file: is big; cut it"),
    ],
)
def test_the_text_of_a_finding(finding, text):
    """It is `file:line: place: rule; hint`, without the line where there is none."""
    assert str(finding) == text


def test_findings_come_in_the_order_of_files_and_lines():
    """By file, then line (those without one first), then place and rule; the same one is told once."""
    ordered = [
        Finding("a.md", 9, "x", "is odd", "mend it"),
        Finding("b.toml", None, "y", "is missing", "mend it"),
        Finding("b.toml", 2, "a", "is odd", "mend it"),
        Finding("b.toml", 2, "b", "is even", "mend it"),
        Finding("b.toml", 2, "b", "is odd", "mend it"),
        Finding("b.toml", 10, "a", "is odd", "mend it"),
    ]
    error = ContentError([*reversed(ordered), ordered[2]])
    assert error.findings == ordered
    assert str(error).splitlines() == [str(finding) for finding in ordered]


def test_errors_are_one_family():
    """Whoever runs the builder needs to know one class."""
    assert issubclass(ContentError, BuilderError)
    assert issubclass(RuntimeBundleError, BuilderError)


@pytest.mark.parametrize(
    ("name", "known", "hint"),
    [
        ("ttft_msec", ["itl", "ttft"], "did you mean ttft?"),
        ("througput", ["throughput", "ttft"], "did you mean throughput?"),
        ("promt", ["prompt", "output", "batch"], "did you mean prompt?"),
        ("itl_in_milliseconds", ["itl", "ttft"], "did you mean itl?"),
        ("x", ["ttft", "itl"], "known: itl, ttft"),
        ("", ["b", "a"], "known: a, b"),
    ],
)
def test_the_nearest_name_is_offered(name, known, hint):
    """A near miss is given the right name, one with a known beginning that beginning, any other all names."""
    assert did_you_mean(name, known) == hint


def test_names_from_an_iterator_are_read_once():
    """The known names may be of any kind that can be gone through."""
    assert did_you_mean("x", iter(["b", "a"])) == "known: a, b"


def test_a_name_that_is_like_none():
    """Only a name that is like another as far as is asked for is taken for it."""
    assert nearest("heigth", ["width", "depth"]) == "width"
    assert nearest("heigth", ["width"], cutoff=0.6) is None
    assert nearest("widht", ["width"], cutoff=0.6) == "width"
    assert nearest("x", []) is None
