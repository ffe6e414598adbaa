"""What would keep the Markdown parser busy for minutes, found by a linear look before it runs."""

import re
from dataclasses import dataclass

DEEPEST_LIST = 6
MOST_OPEN = 200  # the parser looks for the end of each open bracket anew, to the end of the paragraph

_FENCE = re.compile(r"(```|~~~)")
_ITEM = re.compile(r"( *)(?:[*+-]|[0-9]+\.)\s+\S")
_QUOTE = re.compile(r" {0,3}(?:> ?)+")
_TURNS = {"[": ("[", 1), "]": ("[", -1), "(": ("(", 1), ")": ("(", -1)}


@dataclass(frozen=True)
class Excess:
    """What is too much of a text: the line, and what to say of it."""

    line: int
    rule: str
    hint: str


def excess(text: str) -> Excess | None:
    """The first thing that a text has too much of, if any.

    >>> excess("A [list](a.html), " + "[" * 300)
    Excess(line=1, rule='has more than 200 brackets open', hint='close them, or take some out')
    """
    lines = text.split("\n")
    if line := _deep_item(lines):
        return Excess(line, "is set in too deep to be read", "bring lists and quotes up to the margin")
    if line := _open_brackets(lines):
        return Excess(line, f"has more than {MOST_OPEN} brackets open", "close them, or take some out")
    return None


def _deep_item(lines: list[str]) -> int | None:
    """The line of the first item that has too many lists around it, code aside."""
    depth, fenced = -1, False
    for number, line in enumerate(lines, 1):
        line = _QUOTE.sub("", line.expandtabs(4))
        fenced ^= bool(_FENCE.match(line))
        item = _ITEM.match(line)
        # What is set in by more than a level below its list is code, or goes on with a sentence.
        if item and not fenced and (level := len(item[1]) // 4) <= depth + 1:
            depth = level
        elif line.strip() and not line.startswith(" "):
            depth = -1
        if depth >= DEEPEST_LIST:
            return number
    return None


def _open_brackets(lines: list[str]) -> int | None:
    """The line on which a paragraph has too many brackets open at once."""
    depth = {"[": 0, "(": 0}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            depth = dict.fromkeys(depth, 0)
        for kind, turn in (_TURNS[sign] for sign in line if sign in _TURNS):
            depth[kind] = max(0, depth[kind] + turn)
            if depth[kind] > MOST_OPEN:
                return number
    return None
