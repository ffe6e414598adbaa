"""The talk as a reveal.js deck, which needs no network when it is shown."""

from collections.abc import Sequence
from pathlib import Path

from builder.content import PageContent
from builder.errors import BuilderError
from builder.export import Exporter
from builder.templates import render
from examples.slides.layout import SLIDE, TITLE, TITLE_ALONE, chart_box, chart_look, text_box
from examples.slides.talk import Slide

HERE = Path(__file__).parent
REVEAL = ("dist/reveal.js", "dist/reveal.css", "LICENSE")


def deck_files(
    slides: Sequence[Slide], content: PageContent, theme: str, templates: Path, reveal: Path
) -> dict[str, bytes]:
    """Every file of the deck by its path.

    Args:
        slides: the talk.
        content: whose charts it shows.
        theme: "light" or "dark".
        templates: those of the page.
        reveal: the folder of reveal.js, as npm installs it.

    Raises:
        BuilderError: reveal.js is not there.
        ContentError: a template is at fault.
    """
    files = {f"reveal/{Path(name).name}": _taken(reveal / name) for name in REVEAL}
    exporter = Exporter(content)
    shown: list[dict[str, object]] = []
    for slide in slides:
        name = alt = ""
        if slide.chart:
            look = chart_look(slide.chart, theme)
            picture = exporter.picture(slide.chart, slide.state, look)
            name, alt = f"charts/{picture.name}.{'html' if slide.live else 'svg'}", picture.alt
            live = exporter.live(slide.chart, slide.state, look, templates) if slide.live else b""
            files[name] = live or picture.svg(outlines=True)
        boxes = {"title_box": TITLE if slide.chart else TITLE_ALONE, "text_box": text_box(slide.chart)}
        shown.append({"slide": slide, "file": name, "alt": alt, "chart_box": chart_box(slide.chart), **boxes})
    colours = chart_look("roofline", theme).theme
    context = {"page": content.page, "slides": shown, "colours": colours, "size": SLIDE, "theme": theme}
    files["index.html"] = render(HERE, "deck.html.j2", context, {}).encode()
    return files


def _taken(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise BuilderError(f"{path}: {error.strerror}; `make slides` gets reveal.js") from None
