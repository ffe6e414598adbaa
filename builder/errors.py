"""What can go wrong, in words that help: findings in content and the errors that carry them."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, order=True)
class Finding:
    """One fault in the content, printed as `file:line: place: rule; hint`.

    Attributes:
        file: the file as the author named it.
        line: counted from 1, or None where the fault has no line (a key that is missing).
        place: the key, figure or construct at fault.
        rule: what must hold and does not.
        hint: how to mend it.
    """

    file: str
    line: int | None
    place: str
    rule: str
    hint: str

    def __str__(self) -> str:
        # A file may have any name, and a finding is one line.
        file = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in self.file)
        where = file if self.line is None else f"{file}:{self.line}"
        return f"{where}: {self.place}: {self.rule}; {self.hint}"


class BuilderError(Exception):
    """An error that its reader can mend; the command line prints it without a traceback."""


class ContentError(BuilderError):
    """The content cannot become a page.

    Attributes:
        findings: every fault that was found, in the order of files and lines.
        warnings: what is no fault, and can hardly be meant.
    """

    def __init__(self, findings: Iterable[Finding], warnings: Iterable[Finding] = ()) -> None:
        self.findings = sorted(set(findings), key=lambda f: (f.file, f.line or 0, f.place, f.rule))
        self.warnings = list(warnings)
        super().__init__("\n".join(str(finding) for finding in self.findings))


class OutputError(BuilderError):
    """An output folder that holds, or is, what the builder did not make."""


class RequestError(BuilderError):
    """What was asked for by an option cannot be; the exit is that of a mistyped command."""


class RuntimeBundleError(BuilderError):
    """The installed vl-convert does not carry a piece of Vega that the page needs."""


def nearest(name: str, known: Iterable[str], cutoff: float = 0.5) -> str | None:
    """The known name that is most like `name`, if one is at all; 1 would be the same name."""
    near = difflib.get_close_matches(name, sorted(known), n=1, cutoff=cutoff)
    return near[0] if near else None


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The hint for a name that is not known: the nearest right one, or all of them.

    >>> did_you_mean("ttft_msec", ["ttft", "itl"])
    'did you mean ttft?'
    >>> did_you_mean("x", ["ttft", "itl"])
    'known: itl, ttft'
    """
    names = sorted(known)
    near = nearest(name, names) or next((start for start in names if name.startswith(start)), None)
    return f"did you mean {near}?" if near else "known: " + ", ".join(names)
