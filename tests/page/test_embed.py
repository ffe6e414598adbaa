"""A chart with its controls alone, in somebody's frame."""

import re

import pytest

from tests.markup import Markup
from tests.page.colours import Picture
from tests.page.gestures import Spot, drag, hollow, nearest_stop
from tests.page.seen import PHASES, START, TOO_BIG, State, places, set_state, settle
from tests.page.test_width import CUT, SCROLLS

CHARTS = ("roofline", "timeline")
EMBEDS = [f"embed/{chart}.html" for chart in CHARTS]
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
# A page around a chart: it notes what it is told, and makes the frame as high as it is told.
AROUND = """<!doctype html>
<meta charset="utf-8">
<title>around</title>
<style>
  body {{ margin: 0; background: rgb(0, 128, 0); }}
  #stage {{ width: 1000px; transform-origin: 0 0; transform: translate(20px, 10px) scale({scale}); }}
  iframe {{ display: block; width: 100%; height: 900px; border: 0; }}
</style>
<div id="stage"><iframe src="{address}" title="a chart" sandbox="allow-scripts"></iframe></div>
<script>
  const heights = [];
  addEventListener("message", ({{ data, source }}) => {{
    const frame = document.querySelector("iframe");
    if (data?.type === "two-phases:height" && source === frame.contentWindow) heights.push(data.height);
  }});
</script>
"""
# Where the live points are drawn, as shares of the plot from the lower left, and how far off the handles lie.
POINTS = """
() => {
  const plot = document.querySelector("#roofline .live .root > g > .background").getBoundingClientRect();
  const middle = (element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return { x: (left + right) / 2, y: (top + bottom) / 2 };
  };
  return Object.fromEntries(["prefill", "decode"].map((phase) => {
    const point = middle(document.querySelector(`#roofline [class*="${phase}_point"] path`));
    const handle = middle(document.querySelector(`[data-point="${phase}"]`));
    return [phase, {
      x: (point.x - plot.left) / plot.width,
      y: (plot.bottom - point.y) / plot.height,
      off: Math.hypot(point.x - handle.x, point.y - handle.y),
      handle,
    }];
  }));
}
"""
# What is painted on, but for the drawings and what is too small to matter.
PAINTED = """
() => [...document.querySelectorAll("html, body, body *:not(svg *)")]
  .flatMap((element) => ["", "::before", "::after"].map((pseudo) => [element, pseudo]))
  .map(([element, pseudo]) => [element, pseudo, getComputedStyle(element, pseudo || null)])
  .filter(([element, pseudo, style]) => element.checkVisibility() && (!pseudo || style.content !== "none"))
  .filter(([, , style]) => style.backgroundColor !== "rgba(0, 0, 0, 0)" || style.backgroundImage !== "none")
  .map(([element, pseudo]) => element.tagName + (element.id || element.className) + pseudo)
"""


def check(frame, state):
    """Asserts that a roofline in a frame shows a state, and its controls as well."""
    assert frame.evaluate("explainer.state()") == state._asdict()
    assert frame.evaluate("Number(document.getElementById('batch').value)") == state.values["batch"]
    points = frame.evaluate(POINTS)
    for phase, place in places(state).items():
        assert (points[phase]["x"], points[phase]["y"]) == pytest.approx(place, abs=0.002), phase
        assert points[phase]["off"] < 1, phase


@pytest.fixture
def around(watched, site, tmp_path):
    """A chart in a sandboxed and perhaps scaled frame of another page: gives the page and the frame."""

    def opened(name="embed/roofline.html", tail="", scale=1, width=None, **options):
        file = tmp_path / "around.html"
        address = (site / name).as_uri() + tail
        file.write_text(AROUND.format(scale=scale, address=address), encoding="utf-8")
        size = {"width": width or round(1000 * scale) + 40, "height": round(900 * scale) + 20}
        page = watched.new_page(file, site / name, viewport=size, **options)
        page.goto(file.as_uri())
        frame = page.frames[1]
        frame.evaluate("explainer.ready")
        return page, frame

    return opened


