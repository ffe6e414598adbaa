"""Markdown to HTML: what an author may write, what comes of it, and every slip with its file and line."""

import html
import re
from collections.abc import Callable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from builder.errors import ContentError
from builder.prose import ProseRenderer
from builder.scenario import Scenario
from builder.source import Source, read_source

Render = Callable[..., str]
Slips = Callable[..., list[str]]


@pytest.fixture
def render(scenario: Scenario) -> Render:
    """The HTML of a text in which nothing is at fault."""

    def rendered(text: str, prefix: str = "part", *, live: bool = False) -> str:
        renderer = ProseRenderer(scenario)
        page = (renderer.render_live if live else renderer.render)(Source("prose.md", text), prefix)
        assert renderer.findings == []
        return page

    return rendered


@pytest.fixture
def slips(scenario: Scenario) -> Slips:
    """The findings of a text, as they are printed."""

    def found(text: str, *, live: bool = False) -> list[str]:
        renderer = ProseRenderer(scenario)
        (renderer.render_live if live else renderer.render)(Source("prose.md", text), "part")
        return [str(finding) for finding in renderer.findings]

    return found


def ids(page: str) -> list[str]:
    return re.findall(r' id="([^"]*)"', page)


def span(phase: str, text: str) -> str:
    return f'<span class="figure {phase}">{text}</span>' if phase else f'<span class="figure">{text}</span>'


# Figures

PLAIN_FIGURES = [
    ("ttft", span("prefill", "114.9&nbsp;ms")),
    ("itl", span("decode", "23.4&nbsp;ms")),
    ("latency", span("", "3.11&nbsp;s")),
    ("throughput", span("decode", "43&nbsp;tok/s")),
    ("decode_steps", span("", "4.9")),
    ("prefill_intensity", span("prefill", "1022&nbsp;FLOP/B")),
    ("decode_of_peak", span("decode", "0.5%")),
    ("decode_bound", span("decode", "memory")),
    ("prompt", span("", "1K&nbsp;tokens")),
    ("batch", span("", "1&nbsp;request")),
    ("fits batch=64", span("", "does not fit")),
    ("max_batch prompt=32 output=16", span("", "1,271")),
    ("ttft prompt=4096", span("prefill", "459.5&nbsp;ms")),
    ("itl batch=512", span("decode", "57.4&nbsp;ms")),
    ("throughput batch=512", span("decode", "8,914&nbsp;tok/s")),
    ("cache_mid batch=512", span("decode", "182.5&nbsp;GB")),
    ("crossing_batch", span("decode", "443")),
    ("crossing_batch prompt=4096", span("decode", "never")),
    ("crossing_batch prompt=32 output=16", span("decode", "213")),
    ("ridge", span("", "208")),
    ("ridge card=h100", span("", "295")),
    ("ridge card=a100_40_data_sheet", span("", "201")),
    ("memory_left", span("", "20&nbsp;GB")),
    ("memory_left card=a100_80", span("", "180&nbsp;GB")),
    ("peak", span("", "1.25&nbsp;PFLOP/s")),
    ("model", span("", "Llama 3 70B")),
    ("card", span("", "A100 40&nbsp;GB")),
]


@pytest.mark.parametrize(("words", "expected"), PLAIN_FIGURES)
def test_a_figure_by_name(render: Render, words: str, expected: str) -> None:
    """A figure stands where its name stood, in its phase's class, number and unit kept on one line."""
    assert render(f"Now {{{{ {words} }}}}.") == f"<p>Now {expected}.</p>"


@pytest.mark.parametrize("form", ["{{ttft}}", "{{  ttft  }}", "{{ ttft\n}}", "{{\nttft }}"])
def test_spaces_in_a_figure(render: Render, form: str) -> None:
    """Spaces and line ends within the braces do not matter."""
    assert render(form) == f"<p>{span('prefill', '114.9&nbsp;ms')}</p>"


def test_an_override_need_not_be_a_stop(render: Render) -> None:
    """A figure may be asked for between the grid's stops."""
    assert render("{{ prompt prompt=1000 }}, {{ batch batch=5 }}") == (
        f"<p>{span('', '1000&nbsp;tokens')}, {span('', '5&nbsp;requests')}</p>"
    )


