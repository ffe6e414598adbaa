"""Random content: whatever is written, the loaders end in content or in findings that help."""

import re
import tomllib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from builder.content import read_content
from builder.errors import ContentError
from builder.metadata import load_cards, load_page
from builder.prose import ProseRenderer
from builder.scenario import load_scenario
from builder.source import Source
from tests.conftest import CASES
from tests.markup import Markup
from tests.scenarios import VALUES, document

CONTENT = Path(__file__).parent / "content"
LOADERS = {"scenario.toml": load_scenario, "page.toml": load_page, "read_next.toml": load_cards}
TEXTS = {
    "scenario.toml": (CASES / "toy.toml").read_text(encoding="utf-8"),
    "page.toml": (CONTENT / "page.toml").read_text(encoding="utf-8"),
    "read_next.toml": (CONTENT / "read_next.toml").read_text(encoding="utf-8"),
}
NAMES_OF_FILES = st.sampled_from(list(LOADERS))
# What no reader should see for a number.
NO_NUMBER = re.compile(r"\b(nan|infinity|inf|undefined|null|none)\b", re.IGNORECASE)

# One folder serves all examples: each writes what it needs anew.
many = settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
few = settings(max_examples=4, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def loads(tmp_path):
    """Loads bytes as a file; None where they have faults, each of which says how to mend it."""

    def loaded(name, raw):
        path = tmp_path / name
        path.write_bytes(raw)
        try:
            return LOADERS[name](path)
        except ContentError as error:
            found = error.findings
        assert found
        assert all(finding.rule and finding.hint for finding in found)
        assert all("\n" not in str(finding) for finding in found)
        return None

    return loaded


# TOML


@many
@given(name=NAMES_OF_FILES, raw=st.binary())
def test_any_bytes(name, raw, loads):
    """Bytes of any kind are findings."""
    loads(name, raw)


LINES = st.sampled_from(
    [
        *"".join(TEXTS.values()).splitlines(),
        *('x = """', "x = '''", "[", "[[a]]", "a.b = {c = [", "\ufeff", "\r"),
    ]
)


@many
@given(name=NAMES_OF_FILES, lines=st.lists(LINES | st.text(max_size=20), max_size=30))
def test_any_lines(name, lines, loads):
    """Lines of the files in any order, with others between them, are findings or sound."""
    loads(name, "\n".join(lines).encode())


@many
@given(
    name=NAMES_OF_FILES,
    at=st.integers(0, 999),
    new=st.text(max_size=3),
    cut=st.integers(0, 9),
)
def test_any_slip_of_the_hand(name, at, new, cut, loads):
    """Some characters of a sound file removed and others put there are findings or sound."""
    text = TEXTS[name]
    at %= len(text)
    loads(name, (text[:at] + new + text[at + cut :]).encode())


def places(value, at=()):
    """Every place in a value, the value itself first."""
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, found in inner:
        yield from places(found, (*at, key))


KEYS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PLACES = [(name, at) for name, text in TEXTS.items() for at in places(tomllib.loads(text)) if at]


@many
@given(place=st.sampled_from(PLACES), new=VALUES)
@example(place=("scenario.toml", ("model",)), new={"name": []})
@example(place=("read_next.toml", ("card",)), new=[[]])
@example(place=("scenario.toml", ("cards",)), new={"": {}, "a": {"source": {"b": {}}}})
@example(place=("scenario.toml", ("grid", "batch")), new=list(range(1, 100_000)))
def test_any_value_in_any_place(place, new, loads):
    """A value of any type in the place of any other is findings or sound."""
    name, at = place
    tables = tomllib.loads(TEXTS[name])
    found = tables
    for part in at[:-1]:
        found = found[part]
    found[at[-1]] = new
    loads(name, document(tables).encode())


@many
@given(
    place=st.sampled_from(PLACES),
    key=st.text(st.characters(exclude_categories=["Cs"]), max_size=8),
    new=VALUES,
)
def test_any_key_in_any_place(place, key, new, loads):
    """A key of any name in any table is a finding or what was there."""
    name, at = place
    tables = tomllib.loads(TEXTS[name])
    found = tables
    for part in at[:-1]:
        found = found[part]
    if isinstance(found, dict):
        found[key] = new
    loads(name, document(tables).encode())


# Prose

PIECES = st.sampled_from(
    [
        *("{{", "}}", "{{ ttft }}", "{{ claim ", "prompt=64", "card=", " is ", " < ", "=", "{#a}", "{.b}"),
        *(
            "# ",
            "## ",
            "- ",
            "    ",
            "1. ",
            "> ",
            "```",
            "`",
            "~~~",
            "\n",
            "\n\n",
            "---\n",
            "===\n",
            "|",
            "|-|",
        ),
        *(
            "[",
            "](",
            ")",
            "[^a]",
            "[^a]: ",
            "[a]: ",
            "<",
            ">",
            "<b>",
            "<!--",
            "&amp;",
            "&#0;",
            "\\",
            "![a](b)",
        ),
        *(
            "*",
            "**",
            "_",
            "__",
            "https://",
            "javascript:",
            "mailto:",
            "\ue000",
            "\ue0001\ue001",
            "\x02",
            "\x03",
        ),
    ]
)
PROSE = st.lists(PIECES | st.text(max_size=5), max_size=40).map("".join)


@many
@given(text=PROSE, live=st.booleans(), blind=st.booleans())
@example(text="[^a]: [^a]: ", live=False, blind=False)
def test_any_prose(text, live, blind, scenario):
    """Prose of any pieces is HTML or findings, with a scenario and without one."""
    renderer = ProseRenderer(None if blind else scenario)
    html = (renderer.render_live if live else renderer.render)(Source("a.md", text), "a")
    assert all(finding.rule and finding.hint for finding in renderer.findings)
    if not renderer.findings:
        assert Markup(html).misplaced == []
        assert not re.search("[\ue000\ue001]", html)


# Folders


@many
@given(
    name=st.sampled_from(sorted(path.relative_to(CONTENT).as_posix() for path in CONTENT.rglob("*.*"))),
    text=PROSE | st.text(),
)
def test_any_text_in_any_file(name, text, content):
    """Any text in any file of a folder is findings or content; nothing of it reaches another file."""
    path = content / name
    before = path.read_bytes()
    path.write_bytes(text.encode())
    found = []
    try:
        read_content(content)
    except ContentError as error:
        found = error.findings
    assert all(finding.hint for finding in found)
    path.write_bytes(before)
    read_content(content)
