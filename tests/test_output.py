"""The output folder: nobody's files are lost in it, and it is changed whole or not at all."""

import errno
import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from builder.disk import Disk
from builder.errors import BuilderError, OutputError
from builder.output import MANIFEST, WORK, OutputFolder

# Not from conftest: what is started here many times over need not load all that the other tests share.
ROOT = Path(__file__).parents[1]

OLD = {
    "index.html": b"old page",
    "embed/timeline.html": b"old frame",
    "charts/gone.json": b"old chart",
    "h100/index.html": b"old second page",
}
NEW = {
    "index.html": b"new page",
    "embed/timeline.html": b"new frame",
    "embed/roofline.html": b"another new frame",
    "a100/index.html": b"new second page",
}


@pytest.fixture
def away(tmp_path, monkeypatch):
    """A folder to work in, in which the command does not run."""
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    return tmp_path


@pytest.fixture
def out(away):
    """A folder that holds the old site, and a file that somebody put there."""
    OutputFolder(away / "out").replace(OLD)
    (away / "out" / "CNAME").write_bytes(b"mine")
    return away / "out"


def files_in(folder):
    """Every file in a folder but the manifest: path and bytes."""
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }
    files.pop(MANIFEST, None)
    return files


def folders_in(folder):
    """Every folder in a folder."""
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}


MINE = {"CNAME": b"mine"}


# What is written


def test_files_are_written(away):
    """Folders are made as they are needed, and nothing but the files and their list is left in them."""
    OutputFolder(away / "a" / "b").replace(NEW)
    assert files_in(away / "a" / "b") == NEW
    assert folders_in(away / "a" / "b") == {"embed", "a100"}


def test_files_can_be_read_by_a_web_server(away):
    """They have the rights of any new file, and not those of a temporary one."""
    OutputFolder(away / "out").replace(NEW)
    (away / "other").write_bytes(b"")
    assert (away / "out" / "index.html").stat().st_mode == (away / "other").stat().st_mode


def test_a_site_replaces_the_one_before(out):
    """Files that the new site has not are gone, and the folders that they leave empty; others' stay."""
    OutputFolder(out).replace(NEW)
    assert files_in(out) == NEW | MINE
    assert folders_in(out) == {"embed", "a100"}


def test_a_file_of_ours_that_somebody_changed_stays(out):
    """A file of the old site that is not as we wrote it is not removed, and is theirs from then on."""
    (out / "charts" / "gone.json").write_bytes(b"edited by hand")
    OutputFolder(out).replace(NEW)
    assert files_in(out) == NEW | MINE | {"charts/gone.json": b"edited by hand"}
    with pytest.raises(OutputError, match=r"charts/gone.json: is not ours; move it away"):
        OutputFolder(out).replace(OLD)
    assert files_in(out) == NEW | MINE | {"charts/gone.json": b"edited by hand"}


def test_one_file_is_added(out):
    """A file more leaves all others as they are, and is ours from then on."""
    OutputFolder(out).add("more/one.png", b"a picture")
    assert files_in(out) == OLD | MINE | {"more/one.png": b"a picture"}
    OutputFolder(out).replace(OLD)
    assert files_in(out) == OLD | MINE


def test_the_list_of_files(out):
    """It names each file of ours and its digest, sorted, and nothing that differs from run to run."""
    manifest = json.loads((out / MANIFEST).read_text(encoding="utf-8"))
    assert manifest["made_by"] == "build"
    assert list(manifest["files"]) == sorted(OLD)
    # `printf 'old page' | sha256sum`
    assert (
        manifest["files"]["index.html"] == "65e2c41ac94172f6e00b93aafdc68b026b25791c4455809f24e04f52fdcd28b7"
    )


# What is refused


def refusal(path, *apart_from, made_by="build"):
    """Why a folder is refused."""
    with pytest.raises(OutputError) as caught:
        OutputFolder(path, apart_from=apart_from, made_by=made_by)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value).removeprefix(f"{path}: ").split(";")[0]