ttft = span("prefill", "114.9&nbsp;ms")
AROUND_A_FIGURE = [
    ("**{{ ttft }}**", f"<p><strong>{ttft}</strong></p>"),
    ("*about {{ ttft }}*", f"<p><em>about {ttft}</em></p>"),
    ("[{{ ttft }}](a.html)", f'<p><a href="a.html">{ttft}</a></p>'),
    ("- {{ ttft }}", f"<ul>\n<li>{ttft}</li>\n</ul>"),
    ("> {{ ttft }}", f"<blockquote>\n<p>{ttft}</p>\n</blockquote>"),
    ("## At {{ ttft }}", f'<h2 id="part-at-ttft">At {ttft}</h2>'),
    ("{{ ttft }}{{ ttft }}", f"<p>{ttft}{ttft}</p>"),
    ("({{ ttft }})", f"<p>({ttft})</p>"),
]


@pytest.mark.parametrize(("text", "expected"), AROUND_A_FIGURE)
def test_a_figure_within_markdown(render: Render, text: str, expected: str) -> None:
    """A figure may stand wherever text may."""
    assert render(text) == expected


def test_a_figure_is_escaped(scenario: Scenario) -> None:
    """What the scenario calls its things is text, whatever it looks like."""
    named = replace(scenario, model=scenario.model.model_copy(update={"name": "R&D &amp; <b>x</b> *y*"}))
    page = ProseRenderer(named).render(Source("prose.md", "{{ model }}"), "part")
    assert page == f"<p>{span('', 'R&amp;D &amp;amp; &lt;b&gt;x&lt;/b&gt; *y*')}</p>"


def test_a_figure_without_a_value(scenario: Scenario) -> None:
    """A figure that this scenario cannot say does not become a dash in a sentence."""
    bare = replace(scenario, model=scenario.model.model_copy(update={"checkpoint_parameters": None}))
    renderer = ProseRenderer(bare)
    renderer.render(Source("prose.md", "One.\n\nAll {{ checkpoint_parameters }} of them."), "part")
    assert [str(finding) for finding in renderer.findings] == [
        "prose.md:3: {{ checkpoint_parameters }}: checkpoint_parameters has no value in this scenario; "
        "ask for another figure"
    ]


BRACES_IN_CODE = [
    "{{ ttft }}",
    "{{ nope }}",
    "{% if fast %}",
    "${{ github.sha }}",
    "{# not a comment #}",
    "{% raw %}--kv {{ kv }}{% endraw %}",
    "{{{ a }}}",
    "{.class}",
    "{{ claim ttft < 0 }}",
]


@pytest.mark.parametrize("code", BRACES_IN_CODE)
def test_braces_in_code(render: Render, code: str) -> None:
    """Every brace in code appears as typed, in a line of text, in a fence and set in by four spaces."""
    shown = html.escape(code, quote=False)
    assert render(f"See `{code}`.") == f"<p>See <code>{shown}</code>.</p>"
    assert render(f"```\n{code}\n```") == f"<pre><code>{shown}\n</code></pre>"
    assert render(f"~~~ text\n{code}\n~~~") == f'<pre><code class="language-text">{shown}\n</code></pre>'
    assert render(f"Code:\n\n    {code}") == f"<p>Code:</p>\n<pre><code>{shown}\n</code></pre>"


MD_02 = """\
# Braces in code are text

Inline: `{{ batch }}` and `{% if fast %}`.

```yaml
image: "{{ registry }}/server:${{ github.sha }}"
args: {% raw %}--kv {{ kv }}{% endraw %} {# not a comment #}
```
"""


def test_braces_of_templates_in_code(render: Render) -> None:
    """Code in the languages of templates is shown as it was typed."""
    assert render(MD_02, "braces") == (
        '<h2 id="braces-braces-in-code-are-text">Braces in code are text</h2>\n'
        "<p>Inline: <code>{{ batch }}</code> and <code>{% if fast %}</code>.</p>\n"
        '<pre><code class="language-yaml">'
        "image: &quot;{{ registry }}/server:${{ github.sha }}&quot;\n"
        "args: {% raw %}--kv {{ kv }}{% endraw %} {# not a comment #}\n"
        "</code></pre>"
    )


@pytest.mark.parametrize(
    "text", ["{% if %} {# no #} {x}", "a {{ b", "a {{ b } c", "a }} b", "{ {x} }", "${x}"]
)
def test_braces_that_ask_for_nothing(render: Render, text: str) -> None:
    """Braces that are no figure's stay text."""
    assert render(text) == f"<p>{text}</p>"


