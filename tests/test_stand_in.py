"""The stand-in: at any time an output's path holds all old files or all new ones, and nobody's are lost."""

import ctypes
import errno
import fcntl
import json
import os
import shutil
import signal
import stat
import subprocess
import sys

import pytest

from builder import stand_in
from builder.disk import Disk
from builder.errors import BuilderError, OutputError
from builder.output import MANIFEST, WORK, OutputFolder
from builder.stand_in import RECORD
from tests.test_output import NEW, OLD, ROOT, Failing, away, ctrl_c, no_room, out  # noqa: F401 (fixtures)

THEIRS = {
    "CNAME": b"mine",
    "deep/down/notes.txt": b"my notes",
    "h100/extra.txt": b"in a folder of yours",
    "nothing": "an empty folder",
    "other": "-> elsewhere",
    "deep/name": "-> ../CNAME",
}
PLACE = ".out.two-phases"


def put_theirs(folder):
    """Puts files, links and an empty folder of others into a folder."""
    for path, data in THEIRS.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(data, bytes):
            place.write_bytes(data)
        elif data.startswith("-> "):
            place.symlink_to(data.removeprefix("-> "))
        else:
            place.mkdir()


def make_site(folder):
    """The old site, with files of others in it."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    OutputFolder(folder).replace(OLD)
    put_theirs(folder)
    return folder


def tree(folder):
    """All that a reader finds: bytes of files, targets of links, and folders that hold nothing."""
    found = {}
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] in (MANIFEST, WORK, RECORD):
            continue
        if path.is_symlink():
            found[name] = f"-> {path.readlink()}"
        elif path.is_file():
            found[name] = path.read_bytes()
        elif not any(path.iterdir()):
            found[name] = "an empty folder"
    return found


def beside(folder):
    """What is there beside a folder."""
    return {path.name for path in folder.parent.iterdir()} - {folder.name}


def is_clean(folder):
    """Whether nothing is left of the bookkeeping of a run."""
    return not beside(folder) and {path.name for path in folder.iterdir()}.isdisjoint({WORK, RECORD})


class FailingAfter(Failing):
    """Fails when the `last` thing is done, as Ctrl-C may; half a file is all that is written."""

    def make_folder(self, path):
        Disk.make_folder(self, path)
        self.step()

    def give_rights(self, path, like):
        Disk.give_rights(self, path, like)
        self.step()

    def copy(self, path, to):
        Disk.copy(self, path, to)
        self.step()

    def move(self, path, to):
        Disk.move(self, path, to)
        self.step()

    def exchange(self, path, other):
        Disk.exchange(self, path, other)
        self.step()

    def remove(self, path):
        Disk.remove(self, path)
        self.step()

    def remove_folder(self, path):
        Disk.remove_folder(self, path)
        self.step()


def steps(folder, old):
    """How many things a run does to files, in a folder with those of others."""
    if old:
        make_site(folder)
    disk = Failing(0, no_room)
    OutputFolder(folder, disk=disk).replace(NEW)
    return -disk.left


# One process to load the builder; a child of its own for each run that is killed.
KILLED = """
import os, sys
from pathlib import Path
from tests.test_output import NEW, Failing, OutputFolder

def kill():
    os._exit(9)

for last in range(1, int(sys.argv[2]) + 1):
    child = os.fork()
    if not child:
        OutputFolder(Path(sys.argv[1], str(last), "out"), disk=Failing(last, kill)).replace(NEW)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 9, last
"""


def kill_at_each(folder, count):
    """Kills runs at the first step, the second and so on, each in a folder of its own: 1/out, 2/out."""
    subprocess.run([sys.executable, "-c", KILLED, folder, str(count)], cwd=ROOT, check=True)
    return [folder / str(last) / "out" for last in range(1, count + 1)]


def killed_after(moves, folder):
    """Kills a run when it has exchanged the folders and moved so many files."""
    script = """
import os, sys
from pathlib import Path
from builder.disk import Disk
from tests.test_output import NEW, OutputFolder

class Killing(Disk):
    left = None
    def exchange(self, path, other):
        super().exchange(path, other)
        self.left = int(sys.argv[2])
        self.count()
    def move(self, path, to):
        super().move(path, to)
        if self.left is not None:
            self.left -= 1
            self.count()
    def count(self):
        if self.left == 0:
            os._exit(9)

