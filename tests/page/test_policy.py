"""The page under its own policy, with everything on it used."""

import re

import pytest

from tests.markup import Markup
from tests.page.gestures import drag, handle, hollow, show_roofline
from tests.page.seen import PRESETS, STOPS, TOO_BIG, State, check, set_state

LISTEN = """
globalThis.violations = [];
addEventListener("securitypolicyviolation", (event) => {
  violations.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
});
"""
FILES = ("index.html", "embed/roofline.html", "embed/timeline.html", "404.html")


@pytest.mark.parametrize("name", FILES)
def test_each_file_has_a_strict_policy(site, name):
    """In every file the policy comes before scripts and styles, and allows nothing by default or unsafe."""
    markup = Markup((site / name).read_text(encoding="utf-8"))
    policy = markup.one("meta", http_equiv="Content-Security-Policy")
    assert markup.elements.index(policy) < min(
        markup.elements.index(element) for element in markup.all("script", "style", "link")
    )
    directives = dict(part.strip().split(" ", 1) for part in policy["content"].split(";"))
    assert directives["default-src"] == "'none'"
    for name in ("script-src", "style-src"):
        assert all(re.fullmatch(r"'(none|sha256-[\w+/]+=)'", source) for source in directives[name].split())
    assert "unsafe" not in policy["content"]


def test_nothing_violates_the_policy(open_page):
    """After every control, preset, click, drag, address, width and theme the policy had nothing to stop."""
    page = open_page(init=LISTEN)
    for axis, stops in PRESETS.items():
        for stop in stops:
            page.click(f'[data-set="{axis}:{stop}"]')
        for key in ("End", "Home", "PageUp", "ArrowRight"):
            page.press(f"#{axis}", key)
        box = page.locator(f"#{axis}").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        assert page.evaluate("axis => explainer.state()[axis]", axis) in STOPS[axis][1:-1]
    page.click("#reset")
    for summary in page.locator("summary").all():
        summary.click()
    show_roofline(page)
    page.mouse.click(*hollow(page, "batch", 64))
    check(page, TOO_BIG)
    page.mouse.move(*hollow(page, "prompt", 512))
    drag(page, handle(page, "prefill"), hollow(page, "prompt", 4096))
    drag(page, handle(page, "decode"), hollow(page, "batch", 8))
    check(page, State(4096, 128, 8))
    page.evaluate("location.hash = '#batch=512'")
    page.wait_for_function("() => document.documentElement.dataset.batch === '512'")
    page.emulate_media(color_scheme="dark")
    page.set_viewport_size({"width": 360, "height": 640})
    page.emulate_media(media="print")
    page.emulate_media(media="screen")
    set_state(page, TOO_BIG)
    check(page, TOO_BIG)
    assert page.evaluate("violations") == []


@pytest.mark.parametrize(
    ("script", "directive"),
    [
        ("document.body.setAttribute('style', 'color: red')", "style-src-attr"),
        (
            "document.head.append(Object.assign(document.createElement('script'), {textContent: '1'}))",
            "script-src-elem",
        ),
        ("new Image().src = 'https://example.org/x.png'", "img-src"),
    ],
)
def test_a_violation_would_be_seen(open_file, watched, script, directive):
    """The policy stops a style attribute, a script and a picture from elsewhere, and the test hears of it."""
    page = open_file("index.html", init=LISTEN)
    page.evaluate(f"() => {{ {script} }}")
    page.wait_for_function("() => violations.length > 0")
    assert page.evaluate("violations")[0].startswith(directive)
    watched.close()
    assert any("Content Security Policy" in fault for fault in watched.faults)
    watched.faults.clear()
