"""What an output folder does to files, one step at a time."""

import ctypes
import errno
import os
import shutil
import stat
import sys
from pathlib import Path


class Disk:
    """All that is done to files, one step a method, so that a test can fail or stop at each."""

    def make_folder(self, path: Path) -> None:
        """Makes a folder, and those above it."""
        path.mkdir(parents=True, exist_ok=True)

    def give_rights(self, path: Path, like: Path) -> None:
        """Gives a folder the owner and the rights of another; its owner may write it in any case.

        Raises:
            OSError: the owner may not be changed.
        """
        model = like.stat()
        if (path.stat().st_uid, path.stat().st_gid) != (model.st_uid, model.st_gid):
            os.chown(path, model.st_uid, model.st_gid)
        shutil.copystat(like, path)
        path.chmod(stat.S_IMODE(model.st_mode) | stat.S_IRWXU)

    def write(self, path: Path, data: bytes) -> None:
        """Writes a file that nobody reads yet."""
        path.write_bytes(data)

    def copy(self, path: Path, to: Path) -> None:
        """Gives a file a second name, or copies it with its times where that is refused; a link stays a link.

        Raises:
            OSError: it cannot be read; or it lies on another disk, which may be too large to copy.
        """
        try:
            os.link(path, to, follow_symlinks=False)
        except OSError as error:
            if error.errno == errno.EXDEV:
                raise
            shutil.copy2(path, to, follow_symlinks=False)

    def move(self, path: Path, to: Path) -> None:
        """Puts a file into its place in one step, over the one that is there; or a folder, over none."""
        path.replace(to)

    def exchange(self, path: Path, other: Path) -> None:
        """Lets two folders change places in one step: at no time is one of the two names without a folder.

        Raises:
            OSError: the system, the file system or a mount does not allow it; ENOSYS where there is no such
                call.
        """
        libc = ctypes.CDLL(None, use_errno=True)
        names = os.fsencode(path), os.fsencode(other)
        try:
            if sys.platform == "darwin":
                failed = libc.renamex_np(*names, 2)  # RENAME_SWAP of sys/stdio.h
            else:
                # AT_FDCWD, of no effect on absolute paths, and RENAME_EXCHANGE of linux/fs.h
                failed = libc.renameat2(-100, names[0], -100, names[1], 2)
        except AttributeError:
            raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), str(path)) from None
        if failed:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number), str(path), None, str(other))

    def remove(self, path: Path) -> None:
        """Removes a file, if it is there."""
        path.unlink(missing_ok=True)

    def remove_folder(self, path: Path) -> None:
        """Removes a folder of our own making, with what is in it."""
        shutil.rmtree(path)
