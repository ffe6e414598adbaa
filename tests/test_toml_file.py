"""TOML with lines: each key is found where it stands, and what is wrong with a table is told in one run."""

from typing import Annotated

import pytest
from pydantic import Field

from builder.errors import Finding
from builder.toml_file import Table, TomlFile, place_of


class Shelf(Table):
    """A table to validate against."""

    width: int = Field(ge=10)
    books: dict[str, int] = Field(default={})


class Room(Table):
    """Tables in a table, a list and a dictionary."""

    door: Shelf
    shelf: Annotated[tuple[Shelf, ...], Field(strict=False)]
    by_name: dict[str, Shelf]


@pytest.fixture
def parse(tmp_path):
    """Parses a text as a file."""

    def parsed(text: str) -> TomlFile:
        path = tmp_path / "shelf.toml"
        path.write_text(text, encoding="utf-8", newline="")
        return TomlFile(path)

    return parsed


def line(file: TomlFile, *location: str | int) -> int | None:
    """The line of the finding at a key."""
    return file.finding(location, "is odd", "mend it").line


def test_keys_stand_where_they_are_written(parse):
    """Tables, keys, dotted, quoted and indented ones each have their own line."""
    tables = "top = 1\n[a]\nx = 1\n  y = 2\n[a.b]\nx = 3\n[ c . 'd.e' ]\n\"f g\" = 4\nh.i = 5\n"
    file = parse(tables + "[[list]]\nx = 6\n[[list]]\nx = 7\n")
    assert [line(file, "top"), line(file, "a"), line(file, "a", "x"), line(file, "a", "y")] == [1, 2, 3, 4]
    assert [line(file, "a", "b"), line(file, "a", "b", "x")] == [5, 6]
    assert [line(file, "c", "d.e"), line(file, "c", "d.e", "f g"), line(file, "c", "d.e", "h", "i")] == [
        7,
        8,
        9,
    ]
    assert [line(file, "list"), line(file, "list", 0), line(file, "list", 0, "x")] == [10, 10, 11]
    assert [line(file, "list", 1), line(file, "list", 1, "x")] == [12, 13]


def test_what_has_no_line_stands_at_what_holds_it(parse):
    """A missing key stands at its table, an entry at its list, a key of an inline table at that table."""
    file = parse("[a]\nx = [\n  1,\n  2,\n]\ny = { z = 1 }\n")
    assert [line(file, "a", "gone"), line(file, "a", "x", 1), line(file, "a", "y", "z")] == [1, 2, 6]
    assert line(file, "nowhere") is None


def test_keys_in_long_texts_are_none(parse):
    """What looks like a key or a table inside a text over several lines is text."""
    file = parse('[a]\nx = """\n[b]\ny = 1\n"""\ny = 2\nz = \'\'\'\n[c]\'\'\'\nw = """one line"""\nv = 3\n')
    assert [line(file, "a", "y"), line(file, "a", "w"), line(file, "a", "v")] == [6, 9, 10]
    assert line(file, "b") is None


def test_other_line_separators_are_no_lines(parse):
    """Characters at which Python, and no editor, breaks a line do not move the count."""
    assert line(parse("# one\u2028still one\x85and still\n[a]\nx = 1\n"), "a", "x") == 3


def findings_of(file: TomlFile) -> list[str]:
    """What is wrong with the file as a shelf, without its name."""
    findings: list[Finding] = []
    assert file.validate(Shelf, findings) is None
    return [str(finding).rpartition("/")[2] for finding in findings]


def test_a_valid_table_is_frozen(parse):
    """What is read cannot be changed by accident."""
    findings: list[Finding] = []
    shelf = parse("width = 80\n").validate(Shelf, findings)
    assert shelf == Shelf(width=80)
    assert findings == []
    with pytest.raises(ValueError, match="frozen"):
        shelf.width = 90


