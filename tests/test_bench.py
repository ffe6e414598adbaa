"""The comparison with Altair's file and a page by hand: its table, the README, and what is compared."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from bench.browsing import RATES
from bench.handwritten import handwritten_page
from bench.results import PAGES, Results
from bench.table import BEGIN, END, Row, put_into, report, rows
from builder.content import read_content
from tests import oracle

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
VERSIONS = {"Python": "3.11.7", "Altair": "6.3.0", "vl-convert": "1.9.0", "Chromium": "150.0"}
MEASURED = ("first", "live", "blocked", "move", "heap")


def results(**changed: list[float]) -> Results:
    """Measurements of 100 for every page and quantity, but for those of the built page that are given."""
    found = Results()
    for name in PAGES:
        for quantity in ("build", "raw", "gzip", *(f"{kind} {rate}" for kind in MEASURED for rate in RATES)):
            values = changed.get(quantity.replace(" ", "_"), [100]) if name == "built" else [100]
            found.add(name, quantity, *values)
    return found


def row(label: str, found: Results) -> Row:
    """The row of that name."""
    return next(row for row in rows(found) if row.label == label)


# The table


def test_a_ratio_is_that_of_the_medians():
    """Of 130, 900 and 150 against 100 each the ratio is 1.50, and an outlier changes nothing."""
    cold = row("Cold build", results(build=[130, 900, 150]))
    assert cold.line() == "| Cold build | 1.50 | 1.50 | 1.5 × Altair’s: holds |"


def test_an_aim_that_is_missed_is_said():
    """At 151 to 100 the aim of 1.5 is missed, in bold, and the row is among those that lose."""
    slow = results(first_4=[151])
    line = row("First chart drawn, 4×", slow).line()
    assert line == "| First chart drawn, 4× | 1.51 | 1.51 | 1.5 × by hand: **missed** |"
    said = report(slow, "2026-01-31", VERSIONS)
    assert "\nWorse than Altair’s file: first chart drawn, 4×.\n" in said
    assert said.endswith("\nWorse than the page by hand: first chart drawn, 4×.")


def test_the_live_chart_is_held_against_altairs_first():
    """Its aim compares two moments: ours with a moved control, and Altair's first sight of a chart."""
    found = results(live_1=[90])
    found.add("altair", "live 1", 1e9, 1e9)
    line = row("That, against the first chart, 1×", found).line()
    assert line == "| That, against the first chart, 1× | 0.90 | – | 1 × Altair’s: holds |"


def test_ninety_five_of_a_hundred():
    """Of the numbers from 1 to 100 it is 95, of three numbers the highest."""
    found = Results()
    found.add("built", "move 1", *range(100, 0, -1))
    found.add("altair", "move 1", 7, 9, 8)
    assert (found.high("built", "move 1"), found.high("altair", "move 1")) == (95, 9)


def test_nothing_to_compare_is_a_dash():
    """A page that is never blocked is nothing to divide by, nor is one that no build makes."""
    found = Results()
    found.add("built", "blocked 4", 300)
    found.add("altair", "blocked 4", 1000)
    found.add("handwritten", "blocked 4", 0)
    line = row("Blocked, all tasks over 50 ms, 4×", found).line()
    assert line == "| Blocked, all tasks over 50 ms, 4× | 0.30 | – | 0.33 × Altair’s: holds |"
    assert row("Cold build", found).line() == "| Cold build | – | – | 1.5 × Altair’s: holds |"


# The README


def test_the_report_takes_the_place_of_the_last():
    """Whatever stands between the marks goes, and nothing else changes."""
    assert put_into(f"a\n{BEGIN}\nold\n{END}\nz\n", "new") == f"a\n{BEGIN}\n\nnew\n\n{END}\nz\n"


@pytest.mark.parametrize("text", ["", BEGIN, f"{END} {BEGIN}", f"{BEGIN}{END}{BEGIN}{END}"])
def test_a_readme_without_its_marks(text: str):
    """Marks that are missing, turned round or doubled are a fault rather than a guess."""
    with pytest.raises(ValueError, match="must have one"):
        put_into(text, "new")


def test_the_readme_has_the_table_as_it_is_written():
    """The README has the date, versions, heads and rows that a run writes, each ratio in its form."""

    def form(text: str) -> list[str]:
        numbers = re.sub(r"[\d.-]+(?:post\d)?|–", "#", re.sub("holds|[*]+missed[*]+", "verdict", text))
        return [line for line in numbers.splitlines() if not line.startswith("Worse")]

    found = README.split(BEGIN)[1].split(END)[0].strip()
    assert form(found) == form(report(results(), "2026-01-31", VERSIONS))
    assert re.match(r"\d{4}-\d\d-\d\d; Python 3\.\d+\.\d+, Altair \d", found)
    ratios = re.findall(r"^\| [A-Z][^|]+ \| (\S+) \| (\S+) \|", found, re.M)
    assert len(ratios) == 3 + 7 * len(RATES)
    assert all(re.fullmatch(r"\d+\.\d\d|–", ratio) for pair in ratios for ratio in pair)


