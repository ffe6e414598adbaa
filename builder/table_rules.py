"""The words for what the validation library finds: a rule, and how to mend it."""

from collections.abc import Mapping
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic_core import ErrorDetails

from builder.toml_syntax import Location

_WORDS: dict[Any, str] = {int: "a whole number", float: "a number", str: "text in quotes"}
_LISTS: dict[Any, str] = {int: "[1, 2, 4]", str: '["a", "b"]'}
_OF_A_FORM = {
    "list_type": "and must be a list",
    "tuple_type": "and must be a list",
    "dict_type": "and must be a table",
    "model_type": "and must be a table",
}


def rule_and_hint(table: type[BaseModel], details: ErrorDetails, place: str) -> tuple[str, str]:
    """What must hold for a value, and how to mend it; `place` is the key as an author writes it."""
    kind, value = details["type"], details["input"]
    if kind in _OF_A_FORM:
        return f"is {shown(value)}, {_OF_A_FORM[kind]}", f"write {form(table, details['loc'], place)}"
    rule, hint = _rule(kind, details.get("ctx", {}), details["msg"])
    if kind in {"int_type", "float_type"} and not isinstance(value, float):
        hint = "write it without quotes" if isinstance(value, str) else "write a plain number"
    return f"is {shown(value)}, {rule}", hint


def _rule(kind: str, context: Mapping[str, Any], message: str) -> tuple[str, str]:
    rules = {
        "int_type": ("and must be a whole number", "write it without a point or an exponent"),
        "int_from_float": ("and must be a whole number", "write it without a point or an exponent"),
        "float_type": ("and must be a number", "write a plain number"),
        "finite_number": ("and must be a finite number", "give the figure from the source"),
        "string_type": ("and must be text", "put it in quotes"),
        "greater_than": (f"and must be greater than {context.get('gt', 0):g}", "write a positive number"),
        "greater_than_equal": (f"and must be at least {context.get('ge', 0):g}", "write a larger number"),
        "literal_error": (f"and must be {context.get('expected')}", f"write {context.get('expected')}"),
    }
    if kind == "value_error":
        rule, _, hint = str(context.get("error")).partition("; ")
        return f"and {rule}", hint
    return rules.get(kind, (f"and is not valid: {message}", "write another value"))


def shown(value: object) -> str:
    """A value as TOML has it: `true`, `nan`, `1979-05-27`; tables, and what is long, by their beginning."""
    text = _text(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _text(value: Any) -> str:
    if type(value) is dict:
        return "a table"
    if type(value) in {list} and any(type(entry) is dict for entry in value):
        return "a list of tables"
    if type(value) in {list}:
        return f"[{', '.join(map(_text, value[:30]))}]"
    try:
        return repr(value) if isinstance(value, str) else str(value).lower()
    except ValueError:  # hexadecimal digits may be more than Python writes as decimal ones
        return "a number of thousands of digits"


def form(table: type[BaseModel], location: Location, place: str) -> str:
    """What an author writes for a key of a table: `layers = a whole number`, `[grid] with prompt, output`."""
    found = annotation_at(table, location)
    inner = _plain(get_args(found)[0]) if get_origin(found) is tuple else None
    if keys := required_keys(found):
        return f"[{place}] with {', '.join(keys)}"
    if keys := required_keys(inner):
        return f"[[{place}]] with {', '.join(keys)}"
    value = _LISTS[inner] if inner in _LISTS else _WORDS.get(found, "a value")
    return f"{location[-1]} = {value}"


def required_keys(kind: Any) -> list[str]:
    """The keys that a table must have, its source last; none for what is no table."""
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        return []
    keys = [name for name, field in kind.model_fields.items() if field.is_required()]
    return sorted(keys, key="source".__eq__)


def annotation_at(table: type[BaseModel], location: Location) -> Any:
    """The type of what stands at a location inside a table, without constraints; None where there is none."""
    found: Any = table
    for part in location:
        if isinstance(found, type) and issubclass(found, BaseModel):
            field = found.model_fields.get(str(part))
            found = _plain(field.annotation) if field else None
        else:
            # Lists name the type of their entries first, dictionaries that of their values last.
            found = _plain(get_args(found)[0 if isinstance(part, int) else -1]) if get_args(found) else None
    return found


def _plain(annotation: Any) -> Any:
    if get_origin(annotation) is Annotated:
        return _plain(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return _plain(get_args(annotation)[0])
    return str if get_origin(annotation) is Literal else annotation
