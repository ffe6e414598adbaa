"""Figures by name and claims: what may be asked for, what may be claimed, and what is said of every slip."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from builder.figure_syntax import Asked, ConstructError, FigureSyntax
from builder.figures import FIGURES
from builder.scenario import Scenario, State

Faults = Callable[[str], list[tuple[str, str]]]


@pytest.fixture
def syntax(scenario: Scenario) -> FigureSyntax:
    return FigureSyntax(scenario)


@pytest.fixture
def figure(syntax: FigureSyntax) -> Callable[[str], Asked]:
    """The figure that words ask for."""
    return lambda words: syntax.figure(words.split())


@pytest.fixture
def figure_faults(syntax: FigureSyntax) -> Faults:
    """What is wrong with words that ask for a figure."""

    def found(words: str) -> list[tuple[str, str]]:
        with pytest.raises(ConstructError) as caught:
            syntax.figure(words.split())
        return caught.value.faults

    return found


@pytest.fixture
def claim_faults(syntax: FigureSyntax) -> Faults:
    """What is wrong with a claim."""

    def found(words: str) -> list[tuple[str, str]]:
        with pytest.raises(ConstructError) as caught:
            syntax.check(words.split())
        return caught.value.faults

    return found


# Figures


def test_the_start(figure: Callable[[str], Asked]) -> None:
    """A bare name asks for the state that the page opens at, on its own cards."""
    asked = figure("itl")
    assert asked.view.state == State(prompt=1024, output=128, batch=1)
    assert asked.view.cards.name == "A100 40 GB"
    assert not asked.overridden
    assert (asked.text, asked.phase) == ("23.4 ms", "decode")
    assert asked.value == pytest.approx(0.02339275264, rel=1e-9)


def test_overrides(figure: Callable[[str], Asked]) -> None:
    """Each override changes its own axis, and the others stay at the start."""
    assert figure("itl prompt=2048").view.state == State(2048, 128, 1)
    assert figure("itl output=16").view.state == State(1024, 16, 1)
    assert figure("itl batch=7").view.state == State(1024, 128, 7)
    assert figure("itl batch=8 output=1 prompt=3").view.state == State(3, 1, 8)
    assert figure("itl card=h100").view.cards.name == "H100"
    assert figure("itl card=h100").view.state == State(1024, 128, 1)
    assert figure("itl card=h100").overridden


def test_another_state(figure: Callable[[str], Asked]) -> None:
    """A figure of another state is that state's."""
    assert figure("latency prompt=2048 output=2048 batch=24").text == "56.3 s"
    assert figure("decode_of_peak prompt=4096 batch=1024").text == "45%"


def test_a_figure_of_other_cards(figure: Callable[[str], Asked]) -> None:
    """On other cards the ridge moves as theirs does."""
    texts = [figure(f"ridge card={card}").text for card in ("h100", "a100_80", "h200", "a100_40_data_sheet")]
    assert texts == ["295", "153", "206", "201"]


@pytest.mark.parametrize(
    ("words", "rule", "hint"),
    [
        ("ttft_msec", "ttft_msec is not a figure", "did you mean ttft?"),
        ("TTFT", "TTFT is not a figure", "did you mean ttft?"),
        ("max_batches", "max_batches is not a figure", "did you mean max_batch?"),
        ("ttft promt=4096", "promt is not an override", "did you mean prompt?"),
        ("ttft cards=h100", "cards is not an override", "did you mean card?"),
        ("ttft h100", "h100 is not an override", "known: batch, card, output, prompt"),
        ("ttft =3", "=3 is not an override", "known: batch, card, output, prompt"),
        ("ttft batch = 3", "batch = 3 has a space in it", "write batch=3"),
        ("ttft batch =3", "batch =3 has a space in it", "write batch=3"),
        ("ttft batch= 3", "batch= 3 has a space in it", "write batch=3"),
        ("ttft prompt", "prompt has no value", "write it without spaces, as in prompt=…"),
        ("ttft prompt=64 prompt=32", "prompt stands there twice", "keep one"),
        ("ttft card=h10", "card=h10 is not in the scenario", "did you mean h100?"),
        ("ttft card=H100", "card=H100 is not in the scenario", "did you mean h100?"),
    ],
)
def test_a_slip(figure_faults: Faults, words: str, rule: str, hint: str) -> None:
    """A name that is not known is told with the nearest right one."""
    assert figure_faults(words) == [(rule, hint)]


def test_no_card(figure_faults: Faults) -> None:
    """An empty card is not the scenario's own."""
    ((rule, hint),) = figure_faults("ttft card=")
    assert rule == "card= is not in the scenario"
    assert "a100_80" in hint


