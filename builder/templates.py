"""Templates, styles and scripts: read like any author's file, checked, filled, and fit to stand inline."""

import json
import traceback
from collections.abc import Collection, Container, Iterable, Mapping
from pathlib import Path
from typing import Any

import jinja2
import jinja2.meta
import jinja2.nodes
from markupsafe import Markup

from builder.errors import ContentError, Finding, did_you_mean
from builder.source import read_source


def render(templates: Path, name: str, context: Mapping[str, Any], everywhere: dict[str, Any]) -> str:
    """A template filled; it and those that it takes in are read like any author's file.

    Args:
        templates: the folder.
        name: of the template.
        context: what it may use.
        everywhere: what the templates that it takes in may use as well.

    Raises:
        ContentError: it cannot be read, or is at fault.
    """
    files: set[str] = set()

    def load(name: str) -> tuple[str, str, None]:
        source = read_source(templates / name)
        files.add(source.file)
        return source.text, source.file, None

    file = (templates / name).as_posix()
    try:
        template = _environment(jinja2.FunctionLoader(load)).get_template(name, globals=everywhere)
        return template.render(context)
    except jinja2.TemplateSyntaxError as error:
        finding = _finding(error.filename or file, error.lineno, str(error.message))
    except Exception as error:
        place = _place_in(files, error)
        # What Python cannot compile or hold has no place in it.
        if place is None and isinstance(error, (SyntaxError, RecursionError)):
            place = file, None
        if place is None:
            raise
        finding = _finding(*place, str(error))
    raise ContentError([finding])


def _environment(loader: jinja2.BaseLoader | None = None) -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=loader,
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["inline_json"] = inline_json
    environment.filters["html"] = Markup
    return environment


def name_findings(templates: Path, name: str, known: Collection[str]) -> list[Finding]:
    """The names in a template that nothing defines, or why it cannot be read."""
    try:
        source = read_source(templates / name)
        tree = _environment().parse(source.text)
        unknown = jinja2.meta.find_undeclared_variables(tree) - {*known}
    except ContentError as error:
        return error.findings
    except jinja2.TemplateSyntaxError as error:
        return [_finding((templates / name).as_posix(), error.lineno, str(error.message))]
    except RecursionError as error:
        return [_finding((templates / name).as_posix(), None, str(error))]
    return [
        source.finding(node.lineno, "template", f"{node.name!r} is undefined", did_you_mean(node.name, known))
        for node in tree.find_all(jinja2.nodes.Name)
        if node.name in unknown and node.ctx == "load"
    ]


def inline_json(value: Any) -> Markup:
    """JSON that can stand in a script element: no tag or comment begins in it, no NaN."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


def inlined(templates: Path, folder: str, names: Iterable[str]) -> str:
    """The files of a folder, one after the other, fit to stand in a style or script element."""
    element = "style" if folder == "styles" else "script"
    parts: list[str] = []
    for name in names:
        source = read_source(templates / folder / name)
        parts.append(safe_inline(source.text, element, source.file))
    return "".join(parts)


def safe_inline(text: str, element: str, file: str) -> str:
    """The text, once nothing in it would end the element that it is to stand in.

    Raises:
        ContentError: something would.
    """
    lowered = text.lower()
    if f"</{element}" in lowered or "<!--" in lowered:
        rule = f"holds </{element} or <!--, which would end the element that it stands in"
        raise ContentError([Finding(file, None, "text", rule, "write < as \\x3c there")])
    return text


def _finding(file: str, line: int | None, rule: str) -> Finding:
    return Finding(file, line, "template", rule, "the form is that of Jinja templates")


def _place_in(files: Container[str], error: Exception) -> tuple[str, int | None] | None:
    """The template and its line where an error arose, or None where it arose in the builder's own code.

    Jinja makes tracebacks point at templates.
    """
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename in files:
            return frame.filename, frame.lineno
        if Path(frame.filename).is_relative_to(Path(__file__).parent):
            return None
    return None