def test_a_limit_that_counts(parse):
    """A value below its least is told with that least."""
    assert findings_of(parse("width = 9\n")) == [
        "shelf.toml:1: width: is 9, and must be at least 10; write a larger number"
    ]


def test_a_long_value_is_cut(parse):
    """Sixty characters of a wrong value are enough to know it by."""
    (finding,) = findings_of(parse(f'width = "{"x" * 100}"\n'))
    assert finding == (
        f"shelf.toml:1: width: is '{'x' * 56}..., and must be a whole number; write it without quotes"
    )


def test_every_fault_of_a_table_is_told(parse):
    """One pass tells all: a missing key, an unknown one and two wrong ones."""
    assert findings_of(parse("heigth = 3\n[books]\na = true\nb = 1.5\n")) == [
        "shelf.toml: width: is missing; write width = a whole number",
        "shelf.toml:3: books.a: is true, and must be a whole number; write a plain number",
        "shelf.toml:4: books.b: is 1.5, and must be a whole number; write it without a point or an exponent",
        "shelf.toml:1: heigth: is not a known key; did you mean width?",
    ]


def test_a_key_is_sound_by_itself(parse):
    """The value of one key can be had while others of its table are at fault."""
    file = parse("width = 'wide'\n[books]\na = 1\nb = 'two'\n")
    assert file.sound(int, "books", "a") == 1
    assert file.sound(int, "books", "b") is None
    assert file.sound(int, "books", "c") is None
    assert file.sound(dict[str, int], "books") is None
    assert file.at(("books", "a")) == 1
    assert file.at(("width", "a")) is None


def test_places_are_written_as_authors_read_them():
    """Dots between names, brackets around numbers."""
    assert place_of(("grid", "batch", 3)) == "grid.batch[3]"
    assert place_of(("cards", "h100", "count")) == "cards.h100.count"
    assert place_of((2, "name")) == "[2].name"
    assert place_of(("cards", "a\nb\u202e")) == "cards.a\\nb\\u202e"


def respelt(file: TomlFile) -> list[str]:
    """The misspelt keys of a file as a room, and what is wrong besides, without its name."""
    findings: list[Finding] = []
    file.respell(Room, findings)
    file.validate(Room, findings)
    return [str(finding).rpartition("/")[2] for finding in findings]


def test_a_misspelt_key_is_one_finding(parse):
    """A key that is nearly a missing one is told once, and its value is looked at under the right name."""
    text = "[dor]\nwidth = 1\n[[shelf]]\nwidht = 20\n[[shelf]]\nwith = 2\n[by_name.a]\nwitdh = true\n"
    assert respelt(parse(text)) == [
        "shelf.toml:1: dor: is not a known key; did you mean door?",
        "shelf.toml:4: shelf[0].widht: is not a known key; did you mean width?",
        "shelf.toml:6: shelf[1].with: is not a known key; did you mean width?",
        "shelf.toml:8: by_name.a.witdh: is not a known key; did you mean width?",
        "shelf.toml:2: door.width: is 1, and must be at least 10; write a larger number",
        "shelf.toml:6: shelf[1].width: is 2, and must be at least 10; write a larger number",
        "shelf.toml:8: by_name.a.width: is true, and must be a whole number; write a plain number",
    ]


def test_a_key_is_not_taken_for_one_that_is_there(parse):
    """Of two keys alike, the right one stays and the other is unknown."""
    text = "by_name = {}\nshelf = []\n[door]\nwidth = 10\nwidht = 20\n"
    assert respelt(parse(text)) == [
        "shelf.toml:5: door.widht: is not a known key; did you mean width?",
    ]


def test_what_is_missing_is_told_with_its_form(parse):
    """Tables, lists of tables and plain keys each are told as they are written."""
    assert respelt(parse("[[door]]\n")) == [
        "shelf.toml:1: door: is a list of tables, and must be a table; write [door] with width",
        "shelf.toml: shelf: is missing; write [[shelf]] with width",
        "shelf.toml: by_name: is missing; write by_name = a value",
    ]
