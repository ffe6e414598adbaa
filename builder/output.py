"""A folder that the builder writes: never over what others put there, and whole or not at all."""

import fcntl
import hashlib
import json
import os
from collections.abc import Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import Any

from builder.disk import Disk
from builder.errors import BuilderError, OutputError

# What the folder holds of ours: by which command, and the SHA-256 of each file.
MANIFEST = ".two-phases.json"
# Where files are prepared: inside the folder, as only there a move is sure to be one step.
WORK = ".two-phases-work"
# While this is in WORK the folder's own files are being changed; it says how to change them back.
UNDO = "undo.json"
# All that a run puts into WORK.
PARTS = {"new", "old", "undo.part", UNDO}
# What version control and file managers put into a folder that is otherwise empty.
PLACEHOLDERS = {".gitignore", ".gitkeep", ".keep", ".DS_Store"}


class OutputFolder:
    """A folder that one command makes, and nothing else changes but the files that it made.

    Of two runs that write it at once one waits for the other. A run that fails leaves it as it was. One that
    is killed in the moment in which files are moved leaves some old and some new, each whole and with all
    that it links to; whoever claims the folder next puts the old ones back first (`output_guard`).

    Attributes:
        name: the folder as its user typed it.
        path: where it is, links followed.
        made_by: the command that writes it.
    """

    def __init__(
        self, name: Path, apart_from: Iterable[Path] = (), made_by: str = "build", disk: Disk | None = None
    ) -> None:
        """Claims the folder, which need not exist.

        Args:
            name: the folder.
            apart_from: folders that it must not hold and not lie in: the author's own.
            made_by: the command that writes it; a folder of another command is not ours.
            disk: does what is done to files.

        Raises:
            OutputError: it is, or holds, what we did not make.
            BuilderError: it cannot be read.
        """
        self.name = name
        self.made_by = made_by
        self._disk = disk or Disk()
        try:
            self.path = name.resolve()
            self._refuse_place(apart_from)
            there = self.path.exists()
        except (OSError, RuntimeError) as error:  # a name that is too long, links that lead in a circle
            raise OutputError(f"{name}: cannot be a folder: {_reason(error)}") from None
        if there:
            with self._locked():
                self._claim()

    def replace(self, files: Mapping[str, bytes]) -> None:
        """Makes `files`, by their path inside the folder, all that it holds of ours.

        Raises:
            OutputError: something that is not ours stands in the place of one.
            BuilderError: the folder cannot be written; it is as it was.
        """
        with self._locked():
            self._claim()
            old = self._manifest()
            # A file that somebody changed since is theirs now.
            gone = [path for path in old.keys() - files.keys() if self._digest(path) == old[path]]
            self._change(files, gone, {path: _sha256(data) for path, data in files.items()})

    def add(self, path: str, data: bytes) -> None:
        """Writes one file, and leaves all others of ours.

        Raises:
            OutputError: something that is not ours stands in its place.
            BuilderError: the folder cannot be written; it is as it was.
        """
        with self._locked():
            self._claim()
            self._change({path: data}, [], self._manifest() | {path: _sha256(data)})

    def _refuse_place(self, apart_from: Iterable[Path]) -> None:
        here, home = Path.cwd(), Path.home().resolve()
        for folder, what in ((here, "the folder that the command runs in"), (home, "your home")):
            if _is_within(folder, self.path):
                raise self._refused(f"is {what}, or above it")
        for folder in apart_from:
            if _is_within(folder.resolve(), self.path) or _is_within(self.path, folder.resolve()):
                raise self._refused(f"must be apart from {folder}")
        if self.path.exists() and not self.path.is_dir():
            raise self._refused("is a file")

    def _claim(self) -> None:
        """Looks whether the folder is ours, and only then changes back what a killed run left."""
        others = {entry.name for entry in self.path.iterdir()} - PLACEHOLDERS - {MANIFEST, WORK}
        if os.path.lexists(self._work()) and not self._is_work():
            raise self._refused(f"has a {WORK} that is not ours")
        undo = self._undo()
        # Of a first run that was killed there are files, and no list of them yet.
        half_done = {PurePosixPath(path).parts[0] for path in (*undo["restore"], *undo["remove"])}
        if others - half_done and not self._inside(MANIFEST).exists():
            raise self._refused(f"holds {min(others - half_done)}, which is not ours")
        self._manifest()
        self._recover()

    def _is_work(self) -> bool:
        work = self._work()
        return not work.is_symlink() and work.is_dir() and {path.name for path in work.iterdir()} <= PARTS

    def _undo(self) -> dict[str, dict[str, str]]:
        """What a run that was killed had begun: files to put back, and files to take away.

        With each the digest of what the run puts there; "" where it takes something away.
        """
        try:
            undo = _told(self._work(UNDO))
            undo = {kind: dict[str, str](undo[kind]) for kind in ("restore", "remove")}
            if not all(_is_plain(path) for paths in undo.values() for path in paths):
                raise ValueError("a path that leads out of the folder")
        except FileNotFoundError:
            return {"restore": {}, "remove": {}}
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            raise self._refused(f"has a {WORK}/{UNDO} that cannot be read") from None
        for paths in undo.values():
            for path in paths:
                self._refuse_links(path)
        return undo

    def _refused(self, rule: str) -> OutputError:
        return OutputError(f"{self.name}: {rule}; name a new folder, or an empty one")

    def _refuse_foreign(self, files: Iterable[str], ours: Mapping[str, str]) -> None:
        for path in files:
            if path not in ours and os.path.lexists(self._inside(path)):
                raise OutputError(f"{self.name / path}: is not ours; move it away")
            self._refuse_links(path)

    def _refuse_links(self, path: str) -> None:
        for folder in self._folders(path):
            if folder.is_symlink():
                raise OutputError(f"{folder}: is a link out of the folder; remove it")
            if folder.exists() and not folder.is_dir():
                raise OutputError(f"{folder}: is a file, where a folder is needed; move it away")

    def _manifest(self) -> dict[str, str]:
        """Path and digest of each file of ours."""
        try:
            manifest = _told(self._inside(MANIFEST))
            made_by, files = manifest["made_by"], dict[str, str](manifest["files"])
            if not all(_is_plain(path) for path in files):
                raise ValueError("a path that leads out of the folder")
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, TypeError, LookupError, RecursionError):
            raise self._refused(f"has a list of files, {MANIFEST}, that cannot be read") from None
        if made_by != self.made_by:
            raise self._refused(f"was made by {made_by}")
        return files

    def _change(self, files: Mapping[str, bytes], gone: Iterable[str], manifest: Mapping[str, str]) -> None:
        """Prepares all that can fail for want of room, then moves it into place, or nothing."""
        self._refuse_foreign(files, self._manifest())
        text = json.dumps({"made_by": self.made_by, "files": manifest}, indent=1, sort_keys=True)
        new = {**files, MANIFEST: f"{text}\n".encode()}
        try:
            self._prepare(new, gone)
            for path in sorted(new, key=_pages_last):
                self._place(self._work("new", path), path)
            for path in gone:
                self._take_away(path)
        except BaseException:
            self._recover()
            raise
        self._disk.remove(self._work(UNDO))
        self._recover()

    def _prepare(self, new: Mapping[str, bytes], gone: Iterable[str]) -> None:
        for path, data in new.items():
            self._disk.make_folder(self._work("new", path).parent)
            self._disk.write(self._work("new", path), data)
        kept = [path for path in (*new, *gone) if os.path.lexists(self._inside(path))]
        for path in kept:
            self._disk.make_folder(self._work("old", path).parent)
            self._disk.copy(self._inside(path), self._work("old", path))
        digests = {path: _sha256(data) for path, data in new.items()}
        undo = {
            "restore": {path: digests.get(path, "") for path in kept},
            "remove": {path: digest for path, digest in digests.items() if path not in kept},
        }
        self._disk.write(self._work("undo.part"), json.dumps(undo).encode())
        self._disk.move(self._work("undo.part"), self._work(UNDO))

    def _recover(self) -> None:
        """Changes back what was half changed, by this run or by one that was killed, and clears up."""
        if self._work(UNDO).exists():
            undo = self._undo()
            # What is neither there nor what the run put there is somebody's who came after it was killed.
            for path, digest in undo["restore"].items():
                old = self._work("old", path)
                if os.path.lexists(old) and self._is_ours(path, digest):
                    self._place(old, path)
            for path, digest in undo["remove"].items():
                if self._is_ours(path, digest):
                    self._take_away(path)
            self._disk.remove(self._work(UNDO))
        if self._work().exists():
            self._disk.remove_folder(self._work())

    def _is_ours(self, path: str, digest: str) -> bool:
        """Whether what a run put there is there, or nothing."""
        return not os.path.lexists(self._inside(path)) or self._digest(path) == digest

    def _place(self, file: Path, path: str) -> None:
        self._disk.make_folder(self._inside(path).parent)
        self._disk.move(file, self._inside(path))

    def _take_away(self, path: str) -> None:
        """Removes a file of ours, and the folders that are empty without it."""
        self._disk.remove(self._inside(path))
        for folder in self._folders(path):
            with suppress(OSError):
                folder.rmdir()

    @contextmanager
    def _locked(self) -> Generator[None]:
        """Keeps other runs out of the folder, which is made if need be; ends with the process."""
        try:
            self._disk.make_folder(self.path)
            folder = os.open(self.path, os.O_RDONLY)
            try:
                # Whoever is interrupted in here has changed nothing: what is half changed is another run's.
                fcntl.flock(folder, fcntl.LOCK_EX)
                try:
                    yield
                except KeyboardInterrupt:
                    # It may have come while a change that was done was being cleared up.
                    self._recover()
                    raise
            finally:
                os.close(folder)
        except OSError as error:
            raise BuilderError(f"{self._named(error)}: cannot be written: {_reason(error)}") from error

    def _named(self, error: OSError) -> Path:
        """The file of an error, as the user would name it; the folder where it is none of theirs."""
        place = Path(str(error.filename2 or error.filename or ""))
        if place.is_relative_to(self.path) and WORK not in place.parts:
            return self.name / place.relative_to(self.path)
        return self.name

    def _digest(self, path: str) -> str | None:
        place = self._inside(path)
        return _sha256(place.read_bytes()) if place.is_file() and not place.is_symlink() else None

    def _folders(self, path: str) -> list[Path]:
        """The folders between a file and this one, the innermost first."""
        return [self.path / parent for parent in PurePosixPath(path).parents][:-1]

    def _inside(self, path: str) -> Path:
        return self.path / path

    def _work(self, *path: str) -> Path:
        return self.path.joinpath(WORK, *path)


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or str(error)


def _pages_last(path: str) -> tuple[bool, bool, str]:
    """The order in which files are put in place: no page names a file that is not there yet."""
    return path == "index.html", path.endswith("/index.html"), path


def _is_within(path: Path, folder: Path) -> bool:
    """Whether `path` is `folder` or inside it, however a file system that takes A for a spells them."""
    if not folder.exists():
        return path.is_relative_to(folder)
    return any(each.exists() and each.samefile(folder) for each in (path, *path.parents))


def _told(file: Path) -> Any:
    """What a list of ours tells; a pipe by its name would be waited for."""
    if file.exists() and not file.is_file():
        raise ValueError("not a file")
    return json.loads(file.read_text(encoding="utf-8"))


def _is_plain(path: str) -> bool:
    """Whether a path of a list of ours can be one inside the folder."""
    return "\0" not in path and {"", ".", ".."}.isdisjoint(path.split("/"))


def _sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
