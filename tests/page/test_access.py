"""What axe finds, and what a page says to those who hear it."""

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import expect

from tests import oracle
from tests.page.gestures import drag, handle, hollow, show_roofline
from tests.page.seen import CROSSED, LONGEST, SHORTEST, START, TOO_BIG, State, set_state, settle

FILES = ("index.html", "embed/roofline.html", "embed/timeline.html", "404.html")
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RUN_AXE = """
async (rules) => {
  const { violations } = await axe.run({ runOnly: rules, resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => [id, nodes.map((node) => node.target.join(" "))]);
}
"""
# Lets the test say when the pause after a move is over; short timers run as they do.
HOLD_PAUSES = """
globalThis.pauses = new Map();
const start = globalThis.setTimeout;
const stop = globalThis.clearTimeout;
globalThis.setTimeout = (callback, after, ...more) => {
  if (!(after >= 100)) return start(callback, after, ...more);
  const id = start(() => {}, 0);
  pauses.set(id, callback);
  return id;
};
globalThis.clearTimeout = (id) => { pauses.delete(id); stop(id); };
globalThis.passPauses = () => {
  const due = [...pauses.values()];
  pauses.clear();
  for (const callback of due) callback();
};
"""
# Notes each text that the status gets.
LISTEN = """
() => {
  globalThis.said = [];
  const status = document.getElementById("announcement");
  const note = () => said.push(status.textContent);
  new MutationObserver(note).observe(status, { childList: true, characterData: true, subtree: true });
}
"""


def found_by_axe(page):
    """What axe finds, with everything that can be opened open."""
    page.evaluate("document.querySelectorAll('details').forEach((part) => { part.open = true; })")
    page.evaluate(AXE_SCRIPT)
    return page.evaluate(RUN_AXE, RULES)


@pytest.mark.parametrize("width", [1280, 320])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", FILES)
def test_axe_finds_nothing(open_file, name, scheme, width):
    """In every file and both themes, wide and narrow, axe objects to no state, fitting or not."""
    page = open_file(name, width=width, scheme=scheme)
    assert found_by_axe(page) == []
    if name != "404.html":
        set_state(page, TOO_BIG)
        assert found_by_axe(page) == []


def test_axe_would_find_faults(open_file):
    """A picture without words, faint text and a button without a name are found."""
    page = open_file("404.html")
    page.evaluate(
        """() => {
          document.querySelector("main").append(
            new Image(), document.createElement("button"), document.createElement("p"));
          document.querySelector("main > p").textContent = "faint";
          document.querySelector("main > p").style.color = "#ccc9";
        }"""
    )
    assert {rule for rule, _ in found_by_axe(page)} >= {"image-alt", "button-name", "color-contrast"}


@pytest.mark.parametrize("name", ["index.html", "embed/roofline.html"])
def test_everything_that_moves_has_a_name(open_file, name):
    """Five sliders and the presets are found by role and name, the presets in their control's group."""
    page = open_file(name)
    for slider in ("Prompt", "Output", "Batch", "prefill", "decode"):
        expect(page.get_by_role("slider", name=slider, exact=True)).to_have_count(1)
    for control, words in (("Prompt", "4K tokens"), ("Output", "512 tokens"), ("Batch", "64 requests")):
        group = page.get_by_role("group", name=f"{control} presets", exact=True)
        expect(group.get_by_role("button", name=words, exact=True)).to_have_count(1)
    expect(page.get_by_role("button", name="Reset", exact=True)).to_have_count(1)


def test_values_by_hand(open_page):
    """Controls and points say values with units: "4K tokens", "64 requests, does not fit"."""
    page = open_page()

    def spoken(*selectors):
        return [page.get_attribute(selector, "aria-valuetext") for selector in selectors]

    assert spoken("#batch", '[data-point="decode"]') == ["1 request, fits"] * 2
    set_state(page, State(4096, 96, 64))
    assert spoken("#batch", '[data-point="decode"]') == ["64 requests, does not fit"] * 2
    assert spoken("#prompt", '[data-point="prefill"]', "#output") == ["4K tokens", "4K tokens", "96 tokens"]


