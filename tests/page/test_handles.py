"""The handles of the live points: where they sit in every width, after a resize, and under a scaled page."""

import pytest

from tests.page.gestures import Spot, drag, handle, hollow, nearest_stop, show_roofline
from tests.page.seen import CROSSED, LONGEST, PHASES, SHORTEST, START, TOO_BIG, State, check, look, set_state

LAID_OUT = """
width => {
  const box = document.getElementById("roofline");
  const svg = box.querySelector("svg");
  return innerWidth === width && Number(svg.getAttribute("width")) === box.clientWidth;
}
"""
# How a slide tool shows a page: in a frame of its own size, scaled.
SLIDE = """<!doctype html>
<meta charset="utf-8">
<title>slide</title>
<style>
  body {{ margin: 0; overflow: hidden; }}
  #stage {{ width: 1000px; height: 900px; transform-origin: 0 0; }}
  #stage {{ transform: translate(20px, 10px) scale({scale}); }}
  #stage iframe {{ width: 100%; height: 100%; border: 0; }}
</style>
<div id="stage"><iframe src="{page}" title="the page"></iframe></div>
"""


def resize(page, width):
    """Makes the window as wide, and waits until the roofline is drawn for it."""
    page.set_viewport_size({"width": width, "height": 800})
    page.wait_for_function(LAID_OUT, arg=width)
    page.evaluate("explainer.set({})")


@pytest.mark.parametrize("phase", PHASES)
def test_a_handle_is_a_slider(open_page, phase):
    """A handle measures 24 pixels at least, takes the focus, and has role, name and range of a slider."""
    page = open_page()
    found = page.locator(f'[data-point="{phase}"]')
    box = found.bounding_box()
    assert min(box["width"], box["height"]) >= 24
    found.focus()
    assert page.evaluate("document.activeElement.dataset.point") == phase
    assert found.get_attribute("role") == "slider"
    assert phase in found.get_attribute("aria-label").lower()
    last = page.get_attribute(f"#{PHASES[phase]}", "max")
    assert [found.get_attribute(f"aria-value{end}") for end in ("min", "max")] == ["0", last]


def test_handles_follow_a_resize(open_page):
    """Whatever width the window is given, handles and drawing agree in every state, the extreme ones too."""
    page = open_page()
    for width in (320, 703, 704, 1023, 1024, 2560, 768, 360):
        resize(page, width)
        for state in (START, TOO_BIG, CROSSED, SHORTEST, LONGEST):
            set_state(page, state)
            check(page, state)


def test_a_point_is_dragged_after_a_resize(open_page):
    """After the window has been made narrow, the points are hit where they are then."""
    page = open_page()
    resize(page, 360)
    show_roofline(page)
    drag(page, handle(page, "prefill"), hollow(page, "prompt", 4096))
    check(page, State(prompt=4096))
    page.mouse.click(*hollow(page, "batch", 64))
    check(page, State(prompt=4096, batch=64))


def test_a_chart_that_was_hidden(open_page):
    """Charts whose box was hidden when Vega started are right as soon as it shows."""
    hold = "requestIdleCallback = (callback) => { globalThis.start = callback; };"
    page = open_page(TOO_BIG.hash, init=hold, ready=False)
    page.evaluate("document.querySelector('.bench').style.display = 'none'")
    page.evaluate("start()")
    page.evaluate("explainer.ready")
    page.evaluate("document.querySelector('.bench').style.display = ''")
    page.wait_for_function(LAID_OUT, arg=1280)
    page.evaluate("explainer.set({})")
    check(page, TOO_BIG)


@pytest.fixture
def slide(watched, site, tmp_path):
    """The page in a scaled frame: gives the window, the frame, and where a place in it is in the window."""

    def opened(scale):
        file = tmp_path / "slide.html"
        file.write_text(SLIDE.format(scale=scale, page=(site / "index.html").as_uri()), encoding="utf-8")
        size = {"width": round(1000 * scale) + 40, "height": round(900 * scale) + 20}
        page = watched.new_page(file, viewport=size)
        page.goto(file.as_uri())
        frame = page.frames[1]
        frame.evaluate("explainer.ready")
        show_roofline(frame)
        return page, frame, lambda spot: Spot(20 + spot.x * scale, 10 + spot.y * scale)

    return opened


@pytest.mark.parametrize("scale", [0.3, 0.5, 1.5, 2])
def test_a_scaled_slide(slide, scale):
    """In a scaled slide the point under the pointer is hit, and a dragged one stays under it."""
    page, frame, placed = slide(scale)
    hits_what_is_there(page, frame, placed)


@pytest.mark.parametrize(
    ("element", "scale"), [("#roofline", s) for s in (0.3, 0.5, 1.5, 2)] + [("body", 0.5), ("body", 2)]
)
def test_a_scaled_part(open_page, scale, element):
    """The same holds where the chart itself is scaled, or all of the page."""
    page = open_page(width=2000, height=4000)
    page.evaluate(
        "([element, scale]) => Object.assign(document.querySelector(element).style,"
        " { transform: `scale(${scale})`, transformOrigin: '50% 0' })",
        [element, scale],
    )
    hits_what_is_there(page, page, lambda spot: spot)


@pytest.mark.parametrize("width", [1280, 720])
def test_browser_zoom(open_page, width):
    """At twice the pixels and a zoom of 200 percent, what is under the pointer is hit and dragged."""
    page = open_page(width=width, device_scale_factor=2)
    page.evaluate("document.documentElement.style.zoom = 2")
    page.evaluate("explainer.set({})")
    hits_what_is_there(page, page, lambda spot: spot)


def hits_what_is_there(page, frame, placed):
    """Clicks hollow points, drags a live one, then another to 10, 60 and 95 percent of the chart's width."""
    show_roofline(frame)
    page.mouse.click(*placed(hollow(frame, "batch", 64)))
    check(frame, TOO_BIG)
    page.mouse.click(*placed(hollow(frame, "prompt", 128)))
    check(frame, State(128, 128, 64))
    drag(page, placed(handle(frame, "prefill")), placed(hollow(frame, "prompt", 4096)))
    check(frame, State(4096, 128, 64))
    plot = "document.querySelector('#roofline svg .root > g > .background')"
    box = frame.evaluate(f"{plot}.getBoundingClientRect().toJSON()")
    drag(page, placed(handle(frame, "decode")), up=False)
    for share in (0.1, 0.6, 0.95):
        page.mouse.move(
            *placed(Spot(box["left"] + box["width"] * share, box["top"] + box["height"] / 2)), steps=4
        )
        check(frame, State(4096, 128, nearest_stop(State(4096, 128, 64), "decode", share)))
    page.mouse.up()


def test_a_point_can_be_taken_at_its_middle(open_page):
    """In states of every kind a press on the middle of either handle takes that point and no other."""
    page = open_page(width=768)
    show_roofline(page)
    for state in (START, TOO_BIG, CROSSED, SHORTEST, LONGEST, State(32, 16, 32)):
        for phase in PHASES:
            set_state(page, state)
            page.mouse.move(*handle(page, phase))
            page.mouse.down()
            assert page.evaluate("document.activeElement.dataset.point") == phase
            page.mouse.up()
            assert look(page)["state"] == state._asdict()