@pytest.mark.parametrize("name", EMBEDS)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("theme", "light", "dark"),
    [
        ("?theme=light", "rgb(253, 252, 249)", "rgb(253, 252, 249)"),
        ("?theme=dark", "rgb(22, 21, 19)", "rgb(22, 21, 19)"),
        ("?theme=transparent", "rgba(0, 0, 0, 0)", "rgba(0, 0, 0, 0)"),
        ("", "rgb(253, 252, 249)", "rgb(22, 21, 19)"),
        ("?theme=pink", "rgb(253, 252, 249)", "rgb(22, 21, 19)"),
    ],
)
def test_the_look_is_in_the_address(open_file, name, scheme, theme, light, dark):
    """A theme in the address holds whatever the reader's own; without a known one the reader's does."""
    page = open_file(name, theme, scheme=scheme)
    assert page.evaluate(BACKGROUND) == {"light": light, "dark": dark}[scheme]


@pytest.mark.parametrize("width", [320, 1280])
@pytest.mark.parametrize("name", EMBEDS)
def test_transparent_paints_nothing(open_file, name, width):
    """In the transparent look no box and no button has a ground of its own, narrow or wide."""
    assert open_file(name, "?theme=transparent", width=width).evaluate(PAINTED) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_lies_behind_is_seen(around, scheme):
    """In a frame the transparent look shows what lies behind it, whatever the reader's theme."""
    page, _ = around(tail="?theme=transparent", color_scheme=scheme)
    assert Picture(page, clip={"x": 24, "y": 14, "width": 4, "height": 4}).at(0, 0) == (0, 128, 0)


@pytest.mark.parametrize("name", EMBEDS)
def test_the_state_is_in_the_address(open_file, name):
    """A chart opens at its address's state, follows it, and writes it when it is moved; the theme stays."""
    page = open_file(name, f"?theme=dark{State(4096, 512, 64).hash}")
    assert page.evaluate("explainer.state()") == State(4096, 512, 64)._asdict()
    page.click('[data-set="batch:8"]')
    settle(page, State(4096, 512, 8))
    assert page.evaluate("location.search") == "?theme=dark"
    page.evaluate("location.hash = '#output=16'")
    page.wait_for_function("() => explainer.state().output === 16")


def test_the_timeline_alone(open_file):
    """The timeline's own page has its three controls and draws the state that they are at."""
    page = open_file("embed/timeline.html")
    state = State(4096, 2048, 64)
    set_state(page, state)
    settle(page, state)
    latency = page.evaluate("explainer.figures({prompt: 4096, output: 2048, batch: 64}).latency")
    assert f"done after {latency}" in page.text_content("#timeline .live")
    assert latency in page.text_content("#timeline-words")
    assert page.locator("input[type=range]:visible").count() == 3
    assert page.locator("#roofline, #reading").count() == 0


@pytest.mark.parametrize("name", EMBEDS)
def test_the_height_is_told(around, name):
    """The page around is told the chart's height, anew when the width changes, and it is the right one."""
    page, frame = around(name)
    measured = "Math.ceil(document.documentElement.getBoundingClientRect().height)"
    heights = []
    for width in (1000, 320, 760):
        page.evaluate("width => { document.getElementById('stage').style.width = `${width}px`; }", width)
        frame.wait_for_function("width => innerWidth === width", arg=width)
        height = frame.evaluate(f"new Promise(requestAnimationFrame).then(() => {measured})")
        page.wait_for_function("height => heights.at(-1) === height", arg=height)
        heights.append(height)
        # In a frame of that height nothing scrolls.
        page.evaluate("height => { document.querySelector('iframe').style.height = `${height}px`; }", height)
        frame.wait_for_function("height => innerHeight === height", arg=height)
        assert frame.evaluate("document.documentElement.scrollHeight") == height
    assert len(set(heights)) == 3


def test_alone_it_tells_nobody(open_file):
    """Outside any frame a chart posts no message."""
    init = "globalThis.told = []; addEventListener('message', ({ data }) => told.push(data));"
    page = open_file("embed/roofline.html", init=init)
    page.set_viewport_size({"width": 400, "height": 800})
    set_state(page, TOO_BIG)
    assert page.evaluate("told") == []