@pytest.mark.parametrize("scripts", [True, False])
def test_the_words_of_the_charts_at_the_start(open_page, scripts):
    """With and without scripts, each chart is a named group whose description is in words what it shows."""
    page = open_page(java_script_enabled=scripts)
    for chart, words in WORDS.items():
        group = page.locator(f"#{chart}")
        assert group.get_attribute("role") == "group"
        assert group.get_attribute("aria-label")
        assert group.get_attribute("aria-describedby") == f"{chart}-words"
        assert missing(page, chart, words, START) == []


WORDS = {
    "roofline": (
        *("prompt", "prefill_intensity", "prefill_of_peak", "prefill_bound"),
        *("batch", "decode_intensity", "decode_of_peak", "decode_bound", "fits"),
    ),
    "timeline": ("ttft", "output", "itl", "latency"),
}


def missing(page, chart, words, state):
    """The figures of the state that the chart's description lacks."""
    figures, text = oracle.figures(*state), page.text_content(f"#{chart}-words")
    return [name for name in words if figures[name] not in text]


def test_the_words_of_the_charts_follow(open_page):
    """In states of every kind the charts' descriptions say the state, once it has settled."""
    page = open_page()
    for state in (TOO_BIG, CROSSED, SHORTEST, LONGEST):
        set_state(page, state)
        settle(page, state)
        for chart, words in WORDS.items():
            expect(page.locator(f"#{chart}")).to_have_accessible_description(
                page.text_content(f"#{chart}-words").strip()
            )
            assert missing(page, chart, words, state) == [], (chart, state)


def test_drawings_are_silent(open_page):
    """What the charts are drawn with is hidden from those who hear the page; the handles are not."""
    page = open_page()
    assert page.locator(".chart svg").count() == 2
    assert page.locator("[aria-hidden=true] > svg, [aria-hidden=true] > * > svg").count() == 2
    assert page.locator("[aria-hidden=true] [data-point]").count() == 0


def test_the_status_is_polite(open_page):
    """The sentence that is announced is a status, and nothing on the page speaks up unasked."""
    page = open_page()
    assert page.get_attribute("#announcement", "role") == "status"
    assert page.get_attribute("#announcement", "aria-live") in (None, "polite")
    assert page.locator("[aria-live=assertive], [role=alert]").count() == 0


@pytest.mark.parametrize("what", ["a point", "a control"])
def test_one_announcement_a_drag(open_page, what):
    """However long a drag rests on its way, it is announced once, after it has ended, and not before."""
    page = open_page(height=1600, init=HOLD_PAUSES)
    page.evaluate(LISTEN)
    if what == "a point":
        show_roofline(page)
        drag(page, handle(page, "decode"), hollow(page, "batch", 8), hollow(page, "batch", 32), up=False)
        page.evaluate("passPauses()")
        page.mouse.move(*hollow(page, "batch", 64), steps=6)
    else:
        box = page.locator("#batch").bounding_box()
        y = box["y"] + box["height"] / 2
        page.mouse.move(box["x"] + 10, y)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] / 3, y, steps=6)
        page.evaluate("passPauses()")
        page.mouse.move(box["x"] + box["width"] - 1, y, steps=6)
    page.evaluate("passPauses()")
    assert page.evaluate("said") == []
    page.mouse.up()
    page.evaluate("passPauses()")
    assert page.evaluate("said") == [page.text_content("#reading")]


def test_a_key_is_announced(open_page):
    """Keys that follow each other are announced once, with the last state's reading."""
    page = open_page(init=HOLD_PAUSES)
    page.evaluate(LISTEN)
    for _ in range(5):
        page.press("#batch", "ArrowRight")
    assert page.evaluate("said") == []
    page.evaluate("passPauses()")
    assert page.evaluate("said") == [page.text_content("#reading")]
