"""The page as HTML: sound, safe, complete before a script runs, and no heavier than it may be."""

import gzip
import json
import math
import re
from collections import Counter
from itertools import pairwise

import pytest

from builder import vega
from builder.charts import FIGURES as CHARTS
from builder.charts import GRID, PAGE, rows_at_start, spec_without_data
from builder.figures import STATE_FIGURES
from builder.metadata import PAGE_IDS
from builder.site import plan_site
from tests.conftest import TEMPLATES
from tests.markup import Markup
from tests.oracle import PUBLISHED

MOST_GZIP = 230_000


@pytest.fixture(scope="session")
def data(markup):
    return json.loads(markup.one("script", id="data").text)


# Structure


def test_elements_are_closed_where_they_should_be(markup):
    """Each end tag closes what was opened last, nothing stays open, and no attribute stands twice."""
    assert markup.misplaced == []
    assert [element.tag for element in markup.elements[:2]] == ["html", "head"]


def test_it_is_one_document(html):
    """A doctype comes first, and the character set within the first kilobyte."""
    assert html.startswith("<!doctype html>")
    assert '<meta charset="utf-8">' in html[:1024]


def test_no_id_twice(markup):
    """Each id is that of one element."""
    ids = Counter(element["id"] for element in markup.elements if "id" in element.attributes)
    assert [name for name, number in ids.items() if number > 1] == []
    assert "" not in ids


def test_what_is_referred_to_exists(markup):
    """Labels, outputs, descriptions and links within the page lead to an id that it has."""
    ids = {element["id"] for element in markup.elements}
    names = ("for", "aria-labelledby", "aria-describedby", "aria-controls")
    wanted = {word for element in markup.elements for name in names for word in (element[name] or "").split()}
    wanted |= {link["href"][1:] for link in markup.all("a") if link["href"].startswith("#")}
    assert {"prompt", "output", "batch"} <= wanted
    assert wanted - ids == set()


def test_one_title_and_headings_in_order(markup):
    """There is one heading of the first level, it is the title, and no level is left out on the way down."""
    headings = [element for element in markup.elements if re.fullmatch("h[1-6]", element.tag)]
    levels = [int(element.tag[1]) for element in headings]
    assert levels.count(1) == 1
    assert (levels[0], headings[0].text) == (1, "Two phases, two bottlenecks")
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert markup.one("title").text == headings[0].text


def test_the_head_says_what_the_page_is(markup):
    """Language, title, description and viewport are those of the content."""
    assert markup.one("html")["lang"] == "en-GB"
    assert markup.one("meta", name="description")["content"].startswith("Why LLM inference is slow")
    assert markup.one("meta", name="viewport")["content"] == "width=device-width, initial-scale=1"


def test_the_ids_of_the_page_are_known(content):
    """A page without an article has the ids that authors are told to keep clear of, and no others."""
    text = (content / "page.toml").read_text(encoding="utf-8")
    (content / "page.toml").write_text(text.replace('["part"]', "[]"), encoding="utf-8")
    html = plan_site(content, TEMPLATES).files["index.html"].decode()
    ids = [element["id"] for element in Markup(html).elements if "id" in element.attributes]
    assert sorted(ids) == sorted(PAGE_IDS)


# Data


def test_the_data_of_every_state_stands_once(data, grid):
    """Each column is on the page over its own axes, with as many values as these have stops."""
    sizes = {axis["name"]: len(axis["stops"]) for axis in data["axes"]}
    assert sizes == {"prompt": 16, "output": 15, "batch": 20}
    for name, column in grid.texts.items():
        values = data["figures"][name]["values"].split("|")
        assert values == list(column.values), name
        assert len(values) == math.prod(sizes[axis] for axis in data["figures"][name]["axes"])
    for name, column in grid.numbers.items():
        assert list(map(float, data["numbers"][name]["values"].split("|"))) == list(column.values), name
    assert (data["figures"].keys(), data["numbers"].keys()) == (grid.texts.keys(), grid.numbers.keys())


def test_every_number_on_the_page_is_drawn(data, grid):
    """No column is shipped that neither a chart nor a text of the page looks up."""
    drawn = {field for chart in data["charts"].values() for field in chart["fields"]}
    assert set(data["numbers"]) - drawn == set()
    assert drawn - set(data["numbers"]) - set(data["figures"]) == set()


def test_no_chart_carries_the_rows(data):
    """The charts name the grid and leave it to the page to hand it over."""
    for chart in data["charts"].values():
        assert {"name": GRID} in chart["spec"]["data"]


def test_the_charts_are_compiled(data):
    """What is shipped is Vega's form, and no Vega-Lite."""
    for chart in data["charts"].values():
        assert chart["spec"]["$schema"].startswith("https://vega.github.io/schema/vega/v6")


def test_no_figure_is_empty_or_no_number(data):
    """No text of any state is empty, and none says NaN, Infinity, null or undefined."""
    for name, column in data["figures"].items():
        values = set(column["values"].split("|"))
        assert "" not in values, name
        assert not re.search(
            r"\b(nan|inf|infinity|null|none|undefined)\b", " ".join(values), re.IGNORECASE
        ), name


