"""Bad content, kind by kind: each is told with its file, its line where it has one, and how to mend it."""

import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from builder.errors import ContentError
from builder.site import check_site
from tests.conftest import CASES, TEMPLATES


@dataclass(frozen=True)
class Kind:
    """One kind of bad content.

    Attributes:
        file: what is changed, in the content or, with `templates/` before it, in the templates.
        edit: a text and what stands instead; or the whole file; or what is done to its path.
        findings: what is said of it, without the folder.
        alone: whether it hides or moves what else there is in its file.
        sound: whether it shows only beside a sound scenario.
    """

    name: str
    file: str
    edit: tuple[str, str] | str | bytes | Callable[[Path], object]
    findings: list[str]
    alone: bool = False
    sound: bool = False


def _written() -> list[Kind]:
    """The kinds of bad_content.txt."""
    text = re.sub(r"(?m)^#.*\n", "", (CASES / "bad_content.txt").read_text(encoding="utf-8"))
    kinds = []
    for paragraph in re.split(r"\n{2,}", text.strip()):
        name, where, old, new, *said = paragraph.split("\n")
        file, *flags = where.split(", ")
        assert old.startswith("< ")
        assert new.startswith(">")
        edit = tuple(
            re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], line[2:]) for line in (old, new)
        )
        findings = [f"{file}:{line[2:]}".replace(":-:", ":") for line in said]
        kinds.append(Kind(name, file, edit, findings, "alone" in flags, "of the scenario" in flags))
    return kinds


