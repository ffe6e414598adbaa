"""The guard of an output folder: whoever is killed, and whenever, one complete site is there."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from builder.disk import Disk
from builder.errors import BuilderError
from builder.output import WORK, OutputFolder
from builder.output_guard import guarded
from tests.test_output import MINE, NEW, OLD, ROOT, files_in, folders_in, steps_of_a_run

KILLED = """
import os, signal, sys
from pathlib import Path
from builder.output_guard import guarded
from tests.test_output import NEW, Failing, OutputFolder

folder, last = Path(sys.argv[1]), int(sys.argv[2])
out = OutputFolder(folder, disk=Failing(last, lambda: os.kill(os.getpid(), signal.SIGKILL)))
with guarded(out):
    out.replace(NEW)
"""


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    """A folder that the command runs in, which is no output."""
    monkeypatch.chdir(tmp_path)


def old_site(out):
    """A folder with the old site, and a file that somebody put there."""
    OutputFolder(out).replace(OLD)
    (out / "CNAME").write_bytes(b"mine")
    return out


def settle(out):
    """Waits until nobody works in a folder any more."""
    for _ in range(3_000):
        if not (out / WORK).exists():
            return
        time.sleep(0.01)
    raise AssertionError(f"{out} still has a {WORK}")


def test_killed_at_any_step(tmp_path, tmp_path_factory):
    """Really killed at whichever step: the old site to the byte, or the new one, without a next run."""
    ends = []
    for last in range(1, steps_of_a_run(tmp_path / "out") + 1):
        out = old_site(tmp_path_factory.mktemp("killed"))
        command = [sys.executable, "-c", KILLED, out, str(last)]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGKILL
        settle(out)
        assert files_in(out) in (OLD | MINE, NEW | MINE), last
        ends.append(files_in(out) == NEW | MINE)
    assert ends == sorted(ends)
    assert (ends[0], ends[-1]) == (False, True)


BUILD = """
import os, signal, sys
from builder.disk import Disk
from builder.cli import build

moves, number = int(sys.argv.pop(1)), int(sys.argv.pop(1))
move = Disk.move

def killed(disk, path, to):
    global moves
    moves -= 1
    if not moves:
        os.killpg(os.getpgrp(), number)
    move(disk, path, to)

Disk.move = killed
build()
"""


@pytest.mark.parametrize(
    ("moves", "number"), [(1, signal.SIGKILL), (2, signal.SIGKILL), (2, signal.SIGTERM), (6, signal.SIGKILL)]
)
def test_a_build_is_killed(moves, number, tmp_path):
    """A build that is killed with its process group, as by a terminal, leaves the site that was there."""
    out = old_site(tmp_path / "out")
    command = [sys.executable, "-c", BUILD, str(moves), str(int(number)), "--out", out]
    ran = subprocess.run(command, cwd=ROOT, check=False, start_new_session=True, capture_output=True)
    assert (ran.returncode, ran.stdout, ran.stderr) == (-number, b"", b"")
    settle(out)
    assert files_in(out) == OLD | MINE
    assert folders_in(out) == {"embed", "charts", "h100"}


def guards():
    """The processes that this one has started and not yet waited for."""
    return [int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()]


def test_the_guard_is_killed(tmp_path):
    """A run whose guard is killed does its work."""
    out = old_site(tmp_path / "out")
    before = guards()
    with guarded(OutputFolder(out)):
        (guard,) = set(guards()) - set(before)
        os.kill(guard, signal.SIGKILL)
        OutputFolder(out).replace(NEW)
    assert files_in(out) == NEW | MINE


def test_no_guard_stays(tmp_path):
    """The guard of a run that ends by itself ends with it, and has touched nothing."""
    before = guards()
    with guarded(OutputFolder(tmp_path / "out")):
        assert len(guards()) == len(before) + 1
    assert guards() == before
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("fault", [BuilderError, KeyboardInterrupt])
def test_no_guard_stays_behind_a_fault(fault, tmp_path):
    """Nor does that of a run that fails, or is interrupted."""
    before = guards()
    with pytest.raises(fault), guarded(OutputFolder(tmp_path / "out")):
        raise fault
    assert guards() == before


TERMINATED = """
import os, signal, sys
from pathlib import Path
from builder.output_guard import guarded
from tests.test_output import NEW, Failing, OutputFolder

def terminate():
    for guard in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        os.kill(int(guard), signal.SIGTERM)
    os.kill(os.getpid(), signal.SIGTERM)

out = OutputFolder(Path(sys.argv[1]), disk=Failing(int(sys.argv[2]), terminate))
with guarded(out):
    out.replace(NEW)
"""


def test_all_processes_are_told_to_end(tmp_path, tmp_path_factory):
    """Told to end together with its guard, a run leaves the old site or the new one."""
    steps = steps_of_a_run(tmp_path / "out")
    for last in range(1, steps + 1, 5):
        out = old_site(tmp_path_factory.mktemp("terminated"))
        command = [sys.executable, "-c", TERMINATED, out, str(last)]
        assert subprocess.run(command, cwd=ROOT, check=False).returncode == -signal.SIGTERM
        settle(out)
        assert files_in(out) in (OLD | MINE, NEW | MINE), last


class Interrupted(Disk):
    """Interrupted at one move, and at all that would change things back."""

    moves = 0

    def move(self, path, to):
        self.moves += 1
        if self.moves >= 5:
            raise KeyboardInterrupt
        super().move(path, to)


def test_interrupted_while_it_changes_things_back(tmp_path):
    """What a run that is interrupted again and again leaves undone its guard does."""
    out = old_site(tmp_path / "out")
    folder = OutputFolder(out, disk=Interrupted())
    with pytest.raises(KeyboardInterrupt), guarded(folder):
        folder.replace(NEW)
    assert files_in(out) == OLD | MINE
    assert not (out / WORK).exists()


def test_a_guard_that_does_not_start(tmp_path, monkeypatch):
    """What has a guard that ends at once is not begun either, and that is said in a line."""
    monkeypatch.setattr(sys, "executable", "/bin/true")
    with pytest.raises(BuilderError) as caught, guarded(OutputFolder(tmp_path / "out")):
        raise AssertionError
    assert str(caught.value) == f"{tmp_path}/out: cannot be guarded: /bin/true does not start"


def test_a_system_that_starts_no_more_processes(tmp_path, monkeypatch):
    """What cannot be guarded is not begun, and said in a line."""

    def refuse(*_, **__):
        raise BlockingIOError(11, "Resource temporarily unavailable")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    with pytest.raises(BuilderError) as caught, guarded(OutputFolder(Path("out"))):
        raise AssertionError
    assert str(caught.value) == "out: cannot be guarded: Resource temporarily unavailable"