OutputFolder(Path(sys.argv[1]), disk=Killing()).replace(NEW)
"""
    ran = subprocess.run([sys.executable, "-c", script, folder, str(moves)], cwd=ROOT, check=False)
    assert ran.returncode == 9
    assert beside(folder) == {PLACE}


@pytest.fixture
def site(away):  # noqa: F811
    """The old site with files of others, alone in its folder."""
    return make_site(away / "alone" / "out")


@pytest.fixture
def half(site):
    """The same, after a run that was killed with two of five files moved: the new site stands in for it."""
    killed_after(2, site)
    return site


# Killed, failed and stopped


def test_killed_at_every_step(away):  # noqa: F811
    """Killed at whichever step the path holds exactly the old site or the new one; the next run ends well."""
    count = steps(away / "count" / "out", OLD)
    inodes = {n: make_site(away / str(n) / "out").stat().st_ino for n in range(1, count + 1)}
    ends = []
    for last, folder in enumerate(kill_at_each(away, count), 1):
        found = tree(folder)
        assert found in (OLD | THEIRS, NEW | THEIRS), last
        ends.append(found == NEW | THEIRS)
        OutputFolder(folder)
        assert tree(folder) in (OLD | THEIRS, NEW | THEIRS), last
        assert is_clean(folder), last
        OutputFolder(folder).replace(NEW)
        assert tree(folder) == NEW | THEIRS, last
        assert is_clean(folder), last
        assert folder.stat().st_ino == inodes[last]
    assert ends == sorted(ends)
    # Old until all is prepared; new as soon as the first of five files is moved.
    assert ends.count(False) > 2 * len(NEW)
    assert ends.count(True) > 2 * len(NEW)


def test_the_recovery_stops_at_every_step(away):  # noqa: F811
    """Also a run that puts back what another left may stop, whenever, and the next one takes over."""
    for last in range(1, 40):
        folder = make_site(away / str(last) / "out")
        killed_after(2, folder)
        disk = Failing(last, ctrl_c)
        try:
            OutputFolder(folder, disk=disk)
        except KeyboardInterrupt:
            assert tree(folder) in (OLD | THEIRS, NEW | THEIRS), last
        OutputFolder(folder)
        assert tree(folder) == OLD | THEIRS
        assert is_clean(folder)
        if disk.left > 0:
            break
    assert last > len(NEW)


def test_killed_before_there_was_a_site(away):  # noqa: F811
    """Killed in its first run the path holds nothing, or everything; the folder is still ours."""
    count = steps(away / "count" / "out", None)
    seen = []
    for folder in kill_at_each(away, count):
        found = tree(folder) if folder.exists() else {}
        assert found in ({}, NEW)
        seen.append(found == NEW)
        OutputFolder(folder).replace(OLD)
        assert tree(folder) == OLD
        assert is_clean(folder)
    assert seen == sorted(seen)
    assert {*seen} == {False, True}


@pytest.mark.parametrize("kind", [Failing, FailingAfter])
@pytest.mark.parametrize("fail", [no_room, ctrl_c])
def test_a_failure_at_every_step(fail, kind, away):  # noqa: F811
    """Whichever step fails or is stopped, the old site is there, or the new one if all was done.

    Nothing is left beside it; inside it only what was still to be cleared up.
    """
    count = steps(away / "count" / "out", OLD)
    ends = []
    for last in range(1, count + 1):
        folder = make_site(away / str(last) / "out")
        inode = folder.stat().st_ino
        with pytest.raises((BuilderError, KeyboardInterrupt)):
            OutputFolder(folder, disk=kind(last, fail)).replace(NEW)
        found = tree(folder)
        assert found in (OLD | THEIRS, NEW | THEIRS), last
        assert beside(folder) == set(), last
        assert folder.stat().st_ino == inode
        ends.append(found == NEW | THEIRS)
    assert ends == sorted(ends)
    # The steps after the last file is in its place are few: two moves of folders, and what they need.
    assert 0 < ends.count(True) < len(NEW) + 3


HALTING = """
import sys
from pathlib import Path
from builder.disk import Disk
from tests.test_output import NEW, OutputFolder

