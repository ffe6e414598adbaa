"""The page is safe: it runs its own blocks and no others, asks for nothing, and no text ends a script."""

import base64
import hashlib
import json
import math
import re

import pytest

from builder.templates import inline_json


def test_the_policy_lets_these_blocks_run_and_no_others(markup):
    """Every inline script and style has its hash in the policy, the data block aside, which does not run."""
    policy = markup.one("meta", http_equiv="Content-Security-Policy")["content"]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    assert directives.keys() == {
        *("default-src", "script-src", "style-src", "img-src", "base-uri", "form-action"),
    }
    assert [directives[name] for name in ("default-src", "base-uri", "form-action")] == ["'none'"] * 3
    assert directives["img-src"] == "data:"

    def hashes(elements):
        digests = (hashlib.sha256(element.text.encode()).digest() for element in elements)
        return sorted(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)

    scripts = [script for script in markup.all("script") if script["type"] != "application/json"]
    assert sorted(directives["script-src"].split()) == hashes(scripts)
    assert sorted(directives["style-src"].split()) == hashes(markup.all("style"))


def test_the_policy_is_strict(html):
    """Nothing unsafe is allowed, and no address."""
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', html)[1]
    assert "unsafe" not in policy
    assert "http" not in policy
    assert "*" not in policy


def test_the_policy_comes_first(markup):
    """No script and no style stands before the policy that is to hold it."""
    tags = [element.tag for element in markup.elements]
    at = markup.elements.index(markup.one("meta", http_equiv="Content-Security-Policy"))
    assert not {"script", "style", "link", "title"} & set(tags[:at])


def test_no_element_has_a_style_or_a_handler_of_its_own(markup):
    """What the policy would refuse is not there: style attributes and on… attributes."""
    names = {name for element in markup.elements for name in element.attributes}
    assert "style" not in names
    assert [name for name in names if name.startswith("on")] == []


def test_nothing_on_the_page_asks_the_network(markup, html):
    """Only links lead away, and only when they are followed."""
    asking = ("src", "srcset", "data", "poster", "action", "formaction", "ping", "background", "xlink:href")
    assert [e.tag for e in markup.elements if any(name in e.attributes for name in asking)] == []
    assert {e.tag for e in markup.elements if "href" in e.attributes} == {"a"}
    assert not markup.all("link", "base", "iframe", "object", "embed", "img", "image", "use")
    styles = "".join(element.text for element in markup.all("style"))
    assert "url(" not in styles
    assert "@import" not in styles


def test_links_name_their_protocol(markup):
    """Where a link leads away it is by https."""
    away = [link["href"] for link in markup.all("a") if not link["href"].startswith("#")]
    assert len(away) >= 6
    assert [address for address in away if not address.startswith("https://")] == []


@pytest.mark.parametrize(
    "text",
    ["</script>", "</ScRiPt >", "<!--", "<script", "\u2028\u2029", "<", "&lt;", '"\\', "\ufeff", "批处理"],
)
def test_json_is_safe_within_a_script(text):
    """Whatever a text holds, it comes back as it was, and no tag, comment or line ends the script."""
    written = inline_json({text: [text]})
    assert "<" not in written
    assert not set("\u2028\u2029") & set(written)
    assert json.loads(written) == {text: [text]}


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_json_has_no_number_that_is_none(number):
    """What is not a number stops the build, and is never written."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        inline_json([number])


def test_no_byte_order_mark_and_no_carriage_return(planned):
    """However the sources were saved, every text of the site has bare line feeds and no mark."""
    texts = {name: data for name, data in planned.items() if not name.endswith(".png")}
    for name, data in texts.items():
        assert b"\r" not in data, name
        assert "\ufeff" not in data.decode(), name
