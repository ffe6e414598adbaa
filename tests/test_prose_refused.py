"""What Markdown could hold and the page does not take."""

import html
import re

import pytest

from builder.prose import ProseRenderer
from builder.scenario import Scenario
from builder.source import Source
from tests.rendering import TTFT, Render, Slips

# Raw HTML

RAW = [
    ("<b>", "a <b>c"),
    ("</b>", "a</b> c"),
    ("<br/>", "a<br/>c"),
    ("<svg:rect>", "<svg:rect>"),
    ('<img src=x onerror="y">', 'a <img src=x onerror="y"> b'),
    ("<div>", "<div>"),
    ("<script>", "<script>\nalert(1)"),
    ("<!--", "<!-- a comment -->"),
    ("<!--", "<!-- over\n\nparagraphs -->"),
    ("<!DOCTYPE html>", "<!DOCTYPE html>"),
    ("<?php x ?>", "<?php x ?>"),
    ("<b>", "## A <b>heading"),
    ("<b>", "- a <b>c"),
    ("<b>", "[a <b>c](d.html)"),
    ("<b>", "(see <b>c)"),
    ("<svg>", "**<svg>**"),
]


@pytest.mark.parametrize(("tag", "text"), RAW)
def test_raw_html(slips: Slips, tag: str, text: str) -> None:
    """A tag or a comment is a slip with its line, in a line of text as well as in a block of its own."""
    expected = f"prose.md:3: {tag}: raw HTML is not taken; put it in backticks to show it"
    assert slips(f"One.\n\n{text}") == [expected]


def test_every_tag_is_found(slips: Slips) -> None:
    """Each tag has its own line."""
    assert [slip.split(": raw")[0] for slip in slips("<div>\n<p>a</p>\n\n</div>")] == [
        "prose.md:1: <div>",
        "prose.md:2: <p>",
        "prose.md:2: </p>",
        "prose.md:4: </div>",
    ]


WB_01 = """\
The tag `</script>` closes a block. So does `</SCRIPT >` and `</svg>`.

```html
<script>document.title = "pwn3"</script>
```
"""


def test_tags_in_code(render: Render) -> None:
    """Tags in code are shown literally: no element comes of them."""
    assert render(WB_01) == (
        "<p>The tag <code>&lt;/script&gt;</code> closes a block. "
        "So does <code>&lt;/SCRIPT &gt;</code> and <code>&lt;/svg&gt;</code>.</p>\n"
        '<pre><code class="language-html">'
        "&lt;script&gt;document.title = &quot;pwn3&quot;&lt;/script&gt;\n"
        "</code></pre>"
    )


NOT_HTML = [
    ("a < b and c > d", "a &lt; b and c &gt; d"),
    ("a <3 b", "a &lt;3 b"),
    ("1<2>1", "1&lt;2&gt;1"),
    ("AT&T &amp; &copy;", "AT&amp;T &amp; &copy;"),
    ("<https://a.org/b?c=1&d=2>", '<a href="https://a.org/b?c=1&amp;d=2">https://a.org/b?c=1&amp;d=2</a>'),
    ("[a](<b c.html>)", '<a href="b c.html">a</a>'),
    ("costs $2.49, eight cost $19.92", "costs $2.49, eight cost $19.92"),
    ("\"so\" -- and... 'so'", "\"so\" -- and... 'so'"),
]


@pytest.mark.parametrize(("text", "expected"), NOT_HTML)
def test_plain_text_stays_plain_text(render: Render, text: str, expected: str) -> None:
    """Comparisons, addresses, money, quotes and dashes are left as they are typed."""
    assert render(text) == f"<p>{expected}</p>"


def test_an_address_of_mail(render: Render) -> None:
    """An address of mail in angle brackets is a link."""
    assert html.unescape(render("<me@a.org>")) == '<p><a href="mailto:me@a.org">me@a.org</a></p>'


# Attributes

ATTRIBUTES = [
    ("{.wide}", "A paragraph {.wide}"),
    ("{: .wide }", "A paragraph\n{: .wide }"),
    ("{#here}", "A paragraph {#here}"),
    ('{style="color: red"}', '[a](b.html){style="color: red"}'),
    ("{onclick=x}", "*a*{onclick=x}"),
    ("{.wide}", "## Heading {.wide}"),
    ("{#a .wide}", "## Heading {#a .wide}"),
    ("{#a}", "- item {#a}"),
    ("``` {.python}", "```{.python}\na\n```"),
    ("``` {#a style=b}", "``` {#a style=b}\na\n```"),
    ("``` {python}", "~~~{python}\na\n~~~"),
]


@pytest.mark.parametrize(("place", "text"), ATTRIBUTES)
def test_attributes(slips: Slips, place: str, text: str) -> None:
    """Attributes are a slip wherever they stand, for the page's policy forbids what they could do."""
    (slip,) = slips("\n\n" + text)
    line = 4 if text.startswith("A paragraph\n") else 3
    assert slip == (
        f"prose.md:{line}: {place}: attributes are not taken; "
        "only {#id} is, at the end of a heading; in backticks braces are shown"
    )


TABLE = """\
| state | time | share | bound |
|:------|-----:|:-----:|-------|
| start | {{ ttft }} | `a|b` | memory |
"""