def test_no_cards(scenario: Scenario) -> None:
    """A scenario without other cards says so."""
    alone = FigureSyntax(replace(scenario, cards={"": scenario.hardware}))
    with pytest.raises(ConstructError) as caught:
        alone.figure(["ttft", "card=h100"])
    assert caught.value.faults == [("card=h100 is not in the scenario", "the scenario has no [cards]")]


@pytest.mark.parametrize(
    "value", ["0", "-1", "1.5", "4K", "4,096", "1e3", "many", "", "007", "²", "٣", "9" * 13]
)
def test_a_value_that_is_no_whole_number(figure_faults: Faults, value: str) -> None:
    """An axis takes a whole number from 1, in digits alone."""
    assert figure_faults(f"ttft batch={value}") == [
        (
            f"batch={value} is not a whole number from 1 to 999999999999",
            "write digits alone, as in batch=4096",
        )
    ]


def test_the_context_window(figure: Callable[[str], Asked], figure_faults: Faults) -> None:
    """Prompt and output together may reach the context window and not pass it."""
    assert figure("ttft prompt=8064").view.state == State(8064, 128, 1)
    assert figure_faults("ttft prompt=8065") == [
        (
            "passes the context window: 8065 + 128 > 8192 tokens",
            "ask for a shorter prompt or output",
        )
    ]
    assert figure_faults("ttft output=7169") == [
        (
            "passes the context window: 1024 + 7169 > 8192 tokens",
            "ask for a shorter prompt or output",
        )
    ]


def test_every_slip_of_a_figure(figure_faults: Faults) -> None:
    """All that is wrong with one figure is told in one run."""
    assert [rule for rule, _ in figure_faults("ttfd promt=3 batch=x card=b200 output=9000")] == [
        "ttfd is not a figure",
        "promt is not an override",
        "batch=x is not a whole number from 1 to 999999999999",
        "card=b200 is not in the scenario",
        "passes the context window: 1024 + 9000 > 8192 tokens",
    ]


@pytest.mark.parametrize("words", ["", "3", "3 + 4", "ttft|upper", "'ttft'", "prompt=4096"])
def test_no_figure(figure_faults: Faults, words: str) -> None:
    """What is of no form is told which forms there are."""
    assert figure_faults(words) == [
        (
            "is neither a figure nor a claim",
            "write {{ ttft }}, {{ ttft prompt=4096 }} or {{ claim decode_bound batch=8 is memory }}",
        )
    ]


PARTS = st.sampled_from(
    [
        *FIGURES,
        *("prompt=32", "output=16", "batch=9", "card=h100", "batch=0"),
        *("is", "<", "<=", ">", ">=", "2"),
    ]
)
WORDS = st.lists(PARTS | st.text(st.characters(exclude_categories=["Z", "C"]), min_size=1), max_size=6)


@given(WORDS)
def test_any_words(scenario: Scenario, words: list[str]) -> None:
    """Whatever stands between braces is a figure, a true claim or a slip, and never another error."""
    for read in (FigureSyntax(scenario).figure, FigureSyntax(scenario).check):
        try:
            read(words)
            rules = ["none"]
        except ConstructError as error:
            rules = [rule for rule, _ in error.faults]
        assert rules
        assert all(rules)


def test_the_largest_values(figure: Callable[[str], Asked]) -> None:
    """The largest batch that may be asked for is still a number."""
    assert figure("batch batch=999999999999").text == "999,999,999,999 requests"
    assert figure("max_batch batch=999999999999").text == "52"


# Claims


@pytest.mark.parametrize(
    "words",
    [
        "decode_bound is memory",
        "prefill_bound is compute",
        "prefill_bound prompt=192 is memory",
        "decode_bound prompt=32 output=16 batch=256 is compute",
        "fits is fits",
        "fits batch=64 is does not fit",
        "max_batch is 52",
        "max_batch prompt=32 output=16 is 1271",
        "max_batch prompt=32 output=16 is 1,271",
        "crossing_prompt is 209",
        "crossing_batch prompt=2048 output=512 is never",
        "prompt is 1K tokens",
        "prompt is 1024",
        "ttft is 114.9 ms",
        "throughput batch=512 is 8,914 tok/s",
        "throughput batch=512 is 8914 tok/s",
        "prefill_of_peak is 100%",
        "model is Llama 3 70B",
    ],
)
def test_what_a_figure_is(syntax: FigureSyntax, words: str) -> None:
    """A claim with `is` gives a word, a whole number, or the text as the page writes it."""
    syntax.check(words.split())


