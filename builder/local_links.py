"""Links that stay within the site: to a place on the page, and to the site's other files."""

import html
import posixpath
import re
from collections.abc import Collection
from urllib.parse import unquote

from builder.errors import nearest

# Browsers know the top, and texts that are pointed at; the page's script takes its state from its address.
_NO_ID = re.compile(r"(?i:top)?|(?:[^&]*&)*(?:prompt|output|batch)=.*|.*:~:.*")


def local_fault(
    address: str, ids: Collection[str], folder: str, files: Collection[str] | None
) -> tuple[str, str] | None:
    """What is wrong with where a link leads within the site: a rule and a hint.

    Args:
        address: as it is written; a whole one is never at fault here.
        ids: all that the page has.
        folder: of the page in the site; "" for the page at the root.
        files: all of the site, by their paths; None where they are not known.

    >>> local_fault("#decod", ["decode"], "", None)
    ('the page has no such id', 'did you mean #decode?')
    >>> local_fault("../secret/", [], "a100-80gb", {"index.html"})
    ('the site has no such file', 'write a whole address, as https://example.org/page')
    """
    decoded = re.sub(r"[\t\n\r]+", "", html.unescape(address)).strip()
    if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:", decoded):
        return None
    path, _, name = decoded.partition("#")
    if path := unquote(path.partition("?")[0]):
        return _file_fault(posixpath.normpath(posixpath.join(folder, path)), files)
    return _id_fault(unquote(name), ids)


def _file_fault(target: str, files: Collection[str] | None) -> tuple[str, str] | None:
    if files is None or target in files or posixpath.normpath(f"{target}/index.html") in files:
        return None
    return "the site has no such file", "write a whole address, as https://example.org/page"


def _id_fault(name: str, ids: Collection[str]) -> tuple[str, str] | None:
    if name in ids or _NO_ID.fullmatch(name):
        return None
    near = nearest(name.lower(), ids)
    return "the page has no such id", f"did you mean #{near}?" if near else "write ## Heading {#name}"
