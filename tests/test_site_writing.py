"""Writing the site: files whole or not at all, and the old page until the new one is there."""

from pathlib import Path

import pytest

from builder.errors import BuilderError
from builder.site import write_site

PAGE_OLD = b"<!doctype html>the old page"


@pytest.fixture
def old(tmp_path):
    """An output folder that holds an old page, and a file of somebody else's."""
    out = tmp_path / "out"
    (out / "charts").mkdir(parents=True)
    (out / "index.html").write_bytes(PAGE_OLD)
    (out / "charts" / "timeline.vl.json").write_bytes(b"{}")
    (out / "notes.txt").write_bytes(b"mine")
    return out


def _files(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


NEW = {
    "index.html": b"new page",
    "charts/timeline.vl.json": b"new chart",
    "charts/roofline.vl.json": b"another",
}


def test_files_are_written(tmp_path):
    """Folders are made as they are needed, and nothing but the files is left in them."""
    write_site(NEW, tmp_path / "a" / "b")
    assert _files(tmp_path) == {f"a/b/{name}": data for name, data in NEW.items()}
    assert sorted(path.name for path in (tmp_path / "a" / "b").iterdir()) == ["charts", "index.html"]


def test_files_can_be_read_by_a_web_server(tmp_path):
    """They have the rights of any new file, and not those of a temporary one."""
    write_site(NEW, tmp_path)
    (tmp_path / "other").write_bytes(b"")
    assert (tmp_path / "index.html").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_an_old_site_is_replaced(old):
    """Old files of the same names are replaced, and others are left alone."""
    write_site(NEW, old)
    assert _files(old) == NEW | {"notes.txt": b"mine"}


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=repr)
@pytest.mark.parametrize("name", list(NEW))
def test_a_failure_leaves_the_old_site(name, error, old, monkeypatch):
    """Whichever file cannot be written, the old site is as it was, to the byte, and nothing is beside it."""
    before = _files(old)
    write_bytes = Path.write_bytes

    def fail(path, data):
        if path.as_posix().endswith(name):
            write_bytes(path, data[:3])
            raise error
        return write_bytes(path, data)

    monkeypatch.setattr(Path, "write_bytes", fail)
    with pytest.raises((BuilderError, KeyboardInterrupt)):
        write_site(NEW, old)
    assert _files(old) == before
    assert sorted(path.name for path in old.iterdir()) == ["charts", "index.html", "notes.txt"]


def test_the_page_is_moved_last(old, monkeypatch):
    """Until every other file is in its place, the old page stands."""
    moved = []
    replace = Path.replace

    def watched(path, target):
        moved.append((target.relative_to(old).as_posix(), (old / "index.html").read_bytes()))
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", watched)
    write_site(NEW, old)
    assert [name for name, _ in moved] == ["charts/roofline.vl.json", "charts/timeline.vl.json", "index.html"]
    assert {page for _, page in moved} == {PAGE_OLD}


def test_a_folder_in_the_way(old):
    """A folder that has the page's name is named with the reason, and nothing is left beside it."""
    (old / "index.html").unlink()
    (old / "index.html").mkdir()
    with pytest.raises(BuilderError) as caught:
        write_site({"index.html": b"new page"}, old)
    assert str(caught.value) == f"{old}/index.html: cannot be written: Is a directory"
    assert sorted(path.name for path in old.iterdir()) == ["charts", "index.html", "notes.txt"]


def test_a_file_in_the_way(tmp_path):
    """An output folder below a file is named with the reason."""
    (tmp_path / "file").write_bytes(b"mine")
    with pytest.raises(BuilderError) as caught:
        write_site(NEW, tmp_path / "file" / "out")
    assert str(caught.value) == f"{tmp_path}/file/out: cannot be written: Not a directory"
    assert _files(tmp_path) == {"file": b"mine"}
