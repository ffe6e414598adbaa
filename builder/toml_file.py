"""Reads and validates an author's TOML, and knows on which line each key stands."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from builder.errors import ContentError, Finding, did_you_mean
from builder.source import Source, read_source

Location = tuple[str | int, ...]
Name = Annotated[str, Field(min_length=1)]


class Table(BaseModel):
    """A TOML table: frozen, no unknown key, no value of another type taken for the right one."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


T = TypeVar("T", bound=Table)


class TomlFile:
    """One parsed file.

    Attributes:
        source: its text and name.
        data: what tomllib made of it.
    """

    def __init__(self, path: Path) -> None:
        """Reads and parses the file at `path`.

        Raises:
            ContentError: it cannot be read, or is not TOML.
        """
        self.source: Source = read_source(path)
        try:
            self.data: dict[str, Any] = tomllib.loads(self.source.text)
        except tomllib.TOMLDecodeError as error:
            raise ContentError([_syntax_finding(self.source, str(error))]) from None
        except ValueError:  # int() refuses thousands of digits, and tomllib lets that through
            finding = self.source.finding(None, "TOML", "a number has too many digits", "write a shorter one")
            raise ContentError([finding]) from None
        self._lines = _key_lines(self.source.text)

    def finding(self, location: Location, rule: str, hint: str = "") -> Finding:
        """A fault at a key, on the line of the key or of the table that should hold it."""
        return self.source.finding(self._line(location), place_of(location), rule, hint)

    def _line(self, location: Location) -> int | None:
        for length in range(len(location), 0, -1):
            if location[:length] in self._lines:
                return self._lines[location[:length]]
        return None

    def at(self, location: Location) -> Any:
        """What stands at a key; None where nothing does."""
        found: Any = self.data
        for part in location:
            try:
                found = found[part]
            except (LookupError, TypeError):
                return None
        return found

    def sound(self, kind: Any, *location: str) -> Any:
        """The value of a key if it is a valid `kind`, else None, whatever else is wrong with its table."""
        try:
            return TypeAdapter(kind, config=Table.model_config).validate_python(self.at(location))
        except ValidationError:
            return None

    def validate(
        self, table: type[T], findings: list[Finding], location: Location = (), data: object = None
    ) -> T | None:
        """`data` (by default the whole file) as a `table`; what is wrong with it goes into `findings`."""
        written = self.data if data is None else data
        try:
            return table.model_validate(written)
        except ValidationError as error:
            findings.extend(self._explained(table, location, written, details) for details in error.errors())
            return None

    def _explained(
        self, table: type[Table], location: Location, data: object, details: ErrorDetails
    ) -> Finding:
        place = location + _written(details, data)
        kind, value, context = details["type"], details["input"], details.get("ctx", {})
        if kind == "missing":
            return self.finding(place, "is missing", "add the key")
        if kind == "extra_forbidden":
            known = _fields_at(table, details["loc"][:-1])
            return self.finding(place, "is not a known key", did_you_mean(str(place[-1]), known))
        rule, hint = _rule(kind, context, details["msg"])
        if kind in {"int_type", "float_type"} and not isinstance(value, float):
            hint = "write it without quotes" if isinstance(value, str) else "write a plain number"
        return self.finding(place, f"is {_shown(value)}, {rule}", hint)


def _written(details: ErrorDetails, data: Any) -> Location:
    """Where a fault is in `data`; pydantic's own location has the names of a union's branches as well."""
    found: list[str | int] = []
    for part in details["loc"]:
        try:
            data = data[part]
        except (LookupError, TypeError):
            continue
        found.append(part)
    missing = details["loc"][-1:] if details["type"] == "missing" else ()
    return (*found, *missing)


def place_of(location: Location) -> str:
    """A location as an author reads it: `grid.batch[3]`.

    >>> place_of(("grid", "batch", 3))
    'grid.batch[3]'
    """
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in location)
    return text.removeprefix(".")


def _rule(kind: str, context: Mapping[str, Any], message: str) -> tuple[str, str]:
    rules = {
        "int_type": ("and must be a whole number", "write it without a point or an exponent"),
        "int_from_float": ("and must be a whole number", "write it without a point or an exponent"),
        "float_type": ("and must be a number", "write a plain number"),
        "finite_number": ("and must be a finite number", "give the figure from the source"),
        "string_type": ("and must be text", "put it in quotes"),
        "list_type": ("and must be a list", "write [a, b, c]"),
        "tuple_type": ("and must be a list", "write [a, b, c]"),
        "dict_type": ("and must be a table", "write [name] above its keys"),
        "model_type": ("and must be a table", "write [name] above its keys"),
        "greater_than": (f"and must be greater than {context.get('gt', 0):g}", ""),
        "greater_than_equal": (f"and must be at least {context.get('ge', 0):g}", ""),
        "literal_error": (f"and must be {context.get('expected')}", ""),
        "too_short": ("and needs at least one entry", ""),
        "string_too_short": ("and must not be empty", ""),
        "value_error": (f"and {context.get('error')}", ""),
    }
    return rules.get(kind, (f"and is not valid: {message}", ""))


def _shown(value: object) -> str:
    """A value as TOML has it: `true`, `nan`, `1979-05-27`."""
    text = repr(value) if type(value) in {str, list, dict} else str(value).lower()
    return text if len(text) <= 60 else text[:57] + "..."


def _fields_at(table: type[BaseModel], location: Location) -> list[str]:
    """The keys of the nested table at `location`; the keys of the outermost where types are not tables."""
    current = table
    for part in location:
        field = current.model_fields.get(part) if isinstance(part, str) else None
        if field is None:
            continue
        inner = [
            a for a in (field.annotation, *getattr(field.annotation, "__args__", ())) if isinstance(a, type)
        ]
        current = next((a for a in inner if issubclass(a, BaseModel)), current)
    return list(current.model_fields)


def _syntax_finding(source: Source, message: str) -> Finding:
    match = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(match[1]) if match else source.text.rstrip("\n").count("\n") + 1
    rule = re.sub(r" \(at .*\)$", "", message)
    return source.finding(line, "TOML", rule[:1].lower() + rule[1:], "see toml.io for the form")


_KEY = r"(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')"
_HEADER = re.compile(rf"^\s*(\[\[?)\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*\]")
_ASSIGNMENT = re.compile(rf"^\s*({_KEY}(?:\s*\.\s*{_KEY})*)\s*=")


def _key_lines(text: str) -> dict[Location, int]:
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
            lines.setdefault((*table, *_parts(assignment[1])), number)
        quote = next((q for q in ('"""', "'''") if line.count(q) == 1), "")
    return lines


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(part.strip("\"'") for part in re.findall(_KEY, dotted))