class Halting(Disk):
    moves = None
    def exchange(self, path, other):
        super().exchange(path, other)
        self.moves = 0
    def move(self, path, to):
        super().move(path, to)
        if self.moves is not None:
            self.moves += 1
            if self.moves == 2:
                print("halted", flush=True)
                sys.stdin.readline()

OutputFolder(Path(sys.argv[1]), disk=Halting()).replace(NEW)
"""
WRITING = """
import sys
from pathlib import Path
from builder.output import OutputFolder
OutputFolder(Path(sys.argv[1])).replace({"index.html": b"third page"})
"""


def halted(folder):
    """A run that halts with the folders exchanged and two files moved, until it is sent a line."""
    command = [sys.executable, "-c", HALTING, folder]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout.readline() == "halted\n"
    return process


def test_really_killed(site):
    """After kill -9 between two moves the new site is there in full; the next run begins from the old one."""
    with halted(site) as process:
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert tree(site) == NEW | THEIRS
    OutputFolder(site)
    assert tree(site) == OLD | THEIRS
    assert is_clean(site)


# Two at once


def is_held(folder):
    """Whether some run keeps others out of a folder."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(opened)
    return False


@pytest.mark.parametrize("end", ["goes on", "is killed"])
def test_a_run_that_comes_while_another_stands_in(end, site):
    """It waits, whichever folder it finds at the path, and does its work when the first is done, or dead."""
    with halted(site) as first:
        assert is_held(site)
        assert is_held(site.with_name(PLACE))
        with subprocess.Popen([sys.executable, "-c", WRITING, site], cwd=ROOT) as second:
            if end == "goes on":
                assert first.communicate("\n") == ("", "")
            else:
                first.send_signal(signal.SIGKILL)
    assert second.returncode == 0
    assert tree(site) == {"index.html": b"third page"} | THEIRS
    assert is_clean(site)


def test_a_run_that_puts_the_folder_back(half):
    """It holds both folders, as a run does that comes to it by itself."""
    held = []

    class Asking(Disk):
        def exchange(self, path, other):
            held.extend([is_held(path), is_held(other)])
            super().exchange(path, other)

    OutputFolder(half, disk=Asking())
    assert held == [True, True]
    assert not is_held(half)


def test_ctrl_c_while_waiting(half, monkeypatch):
    """A run that is stopped while it waits for another leaves what the other has half done."""
    before = tree(half.parent)

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(stand_in.fcntl, "flock", stop)
    with pytest.raises(KeyboardInterrupt):
        OutputFolder(half)
    assert tree(half.parent) == before


def test_a_folder_that_was_exchanged_while_a_run_waited(site, monkeypatch):
    """A lock on a folder that is no longer at the path is no lock: it is taken again on the one that is."""
    aside = site.with_name("aside")
    locks = []
    flock = fcntl.flock

    def take(folder, how):
        flock(folder, how)
        locks.append(os.fstat(folder).st_ino)
        if len(locks) == 1:
            site.rename(aside)
            shutil.copytree(aside, site, symlinks=True)

    monkeypatch.setattr(stand_in.fcntl, "flock", take)
    OutputFolder(site)
    assert locks == [aside.stat().st_ino, site.stat().st_ino]


READING = """
import json, os, sys
from pathlib import Path

out, names, theirs = Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[3].split(",")
passes, faults = 0, []
print("reading", flush=True)
while not Path(sys.argv[4]).exists():
    last = 0
    for name in (*names, *reversed(names)):
        found = int((out / name).read_text())
        if found < last:
            faults.append(f"{name}: {found} after {last}")
        last = found
    for name in theirs:
        (out / name).read_bytes()
    folder = os.open(out, os.O_RDONLY)
    listed = os.listdir(folder)
    # One that was taken from the path meanwhile is not what is read by the path.
    if os.path.samestat(os.fstat(folder), out.stat()):
        passes += 1
        faults += [f"{name} is not listed" for name in (names[0], names[-1], "CNAME") if name not in listed]
    os.close(folder)
print(json.dumps([passes > 0, faults]))
"""


