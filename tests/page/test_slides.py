"""The deck in a browser, without a network: its slides, and the live chart inside one of them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.page.conftest import ROOT

REVEAL = ROOT / ".venv" / "web" / "node_modules" / "reveal.js"
ROOFLINE = 3


@pytest.fixture(scope="session")
def deck(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that the command writes."""
    out = tmp_path_factory.mktemp("deck") / "slides"
    command = [sys.executable, "-m", "examples.slides", "--reveal", REVEAL, "--out", out]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == [f"{out}/index.html", f"{out}/two-phases.pptx"]
    return out


@pytest.fixture
def open_deck(watched, deck):
    """Opens the deck at a slide, in a window of a size."""

    def opened(slide=1, width=1280, height=720, **options):
        files = [path for path in deck.rglob("*") if path.is_file()]
        page = watched.new_page(*files, viewport={"width": width, "height": height}, **options)
        page.goto((deck / "index.html").as_uri() + f"#/{slide - 1}")
        page.wait_for_function("Reveal.isReady()")
        return page

    return opened


def chart(page):
    """The document of the live chart on the slide that is shown, once Vega drives it."""
    frame = page.locator("section.present iframe").element_handle().content_frame()
    frame.evaluate("explainer.ready")
    return frame


def test_the_slides_in_their_order(open_deck):
    """The arrow keys lead through six slides, each with its title in sight."""
    page = open_deck()
    titles = []
    for _ in range(7):
        titles.append(page.locator("section.present :is(h1, h2)").inner_text())
        page.keyboard.press("ArrowRight")
    assert titles[0] == "Two phases, two bottlenecks"
    assert len(set(titles)) == 6
    assert titles[5] == titles[6]


def test_a_control_moved_inside_a_slide(open_deck):
    """A key at the batch control moves it, and every figure with it."""
    page = open_deck(ROOFLINE)
    frame = chart(page)
    frame.focus("#batch")
    page.keyboard.press("ArrowRight")
    assert frame.evaluate("explainer.state()") == {"prompt": 1024, "output": 128, "batch": 2}
    # 2 · 140e9 FLOP over 140e9 + 2 · 356,515,840 bytes.
    assert frame.evaluate("explainer.figures(explainer.state()).decode_intensity") == "2.0 FLOP/B"
    frame.evaluate("explainer.set({})")
    assert "decode, 2 requests" in frame.text_content("#roofline svg")


@pytest.mark.parametrize("width", [640, 1280, 1920])
def test_a_point_dragged_inside_a_scaled_slide(width, open_deck):
    """However reveal.js scales the slide, the point under the pointer moves, to where it is let go."""
    page = open_deck(ROOFLINE, width, width * 9 // 16)
    frame = chart(page)
    handle = frame.locator('[data-point="decode"]').bounding_box()
    target = frame.evaluate("explainer.locate('batch', 64)")
    box = page.locator("section.present iframe").bounding_box()
    scale = box["width"] / frame.evaluate("innerWidth")
    page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + target["x"] * scale, box["y"] + target["y"] * scale, steps=5)
    page.mouse.up()
    assert frame.evaluate("explainer.state().batch") == 64


def test_a_remote_control_after_a_drag(open_deck):
    """With the chart in focus its keys still lead through the slides, and move nothing in the chart."""
    page = open_deck(ROOFLINE)
    frame = chart(page)
    frame.focus("#batch")
    page.keyboard.press("PageDown")
    page.wait_for_function("Reveal.getIndices().h === 3")
    assert frame.evaluate("explainer.state().batch") == 1
    page.keyboard.press("PageUp")
    page.wait_for_function("Reveal.getIndices().h === 2")


def test_the_colours_of_a_dark_deck(watched, tmp_path):
    """Made dark, the slides are, and titles and text are light on them."""
    out = tmp_path / "dark"
    command = [sys.executable, "-m", "examples.slides", "--reveal", REVEAL, "--theme", "dark", "--out", out]
    subprocess.run(command, cwd=ROOT, capture_output=True, check=True)
    page = watched.new_page(*(path for path in out.rglob("*") if path.is_file()))
    page.goto((out / "index.html").as_uri())
    page.wait_for_function("Reveal.isReady()")
    colour = "(name, what) => getComputedStyle(document.querySelector(name))[what]"
    seen = [
        page.evaluate(f"({colour})('body', 'backgroundColor')"),
        page.evaluate(f"({colour})('section.present h1', 'color')"),
        page.evaluate(f"({colour})('section.present .text', 'color')"),
    ]
    ground, *texts = [[int(part) for part in text[4:-1].split(", ")] for text in seen]
    assert max(ground) < 40
    assert all(min(text) > 140 for text in texts)


@pytest.mark.parametrize("slide", range(1, 7))
def test_nothing_overlaps_or_leaves_the_slide(slide, open_deck):
    """Title, text and chart stand inside the slide, and none over another."""
    page = open_deck(slide)
    boxes = page.evaluate(
        """[...document.querySelectorAll("section.present > *")].map((element) => {
          const range = document.createRange();
          range.selectNodeContents(element);
          const box = (element.textContent.trim() ? range : element).getBoundingClientRect();
          return [box.left, box.top, box.right, box.bottom];
        })"""
    )
    assert len(boxes) == (2 if slide == 1 else 3)
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert top >= 0
        assert right <= 1280
        assert bottom <= 720
    for number, first in enumerate(boxes):
        for second in boxes[number + 1 :]:
            apart = first[2] <= second[0] or second[2] <= first[0]
            assert apart or first[3] <= second[1] or second[3] <= first[1]
