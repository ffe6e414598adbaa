"""The live charts among the exports: one a file, in a frame on a slide of any size."""

import re

import pytest

from builder.charts import SLIDES
from builder.export import Exporter
from builder.look import Look, choose_look
from builder.scenario import State as Stops
from tests.conftest import TEMPLATES
from tests.page.colours import contrast, resolved

CHARTS = sorted(SLIDES)
LIGHT = choose_look("light", "", "16:9", 1)
TOO_BIG = Stops(4096, 128, 512)
AROUND = """<!doctype html>
<meta charset="utf-8">
<title>around</title>
<style>
  body {{ margin: 0; background: rgb(0, 128, 0); }}
  iframe {{
    display: block; width: 960px; height: 540px; border: 0; transform-origin: 0 0; transform: scale({scale});
  }}
</style>
<iframe src="{address}" title="a chart" sandbox="allow-scripts"></iframe>
"""
# Texts that are seen, with the size of their type on the screen.
TYPE = """
() => [...document.querySelectorAll("main *")]
  .filter((e) => e.checkVisibility() && !e.closest(".unseen"))
  .filter((e) => [...e.childNodes].some((node) => node.data?.trim()))
  .map((e) => [e.textContent, parseFloat(getComputedStyle(e).fontSize)
    * document.body.getBoundingClientRect().width / document.body.offsetWidth])
"""
# What of the bench lies outside the window, and what of its text is cut.
OUTSIDE = """
() => [...document.querySelectorAll("main *")]
  .filter((e) => e.checkVisibility() && !e.closest(".unseen"))
  .filter((e) => [...e.childNodes].some((node) => node.data?.trim()))
  .filter((e) => {
    const { left, right, top, bottom } = e.getBoundingClientRect();
    return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
  })
  .map((e) => e.textContent)
"""


@pytest.fixture(scope="session")
def live(exporter: Exporter):
    """The document of a chart at a state in a look."""

    def made(name: str, state: Stops = TOO_BIG, look: Look = LIGHT) -> bytes:
        return exporter.live(name, state, look, TEMPLATES)

    return made


@pytest.fixture
def on_stage(watched, live, tmp_path):
    """A chart's document, opened by itself in a window of a size."""

    def opened(name, state=TOO_BIG, look=LIGHT, width=960, height=540, tail=""):
        file = tmp_path / f"{name}.html"
        file.write_bytes(live(name, state, look))
        page = watched.new_page(file, viewport={"width": width, "height": height})
        page.goto(file.as_uri() + tail)
        page.evaluate("explainer.ready")
        return page

    return opened


@pytest.mark.parametrize("name", CHARTS)
def test_it_opens_at_its_state(on_stage, name):
    """Without an address it shows the state that it was exported at, and says what does not fit."""
    page = on_stage(name)
    assert page.evaluate("explainer.state()") == {"prompt": 4096, "output": 128, "batch": 512}
    assert page.locator("output[for=batch] [data-figure]").inner_text() == "512 requests"
    assert "688.7 GB short" in page.locator("main").inner_text() + page.locator("main").text_content()


def test_an_address_still_names_a_state(on_stage):
    """A state in its address goes before its own, as on the page."""
    page = on_stage("throughput", tail="#prompt=1024&output=128&batch=8")
    assert page.evaluate("explainer.state()") == {"prompt": 1024, "output": 128, "batch": 8}


@pytest.mark.parametrize(("width", "height"), [(288, 162), (960, 540), (1920, 1080), (800, 800)])
@pytest.mark.parametrize("name", CHARTS)
def test_it_fills_its_frame(on_stage, name, width, height):
    """It is as large as fits into the window, and no text of it lies outside."""
    page = on_stage(name, width=width, height=height)
    box = page.evaluate("document.body.getBoundingClientRect().toJSON()")
    assert box["width"] == pytest.approx(min(width, height * 16 / 9), abs=1)
    assert box["left"] == pytest.approx((width - box["width"]) / 2, abs=1)
    assert page.evaluate(OUTSIDE) == []


@pytest.mark.parametrize("size", ["16:9", "4:3", "square"])
@pytest.mark.parametrize("name", CHARTS)
def test_type_is_for_the_back_row(on_stage, name, size):
    """On a slide 1,080 px and 7.5 inches high no text is smaller than 18 pt, which are 36 px."""
    look = choose_look("", "", size, 1)
    texts = on_stage(name, look=look, width=look.size[0], height=look.size[1]).evaluate(TYPE)
    assert len(texts) > 6
    assert {text: pixels for text, pixels in texts if pixels < 35.9} == {}


@pytest.mark.parametrize("scale", [0.3, 1, 2])
def test_a_point_is_dragged_on_a_scaled_slide(watched, live, tmp_path, scale):
    """On a slide that a program scales, the decode point goes where the pointer takes it."""
    file, around = tmp_path / "roofline.html", tmp_path / "around.html"
    file.write_bytes(live("roofline", Stops(1024, 128, 1)))
    around.write_text(AROUND.format(scale=scale, address=file.as_uri()), encoding="utf-8")
    page = watched.new_page(
        file, around, viewport={"width": round(960 * scale), "height": round(540 * scale)}
    )
    page.goto(around.as_uri())
    frame = page.frames[1]
    frame.evaluate("explainer.ready")
    spot = frame.evaluate("explainer.locate('batch', 64)")
    handle = frame.evaluate("document.querySelector('[data-point=decode]').getBoundingClientRect().toJSON()")
    # The frame knows nothing of its scale, and the pointer is the page's.
    page.mouse.move((handle["x"] + handle["width"] / 2) * scale, (handle["y"] + handle["height"] / 2) * scale)
    page.mouse.down()
    page.mouse.move(spot["x"] * scale, spot["y"] * scale, steps=5)
    page.mouse.up()
    assert frame.evaluate("explainer.state()")["batch"] == 64


def test_a_control_moves_the_chart(on_stage):
    """A key on a control moves it a stop, and the curve's label with it."""
    page = on_stage("throughput", Stops(1024, 128, 1))
    page.locator("#batch").press("ArrowRight")
    page.evaluate("explainer.set({})")
    assert page.locator("#throughput .live [class*=batch_name] text").text_content() == "2 requests"


@pytest.mark.parametrize("background", ["white", "black", "#1f2937"])
def test_its_colours_are_those_of_its_look(on_stage, background):
    """They hold whatever theme an address asks for: what is said of text on the background stays true."""
    look = choose_look("", background, "16:9", 1)
    page = on_stage("metrics", look=look, tail="?theme=light")
    ground, *inks = resolved(
        page, "var(--paper)", "var(--ink)", "var(--muted)", "var(--prefill)", "var(--decode)"
    )
    assert "#{:02x}{:02x}{:02x}".format(*ground) == look.background
    assert min(contrast(ink, ground) for ink in inks) >= 4.5


def test_a_transparent_one_shows_what_lies_behind(on_stage):
    """Neither the document nor its body has a ground."""
    page = on_stage("timeline", look=choose_look("dark", "transparent", "16:9", 1))
    for element in ("documentElement", "body"):
        colour = page.evaluate(f"getComputedStyle(document.{element}).backgroundColor")
        assert colour == "rgba(0, 0, 0, 0)"


@pytest.mark.parametrize("name", CHARTS)
def test_it_is_drawn_before_a_script_runs(live, name):
    """The document holds the drawing of its state, or its figures, and has no handlers."""
    html = live(name).decode()
    assert "688.7 GB" in html
    assert ('<svg xmlns="http://www.w3.org/2000/svg"' in html) == (name != "metrics")
    assert not re.search(r"\son\w+=", html.split("<script type=")[0])