def test_places_that_are_never_an_output(away, monkeypatch):
    """The folder of the command, the home, the author's folders, and all that holds one of these."""
    here, home, content = away / "elsewhere", away / "homes" / "me", away / "project" / "content"
    for folder in (home, content / "prose"):
        folder.mkdir(parents=True)
    monkeypatch.setenv("HOME", str(home))
    inside = "is the folder that the command runs in, or above it"
    assert refusal(Path()) == inside
    assert refusal(here) == inside
    assert refusal(Path("/")) == inside
    assert refusal(away / "elsewhere" / ".." / "elsewhere") == inside
    assert refusal(home) == "is your home, or above it"
    assert refusal(away / "homes") == "is your home, or above it"
    for folder in (content, content.parent, content / "prose", content / "new" / "one"):
        assert refusal(folder, content) == f"must be apart from {content}"
    assert files_in(away) == {}


def test_a_link_does_not_hide_such_a_place(away):
    """A link to the content is refused as the content is."""
    (away / "content").mkdir()
    (away / "link").symlink_to(away / "content")
    assert refusal(away / "link", away / "content") == f"must be apart from {away}/content"


def test_a_folder_that_we_did_not_make(away):
    """A folder with files and without our list is refused, and left as it is."""
    (away / "out" / ".git").mkdir(parents=True)
    (away / "out" / ".git" / "HEAD").write_bytes(b"ref")
    (away / "out" / "notes.txt").write_bytes(b"mine")
    before = files_in(away)
    assert refusal(away / "out") == "holds .git, which is not ours"
    assert files_in(away) == before
    assert folders_in(away / "out") == {".git"}


def test_a_folder_of_another_command(out):
    """A site is not taken for a folder of exported charts, whose contact sheet would go over its page."""
    assert refusal(out, made_by="export") == "was made by build"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "{}",
        '{"made_by": "build", "files": 3}',
        '{"made_by": "build", "files": {"../notes.txt": "00"}}',
        '{"made_by": "build", "files": {"/etc/passwd": "00"}}',
        '{"made_by": "build", "files": {"a\\u0000b": "00"}}',
        "[" * 100_000,
    ],
)
def test_a_list_that_is_not_ours(text, out):
    """A list of files that cannot be read, or that leads out of the folder, is no licence to remove any."""
    (out / MANIFEST).write_text(text, encoding="utf-8")
    assert refusal(out) == f"has a list of files, {MANIFEST}, that cannot be read"
    assert files_in(out) == OLD | MINE


@pytest.mark.parametrize(
    "undo",
    [
        '{"restore": {}, "remove": {"../precious.txt": "DIGEST"}}',
        '{"restore": {"../precious.txt": "DIGEST"}, "remove": {}}',
        '{"restore": {}, "remove": {"FOLDER/precious.txt": "DIGEST"}}',
        '{"restore": {}, "remove": {"a\\u0000b": "DIGEST"}}',
        '{"restore": {}}',
        '{"restore": 3, "remove": {}}',
        "[" * 100_000,
        "{",
        "",
    ],
)
def test_a_way_back_that_leads_elsewhere(undo, out, away):
    """What a killed run left is believed only if it stays inside the folder."""
    (away / "precious.txt").write_bytes(b"mine")
    (out / WORK / "old").mkdir(parents=True)
    (out / WORK / "old" / "index.html").write_bytes(b"theirs")
    mine = hashlib.sha256(b"mine").hexdigest()
    filled = undo.replace("FOLDER", str(away)).replace("DIGEST", mine)
    (out / WORK / "undo.json").write_text(filled, encoding="utf-8")
    before = files_in(away)
    assert refusal(out) == f"has a {WORK}/undo.json that cannot be read"
    assert files_in(away) == before


def test_a_way_back_in_a_folder_that_is_not_ours(away):
    """A folder of somebody else is refused before anything in it is cleared up."""
    (away / "out" / WORK).mkdir(parents=True)
    (away / "out" / WORK / "new").write_bytes(b"mine")
    (away / "out" / "more.txt").write_bytes(b"mine")
    assert refusal(away / "out") == "holds more.txt, which is not ours"
    assert set(files_in(away / "out").values()) == {b"mine"}
    assert len(files_in(away / "out")) == 2


@pytest.mark.parametrize("kind", ["file", "link"])
def test_a_work_folder_that_is_none(kind, out, away):
    """A file or a link by the name of our own folder is refused and left alone."""
    (away / "other").mkdir()
    (away / "other" / "notes.txt").write_bytes(b"mine")
    if kind == "file":
        (out / WORK).write_bytes(b"mine")
    else:
        (out / WORK).symlink_to(away / "other")
    assert refusal(out) == f"has a {WORK} that is not ours"
    assert (away / "other" / "notes.txt").read_bytes() == b"mine"