def test_a_table(render: Render) -> None:
    """A column is aligned by a class: a style is forbidden, an align attribute is not HTML any more."""
    assert render(TABLE) == (
        "<table>\n<thead>\n<tr>\n"
        '<th class="left">state</th>\n<th class="right">time</th>\n'
        '<th class="center">share</th>\n<th>bound</th>\n'
        "</tr>\n</thead>\n<tbody>\n<tr>\n"
        f'<td class="left">start</td>\n<td class="right">{TTFT}</td>\n'
        '<td class="center"><code>a|b</code></td>\n<td>memory</td>\n'
        "</tr>\n</tbody>\n</table>"
    )


# Links and images

ADDRESSES = [
    "javascript:alert(1)",
    "JavaScript:alert(1)",
    "java&#115;cript:alert(1)",
    "java&Tab;script:alert(1)",
    "&#1;javascript:alert(1)",
    "vbscript:x",
    "data:text/html,x",
    "file:///etc/passwd",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_addresses_that_run(slips: Slips, address: str) -> None:
    """An address that a browser would run or that leaves the web is a slip, however it is written."""
    for text in (f"a\n[b]({address})", f"a\n[b](<{address}>)", f"a\n[b]( {address} 'c')"):
        (slip,) = slips(text)
        assert slip.startswith("prose.md:2: [b](")
        assert slip.endswith("addresses are not taken; take a relative one, or http, https, mailto, tel")


def test_the_address_of_a_definition(slips: Slips) -> None:
    """An address that a reference takes is told with the line of its definition."""
    found = slips("[a] and [b][c]\n\n[a]: javascript:x\n[c]:\n    <vbscript:y>")
    assert [slip.split(": addresses")[0] for slip in found] == [
        "prose.md:3: [a](javascript:x): javascript",
        "prose.md:5: [b](vbscript:y): vbscript",
    ]


@pytest.mark.parametrize("address", ["javascript://a", "data://b"])
def test_an_address_in_angle_brackets(slips: Slips, address: str) -> None:
    """An address in angle brackets is held to the same rules."""
    (slip,) = slips(f"a\n\nb <{address}>")
    assert slip.startswith("prose.md:3: ")
    assert address in slip


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("/method.html", "breaks where the page lives in a folder; write a relative address or a whole one"),
        ("//a.org/b", "breaks where the page lives in a folder; write a relative address or a whole one"),
        ("", "leads nowhere; write an address"),
    ],
)
def test_addresses_that_break(slips: Slips, address: str, rule: str) -> None:
    """An address that holds only at the root of a site, or none at all, is a slip."""
    assert slips(f"[a]({address})") == [f"prose.md:1: [a]({address}): {rule}"]


LINKS = [
    ("[a](b.html#c)", '<a href="b.html#c">a</a>'),
    ("[a](#ttft)", '<a href="#ttft">a</a>'),
    ('[a](https://b.org/c_(d) "Title")', '<a href="https://b.org/c_(d)" title="Title">a</a>'),
    ("[a][b]\n\n[b]: https://c.org", '<a href="https://c.org">a</a>'),
    ("[a]\n\n[a]: <https://c.org>", '<a href="https://c.org">a</a>'),
    ("[`a`](b.html)", '<a href="b.html"><code>a</code></a>'),
    ("[a](mailto:b@c.org)", '<a href="mailto:b@c.org">a</a>'),
    ("`[a](javascript:b)`", "<code>[a](javascript:b)</code>"),
    (r"\[a](b)", "[a](b)"),
    (r"a[i\](b)", "a[i](b)"),
]


@pytest.mark.parametrize(("text", "expected"), LINKS)
def test_links(render: Render, text: str, expected: str) -> None:
    """A link to a relative or a whole address stays as it is written."""
    assert render(text) == f"<p>{expected}</p>"


@pytest.mark.parametrize("text", ["![a](b.png)", "![](b.png)", "![a][b]", 'c ![a](https://d.org/b.png "e")'])
def test_images(slips: Slips, text: str) -> None:
    """An image is a slip: the page makes no requests."""
    (slip,) = slips(f"One.\n\n{text}")
    assert re.fullmatch(r"prose\.md:3: !\[a?\]: images are not taken; .*", slip)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`![a](b.png)`", "<code>![a](b.png)</code>"),
        (r"\![a](b.html)", '!<a href="b.html">a</a>'),
        ("wow ![a]", "wow ![a]"),
    ],
)
def test_what_is_no_image(render: Render, text: str, expected: str) -> None:
    """An image in code or behind a backslash is none."""
    assert render(text) == f"<p>{expected}</p>"


# Emphasis


@pytest.mark.parametrize("text", ["now **bold*text", "now *_**a*b", "a **b {{ ttft }}* c"])
def test_emphasis_that_does_not_close(scenario: Scenario, text: str) -> None:
    """Emphasis that closes otherwise than it opened loses no letter in silence."""
    renderer = ProseRenderer(scenario)
    page = renderer.render(Source("prose.md", text), "part")
    words = re.sub(r"[*_\s]", "", text.replace("{{ ttft }}", "114.9&nbsp;ms"))
    assert renderer.findings or re.sub(r"<[^>]*>|[*_\s]", "", page) == words


def test_a_link_to_no_address(slips: Slips) -> None:
    """A reference to a link that nobody wrote is found, and one that is written is a link."""
    assert slips("See [the paper][missing].") == [
        "prose.md:1: [the paper][missing]: there is no link of this name; write [name]: https://…"
    ]
    assert slips("See [the paper][b].\n\n[b]: b.html") == []
