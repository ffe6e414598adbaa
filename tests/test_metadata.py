"""The page's metadata and the cards: what loads, and every kind of fault with its line and mend."""

import pytest

from builder.errors import ContentError
from builder.metadata import FIXED_PARTS, PAGE_IDS, load_cards, load_page
from tests.conftest import ROOT

PAGE = """\
kind = "Trial"
title = "A page"
description = "What it says of itself."
language = "en-GB"
article = ["one", "two"]
"""
CARD = """\
[[card]]
title = "A card"
line = "What it is about."
url = "https://example.org/card"
"""


@pytest.fixture
def read(tmp_path):
    """Loads a text by one of the two loaders."""

    def loaded(load, text):
        path = tmp_path / "file.toml"
        path.write_text(text, encoding="utf-8")
        return load(path)

    return loaded


@pytest.fixture
def slips(read, tmp_path):
    """The findings of a text, as they are printed but for the folder."""

    def found(load, text):
        with pytest.raises(ContentError) as caught:
            read(load, text)
        return [str(finding).removeprefix(f"{tmp_path.as_posix()}/") for finding in caught.value.findings]

    return found


def test_the_shipped_page():
    """It is the explainer of the two phases, in British English, with five parts after the figures."""
    page = load_page(ROOT / "content" / "page.toml")
    assert (page.kind, page.title) == ("Explainer", "Two phases, two bottlenecks")
    assert page.language == "en-GB"
    assert page.article == ("prefill", "decode", "disaggregation", "slo", "limits")


def test_the_shipped_cards():
    """Each has a title, a line of its own and an address that is encrypted and unlike the others'."""
    cards = load_cards(ROOT / "content" / "read_next.toml")
    assert len(cards) == 6
    assert all(card.url.startswith("https://") and card.title and card.line for card in cards)
    assert len({card.url for card in cards}) == len({card.line for card in cards}) == 6


def test_a_page_without_an_article(read):
    """The article may be empty: the page has its fixed parts all the same."""
    assert read(load_page, PAGE.replace('["one", "two"]', "[]")).article == ()


def test_an_article_in_another_script(read):
    """A part may be named in any script, with hyphens and underscores between."""
    text = PAGE.replace('"one"', '"批处理", "Пакет-2", "a_b"')
    assert read(load_page, text).article == ("批处理", "Пакет-2", "a_b", "two")


PAGE_FAULTS = [
    ('title = "A page"\n', "", ["file.toml: title: is missing; add the key"]),
    ('title = "A page"', 'title = ""', ["file.toml:2: title: is '', and must not be empty"]),
    ('title = "A page"', "title = 3", ["file.toml:2: title: is 3, and must be text; put it in quotes"]),
    (
        "title =",
        "titel =",
        [
            "file.toml: title: is missing; add the key",
            "file.toml:2: titel: is not a known key; did you mean title?",
        ],
    ),
    (
        '["one", "two"]',
        '"one"',
        ["file.toml:5: article: is 'one', and must be a list; write [a, b, c]"],
    ),
    (
        '["one", "two"]',
        '["one", 2]',
        ["file.toml:5: article[1]: is 2, and must be text; put it in quotes"],
    ),
    ('["one", "two"]', '["one", ""]', ["file.toml:5: article[1]: is '', and must not be empty"]),
    (
        '["one", "two"]',
        '["one", "one"]',
        ["file.toml:5: article[1]: is 'one', and stands there twice; keep one"],
    ),
    ('"A page"', '"A page', ["file.toml:2: TOML: illegal character '\\n'; see toml.io for the form"]),
]


@pytest.mark.parametrize(("old", "new", "findings"), PAGE_FAULTS, ids=[new for _, new, _ in PAGE_FAULTS])
def test_faults_of_a_page(old, new, findings, slips):
    """A fault of the page's metadata is told with file, line, key, rule and mend."""
    assert PAGE.count(old) == 1
    assert slips(load_page, PAGE.replace(old, new)) == findings


