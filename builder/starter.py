"""A small content folder to begin with: a copy of the one that comes with the builder."""

import shutil
import tempfile
from pathlib import Path

from builder.errors import BuilderError, OutputError

STARTER = Path(__file__).with_name("starter_content")


def write_starter(folder: Path) -> list[Path]:
    """Makes a content folder, whole or not at all.

    Returns:
        its files.

    Raises:
        OutputError: something is there already.
        BuilderError: it cannot be written.
    """
    try:
        if folder.is_symlink() or (folder.exists() and (not folder.is_dir() or any(folder.iterdir()))):
            raise OutputError(f"{folder}: is there already, and not empty; name a new folder")
        folder.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".new-") as work:
            # Not copytree, which would hand on the rights of an installed package.
            for path in STARTER.rglob("*.*"):
                copy = Path(work, "content", path.relative_to(STARTER))
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, copy)
            Path(work, "content").replace(folder)
    except OSError as error:
        raise BuilderError(f"{folder}: cannot be written: {error.strerror}") from error
    return sorted(path for path in folder.rglob("*") if path.is_file())
