"""TOML that is none: the parser's words become a rule and a mend, with the line where it gave up."""

import pytest

from builder.errors import ContentError
from builder.source import Source
from builder.toml_syntax import key_lines, parsed


def finding_of(text: str):
    """The only finding of a text."""
    with pytest.raises(ContentError) as caught:
        parsed(Source("a.toml", text))
    (finding,) = caught.value.findings
    assert (finding.file, finding.place) == ("a.toml", "TOML")
    return finding


SLIPS = [
    ('[a]\nx = "one\ny = 2\n', 2, "a text is not closed on its line; end it with the quote that began it"),
    ('x = "a\x7fb"', 1, "a character stands there that TOML does not take; remove it"),
    ("# \x7f", 1, "a character stands there that TOML does not take; remove it"),
    ('[a]\nx = """one\n\n', 2, "a text is not closed; end it with the quotes that began it"),
    ("x = 'one", 1, "a text is not closed; end it with the quotes that began it"),
    ("[a]\nx = \n", 2, "a value is missing or not of TOML; put text in quotes, and write 0.5 for .5"),
    ("x = hello", 1, "a value is missing or not of TOML; put text in quotes, and write 0.5 for .5"),
    ("x = .5", 1, "a value is missing or not of TOML; put text in quotes, and write 0.5 for .5"),
    ("[a]\n\nx = [1,\n", 3, "a value is missing or not of TOML; put text in quotes, and write 0.5 for .5"),
    ("[a]\nx = 1\nx = 2\n", 3, "a key stands there twice; keep one"),
    ("x = {a = 1, a = 2}", 1, "a key stands there twice; keep one"),
    ("[a]\n[a]\n", 2, "a table stands there twice; keep one, or write [[name]] for a list"),
    ("[a]\n[[a]]\n", 2, "a table stands there twice; keep one, or write [[name]] for a list"),
    ("[[a]]\n[a]\n", 2, "a table stands there twice; keep one, or write [[name]] for a list"),
    ("x = {a = 1}\nx.b = 2\n", 2, "a table is added to from elsewhere; put its keys in one place"),
    ("a = []\n[[a]]\n", 2, "a table is added to from elsewhere; put its keys in one place"),
    ("[a.b]\n[a]\nb.c = 1\n", 3, "a table is added to from elsewhere; put its keys in one place"),
    ("x 3", 1, "a key has no = behind it; write key = value"),
    ("[a]\nx = 1\n[b\n", 3, "a table's name is not closed; write [name], with quotes around what has spaces"),
    ("[a b]", 1, "a table's name is not closed; write [name], with quotes around what has spaces"),
    ("[[a]\n", 1, "a table's name is not closed; write [name], with quotes around what has spaces"),
    ("x = 1 y = 2", 1, "a line goes on behind its value; write one key a line, and put text in quotes"),
    ("x = 7G", 1, "a line goes on behind its value; write one key a line, and put text in quotes"),
    ("= 3", 1, "a line has no key; write key = value, with quotes around an odd key"),
    ("größe = 3", 1, "a key has no = behind it; write key = value"),
    ("x = {a = 1,}", 1, "a key is missing or odd; put it in quotes, or remove the comma before it"),
    ("x = [1, 2\ny = 3", 2, "a list is not closed; end it with ]"),
    ("x = {a = 1\n}", 1, "a table in braces is not closed on its line; end it with }"),
    ('x = "C:\\dir"', 1, "a backslash stands for nothing; put the text in single quotes"),
    ('x = "\\uD800"', 1, "a backslash stands for nothing; put the text in single quotes"),
    ('x = "\\u12"', 1, "a backslash stands for nothing; put the text in single quotes"),
    ("[a]\nname = “Llama”", 2, 'quotes are curly there; write straight quotes, as in "text"'),
    ("x = ‘a’", 1, 'quotes are curly there; write straight quotes, as in "text"'),
    ("x = [„a“]", 1, 'quotes are curly there; write straight quotes, as in "text"'),
    ("“x” = 1", 1, 'quotes are curly there; write straight quotes, as in "text"'),
    ("[a]\nx = 40,5", 2, "a number has a comma in it; write 40.5"),
    ("x = -0,25 # GB", 1, "a number has a comma in it; write -0.25"),
    ("x = 70,000,000", 1, "a number has commas in it; write 70_000_000"),
    ("x = 1,000.5", 1, "a number has commas in it; write 1_000.5"),
    ("x = 1, y = 2", 1, "a line goes on behind its value; write one key a line, and put text in quotes"),
    ("x = 2023-02-30", 1, "there is no such date; put it in quotes, or mend it"),
]


@pytest.mark.parametrize(("text", "line", "said"), SLIPS)
def test_a_slip_of_form(text, line, said):
    """Each kind has its rule and its mend; at the end of a file the last line that is not empty counts."""
    finding = finding_of(text)
    assert (finding.line, f"{finding.rule}; {finding.hint}") == (line, said)


def test_a_number_of_thousands_of_digits():
    """What Python refuses to read as a number is told, though the parser lets the refusal through."""
    finding = finding_of("[a]\nx = " + "9" * 5000)
    assert str(finding) == "a.toml:2: TOML: a number has too many digits; write a shorter one"


@pytest.mark.parametrize("text", ["[" * 10_000, "[" * 10_000 + "]" * 10_000, "{a=" * 10_000])
def test_ten_thousand_levels(text):
    """Lists and tables that are nested deeper than Python can follow are a plain finding with its line."""
    finding = finding_of(f"[a]\nx = {text}\n")
    assert str(finding) == "a.toml:2: TOML: lists or tables stand too deep in one another; unfold them"


def test_words_that_are_not_known(monkeypatch):
    """What a later parser says is told as it is."""

    def odd(text):
        raise __import__("tomllib").TOMLDecodeError("Odd thing (at line 3, column 1)")

    monkeypatch.setattr("tomllib.loads", odd)
    assert str(finding_of("a\nb\nc")) == "a.toml:3: TOML: odd thing; see toml.io for the form"


def test_lines_of_dotted_keys():
    """A table that a dotted key makes stands on that key's line, not on that of the table around it."""
    assert key_lines("[a]\nb = 1\nc.d.e = 2\nc.f = 3\n") == {
        **{("a",): 1, ("a", "b"): 2, ("a", "c"): 3, ("a", "c", "d"): 3},
        **{("a", "c", "d", "e"): 3, ("a", "c", "f"): 4},
    }