@pytest.mark.parametrize(
    "words",
    [
        "ttft < 0.115",
        "ttft > 0.114",
        "ttft > 1.148e-1",
        "decode_intensity < 1",
        "decode_of_peak batch=512 >= 1",
        "decode_of_peak batch=512 <= 1.0",
        "max_batch >= 52",
        "max_batch <= 52",
        "memory_left >= 20e9",
        "cache_mid batch=512 > memory_left card=a100_80",
        "ridge card=a100_80 < ridge",
        "ridge < ridge card=h100",
        "max_batch prompt=4096 < max_batch",
        "shortfall >= -1",
        "shortfall <= +0.0",
    ],
)
def test_how_figures_compare(syntax: FigureSyntax, words: str) -> None:
    """A claim compares with a number in SI units, or with a figure that may have a state of its own."""
    syntax.check(words.split())


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("decode_bound batch=512 is memory", "is compute here, the sentence says memory"),
        ("fits batch=64 is fits", "is does not fit here, the sentence says fits"),
        ("crossing_batch is 512", "is 443 here, the sentence says 512"),
        ("ttft is 114.9", "is 114.9 ms here, the sentence says 114.9"),
        ("decode_of_peak is 100%", "is 0.5% here, the sentence says 100%"),
        ("max_batch < 52", "is 52 here (52 in SI units), the sentence says < 52"),
        ("max_batch > 52", "is 52 here (52 in SI units), the sentence says > 52"),
        ("weights <= 1.39e11", "is 140 GB here (1.4e+11 in SI units), the sentence says <= 1.39e11"),
        (
            "cache_mid batch=512 < memory_left card=a100_80",
            "is 182.5 GB here (1.825361101e+11 in SI units), "
            "the sentence says < memory_left, which is 180 GB",
        ),
    ],
)
def test_a_claim_that_the_model_denies(claim_faults: Faults, words: str, rule: str) -> None:
    """A false claim tells what the model says and what the sentence says."""
    assert claim_faults(words) == [(rule, "mend the sentence or the scenario")]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("decode_bound < 2", "decode_bound has no number to compare: it is memory here"),
        ("crossing_batch prompt=4096 > 3", "crossing_batch has no number to compare: it is never here"),
        ("ttft < fits", "fits has no number to compare: it is fits here"),
    ],
)
def test_a_comparison_without_a_number(claim_faults: Faults, words: str, rule: str) -> None:
    """A word cannot be more or less than anything."""
    assert claim_faults(words) == [(rule, "claim it with is")]


@pytest.mark.parametrize("number", ["2 ms", "1,000", "2x", "0x10", "1_000", "1e400", ".5", "-inf", "+", "1."])
def test_a_number_that_is_none(claim_faults: Faults, number: str) -> None:
    """A number to compare with has digits, a point and an exponent, and no unit."""
    assert claim_faults(f"ttft < {number}") == [
        (f"{number} is not a number", "write it in SI units, without the unit")
    ]


@pytest.mark.parametrize(
    "words", ["", "ttft", "ttft 3", "ttft <", "< 3", "is", "ttft is", "ttft = 3", "ttft <3"]
)
def test_no_claim(claim_faults: Faults, words: str) -> None:
    """A claim without two sides and a sign between them is told its form."""
    assert claim_faults(words) == [
        (
            "is not a claim",
            "write {{ claim FIGURE is TEXT }}, or < <= > >= with a number in SI units or another figure",
        )
    ]


def test_the_slips_of_a_claim(claim_faults: Faults) -> None:
    """The figures of both sides are read, and the slips of both are told."""
    assert claim_faults("ttfd < itl batch=0") == [
        ("ttfd is not a figure", "did you mean ttft?"),
        (
            "batch=0 is not a whole number from 1 to 999999999999",
            "write digits alone, as in batch=4096",
        ),
    ]
    assert claim_faults("ttfd is memory") == [("ttfd is not a figure", "did you mean ttft?")]
    assert claim_faults("ttft < infinity") == [
        ("infinity is not a figure", claim_faults("ttft < infinity")[0][1])
    ]


def test_a_claim_and_another_scenario(scenario: Scenario) -> None:
    """A claim that holds for one scenario stops the build of one in which it does not."""
    words = ["crossing_batch", "prompt=4096", "is", "never"]
    FigureSyntax(scenario).check(words)
    one_head = scenario.model.model_validate(scenario.model.model_dump() | {"kv_heads": 1})
    with pytest.raises(ConstructError, match=r"^is 279 here, the sentence says never$"):
        FigureSyntax(replace(scenario, model=one_head)).check(words)
