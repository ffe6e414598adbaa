"""Random scenarios that are valid: no NaN, Infinity, undefined or empty figure in a state or on a page."""

import json
import re

from hypothesis import HealthCheck, given, settings

from builder.figures import FIGURES, view
from builder.grid import build_grid
from builder.scenario import Scenario
from builder.site import plan_site
from tests.conftest import TEMPLATES
from tests.markup import Markup
from tests.scenarios import document, scenarios

# What no reader should see for a number.
NO_NUMBER = re.compile(r"\b(nan|infinity|inf|undefined|null|none)\b", re.IGNORECASE)

# One folder serves all examples: each writes what it needs anew.
many = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
few = settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])


def held(scenario: Scenario) -> None:
    """Every number of every state is a number, and every text has words."""
    grid = build_grid(scenario)
    for name, column in grid.numbers.items():
        assert all(0 < value < float("inf") for value in column.values), name
    for name, column in grid.texts.items():
        assert all(text.strip() and not NO_NUMBER.search(text) for text in column.values), name
    for card in scenario.cards:
        seen = view(scenario, scenario.start, card)
        for name, figure in FIGURES.items():
            if name not in ("model", "precision", "card"):
                text = figure.text(seen)
                assert text.strip(), name
                assert not NO_NUMBER.search(text), name


@many
@given(tables=scenarios())
def test_any_scenario_has_numbers(tables, load):
    """Whatever figures are taken, however odd, each state has numbers and no NaN among them."""
    held(load(document(tables)))


@many
@given(tables=scenarios(likely=True))
def test_a_likely_scenario_has_numbers(tables, load):
    """So does every scenario of figures that could be."""
    held(load(document(tables)))


def refused(constant: str) -> None:
    raise AssertionError(constant)


def page_held(html: str) -> None:
    """A whole page has numbers in its data, its figures and its drawings."""
    page = Markup(html)
    assert page.misplaced == []
    data = json.loads(page.one("script", id="data").text, parse_constant=refused)
    for columns in (data["figures"], data["numbers"]):
        for name, column in columns.items():
            values = column["values"].split("|")
            assert all(value and not NO_NUMBER.search(value) for value in values), name
    figures = [element for element in page.elements if "data-figure" in element.attributes]
    assert figures
    assert all(element.text.strip() and not NO_NUMBER.search(element.text) for element in figures)
    drawn = [e for e in page.elements if e.tag in ("path", "text", "g", "line", "rect", "circle", "svg")]
    assert drawn
    for element in drawn:
        assert not re.search("NaN|Infinity|undefined", " ".join(map(str, element.attributes.values())))


@few
@given(tables=scenarios(likely=True))
def test_a_likely_page(tables, content):
    """A page of figures that could be is whole: no NaN, Infinity, undefined or empty figure on it."""
    (content / "scenario.toml").write_text(document(tables), encoding="utf-8")
    page_held(plan_site(content, TEMPLATES).files["index.html"].decode())


@few
@given(tables=scenarios())
def test_any_page(tables, content):
    """So is a page of figures as odd as are taken."""
    (content / "scenario.toml").write_text(document(tables), encoding="utf-8")
    page_held(plan_site(content, TEMPLATES).files["index.html"].decode())
