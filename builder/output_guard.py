"""What puts an output folder right at once when the run that was changing it is killed."""

import os
import signal
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from builder.errors import BuilderError
from builder.output import OutputFolder


@contextmanager
def guarded(folder: OutputFolder) -> Generator[None]:
    """Keeps a process by the side of this one, which outlives it should it be killed.

    A process that is killed can do nothing more, so another one must. What is killed together with its guard
    is put right by the next run.

    Raises:
        BuilderError: the other process does not start.
    """
    try:
        guard = _started([sys.executable, "-m", __name__, str(folder.path), folder.made_by])
    except OSError as error:
        raise BuilderError(f"{folder.name}: cannot be guarded: {error.strerror}") from error
    with guard:
        # Before it says that it is ready, what ends the run could end it as well.
        if not (guard.stdout and guard.stdout.read(1)):
            raise BuilderError(f"{folder.name}: cannot be guarded: {sys.executable} does not start")
        try:
            yield
        except BaseException:
            # Interrupted once more while it changed things back, the run may not have come to its end.
            guard.communicate()
            raise
        guard.kill()


def _started(command: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=Path(__file__).parents[1],
        # Of a session of its own, so that what ends all that a terminal runs does not end it.
        start_new_session=True,
    )


def main() -> None:
    """Waits until the other process has ended, which closes this one's input, and changes the folder back."""
    for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    os.write(sys.stdout.fileno(), b"!")
    sys.stdin.buffer.read()
    path, made_by = sys.argv[1:]
    # To claim a folder is to change back what a killed run left.
    OutputFolder(Path(path), made_by=made_by)


if __name__ == "__main__":
    main()
