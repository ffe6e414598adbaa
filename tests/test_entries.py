"""Names in an author's folders: none that nothing reads is passed over in silence."""

import pytest

from builder.content import read_content
from builder.errors import ContentError
from tests.conftest import ROOT


@pytest.fixture
def doubts(content):
    """The warnings of the small content with more files in it, as they are printed but for its folder."""

    def found(*paths):
        for path in paths:
            (content / path).parent.mkdir(parents=True, exist_ok=True)
            (content / path).write_text("A sentence.\n", encoding="utf-8")
        prefix = f"{content.as_posix()}/"
        return [str(doubt).replace(prefix, "") for doubt in read_content(content).warnings]

    return found


@pytest.fixture
def second(content):
    """The folder of a second page."""
    folder = content / "scenarios" / "big"
    folder.mkdir(parents=True)
    text = (content / "scenario.toml").read_text(encoding="utf-8").replace("toy card", "big card")
    (folder / "scenario.toml").write_text(text, encoding="utf-8")
    return folder


KNOWN = "page.toml, prose, read_next.toml, readings, scenario.toml"
UNREAD = [
    ("scenario/h100/scenario.toml", "scenario: name: is read by nothing; did you mean scenarios?"),
    ("Prose/masthead.md", "Prose: name: is read by nothing; did you mean prose?"),
    ("pages.toml", "pages.toml: name: is read by nothing; did you mean page.toml?"),
    ("xyz", f"xyz: name: is read by nothing; known: {KNOWN}, scenarios"),
    ("masthead.md", "masthead.md: name: is read by nothing; move it into prose/ or readings/"),
    ("prose/a.txt", "prose/a.txt: name: is no Markdown file; rename it a.md, or remove it"),
    ("readings/a.MD", "readings/a.MD: name: is no Markdown file; rename it a.md, or remove it"),
    ("prose/more/a.md", "prose/more: name: is no Markdown file; move its files up"),
]


@pytest.mark.parametrize(("path", "said"), UNREAD)
def test_an_entry_that_nothing_reads(doubts, path, said):
    """It is a warning, with the nearest name that is read."""
    assert doubts(path) == [said]


UNREAD_OF_A_PAGE = [
    ("prosa/masthead.md", "prosa: name: is read by nothing; did you mean prose?"),
    ("masthead.md", "masthead.md: name: is read by nothing; move it into prose/ or readings/"),
    ("pages.toml", "pages.toml: name: is read by nothing; did you mean page.toml?"),
    (
        "scenarios/small/scenario.toml",
        "scenarios: name: is read by nothing; move its folders to the scenarios of the content folder",
    ),
    ("prose/masthead.markdown", None),
]


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize(("path", "said"), UNREAD_OF_A_PAGE)
def test_an_entry_of_a_further_page(doubts, path, said):
    """In a page's own folder it is told too, where the shared text would stand in for it in silence."""
    said = said or "prose/masthead.markdown: name: is no Markdown file; rename it masthead.md, or remove it"
    assert doubts(f"scenarios/big/{path}") == [f"scenarios/big/{said}"]


@pytest.mark.usefixtures("second")
def test_entries_that_belong_there(doubts):
    """Hidden files, a README, and every file that is read are no reason to warn."""
    assert doubts(".DS_Store", "README.md", "prose/.part.md.swp", "scenarios/big/README.md") == []
    assert doubts("scenarios/big/prose/part.md", "scenarios/big/.git/config") == []


def test_a_file_in_the_place_of_the_scenarios(content):
    """A plain file of that name is a fault, not a folder without scenarios."""
    (content / "scenarios").write_text("A sentence.\n", encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        read_content(content)
    said = f"{content.as_posix()}/scenarios: name: is no folder; put a folder in its place"
    assert [str(finding) for finding in caught.value.findings] == [said]


@pytest.mark.parametrize("name", ["prose", "readings"])
def test_a_file_in_the_place_of_a_folder_of_a_further_page(second, name):
    """The shared texts would have stood in for it in silence."""
    (second / name).write_text("A sentence.\n", encoding="utf-8")
    with pytest.raises(ContentError) as caught:
        read_content(second.parents[1])
    (finding,) = caught.value.findings
    assert str(finding) == f"{second.as_posix()}/{name}: name: is no folder; put a folder in its place"


@pytest.mark.parametrize("folder", ["content", "builder/starter_content"])
def test_content_that_ships(folder):
    """All that lies in the shipped folders is read."""
    assert read_content(ROOT / folder).warnings == []
