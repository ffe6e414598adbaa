"""The labels of the roofline's live points, measured in every state of the page."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.page.seen import START, STOPS, State

WALK = (Path(__file__).parent / "labels.js").read_text(encoding="utf-8")


EVERY_STATE = [State(*stops)._asdict() for stops in product(*STOPS.values())]
# The outputs move points so little that the shortest and the longest tell.
ENDS = [state for state in EVERY_STATE if state["output"] in (STOPS["output"][0], STOPS["output"][-1])]


@pytest.mark.parametrize(("width", "states"), [(1280, EVERY_STATE), (360, EVERY_STATE), (320, ENDS)])
def test_labels_keep_clear(open_page: Callable[..., Page], width: int, states: list[dict[str, int]]):
    """In all states both labels lie inside the chart, off each other, the points and all names."""
    page = open_page(width=width)
    page.set_default_timeout(0)
    walk = page.evaluate(WALK, states)
    assert walk["walked"] == len(states) == {1280: 4800, 360: 4800, 320: 640}[width]
    # What a label could run into was there: the ridge, its sides, the peak, both axes, the bandwidth.
    assert len(walk["labels"]) == 7
    assert walk["bad"] == []


def test_a_label_that_lies_on_its_point_is_found(open_page: Callable[..., Page]):
    """The walk sees labels that were moved over their points, so that a clean walk means something."""
    page = open_page()
    page.evaluate(
        """() => {
            const sheet = new CSSStyleSheet();
            sheet.replaceSync(`
                #roofline [class*="prefill_label_"] text { translate: 0 20px; }
                #roofline [class*="decode_label_"] text { translate: -20px 0; }
            `);
            document.adoptedStyleSheets.push(sheet);
        }"""
    )
    faults = [fault for *_, fault in page.evaluate(WALK, [START._asdict()])["bad"]]
    assert "prefill touches the prefill point" in faults
    assert "decode touches the decode point" in faults
