"""The three pages that are compared: made, timed and weighed."""

import gzip
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.handwritten import handwritten_page
from bench.results import Results
from builder.content import PageContent, read_content

ROOT = Path(__file__).parents[1]
CONTENT = ROOT / "content"


@dataclass(frozen=True)
class Pages:
    """The compared files of one folder.

    Attributes:
        folder: where they are, or will be.
    """

    folder: Path

    @property
    def files(self) -> dict[str, Path]:
        """The file of each page, by the page's name."""
        return {
            "built": self.folder / "site" / "index.html",
            "altair": self.folder / "altair.html",
            "handwritten": self.folder / "handwritten.html",
        }


def make_pages(pages: Pages, rounds: int, results: Results) -> None:
    """Makes every page; the two that take a build by turns, each in a process of its own.

    A build is timed by the processor's time, which other work on the machine does not add to.
    """
    commands = {
        "built": ["builder", "build", "--out", str(pages.files["built"].parent)],
        "altair": ["bench.altair_file", str(pages.files["altair"])],
    }
    for _ in range(rounds):
        for name, words in commands.items():
            before = _processor_s()
            subprocess.run([sys.executable, "-m", *words], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
            results.add(name, "build", _processor_s() - before)
    pages.files["handwritten"].write_text(handwritten_page(page_content()), encoding="utf-8")
    for name, file in pages.files.items():
        data = file.read_bytes()
        results.add(name, "raw", len(data))
        results.add(name, "gzip", len(gzip.compress(data, mtime=0)))


def _processor_s() -> float:
    """What all processes started and ended so far have used, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def page_content() -> PageContent:
    """What the compared pages say: the project's own content."""
    return read_content(CONTENT).pages[0]