CL_05 = """\
# Narration with a slip

A sentence before it.

The first token comes after {{ ttft_msec }} and the rest take {{ decode_time }}.
"""


def test_misspelt_names(slips: Slips) -> None:
    """Both misspelt names of a line are found in one run, each with the nearest right one."""
    assert slips(CL_05) == [
        "prose.md:5: {{ ttft_msec }}: ttft_msec is not a figure; did you mean ttft?",
        "prose.md:5: {{ decode_time }}: decode_time is not a figure; did you mean decode_steps?",
    ]


def test_findings_of_all_files(scenario: Scenario, tmp_path: Path) -> None:
    """One renderer collects the slips of all its files, each under its own name."""
    renderer = ProseRenderer(scenario)
    for name in ("one.md", "two.md"):
        (tmp_path / name).write_text("\nThe {{ ttfd }}.\n", encoding="utf-8")
        renderer.render(read_source(tmp_path / name), name.removesuffix(".md"))
    found = str(ContentError(renderer.findings)).replace(tmp_path.as_posix() + "/", "")
    assert found == (
        "one.md:2: {{ ttfd }}: ttfd is not a figure; did you mean ttft?\n"
        "two.md:2: {{ ttfd }}: ttfd is not a figure; did you mean ttft?"
    )


NO_FORM = ["{{ }}", "{{}}", "{{ 3 + 4 }}", "{{ 'ttft' }}", "{{ ttft|upper }}", "{{ *ttft* }}", "{{{ ttft }}}"]


@pytest.mark.parametrize("text", NO_FORM)
def test_neither_a_figure_nor_a_claim(slips: Slips, text: str) -> None:
    """What is of no form between braces is never text and never nothing."""
    (slip,) = slips(f"It is {text}.")
    assert slip.startswith("prose.md:1: {{ ")
    assert "is n" in slip


def test_an_escaped_figure(slips: Slips) -> None:
    """A backslash before braces is a slip whose mend is told, for it would show beside the number."""
    assert slips(r"Not \{{ ttft }}.") == [
        r"prose.md:1: \{{ ttft }}: a backslash does not keep braces; put them in backticks"
    ]


def test_a_figure_in_an_address_of_a_definition(slips: Slips) -> None:
    """Where no figure can stand, braces are a slip and not text."""
    assert slips('[a] link\n\n[a]: b.html "{{ ttft }}"') == [
        "prose.md:3: [a](b.html): has braces in its address or its title; put the figure into the text"
    ]


# Lines

THIRD_LINE = [
    "One.\n\n{{ nope }}",
    "One\ntwo\nthree {{ nope }}\nfour",
    "`{{ nope }}`\n\n{{ nope }}",
    "```\n{{ nope }}\n```\n{{ nope }}",
    "- a\n- b\n- {{ nope }}",
    "- a\n\n    {{ nope }}",
    "> a\n>\n> {{ nope }}",
    "1. a\n    - b\n    - {{ nope }}",
    "| a | b |\n|---|--:|\n| {{ nope }} | c |",
    "| a | b |\n|---|--:|\n| c | `{{ nope }}` {{ nope }} |",
    "a[^1]\n\n[^1]: {{ nope }}",
    "a[^1]\n\n[^1]: b {{ nope\n    }}",
    "One.\n\n## {{ nope }} {#b}",
    "One.\n\n{{ nope }}\n=====",
    "One.\n\n**a *b {{ nope }}***",
    "One.\n\n[{{ nope }}](a.html)",
    "    {{ nope }}\n\n{{ nope }}",
    "\r\n\r\n{{ nope }}",
]


@pytest.mark.parametrize("text", THIRD_LINE)
def test_the_line_of_a_slip(slips: Slips, text: str) -> None:
    """A slip has its own line, wherever it stands and however often its like stands in code."""
    expected = "prose.md:3: {{ nope }}: nope is not a figure; did you mean peak?"
    if text.startswith("```"):
        expected = expected.replace(":3:", ":4:")
    assert slips(text) == [expected]


def test_the_lines_of_equal_slips(slips: Slips) -> None:
    """The same slip on several lines is found on each of them, and not where it is code."""
    text = "{{ nope }} `{{ nope }}`\n`{{ nope }}`\n{{ nope }}\n\n```\n{{ nope }}\n```\n\n{{ nope }}"
    assert [slip.split(": ")[0] for slip in slips(text)] == ["prose.md:1", "prose.md:3", "prose.md:9"]


