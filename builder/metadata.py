"""What the page says of itself, and the cards of further reading."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, Field

from builder.addresses import WEB_HINT, web_fault
from builder.errors import ContentError, Finding
from builder.toml_file import Name, T, Table, TomlFile

# The prose that the page has a place of its own for; the article is made of other files.
FIXED_PARTS = ("masthead", "introduction", "assumptions")

# The ids that the page gives to its own parts; whatever the author writes has to have others.
PAGE_IDS = (
    *("introduction", "controls", "prompt", "output", "batch", "reset"),
    *("timeline", "timeline-words", "roofline", "roofline-words", "reading", "announcement"),
    *("printed-address", "read-next", "data", "vega-runtime"),
)


# BCP 47 as far as its form goes: a language, and what narrows it down.
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*(-x(-[A-Za-z0-9]{1,8})+)?")


def _web_address(url: str) -> str:
    if rule := web_fault(url):
        raise ValueError(f"{rule}; {WEB_HINT}")
    return url


def _folder_address(url: str) -> str:
    if not _web_address(url).endswith("/") or "?" in url or "#" in url:
        raise ValueError("must end with a slash, as the address of a folder; write https://example.org/name/")
    return url


def _language(tag: str) -> str:
    if not _LANGUAGE.fullmatch(tag):
        raise ValueError("must be a language's tag; write en, en-GB or zh-Hans")
    return tag


def _any(entries: tuple[T, ...]) -> tuple[T, ...]:
    # pydantic's own minimum takes the entries at fault for missing, and says so.
    if not entries:
        raise ValueError("needs at least one entry; write [[card]] above the keys of each")
    return entries


class PageTable(Table):
    """The page's title and description, where it will be on the web, and its article in order.

    Attributes:
        address: of the folder that will hold the page; "" where it is not known. It is for what other sites
            read of a page; the page itself needs none.
    """

    kind: Name
    title: Name
    description: Name
    language: Annotated[str, AfterValidator(_language)]
    address: Annotated[str, AfterValidator(_folder_address)] = ""
    article: Annotated[tuple[Name, ...], Field(strict=False)]


class Card(Table):
    """One thing to read next."""

    title: Name
    line: Name
    url: Annotated[str, AfterValidator(_web_address)]


class ReadNextTable(Table):
    """All cards, in order."""

    card: Annotated[tuple[Card, ...], Field(strict=False), AfterValidator(_any)]


def load_page(path: Path) -> PageTable:
    """Reads the page's metadata.

    Raises:
        ContentError: with every finding of the file.
    """
    return _valid(TomlFile(path), PageTable)


def load_cards(path: Path) -> tuple[Card, ...]:
    """Reads the cards of further reading.

    Raises:
        ContentError: with every finding of the file.
    """
    return _valid(TomlFile(path), ReadNextTable).card


def _valid(file: TomlFile, kind: type[T]) -> T:
    findings: list[Finding] = []
    file.respell(kind, findings)
    findings += _article_findings(file)
    table = file.validate(kind, findings)
    if table is None or findings:
        raise ContentError(findings)
    return table


def _article_findings(file: TomlFile) -> Iterator[Finding]:
    """Names that cannot be those of an article's parts: each is a file of prose/, and an id on the page."""
    names: list[Any] = file.sound(list[Any], "article") or []
    for at, name in enumerate(names):
        if name and isinstance(name, str) and (fault := _name_fault(name, names[:at])):
            rule, hint = fault
            yield file.finding(("article", at), f"is {name!r}, {rule}", hint)


def _name_fault(name: str, before: Sequence[Any]) -> tuple[str, str] | None:
    if not re.fullmatch(r"\w+(-\w+)*", name):
        return "and must be letters, digits and hyphens", "name a file of prose/ without its folder and .md"
    if name in FIXED_PARTS:
        return "which has its own place on the page", "remove it"
    if name in PAGE_IDS:
        return "which is the id of another part of the page", "rename the file"
    if name in before:
        return "and stands there twice", "keep one"
    return None
