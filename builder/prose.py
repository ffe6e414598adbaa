"""Markdown to HTML: figures by name, and every slip found with its file and line."""

import html
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from xml.etree.ElementTree import Element, SubElement

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor, ParagraphProcessor
from markdown.extensions import Extension
from markdown.extensions.fenced_code import FencedBlockPreprocessor, FencedCodeExtension
from markdown.extensions.footnotes import FootnoteExtension
from markdown.extensions.sane_lists import SaneListExtension
from markdown.extensions.tables import TableExtension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from builder.errors import Finding
from builder.figure_syntax import ConstructError, FigureSyntax
from builder.figures import STATE_FIGURES
from builder.line_marks import MARK, line_of, marked, unmarked, without_mark_characters
from builder.local_links import local_fault
from builder.prose_bounds import excess
from builder.prose_rules import ATTRIBUTES_HINT, ATTRIBUTES_RULE, EMPTY, REFUSED, Link, ProseFile, Refusal
from builder.scenario import Scenario
from builder.source import Source

CONSTRUCT = rf"(?P<gap>\s*)(?P<escape>\\?)\{{\{{{MARK}(?P<body>(?:(?!\{{\{{|\}}\}}).)*)\}}\}}(?:{MARK})?"
SILENT_NOTE = ("says nothing", "write the note behind its colon")
DEEPEST = 12  # levels of lists
NUMBER_AND_UNIT = re.compile(r"(?<![\w.,])(\d[\d.,]*K?) (?=[^\W\d])")


class ProseRenderer:
    """Renders the Markdown files of one page, in their order; without a scenario it looks for faults alone.

    Attributes:
        findings: the faults of all files so far; the caller raises them once, after the last file.
    """

    def __init__(self, scenario: Scenario | None, taken_ids: Iterable[str] = ()) -> None:
        self.findings: list[Finding] = []
        self._syntax = FigureSyntax(scenario)
        self._ids = dict.fromkeys(taken_ids, "the page itself")
        self._links: list[Link] = []

    def render(self, source: Source, prefix: str) -> str:
        """The HTML of one file; `prefix` begins the ids of its headings and notes."""
        return self._html(source, prefix, live=False)

    def render_live(self, source: Source, prefix: str) -> str:
        """The HTML of a reading, in which the page's script replaces the figures of the state."""
        return self._html(source, prefix, live=True)

    def check_links(self, folder: str, files: Collection[str] | None) -> None:
        """Finds links to what is not there, once all files of the page are rendered.

        Args:
            folder: of the page in the site; "" for the page at the root.
            files: all of the site, by their paths; None where they are not known.
        """
        for link in self._links:
            if fault := local_fault(link.address, self._ids, folder, files):
                link.file.fault(link.line, link.place, *fault)

    def _html(self, source: Source, prefix: str, *, live: bool) -> str:
        file = ProseFile(source, prefix, live, self._syntax, self.findings, self._ids, self._links)
        for number, line in enumerate(file.source.text.split("\n"), 1):
            if line != without_mark_characters(line):
                file.fault(number, "U+E000 or U+E001", "is a private character with no meaning", "remove it")
        file.check_start()
        text = without_mark_characters(file.source.text).replace("\ufeff", "")
        if much := excess(text):
            file.fault(much.line, "text", much.rule, much.hint)
            return ""
        notes = _Notes(file)
        tables = TableExtension(use_align_attribute=True)  # the alternative is a style attribute
        extensions = [FencedCodeExtension(), tables, SaneListExtension(), notes, _Prose(file, notes)]
        # A parser for each file: links and notes must not leak into the next.
        parser = Markdown(extensions=extensions, output_format="html")
        if not text.strip():  # which the parser would not look at
            file.fault(None, *EMPTY)
        try:
            return parser.convert(text)
        except (_TooDeep, RecursionError) as error:
            hint = "bring lists and quotes up to the margin"
            file.fault(line_of(str(error)), "text", "is set in too deep to be read", hint)
            return ""