def test_the_page_is_light(planned):
    """Packed by gzip, as a server would, it weighs at most 230 kB."""
    assert len(gzip.compress(planned["index.html"], mtime=0)) <= MOST_GZIP


# The start state, before a script runs


def test_the_start_reads_as_published(markup):
    """Every live number in the HTML is that of the published state, to the letter."""
    shown = PUBLISHED["published"]["shown"]
    figures = [
        (element["data-figure"], element.text) for element in markup.elements if element["data-figure"]
    ]
    texts = {name: {text for figure, text in figures if figure == name} for name in STATE_FIGURES}
    live = shown.keys() & texts.keys()
    assert len(live) == 9
    assert {name: texts[name] for name in live} == {name: {shown[name]} for name in live}
    # The others are not published; each has one text, wherever it stands.
    assert [name for name, found in texts.items() if len(found) != 1] == []


def test_the_machine_reads_as_published(markup):
    """The assumptions name the published peak, bandwidth and weights."""
    text = markup.one("section", aria_label="Assumptions").text.replace("\N{NO-BREAK SPACE}", " ")
    for name in ("peak", "bandwidth", "weights"):
        assert PUBLISHED["published"]["shown"][name] in text


def test_the_controls_stand_at_the_start(markup):
    """Each is a range over the indices of its stops, at the start's, with its value in words."""
    found = {
        name: {key: markup.one("input", id=name)[key] for key in ("type", "min", "max", "step", "value")}
        for name in ("prompt", "output", "batch")
    }
    steady = {"type": "range", "min": "0", "step": "1"}
    assert found == {
        "prompt": steady | {"max": "15", "value": "10"},
        "output": steady | {"max": "14", "value": "6"},
        "batch": steady | {"max": "19", "value": "0"},
    }
    assert [markup.one("input", id=name)["aria-valuetext"] for name in ("prompt", "output")] == [
        "1K tokens",
        "128 tokens",
    ]
    root = markup.one("html")
    assert [root[f"data-{name}"] for name in ("prompt", "output", "batch")] == ["1024", "128", "1"]


def test_one_constant_for_the_page_and_its_charts(markup, data):
    """Where a control stands at first is where the charts' parameter of its name does."""
    for chart in data["charts"].values():
        signals = {signal["name"]: signal for signal in chart["spec"]["signals"]}
        for axis in data["axes"]:
            assert signals[axis["name"]]["value"] == axis["start"]
            assert signals[axis["name"]]["bind"]["element"] == f"#{axis['name']}"
            assert markup.one("input", id=axis["name"])["value"] == str(axis["start"])


def test_the_presets_of_each_control(markup):
    """Each preset is a button that names axis and stop, and the start's are the ones pressed."""
    buttons = [button for button in markup.all("button") if button["data-set"]]
    stops = [button["data-set"] for button in buttons]
    assert [stop for stop in stops if stop.startswith("batch")] == [
        f"batch:{stop}" for stop in (1, 8, 32, 64, 128, 256, 512)
    ]
    assert len(stops) == 6 + 5 + 7
    pressed = [button["data-set"] for button in buttons if button["aria-pressed"] == "true"]
    assert pressed == ["prompt:1024", "output:128", "batch:1"]


def test_the_reading_of_the_start(markup):
    """It is that of the start's regime, and the other six wait in templates."""
    reading = markup.one(id="reading")
    assert reading["data-value"] == "compute-memory-fits"
    assert "no fault of its own" in reading.text
    waiting = markup.all("template", data_variant_of="reading")
    assert len({template["data-value"] for template in waiting}) == len(waiting) == 7


@pytest.mark.parametrize("name", CHARTS)
def test_each_drawing_is_of_the_chart_that_is_shipped(name, html, markup, data, grid):
    """In all three sizes it is the page's own Vega spec, drawn at the start's rows, byte for byte."""
    assert len(markup.all("svg")) == 6
    assert len([e for e in markup.one(id=name).inside if e.tag == "svg"]) == 3
    for size in ("wide", "middle", "narrow"):
        rows = {GRID: rows_at_start(name, grid)}
        drawing = vega.svg(data["charts"][name]["spec"], CHARTS[name].plot(size), rows)
        assert html.count(drawing) == 1
        width, height = CHARTS[name].sizes[size]
        assert f'width="{width}" height="{height}"' in drawing
    assert data["charts"][name]["spec"] == vega.compiled(spec_without_data(name, grid, PAGE))


def test_the_parts_are_in_order(markup):
    """Masthead, introduction, controls, timeline, roofline, reading, the article's parts, further reading."""
    ids = [element["id"] for element in markup.elements if element["id"]]
    wanted = ["introduction", "controls", "timeline", "roofline", "reading"]
    wanted += ["prefill", "decode", "disaggregation", "slo", "limits", "read-next"]
    assert [name for name in ids if name in wanted] == wanted


def test_every_figure_of_the_state_is_in_one_table(markup):
    """The table lists all figures of a state, each once, under its label."""
    table = markup.one("table")
    listed = [element["data-figure"] for element in table.inside if element["data-figure"]]
    assert listed == list(STATE_FIGURES)
    labels = [element.text for element in table.inside if element.tag == "th"]
    assert labels == [figure.label for figure in STATE_FIGURES.values()]
