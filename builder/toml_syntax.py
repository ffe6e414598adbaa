"""Parses TOML: says in plain words what is wrong with its form, and on which line each key stands."""

import re
import tomllib
from typing import Any

from builder.errors import ContentError, Finding
from builder.source import Source

Location = tuple[str | int, ...]

# What an author may write for a value that the parser has no words for: a rule and a hint.
_CURLY = re.compile("[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]")
_THOUSANDS = re.compile(r"=\s*[+-]?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?\s*(?:#.*)?$")
_DECIMAL_COMMA = re.compile(r"=\s*[+-]?[0-9]+,[0-9]+\s*(?:#.*)?$")

# What the parser says, and what that means to an author: a rule and a hint.
_MEANINGS = (
    (r"Illegal character '\\n'", "a text is not closed on its line", "end it with the quote that began it"),
    (r"Illegal character|Found invalid", "a character stands there that TOML does not take", "remove it"),
    (r"Unterminated string|Expected \"'", "a text is not closed", "end it with the quotes that began it"),
    (r"Invalid value", "a value is missing or not of TOML", "put text in quotes, and write 0.5 for .5"),
    (
        r"Cannot overwrite a value in \[|Cannot declare",
        "a table stands there twice",
        "keep one, or write [[name]] for a list",
    ),
    (r"Cannot overwrite|Duplicate inline", "a key stands there twice", "keep one"),
    (r"Cannot (?:mutate|redefine)", "a table is added to from elsewhere", "put its keys in one place"),
    (r"Expected '=' after", "a key has no = behind it", "write key = value"),
    (r"Expected '\]", "a table's name is not closed", "write [name], with quotes around what has spaces"),
    (r"Expected newline", "a line goes on behind its value", "write one key a line, and put text in quotes"),
    (r"Invalid statement", "a line has no key", "write key = value, with quotes around an odd key"),
    (r"Invalid initial", "a key is missing or odd", "put it in quotes, or remove the comma before it"),
    (r"Unclosed array", "a list is not closed", "end it with ]"),
    (r"Unclosed inline", "a table in braces is not closed on its line", "end it with }"),
    (r"Unescaped|Invalid hex|Escaped", "a backslash stands for nothing", "put the text in single quotes"),
    (r"Invalid date", "there is no such date", "put it in quotes, or mend it"),
)

_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_HEADER = re.compile(rf"^\s*(\[\[?)\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_ASSIGNMENT = re.compile(rf"^\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


def parsed(source: Source) -> dict[str, Any]:
    """What a text says as TOML.

    Raises:
        ContentError: it is not TOML.
    """
    try:
        return tomllib.loads(source.text)
    except tomllib.TOMLDecodeError as error:
        finding = _syntax_finding(source, str(error))
    except ValueError:  # int() refuses thousands of digits, and tomllib lets that through
        line = _line_of(r"\d(?:_?\d){999}", source.text)
        finding = source.finding(line, "TOML", "a number has too many digits", "write a shorter one")
    except RecursionError:
        line = _line_of(r"(?:[\[{][^\[{]*){20}", source.text)
        finding = source.finding(line, "TOML", "lists or tables stand too deep in one another", "unfold them")
    raise ContentError([finding])


def _syntax_finding(source: Source, message: str) -> Finding:
    match = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(match[1]) if match else source.text.rstrip("\n").count("\n") + 1
    said = re.sub(r" \(at .*\)$", "", message)
    if said == "Cannot overwrite a value" and source.text.split("\n")[line - 1].lstrip().startswith("["):
        said += " in ["  # the parser does not tell tables from keys here
    if habit := _habit(said, source.text.split("\n")[line - 1], int(match[2]) if match else 1):
        return source.finding(line, "TOML", *habit)
    for pattern, rule, hint in _MEANINGS:
        if re.match(pattern, said):
            return source.finding(line, "TOML", rule, hint)
    return source.finding(line, "TOML", said[:1].lower() + said[1:], "see toml.io for the form")


def _habit(said: str, line: str, column: int) -> tuple[str, str] | None:
    """What is usual elsewhere and not TOML: a rule and a hint."""
    if _CURLY.match(line[column - 1 :]):
        return "quotes are curly there", 'write straight quotes, as in "text"'
    if said.startswith("Expected newline") and (number := _THOUSANDS.search(line)):
        return "a number has commas in it", f"write {_number_in(number).replace(',', '_')}"
    if said.startswith("Expected newline") and (number := _DECIMAL_COMMA.search(line)):
        return "a number has a comma in it", f"write {_number_in(number).replace(',', '.')}"
    return None


def _number_in(match: re.Match[str]) -> str:
    return match[0].lstrip("= \t").partition("#")[0].strip()


def _line_of(pattern: str, text: str) -> int | None:
    lines = enumerate(text.split("\n"), 1)
    return next((number for number, line in lines if re.search(pattern, line)), None)


def key_lines(text: str) -> dict[Location, int]:
    """The line of each key and table: tomllib tells none, so headers and assignments are found by form."""
    lines: dict[Location, int] = {}
    table: Location = ()
    entries: dict[Location, int] = {}
    quote = ""
    for number, line in enumerate(text.split("\n"), 1):
        if quote:
            quote = "" if quote in line else quote
            continue
        if header := _HEADER.match(line):
            table = _parts(header[2])
            lines.setdefault(table, number)
            if header[1] == "[[":
                entries[table] = entries.get(table, -1) + 1
                table = (*table, entries[table])
                lines[table] = number
        elif assignment := _ASSIGNMENT.match(line):
            parts = _parts(assignment[1])
            for length in range(1, len(parts) + 1):  # a dotted key makes the tables on its way
                lines.setdefault((*table, *parts[:length]), number)
        quote = next((q for q in ('"""', "'''") if line.count(q) == 1), "")
    return lines


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_KEY, dotted))
