"""The font of the exports: what it has, how wide it sets, and what its letters look like."""

import re

import pytest
from fontTools.ttLib import TTFont

from builder.typeface import FAMILY, FOLDER, STACK, face, missing


@pytest.mark.parametrize("bold", [False, True])
def test_figures_are_of_one_width(bold):
    """Each of the ten figures is 1,139 of 2,048 units wide, as in Arial, so that columns of them stand."""
    widths = {face(bold=bold).width(figure, 2048) for figure in "0123456789"}
    assert widths == {1139}


def test_a_line_is_as_wide_as_its_letters():
    """Widths add up and grow with the size: four figures of 12 px are 4 · 12 · 1139 / 2048 px."""
    assert face().width("1024", 12) == pytest.approx(4 * 12 * 1139 / 2048)
    assert face().width("", 12) == 0


def test_letters_that_lean_together_are_kerned():
    """A and V, 1,366 units each, stand 152 units closer than side by side, as they do in Arial."""
    assert face().width("AV", 2048) == 1366 + 1366 - 152


def test_an_outline_lies_where_the_line_does():
    """Letters stand on the baseline at 0, reach up, and end within the line's width."""
    outline = face().outline("LLL", 100)
    xs = [float(x) for x in re.findall(r"M(-?[\d.]+)", outline)]
    assert len(xs) == outline.count("Z") == 3
    assert 0 < xs[0] < xs[1] < xs[2] < face().width("LLL", 100)
    # An L is 100 · 1466 / 2048 px high at this size, and higher up is less in a drawing.
    ys = [float(y) for y in re.findall(r"[MV]-?[\d.]*,?(-[\d.]+)", outline)]
    assert min(ys) > -75


def test_an_outline_has_no_long_numbers():
    """Places have two decimals at most: more are below what anybody sees, and double the file."""
    assert not re.search(r"\.\d{3}", face().outline("prefill, 1K tokens", 12))


def test_an_empty_line_has_no_outline():
    """Nothing is drawn for nothing, nor for a space."""
    assert face().outline("", 12) == ""
    assert face().outline(" ", 12) == ""


@pytest.mark.parametrize(
    "text",
    [
        "roofline, 6 TB/s: 1.25 PFLOP/s",
        "← memory bound, compute bound →, ↑ ·…×−–",
        "Ωμέγα Жизнь Łódź Åß éàñ",
    ],
)
def test_what_it_has(text):
    """All that charts say, and the names that are written in Latin, Greek and Cyrillic letters."""
    assert missing(text) == []


def test_what_it_has_not():
    """Each character that it lacks is named once, in the order of the text."""
    assert missing("Qwen 通义 3 通") == ["通", "义"]


def test_a_character_that_it_lacks_is_a_box():
    """It is drawn as the box that the font has for it, as wide as that, so that nothing else moves."""
    assert face().outline("通", 12) == face().outline("\ufffe", 12) != ""
    assert face().width("a通b", 12) > face().width("ab", 12)


@pytest.mark.parametrize("weight", ["Regular", "Bold"])
def test_the_files(weight):
    """Both weights are there under the family's own name, with the licence that they come with."""
    font = TTFont(FOLDER / f"TwoPhasesSans-{weight}.ttf")
    assert font["name"].getDebugName(1) == FAMILY
    assert "Open Font License, Version 1.1" in font["name"].getDebugName(13)
    licence = (FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert licence.startswith("Digitized data copyright (c) 2010 Google Corporation")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence


def test_text_that_stays_text_is_in_a_font_of_every_office():
    """Its first choice is Arial, whose widths the shipped font has; our name for it is known nowhere else."""
    assert STACK.split(", ")[0] == "Arial"
    assert FAMILY not in STACK
