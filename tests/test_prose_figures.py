"""Figures and claims in Markdown: what they show, and where a slip in them is found."""

import html
from dataclasses import replace
from pathlib import Path

import pytest

from builder.errors import ContentError
from builder.prose import ProseRenderer
from builder.scenario import Scenario
from builder.source import Source, read_source
from tests.rendering import TTFT, Render, Slips, span

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


AROUND_A_FIGURE = [
    ("**{{ ttft }}**", f"<p><strong>{TTFT}</strong></p>"),
    ("*about {{ ttft }}*", f"<p><em>about {TTFT}</em></p>"),
    ("[{{ ttft }}](a.html)", f'<p><a href="a.html">{TTFT}</a></p>'),
    ("- {{ ttft }}", f"<ul>\n<li>{TTFT}</li>\n</ul>"),
    ("> {{ ttft }}", f"<blockquote>\n<p>{TTFT}</p>\n</blockquote>"),
    ("## At {{ ttft }}", f'<h2 id="part-at-ttft">At {TTFT}</h2>'),
    ("{{ ttft }}{{ ttft }}", f"<p>{TTFT}{TTFT}</p>"),
    ("({{ ttft }})", f"<p>({TTFT})</p>"),
]


@pytest.mark.parametrize(("text", "expected"), AROUND_A_FIGURE)
def test_a_figure_within_markdown(render: Render, text: str, expected: str) -> None:
    """A figure may stand wherever text may."""
    assert render(f"{text}\n\nText.") == f"{expected}\n<p>Text.</p>"


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


@pytest.mark.parametrize("text", ["{% if %} {# no #} {x}", "a } } b", "{ {x} }", "${x}"])
def test_braces_that_ask_for_nothing(render: Render, text: str) -> None:
    """Braces that are no figure's stay text."""
    assert render(text) == f"<p>{text}</p>"


@pytest.mark.parametrize(
    ("text", "place"), [("a {{ ttft", "{{ ttft"), ("a {{ ttft } c", "{{ ttft } c"), ("`{{` {{ b", "{{ b")]
)
def test_braces_that_are_not_closed(slips: Slips, text: str, place: str) -> None:
    """A construct that lacks a brace at its end is found, and does not ship as text."""
    assert slips(text) == [
        f"prose.md:1: {place}: is not closed by }}}}; close it, or put the braces in backticks"
    ]


def test_never_is_no_number(slips: Slips) -> None:
    """A crossing that never comes cannot stand where a sentence has a number."""
    assert slips("From {{ crossing_batch prompt=4096 }} requests on.") == [
        "prose.md:1: {{ crossing_batch prompt=4096 }}: crossing_batch is never in this scenario, which is no "
        "number; write the sentence for that case, behind a claim that it is never"
    ]


def test_a_figure_in_the_address_of_a_link(slips: Slips) -> None:
    """The address of a link takes no figure."""
    assert slips("[x]({{ ttft }})") == [
        "prose.md:1: ]({{ ttft }}): has braces in its address; put the figure into the text"
    ]


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
    assert page == f"<p>a</p>\n<p><code>b7</code> {TTFT}</p>"
    assert [str(finding) for finding in renderer.findings] == [
        "prose.md:3: U+E000 or U+E001: is a private character with no meaning; remove it"
    ]


def test_an_end_without_a_beginning(slips: Slips) -> None:
    """Braces that close nothing are a slip with their line; in code and behind a backslash they are text."""
    said = "}}: closes no {{; open the figure, or put the braces in backticks"
    assert slips("{{ ttft }} and `}}`\n\nOne\nttft }}.\n\n```\n}}\n```\n\n- {{ ttft }} }}") == [
        f"prose.md:4: {said}",
        f"prose.md:10: {said}",
    ]
    assert slips("a \\}} b } } and\n{{ ttft\n}}") == []