def test_the_readme_says_where_the_page_loses():
    """What is said to be worse is what has a ratio above one in the table."""
    found = README.split(BEGIN)[1].split(END)[0]
    columns = {"Altair’s file": 0, "the page by hand": 1}
    for other, column in columns.items():
        ratios = re.findall(r"^\| ([A-Z][^|]+) \| (\S+) \| (\S+) \|", found, re.M)
        lost = [label for label, *pair in ratios if pair[column] != "–" and float(pair[column]) > 1]
        said = re.search(f"^Worse than {other}: (.*)\\.$", found, re.M)[1]
        assert said.lower().split("; ") == [label.lower() for label in lost]


# The page by hand


@pytest.fixture(scope="module")
def by_hand(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page by hand, of the shipped content."""
    path = tmp_path_factory.mktemp("bench") / "handwritten.html"
    path.write_text(handwritten_page(read_content(ROOT / "content").pages[0]), encoding="utf-8")
    return path


@pytest.fixture
def page(browser: Browser, by_hand: Path):
    """The page by hand, which asks for nothing and complains of nothing."""
    faults: list[str] = []
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 800})
    context.on("console", lambda message: faults.append(message.text))
    context.on("weberror", lambda error: faults.append(str(error.error)))
    opened = context.new_page()
    opened.goto(by_hand.as_uri())
    yield opened
    context.close()
    assert faults == []


STOPS = {"prompt": oracle.PROMPTS, "output": oracle.OUTPUTS, "batch": oracle.BATCHES}
MOVE = "(input, index) => { input.value = index; input.dispatchEvent(new Event('input')); }"


def shown(page: Page, **state: int) -> dict[str, str]:
    """Every figure that the page writes, once its controls are at a state."""
    for name, stop in state.items():
        page.eval_on_selector(f"#{name}", MOVE, STOPS[name].index(stop))
    pairs = page.eval_on_selector_all(
        "[data-figure]", "all => all.map((element) => [element.dataset.figure, element.textContent])"
    )
    figures = dict(pairs)
    assert all(figures[name] == text for name, text in pairs), "one figure has two texts"
    return figures


@pytest.mark.parametrize(
    "state",
    [(1024, 128, 1), (1024, 128, 64), (32, 16, 1), (1024, 128, 512), (6144, 2048, 1024)],
    ids=str,
)
def test_the_page_by_hand_has_the_same_figures(page: Page, state: tuple[int, int, int]):
    """In any state it shows the figures of the model, in its text and at its points."""
    prompt, output, batch = state
    expected = oracle.figures(prompt, output, batch)
    found = shown(page, prompt=prompt, output=output, batch=batch)
    assert found == {name: expected[name] for name in found}
    assert len(found) == 19
    words = page.eval_on_selector_all("svg text", "all => all.map((text) => text.textContent)")
    assert f"prefill, {expected['prompt']}" in words
    assert f"decode, {expected['batch']}" in words
    assert f"done after {expected['latency']}" in words
    assert any(
        word.startswith(f"{expected['decode_intensity']}, {expected['decode_of_peak']}") for word in words
    )


def test_the_page_by_hand_has_the_same_parts(page: Page, html: str):
    """It has the controls, presets and tiles of the built page, and every word of its prose."""
    assert page.locator("input[type=range]").count() == 3
    assert page.locator("[data-index]").count() == html.count("data-set=")
    assert page.locator("dt").count() == 4
    built = re.sub(r"<[^>]+>", " ", html.split('<section class="part"', 1)[1].split("<script", 1)[0])
    said = page.locator("main").text_content()
    words = set(re.findall(r"[a-z]{6,}", built))
    assert len(words) > 120
    assert words - set(re.findall(r"[a-z]{6,}", said)) == set()


def test_the_page_by_hand_goes_where_it_is_asked(page: Page):
    """A hollow point and a preset lead to their states, and the reset back to the start."""
    page.locator(".preset.decode").nth(3).click()
    assert shown(page)["batch"] == "64 requests"
    page.click('[data-axis="prompt"] >> text="4K"')
    assert shown(page)["prompt"] == "4K tokens"
    page.click("[type=reset]")
    assert shown(page)["batch"] == "1 request"
    assert shown(page)["ttft"] == "114.9 ms"