def test_a_reader_finds_all_of_one_site(site):
    """Read over and over while it is replaced, no file is missing, and none older than one read before."""
    # In the order in which they are moved: what is read first would be new first.
    names = ["a.txt", "embed/b.txt", "sub/index.html", "index.html"]
    OutputFolder(site).replace(dict.fromkeys(names, b"1"))
    stop = site.parents[1] / "stop"
    theirs = "CNAME,deep/down/notes.txt,deep/name"
    command = [sys.executable, "-c", READING, site, ",".join(names), theirs, stop]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as reader:
        assert reader.stdout.readline() == "reading\n"
        for number in range(2, 120):
            OutputFolder(site).replace(dict.fromkeys(names, str(number).encode()))
        stop.write_bytes(b"")
        assert json.loads(reader.communicate()[0]) == [True, []]
    assert reader.returncode == 0


# What stands in


class Looking(Disk):
    """Looks at a folder in the moment in which another stands in for it."""

    def __init__(self, look):
        self.look = look

    def exchange(self, path, other):
        super().exchange(path, other)
        if (path / RECORD).exists():
            self.look(path, other)


def test_what_a_reader_sees(site):
    """The folder that stands in is like the other: rights, links, others' files and not copies of them."""
    (site / "deep").chmod(0o550)
    site.chmod(0o2751)
    seen = []

    def look(path, folder):
        seen.append((tree(path), tree(folder)))
        assert stat.S_IMODE(path.stat().st_mode) == 0o2751
        # Its owner must be able to take it away again.
        assert stat.S_IMODE((path / "deep").stat().st_mode) == 0o750
        assert (path / "CNAME").samefile(folder / "CNAME")

    inode = site.stat().st_ino
    OutputFolder(site, disk=Looking(look)).replace(NEW)
    assert seen == [(NEW | THEIRS, OLD | THEIRS)]
    assert site.stat().st_ino == inode
    assert stat.S_IMODE((site / "deep").stat().st_mode) == 0o550
    assert tree(site) == NEW | THEIRS
    assert is_clean(site)


def test_an_output_that_is_a_link(site):
    """The folder that it leads to is exchanged, and not the link; also after a run that was killed."""
    link = site.parents[1] / "link"
    link.symlink_to("alone/out")
    inode = site.stat().st_ino
    killed_after(1, link.resolve())
    assert tree(link) == NEW | THEIRS
    OutputFolder(link).replace({"index.html": b"third page"})
    assert str(link.readlink()) == "alone/out"
    assert site.stat().st_ino == inode
    assert tree(site) == {"index.html": b"third page"} | THEIRS
    assert is_clean(site)


@pytest.fixture
def no_links(monkeypatch):
    """Lets no file have a second name, for the reason that is given."""

    def refuse_links(number):
        def refuse(*_, **__):
            raise OSError(number, os.strerror(number))

        monkeypatch.setattr(os, "link", refuse)

    return refuse_links


def test_a_file_system_without_hard_links(site, no_links):
    """Others' files are copied where they can have no second name."""
    seen = []
    no_links(errno.EPERM)
    OutputFolder(site, disk=Looking(lambda path, folder: seen.append(tree(path)))).replace(NEW)
    assert seen == [NEW | THEIRS]
    assert tree(site) == NEW | THEIRS
    assert is_clean(site)


def test_a_file_on_another_disk(site, no_links):
    """What lies on another disk is not copied, as it may be large."""
    no_links(errno.EXDEV)
    with pytest.raises(OSError, match="cross-device"):
        Disk().copy(site / "CNAME", site / "copy")
    assert not (site / "copy").exists()


# Where none can stand in


class Refusing(Looking):
    """Cannot exchange, or do another thing to files beside the output."""

    def __init__(self, method, number):
        super().__init__(pytest.fail)
        self.method = method
        self.number = number

    def refuse(self, method):
        if method == self.method:
            raise OSError(self.number, os.strerror(self.number))

    def exchange(self, path, other):
        self.refuse("exchange")
        super().exchange(path, other)

    def move(self, path, to):
        if to.name == PLACE:
            self.refuse("move")
        super().move(path, to)

    def copy(self, path, to):
        if path.name == "notes.txt":
            self.refuse("copy")
        super().copy(path, to)

    def give_rights(self, path, like):
        self.refuse("give_rights")
        super().give_rights(path, like)


