"""The talk as a PowerPoint file: its charts as pictures, each with what it shows in words."""

import io
import zipfile
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pptx import Presentation
from pptx.dml.color import RGBColor
from pptx.enum.text import MSO_ANCHOR, PP_ALIGN
from pptx.util import Emu, Pt

from builder.charts import Theme
from builder.content import PageContent
from builder.export import Exporter
from builder.look import PIXELS_PER_INCH
from examples.slides.layout import SLIDE, TITLE, TITLE_ALONE, Box, chart_box, chart_look, text_box
from examples.slides.talk import Run, Slide

TITLE_ONLY = 5  # the number of this layout in python-pptx's own template
EMU_PER_INCH = 914_400
FONT = "Arial"
# A file says when it was made; the same talk is the same file on every day.
MADE = datetime(2000, 1, 1)


def powerpoint_file(slides: Sequence[Slide], content: PageContent, theme: str) -> bytes:
    """The whole file.

    Args:
        slides: the talk.
        content: whose charts it shows.
        theme: "light" or "dark".
    """
    deck = Presentation()
    deck.slide_width, deck.slide_height = _emu(SLIDE.width), _emu(SLIDE.height)
    deck.core_properties.title = content.page.title
    deck.core_properties.author = ""
    deck.core_properties.created = deck.core_properties.modified = MADE
    exporter = Exporter(content)
    for slide in slides:
        _add(deck, slide, exporter, theme)
    written = io.BytesIO()
    deck.save(written)
    return _undated(written.getvalue())


def _add(deck: Any, slide: Slide, exporter: Exporter, theme: str) -> None:
    page = deck.slides.add_slide(deck.slide_layouts[TITLE_ONLY])
    look = chart_look(slide.chart or "roofline", theme)
    page.background.fill.solid()
    page.background.fill.fore_color.rgb = _rgb(look.theme.paper)
    _place(page.shapes.title, TITLE if slide.chart else TITLE_ALONE)
    _write(
        page.shapes.title.text_frame, [[Run(slide.title, True, "")]], look.theme, 30 if slide.chart else 54
    )
    text = page.shapes.add_textbox(*map(_emu, text_box(slide.chart)))
    _write(text.text_frame, slide.paragraphs, look.theme, 20 if slide.chart else 24)
    if slide.chart:
        picture = exporter.picture(slide.chart, slide.state, look)
        box = chart_box(slide.chart)
        shape = page.shapes.add_picture(io.BytesIO(picture.png()), *map(_emu, box))
        shape.name = slide.chart
        shape._element.nvPicPr.cNvPr.set("descr", picture.alt)  # python-pptx has no name for it


def _write(frame: Any, paragraphs: Sequence[Sequence[Run]], theme: Theme, points: int) -> None:
    frame.word_wrap = True
    frame.vertical_anchor = MSO_ANCHOR.TOP
    frame.margin_left = frame.margin_right = 0
    for number, runs in enumerate(paragraphs):
        paragraph = frame.add_paragraph() if number else frame.paragraphs[0]
        paragraph.alignment = PP_ALIGN.LEFT
        for run in runs:
            _add_run(paragraph, run, theme, points)


def _add_run(paragraph: Any, run: Run, theme: Theme, points: int) -> None:
    if run.text == "\n":
        paragraph.add_line_break()
        return
    written = paragraph.add_run()
    written.text = run.text
    written.font.bold, written.font.size, written.font.name = run.bold, Pt(points), FONT
    written.font.color.rgb = _rgb(theme.phase(run.phase) if run.phase else theme.ink)


def _place(shape: Any, box: Box) -> None:
    shape.left, shape.top, shape.width, shape.height = map(_emu, box)


def _emu(pixels: int) -> Emu:
    return Emu(pixels * EMU_PER_INCH // PIXELS_PER_INCH)


def _rgb(colour: str) -> RGBColor:
    return RGBColor(*bytes.fromhex(colour.removeprefix("#")))


def _undated(data: bytes) -> bytes:
    """The same archive without the hour at which it was written."""
    undated = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(undated, "w") as new:
        for name in old.namelist():
            new.writestr(zipfile.ZipInfo(name), old.read(name), zipfile.ZIP_DEFLATED)
    return undated.getvalue()
