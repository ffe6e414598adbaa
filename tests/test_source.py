"""How an author's file is read: UTF-8 and nothing else, whatever wrote its line ends."""

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
