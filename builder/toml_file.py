"""Reads and validates an author's TOML, and knows on which line each key stands."""

import unicodedata
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_origin

from pydantic import AfterValidator, BaseModel, ConfigDict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from builder.errors import Finding, did_you_mean, nearest
from builder.source import Source, read_source
from builder.table_rules import annotation_at, form, required_keys, rule_and_hint
from builder.toml_syntax import Location, key_lines, parsed


def _readable(text: str) -> str:
    if not text.strip():
        raise ValueError("must not be empty; write what it should say")
    if any(unicodedata.category(letter) == "Cc" and letter not in "\t\n" for letter in text):
        raise ValueError("has a control character in it; remove it")
    return text


Name = Annotated[str, AfterValidator(_readable)]


class Table(BaseModel):
    """A TOML table: frozen, no unknown key, no value of another type taken for the right one."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True, allow_inf_nan=False)


T = TypeVar("T", bound=Table)


class TomlFile:
    """One parsed file.

    Attributes:
        source: its text and name.
        data: what it says; a key that is misspelt stands under its right name once `respell` was called.
    """

    def __init__(self, path: Path) -> None:
        """Reads and parses the file at `path`.

        Raises:
            ContentError: it cannot be read, or is not TOML.
        """
        self.source: Source = read_source(path)
        self.data: dict[str, Any] = parsed(self.source)
        self._lines = key_lines(self.source.text)

    def finding(self, location: Location, rule: str, hint: str) -> Finding:
        """A fault at a key, on the line of the key or of the table that should hold it."""
        return self.source.finding(self.line(location), place_of(location), rule, hint)

    def line(self, location: Location) -> int | None:
        """The line of a key, or of the table that should hold it; None where there is neither."""
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

    def respell(self, kind: Any, findings: list[Finding], location: Location = ()) -> None:
        """Takes an unknown key for the missing one that it is nearest to, so that its value is looked at too.

        Args:
            kind: the type of what stands there: a table, or a list or a dictionary of tables.
            findings: takes the misspelt keys.
            location: where to look; by default the whole file.
        """
        data = self.at(location)
        if type(data) in {list, dict} and get_origin(kind) in {tuple, dict}:
            for name in data if type(data) in {dict} else range(len(data)):
                self.respell(annotation_at(kind, (name,)), findings, (*location, name))
        elif type(data) in {dict} and required_keys(kind):
            self._respell_table(data, kind, findings, location)
            for name in [name for name in kind.model_fields if name in data]:
                self.respell(annotation_at(kind, (name,)), findings, (*location, name))

    def _respell_table(
        self, data: dict[str, Any], kind: type[BaseModel], findings: list[Finding], location: Location
    ) -> None:
        missing = [name for name in required_keys(kind) if name not in data]
        for key in [key for key in data if key not in kind.model_fields]:
            if right := nearest(key, missing, cutoff=0.6):
                findings.append(
                    self.finding((*location, key), "is not a known key", f"did you mean {right}?")
                )
                missing.remove(right)
                data[right] = data.pop(key)
                self._move_lines((*location, key), (*location, right))

    def _move_lines(self, old: Location, new: Location) -> None:
        inside = [place for place in self._lines if place[: len(old)] == old]
        self._lines |= {(*new, *place[len(old) :]): self._lines[place] for place in inside}

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
        if details["type"] == "missing":
            mend = form(table, details["loc"], place_of(place))
            return self.finding(place, "is missing", f"write {mend}")
        if details["type"] == "extra_forbidden":
            known = annotation_at(table, details["loc"][:-1]).model_fields
            return self.finding(place, "is not a known key", did_you_mean(str(place[-1]), known))
        return self.finding(place, *rule_and_hint(table, details, place_of(place)))


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
    text = text.removeprefix(".")
    return text if text.isprintable() else repr(text)[1:-1]