@pytest.mark.parametrize("own", [[], ["new"]])
def test_a_work_folder_of_somebody_s(own, out, away):
    """A folder by that name with what no run of ours puts there is refused and left alone."""
    for name in own:
        (out / WORK / name).mkdir(parents=True)
    (out / WORK).mkdir(exist_ok=True)
    (out / WORK / "notes.txt").write_bytes(b"mine")
    assert refusal(out) == f"has a {WORK} that is not ours"
    assert (out / WORK / "notes.txt").read_bytes() == b"mine"


@pytest.mark.parametrize("make", [os.mkdir, os.mkfifo])
def test_a_list_of_files_that_is_no_file(make, out):
    """A folder or a pipe by the name of our list is a list that cannot be read, and is not waited for."""
    (out / MANIFEST).unlink()
    make(out / MANIFEST)
    assert refusal(out) == f"has a list of files, {MANIFEST}, that cannot be read"


def test_a_way_back_that_is_a_pipe(out):
    """Nor is a pipe by the name of the way back."""
    (out / WORK).mkdir()
    os.mkfifo(out / WORK / "undo.json")
    assert refusal(out) == f"has a {WORK}/undo.json that cannot be read"


def test_names_that_no_folder_can_have(away):
    """Links that lead in a circle and a name that is too long are refused in one line."""
    (away / "one").symlink_to(away / "two")
    (away / "two").symlink_to(away / "one")
    for path in (away / "one", away / "one" / "x", away / ("x" * 300)):
        with pytest.raises(OutputError) as caught:
            OutputFolder(path).replace(NEW)
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("name", [".gitignore", ".gitkeep", ".DS_Store"])
def test_a_folder_that_is_as_good_as_empty(name, away):
    """What version control or a file manager puts into an empty folder is no reason to refuse it."""
    (away / "out").mkdir()
    (away / "out" / name).write_bytes(b"*")
    OutputFolder(away / "out").replace(NEW)
    assert files_in(away / "out") == NEW | {name: b"*"}


def test_a_file_of_somebody_in_the_way(out):
    """A file that appeared where one of ours belongs now is not written over, and nothing else is done."""
    (out / "embed" / "roofline.html").write_bytes(b"mine")
    with pytest.raises(OutputError) as caught:
        OutputFolder(out).replace(NEW)
    assert str(caught.value) == f"{out}/embed/roofline.html: is not ours; move it away"
    assert files_in(out) == OLD | MINE | {"embed/roofline.html": b"mine"}


def test_a_file_where_a_folder_is_needed(out):
    """It is refused before anything is done; when it is moved away the next run does its work."""
    (out / "a100").write_bytes(b"mine")
    with pytest.raises(OutputError) as caught:
        OutputFolder(out).replace(NEW)
    assert str(caught.value) == f"{out}/a100: is a file, where a folder is needed; move it away"
    assert files_in(out) == OLD | MINE | {"a100": b"mine"}
    (out / "a100").unlink()
    OutputFolder(out).replace(NEW)
    assert files_in(out) == NEW | MINE


def test_a_link_inside_the_folder(out, away):
    """A folder inside that is a link to elsewhere is not written through."""
    (away / "other").mkdir()
    (out / "a100").symlink_to(away / "other")
    with pytest.raises(OutputError, match="a100: is a link out of the folder"):
        OutputFolder(out).replace(NEW)
    assert files_in(away / "other") == {}
    assert files_in(out) == OLD | MINE


def test_an_output_that_is_a_link(away):
    """A link to a folder, also to one that does not exist yet, is followed and stays a link."""
    for name in ("there", "not-yet"):
        (away / name).mkdir() if name == "there" else None
        (away / f"{name}-link").symlink_to(away / name)
        OutputFolder(away / f"{name}-link").replace(OLD)
        OutputFolder(away / f"{name}-link").replace(NEW)
        assert (away / f"{name}-link").is_symlink()
        assert files_in(away / name) == NEW