@pytest.mark.parametrize(
    "name", ["../x", "a/b", "/etc/passwd", "a.b", "part.md", "a b", "-a", "a-", "..", "a\\b"]
)
def test_a_part_is_a_plain_file_name(name, slips):
    """A name that leaves the folder of the prose, or could be no id, is refused with its line."""
    assert slips(load_page, PAGE.replace('"two"', f"'{name}'")) == [
        f"file.toml:5: article[1]: is {name!r}, and must be letters, digits and hyphens; "
        "name a file of prose/ without its folder and .md"
    ]


@pytest.mark.parametrize("name", FIXED_PARTS)
def test_a_part_with_its_own_place(name, slips):
    """The masthead, the introduction and the assumptions stand on the page already."""
    assert slips(load_page, PAGE.replace("two", name)) == [
        f"file.toml:5: article[1]: is {name!r}, which has its own place on the page; remove it"
    ]


@pytest.mark.parametrize("name", sorted(set(PAGE_IDS) - set(FIXED_PARTS)))
def test_a_part_with_an_id_of_the_page(name, slips):
    """A part's name becomes its id, which no other part of the page may have."""
    assert slips(load_page, PAGE.replace("two", name)) == [
        f"file.toml:5: article[1]: is {name!r}, which is the id of another part of the page; rename the file"
    ]


def test_all_faults_of_a_page_in_one_run(slips):
    """A page at fault in its keys and in its article is told of both."""
    text = (
        'kind = 1\ntitle = "A"\nlanguage = "en"\narticle = [\n  "../x",\n  "a", 2, "a", "prompt"]\nx = "x"\n'
    )
    assert slips(load_page, text) == [
        "file.toml: description: is missing; add the key",
        "file.toml:1: kind: is 1, and must be text; put it in quotes",
        "file.toml:4: article[0]: is '../x', and must be letters, digits and hyphens; "
        "name a file of prose/ without its folder and .md",
        "file.toml:4: article[2]: is 2, and must be text; put it in quotes",
        "file.toml:4: article[3]: is 'a', and stands there twice; keep one",
        "file.toml:4: article[4]: is 'prompt', which is the id of another part of the page; rename the file",
        "file.toml:7: x: is not a known key; known: address, article, description, kind, language, title",
    ]


CARD_FAULTS = [
    (CARD, "", ["file.toml: card: is missing; add the key"]),
    (CARD, "card = []", ["file.toml:1: card: is [], and needs at least one entry"]),
    (
        "[[card]]",
        "[card]",
        [
            "file.toml:1: card: is {'title': 'A card', 'line': 'What it is about.', 'url': '..., "
            "and must be a list; write [a, b, c]"
        ],
    ),
    (
        "url = ",
        "link = ",
        [
            "file.toml:1: card[0].url: is missing; add the key",
            "file.toml:4: card[0].link: is not a known key; did you mean line?",
        ],
    ),
    (
        "https://example.org/card",
        "javascript:alert(1)",
        ["file.toml:4: card[0].url: is 'javascript:alert(1)', and must start with https:// or http://"],
    ),
    (
        "https://example.org/card",
        "example.org",
        ["file.toml:4: card[0].url: is 'example.org', and must start with https:// or http://"],
    ),
]


@pytest.mark.parametrize(("old", "new", "findings"), CARD_FAULTS, ids=[new for _, new, _ in CARD_FAULTS])
def test_faults_of_a_card(old, new, findings, slips):
    """A fault of a card is told with file, line, the card's number, rule and mend."""
    assert slips(load_cards, CARD.replace(old, new)) == findings


def test_the_faults_of_all_cards(slips):
    """One card at fault does not hide another's fault, and the sound one between them is not told of."""
    bad = CARD.replace('"A card"', '""')
    assert slips(load_cards, bad + CARD + bad) == [
        "file.toml:2: card[0].title: is '', and must not be empty",
        "file.toml:10: card[2].title: is '', and must not be empty",
    ]
