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


EMPTY = "and must not be empty; write what it should say"
UNCLOSED = "a text is not closed on its line; end it with the quote that began it"
PAGE_FAULTS = [
    ('title = "A page"\n', "", ["file.toml: title: is missing; write title = text in quotes"]),
    (
        'title = "A page"',
        'title = ""',
        ["file.toml:2: title: is '', and must not be empty; write what it should say"],
    ),
    ('title = "A page"', "title = 3", ["file.toml:2: title: is 3, and must be text; put it in quotes"]),
    (
        "title =",
        "titel =",
        [
            "file.toml:2: titel: is not a known key; did you mean title?",
        ],
    ),
    (
        '["one", "two"]',
        '"one"',
        ['file.toml:5: article: is \'one\', and must be a list; write article = ["a", "b"]'],
    ),
    (
        '["one", "two"]',
        '["one", 2]',
        ["file.toml:5: article[1]: is 2, and must be text; put it in quotes"],
    ),
    (
        '["one", "two"]',
        '["one", ""]',
        ["file.toml:5: article[1]: is '', and must not be empty; write what it should say"],
    ),
    (
        '["one", "two"]',
        '["one", "one"]',
        ["file.toml:5: article[1]: is 'one', and stands there twice; keep one"],
    ),
    (
        '"A page"',
        '"A page',
        ["file.toml:2: TOML: a text is not closed on its line; end it with the quote that began it"],
    ),
]


@pytest.mark.parametrize(("old", "new", "findings"), PAGE_FAULTS, ids=[new for _, new, _ in PAGE_FAULTS])
def test_faults_of_a_page(old, new, findings, slips):
    """A fault of the page's metadata is told with file, line, key, rule and mend."""
    assert PAGE.count(old) == 1
    assert slips(load_page, PAGE.replace(old, new)) == findings


@pytest.mark.parametrize(
    "tag", ["en", "en-GB", "zh-Hans-CN", "de-1996", "sl-rozaj", "es-419", "yue", "en-x-toy"]
)
def test_a_language(tag, read):
    """A tag of BCP 47 is taken as it is."""
    assert read(load_page, PAGE.replace("en-GB", tag)).language == tag


@pytest.mark.parametrize("tag", ["", "english", "en_GB", "e", "en-", "-en", "en ", "a b", "en--GB", "😀"])
def test_a_language_that_is_none(tag, slips):
    """What cannot be a tag is told with three that are."""
    assert slips(load_page, PAGE.replace("en-GB", tag)) == [
        f"file.toml:4: language: is {tag!r}, and must be a language's tag; write en, en-GB or zh-Hans"
    ]


ADDRESSES = [
    ("https://a b/", "has a space or a sign in it that no address has; "),
    ("https:///a/", "names no host; "),
    ("https://./", "names no host; "),
    ("example.org/a/", "must start with https:// or http://; "),
    ("https://example.org:port/", "is no address of the web; "),
    ("https://[::1/", "is no address of the web; "),
    ("https://example.org/a", "must end with a slash, as the address of a folder; "),
    ("https://example.org/?a=/", "must end with a slash, as the address of a folder; "),
]


@pytest.mark.parametrize(("address", "rule"), ADDRESSES)
def test_an_address_that_is_none(address, rule, slips):
    """The folder's address has a host, no space, and a slash at its end."""
    (slip,) = slips(load_page, f'{PAGE}address = "{address}"\n')
    assert slip.startswith(f"file.toml:6: address: is {address!r}, and {rule}write ")


@pytest.mark.parametrize(
    "address",
    [
        "https://example.org/",
        "http://localhost:8000/a/",
        "https://bücher.example/a%20b/",
        "https://[::1]/",
        "https://a/",
    ],
)
def test_an_address(address, read):
    """Any folder on the web is taken."""
    assert read(load_page, f'{PAGE}address = "{address}"\n').address == address


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
        "file.toml: description: is missing; write description = text in quotes",
        "file.toml:1: kind: is 1, and must be text; put it in quotes",
        "file.toml:4: article[0]: is '../x', and must be letters, digits and hyphens; "
        "name a file of prose/ without its folder and .md",
        "file.toml:4: article[2]: is 2, and must be text; put it in quotes",
        "file.toml:4: article[3]: is 'a', and stands there twice; keep one",
        "file.toml:4: article[4]: is 'prompt', which is the id of another part of the page; rename the file",
        "file.toml:7: x: is not a known key; known: address, article, description, kind, language, title",
    ]


WEB = "write it as https://example.org/page, a space as %20"
NO_WEB = f"and must start with https:// or http://; {WEB}"
CARDS = "write [[card]] above the keys of each"
CARD_FAULTS = [
    (CARD, "", ["file.toml: card: is missing; write [[card]] with title, line, url"]),
    (
        CARD,
        "card = []",
        ["file.toml:1: card: is [], and needs at least one entry; write [[card]] above the keys of each"],
    ),
    (
        "[[card]]",
        "[card]",
        ["file.toml:1: card: is a table, and must be a list; write [[card]] with title, line, url"],
    ),
    (
        "url = ",
        "link = ",
        [
            "file.toml:1: card[0].url: is missing; write url = text in quotes",
            "file.toml:4: card[0].link: is not a known key; did you mean line?",
        ],
    ),
    (
        "https://example.org/card",
        "javascript:alert(1)",
        [f"file.toml:4: card[0].url: is 'javascript:alert(1)', {NO_WEB}"],
    ),
    (
        "https://example.org/card",
        "example.org",
        [f"file.toml:4: card[0].url: is 'example.org', {NO_WEB}"],
    ),
    (
        "https://example.org/card",
        "https://",
        [f"file.toml:4: card[0].url: is 'https://', and names no host; {WEB}"],
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
        "file.toml:2: card[0].title: is '', and must not be empty; write what it should say",
        "file.toml:10: card[2].title: is '', and must not be empty; write what it should say",
    ]
