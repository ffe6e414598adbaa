"""A complete folder that stands in an output's place for as long as the output itself is changed.

The two change places in one step, and back in another. So whoever reads the output by its path finds all old
files or all new ones at any time; and yet it stays the same folder, as a server that runs in it must find it.
"""

import errno
import fcntl
import json
import os
import stat
from collections.abc import Collection, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from builder.disk import Disk
from builder.errors import OutputError

# Says, in a stand-in, for which folder it stands in, and what it held when it was made.
RECORD = ".two-phases-stand-in.json"
# Why there may be no stand-in, and the files are moved one by one: no right to write beside the folder or to
# read all that is in it, a mount, names that become too long, a file system or system without an exchange.
# The last is that of a pipe and the like, which cannot be copied.
REFUSALS = {
    *(errno.EACCES, errno.EPERM, errno.EROFS, errno.EXDEV, errno.EBUSY, errno.ENAMETOOLONG),
    *(errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP),
    None,
}


@dataclass(frozen=True)
class Record:
    """What a stand-in says of itself.

    Attributes:
        folder: the inode of the folder for which it stands in.
        ours: the files that the run wrote.
        stamps: of every file that it was made with, the time (ns) and size.
    """

    folder: int
    ours: list[str]
    stamps: dict[str, list[int]]


class StandIn:
    """The stand-in of one output folder.

    Attributes:
        place: where it is, beside the folder; and where the folder is while the stand-in has its place.
    """

    def __init__(self, path: Path, disk: Disk, not_copied: Collection[str]) -> None:
        """Names the stand-in; there need be none.

        Args:
            path: the output folder, links followed.
            disk: does what is done to files.
            not_copied: what the output holds of its own bookkeeping.
        """
        self.place = path.with_name(f".{path.name}.two-phases")
        self._path = path
        self._disk = disk
        self._not_copied = {*not_copied, RECORD}

    def folder(self) -> Path:
        """Where the output folder itself is now."""
        return self.place if _stands_for(self._path, self.place) else self._path

    def waits(self) -> bool:
        """Whether it is there, and beside the folder."""
        return _stands_for(self.place, self._path)

    def is_foreign(self) -> bool:
        """Whether something is in its place of which nothing says that it is ours."""
        return os.path.lexists(self.place) and not self.waits() and self.folder() == self._path

    def step_in(self, work: Path, ours: Collection[str], gone: Collection[str], held: ExitStack) -> Path:
        """Puts a folder with the new files in the place of the output, where the system can do that.

        Args:
            work: a folder in the output of which readers know nothing; its `new` holds the new files.
            ours: these files.
            gone: files of the output that are ours no more.
            held: keeps other runs out of the stand-in until it is closed.

        Returns:
            where the output is now.

        Raises:
            OSError: it cannot be made, for want of room or the like.
        """
        built = work / "stand-in"
        try:
            self._build(built, work / "new", ours, gone)
            # Before anyone can see it: a run that finds it in the output's place waits as for the output.
            held.enter_context(locked(built))
            self._disk.move(built, self.place)
            self._disk.exchange(self._path, self.place)
        except OSError as error:
            # If it is beside the output by now it is taken away in the end, as if it had stood in.
            if error.errno not in REFUSALS:
                raise
        return self.folder()

    def step_down(self, work: Path) -> Path:
        """Puts the output in its place again, and the stand-in, if there is one, into `work` to be removed.

        Returns:
            where the output is now.

        Raises:
            OutputError: a file of others was changed in both.
            OSError: the output cannot be written.
        """
        if self.folder() != self._path:
            self._disk.exchange(self._path, self.place)
        if self.waits():
            self._give_back()
            self._disk.make_folder(work)
            # It is removed in there: beside the output it is whole or not at all.
            self._disk.move(self.place, work / "stand-in")
        elif (self._path / RECORD).exists():
            # The folder for which it stood in is gone. It is complete, and is the output from now on.
            self._disk.remove(self._path / RECORD)
        return self._path

    def _build(self, at: Path, new: Path, ours: Collection[str], gone: Collection[str]) -> None:
        """Makes it where nobody sees it: with the new files, and with all that is not ours in the output."""
        for path in ours:
            self._copy(new / path, at / path)
        for path, is_folder in self._entries(self._path):
            if is_folder:
                if not any((self._path / path).iterdir()):
                    self._disk.make_folder(at / path)
            elif path not in ours and path not in gone:
                self._copy(self._path / path, at / path)
        for path, is_folder in (*self._entries(self._path), ("", True)):
            if is_folder and (at / path).is_dir():
                self._disk.give_rights(at / path, self._path / path)
        stamps = {path: _stamp(at / path) for path, is_folder in self._entries(at) if not is_folder}
        record = {"folder": self._path.stat().st_ino, "ours": sorted(ours), "stamps": stamps}
        self._disk.write(at / RECORD, json.dumps(record).encode())

    def _give_back(self) -> None:
        """Moves into the output what others put into the stand-in while it had the output's place."""
        record = _record(self.place)
        assert record is not None
        for path, is_folder in list(self._entries(self.place)):
            theirs, here = self.place / path, self._path / path
            if is_folder:
                if not any(theirs.iterdir()):
                    self._disk.make_folder(here)
            elif _stamp(theirs) != record.stamps.get(path) and not _is_same(theirs, here):
                as_it_was = path in record.ours or _stamp(here) in ([], record.stamps.get(path))
                if not as_it_was or here.parent.resolve() != here.parent:
                    raise OutputError(f"{theirs}: was changed, and so was {here}; remove one of them")
                self._disk.make_folder(here.parent)
                self._disk.move(theirs, here)

    def _copy(self, path: Path, to: Path) -> None:
        self._disk.make_folder(to.parent)
        self._disk.copy(path, to)

    def _entries(self, folder: Path, inside: str = "") -> Iterator[tuple[str, bool]]:
        """All that a folder holds, sorted: the path in it, and whether that is a folder; links are none."""
        with os.scandir(folder / inside) as scanned:
            entries = sorted(scanned, key=lambda entry: entry.name)
        for entry in entries:
            path = f"{inside}{entry.name}"
            if path not in self._not_copied:
                is_folder = entry.is_dir(follow_symlinks=False)
                yield path, is_folder
                if is_folder:
                    yield from self._entries(folder, f"{path}/")


