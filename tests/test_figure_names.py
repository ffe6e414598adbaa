"""Figures and claims where the scenario is at fault: names and forms are looked at, and nothing is asked."""

import pytest

from builder.figure_syntax import ConstructError, FigureSyntax


@pytest.fixture
def blind() -> FigureSyntax:
    """What looks at names and forms where the scenario is at fault."""
    return FigureSyntax(None)


@pytest.mark.parametrize(
    "words", ["ttft", "crossing_batch prompt=4096", "ridge card=anything", "memory_left"]
)
def test_a_figure_without_a_scenario(blind: FigureSyntax, words: str) -> None:
    """A figure that may be right has dots for a text, and no value."""
    asked = blind.figure(words.split())
    assert (asked.text, asked.value) == ("…", None)


@pytest.mark.parametrize(
    "words", ["ttft < 0", "fits is nonsense", "fits > 3", "ttft > itl card=x", "ttft is 3 ms"]
)
def test_a_claim_without_a_scenario(blind: FigureSyntax, words: str) -> None:
    """Whether a claim is true is not asked."""
    blind.check(words.split())


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("ttfd", "ttfd is not a figure"),
        ("ttft promt=3", "promt is not an override"),
        ("ttft batch=0", "batch=0 is not a whole number from 1 to 999999999999"),
    ],
)
def test_slips_without_a_scenario(blind: FigureSyntax, words: str, rule: str) -> None:
    """Names and forms are looked at all the same."""
    with pytest.raises(ConstructError) as caught:
        blind.figure(words.split())
    assert [found for found, _ in caught.value.faults] == [rule]
    with pytest.raises(ConstructError) as caught:
        blind.check([*words.split(), "<", "3"])
    assert [found for found, _ in caught.value.faults] == [rule]