def link_to_itself(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


def two_links_in_a_loop(path: Path) -> None:
    path.unlink()
    path.symlink_to("loop.md")
    path.with_name("loop.md").symlink_to(path.name)


def folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def fifty_megabytes(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(50_000_000)


def file_for_a_folder(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("no folder", encoding="utf-8")


SCENARIO, PART, READING = "scenario.toml", "prose/part.md", "readings/memory-memory-fits.md"
MISSING = ": file: is missing; write it, or name another folder"
NO_TEXT = ": text: says nothing; write a sentence that is no heading"
LOOP = ": file: is a link that leads back to itself; put the file in its place"
NO_FOLDER = "file: lies in what is no folder; make a folder of what stands above it"
UNIT = "and must lie between 1e-12 and 1e+15; look at its unit"
STOPS, MANY_STOPS = list(range(1, 129)), list(range(1, 401))
GRID = "prompt = [16, 32, 64, 128]\noutput = [16, 32]\nbatch = [1, 2, 4]"

# What is too long or too odd for a line of text, or is done to a file.
MADE = [
    Kind(
        "huge in hexadecimal",
        SCENARIO,
        ("parameters = 1_000_000", f"parameters = 0x{'f' * 6000}"),
        [f":6: model.parameters: is a number of thousands of digits, {UNIT}"],
    ),
    Kind(
        "thousands of digits",
        SCENARIO,
        ("layers = 2", f"layers = {'2' * 5000}"),
        [":7: TOML: a number has too many digits; write a shorter one"],
        alone=True,
    ),
    Kind(
        "ten thousand levels",
        SCENARIO,
        ("layers = 2", f"layers = {'[' * 10_000}"),
        [":7: TOML: lists or tables stand too deep in one another; unfold them"],
        alone=True,
    ),
    Kind(
        "too many states",
        SCENARIO,
        (GRID, f"prompt = {STOPS}\noutput = [16, 32]\nbatch = {MANY_STOPS}"),
        [
            ":39: grid.batch: makes 102,400 states with the other axes, and 100,000 is the most "
            "a page carries; shrink this axis, the longest (400 stops)"
        ],
        alone=True,
    ),
    Kind("a missing file", PART, Path.unlink, [MISSING], alone=True),
    Kind("a missing reading", READING, Path.unlink, [MISSING], alone=True),
    Kind("a missing style", "templates/styles/print.css", Path.unlink, [MISSING]),
    Kind(
        "bad bytes",
        PART,
        b"One.\n\nCaf\xe9.\n",
        [":3: byte 10 (0xe9): is not UTF-8; save the file as UTF-8"],
        alone=True,
    ),
    Kind(
        "UTF-16",
        "read_next.toml",
        "[[card]]".encode("utf-16"),
        [":1: byte 1 (0xff): is not UTF-8; save the file as UTF-8"],
        alone=True,
    ),
    Kind("a NUL", PART, "One.\n\nTwo\0.\n", [":3: character U+0000: is no text; remove it"], alone=True),
    Kind(
        "a file of 50 MB",
        PART,
        fifty_megabytes,
        [": file: has 50,000,000 bytes, and 1,000,000 is the most that is read; shorten it"],
        alone=True,
    ),
    Kind("a link to itself", PART, link_to_itself, [LOOP], alone=True),
    Kind("a loop of links", READING, two_links_in_a_loop, [LOOP], alone=True),
    Kind(
        "a folder for a file",
        "page.toml",
        folder,
        [": file: is a folder; put a file of text in its place"],
        alone=True,
    ),
    Kind(
        "no card",
        "read_next.toml",
        "card = []\n",
        [":1: card: is [], and needs at least one entry; write [[card]] above the keys of each"],
        alone=True,
    ),
    Kind("a part of headings", PART, "## A part\n\n### Another\n", [NO_TEXT], alone=True),
    Kind("an empty part", PART, "\n", [NO_TEXT], alone=True),
    Kind("an empty reading", READING, "", [NO_TEXT], alone=True),
    Kind(
        "lists set in too deep",
        PART,
        "".join(f"{'    ' * level}- a\n" for level in range(30)),
        [":7: text: is set in too deep to be read; bring lists and quotes up to the margin"],
        alone=True,
    ),
]
KINDS = [*_written(), *MADE]


@pytest.fixture
def templates(tmp_path: Path) -> Path:
    return shutil.copytree(TEMPLATES, tmp_path / "templates")


@pytest.fixture
def faults(content: Path, templates: Path) -> Callable[[], list[str]]:
    """The findings of both folders, as they are printed but for what the folders are called."""

    def found() -> list[str]:
        with pytest.raises(ContentError) as caught:
            check_site(content, templates)
        assert all(finding.hint for finding in caught.value.findings)
        parent = f"{content.parent.as_posix()}/"
        return [str(f).removeprefix(parent).removeprefix("content/") for f in caught.value.findings]

    return found


def spoil(content: Path, kind: Kind) -> None:
    """Makes content bad in one way."""
    path = (content.parent if kind.file.startswith("templates/") else content) / kind.file
    if callable(kind.edit):
        kind.edit(path)
    elif isinstance(kind.edit, tuple):
        text = path.read_text(encoding="utf-8")
        assert kind.edit[0] in text
        path.write_text(text.replace(*kind.edit, 1), encoding="utf-8")
    else:
        path.write_bytes(kind.edit if isinstance(kind.edit, bytes) else kind.edit.encode())


def told(kind: Kind) -> list[str]:
    """The lines that are printed of one kind."""
    return [said if said.startswith(kind.file) else kind.file + said for said in kind.findings]


def test_the_content_is_good_without_them(content: Path, templates: Path) -> None:
    """What the kinds are made of has no fault and no doubt of its own."""
    assert len({kind.name for kind in KINDS}) == len(KINDS) > 70
    assert check_site(content, templates).warnings == []


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_a_kind_of_bad_content(kind: Kind, content: Path, faults: Callable[[], list[str]]) -> None:
    """It is told with file, line, place, rule and mend, and nothing else is told with it."""
    spoil(content, kind)
    assert faults() == told(kind)


@pytest.mark.parametrize("sound", [True, False], ids=["a sound scenario", "a scenario at fault"])
def test_all_of_them_in_one_run(sound: bool, content: Path, faults: Callable[[], list[str]]) -> None:
    """All kinds that hide nothing are told together, each in the words that it has alone."""
    together = [kind for kind in KINDS if not kind.alone]
    together = [kind for kind in together if (kind.file != SCENARIO if sound else not kind.sound)]
    for kind in together:
        spoil(content, kind)
    assert len(together) > (12 if sound else 29)
    assert sorted(faults()) == sorted(line for kind in together for line in told(kind))


@pytest.mark.parametrize(("name", "files"), [("prose", 4), ("readings", 2)])
def test_a_file_in_the_place_of_a_folder(
    name: str, files: int, content: Path, faults: Callable[[], list[str]]
) -> None:
    """Every file that should be in it is told of, with the mend."""
    file_for_a_folder(content / name)
    found = faults()
    assert {line.partition(": ")[2] for line in found} == {NO_FOLDER}
    assert len(found) == files


def test_a_file_that_may_not_be_read(
    content: Path, faults: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that belongs to another is told with the mend, and whoever asks for it is not stopped."""
    stat = Path.stat

    def refused(path: Path, **options: bool) -> object:
        if path.name == "part.md":
            raise PermissionError(13, "Permission denied")
        return stat(path, **options)

    monkeypatch.setattr(Path, "stat", refused)
    said = "file: may not be read; give yourself the right to read it, and its folder"
    assert faults() == [f"prose/part.md: {said}"]


def test_scenarios_that_may_not_be_read(
    content: Path, faults: Callable[[], list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder that belongs to another is told with the mend."""
    (content / "scenarios").mkdir()
    iterdir = Path.iterdir

    def refused(path: Path) -> Iterator[Path]:
        if path.name == "scenarios":
            raise PermissionError(13, "Permission denied")
        return iterdir(path)

    monkeypatch.setattr(Path, "iterdir", refused)
    monkeypatch.setattr("os.access", lambda path, _: path.name != "scenarios")
    assert faults() == ["scenarios: name: may not be read; give yourself the right to read the folder"]


def test_a_name_that_no_system_takes(content: Path, faults: Callable[[], list[str]]) -> None:
    """A part whose file cannot even be asked for is told with the system's reason."""
    page = (content / "page.toml").read_text(encoding="utf-8")
    (content / "page.toml").write_text(page.replace('"part"', f'"{"a" * 300}"'), encoding="utf-8")
    said = "file: cannot be read: File name too long; look at the file and at its folder"
    assert faults() == [f"prose/{'a' * 300}.md: {said}"]
