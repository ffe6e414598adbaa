"""Contrast, computed from the colours that the page comes to in both themes, and from what it paints."""

import pytest

from builder.charts import LIGHT
from tests.page.colours import Picture, contrast, resolved
from tests.page.seen import START, STOPS, TOO_BIG, set_state

SCHEMES = ("light", "dark")
# WCAG 2.2: 1.4.3 for text, 1.4.11 for what a control or a drawing is known by.
TEXT, PARTS = 4.5, 3
WORDS = ("ink", "muted", "prefill", "decode")
# Each text of the charts with its colour.
CHART_TEXTS = """
() => [...document.querySelectorAll(".chart text")]
  .filter((text) => text.textContent && text.checkVisibility())
  .map((text) => [text.textContent, getComputedStyle(text).fill])
"""


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("ground", ["paper", "wash"])
def test_text_can_be_read(open_file, scheme, ground):
    """Text, muted text and both phases' colours have 4.5:1 against the paper and against its washed parts."""
    page = open_file("404.html", scheme=scheme)
    behind, *colours = resolved(page, f"var(--{ground})", *(f"var(--{name})" for name in WORDS))
    ratios = {name: contrast(colour, behind) for name, colour in zip(WORDS, colours, strict=True)}
    assert {name: ratio for name, ratio in ratios.items() if ratio < TEXT} == {}


@pytest.mark.parametrize("scheme", SCHEMES)
def test_text_in_charts_can_be_read(open_page, scheme):
    """Every text that a chart draws has 4.5:1 against the paper."""
    page = open_page(scheme=scheme)
    for state in (START, TOO_BIG):
        set_state(page, state)
        texts = page.evaluate(CHART_TEXTS)
        assert len(texts) > 15
        paper, *colours = resolved(page, "var(--paper)", *(fill for _, fill in texts))
        faint = [
            text for (text, _), colour in zip(texts, colours, strict=True) if contrast(colour, paper) < TEXT
        ]
        assert faint == []


@pytest.mark.parametrize("scheme", SCHEMES)
def test_controls_can_be_seen(open_page, scheme):
    """Track and thumb of every control have 3:1 against the paper, as they are painted."""
    page = open_page(scheme=scheme)
    (paper,) = resolved(page, "var(--paper)")
    for name in STOPS:
        for key, thumb, track in (("Home", 10, -30), ("End", -10, 30)):
            page.press(f"#{name}", key)
            picture = Picture(page.locator(f"#{name}"))
            thumb_at, track_at = (x % picture.width / picture.width for x in (thumb, track))
            assert contrast(picture.at(thumb_at, 0.5), paper) >= PARTS, f"the thumb of {name}"
            assert contrast(picture.at(track_at, 0.5), paper) >= PARTS, f"the track of {name}"


@pytest.mark.parametrize("scheme", SCHEMES)
def test_parts_of_drawings_can_be_seen(open_file, scheme):
    """The live points, the roof, both bars' edges and the ticks have 3:1 against what they lie on."""
    page = open_file("404.html", scheme=scheme)
    paper, ink, prefill, decode, shade = resolved(
        page,
        *("var(--paper)", "var(--ink)", "var(--prefill)", "var(--decode)"),
        "color-mix(in srgb, var(--decode) 22%, var(--paper))",
    )
    for one, other in ((ink, paper), (prefill, paper), (decode, paper), (decode, shade), (prefill, shade)):
        assert contrast(one, other) >= PARTS


def test_charts_that_stand_alone_have_the_light_colours(open_file):
    """The colours of specs and card, which know no style sheet, are those of the page's light theme."""
    page = open_file("404.html")
    roles = ("ink", "muted", "rule", "paper", "prefill", "decode")
    on_page = resolved(page, *(f"var(--{role})" for role in roles))
    alone = resolved(page, *(getattr(LIGHT, role) for role in roles))
    assert dict(zip(roles, alone, strict=True)) == dict(zip(roles, on_page, strict=True))


def test_contrast_by_hand():
    """Black on white is 21:1, #777777 on white falls just short of 4.5:1, and order does not matter."""
    white, grey = (255, 255, 255), (0x77, 0x77, 0x77)
    assert contrast((0, 0, 0), white) == pytest.approx(21)
    assert contrast(grey, white) == contrast(white, grey) == pytest.approx(4.48, abs=0.005)
