"""The preview: what is served after each build, good or not."""

import base64
import hashlib
import shutil

import pytest

from builder.errors import BuilderError, ContentError, Finding
from builder.preview import CHANGES, Preview, Tools, load_tools
from builder.site import Site
from tests.conftest import TEMPLATES
from tests.markup import Markup

TOOLS = Tools("#preview-report { color: red }", "listen();")
PAGE = (
    b"<!doctype html>\n<html>\n<head>\n<title>T</title>\n</head>\n<body class=wide>\n<p>Text</p>\n</body>\n"
)
SITE = {"index.html": PAGE, "404.html": b"<body>No such page", "card.png": b"\x89PNG <body>"}
FAULT = Finding("content/prose/a.md", 3, "{{ <x> }}", "x is not a figure", "did you mean y?")


class Author:
    """A site that changes: the files that the next build gives, or what it raises; and what it doubts."""

    def __init__(self):
        self.now = SITE
        self.warnings = []
        self.watch = None

    def build(self, pages_ready):
        if isinstance(self.now, Exception):
            raise self.now
        pages_ready({path: data for path, data in self.now.items() if path.endswith(".html")})
        if self.watch:
            self.watch()
        return Site(self.now, self.warnings)


@pytest.fixture
def author() -> Author:
    return Author()


@pytest.fixture
def preview(author) -> Preview:
    return Preview(author.build, TOOLS)


def page(preview, path="index.html"):
    """A page as it is served."""
    return preview.wait().files[path].decode()


# What is served


def test_a_page_has_the_tools_first_in_its_body(preview):
    """Style and script stand at the beginning of the body, the page's own text around them as it was."""
    assert preview.rebuild() == ([], [])
    head, body = PAGE.decode().split("\n<p>")
    served = page(preview)
    assert served.startswith(head)
    assert served.endswith(f"\n<p>{body}")
    markup = Markup(served[len(head) : -len(f"\n<p>{body}")])
    assert markup.one("style").text == TOOLS.style
    assert markup.one("script").text == TOOLS.script
    assert [element.tag for element in markup.elements] == ["style", "script"]


def test_the_script_knows_where_to_ask_and_its_own_version(preview):
    """Address and version are attributes of its element."""
    preview.rebuild()
    script = Markup(page(preview)).one("script")
    assert script["data-changes"] == CHANGES
    assert script["data-version"] == preview.wait().version


def test_what_is_no_page_is_served_as_it_is(preview):
    """Only HTML gets anything added, and the build's own files stay as they are."""
    preview.rebuild()
    assert preview.wait().files["card.png"] == SITE["card.png"]
    assert SITE["index.html"] is PAGE


def test_a_page_without_a_body(author, preview):
    """A half-written template that has lost its body still hears of changes."""
    author.now = SITE | {"index.html": b"<p>Text"}
    preview.rebuild()
    assert page(preview).startswith("<p>Text<style>")
    assert page(preview).endswith("</script>")


def test_what_is_not_there(preview):
    """Any other path gets the site's 404 page, which hears of changes as well."""
    preview.rebuild()
    body, status = preview.wait().missing
    assert status == 404
    assert body == preview.wait().files["404.html"]
    assert TOOLS.script in body.decode()


# The policy


def directives(html):
    """The directives of a page's policy."""
    policy = Markup(html).one("meta", http_equiv="Content-Security-Policy")["content"]
    return {name: sources for name, *sources in (part.split() for part in policy.split(";"))}


def digest(text):
    """A block as a policy names it."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


@pytest.mark.parametrize("path", ["index.html", "404.html", "embed/roofline.html"])
def test_the_policy_lets_the_tools_be_and_nothing_else(path, planned):
    """The served page's policy is its own, with one style, one script and asking the server itself added."""
    preview = Preview(lambda _: Site(planned, []), load_tools(TEMPLATES))
    preview.rebuild()
    own, served = directives(planned[path].decode()), directives(page(preview, path))
    tools = load_tools(TEMPLATES)
    scripts = [source for source in own["script-src"] if source != "'none'"]
    assert served == own | {
        "script-src": [*scripts, digest(tools.script)],
        "style-src": [*own["style-src"], digest(tools.style)],
        "connect-src": ["'self'"],
    }


