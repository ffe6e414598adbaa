"""`python -m bench` makes and measures the pages, and prints how they compare."""

import argparse
import datetime
import platform
import tempfile
from importlib.metadata import version
from pathlib import Path

from bench.browsing import browse
from bench.making import Pages, make_pages, page_content
from bench.results import Results
from bench.table import put_into, report


def main() -> None:
    """Runs the comparison."""
    options = argparse.ArgumentParser(prog="python -m bench", description="Measures the built page.")
    options.add_argument("--rounds", type=int, default=7, help="how often each page is made and opened")
    options.add_argument("--readme", type=Path, help="a file to write the table into as well")
    chosen = options.parse_args()
    results = Results()
    with tempfile.TemporaryDirectory(prefix="bench-") as folder:
        pages = Pages(Path(folder))
        make_pages(pages, chosen.rounds, results)
        axes = {axis.name: axis for axis in page_content().grid.axes}
        chromium = browse(pages.files, axes, chosen.rounds, results)
    versions = {"Python": platform.python_version(), "Altair": version("altair")}
    versions |= {"vl-convert": version("vl-convert-python"), "Chromium": chromium}
    text = report(results, datetime.date.today().isoformat(), versions)
    print(text)
    if chosen.readme:
        readme = chosen.readme.read_text(encoding="utf-8")
        chosen.readme.write_text(put_into(readme, text), encoding="utf-8")


if __name__ == "__main__":
    main()