class _TooDeep(Exception):  # noqa: N818
    """Lists in lists, of which each level costs the parser more than the one before."""


class _Notes(FootnoteExtension):
    """Footnotes in the order of their references; none is lost and none is left over."""

    def __init__(self, file: ProseFile) -> None:
        self.file = file
        self.lines: dict[str, int | None] = {}
        title = "Back to note {} in the text"
        super().__init__(SEPARATOR="-", USE_DEFINITION_ORDER=False, BACKLINK_TITLE=title)

    def setFootnote(self, id: str, text: str) -> None:  # noqa: N802 (Python-Markdown's name, as those below)
        line = line_of(text)
        if id in self.lines:
            self.file.fault(line, f"[^{id}]", "is there twice", "give one of the notes another name")
        if not unmarked(text).strip():
            self.file.fault(line, f"[^{id}]", *SILENT_NOTE)
        self.lines[id] = line
        super().setFootnote(id, text)

    def fill(self, root: Element) -> None:
        """Finds notes of which nothing is left, and gives each the link back that is counted on later."""
        for note in root.iterfind(".//div[@class='footnote']/ol/li"):
            if note.find(".//a[@class='footnote-backref']") is None:
                name = note.get("id", "").partition("-")[2]
                self.file.fault(self.lines.get(name), f"[^{name}]", *SILENT_NOTE)
                SubElement(note, "a", {"class": "footnote-backref"})

    def check(self, root: Element) -> None:
        """Finds notes that nothing refers to."""
        for name in self.lines.keys() - set(self.footnote_order):
            self.file.fault(self.lines[name], f"[^{name}]", "nothing refers to this note", "refer to it")


class _Prose(Extension):
    """Puts the processors below among Python-Markdown's own; a higher number runs earlier."""

    def __init__(self, file: ProseFile, notes: _Notes) -> None:
        super().__init__()
        self.file = file
        self.notes = notes

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802
        for image in ("image_link", "image_reference", "short_image_ref"):
            md.inlinePatterns.deregister(image)
        md.preprocessors.deregister("html_block")
        md.preprocessors.register(_Marks(md), "marks", 28)
        md.preprocessors.register(_Fences(md, self.file), "fenced_code_block", 25)
        md.parser.blockprocessors.register(_Lists(md, self.file), "lists", 45)
        md.parser.blockprocessors.register(_Paragraphs(md, self.file), "paragraph", 10)
        md.inlinePatterns.register(_Figures(md, self.file), "figure", 185)
        if isinstance(parser := md.inlinePatterns["em_strong"], InlineProcessor):
            md.inlinePatterns.register(_Emphasis(md, self.file, parser), "em_strong", 60)
        for refusal in REFUSED:
            md.inlinePatterns.register(_Refused(md, self.file, refusal), refusal.name, refusal.order)
        md.treeprocessors.register(_Tree(md, self.file.give_ids), "heading_ids", 45)
        md.treeprocessors.register(_Tree(md, self.notes.fill), "empty_notes", 40)
        md.treeprocessors.register(_Tree(md, self.notes.check), "unused_notes", 18)
        md.treeprocessors.register(_Tree(md, self.file.finish), "finish", -1)
        md.postprocessors.register(_Unmark(md), "unmark", -1)


