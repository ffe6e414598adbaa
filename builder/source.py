"""Reads an author's file: UTF-8 whatever the locale, byte-order mark and CRLF accepted."""

from dataclasses import dataclass
from pathlib import Path

from builder.errors import ContentError, Finding


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one content file, and the name by which messages call it.

    Attributes:
        file: the path as the author would type it.
        text: without a byte-order mark, lines ended by a bare line feed.
    """

    file: str
    text: str

    def finding(self, line: int | None, place: str, rule: str, hint: str = "") -> Finding:
        """A fault in this file."""
        return Finding(self.file, line, place, rule, hint)


def read_source(path: Path) -> Source:
    """The file at `path`.

    Raises:
        ContentError: it is missing, cannot be read, or is not UTF-8.
    """
    file = path.as_posix()
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise ContentError(
            [Finding(file, None, "file", "is missing", "write it, or name another folder")]
        ) from None
    except OSError as error:
        raise ContentError([Finding(file, None, "file", f"cannot be read: {error.strerror}")]) from None
    try:
        text = raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        place = f"byte {error.start + 1} (0x{raw[error.start]:02x})"
        raise ContentError([Finding(file, line, place, "is not UTF-8", "save the file as UTF-8")]) from None
    return Source(file, text.replace("\r\n", "\n").replace("\r", "\n"))
