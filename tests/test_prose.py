"""Markdown to HTML: files as they are saved, and any text at all."""

import html
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.prose import ProseRenderer
from builder.scenario import Scenario
from builder.source import Source, read_source
from tests.rendering import Render, Slips

# Files

MD_01 = (
    b"\xef\xbb\xbf# Why batch?\r\n\r\nA prompt of 512 tokens, batch 8: see the tile.\r\n\r\n"
    b"```\r\nline one\r\n\r\nline three\r\n```\r\n"
)


def test_a_byte_order_mark_and_crlf(scenario: Scenario, tmp_path: Path) -> None:
    """A file with a byte-order mark and CRLF is built like its plain twin."""
    (tmp_path / "windows.md").write_bytes(MD_01)
    (tmp_path / "plain.md").write_bytes(MD_01.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n"))
    pages = [
        ProseRenderer(scenario).render(read_source(tmp_path / name), "why")
        for name in ("windows.md", "plain.md")
    ]
    assert pages[0] == pages[1]
    assert pages[0] == (
        '<h2 id="why-why-batch">Why batch?</h2>\n'
        "<p>A prompt of 512 tokens, batch 8: see the tile.</p>\n"
        "<pre><code>line one\n\nline three\n</code></pre>"
    )


def test_a_byte_order_mark_in_the_middle(render: Render) -> None:
    """A byte-order mark that two joined files left in the middle does not reach the page."""
    assert render("One.\n\n\ufeff## Two\r\n\r\n`a\ufeff`") == (
        '<p>One.</p>\n<h2 id="part-two">Two</h2>\n<p><code>a</code></p>'
    )


def test_nothing_leaks_between_files(scenario: Scenario) -> None:
    """Neither a link's definition nor a note holds beyond its own file."""
    renderer = ProseRenderer(scenario)
    renderer.render(Source("a.md", "[a] b[^c]\n\n[a]: d.html\n\n[^c]: e"), "a")
    assert renderer.findings == []
    assert renderer.render(Source("b.md", "[a]"), "b") == "<p>[a]</p>"
    assert renderer.render(Source("c.md", "[^c]"), "c") == ""
    assert [str(finding).split(": ")[0] for finding in renderer.findings] == ["c.md:1"]


SILENT = [
    "",
    "\n",
    "  \n\n",
    "## A\n\n### B",
    "---",
    "{{ claim ttft > 0 }}",
    "[a]: b.html",
    "# A\n\n{{ claim ttft > 0 }}",
]


@pytest.mark.parametrize("text", SILENT)
@pytest.mark.parametrize("live", [False, True])
def test_a_file_that_says_nothing(slips: Slips, text: str, live: bool) -> None:
    """A file without a word but in headings and claims is a slip, unless something else is wrong with it."""
    said = slips(text, live=live)
    assert said == ["prose.md: text: says nothing; write a sentence that is no heading"] or (live and said)


@pytest.mark.parametrize(
    "text", ["{{ ttft }}", "`a`", "```\na\n```", "- a", "> a", "| a |\n|---|\n| b |", "[a](b.html)"]
)
def test_a_file_that_says_something(render: Render, text: str) -> None:
    """A figure, code, a list or a link alone is enough."""
    assert render(text)


@pytest.mark.parametrize("mark", ["- ", "1. ", "> "])
def test_what_is_set_in_too_deep(slips: Slips, mark: str) -> None:
    """Thousands of levels of lists or quotes are a finding, and not the parser's end."""
    text = mark * 5000 if mark == "> " else "".join(f"{'    ' * level}{mark}a\n" for level in range(60))
    assert [said.partition(": ")[2] for said in slips(f"{text}a")] == [
        "text: is set in too deep to be read; bring lists and quotes up to the margin"
    ]


def test_six_levels_are_not_too_deep(render: Render) -> None:
    """Lists as deep as anybody writes them are lists."""
    assert render("".join(f"{'    ' * level}- a\n" for level in range(6))).count("<ul>") == 6


def test_a_long_place_is_cut(slips: Slips) -> None:
    """Eighty characters of what is wrong are enough to find it by, and it has its line all the same."""
    (slip,) = slips("One.\n\n{{ " + "a" * 100 + " }}")
    assert slip.startswith("prose.md:3: {{ " + "a" * 76 + "…: ")


def test_front_matter_is_found(slips):
    """Front matter is a finding, as the page's metadata stands in a file of its own."""
    assert slips("---\ntitle: Prefill\norder: 1\n---\n\nText.\n") == [
        "prose.md:1: ---: front matter is not taken; what a page says of itself stands in page.toml"
    ]
    assert slips("---\n\nA rule above, and one below.\n\n---\n") == []


# Any text

PIECES = [
    *("{{ ttft }}", "{{ nope }}", "{{", "}}", "{{ claim ttft < 2 }}", "`", "```\n", "    ", "\n", "\n\n"),
    *("# ", "## x", "- ", "1. ", "> ", "[", "](", "]", ")", "[^1]", "\n[^1]: n", "<b>", "<!--", "-->", "<"),
    *("https://a.b", "|", "---", "\n| a | b |\n|--|-:|\n", "*", "**", "_", "{#id}", "{.x}", "\\", "!", "&"),
    *("&amp;", "\ue000", "\ue001", "3", "word", "javascript:x", "\n[a]: ", "~~~\n", "===", "<me@x.y>", "批"),
    *("\x02", "\x03", "  \n", "\r", "\ufeff", "\t", "é", " "),
]
ELEMENTS = {
    *("p", "span", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "a", "em", "strong", "code", "pre"),
    *("blockquote", "hr", "br", "table", "thead", "tbody", "tr", "th", "td", "sup", "div"),
}
ATTRIBUTE_NAMES = {"class", "id", "href", "title", "aria-label", "start"}


class Elements(HTMLParser):
    """The names of all elements and attributes of a page, and its ids."""

    def __init__(self) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str | None] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes.update(name for name, _ in attrs)
        self.ids += [value for name, value in attrs if name == "id"]

    def handle_comment(self, data: str) -> None:
        self.names.add("comment")

    def handle_decl(self, decl: str) -> None:
        self.names.add("declaration")


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
@settings(deadline=None, max_examples=300)
def test_any_text(scenario: Scenario, text: str) -> None:
    """Whatever is typed, no element or attribute comes of it but Markdown's own, and no id twice unsaid."""
    renderer = ProseRenderer(scenario)
    page = renderer.render(Source("prose.md", text), "part")
    parser = Elements()
    parser.feed(page)
    parser.close()
    assert parser.names <= ELEMENTS
    assert parser.attributes <= ATTRIBUTE_NAMES
    if not renderer.findings:
        assert len(set(parser.ids)) == len(parser.ids)
        assert not re.search("[\ue000\ue001\ufeff\r\x02\x03]", page)


WORDS = st.text(st.sampled_from("ab{}%#<>&*_[]()!|\\\"'-+.1$ "), min_size=1).map(str.strip).filter(bool)


@given(st.lists(WORDS, min_size=1, max_size=6))
@settings(deadline=None, max_examples=200)
def test_any_code(scenario: Scenario, lines: list[str]) -> None:
    """Whatever stands in a fence is shown as typed, character for character."""
    renderer = ProseRenderer(scenario)
    page = renderer.render(Source("prose.md", "```\n" + "\n".join(lines) + "\n```"), "part")
    assert renderer.findings == []
    assert html.unescape(page.removeprefix("<pre><code>").removesuffix("</code></pre>")).split("\n") == [
        *lines,
        "",
    ]