@contextmanager
def locked(path: Path) -> Generator[None]:
    """Keeps other runs out of a folder; ends with the process.

    Raises:
        OSError: it cannot be opened.
    """
    while True:
        folder = os.open(path, os.O_RDONLY)
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            # The run that held it may have put another in its place, or taken away a stand-in.
            if os.path.samestat(os.fstat(folder), path.stat()):
                yield
                return
        finally:
            os.close(folder)


def _stands_for(stand_in: Path, folder: Path) -> bool:
    """Whether one is the stand-in of the other: a real folder whose record names the other's inode."""
    record = _record(stand_in)
    if record is None:
        return False
    stats = [path.lstat() for path in (stand_in, folder) if os.path.lexists(path)]
    if len(stats) < 2 or not all(stat.S_ISDIR(each.st_mode) for each in stats):
        return False
    return record.folder == stats[1].st_ino and stats[0].st_dev == stats[1].st_dev


def _record(stand_in: Path) -> Record | None:
    """The record of a stand-in; None of a folder that is none."""
    try:
        record = json.loads((stand_in / RECORD).read_text(encoding="utf-8"))
        stamps = {str(path): list[int](stamp) for path, stamp in record["stamps"].items()}
        return Record(int(record["folder"]), list[str](record["ours"]), stamps)
    except (OSError, ValueError, TypeError, LookupError, AttributeError):
        return None


def _stamp(path: Path) -> list[int]:
    """By what a file is known to be as it was; empty if there is none."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return []
    return [found.st_mtime_ns, found.st_size]


def _is_same(path: Path, other: Path) -> bool:
    """Whether two names are those of one file, itself and not what it links to."""
    return os.path.lexists(other) and os.path.samestat(path.lstat(), other.lstat())
