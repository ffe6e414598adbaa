"""Templates at fault: each slip is a finding with its file and line, as those of any author."""

from types import SimpleNamespace

import pytest

from builder.errors import ContentError
from builder.site import plan_site
from tests.conftest import TEMPLATES


@pytest.fixture
def templates(tmp_path):
    """A copy of the templates, for a test to spoil: a file's name, what it has, and what it gets instead."""

    def spoiled(name, old, new):
        for path in TEMPLATES.rglob("*.*"):
            copy = tmp_path / "templates" / path.relative_to(TEMPLATES)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
        path = tmp_path / "templates" / name
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8", errors="surrogateescape")
        return tmp_path / "templates"

    return spoiled


def build(content, templates=TEMPLATES):
    """The page of a content folder."""
    return plan_site(content, templates).files["index.html"].decode()


def fault(content, templates):
    """The only finding of a build."""
    with pytest.raises(ContentError) as caught:
        build(content, templates)
    (finding,) = caught.value.findings
    return str(finding)


SLIPS = [
    (
        "page.html.j2",
        "<body>",
        "<body>{% if %}",
        "template: Expected an expression, got 'end of statement block'",
    ),
    ("page.html.j2", "<body>", "<body>{{ nobody }}", "template: 'nobody' is undefined"),
    (
        "page.html.j2",
        "<body>",
        "<body>{{ page.titel }}",
        "template: 'builder.metadata.PageTable object' has no",
    ),
    ("page.html.j2", "<body>", "<body>{{ 1 | nothing }}", "template: No filter named 'nothing'."),
    ("page.html.j2", "<body>", "<body>{{ 1 // 0 }}", "template: integer division or modulo by zero"),
    ("page.html.j2", "<body>", "<body>{{ 'a' + 1 }}", "template: can only concatenate str"),
    ("page.html.j2", "<body>", "<body>{{ '%d' | format('x') }}", "template: %d format: a real number"),
    ("page.html.j2", "<body>", "<body>{{ words() }}", "template: words() missing 2 required"),
    (
        "page.html.j2",
        "<body>",
        "<body>{% macro again() %}{{ again() }}{% endmacro %}{{ again() }}",
        "template: maximum recursion depth exceeded",
    ),
    ("page.html.j2", "<body>", "<body>\udcff", "byte "),
    ("parts.html.j2", '<div class="tile', '{{ nobody }}<div class="tile', "template: 'nobody' is undefined"),
    ("parts.html.j2", "{% macro tile", "{% macro", "template: expected token"),
    ("scripts/data.js", "const", "\udcff const", "byte "),
]
# What ends an inline block is told without a line.
ENDS = [
    ("styles/base.css", ":root", "</style>:root", "text: holds </style or <!--"),
    ("scripts/data.js", "const", "// </SCRIPT >\nconst", "text: holds </script or <!--"),
    ("scripts/data.js", "const", "// <!--\nconst", "text: holds </script or <!--"),
]


@pytest.mark.parametrize(
    ("name", "old", "new", "rule"), SLIPS, ids=[f"{slip[0]} {slip[2]}" for slip in SLIPS]
)
def test_a_slip_in_a_template(name, old, new, rule, content, templates):
    """A template's fault is a finding with its file and line, also where it lies in a macro or a script."""
    line = (TEMPLATES / name).read_text(encoding="utf-8").partition(old)[0].count("\n") + 1
    folder = templates(name, old, new)
    assert fault(content, folder).startswith(f"{folder.as_posix()}/{name}:{line}: {rule}")


@pytest.mark.parametrize(("name", "old", "new", "rule"), ENDS)
def test_what_would_end_an_inline_block(name, old, new, rule, content, templates):
    """A style or script that holds the end of its own element is refused, in any case of letters."""
    folder = templates(name, old, new)
    assert fault(content, folder).startswith(f"{folder.as_posix()}/{name}: {rule}")


@pytest.mark.parametrize("name", ["page.html.j2", "parts.html.j2", "styles/print.css", "scripts/opening.js"])
def test_a_template_that_is_missing(name, content, templates):
    """A file of the templates that is not there is named."""
    folder = templates(name, "", "")
    (folder / name).unlink()
    assert (
        fault(content, folder)
        == f"{folder.as_posix()}/{name}: file: is missing; write it, or name another folder"
    )


def test_a_template_that_another_takes_in(content, templates):
    """A template that another one includes, and that is not there, is named as well."""
    folder = templates("page.html.j2", "<body>", "<body>{% include 'gone.j2' %}")
    assert fault(content, folder).startswith(f"{folder.as_posix()}/gone.j2: file: is missing")


def test_templates_from_another_system(content, templates, tmp_path):
    """Byte-order marks and CRLF in the templates leave no trace on the page."""
    plain = build(content)
    folder = templates("page.html.j2", "", "")
    for path in folder.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert build(content, folder) == plain


@pytest.mark.parametrize(
    ("new", "rule"),
    [
        (f"<body>{{{{ {'(' * 3_000}1{')' * 3_000} }}}}", "maximum recursion depth exceeded"),
        (f"<body>{'{% if 1 %}' * 150}{'{% endif %}' * 150}", "too many"),
    ],
)
def test_a_template_that_is_nested_too_deeply(new, rule, content, templates):
    """What cannot be compiled is told of the file, without a line."""
    folder = templates("page.html.j2", "<body>", new)
    assert fault(content, folder).startswith(f"{folder.as_posix()}/page.html.j2: template: {rule}")


def test_a_template_that_takes_in_itself(content, templates):
    """Without an end, that is a fault of the file."""
    folder = templates("page.html.j2", "<body>", "<body>{% include 'page.html.j2' %}")
    said = fault(content, folder)
    assert said.startswith(f"{folder.as_posix()}/page.html.j2:")
    assert "template: maximum recursion depth exceeded" in said


def test_a_fault_of_the_builder_is_not_hidden(content, monkeypatch):
    """What is no slip of an author's comes out as it is, with its traceback, also below a template."""

    def broken(*_, **__):
        raise ZeroDivisionError

    monkeypatch.setattr("builder.templates.json", SimpleNamespace(dumps=broken))
    with pytest.raises(ZeroDivisionError):
        build(content)
