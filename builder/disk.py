"""What an output folder does to files, one step at a time."""

import shutil
from pathlib import Path


class Disk:
    """All that is done to files, one step a method, so that a test can fail or stop at each."""

    def make_folder(self, path: Path) -> None:
        """Makes a folder, and those above it."""
        path.mkdir(parents=True, exist_ok=True)

    def write(self, path: Path, data: bytes) -> None:
        """Writes a file that nobody reads yet."""
        path.write_bytes(data)

    def copy(self, path: Path, to: Path) -> None:
        """Copies a file with its times; a link stays a link."""
        shutil.copy2(path, to, follow_symlinks=False)

    def move(self, path: Path, to: Path) -> None:
        """Puts a file into its place in one step, over the one that is there."""
        path.replace(to)

    def remove(self, path: Path) -> None:
        """Removes a file, if it is there."""
        path.unlink(missing_ok=True)

    def remove_folder(self, path: Path) -> None:
        """Removes a folder of our own making, with what is in it."""
        shutil.rmtree(path)
