"""The page as HTML: sound, safe, complete before a script runs, and no heavier than it may be."""

import base64
import gzip
import hashlib
import json
import math
import re
from collections import Counter
from itertools import pairwise

import pytest

from builder import vega
from builder.charts import FIGURES as CHARTS
from builder.charts import GRID, PAGE, rows_at_start, spec_without_data
from builder.errors import ContentError
from builder.figures import STATE_FIGURES
from builder.metadata import PAGE_IDS
from builder.page import inline_json
from builder.site import plan_site
from tests.conftest import TEMPLATES
from tests.markup import Markup
from tests.oracle import PUBLISHED

MOST_GZIP = 260_000


@pytest.fixture(scope="session")
def html(planned):
    return planned["index.html"].decode()


@pytest.fixture(scope="session")
def page(html):
    return Markup(html)


@pytest.fixture(scope="session")
def data(page):
    return json.loads(page.one("script", id="data").text)


@pytest.fixture
def templates(tmp_path):
    """A copy of the templates, for a test to spoil: a file's name, what it has, and what it gets instead."""

    def spoiled(name, old, new):
        for path in TEMPLATES.rglob("*.*"):
            copy = tmp_path / "templates" / path.relative_to(TEMPLATES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        path = tmp_path / "templates" / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8", errors="surrogateescape")
        return tmp_path / "templates"

    return spoiled


def build(content, templates=TEMPLATES):
    """The page of a content folder."""
    return plan_site(content, templates)["index.html"].decode()


def fault(content, templates):
    """The only finding of a build."""
    with pytest.raises(ContentError) as caught:
        build(content, templates)
    (finding,) = caught.value.findings
    return str(finding)


# Structure


def test_elements_are_closed_where_they_should_be(page):
    """Each end tag closes what was opened last, nothing stays open, and no attribute stands twice."""
    assert page.misplaced == []
    assert [element.tag for element in page.elements[:2]] == ["html", "head"]


def test_it_is_one_document(html):
    """A doctype comes first, and the character set within the first kilobyte."""
    assert html.lstrip().startswith("<!doctype html>")
    assert '<meta charset="utf-8">' in html[:1024]


def test_no_id_twice(page):
    """Each id is that of one element."""
    ids = Counter(element["id"] for element in page.elements if "id" in element.attributes)
    assert [name for name, number in ids.items() if number > 1] == []
    assert "" not in ids


def test_what_is_referred_to_exists(page):
    """Labels, outputs, descriptions and links within the page lead to an id that it has."""
    ids = {element["id"] for element in page.elements}
    names = ("for", "aria-labelledby", "aria-describedby", "aria-controls")
    wanted = {word for element in page.elements for name in names for word in (element[name] or "").split()}
    wanted |= {link["href"][1:] for link in page.all("a") if link["href"].startswith("#")}
    assert {"prompt", "output", "batch"} <= wanted
    assert wanted - ids == set()


def test_one_title_and_headings_in_order(page):
    """There is one heading of the first level, it is the title, and no level is left out on the way down."""
    headings = [element for element in page.elements if re.fullmatch("h[1-6]", element.tag)]
    levels = [int(element.tag[1]) for element in headings]
    assert levels.count(1) == 1
    assert (levels[0], headings[0].text) == (1, "Two phases, two bottlenecks")
    assert all(below - above <= 1 for above, below in pairwise(levels))
    assert page.one("title").text == headings[0].text


def test_the_head_says_what_the_page_is(page):
    """Language, title, description and viewport are those of the content."""
    assert page.one("html")["lang"] == "en-GB"
    assert page.one("meta", name="description")["content"].startswith("Why LLM inference is slow")
    assert page.one("meta", name="viewport")["content"] == "width=device-width, initial-scale=1"


def test_the_ids_of_the_page_are_known(content):
    """A page without an article has the ids that authors are told to keep clear of, and no others."""
    text = (content / "page.toml").read_text(encoding="utf-8")
    (content / "page.toml").write_text(text.replace('["part"]', "[]"), encoding="utf-8")
    ids = [element["id"] for element in Markup(build(content)).elements if "id" in element.attributes]
    assert sorted(ids) == sorted(PAGE_IDS)


# Safety


def test_the_policy_lets_these_blocks_run_and_no_others(page):
    """Every inline script and style has its hash in the policy, the data block aside, which does not run."""
    policy = page.one("meta", http_equiv="Content-Security-Policy")["content"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives.keys() == {
        *("default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"),
    }
    assert [directives[name] for name in ("default-src", "base-uri", "form-action")] == ["'none'"] * 3
    assert directives["img-src"] == "data:"

    def hashes(elements):
        digests = (hashlib.sha256(element.text.encode()).digest() for element in elements)
        return sorted(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)

    scripts = [script for script in page.all("script") if script["type"] != "application/json"]
    assert sorted(directives["script-src"].split()) == hashes(scripts)
    assert sorted(directives["style-src"].split()) == hashes(page.all("style"))


def test_the_policy_is_strict(html):
    """Nothing unsafe is allowed, and no address."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy


def test_the_policy_comes_first(page):
    """No script and no style stands before the policy that is to hold it."""
    tags = [element.tag for element in page.elements]
    at = page.elements.index(page.one("meta", http_equiv="Content-Security-Policy"))
    assert not {"script", "style", "link", "title"} & set(tags[:at])


def test_no_element_has_a_style_or_a_handler_of_its_own(page):
    """What the policy would refuse is not there: style attributes and on… attributes."""
    names = {name for element in page.elements for name in element.attributes}
    assert "style" not in names
    assert [name for name in names if name.startswith("on")] == []


def test_nothing_on_the_page_asks_the_network(page, html):
    """Only links lead away, and only when they are followed."""
    asking = ("src", "srcset", "data", "poster", "action", "formaction", "ping", "background", "xlink:href")
    assert [e.tag for e in page.elements if any(name in e.attributes for name in asking)] == []
    assert {e.tag for e in page.elements if "href" in e.attributes} == {"a"}
    assert not page.all("link", "base", "iframe", "object", "embed", "img", "image", "use")
    styles = "".join(element.text for element in page.all("style"))
    assert "url(" not in styles
    assert "@import" not in styles


def test_links_name_their_protocol(page):
    """Where a link leads away it is by https."""
    away = [link["href"] for link in page.all("a") if not link["href"].startswith("#")]
    assert len(away) >= 6
    assert [address for address in away if not address.startswith("https://")] == []


@pytest.mark.parametrize(
    "text",
    ["</script>", "</ScRiPt >", "<!--", "<script", "\u2028\u2029", "<", "&lt;", '"\\', "\ufeff", "批处理"],
)
def test_json_is_safe_within_a_script(text):
    """Whatever a text holds, it comes back as it was, and no tag, comment or line ends the script."""
    written = inline_json({text: [text]})
    assert "<" not in written
    assert not set("\u2028\u2029") & set(written)
    assert json.loads(written) == {text: [text]}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_has_no_number_that_is_none(number):
    """What is not a number stops the build, and is never written."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        inline_json([number])


def test_no_byte_order_mark_and_no_carriage_return(planned):
    """However the sources were saved, every file of the site has bare line feeds and no mark."""
    for name, data in planned.items():
        assert b"\r" not in data, name
        assert "\ufeff" not in data.decode(), name


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
        assert "4799" not in json.dumps(chart["spec"])


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
    """Packed by gzip, as a server would, it weighs at most 260 kB."""
    assert len(gzip.compress(planned["index.html"], mtime=0)) <= MOST_GZIP


# The start state, before a script runs


def test_the_start_reads_as_published(page):
    """Every live number in the HTML is that of the published state, to the letter."""
    shown = PUBLISHED["published"]["shown"]
    figures = [(element["data-figure"], element.text) for element in page.elements if element["data-figure"]]
    texts = {name: {text for figure, text in figures if figure == name} for name in STATE_FIGURES}
    live = shown.keys() & texts.keys()
    assert len(live) == 9
    assert {name: texts[name] for name in live} == {name: {shown[name]} for name in live}
    # The others are not published; each has one text, wherever it stands.
    assert [name for name, found in texts.items() if len(found) != 1] == []


def test_the_machine_reads_as_published(page):
    """The assumptions name the published peak, bandwidth and weights."""
    text = page.one("section", aria_label="Assumptions").text.replace("\N{NO-BREAK SPACE}", " ")
    for name in ("peak", "bandwidth", "weights"):
        assert PUBLISHED["published"]["shown"][name] in text


def test_the_controls_stand_at_the_start(page):
    """Each is a range over the indices of its stops, at the start's, with its value in words."""
    found = {
        name: {key: page.one("input", id=name)[key] for key in ("type", "min", "max", "step", "value")}
        for name in ("prompt", "output", "batch")
    }
    steady = {"type": "range", "min": "0", "step": "1"}
    assert found == {
        "prompt": steady | {"max": "15", "value": "10"},
        "output": steady | {"max": "14", "value": "6"},
        "batch": steady | {"max": "19", "value": "0"},
    }
    assert [page.one("input", id=name)["aria-valuetext"] for name in ("prompt", "output")] == [
        "1K tokens",
        "128 tokens",
    ]
    root = page.one("html")
    assert [root[f"data-{name}"] for name in ("prompt", "output", "batch")] == ["1024", "128", "1"]


def test_one_constant_for_the_page_and_its_charts(page, data):
    """Where a control stands at first is where the charts' parameter of its name does."""
    for chart in data["charts"].values():
        signals = {signal["name"]: signal for signal in chart["spec"]["signals"]}
        for axis in data["axes"]:
            assert signals[axis["name"]]["value"] == axis["start"]
            assert signals[axis["name"]]["bind"]["element"] == f"#{axis['name']}"
            assert page.one("input", id=axis["name"])["value"] == str(axis["start"])


def test_the_presets_of_each_control(page):
    """Each preset is a button that names axis and stop, and the start's are the ones pressed."""
    buttons = [button for button in page.all("button") if button["data-set"]]
    stops = [button["data-set"] for button in buttons]
    assert [stop for stop in stops if stop.startswith("batch")] == [
        f"batch:{stop}" for stop in (1, 8, 32, 64, 128, 256, 512)
    ]
    assert len(stops) == 6 + 5 + 7
    pressed = [button["data-set"] for button in buttons if button["aria-pressed"] == "true"]
    assert pressed == ["prompt:1024", "output:128", "batch:1"]


def test_the_reading_of_the_start(page):
    """It is that of the start's regime, and the other six wait in templates."""
    reading = page.one(id="reading")
    assert reading["data-value"] == "compute-memory-fits"
    assert "no fault of its own" in reading.text
    waiting = page.all("template", data_variant_of="reading")
    assert len({template["data-value"] for template in waiting}) == len(waiting) == 7


@pytest.mark.parametrize("name", CHARTS)
def test_each_drawing_is_of_the_chart_that_is_shipped(name, html, page, data, grid):
    """In all three sizes it is the page's own Vega spec, drawn at the start's rows, byte for byte."""
    assert len(page.all("svg")) == 6
    assert len([e for e in page.one(id=name).inside if e.tag == "svg"]) == 3
    for size in ("wide", "middle", "narrow"):
        rows = {GRID: rows_at_start(name, grid)}
        drawing = vega.svg(data["charts"][name]["spec"], CHARTS[name].plot(size), rows)
        assert html.count(drawing) == 1
        width, height = CHARTS[name].sizes[size]
        assert f'width="{width}" height="{height}"' in drawing
    assert data["charts"][name]["spec"] == vega.compiled(spec_without_data(name, grid, PAGE))


def test_the_parts_are_in_order(page):
    """Masthead, introduction, controls, timeline, roofline, reading, the article's parts, further reading."""
    ids = [element["id"] for element in page.elements if element["id"]]
    wanted = ["introduction", "controls", "timeline", "roofline", "reading"]
    wanted += ["prefill", "decode", "disaggregation", "slo", "limits", "read-next"]
    assert [name for name in ids if name in wanted] == wanted


def test_every_figure_of_the_state_is_in_one_table(page):
    """The table lists all figures of a state, each once, under its label."""
    table = page.one("table")
    listed = [element["data-figure"] for element in table.inside if element["data-figure"]]
    assert listed == list(STATE_FIGURES)
    labels = [element.text for element in table.inside if element.tag == "th"]
    assert labels == [figure.label for figure in STATE_FIGURES.values()]


# Templates at fault

SLIPS = [
    (
        "page.html.j2",
        "<body>",
        "<body>{% if %}",
        "template: Expected an expression, got 'end of statement block'",
    ),
    ("page.html.j2", "<body>", "<body>{{ nobody }}", "template: 'nobody' is undefined"),
    (
        "page.html.j2",
        "<body>",
        "<body>{{ page.titel }}",
        "template: 'builder.metadata.PageTable object' has no",
    ),
    ("page.html.j2", "<body>", "<body>{{ 1 | nothing }}", "template: No filter named 'nothing'."),
    ("page.html.j2", "<body>", "<body>\udcff", "byte "),
    ("parts.html.j2", '<div class="tile', '{{ nobody }}<div class="tile', "template: 'nobody' is undefined"),
    ("parts.html.j2", "{% macro tile", "{% macro", "template: expected token"),
    ("scripts/data.js", "const", "\udcff const", "byte "),
]
# What ends an inline block is told without a line.
ENDS = [
    ("styles/base.css", ":root", "</style>:root", "text: holds </style or <!--"),
    ("scripts/data.js", "const", "// </SCRIPT >\nconst", "text: holds </script or <!--"),
    ("scripts/data.js", "const", "// <!--\nconst", "text: holds </script or <!--"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "rule"), SLIPS, ids=[f"{slip[0]} {slip[2]}" for slip in SLIPS]
)
def test_a_slip_in_a_template(name, old, new, rule, content, templates):
    """A template's fault is a finding with its file and line, also where it lies in a macro or a script."""
    line = (TEMPLATES / name).read_text(encoding="utf-8").partition(old)[0].count("\n") + 1
    folder = templates(name, old, new)
    assert fault(content, folder).startswith(f"{folder.as_posix()}/{name}:{line}: {rule}")


@pytest.mark.parametrize(("name", "old", "new", "rule"), ENDS)
def test_what_would_end_an_inline_block(name, old, new, rule, content, templates):
    """A style or script that holds the end of its own element is refused, in any case of letters."""
    folder = templates(name, old, new)
    assert fault(content, folder).startswith(f"{folder.as_posix()}/{name}: {rule}")


@pytest.mark.parametrize("name", ["page.html.j2", "parts.html.j2", "styles/print.css", "scripts/opening.js"])
def test_a_template_that_is_missing(name, content, templates):
    """A file of the templates that is not there is named."""
    folder = templates(name, "", "")
    (folder / name).unlink()
    assert (
        fault(content, folder)
        == f"{folder.as_posix()}/{name}: file: is missing; write it, or name another folder"
    )


def test_a_template_that_another_takes_in(content, templates):
    """A template that another one includes, and that is not there, is named as well."""
    folder = templates("page.html.j2", "<body>", "<body>{% include 'gone.j2' %}")
    assert fault(content, folder).startswith(f"{folder.as_posix()}/gone.j2: file: is missing")


def test_templates_from_another_system(content, templates, tmp_path):
    """Byte-order marks and CRLF in the templates leave no trace on the page."""
    plain = build(content)
    folder = templates("page.html.j2", "", "")
    for path in folder.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert build(content, folder) == plain


def test_a_fault_of_the_builder_is_not_hidden(content, templates):
    """What is no slip of an author's comes out as it is, with its traceback."""
    with pytest.raises(ZeroDivisionError):
        build(content, templates("page.html.j2", "<body>", "<body>{{ 1 // 0 }}"))
