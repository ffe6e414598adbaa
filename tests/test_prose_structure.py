"""Headings, notes, lists and tables of prose."""

import re

import pytest

from builder.prose import ProseRenderer
from builder.scenario import Scenario
from builder.source import Source
from tests.rendering import TTFT, Render, Slips, ids

# Headings

HEADINGS = [
    ("## Batch size", '<h2 id="part-batch-size">Batch size</h2>'),
    ("## Batch **size** ##", '<h2 id="part-batch-size">Batch <strong>size</strong></h2>'),
    ("# 批处理 与 延迟", '<h2 id="part-批处理-与-延迟">批处理 与 延迟</h2>'),
    ("### Пакет и ЗАДЕРЖКА", '<h3 id="part-пакет-и-задержка">Пакет и ЗАДЕРЖКА</h3>'),
    ("## Größe: 2 × 3?", '<h2 id="part-größe-2-3">Größe: 2 × 3?</h2>'),
    ("## हिन्दी", '<h2 id="part-हिन्दी">हिन्दी</h2>'),
    ("Batch\n=====", '<h2 id="part-batch">Batch</h2>'),
    ("Batch {#b}\n---", '<h2 id="b">Batch</h2>'),
    ("## Batch {#b}", '<h2 id="b">Batch</h2>'),
    ("## Batch { #b", '<h2 id="part-batch-b">Batch { #b</h2>'),
    ("## !!! {#shout}", '<h2 id="shout">!!!</h2>'),
    ("## 批 {#批次}", '<h2 id="批次">批</h2>'),
    ("## [Batch](a/long/address.html)", '<h2 id="part-batch"><a href="a/long/address.html">Batch</a></h2>'),
    ("## `kv` &amp; C", '<h2 id="part-kv-c"><code>kv</code> &amp; C</h2>'),
    ("> ## Batch", '<blockquote>\n<h2 id="part-batch">Batch</h2>\n</blockquote>'),
]


@pytest.mark.parametrize(("text", "expected"), HEADINGS)
def test_the_id_of_a_heading(render: Render, text: str, expected: str) -> None:
    """A heading's id is the file's prefix and its own words in any script, or the id it is given."""
    assert render(f"{text}\n\nText.") == f"{expected}\n<p>Text.</p>"


def test_an_id_is_unmoved(render: Render) -> None:
    """A heading keeps its id when another comes before it."""
    before = render("## Batch\n\n## 延迟\n\nText.")
    after = render("## Prompt\n\n## Batch\n\n## 批\n\n## 延迟\n\nText.")
    assert ids(before) == ["part-batch", "part-延迟"]
    assert ids(after) == ["part-prompt", "part-batch", "part-批", "part-延迟"]


def test_a_heading_twice(slips: Slips) -> None:
    """The same heading twice in one file is a slip with its mend, and no counter is put to it."""
    assert slips("## Batch\n\na\n\n## Batch\n\nBatch\n---") == [
        "prose.md:5: ## Batch: its id part-batch is taken by prose.md:1; give one an id: ## Batch {#other}",
        "prose.md:7: ## Batch: its id part-batch is taken by prose.md:1; give one an id: ## Batch {#other}",
    ]


def test_a_heading_twice_with_an_id(render: Render) -> None:
    """Equal headings of which one has an id of its own are taken."""
    assert ids(render("## Batch\n\n## Batch {#other}\n\nText.")) == ["part-batch", "other"]


def test_the_same_heading_in_two_files(scenario: Scenario) -> None:
    """The prefix keeps equal headings of two files apart."""
    renderer = ProseRenderer(scenario)
    pages = [
        renderer.render(Source(f"{name}.md", "## Batch\n\nText."), name) for name in ("prefill", "decode")
    ]
    assert [ids(page) for page in pages] == [["prefill-batch"], ["decode-batch"]]
    assert renderer.findings == []


def test_an_explicit_id_twice(scenario: Scenario) -> None:
    """An id given twice on the page is a slip, whichever files it is in."""
    renderer = ProseRenderer(scenario)
    renderer.render(Source("a.md", "## One {#here}\n\n## Two {#here}"), "a")
    renderer.render(Source("b.md", "\n## Three {#here}\n\n## Four {#a-one}"), "b")
    renderer.render(Source("c.md", "## One {#b-five}\n\nText."), "c")
    renderer.render(Source("b2.md", "## Five"), "b")
    assert [str(finding) for finding in renderer.findings] == [
        "a.md:3: ## Two: its id here is taken by a.md:1; choose another",
        "b.md:2: ## Three: its id here is taken by a.md:1; choose another",
        "b2.md:1: ## Five: its id b-five is taken by c.md:1; give one an id: ## Five {#other}",
    ]


