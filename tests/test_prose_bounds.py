"""What the parser would take minutes for is refused before it begins; what anybody writes is not."""

import pytest

from builder.prose_bounds import excess
from tests.rendering import Render, Slips

DEEP = "text: is set in too deep to be read; bring lists and quotes up to the margin"
OPEN = "text: has more than 200 brackets open; close them, or take some out"


def stairs(levels: int, mark: str = "- ", before: str = "", step: str = "    ") -> str:
    """A list in a list in a list, each a level deeper."""
    return "".join(f"{before}{step * level}{mark}a\n" for level in range(levels))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (stairs(300), 7),
        (stairs(300, "1. "), 7),
        (stairs(300, before="> "), 7),
        (stairs(300, step="\t"), 7),
        (stairs(300).replace("\n", "\n\n"), 13),
        (f"One.\n\n```\n{stairs(3)}```\n\n{stairs(7)}", 15),
    ],
)
def test_lists_too_deep(slips: Slips, text: str, line: int) -> None:
    """The seventh level is a finding with its line, whatever makes the levels."""
    assert slips(text) == [f"prose.md:{line}: {DEEP}"]


@pytest.mark.parametrize("code", [f"```\n{stairs(9)}```\n", f"~~~\n{stairs(9)}~~~\n"])
def test_levels_in_code(render: Render, code: str) -> None:
    """Code may be as deep as it likes."""
    assert render(code).count("- a") == 9


def test_items_that_are_no_levels(render: Render) -> None:
    """Lists that begin again at the margin, and code below an item, do not add up."""
    assert render(f"{stairs(6)}\nOne.\n\n{stairs(6)}").count("<ul>") == 12
    assert excess("- a\n\n" + " " * 40 + "- b\n\n" + " " * 44 + "- c") is None


@pytest.mark.parametrize("text", ["[", "[a ", "[a](", "![", "[^a", "("])
def test_brackets_left_open(slips: Slips, text: str) -> None:
    """Thousands of open brackets are a finding with its line."""
    assert slips(f"One.\n\nTwo\n{text * 8000}") == [f"prose.md:4: {OPEN}"]


def test_brackets_that_add_up_over_lines(slips: Slips) -> None:
    """They are counted in a paragraph, not in a line: the 201st is on line 3."""
    assert slips(f"{'[' * 100}\n{'[' * 100}\n[") == [f"prose.md:3: {OPEN}"]


def test_brackets_that_are_not_too_many(render: Render) -> None:
    """Two hundred open ones are text, as are any number that are closed or in paragraphs of their own."""
    assert render("[" * 200) == f"<p>{'[' * 200}</p>"
    assert render("(a) " * 300).count("(a)") == 300
    assert render(f"{'[' * 150}\n\n{'[' * 150}").count("[") == 300
