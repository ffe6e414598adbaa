"""What the page takes of Markdown and what it refuses: rules about text and about the tree made of it."""

import html
import re
import unicodedata
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from builder.addresses import link_fault
from builder.errors import Finding
from builder.figure_syntax import FigureSyntax
from builder.line_marks import MARK, line_of, unmarked
from builder.source import Source

EMPTY = ("text", "says nothing", "write a sentence that is no heading")
ATTRIBUTES_RULE = "attributes are not taken"
ATTRIBUTES_HINT = "only {#id} is, at the end of a heading; in backticks braces are shown"


@dataclass(frozen=True)
class Refusal:
    """A construct within a text that the page does not take.

    Attributes:
        order: its place among Python-Markdown's patterns; a higher one is tried earlier.
    """

    name: str
    order: int
    pattern: str
    rule: str
    hint: str


REFUSED = (
    Refusal(
        "figure_address",
        187,
        rf"\]\([^()\n]*\{{\{{{MARK}[^()\n]*\)",
        "has braces in its address",
        "put the figure into the text",
    ),
    Refusal(
        "open_figure",
        184,
        rf"\{{\{{{MARK}[^\n]*",
        "is not closed by }}",
        "close it, or put the braces in backticks",
    ),
    Refusal(
        "stray_end", 178, rf"\}}\}}{MARK}", "closes no {{", "open the figure, or put the braces in backticks"
    ),
    Refusal("note", 174, rf"\[\^[^\]]+\](?:{MARK})?", "there is no note of this name", "write [^name]: …"),
    Refusal(
        "image",
        165,
        rf"(?:{MARK})?!\[[^\]]*\](?=[(\[])",
        "images are not taken",
        "the page fetches nothing; link to it",
    ),
    Refusal(
        "html",
        90,
        rf"(?:{MARK})?<(?:!--|[!?/]?[A-Za-z][^<>]*>)",
        "raw HTML is not taken",
        "put it in backticks to show it",
    ),
    Refusal(
        "unknown_link",
        110,
        rf"(?<!\])\[[^\[\]\n]+\]\[[^\[\]\n]*\](?:{MARK})?",
        "there is no link of this name",
        "write [name]: https://…",
    ),
    Refusal("attributes", 70, rf"(?<!\{{)\{{{MARK}[^{{}}]*\}}", ATTRIBUTES_RULE, ATTRIBUTES_HINT),
)

_ITEM = re.compile(r"( {0,3})([*+-]|[0-9]+\.) +\S")
# A list interrupts a sentence only at 1, as in CommonMark, or where a second item follows: a wrapped line may
# well begin with a year.
_FIRST_ITEM = re.compile(r" {0,3}(?:[*+-]|1\.) +\S")
_NUMBERED = re.compile(r" {0,3}([0-9]{1,9})\. +\S")
_BRACKETED = re.compile(r" {0,3}[0-9]{1,9}\) +\S")
_TABLE_LINE = re.compile(r"(?=.*\|)(?=.*-)[-|: ]+$")
_EXPLICIT_ID = re.compile(rf"\s*\{{{MARK}#(?P<id>[^\s{{}}]+)\}}\s*(?:{MARK})?$")
_FRONT_MATTER = re.compile(r"---\n(?:[\w-]+:.*\n|[ \t].*\n)+---(?:\n|$)")
# References to notes, and where links lead, are no part of what a heading says.
_NOT_SAID = re.compile(r"\[\^[^\]]*\]|(?<=\])\([^)]*\)|(?<=\])\[[^\]]*\]")