def test_a_slip_twice_on_a_line(slips: Slips) -> None:
    """The same slip twice on one line is told once."""
    assert len(slips("{{ nope }} and {{ nope }}")) == 1


@pytest.mark.parametrize("character", ["\ue000", "\ue001"])
def test_private_characters(scenario: Scenario, character: str) -> None:
    """The characters that lines are marked with are found in a text, and do not reach the page."""
    renderer = ProseRenderer(scenario)
    page = renderer.render(Source("prose.md", f"a\n\n`b{character}7` {{{{ ttft{character} }}}}"), "part")
    assert page == f"<p>a</p>\n<p><code>b7</code> {ttft}</p>"
    assert [str(finding) for finding in renderer.findings] == [
        "prose.md:3: U+E000 or U+E001: is a private character with no meaning; remove it"
    ]


# Claims

TRUE_CLAIMS = [
    "decode_bound prompt=4096 batch=1024 is memory",
    "decode_bound batch=512 is compute",
    "crossing_batch prompt=4096 is never",
    "crossing_batch is 443",
    "crossing_preset is 512",
    "decode_of_peak batch=512 is 100%",
    "fits batch=64 is does not fit",
    "cache_mid batch=512 is 182.5 GB",
    "cache_mid batch=512 > memory_left card=a100_80",
    "memory_left < cache_mid batch=512",
    "decode_intensity < 2",
    "decode_intensity batch=443 >= ridge",
    "decode_intensity batch=442 < ridge",
    "max_batch <= 52",
]


@pytest.mark.parametrize("claim", TRUE_CLAIMS)
def test_a_true_claim_leaves_nothing(render: Render, claim: str) -> None:
    """A claim that the model bears out is gone, and so is the space before it."""
    assert render(f"So it is {{{{ claim {claim} }}}}.") == "<p>So it is.</p>"


def test_where_a_claim_stands(render: Render) -> None:
    """A claim may stand at the end, between two sentences, on a line or in a paragraph of its own."""
    claim = "{{ claim ttft > 0 }}"
    assert render(f"One. {claim} Two.") == "<p>One. Two.</p>"
    assert render(f"One.\n{claim}\nTwo.") == "<p>One.\nTwo.</p>"
    assert render(f"One.\n\n{claim}\n\nTwo. {claim} {claim}") == "<p>One.</p>\n<p>Two.</p>"
    assert render(f"- One {claim}, two") == "<ul>\n<li>One, two</li>\n</ul>"


FALSE_CLAIMS = [
    ("decode_bound prompt=1024 batch=512 is memory", "is compute here, the sentence says memory"),
    ("crossing_batch is never", "is 443 here, the sentence says never"),
    ("crossing_batch prompt=4096 is 443", "is never here, the sentence says 443"),
    ("cache_mid batch=512 is 182 GB", "is 182.5 GB here, the sentence says 182 GB"),
    ("ttft < 0.1", "is 114.9 ms here (0.1148717949 in SI units), the sentence says < 0.1"),
    ("max_batch >= 53", "is 52 here (52 in SI units), the sentence says >= 53"),
]


@pytest.mark.parametrize(("claim", "rule"), FALSE_CLAIMS)
def test_a_false_claim(slips: Slips, claim: str, rule: str) -> None:
    """A claim that the model denies is a slip that tells both sides."""
    place = f"{{{{ claim {claim} }}}}"
    expected = f"prose.md:2: {place}: {rule}; mend the sentence or the scenario"
    assert slips(f"So\nit is {place}.") == [expected]


def test_a_claim_over_two_lines(slips: Slips) -> None:
    """A claim that runs over a line end has the line that it begins on."""
    (slip,) = slips("One.\n\nSo it is {{ claim decode_bound\nis compute }}.")
    assert slip.startswith("prose.md:3: {{ claim decode_bound is compute }}: is memory here")


# Live figures


def test_live_figures(render: Render) -> None:
    """In a reading the figures of the state can be found and replaced, their text exactly the script's."""
    assert render("{{ decode_of_peak }} and {{ ttft }}, {{ batch }}", "reading", live=True) == (
        '<p><span class="figure decode" data-figure="decode_of_peak">0.5%</span> and '
        '<span class="figure prefill" data-figure="ttft">114.9 ms</span>, '
        '<span class="figure" data-figure="batch">1 request</span></p>'
    )