def test_a_build_has_nothing_of_the_preview(planned):
    """No file that is written knows the preview's address, style or script."""
    tools = load_tools(TEMPLATES)
    for path, data in planned.items():
        for trace in (CHANGES, "connect-src", "preview-report", tools.style, tools.script):
            assert trace.encode() not in data, path


# A build that fails


def test_the_last_good_page_with_the_findings_above(author, preview):
    """Each finding is an item of a list, escaped, before the text of the last good page."""
    preview.rebuild()
    other = Finding("content/page.toml", None, "title", "is missing", "write it")
    author.now = ContentError([FAULT, other])
    assert preview.rebuild().faults == [str(other), str(FAULT)]
    report, _, rest = page(preview).partition("</section>")
    assert [item.text for item in Markup(report).all("li")] == [str(other), str(FAULT)]
    assert "2 findings" in Markup(report).one("section").text
    assert "<x>" not in page(preview)
    assert "<p>Text</p>" in rest


def test_the_pages_are_shown_first(author, preview):
    """New pages are shown before the rest is there, with the old rest, and do not load again for it."""
    preview.rebuild()
    author.now = SITE | {"index.html": b"<body>New", "card.png": b"new"}
    seen = []
    author.watch = lambda: seen.append(preview.wait())
    preview.rebuild()
    assert seen[0].files["index.html"].endswith(b"New")
    assert seen[0].files["card.png"] == SITE["card.png"]
    assert preview.wait().files["card.png"] == b"new"
    assert preview.wait().version == seen[0].version


def test_each_state_has_its_version(author, preview):
    """Another site or another fault is another version; the same as before is the version that it was."""
    versions = []
    for author.now in (SITE, ContentError([FAULT]), SITE, SITE | {"index.html": b"new"}, BuilderError("no")):
        preview.rebuild()
        versions.append(preview.wait().version)
    assert versions[0] == versions[2]
    assert len(set(versions)) == 4


def test_nothing_good_yet(author, preview):
    """Until a build succeeds every path gets the findings, on a page that hears of changes; status 503."""
    author.now = ContentError([FAULT])
    preview.rebuild()
    shown = preview.wait()
    body, status = shown.missing
    assert (shown.files, status) == ({}, 503)
    markup = Markup(body.decode())
    assert markup.one("li").text == str(FAULT)
    assert markup.one("script")["data-version"] == shown.version
    author.now = SITE
    assert preview.rebuild().faults == []
    assert "<p>Text</p>" in page(preview)
    assert "preview-report" not in page(preview).replace(TOOLS.style, "")


def test_an_error_without_findings(author, preview):
    """What another error says is shown as it says it."""
    author.now = BuilderError("vl-convert is too old")
    assert preview.rebuild() == (["vl-convert is too old"], [])


def test_a_fault_of_the_builder(author, preview):
    """It is shown with its traceback, so that it can be reported, and the preview goes on."""
    author.now = ZeroDivisionError("by nothing")
    (trace,) = preview.rebuild().faults
    assert trace.startswith("Traceback")
    assert trace.endswith("ZeroDivisionError: by nothing")
    assert "ZeroDivisionError: by nothing" in preview.wait().missing[0].decode()
    author.now = SITE
    assert preview.rebuild().faults == []


def test_warnings_are_handed_on(author, preview):
    """What is doubtful comes with a site and with a fault, and is no part of the page."""
    author.warnings = [FAULT]
    assert preview.rebuild() == ([], [FAULT])
    assert "did you mean y" not in page(preview)
    author.now = ContentError([FAULT], [FAULT])
    assert preview.rebuild() == ([str(FAULT)], [FAULT])


def test_waiting_for_another_version(preview):
    """Who knows the version that is shown gets nothing when the time is over; others get it at once."""
    assert preview.wait(timeout=0) is None
    preview.rebuild()
    shown = preview.wait()
    assert preview.wait(shown.version, timeout=0) is None
    assert preview.wait("another", timeout=0) is shown


def test_the_tools_must_be_there(tmp_path):
    """Without the preview's own script there is a finding that names it."""
    shutil.copytree(TEMPLATES, tmp_path / "templates")
    (tmp_path / "templates" / "scripts" / "preview.js").unlink()
    with pytest.raises(ContentError, match=r"scripts/preview\.js: file: is missing"):
        load_tools(tmp_path / "templates")