@dataclass(frozen=True)
class ProseFile:
    """One file on its way to HTML, and what it shares with the others of its page.

    The texts that its methods take still have their marks.

    Attributes:
        prefix: begins each id that the author did not choose.
        live: whether the page's script replaces the figures.
        ids: where each id of the page is.
        links: takes those of the file, for when all ids are known.
    """

    source: Source
    prefix: str
    live: bool
    syntax: FigureSyntax
    findings: list[Finding]
    ids: dict[str, str]
    links: "list[Link]"

    def fault(self, line: int | None, place: str, rule: str, hint: str) -> None:
        """Notes a fault, once. Without a mark, the first line with the place in it is the best guess."""
        place = " ".join(_as_typed(place).split())
        line = line or self._line_with(place)
        finding = self.source.finding(line, place if len(place) <= 80 else place[:79] + "…", rule, hint)
        if finding not in self.findings:
            self.findings.append(finding)

    def check_start(self) -> None:
        """Finds front matter, which Markdown would show as a heading."""
        if _FRONT_MATTER.match(self.source.text):
            self.fault(
                1, "---", "front matter is not taken", "what a page says of itself stands in page.toml"
            )

    def check_paragraph(self, block: str) -> None:
        """Finds a list or a table that became part of a sentence."""
        lines = block.split("\n")
        for line in filter(_BRACKETED.match, lines):
            self.fault(
                line_of(line), line, "a number and a bracket begin no item", "write 1. below an empty line"
            )
        for above, line, below in zip(lines, lines[1:], [*lines[2:], ""], strict=False):
            if _FIRST_ITEM.match(line) or _counts_up(line, below):
                hint = "or four spaces, where it belongs to an item"
                self.fault(line_of(line), line, "a list needs an empty line before it", hint)
            elif _TABLE_LINE.match(line):
                hint = "and as many columns in its second line as in its first"
                self.fault(line_of(above), above, "a table needs an empty line before it", hint)

    def check_list(self, block: str) -> None:
        """Finds items that are set in, but not far enough to be a list of their own."""
        first = _ITEM.match(block)
        items = [match for line in block.split("\n") if first and (match := _ITEM.match(line))]
        for item in items:
            alike = first and first[2].endswith(".") == item[2].endswith(".")
            if first and alike and len(item[1]) > len(first[1]) + 1:
                hint = "with fewer it joins the outer one"
                self.fault(line_of(item.string), item.string, "an inner list is set in by four spaces", hint)

    def give_ids(self, root: Element) -> None:
        """Gives each heading an id from its own Markdown: no other heading moves it, and no number."""
        for element in root.iter():
            if re.fullmatch("h[1-6]", element.tag):
                text = element.text or ""
                explicit = _EXPLICIT_ID.search(text)
                element.text = text[: explicit.start()] if explicit else text
                signs = "#" * int(element.tag[1])
                element.set("id", self._heading_id(line_of(text), signs, element.text, explicit))
                # The page has a title of its own, above all others.
                element.tag = max(element.tag, "h2")

    def _heading_id(self, line: int | None, signs: str, text: str, explicit: re.Match[str] | None) -> str:
        line, place = line or self._line_with(text), f"{signs} {unmarked(text)}"
        if self.live:
            self.fault(line, place, "a reading has no heading", "it is a sentence or two under the chart")
        if explicit:
            return self._taken(explicit["id"], line, place, "choose another")
        if not slug(text):
            hint = f"give it one: {place} {{#name}}"
            self.fault(line, place, "has no letter or digit to make an id of", hint)
        return self._taken(f"{self.prefix}-{slug(text)}", line, place, f"give one an id: {place} {{#other}}")

    def _taken(self, name: str, line: int | None, place: str, hint: str) -> str:
        if name in self.ids:
            self.fault(line, place, f"its id {name} is taken by {self.ids[name]}", hint)
        else:
            self.ids[name] = f"{self.source.file}:{line}" if line else self.source.file
        return name

    def finish(self, root: Element) -> None:
        """Checks the links of a finished tree, and fits it to the page's other files and to its policy."""
        self._check_text(root)
        for element in list(root.iter()):
            if align := element.attrib.pop("align", ""):
                element.set("class", align)
            if element.tag in ("sup", "li") and "id" in element.attrib:
                name = element.attrib["id"]
                place = f"[^{name.partition('-')[2]}]"
                if self.live:
                    self.fault(None, place, "a reading has no notes", "put it into the sentence")
                element.set("id", self._taken(self._note_id(name), None, place, "rename the note"))
            if element.tag == "a":
                self._finish_link(element)
            for child in [child for child in element if _held_claims_alone(child)]:
                element.remove(child)

    def _check_text(self, root: Element) -> None:
        """Finds a file that says nothing; one whose constructs are at fault was to say something."""
        said = "".join("".join(part.itertext()) for part in root if not re.fullmatch("h[1-6]", part.tag))
        if not said.strip() and all(finding.file != self.source.file for finding in self.findings):
            self.findings.append(self.source.finding(None, *EMPTY))

    def _note_id(self, name: str) -> str:
        return f"{self.prefix}-{'-'.join(name.split())}"

    def _finish_link(self, link: Element) -> None:
        address = link.get("href", "")
        if link.get("class") not in ("footnote-ref", "footnote-backref"):
            self._check_link("".join(link.itertext()), address, link.get("title", ""))
            return
        link.set("href", "#" + self._note_id(address.removeprefix("#")))
        if "title" in link.attrib:  # the arrow says nothing to those who hear it
            link.set("aria-label", link.attrib.pop("title"))

    def _check_link(self, text: str, address: str, title: str) -> None:
        line = line_of(address) or line_of(text)  # the address of a definition has a mark of its own
        address, place = unmarked(address), f"[{text}]({address})"
        if fault := link_fault(address):
            self.fault(line or self._line_with(address), place, *fault)
        else:
            self.links.append(Link(self, line or self._line_with(address), place, _as_typed(address)))
        if "{{" in address + title:
            self.fault(line, place, "has braces in its address or its title", "put the figure into the text")

    def _line_with(self, text: str) -> int | None:
        lines = enumerate(self.source.text.split("\n"), 1)
        return next((number for number, line in lines if text and text in line), None)


@dataclass(frozen=True)
class Link:
    """A link that is in order by itself, but may lead nowhere within the site."""

    file: ProseFile
    line: int | None
    place: str
    address: str


def _counts_up(line: str, below: str) -> bool:
    """Whether two lines begin with numbers as neighbouring items do."""
    first, second = _NUMBERED.match(line), _NUMBERED.match(below)
    return bool(first and second and int(second[1]) == int(first[1]) + 1)


def _as_typed(text: str) -> str:
    """`text` without marks, and with what Python-Markdown has put aside, as far as it can be told."""
    text = unmarked(text).replace("\x02amp\x03", "&")
    text = re.sub("\x02([0-9]+)\x03", lambda match: chr(int(match[1])), text)
    return re.sub("\x02[^\x03]*\x03?|[\ue000\ue001]", "…", text)


def slug(text: str) -> str:
    """A heading's Markdown as part of an id: letters and digits of any script, in lower case.

    >>> slug("Batch **size** 批处理")
    'batch-size-批处理'
    """
    said = html.unescape(_NOT_SAID.sub("", unmarked(text)))
    letters = unicodedata.normalize("NFC", said).lower()
    kept = (letter if unicodedata.category(letter)[0] in "LMN" else " " for letter in letters)
    return "-".join("".join(kept).split())


def _held_claims_alone(element: Element) -> bool:
    return element.tag == "p" and not len(element) and not (element.text or "").strip()
