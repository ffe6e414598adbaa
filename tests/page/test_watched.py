"""The watch over the pages itself: what it is there to find, it finds."""

import pytest


@pytest.mark.parametrize(
    ("script", "fault"),
    [
        ("new Image().src = 'http://127.0.0.1:9/x.png'", "request: http://127.0.0.1:9/x.png"),
        ("console.log('a word')", "console log: a word"),
        ("setTimeout(() => { throw new Error('a fault') })", "error: a fault"),
    ],
)
def test_a_fault_is_found(watched, script, fault):
    """A page that asks for something, says something or fails is noted with what it did."""
    page = watched.new_page()
    with page.expect_event({"r": "request", "c": "console", "e": "pageerror"}[fault[0]]):
        page.evaluate(f"() => {{ {script} }}")
    watched.close()
    assert fault in watched.faults
    watched.faults.clear()


def test_a_quiet_page_has_no_faults(open_page, watched):
    """The built page, opened and moved, has none."""
    open_page().evaluate("explainer.set({batch: 64})")
    assert watched.faults == []
