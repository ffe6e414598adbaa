"""What the page says of itself, and the cards of further reading."""

from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, Field

from builder.errors import ContentError, Finding
from builder.scenario import Name
from builder.toml_file import T, Table, TomlFile


def _web_address(url: str) -> str:
    if not url.startswith(("https://", "http://")):
        raise ValueError("must start with https:// or http://")
    return url


class PageTable(Table):
    """The page's title and description, and the prose of its article in order."""

    kind: Name
    title: Name
    description: Name
    language: Name
    article: Annotated[tuple[Name, ...], Field(strict=False)]


class Card(Table):
    """One thing to read next."""

    title: Name
    line: Name
    url: Annotated[Name, AfterValidator(_web_address)]


class ReadNextTable(Table):
    """All cards, in order."""

    card: Annotated[tuple[Card, ...], Field(strict=False)]


def load_page(path: Path) -> PageTable:
    """Reads the page's metadata.

    Raises:
        ContentError: with every finding of the file.
    """
    return _load(path, PageTable)


def load_cards(path: Path) -> tuple[Card, ...]:
    """Reads the cards of further reading.

    Raises:
        ContentError: with every finding of the file.
    """
    return _load(path, ReadNextTable).card


def _load(path: Path, kind: type[T]) -> T:
    file = TomlFile(path)
    findings: list[Finding] = []
    table = file.validate(kind, findings)
    if table is None:
        raise ContentError(findings)
    return table
