"""Where links may lead: what is taken, and what is said of each address that is not."""

import pytest

from builder.addresses import WEB_HINT, link_fault, web_fault


@pytest.mark.parametrize(
    "address",
    [
        *(
            "https://example.org",
            "http://example.org/a?b=c#d",
            "HTTPS://EXAMPLE.org/",
            "https://localhost:8000/",
        ),
        *("https://bücher.example/", "https://例え.jp/a", "https://a_b.example.org/", "https://[::1]:80/a"),
        *("https://doi.org/10.1145/1498765.1498785", "https://me@example.org/", "https://a/b_(c)"),
    ],
)
def test_a_web_address(address):
    """An address with a host is taken, in any script, with or without the rest."""
    assert web_fault(address) is None
    assert link_fault(address) is None


@pytest.mark.parametrize(
    ("address", "rule"),
    [
        ("https://", "names no host"),
        ("https:///path", "names no host"),
        ("https://?a=b", "names no host"),
        ("https://-/", "names no host"),
        ("https://.example.org", "names no host"),
        ("https://a b/", "has a space or a sign in it that no address has"),
        ("https://exa mple.org", "has a space or a sign in it that no address has"),
        ("https://example.org/a b", "has a space or a sign in it that no address has"),
        ('https://example.org/"', "has a space or a sign in it that no address has"),
        ("https://example.org/<a>", "has a space or a sign in it that no address has"),
        ("https://example.org\\a", "has a space or a sign in it that no address has"),
        ("https://example.org:99999/", "is no address of the web"),
        ("https://example.org:a/", "is no address of the web"),
        ("https://[::1", "is no address of the web"),
        ("https:example.org", "must start with https:// or http://"),
        ("http:/example.org", "must start with https:// or http://"),
    ],
)
def test_a_web_address_that_is_none(address, rule):
    """What a browser could not open, or would open elsewhere, is told with how to write it."""
    assert web_fault(address) == rule
    assert link_fault(address) == (rule, WEB_HINT)


@pytest.mark.parametrize(
    "address", ["", "example.org", "ftp://example.org", "mailto:a@b.org", " https://a.org"]
)
def test_what_does_not_start_as_a_web_address(address):
    """Only http and https are of the web."""
    assert web_fault(address) == "must start with https:// or http://"


@pytest.mark.parametrize("address", ["mailto:", "tel:", "https:", "", " ", "&#32;"])
def test_an_address_of_nothing(address):
    """A scheme alone leads nowhere."""
    assert link_fault(address) == ("leads nowhere", "write an address")


@pytest.mark.parametrize("address", ["a b.html", "a.html", "#a", "mailto:a@b.org", " https://example.org "])
def test_other_addresses(address):
    """Relative addresses may have spaces; around an address they do not count."""
    assert link_fault(address) is None