def test_a_sandboxed_frame(around):
    """In a sandbox that allows scripts alone, presets, keys and drags work, and the address follows."""
    page, frame = around()
    assert frame.evaluate("origin") == "null"
    frame.click('[data-set="batch:64"]')
    set_state(frame, TOO_BIG)
    check(frame, TOO_BIG)
    frame.press("#prompt", "End")
    frame.click("#reset")
    frame.evaluate("document.getElementById('roofline').scrollIntoView({ block: 'end' })")
    set_state(frame, START)
    start, end = frame.evaluate(POINTS)["prefill"]["handle"], hollow(frame, "prompt", 4096)
    drag(page, Spot(**start).moved(20, 10), end.moved(20, 10))
    set_state(frame, State(prompt=4096))
    check(frame, State(prompt=4096))
    settle(frame, State(prompt=4096))


@pytest.mark.parametrize("scale", [0.3, 0.5, 1.5, 2])
def test_a_scaled_slide(around, scale):
    """However a slide scales the frame, what is under the pointer is hit, and a dragged point stays there."""
    page, frame = around(scale=scale)

    def placed(spot):
        return Spot(20 + spot.x * scale, 10 + spot.y * scale)

    def live(phase):
        return placed(Spot(**frame.evaluate(POINTS)[phase]["handle"]))

    def reached(state):
        frame.evaluate("explainer.set({})")
        check(frame, state)

    page.mouse.click(*placed(hollow(frame, "batch", 64)))
    reached(TOO_BIG)
    drag(page, live("prefill"), placed(hollow(frame, "prompt", 4096)))
    reached(State(4096, 128, 64))
    plot = "document.querySelector('#roofline .live .root > g > .background')"
    box = frame.evaluate(f"{plot}.getBoundingClientRect().toJSON()")
    drag(page, live("decode"), up=False)
    for share in (0.1, 0.6, 0.95):
        spot = Spot(box["left"] + box["width"] * share, box["top"] + box["height"] / 2)
        page.mouse.move(*placed(spot), steps=4)
        reached(State(4096, 128, nearest_stop(State(4096, 128, 64), "decode", share)))
    page.mouse.up()


@pytest.mark.parametrize("width", [320, 360, 704, 1280])
@pytest.mark.parametrize("name", EMBEDS)
def test_nothing_scrolls_sideways(open_file, name, width):
    """In frames of every width nothing is wider than the frame."""
    page = open_file(name, width=width)
    for state in (START, TOO_BIG, State(1536, 1536, 1024)):
        set_state(page, state)
        assert (page.evaluate(CUT), page.evaluate(SCROLLS)) == ([], [0, 0])


def test_without_scripts(open_file):
    """With scripts off the start's drawing, its numbers and its words are there."""
    page = open_file("embed/roofline.html", java_script_enabled=False)
    assert page.locator("#roofline svg:visible").count() == 1
    assert "decode, 1 request" in page.locator("#roofline svg:visible").text_content()
    assert page.locator("output[for=batch]").inner_text() == "1 request"


def test_the_snippets_on_the_page(watched, site, tmp_path):
    """What the page offers to copy is a frame of each chart's file, and pasted into another page it works."""
    markup = Markup((site / "index.html").read_text(encoding="utf-8"))
    snippets = [element.text for element in markup.all("pre") if element["class"] == "snippet"]
    frames = [Markup(snippet).one("iframe") for snippet in snippets]
    files = [re.split("[?#]", frame["src"])[0] for frame in frames]
    assert sorted(files) == sorted(EMBEDS)
    assert {frame["sandbox"] for frame in frames} == {"allow-scripts"}
    assert all(frame["title"] for frame in frames)
    pasted = "".join(snippets).replace('src="', f'src="{site.as_uri()}/')
    file = tmp_path / "talk.html"
    file.write_text(f"<!doctype html><title>talk</title>{pasted}", encoding="utf-8")
    page = watched.new_page(file, *(site / name for name in files), viewport={"width": 900, "height": 1000})
    page.goto(file.as_uri())
    for frame in page.frames[1:]:
        frame.evaluate("explainer.ready")
        assert frame.evaluate("explainer.state()") == START._asdict()
        assert frame.locator(".chart .live svg").count() == 1


def test_all_phases_are_handled(open_file):
    """The roofline alone has both live points' handles, with values in words."""
    page = open_file("embed/roofline.html", TOO_BIG.hash)
    words = {"prefill": "1K tokens", "decode": "64 requests, does not fit"}
    for phase in PHASES:
        assert page.get_attribute(f'[data-point="{phase}"]', "aria-valuetext") == words[phase]
