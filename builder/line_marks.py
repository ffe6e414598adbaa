"""Marks that carry a line's number through a parser that forgets where a text stood.

Each construct that may be at fault is marked before parsing, in two private-use characters that no text has.
The parser alone decides what is code: a mark in code is never read, and `unmarked` removes it at the end.
"""

import re
from collections.abc import Iterable
from itertools import pairwise

OPEN, CLOSE = "\ue000", "\ue001"
MARK = f"{OPEN}([0-9]+){CLOSE}"

# Each match is followed by the mark; where the mark has to stand before a construct, the match is empty.
_CONSTRUCT = re.compile(
    r"""
      \{\{                                                  # figure or claim
    | \}\}                                                  # its end
    | ^ (?: `{3,} | ~{3,} ) \s* \{                          # attributes of a fence
    | \{ (?= :?\s* (?: [#.][\w-] | [\w-]+\s*= ) )           # attributes
    | ^ [\s>]* (?: (?:[*+-]|\d+\.) \s+ )* [#]{1,6} [ ]*     # heading
    | ^ [\s>]* \[ (?!\^) [^\[\]]+ \]: \s* <? (?=\S)         # definition of a link
    | \[\^ [^\[\]]+ \] (?!:)                                # reference to a note
    | < [A-Za-z][\w+.-]* :// [^<>\s]* (?=>)                 # address in angle brackets
    | (?<!\]\() (?= < (?! \w+: [^<>\s]* > ) [A-Za-z/!?] )   # tag or comment
    | (?<!\\) (?= !\[ )                                     # image
    | (?<!\\) (?= \]\( )                                    # link
    """,
    re.VERBOSE,
)
# Marked at their end are the lines that name a block: list items, notes, and what has an underline.
_ITEM = re.compile(r"[\s>]*(?:(?:[*+-]|\d+\.)\s+\S|\[\^[^\]]+\]:)")
_UNDERLINE = re.compile(r"[\s>]*[-=|:][-=|: ]*$")
# A mark at the end of these would change what they are: fences, rules, and headings with closing signs.
_BARE = re.compile(r"\s*(?:```|~~~|#|[-*_=|:+>\s]*$)")


def marked(lines: Iterable[str]) -> list[str]:
    """The lines of a text with their marks.

    >>> [line.replace(OPEN, "(").replace(CLOSE, ")") for line in marked(["A {{ b }}", "- c"])]
    ['A {{(1) b }}(1)', '- c(2)']
    """
    return [_marked(line, below, number) for number, (line, below) in enumerate(pairwise([*lines, ""]), 1)]


def _marked(line: str, below: str, number: int) -> str:
    mark = f"{OPEN}{number}{CLOSE}"
    line = _CONSTRUCT.sub(lambda match: match.group() + mark, line)
    if _BARE.match(line) or not (_ITEM.match(line) or _UNDERLINE.match(below)):
        return line
    # Before a closing bar, so that it stays the last of its row, and before the spaces of a line break.
    return re.sub(r"\s*\|?\s*$", lambda match: mark + match.group(), line, count=1)


def unmarked(text: str) -> str:
    """`text` without marks."""
    return re.sub(MARK, "", text)


def line_of(text: str) -> int | None:
    """The line of the first mark in `text`."""
    match = re.search(MARK, text)
    return int(match[1]) if match else None


def without_mark_characters(text: str) -> str:
    """`text` without the two characters that marks are made of."""
    return text.translate({ord(OPEN): None, ord(CLOSE): None})
