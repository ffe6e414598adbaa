"""A page as its elements, read by the standard library's parser."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

# What has no end tag.
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass
class Element:
    """One element, with the text of itself and of all within it."""

    tag: str
    attributes: dict[str, str | None]
    text: str = ""
    inside: list["Element"] = field(default_factory=list)

    def __getitem__(self, name: str) -> str | None:
        return self.attributes.get(name)


class Markup(HTMLParser):
    """A page that was read.

    Attributes:
        elements: all elements in the order of the page; those of templates as well.
        misplaced: end tags that do not close what was opened last, and what is never closed.
    """

    def __init__(self, html: str):
        super().__init__()
        self.elements: list[Element] = []
        self.misplaced: list[str] = []
        self._open: list[Element] = []
        self.feed(html)
        self.close()
        self.misplaced += [f"<{element.tag}>" for element in self._open]

    def all(self, *tags: str, **attributes: str) -> list[Element]:
        """The elements of some tags with some attributes; `data_figure` stands for data-figure."""
        wanted = {name.replace("_", "-"): value for name, value in attributes.items()}
        return [
            element
            for element in self.elements
            if (not tags or element.tag in tags) and wanted.items() <= element.attributes.items()
        ]

    def one(self, *tags: str, **attributes: str) -> Element:
        """The only such element."""
        (element,) = self.all(*tags, **attributes)
        return element

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        if len(names) != len(set(names)):
            self.misplaced.append(f"<{tag}> with an attribute twice")
        element = Element(tag, dict(attrs))
        self.elements.append(element)
        for outer in self._open:
            outer.inside.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1].tag == tag:
            self._open.pop()
        else:
            self.misplaced.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        for element in self._open:
            element.text += data