def test_a_file_is_no_folder(away):
    """An output that is a file is refused; one below a file cannot be written."""
    (away / "file").write_bytes(b"mine")
    assert refusal(away / "file") == "is a file"
    with pytest.raises(BuilderError) as caught:
        OutputFolder(away / "file" / "out").replace(NEW)
    assert str(caught.value) == f"{away}/file/out: cannot be written: Not a directory"
    assert files_in(away) == {"file": b"mine"}


# Failures at each step


class Failing(Disk):
    """Does `last` things to files, and then fails; half a file is written by then, as on a full disk."""

    def __init__(self, last, fail):
        self.left = last
        self.fail = fail

    def step(self):
        self.left -= 1
        if self.left == 0:
            self.fail()

    def make_folder(self, path):
        self.step()
        super().make_folder(path)

    def write(self, path, data):
        super().write(path, data[:3])
        self.step()
        super().write(path, data)

    def copy(self, path, to):
        self.step()
        super().copy(path, to)

    def move(self, path, to):
        self.step()
        super().move(path, to)

    def remove(self, path):
        self.step()
        super().remove(path)

    def remove_folder(self, path):
        self.step()
        super().remove_folder(path)


def no_room():
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def ctrl_c():
    raise KeyboardInterrupt


def steps_of_a_run(folder):
    """How many things a run does to files."""
    disk = Failing(0, no_room)
    OutputFolder(folder, disk=disk).replace(OLD)
    disk.left = 0
    OutputFolder(folder, disk=disk).replace(NEW)
    return -disk.left


def test_a_run_takes_steps(away):
    """The tests below go through all that a run does: no fewer than a write and a move for each file."""
    assert steps_of_a_run(away / "out") > 2 * len(NEW)


@pytest.mark.parametrize("fail", [no_room, ctrl_c])
def test_a_failure_at_any_step(fail, away, tmp_path_factory):
    """Whichever step fails, the old site is as it was, to the byte, or the new one is there in full."""
    ends = []
    for last in range(1, steps_of_a_run(away / "out") + 1):
        out = tmp_path_factory.mktemp("failing")
        OutputFolder(out).replace(OLD)
        (out / "CNAME").write_bytes(b"mine")
        with pytest.raises((BuilderError, KeyboardInterrupt)):
            OutputFolder(out, disk=Failing(last, fail)).replace(NEW)
        # What a step of clearing up leaves is ours, and no page of a site.
        found = {path: data for path, data in files_in(out).items() if not path.startswith(WORK)}
        assert found in (OLD | MINE, NEW | MINE), last
        ends.append(found == NEW | MINE)
        OutputFolder(out).replace(NEW)
        assert files_in(out) == NEW | MINE
        assert folders_in(out) == {"embed", "a100"}
    assert ends == sorted(ends)
    assert not ends[0]


KILLED = """
import os, sys
from pathlib import Path
from tests.test_output import NEW, Failing, OutputFolder
OutputFolder(Path(sys.argv[1]), disk=Failing(int(sys.argv[2]), lambda: os._exit(9))).replace(NEW)
"""


def test_killed_at_any_step(away, tmp_path_factory):
    """Killed at whichever step, each page is the old or the new one, whole, with what it links to.

    Before it does anything else the next run finds all of the old site, or all of the new one.
    """
    seen = set()
    for last in range(1, steps_of_a_run(away / "out") + 1):
        out = tmp_path_factory.mktemp("killed")
        OutputFolder(out).replace(OLD)
        (out / "CNAME").write_bytes(b"mine")
        ran = subprocess.run([sys.executable, "-c", KILLED, out, str(last)], cwd=ROOT, check=False)
        assert ran.returncode == 9
        found = {path: data for path, data in files_in(out).items() if not path.startswith(WORK)}
        assert all(data in (OLD.get(path), NEW.get(path), MINE.get(path)) for path, data in found.items())
        assert found["index.html"] == OLD["index.html"] or found.keys() >= NEW.keys()
        seen.add(found["index.html"])
        OutputFolder(out)
        assert files_in(out) in (OLD | MINE, NEW | MINE), last
    assert seen == {b"old page", b"new page"}


