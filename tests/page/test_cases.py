"""Reports of what went wrong elsewhere whose right answer only a browser can give: pages of other content."""

import pytest

from builder.output import OutputFolder
from builder.site import plan_site
from tests.conftest import CASES, TEMPLATES

ODD_NAME = "A100.40[GB]'\"\\"
FIXED = {37: "prompt = [64]", 38: "output = [16]", 39: "batch = [2]"}
FIXED |= {42: "prompt = [64]", 43: "output = [16]", 44: "batch = [2]", 49: "batch = 2"}


@pytest.fixture
def open_content(content, watched, tmp_path):
    """Builds the small content with some files written anew, and opens its page; Vega drives the charts."""

    def opened(texts, hash=""):
        for name, text in texts.items():
            (content / name).write_text(text, encoding="utf-8")
        OutputFolder(tmp_path / "out").replace(plan_site(content, TEMPLATES).files)
        page = watched.new_page(tmp_path / "out" / "index.html", viewport={"width": 1280, "height": 800})
        page.goto((tmp_path / "out" / "index.html").as_uri() + hash)
        page.evaluate("explainer.ready")
        return page

    return opened


def texts(page, chart="roofline"):
    """The lines of text that Vega has drawn."""
    return page.locator(f"#{chart} .live svg").text_content()


def test_av_01_a_number_from_an_input(open_content):
    """An input's text is a number in every chart, and a preset moves the thumb."""
    page = open_content({})
    assert "decode, 1 request" in texts(page)
    assert page.input_value("#batch") == "0"
    page.evaluate("batch.value = '1'; batch.dispatchEvent(new Event('input', {bubbles: true}))")
    page.evaluate("explainer.set({})")
    assert "decode, 2 requests" in texts(page)
    assert page.evaluate("explainer.state().batch") == 2
    page.click('[data-set="batch:4"]')
    page.evaluate("explainer.set({})")
    assert "decode, 4 requests" in texts(page)
    assert page.input_value("#batch") == "2"


def test_av_04_every_state_of_a_large_grid(open_content):
    """5,832 states open, and the last of them is shown as the model has it."""
    page = open_content({"scenario.toml": (CASES / "AV-04.toml").read_text(encoding="utf-8")})
    page.evaluate("explainer.set({prompt: 131072, output: 131072, batch: 131072})")
    shown = page.evaluate("explainer.figures(explainer.state())")
    assert (shown["prompt"], shown["output"], shown["batch"]) == (
        "128K tokens",
        "128K tokens",
        "131,072 requests",
    )
    # 2 · 32 · 8 · 128 · 2 = 131,072 bytes a token, of 2^17 requests with 2^18 tokens each: 2^52 bytes
    assert shown["cache"] == "4503599.6 GB"
    assert "decode, 131,072 requests" in texts(page)


def test_wb_01_no_element_and_no_script(open_content):
    """The title is what was typed, nothing of the content became an element or ran, and the charts live."""
    name = "small </ScRiPt > batch"
    toy = (CASES / "toy.toml").read_text(encoding="utf-8")
    page = open_content(
        {
            "page.toml": (CASES / "WB-01.toml").read_text(encoding="utf-8"),
            "prose/part.md": (CASES / "WB-01.md").read_text(encoding="utf-8")
            + "\n{{ model }}, {{ card }}.\n",
            "scenario.toml": toy.replace('"toy"', f"'{name}'").replace('"toy card"', f"'{name}'"),
        }
    )
    assert page.title() == 'Ends here </script><b id="pwn">x</b>'
    assert page.inner_text("h1") == page.title()
    assert page.locator("[id^=pwn], img, b").count() == 0
    assert f"{name}, {name}." in page.inner_text("#part")
    page.evaluate("explainer.set({batch: 4})")
    assert "decode, 4 requests" in texts(page)


def test_names_as_typed(open_content, content):
    """Dots, brackets, quotes and a backslash in names show as typed, and both charts are drawn and move."""
    toy = (CASES / "toy.toml").read_text(encoding="utf-8")
    page_toml = (content / "page.toml").read_text(encoding="utf-8")
    page = open_content(
        {
            "scenario.toml": toy.replace('"toy"', f"'''{ODD_NAME}'''").replace(
                '"toy card"', f"'''{ODD_NAME}'''"
            ),
            "page.toml": page_toml.replace('"A toy page"', f"'''{ODD_NAME}'''"),
        }
    )
    assert page.title() == ODD_NAME
    assert f"{ODD_NAME} on 1 × {ODD_NAME}." in page.inner_text(".assumptions")
    page.evaluate("explainer.set({prompt: 128, output: 32})")
    assert "prefill, 128 tokens" in texts(page)
    assert "first token after" in texts(page, "timeline")


def test_one_stop_on_each_axis(open_content):
    """Whatever the address asks for, the page shows the one state that there is, and no control."""
    lines = (CASES / "toy.toml").read_text(encoding="utf-8").splitlines()
    for number, line in FIXED.items():
        lines[number - 1] = line
    page = open_content({"scenario.toml": "\n".join(lines)}, "#prompt=1000&batch=7")
    for name in ("prompt", "output", "batch"):
        control = page.locator(f"input#{name}")
        assert [control.get_attribute(limit) for limit in ("min", "max")] == ["0", "0"]
        assert not control.is_visible()
    assert page.evaluate("explainer.state()") == {"prompt": 64, "output": 16, "batch": 2}
    assert "decode, 2 requests" in texts(page)
    assert page.locator('#roofline [data-point="decode"]').is_visible()


def test_lm_06_a_model_larger_than_its_machine(open_content, content):
    """Wherever its controls stand, the page says that the state does not fit, and that no batch would."""
    page = open_content({"scenario.toml": (CASES / "LM-06.toml").read_text(encoding="utf-8")})
    for state, short in (("{}", "61.2 GB"), ("{prompt: 4096, batch: 16}", "83.3 GB")):
        page.evaluate(f"explainer.set({state})")
        assert "does not fit" in page.inner_text('[data-control="batch"]')
        assert f"{short} short" in page.inner_text(".verdict")
        assert f"does not fit: {short} short" in texts(page)
        assert page.locator('.verdict [data-figure="max_batch"]').inner_text() == "0"
    assert "Nothing fits" in page.inner_text("header")
