"""What the preview takes for a save, and how it goes on watching whatever happens to the folders."""

import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import watchfiles

from builder.errors import BuilderError
from builder.preview import saves

LIMIT_S = 60


@pytest.fixture(autouse=True)
def limit() -> Iterator[None]:
    """Ends a wait for a save that nobody sees; to the library the alarm is a Ctrl-C."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.alarm(LIMIT_S)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


def see(changes: Iterator[None]) -> None:
    """Waits for the next save."""
    try:
        next(changes)
    except KeyboardInterrupt:
        pytest.fail(f"no save was seen in {LIMIT_S} s")


@pytest.fixture
def folder(tmp_path) -> Path:
    """A folder with a file in a folder."""
    (tmp_path / "content" / "prose").mkdir(parents=True)
    (tmp_path / "content" / "prose" / "a.md").write_text("one", encoding="utf-8")
    return tmp_path / "content"


def rewrite(folder):
    (folder / "prose" / "a.md").write_text("two", encoding="utf-8")


def replace(folder):
    (folder / "prose" / ".a.new").write_text("two", encoding="utf-8")
    (folder / "prose" / ".a.new").replace(folder / "prose" / "a.md")


def add(folder):
    (folder / "more").mkdir()
    (folder / "more" / "b.md").write_text("new", encoding="utf-8")


def remove(folder):
    (folder / "prose" / "a.md").unlink()


def replace_inner_folder(folder):
    shutil.copytree(folder / "prose", folder.parent / "other")
    (folder / "prose").rename(folder.parent / "old")
    (folder.parent / "other").rename(folder / "prose")


def replace_folder(folder):
    shutil.copytree(folder, folder.parent / "other")
    folder.rename(folder.parent / "old")
    (folder.parent / "other").rename(folder)


CHANGED = [rewrite, replace, add, remove, replace_inner_folder, replace_folder]


@pytest.mark.parametrize("change", CHANGED, ids=lambda change: change.__name__)
def test_a_save(change, folder):
    """Each way of changing a file is seen, and so is a plain save after it, wherever the file now is."""
    changes = saves([folder])
    see(changes)
    change(folder)
    see(changes)
    (folder / "prose" / "a.md").write_text("three", encoding="utf-8")
    see(changes)
    changes.close()


def test_a_folder_that_is_gone_for_a_while(folder):
    """That it goes is seen, that it is there again, and then a save in it."""
    changes = saves([folder])
    see(changes)
    shutil.rmtree(folder)
    see(changes)
    (folder / "prose").mkdir(parents=True)
    see(changes)
    rewrite(folder)
    see(changes)
    changes.close()


def test_a_link_that_leads_elsewhere(folder, tmp_path):
    """A folder that is a link is watched where it leads, and anew when it leads to another."""
    shutil.copytree(folder, tmp_path / "other")
    folder.rename(tmp_path / "real")
    folder.symlink_to(tmp_path / "real")
    changes = saves([folder])
    see(changes)
    rewrite(folder)
    see(changes)
    (tmp_path / "new").symlink_to(tmp_path / "other")
    (tmp_path / "new").replace(folder)
    see(changes)
    rewrite(folder)
    see(changes)
    changes.close()


def test_all_folders_are_watched(folder, tmp_path):
    """A save in any of them counts."""
    (tmp_path / "templates").mkdir()
    changes = saves([folder, tmp_path / "templates"])
    see(changes)
    for changed in (tmp_path / "templates" / "page.html.j2", folder / "page.toml"):
        changed.write_text("new", encoding="utf-8")
        see(changes)
    changes.close()


def test_what_editors_leave_beside_a_file_is_no_save(folder, monkeypatch):
    """Swap and backup files do not count; a project in a folder of any name is watched all the same."""
    asked = {}

    def watch(*paths, **options):
        asked.update(options)
        yield set()

    monkeypatch.setattr(watchfiles, "watch", watch)
    next(saves([folder]))
    counts = asked["watch_filter"]
    names = ("a.md", "page.html.j2", ".a.md.swp", "a.md~", ".#a.md", "node_modules/a.md")
    counted = [name for name in names if counts(watchfiles.Change.modified, f"/home/{name}")]
    assert counted == ["a.md", "page.html.j2", "node_modules/a.md"]


def test_without_the_library(folder, monkeypatch):
    """Where watchfiles is not installed one line says how to install it."""
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    with pytest.raises(BuilderError, match=r"^watchfiles is not installed, .*`make serve` installs it"):
        next(saves([folder]))


def test_a_system_that_refuses_to_watch(folder, monkeypatch):
    """The system's reason is told, and what can be done."""

    def watch(*paths, **options):
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", watch)
    with pytest.raises(BuilderError, match="watch limit reached; with WATCHFILES_FORCE_POLLING=1"):
        next(saves([folder]))