@pytest.mark.parametrize("text", ["c[^a]\n\n[^a]: [^b]: c", "[^a]: [^a]: ", "c[^a]\n\n[^a]: [b]: c.html"])
def test_a_note_of_which_nothing_is_left(slips: Slips, text: str) -> None:
    """A note that is another note, or where a link leads, is a slip, and not the parser's end."""
    line = text.count("\n") + 1
    assert f"prose.md:{line}: [^a]: says nothing; write the note behind its colon" in slips(text)


@pytest.mark.parametrize("note", ["[^a]:", "[^a]: ", "[^a]:\n\nc"])
def test_a_note_that_says_nothing(slips: Slips, note: str) -> None:
    """A note without a text is a slip with its line."""
    assert slips(f"b[^a]\n\n{note}") == ["prose.md:3: [^a]: says nothing; write the note behind its colon"]


def test_ids_of_the_page(scenario: Scenario) -> None:
    """An id that the page itself has is not to be had."""
    renderer = ProseRenderer(scenario, taken_ids=["roofline"])
    renderer.render(Source("a.md", "## Roofline {#roofline}"), "a")
    assert [str(finding) for finding in renderer.findings] == [
        "a.md:1: ## Roofline: its id roofline is taken by the page itself; choose another"
    ]


def test_a_heading_without_letters(slips: Slips) -> None:
    """A heading that no id can be made of asks for one."""
    assert slips("a\n\n## … !") == [
        "prose.md:3: ## … !: has no letter or digit to make an id of; give it one: ## … ! {#name}"
    ]


# Notes

MD_04_A = """\
## Batch

Prefill is compute bound[^1] until it is not[^why].

[^1]: NOTE-A1 first file.
[^why]: NOTE-A2 first file.
"""
MD_04_B = """\
## Batch

Decode reads every weight[^1]. Again[^1].

[^1]: NOTE-B1 second file.
"""


def test_notes_of_two_files(scenario: Scenario) -> None:
    """Each note stands once, under its own text, and no id stands twice on the page."""
    renderer = ProseRenderer(scenario)
    one = renderer.render(Source("a.md", MD_04_A), "prefill")
    two = renderer.render(Source("b.md", MD_04_B), "decode")
    assert renderer.findings == []
    assert [one.count(note) for note in ("NOTE-A1", "NOTE-A2", "NOTE-B1")] == [1, 1, 0]
    assert [two.count(note) for note in ("NOTE-A1", "NOTE-A2", "NOTE-B1")] == [0, 0, 1]
    assert ids(one) == [
        "prefill-batch",
        "prefill-fnref-1",
        "prefill-fnref-why",
        "prefill-fn-1",
        "prefill-fn-why",
    ]
    assert ids(two) == ["decode-batch", "decode-fnref-1", "decode-fnref2-1", "decode-fn-1"]
    for page in (one, two):
        assert set(re.findall(r'href="#([^"]*)"', page)) == set(ids(page)) - {"prefill-batch", "decode-batch"}


def test_a_note(render: Render) -> None:
    """A note may hold a figure; the way back says where it leads."""
    assert render("Bound[^a].\n\n[^a]: After {{ ttft }}.") == (
        '<p>Bound<sup id="part-fnref-a"><a class="footnote-ref" href="#part-fn-a">1</a></sup>.</p>\n'
        '<div class="footnote">\n<hr>\n<ol>\n<li id="part-fn-a">\n'
        f'<p>After {TTFT}.&#160;<a aria-label="Back to note 1 in the text" class="footnote-backref" '
        'href="#part-fnref-a">&#8617;</a></p>\n</li>\n</ol>\n</div>'
    )


def test_notes_are_in_the_order_of_their_references(render: Render) -> None:
    """Notes are numbered and listed as the text refers to them, not as they are written down."""
    page = render("A[^b] and[^a].\n\n[^a]: Second.\n[^b]: First.")
    assert page.index("First.") < page.index("Second.")
    assert re.findall(r">(\d)</a></sup>", page) == ["1", "2"]


def test_a_note_after_an_exclamation(render: Render) -> None:
    """A reference after an exclamation mark is no image."""
    assert render("So fast![^1]\n\n[^1]: Yes.").startswith('<p>So fast!<sup id="part-fnref-1">')


def test_notes_that_do_not_match(slips: Slips) -> None:
    """A reference without a note, a note without a reference and a note written twice are slips."""
    assert slips("A[^a] b[^b]\nc[^typo].\n\n[^a]: One.\n[^b]: Two.\n[^b]: Three.\n[^c]: Four.") == [
        "prose.md:6: [^b]: is there twice; give one of the notes another name",
        "prose.md:2: [^typo]: there is no note of this name; write [^name]: …",
        "prose.md:7: [^c]: nothing refers to this note; refer to it",
    ]


