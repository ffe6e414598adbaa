"""Rules about text that the prose is held to, and the marks that carry its lines."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.addresses import link_fault
from builder.line_marks import CLOSE, OPEN, line_of, marked, unmarked, without_mark_characters
from builder.prose_rules import slug


def shown(lines: list[str]) -> list[str]:
    """Lines with their marks made visible."""
    return [line.replace(OPEN, "«").replace(CLOSE, "»") for line in marked(lines)]


# Marks


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("plain text", "plain text"),
        ("a {{ b }} and {{ c }}", "a {{«1» b }}«1» and {{«1» c }}«1»"),
        ("{{{ a }}}", "{{«1»{ a }}«1»}"),
        ("a <b> < c", "a «1»<b> < c"),
        ("<!-- a", "«1»<!-- a"),
        ("<https://a.org>", "<https://a.org«1»>"),
        ("[a](b) [c](<d>)", "[a«1»](b) [c«1»](<d>)"),
        ("![a](b)", "«1»![a«1»](b)"),
        (r"\![a\](b)", r"\![a\](b)"),
        ("a[^1] and [^2]: b", "a[^1]«1» and [^2]: b"),
        ("[^1]: a", "[^1]: a«1»"),
        ("[a]: b.html", "[a]: «1»b.html"),
        ("[a]: <b.html>", "[a]: <«1»b.html>"),
        ("## A", "## «1»A"),
        ("> - ## A", "> - ## «1»A«1»"),
        ("## A {#b}", "## «1»A {«1»#b}"),
        ("{.a} {: .b} {c=d} {e} {% f", "{«1».a} {«1»: .b} {«1»c=d} {e} {% f"),
        ("```{a}", "```{«1»a}"),
        ("```python", "```python"),
        ("- a", "- a«1»"),
        ("12. a  ", "12. a«1»  "),
        ("- - -", "- - -"),
        ("* * *", "* * *"),
        ("-a", "-a"),
    ],
)
def test_what_is_marked(line: str, expected: str) -> None:
    """A mark stands where the parser neither loses it nor is misled by it."""
    assert shown([line]) == [expected]


@pytest.mark.parametrize(
    ("above", "below", "expected"),
    [
        ("Title", "=====", "Title«1»"),
        ("Title", "---", "Title«1»"),
        ("| a | b |", "|---|:-:|", "| a | b«1» |"),
        ("a | b", "--|--", "a | b«1»"),
        ("```", "---", "```"),
        ("---", "---", "---"),
        ("", "---", ""),
        ("# A #", "---", "# «1»A #"),
        ("text", "more", "text"),
    ],
)
def test_a_line_with_an_underline(above: str, below: str, expected: str) -> None:
    """A line above an underline is marked before its closing bar, but not a fence and not a rule."""
    assert shown([above, below])[0] == expected


def test_lines_are_counted_from_one() -> None:
    """A mark has the number of its own line, and no line is added or lost."""
    assert shown(["{{ a", "", "b {{ c"]) == ["{{«1» a", "", "b {{«3» c"]


@given(st.lists(st.text(st.characters(exclude_characters=OPEN + CLOSE + "\n"))))
def test_marks_can_be_taken_off(lines: list[str]) -> None:
    """Without its marks every text is what it was."""
    assert [unmarked(line) for line in marked(lines)] == lines


def test_the_line_of_a_text() -> None:
    """The first mark of a text counts, and a text may have none."""
    assert line_of(f"a{OPEN}12{CLOSE}b{OPEN}13{CLOSE}") == 12
    assert line_of("12") is None


def test_the_characters_of_marks() -> None:
    """The characters that marks consist of can be taken out of a text."""
    assert without_mark_characters(f"a{OPEN}1{CLOSE}b{CLOSE}") == "a1b"


# Ids


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Batch size", "batch-size"),
        ("  What -- the model,  leaves out?  ", "what-the-model-leaves-out"),
        ("Größe", "größe"),
        ("Gro\u0308ße", "größe"),
        ("批处理", "批处理"),
        ("Пакет", "пакет"),
        ("한국어 제목", "한국어-제목"),
        ("עברית", "עברית"),
        ("**bold** `code` *em*", "bold-code-em"),
        ("[text](https://a.org/b) and [more][ref]", "text-and-more"),
        ("Bound[^why]", "bound"),
        ("At {{ ttft batch=8 }}", "at-ttft-batch-8"),
        ("Q&amp;A", "q-a"),
        ("!?…", ""),
        ("", ""),
    ],
)
def test_a_slug(text: str, expected: str) -> None:
    """Letters and digits of any script stay, in lower case; what is between them becomes one hyphen."""
    assert slug(text) == expected


@given(st.text())
def test_any_slug(text: str) -> None:
    """A slug has no space, no hyphen at its ends, and is its own slug."""
    made = slug(text)
    assert not made.startswith("-")
    assert not made.endswith("-")
    assert len(made.split()) <= 1


# Addresses


@pytest.mark.parametrize(
    "address",
    [
        "a.html",
        "a/b.html?c=d:e#f",
        "#a",
        "?a",
        "./a:b",
        "https://a.org",
        "HTTPS://a.org",
        "http://a.org/javascript:b",
        "mailto:a@b.org",
        "tel:+44",
    ],
)
def test_an_address(address: str) -> None:
    """Relative addresses and those of the web, of mail and of telephones are taken."""
    assert link_fault(address) is None


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("javascript:a", "javascript: addresses are not taken"),
        (" JAVASCRIPT :a", "javascript: addresses are not taken"),
        ("java\nscript:a", "javascript: addresses are not taken"),
        ("\x01javascript:a", "javascript: addresses are not taken"),
        ("&#106;avascript&colon;a", "javascript: addresses are not taken"),
        ("vbscript:a", "vbscript: addresses are not taken"),
        ("data:text/html,a", "data: addresses are not taken"),
        ("blob:a", "blob: addresses are not taken"),
        ("/a", "breaks where the page lives in a folder"),
        ("//a.org", "breaks where the page lives in a folder"),
        ("\\\\a.org", "breaks where the page lives in a folder"),
        ("&sol;a", "breaks where the page lives in a folder"),
        ("", "leads nowhere"),
        (" ", "leads nowhere"),
    ],
)
def test_an_address_that_is_not_taken(address: str, rule: str) -> None:
    """An address is judged as a browser reads it: without spaces, whatever its case and its entities."""
    found = link_fault(address)
    assert found is not None
    assert found[0] == rule
