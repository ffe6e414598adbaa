"""Building again in one process, as a preview does: only what was changed is worked out anew."""

import pytest

from builder import vega
from builder.site import plan_site
from tests.conftest import TEMPLATES


@pytest.fixture
def drawn(monkeypatch):
    """What was asked of Vega, in order."""
    asked = []

    def noted(name):
        work = getattr(vega, name)
        monkeypatch.setattr(vega, name, lambda *arguments: (asked.append(name), work(*arguments))[1])

    for name in ("compiled", "svg", "png"):
        noted(name)
    return asked


def edit(path, old, new):
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_another_sentence_draws_nothing(content, drawn):
    """While the scenario stays the charts are those of the last build; the new sentence is on the page."""
    first = plan_site(content, TEMPLATES).files
    assert {*drawn} == {"compiled", "svg", "png"}
    drawn.clear()
    edit(content / "prose" / "part.md", "The first token", "One day the first token")
    second = plan_site(content, TEMPLATES).files
    assert drawn == []
    assert "One day the first token" in second["index.html"].decode()
    assert [path for path in first if first[path] != second[path]] == ["index.html"]


def test_another_title_draws_its_picture_alone(content, drawn):
    """The title is on the picture of a link, and on no chart."""
    plan_site(content, TEMPLATES)
    drawn.clear()
    edit(content / "page.toml", "A toy page", "Another page")
    plan_site(content, TEMPLATES)
    assert drawn == ["png"]


def test_another_scenario_is_another_page(content):
    """A figure that changes changes the charts, and when it is as it was so is every byte."""
    first = plan_site(content, TEMPLATES).files
    edit(content / "scenario.toml", "peak_tflops_dense = 10\n", "peak_tflops_dense = 20\n")
    second = plan_site(content, TEMPLATES).files
    changed = {path for path in first if first[path] != second[path]}
    assert {"index.html", "card.png", "embed/roofline.html", "charts/roofline.vl.json"} <= changed
    edit(content / "scenario.toml", "peak_tflops_dense = 20\n", "peak_tflops_dense = 10\n")
    assert plan_site(content, TEMPLATES).files == first