@pytest.mark.parametrize(
    ("method", "number"),
    [
        ("exchange", errno.ENOSYS),
        ("exchange", errno.EINVAL),
        ("exchange", errno.EBUSY),
        ("move", errno.EXDEV),
        ("move", errno.EACCES),
        ("move", errno.EROFS),
        ("move", errno.ENAMETOOLONG),
        ("copy", errno.EXDEV),
        ("copy", errno.EACCES),
        ("give_rights", errno.EPERM),
    ],
)
def test_none_can_stand_in(method, number, site, capfd):
    """Where the system refuses it the files are moved one by one, and nothing is said of it."""
    inode = site.stat().st_ino
    OutputFolder(site, disk=Refusing(method, number)).replace(NEW)
    assert tree(site) == NEW | THEIRS
    assert site.stat().st_ino == inode
    assert is_clean(site)
    assert capfd.readouterr() == ("", "")


def test_a_system_without_the_call(site, monkeypatch):
    """Where the C library has no such call it is one more refusal."""
    monkeypatch.setattr(ctypes, "CDLL", lambda *_, **__: object())
    with pytest.raises(OSError, match="not implemented") as caught:
        Disk().exchange(site, site.parent)
    assert caught.value.errno == errno.ENOSYS
    OutputFolder(site).replace(NEW)
    assert tree(site) == NEW | THEIRS


def test_what_the_system_itself_refuses(site):
    """A folder and one inside it cannot change places; the error says so and names both."""
    with pytest.raises(OSError, match="Invalid argument") as caught:
        Disk().exchange(site, site / "deep")
    assert caught.value.errno == errno.EINVAL
    assert (caught.value.filename, caught.value.filename2) == (str(site), str(site / "deep"))
    assert tree(site) == OLD | THEIRS


# What others have, or do


@pytest.mark.parametrize("kind", ["file", "folder", "empty", "link", "record", "linked"])
def test_something_of_that_name(kind, site):
    """What has the stand-in's name and is not known for one is refused, and left as it is."""
    place = site.with_name(PLACE)
    if kind == "file":
        place.write_bytes(b"mine")
    elif kind == "link":
        place.symlink_to("out")
    else:
        target = place if kind != "linked" else site.parents[1] / "target"
        target.mkdir()
        if kind == "folder":
            (target / "notes.txt").write_bytes(b"mine")
        if kind == "record":  # of another folder's stand-in
            (target / RECORD).write_text('{"folder": 1, "ours": [], "stamps": {}}', encoding="utf-8")
        if kind == "linked":
            record = {"folder": site.stat().st_ino, "ours": [], "stamps": {}}
            (target / RECORD).write_text(json.dumps(record), encoding="utf-8")
            place.symlink_to(target)
    before = tree(site.parents[1])
    with pytest.raises(OutputError) as caught:
        OutputFolder(site)
    assert str(caught.value) == f"{place}: is not ours, or was left by a run that was killed; move it away"
    assert tree(site.parents[1]) == before
    assert os.path.lexists(place)


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"folder": 1, "ours": [], "stamps": 3}'])
def test_a_record_that_is_none(text, half):
    """A record that cannot be read makes no folder a stand-in: nothing is exchanged or removed."""
    (half / RECORD).write_text(text, encoding="utf-8")
    before = tree(half.parent)
    with pytest.raises(OutputError, match="is not ours, or was left"):
        OutputFolder(half)
    assert tree(half.parent) == before


def test_files_of_others_after_a_killed_run(half):
    """What somebody does to the folder that they see is not lost when the other comes back."""
    (half / "new.txt").write_bytes(b"added")
    (half / "more" / "empty").mkdir(parents=True)
    (half / "deep" / "down" / "notes.txt").write_bytes(b"written over, in place")
    (half / "CNAME.tmp").write_bytes(b"written anew")
    (half / "CNAME.tmp").replace(half / "CNAME")
    (half / "embed" / "timeline.html").unlink()
    (half / "embed" / "timeline.html").write_bytes(b"mine now")
    (half.with_name(PLACE) / "hidden.txt").write_bytes(b"found it")
    changed = {
        "new.txt": b"added",
        "more/empty": "an empty folder",
        "deep/down/notes.txt": b"written over, in place",
        "CNAME": b"written anew",
        "hidden.txt": b"found it",
    }
    OutputFolder(half)
    assert tree(half) == OLD | THEIRS | changed | {"embed/timeline.html": b"mine now"}
    assert is_clean(half)
    OutputFolder(half).replace({"index.html": b"third page"})
    assert tree(half) == THEIRS | changed | {
        "index.html": b"third page",
        "embed/timeline.html": b"mine now",
    }