def test_what_comes_after_a_kill_is_kept(away, tmp_path_factory):
    """What somebody writes into the folder that a killed run left is not taken for that run's."""
    # In the place of an old file, and of a new one.
    mine = {"index.html": b"edited", "a100/index.html": b"added"}
    for last in range(1, steps_of_a_run(away / "out") + 1):
        out = tmp_path_factory.mktemp("killed")
        OutputFolder(out).replace(OLD)
        subprocess.run([sys.executable, "-c", KILLED, out, str(last)], cwd=ROOT, check=False)
        begun = (out / WORK / "undo.json").exists()
        for path, data in mine.items():
            (out / path).parent.mkdir(exist_ok=True)
            (out / path).write_bytes(data)
        OutputFolder(out)
        kept = {path: data for path, data in files_in(out).items() if path in mine}
        assert kept == mine, (last, begun)


def test_killed_before_there_was_a_site(away):
    """A folder that a killed first run left is still ours, and is as it was before."""
    for last in range(1, 40):
        out = away / f"first-{last}"
        ran = subprocess.run([sys.executable, "-c", KILLED, out, str(last)], cwd=ROOT, check=False)
        if ran.returncode == 0:
            break
        OutputFolder(out).replace(OLD)
        assert files_in(out) == OLD
    assert last > 2 * len(NEW)


WAITING = """
import sys, time
from pathlib import Path
from builder.disk import Disk
from builder.output import OutputFolder

class Slow(Disk):
    def move(self, path, to):
        print("moving", flush=True)
        time.sleep(60)

OutputFolder(Path(sys.argv[1]), disk=Slow()).replace({"index.html": b"new page"})
"""


def test_really_killed(out):
    """After kill -9 in the middle of its writing the old site is there, to the byte; the next run works."""
    with subprocess.Popen(
        [sys.executable, "-c", WAITING, out], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout.readline() == "moving\n"
        process.send_signal(signal.SIGKILL)
    assert process.returncode == -signal.SIGKILL
    assert {path: data for path, data in files_in(out).items() if not path.startswith(WORK)} == OLD | MINE
    OutputFolder(out).replace(NEW)
    assert files_in(out) == NEW | MINE


RACING = """
import sys
from pathlib import Path
from builder.output import OutputFolder

out, name = Path(sys.argv[1]), sys.argv[2]
for turn in range(40):
    text = f"{name} {turn}".encode()
    OutputFolder(out).replace({f"{name}/index.html": text, "index.html": text, "embed/a.html": text})
"""


def test_two_runs_at_once(away):
    """Two runs that write one folder over and over never trip over each other, and leave one whole site."""
    command = [sys.executable, "-c", RACING, away / "out"]
    processes = [
        subprocess.Popen([*command, name], cwd=ROOT, stderr=subprocess.PIPE, text=True) for name in "ab"
    ]
    for process in processes:
        _, complaint = process.communicate()
        assert (process.returncode, complaint) == (0, "")
    found = files_in(away / "out")
    assert len(set(found.values())) == 1
    assert len(found) == 3
    assert WORK not in folders_in(away / "out")


FULL = """
import sys
from pathlib import Path
from builder.errors import BuilderError
from builder.output import WORK, OutputFolder
from tests.test_output import NEW, OLD, files_in, folders_in

out = Path(sys.argv[1])
OutputFolder(out).replace(OLD)
try:
    OutputFolder(out).replace(NEW | {"card.png": bytes(1_000_000)})
except BuilderError as error:
    print(error)
assert files_in(out) == OLD
assert WORK not in folders_in(out)
"""

# A small disk of the test's own, as whoever may make one; else a system that lets nobody write so much.
SMALL_DISKS = [
    (["unshare", "-m"], "mount -t tmpfs -o size=256k tmpfs", "No space left on device"),
    (["unshare", "-rm"], "mount -t tmpfs -o size=256k tmpfs", "No space left on device"),
    ([], "ulimit -f 500; test -d", "File too large"),
]


def test_a_full_disk(away):
    """On a disk that is full the reason is one line, and the old site is as it was, to the byte."""
    for prefix, limit, reason in SMALL_DISKS:  # noqa: B007 (of the one that it stops at)
        limited = [*prefix, "sh", "-c", f'{limit} "$0" && exec "$@"', str(away)]
        if not subprocess.run([*limited, "true"], check=False, stderr=subprocess.DEVNULL).returncode:
            break
    command = [*limited, sys.executable, "-c", FULL, away / "out"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout == f"{away}/out: cannot be written: {reason}\n"
