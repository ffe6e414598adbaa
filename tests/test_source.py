"""How an author's file is read: UTF-8 and nothing else, whatever wrote its line ends."""

import os

import pytest

from builder.errors import ContentError
from builder.scenario import load_scenario
from builder.source import read_source


@pytest.fixture
def write(tmp_path):
    """Writes bytes to a file and gives its path."""

    def written(content: bytes):
        path = tmp_path / "text.toml"
        path.write_bytes(content)
        return path

    return written


def finding_of(path) -> str:
    """The one finding that reading gives, without the folder."""
    with pytest.raises(ContentError) as caught:
        read_source(path)
    (finding,) = caught.value.findings
    assert finding.file == path.as_posix()
    return str(finding).removeprefix(path.parent.as_posix() + "/")


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"", ""),
        (b"a\nb\n", "a\nb\n"),
        (b"\xef\xbb\xbfa\nb\n", "a\nb\n"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"\xef\xbb\xbfa\r\nb", "a\nb"),
        (b"a\rb\r", "a\nb\n"),
        ("größe 大小".encode(), "größe 大小"),
    ],
)
def test_mark_and_line_ends_leave_no_trace(content, text, write):
    """A byte-order mark is dropped, and CRLF and CR become a line feed."""
    assert read_source(write(content)).text == text


@pytest.mark.parametrize(
    ("content", "finding"),
    [
        (b"\xff", "text.toml:1: byte 1 (0xff): is not UTF-8; save the file as UTF-8"),
        (b"a = 1\nb = '\xe9'\n", "text.toml:2: byte 12 (0xe9): is not UTF-8; save the file as UTF-8"),
        (b"a\r\nb\r\n\x80", "text.toml:3: byte 7 (0x80): is not UTF-8; save the file as UTF-8"),
        (b"\xef\xbb\xbfa\n\xff", "text.toml:2: byte 6 (0xff): is not UTF-8; save the file as UTF-8"),
        (b"ab\xc3", "text.toml:1: byte 3 (0xc3): is not UTF-8; save the file as UTF-8"),
        ("a".encode("utf-16"), "text.toml:1: byte 1 (0xff): is not UTF-8; save the file as UTF-8"),
    ],
)
def test_bad_bytes_are_named(content, finding, write):
    """The first byte that is no UTF-8 is told with its line and its place in the file, a mark counted."""
    assert finding_of(write(content)) == finding


def test_a_missing_file_is_named(tmp_path):
    """What is not there is told by its name, with what to do."""
    path = tmp_path / "gone.toml"
    assert finding_of(path) == "gone.toml: file: is missing; write it, or name another folder"


def test_a_folder_is_no_file(tmp_path):
    """A folder in the place of a file is called one."""
    path = tmp_path / "folder.toml"
    path.mkdir()
    assert finding_of(path) == "folder.toml: file: is a folder; put a file of text in its place"


@pytest.mark.parametrize("character", [*range(9), 11, *range(14, 32)])
def test_a_character_that_is_no_text(character, write):
    """A character that no editor shows and no page may hold is told with its line."""
    content = f"a\r\nb{chr(character)}c\n".encode()
    assert finding_of(write(content)) == f"text.toml:2: character U+{character:04X}: is no text; remove it"


@pytest.mark.parametrize("character", ["\t", "\f", "\x7f", "\x85", "\u2028", "\ufffd"])
def test_characters_that_are_text(character, write):
    """Tabs, form feeds and whatever is above them are left alone."""
    assert read_source(write(f"a{character}b".encode())).text == f"a{character}b"


def test_a_file_that_is_too_long(write):
    """A million bytes are read, and one more is not."""
    assert len(read_source(write(b"a" * 1_000_000)).text) == 1_000_000
    assert finding_of(write(b"a" * 1_000_001)) == (
        "text.toml: file: has 1,000,001 bytes, and 1,000,000 is the most that is read; shorten it"
    )


def test_what_is_no_file(tmp_path):
    """A pipe, which would keep a build waiting, is not opened."""
    path = tmp_path / "text.toml"
    os.mkfifo(path)
    assert finding_of(path) == "text.toml: file: is no plain file; put a file of text in its place"


def test_a_link_to_a_file(tmp_path, write):
    """A link is followed, and one that leads back to itself is told."""
    (tmp_path / "link.toml").symlink_to(write(b"a").name)
    assert read_source(tmp_path / "link.toml").text == "a"
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    assert finding_of(tmp_path / "loop.toml") == (
        "loop.toml: file: is a link that leads back to itself; put the file in its place"
    )


def test_a_file_below_a_file(write):
    """What should lie in a folder, and lies in a file, is told so."""
    assert finding_of(write(b"a") / "b.md") == (
        "b.md: file: lies in what is no folder; make a folder of what stands above it"
    )


def test_another_fault_of_the_system(write, monkeypatch):
    """Whatever else the system says is passed on, with where to look."""

    def broken(path):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("pathlib.Path.read_bytes", broken)
    assert finding_of(write(b"a")) == (
        "text.toml: file: cannot be read: Input/output error; look at the file and at its folder"
    )


def test_a_scenario_with_mark_and_crlf_is_its_plain_twin(tmp_path, scenario, scenario_text):
    """The shipped scenario saved by another editor loads as the same scenario."""
    path = tmp_path / "scenario.toml"
    path.write_bytes(b"\xef\xbb\xbf" + scenario_text.replace("\n", "\r\n").encode())
    twin = load_scenario(path)
    assert (twin.model, twin.cards, twin.axes) == (scenario.model, scenario.cards, scenario.axes)


def test_a_fault_below_a_mark_and_crlf_has_its_line(tmp_path, toy):
    """Neither the mark nor CRLF moves the line of a fault."""
    path = tmp_path / "scenario.toml"
    path.write_bytes(b"\xef\xbb\xbf" + toy({39: "batch = [1, 4, 2]"}).replace("\n", "\r\n").encode())
    with pytest.raises(ContentError, match=r"scenario\.toml:39: grid\.batch: is \[1, 4, 2\], and does not"):
        load_scenario(path)