@pytest.mark.parametrize("kept", ["seen", "hidden"])
def test_a_file_that_was_changed_in_both(kept, half):
    """Of a file that others changed in both folders none is lost: they say which one is right."""
    hidden = half.with_name(PLACE)
    for folder, data in ((half, b"seen"), (hidden, b"hidden")):
        (folder / "CNAME").unlink()
        (folder / "CNAME").write_bytes(data)
    with pytest.raises(OutputError) as caught:
        OutputFolder(half)
    # By then the folders have their own names again.
    assert str(caught.value) == f"{hidden}/CNAME: was changed, and so was {half}/CNAME; remove one of them"
    assert tree(half) == OLD | THEIRS | {"CNAME": b"hidden"}
    assert (hidden / "CNAME").read_bytes() == b"seen"
    (hidden / "CNAME" if kept == "hidden" else half / "CNAME").unlink()
    OutputFolder(half)
    assert tree(half) == OLD | THEIRS | {"CNAME": kept.encode()}
    assert is_clean(half)


@pytest.mark.parametrize("folder", ["h100", "deep"])
def test_a_file_that_is_not_written_through_a_link(folder, half):
    """What was put into a folder is not moved out through a link that took the folder's place."""
    hidden, target = half.with_name(PLACE), half.parents[1] / "target"
    (half / folder / "new.txt").write_bytes(b"added")
    target.mkdir()
    (hidden / folder).rename(hidden / "moved")
    (hidden / folder).symlink_to(target)
    # h100 is a folder that the run would have changed back; into deep it would have moved the new file.
    rule = {
        "h100": "h100: is a link out of the folder; remove it",
        "deep": "deep/new.txt; remove one of them",
    }
    with pytest.raises(OutputError, match=f"{rule[folder]}$"):
        OutputFolder(half)
    assert list(target.iterdir()) == []
    assert b"added" in tree(half.parent).values()


def test_a_folder_that_stood_in_for_one_that_is_gone(half):
    """Where the other folder was removed by hand the one that is there is complete: it is the output now."""
    shutil.rmtree(half.with_name(PLACE))
    inode = half.stat().st_ino
    OutputFolder(half)
    assert tree(half) == NEW | THEIRS
    assert is_clean(half)
    OutputFolder(half).replace(OLD)
    assert tree(half) == OLD | THEIRS
    assert half.stat().st_ino == inode


def test_the_wrong_folder_is_removed(half):
    """Where the stand-in was removed by hand, the other, which may hold more, is named and not touched."""
    shutil.rmtree(half)
    before = tree(half.with_name(PLACE))
    with pytest.raises(OutputError, match="was left by a run that was killed; move it away"):
        OutputFolder(half).replace(NEW)
    assert tree(half.with_name(PLACE)) == before
    assert before.items() >= THEIRS.items()


def test_another_command_after_a_killed_run(half):
    """A complete site that stands in is a site: an export does not take it for its own."""
    before = tree(half.parent)
    with pytest.raises(OutputError, match="was made by build"):
        OutputFolder(half, made_by="export")
    assert tree(half.parent) == before


def test_another_command_after_a_first_run_was_killed(away):  # noqa: F811
    """Also where the folder itself is still empty, and only what stands in for it says whose it is."""
    folder = away / "alone" / "out"
    folder.mkdir(parents=True)
    killed_after(0, folder)
    with pytest.raises(OutputError, match="was made by build"):
        OutputFolder(folder, made_by="export")
    assert tree(folder) == NEW
    OutputFolder(folder)
    assert tree(folder) == {}
    assert is_clean(folder)
