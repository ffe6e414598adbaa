"""Links within the site: those that lead nowhere are found, with their lines, and no other."""

import pytest

from builder.content import read_content
from builder.errors import ContentError
from builder.site import FILES, plan_site
from tests.conftest import TEMPLATES


@pytest.fixture
def found(content):
    """The findings of the small content with a text for its only part, as they are printed."""

    def read(text, path="prose/part.md"):
        (content / path).write_text(text, encoding="utf-8")
        try:
            read_content(content, files=FILES)
        except ContentError as error:
            return [str(finding).replace(f"{content.as_posix()}/", "") for finding in error.findings]
        return []

    return read


NO_FILE = "the site has no such file; write a whole address, as https://example.org/page"
BROKEN = [
    ("#nowhere-near", "the page has no such id; write ## Heading {#name}"),
    ("#PART-HEAD", "the page has no such id; did you mean #part-head?"),
    ("#rooflin", "the page has no such id; did you mean #roofline?"),
    ("#part-heda", "the page has no such id; did you mean #part-head?"),
    ("foo.html", NO_FILE),
    ("../secret/", NO_FILE),
    ("./embed/", NO_FILE),
    ("embed/rooflin.html?theme=dark#batch=2", NO_FILE),
    ("scenarios/big/", NO_FILE),
]


@pytest.mark.parametrize(("address", "said"), BROKEN)
def test_a_link_that_leads_nowhere(found, address, said):
    """It is a finding with its own line, in the prose and in a reading."""
    assert found(f"## Head\n\nOne.\n\nTwo\n[a]({address}).") == [f"prose/part.md:6: [a]({address}): {said}"]


def test_a_link_of_a_reading_that_leads_nowhere(found):
    """A reading is looked at like any other prose, and so is the definition of a link."""
    reading = "readings/memory-memory-fits.md"
    assert found("One\n[a][b].\n\n[b]: #none-of-these\n", reading) == [
        f"{reading}:4: [a](#none-of-these): the page has no such id; write ## Heading {{#name}}"
    ]


@pytest.mark.parametrize(
    "address",
    [
        *("#", "#top", "#roofline", "#part", "#part-head", "#own", "#part-caf%C3%A9", "#part-caf&eacute;"),
        *("#prompt=128&output=1", "#batch=2", "#:~:text=word", "?theme=dark", "?a=1#own"),
        *("index.html#part", "./", "embed/roofline.html?theme=dark", "charts/roofline.vl.json", "card.png"),
        *("https://example.org/a.html#b", "mailto:a@example.org", "tel:123"),
    ],
)
def test_a_link_that_leads_somewhere(found, address):
    """Ids, states, files of the site and whole addresses are taken."""
    assert found(f"## Head\n\n[a]({address}).\n\n## Café\n\n## Own {{#own}}\n") == []


def test_links_whose_text_is_their_address(found):
    """Addresses in angle brackets are whole ones, those of mail among them, which Markdown disguises."""
    assert found("<me@example.org>, <mailto:me@example.org> and <https://example.org/?a=1&b=2#c>.") == []


def test_a_link_to_a_later_part(found):
    """Ids count wherever they are on the page: the masthead may lead to the article."""
    assert found("[a](#part) and [b](#part-more)", "prose/masthead.md") == [
        "prose/masthead.md:1: [b](#part-more): the page has no such id; did you mean #part?"
    ]


def test_links_where_a_part_is_not_read(found, content):
    """What a part that cannot be read would have had is not known, so no link is doubted."""
    (content / "prose" / "part.md").unlink()
    assert found("[b](#part-more)", "prose/masthead.md") == [
        "prose/part.md: file: is missing; write it, or name another folder"
    ]


def test_links_between_the_pages(content, found):
    """One page may lead to the other; a page that does not exist is found."""
    folder = content / "scenarios" / "big"
    (folder / "prose").mkdir(parents=True)
    text = (content / "scenario.toml").read_text(encoding="utf-8").replace("toy card", "big card")
    (folder / "scenario.toml").write_text(text, encoding="utf-8")
    (folder / "prose" / "part.md").write_text("[a](../) [b](../index.html) [c](./).\n", encoding="utf-8")
    assert found("[a](big/) and [b](big/index.html).") == []
    assert found("[a](small/).") == [f"prose/part.md:1: [a](small/): {NO_FILE}"]


def test_the_files_that_links_may_lead_to(content):
    """They are files of the site, and all of them but those that serve no reader."""
    assert plan_site(content, TEMPLATES).files.keys() - set(FILES) == {".nojekyll", "404.html"}
    assert set(FILES) < plan_site(content, TEMPLATES).files.keys()