class _Marks(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        return marked(lines)


class _Unmark(Postprocessor):
    def run(self, text: str) -> str:
        return unmarked(text)


class _Tree(Treeprocessor):
    """A step that needs nothing of Python-Markdown but the tree."""

    def __init__(self, md: Markdown, step: Callable[[Element], None]) -> None:
        super().__init__(md)
        self.step = step

    def run(self, root: Element) -> None:
        self.step(root)


class _Fences(FencedBlockPreprocessor):
    """Fenced code that takes a language and no attributes."""

    def __init__(self, md: Markdown, file: ProseFile) -> None:
        super().__init__(md, {"lang_prefix": "language-"})
        self.file = file

    def handle_attrs(
        self, attrs: Iterable[tuple[str, str | None]]
    ) -> tuple[str, list[str], dict[str, object]]:
        text = " ".join(name if value in (None, name) else f"{name}={value}" for name, value in attrs)
        self.file.fault(line_of(text), f"``` {{{text}}}", ATTRIBUTES_RULE, ATTRIBUTES_HINT)
        return "", [], {}


class _Lists(BlockProcessor):
    """Looks at what is about to become a list, and leaves it to the others."""

    def __init__(self, md: Markdown, file: ProseFile) -> None:
        super().__init__(md.parser)
        self.file = file

    def test(self, parent: Element, block: str) -> bool:
        if len(self.parser.state) > DEEPEST:
            raise _TooDeep(block)
        self.file.check_list(block)
        return False


class _Paragraphs(ParagraphProcessor):
    def __init__(self, md: Markdown, file: ProseFile) -> None:
        super().__init__(md.parser)
        self.file = file

    def run(self, parent: Element, blocks: list[str]) -> None:
        self.file.check_paragraph(blocks[0])
        super().run(parent, blocks)


class _Refused(InlineProcessor):
    def __init__(self, md: Markdown, file: ProseFile, refusal: Refusal) -> None:
        super().__init__(refusal.pattern, md)
        self.file = file
        self.refusal = refusal

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:  # noqa: N802
        place = self.unescape(m.group())
        self.file.fault(line_of(m.group()), place, self.refusal.rule, self.refusal.hint)
        return "", m.start(), m.end()


class _Emphasis(InlineProcessor):
    """Python-Markdown's own emphasis, of which 3.11 swallows the letter after a run too short: `**a*b`."""

    def __init__(self, md: Markdown, file: ProseFile, parser: InlineProcessor) -> None:
        super().__init__(parser.pattern, md)
        self.file = file
        self.parser = parser

    def handleMatch(  # noqa: N802
        self, m: re.Match[str], data: str
    ) -> tuple[Element | str | None, int | None, int | None]:
        element, start, end = self.parser.handleMatch(m, data)
        if isinstance(element, Element):
            whole = data[start:end]
            if re.sub("[*_]", "", "".join(element.itertext())) != re.sub("[*_]", "", whole):
                place, hint = self.unescape(whole.split("\n")[0]), "count the * and _ on each side"
                self.file.fault(None, place, "is not closed as it was opened", hint)
        return element, start, end


class _Figures(InlineProcessor):
    """What stands between `{{` and `}}`, outside code."""

    def __init__(self, md: Markdown, file: ProseFile) -> None:
        super().__init__(CONSTRUCT, md)
        self.file = file

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[Element | str, int, int]:  # noqa: N802
        words = unmarked(self.unescape(m["body"])).split()
        construct = " ".join([m["escape"] + "{{", *words, "}}"])
        try:
            if m["escape"]:
                raise ConstructError([("a backslash does not keep braces", "put them in backticks")])
            if words[:1] != ["claim"]:
                return self._span(words), m.end("gap"), m.end()
            self._check(words[1:])
            return "", m.start(), m.end()  # a claim leaves nothing, not even the space before it
        except ConstructError as error:
            for rule, hint in error.faults:
                self.file.fault(line_of(m.group()), construct, rule, hint)
            return construct, m.end("gap"), m.end()

    def _check(self, words: Sequence[str]) -> None:
        if self.file.live:
            rule = "a reading is shown in many states, so it cannot claim for one"
            raise ConstructError([(rule, "move the claim into the prose")])
        self.file.syntax.check(words)

    def _span(self, words: Sequence[str]) -> Element:
        asked = self.file.syntax.figure(words)
        span = Element("span", {"class": f"figure {asked.phase}".strip()})
        text = html.escape(asked.text, quote=False)
        if self.file.live and asked.name in STATE_FIGURES and not asked.overridden:
            span.set("data-figure", asked.name)
        else:
            text = NUMBER_AND_UNIT.sub(r"\1&nbsp;", text)
        span.text = AtomicString(text)
        return span