def test_figures_of_a_reading_that_stay(render: Render) -> None:
    """In a reading a figure of another state or of the scenario is not the script's to replace."""
    assert render("{{ ttft prompt=4096 }} {{ weights }} {{ ridge card=h100 }}", live=True) == (
        f"<p>{span('prefill', '459.5&nbsp;ms')} {span('', '140&nbsp;GB')} {span('', '295')}</p>"
    )


def test_no_figure_of_the_prose_is_live(render: Render) -> None:
    """Outside readings no figure is the script's to replace."""
    assert "data-figure" not in render("{{ ttft }} {{ decode_of_peak }}")


@pytest.mark.parametrize("claim", ["ttft < 3", "ttft < 0", "nonsense"])
def test_no_claim_in_a_reading(slips: Slips, claim: str) -> None:
    """A reading is shown in many states, so a claim in it is a slip, true or not."""
    place = f"{{{{ claim {claim} }}}}"
    assert slips(f"a\n{place}", live=True) == [
        f"prose.md:2: {place}: a reading is shown in many states, so it cannot claim for one; "
        "move the claim into the prose"
    ]


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
        f'<td class="left">start</td>\n<td class="right">{ttft}</td>\n'
        '<td class="center"><code>a|b</code></td>\n<td>memory</td>\n'
        "</tr>\n</tbody>\n</table>"
    )


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
    assert render(text) == expected


def test_an_id_is_unmoved(render: Render) -> None:
    """A heading keeps its id when another comes before it."""
    before = render("## Batch\n\n## 延迟")
    after = render("## Prompt\n\n## Batch\n\n## 批\n\n## 延迟")
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
    assert ids(render("## Batch\n\n## Batch {#other}")) == ["part-batch", "other"]


def test_the_same_heading_in_two_files(scenario: Scenario) -> None:
    """The prefix keeps equal headings of two files apart."""
    renderer = ProseRenderer(scenario)
    pages = [renderer.render(Source(f"{name}.md", "## Batch"), name) for name in ("prefill", "decode")]
    assert pages == ['<h2 id="prefill-batch">Batch</h2>', '<h2 id="decode-batch">Batch</h2>']
    assert renderer.findings == []


def test_an_explicit_id_twice(scenario: Scenario) -> None:
    """An id given twice on the page is a slip, whichever files it is in."""
    renderer = ProseRenderer(scenario)
    renderer.render(Source("a.md", "## One {#here}\n\n## Two {#here}"), "a")
    renderer.render(Source("b.md", "\n## Three {#here}\n\n## Four {#a-one}"), "b")
    renderer.render(Source("c.md", "## One {#b-five}"), "c")
    renderer.render(Source("b2.md", "## Five"), "b")
    assert [str(finding) for finding in renderer.findings] == [
        "a.md:3: ## Two: its id here is taken by a.md:1; choose another",
        "b.md:2: ## Three: its id here is taken by a.md:1; choose another",
        "b2.md:1: ## Five: its id b-five is taken by c.md:1; give one an id: ## Five {#other}",
    ]


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
        f'<p>After {ttft}.&#160;<a aria-label="Back to note 1 in the text" class="footnote-backref" '
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


@pytest.mark.parametrize("text", ["", "\n", "  \n\n"])
def test_an_empty_file(render: Render, text: str) -> None:
    """An empty file is an empty part."""
    assert render(text) == ""


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


def test_front_matter_is_found(slips):
    """Front matter is a finding, as the page's metadata stands in a file of its own."""
    assert slips("---\ntitle: Prefill\norder: 1\n---\n\nText.\n") == [
        "prose.md:1: ---: front matter is not taken; what a page says of itself stands in page.toml"
    ]
    assert slips("---\n\nA rule above, and one below.\n\n---\n") == []


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("## Batch\n\nText.", "a reading has no heading"),
        ("Text.[^1]\n\n[^1]: Note.", "a reading has no notes"),
    ],
)
def test_reading_stands_twice_on_the_page(slips, text, rule):
    """A reading waits in a template as well, so that it can have nothing with an id."""
    assert any(rule in finding for finding in slips(text, live=True))
