"""The content folder to begin with: valid, commented, and never over somebody's files."""

import tomllib

import pytest
from click.testing import CliRunner

from builder.cli import main
from builder.errors import BuilderError, OutputError
from builder.figures import REGIMES
from builder.site import plan_site
from builder.starter import STARTER, write_starter
from tests.conftest import ROOT, TEMPLATES


@pytest.fixture
def started(tmp_path):
    """A new content folder."""
    write_starter(tmp_path / "mine")
    return tmp_path / "mine"


def test_it_is_valid_as_it_is(started):
    """It builds without a finding or a warning."""
    site = plan_site(started, TEMPLATES)
    assert site.warnings == []
    # 2 · 8,030,261,248 B of weights; 989 / 3.35 = 295 FLOP/B; 312 / 2.039 = 153.
    page = site.files["index.html"].decode()
    assert "16.1&nbsp;GB</span> of weights" in page
    assert 'these cards is at <span class="figure">295</span>' in page
    assert 'would be at <span class="figure">153</span>' in page


def test_any_machine_has_its_readings(started):
    """Whatever machine is put into it, each regime has a reading, and no sentence claims too much."""
    assert {path.stem for path in (started / "readings").iterdir()} == set(REGIMES)
    scenario = started / "scenario.toml"
    text = scenario.read_text(encoding="utf-8")
    for old, new in (
        ("memory_gb = 80 ", "memory_gb = 8 "),
        ("count = 1", "count = 2"),
        ("bandwidth_gb_s = 3350", "bandwidth_gb_s = 35000"),
        ("peak_tflops_dense = 989", "peak_tflops_dense = 40"),
    ):
        assert old in text
        text = text.replace(old, new, 1)
    scenario.write_text(text, encoding="utf-8")
    assert "Nothing fits" in plan_site(started, TEMPLATES).files["index.html"].decode()


def test_it_is_commented(started):
    """Each table of the scenario is explained by a comment above or beside it."""
    text = (started / "scenario.toml").read_text(encoding="utf-8")
    for table in tomllib.loads(text):
        block = (
            text.split(f"[{table}")[0].rstrip().splitlines()[-1] + text.split(f"[{table}")[1].split("\n[")[0]
        )
        assert "#" in block, table


def test_it_is_small():
    """A newcomer reads all of it in a few minutes: fewer than 150 lines."""
    files = [path for path in STARTER.rglob("*") if path.is_file()]
    assert {path.suffix for path in files} == {".toml", ".md"}
    assert sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files) < 150


def test_it_comes_with_the_package():
    """What is installed has it: it lies inside the package, whose files go into the wheel."""
    assert STARTER.is_relative_to(ROOT / "builder")
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert project["tool"]["hatch"]["build"]["targets"]["wheel"] == {"packages": ["builder"]}


def test_an_empty_folder_is_taken(tmp_path):
    """A folder that is there and empty is as good as none."""
    (tmp_path / "mine").mkdir()
    assert tmp_path / "mine" / "scenario.toml" in write_starter(tmp_path / "mine")


@pytest.mark.parametrize("kind", ["folder", "file", "link"])
def test_nothing_is_written_over(kind, tmp_path):
    """What is there already is refused and left alone."""
    place = tmp_path / "mine"
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "notes.txt").write_bytes(b"mine")
    {
        "folder": lambda: (tmp_path / "other").rename(place),
        "file": lambda: place.write_bytes(b"mine"),
        "link": lambda: place.symlink_to(tmp_path / "other"),
    }[kind]()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutputError, match="mine: is there already, and not empty; name a new folder"):
        write_starter(place)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_place_that_cannot_be_written(tmp_path):
    """The reason is one line."""
    (tmp_path / "file").write_bytes(b"mine")
    with pytest.raises(BuilderError) as caught:
        write_starter(tmp_path / "file" / "mine")
    assert str(caught.value) == f"{tmp_path}/file/mine: cannot be written: File exists"


def test_the_command(tmp_path):
    """It names the files that it wrote and what comes next; done again it refuses, exit 2."""
    arguments = ["new", str(tmp_path / "mine")]
    ran = CliRunner().invoke(main, arguments)
    assert (ran.exit_code, ran.stderr) == (0, "")
    *files, last = ran.stdout.splitlines()
    assert files == sorted(str(path) for path in (tmp_path / "mine").rglob("*") if path.is_file())
    assert last == (
        f"Next: edit {tmp_path}/mine/scenario.toml; build, serve and export take --content {tmp_path}/mine"
    )
    again = CliRunner().invoke(main, arguments)
    assert (again.exit_code, again.stdout) == (2, "")
    assert again.stderr == f"{tmp_path}/mine: is there already, and not empty; name a new folder\n"
