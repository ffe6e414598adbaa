"""Reads an author's file: UTF-8 whatever the locale, byte-order mark and CRLF accepted."""

import errno
import re
import stat
from dataclasses import dataclass
from pathlib import Path

from builder.errors import ContentError, Finding

# Far above any text that somebody wrote, and far below what would keep a build busy.
LARGEST = 10**6
# What the system says, as a rule and a hint.
_REASONS = {
    errno.ENOENT: ("is missing", "write it, or name another folder"),
    errno.ENOTDIR: ("lies in what is no folder", "make a folder of what stands above it"),
    errno.ELOOP: ("is a link that leads back to itself", "put the file in its place"),
    errno.EACCES: ("may not be read", "give yourself the right to read it, and its folder"),
}
# Characters that no editor shows and no page may hold; tab, line feed and form feed are not among them.
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f]")


@dataclass(frozen=True, slots=True)
class Source:
    """The text of one content file, and the name by which messages call it.

    Attributes:
        file: the path as the author would type it.
        text: without a byte-order mark, lines ended by a bare line feed.
    """

    file: str
    text: str

    def finding(self, line: int | None, place: str, rule: str, hint: str) -> Finding:
        """A fault in this file."""
        return Finding(self.file, line, place, rule, hint)


def read_source(path: Path) -> Source:
    """The file at `path`.

    Raises:
        ContentError: it is missing, cannot be read, is no text, or is not UTF-8.
    """
    file = path.as_posix()
    raw = _bytes_of(path, file)
    try:
        text = raw.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        place = f"byte {error.start + 1} (0x{raw[error.start]:02x})"
        raise ContentError([Finding(file, line, place, "is not UTF-8", "save the file as UTF-8")]) from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if control := _CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        place = f"character U+{ord(control[0]):04X}"
        raise ContentError([Finding(file, line, place, "is no text", "remove it")])
    return Source(file, text)


def _bytes_of(path: Path, file: str) -> bytes:
    try:
        found = path.stat()
        if stat.S_ISREG(found.st_mode) and found.st_size <= LARGEST:
            return path.read_bytes()
    except OSError as error:
        unknown = f"cannot be read: {error.strerror}", "look at the file and at its folder"
        rule, hint = _REASONS.get(error.errno or 0, unknown)
        raise ContentError([Finding(file, None, "file", rule, hint)]) from None
    if stat.S_ISREG(found.st_mode):
        rule = f"has {found.st_size:,} bytes, and {LARGEST:,} is the most that is read"
        raise ContentError([Finding(file, None, "file", rule, "shorten it")])
    kind = "a folder" if stat.S_ISDIR(found.st_mode) else "no plain file"
    raise ContentError([Finding(file, None, "file", f"is {kind}", "put a file of text in its place")])
