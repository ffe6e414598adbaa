"""The way between the pages of one site, opened from a disk."""

import pytest

from builder.output import OutputFolder
from builder.site import plan_site
from tests.conftest import TEMPLATES
from tests.page.seen import START, State

MOVED = State(4096, 512, 64)
# The file of each page, and the machine that the navigation calls it by.
PAGES = {"index.html": "4 × A100 40 GB", "a100-80gb/index.html": "4 × A100 80 GB"}
FIRST, SECOND = PAGES


@pytest.fixture(scope="module")
def both(two_pages, tmp_path_factory):
    """The folder of a site of two pages."""
    out = tmp_path_factory.mktemp("both")
    OutputFolder(out).replace(plan_site(two_pages, TEMPLATES).files)
    return out


@pytest.fixture
def open_first(both, watched):
    """Opens the first of the two pages at an address."""

    def opened(hash="", width=1280, **options):
        files = [both / name for name in PAGES]
        page = watched.new_page(*files, viewport={"width": width, "height": 800}, **options)
        page.goto(files[0].as_uri() + hash)
        page.evaluate("explainer.ready")
        return page

    return opened


def check_at(page, file, state):
    """Asserts that the window shows the page of that file in a state, in its address and all over."""
    page.wait_for_url(file.as_uri() + state.hash)
    name = SECOND if file.parent.name in SECOND else FIRST
    page.evaluate("explainer.ready")
    assert page.locator(".pages [aria-current=page]").inner_text() == f"{machine(name)}, this page"
    assert page.title().endswith(f": {machine(name)}")
    assert page.evaluate("explainer.state()") == state._asdict()
    assert [page.input_value(f"#{axis}") for axis in state.values] == [
        str(at) for at in state.values.values()
    ]
    assert f"decode, {state.batch} request" in page.locator("#roofline .live").text_content()


def machine(name):
    return f"Llama 3 70B, BF16, on {PAGES[name]}"


def by_mouse(page, name):
    """Clicks the way to a page."""
    page.click(f'.pages a:has-text("{PAGES[name]}")')


def by_keys(page, name):
    """Goes there with the Tab key, from the top of the page, and Enter."""
    page.focus(".skip")
    for _ in range(4):
        page.keyboard.press("Tab")
        if PAGES[name] in page.evaluate("document.activeElement.textContent"):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"Tab does not reach the way to {name}")


@pytest.mark.parametrize("follow", [by_mouse, by_keys])
def test_the_other_page_opens_in_the_same_state(open_first, both, follow):
    """There and back again, the other page shows the state that this one showed."""
    page = open_first(MOVED.hash)
    for name in (SECOND, FIRST):
        follow(page, name)
        check_at(page, both / name, MOVED)


@pytest.mark.parametrize("follow", [by_mouse, by_keys])
def test_a_state_that_has_just_been_chosen_goes_along(open_first, both, follow):
    """What moved a moment ago, before the address has followed, is what the other page opens at."""
    page = open_first()
    page.click('[data-set="batch:64"]')
    follow(page, SECOND)
    check_at(page, both / SECOND, START._replace(batch=64))


def test_the_way_back_in_the_browser(open_first, both):
    """Back leads to the first page as it was left, whatever was moved on the second, and forth to that."""
    page = open_first(MOVED.hash)
    by_mouse(page, SECOND)
    check_at(page, both / SECOND, MOVED)
    page.press("#batch", "Home")
    page.wait_for_url(f"**{MOVED._replace(batch=1).hash}")
    page.go_back()
    check_at(page, both / FIRST, MOVED)
    page.go_forward()
    check_at(page, both / SECOND, MOVED._replace(batch=1))


def test_without_scripts_there_is_a_way(both, watched):
    """With scripts off the links lead from page to page all the same."""
    page = watched.new_page(*(both / name for name in PAGES), java_script_enabled=False)
    page.goto((both / FIRST).as_uri())
    for name in (SECOND, FIRST):
        by_mouse(page, name)
        page.wait_for_url((both / name).as_uri())
        assert page.locator(".pages [aria-current=page]").inner_text() == f"{machine(name)}, this page"


@pytest.mark.parametrize("width", [1280, 360])
def test_the_links_can_be_hit(open_first, width):
    """Each line of the navigation is 24 pixels high at least, and none is wider than the window."""
    page = open_first(width=width)
    for link in page.locator(".pages li").all():
        box = link.bounding_box()
        assert box["height"] >= 24
        assert box["x"] + box["width"] <= width