def test_the_id_of_a_note_and_of_a_heading(slips: Slips) -> None:
    """A note that would have a heading's id is a slip, like any other id twice."""
    assert slips("## Fn a\n\nb[^a]\n\n[^a]: c") == [
        "prose.md:3: [^a]: its id part-fn-a is taken by prose.md:1; rename the note"
    ]


# Lists and tables

SWALLOWED = [
    ("- a", "The levers are:\n- a"),
    ("* a", "The levers are:\n* a"),
    ("+ a", "The levers are:\n+ a"),
    ("1. a", "The levers are:\n1. a"),
    ("- a", "**Levers**\n- a"),
    ("- a", "> The levers are:\n> - a"),
    ("1. a", "- The levers are:\n  1. a"),
    ("- a", "1. The levers are:\n   - a"),
    ("- {{ ttft }}", "The levers are:\n- {{ ttft }}"),
]


@pytest.mark.parametrize(("place", "text"), SWALLOWED)
def test_a_list_within_a_sentence(slips: Slips, place: str, text: str) -> None:
    """A list that Markdown would make part of the sentence above is a slip with line and mend."""
    assert slips(f"One.\n\n{text}") == [
        f"prose.md:4: {place}: a list needs an empty line before it; "
        "or four spaces, where it belongs to an item"
    ]


def test_items_that_begin_elsewhere(slips: Slips, render: Render) -> None:
    """Lines that count up are a list wherever they begin; a year at the start of a line is none."""
    (slip,) = slips("And so:\n3. c\n4. d")
    assert slip.startswith("prose.md:2: 3. c: a list needs an empty line before it; ")
    assert render("It was in\n1969. In July.") == "<p>It was in\n1969. In July.</p>"


def test_items_with_a_bracket(slips: Slips) -> None:
    """A number with a bracket, of which Markdown makes no item, is told with its line."""
    hint = "write 1. below an empty line"
    assert slips("Steps:\n\n1) one\n2) two") == [
        f"prose.md:3: 1) one: a number and a bracket begin no item; {hint}",
        f"prose.md:4: 2) two: a number and a bracket begin no item; {hint}",
    ]


def test_every_item_that_is_swallowed(slips: Slips) -> None:
    """Each item of a swallowed list is told with its line."""
    found = slips("Levers:\n- a\n- b\n\nMore.\n\nLevers:\n- a")
    assert [slip.split(": a list")[0] for slip in found] == [
        "prose.md:2: - a",
        "prose.md:3: - b",
        "prose.md:8: - a",
    ]


LISTS = [
    ("The levers are:\n\n- a\n- b", "<p>The levers are:</p>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
    ("## Levers\n- a", '<h2 id="part-levers">Levers</h2>\n<ul>\n<li>a</li>\n</ul>'),
    ("- a\ncontinued", "<ul>\n<li>a\ncontinued</li>\n</ul>"),
    ("- a\n - b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
    ("- a\n    - b", "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n</ul>"),
    ("3. a\n4. b", '<ol start="3">\n<li>a</li>\n<li>b</li>\n</ol>'),
    ("```\nLevers:\n- a\n  - b\n```", "<pre><code>Levers:\n- a\n  - b\n</code></pre>"),
    ("    Levers:\n    - a\n      - b", "<pre><code>Levers:\n- a\n  - b\n</code></pre>"),
    ("It came in\n2024. A year", "<p>It came in\n2024. A year</p>"),
    ("5 - 3 is\n-2, and\n*so*", "<p>5 - 3 is\n-2, and\n<em>so</em></p>"),
    ("- one  \n  two", "<ul>\n<li>one<br>\n  two</li>\n</ul>"),
]


@pytest.mark.parametrize(("text", "expected"), LISTS)
def test_lists(render: Render, text: str, expected: str) -> None:
    """A list after an empty line or a heading is a list; code and a continued sentence are none."""
    assert render(text) == expected


def test_an_inner_list_set_in_too_little(slips: Slips) -> None:
    """An inner list that would silently join the outer one is a slip."""
    found = slips("- a\n  - b\n- c\n    - d\n      - e")
    assert found == [
        "prose.md:2: - b: an inner list is set in by four spaces; with fewer it joins the outer one",
        "prose.md:5: - e: an inner list is set in by four spaces; with fewer it joins the outer one",
    ]


def test_a_table_within_a_sentence(slips: Slips) -> None:
    """A table that Markdown would make part of the sentence above is a slip with its line."""
    (slip,) = slips("See:\n| a | b |\n|---|---|\n| c | d |")
    assert slip.startswith("prose.md:2: | a | b |: a table needs an empty line before it")
