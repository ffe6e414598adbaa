"""The talk: what each slide says and shows, with every figure in its place."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from builder.content import PageContent
from builder.errors import ContentError, Finding
from builder.prose import ProseRenderer
from builder.scenario import State
from builder.scenario_tables import Count
from builder.source import Source
from builder.toml_file import Name, Table, TomlFile


class StateTable(Table):
    """What differs from the state that the page opens at."""

    prompt: Count | None = None
    output: Count | None = None
    batch: Count | None = None


class SlideTable(Table):
    """One slide as it is written."""

    title: Name
    text: Name
    chart: Literal["", "roofline", "timeline", "metrics", "throughput"] = ""
    state: StateTable = StateTable()
    live: bool = False


class TalkTable(Table):
    """All slides, in order."""

    slide: Annotated[tuple[SlideTable, ...], Field(strict=False)]


@dataclass(frozen=True)
class Run:
    """A piece of text that looks alike; `phase` is whose figure it is: "prefill", "decode" or ""."""

    text: str
    bold: bool
    phase: str


@dataclass(frozen=True)
class Slide:
    """One slide.

    Attributes:
        html: its text, one or more paragraphs.
        chart: one of `builder export`, or "".
        state: what the chart shows.
        live: whether a browser shows the chart with its controls.
    """

    title: str
    html: str
    chart: str
    state: State
    live: bool

    @property
    def paragraphs(self) -> list[list[Run]]:
        """The text in pieces, paragraph by paragraph; a line feed is a line's end."""
        reader = _Runs()
        reader.feed(self.html)
        return reader.paragraphs


def read_talk(path: Path, content: PageContent) -> list[Slide]:
    """The slides of a file.

    Raises:
        ContentError: with all that is wrong with it.
    """
    file, findings = TomlFile(path), list[Finding]()
    talk = file.validate(TalkTable, findings)
    renderer = ProseRenderer(content.grid.scenario)
    findings.extend(_state_findings(file, talk, content))
    slides = list(_slides(talk, file, renderer, content)) if talk else []
    findings.extend(renderer.findings)
    if findings:
        raise ContentError(findings)
    return slides


def _state_findings(file: TomlFile, talk: TalkTable | None, content: PageContent) -> Iterator[Finding]:
    """States between the stops of the page's controls."""
    for number, slide in enumerate(talk.slide if talk else ()):
        for axis in content.grid.axes:
            stop = getattr(slide.state, axis.name)
            if stop is not None and stop not in axis.stops:
                near = min(axis.stops, key=lambda each: abs(each - stop))
                location = ("slide", number, "state", axis.name)
                yield file.finding(location, f"{stop} is no stop of the page", f"the nearest is {near}")


def _slides(
    talk: TalkTable, file: TomlFile, renderer: ProseRenderer, content: PageContent
) -> Iterator[Slide]:
    start = content.grid.scenario.start
    for number, slide in enumerate(talk.slide):
        line = file.line(("slide", number, "text")) or 1
        # As many lines above it as the file has, so that a finding names the right one.
        html = renderer.render(Source(file.source.file, "\n" * (line - 1) + slide.text), f"slide-{number}")
        state = replace(start, **slide.state.model_dump(exclude_none=True))
        yield Slide(slide.title, html, slide.chart, state, slide.live)


class _Runs(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.paragraphs: list[list[Run]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "p":
            self.paragraphs.append([])
        elif tag == "br":
            self._add("\n")
        else:
            self._open.append(f"{tag} {dict(attrs).get('class', '')}")

    def handle_endtag(self, tag: str) -> None:
        if tag != "p":
            self._open.pop()

    def handle_data(self, data: str) -> None:
        # What the file has on two lines is one on a slide.
        if self.paragraphs and data.strip():
            self._add(data.replace("\n", " "))

    def _add(self, text: str) -> None:
        words = " ".join(self._open).split()
        phase = next((name for name in ("prefill", "decode") if name in words), "")
        self.paragraphs[-1].append(Run(text, "strong" in words, phase))
