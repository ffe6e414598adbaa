"""What the pages do in Chromium, on this machine's processor as it is and slowed."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from bench.results import Results
from builder.figures import words
from builder.scenario import Axis
from tests.browser import LAUNCH_ARGS, find_browser

PROBE = Path(__file__).with_name("probe.js").read_text(encoding="utf-8")
RATES = (1, 4)
MOVES = 40
# So long nobody asks a page anything that opens: the answer is work as well, and falls among its own. So is
# to look for a chart at every frame: tasks are counted in a window in which nobody does.
ALONE_MS = 2000
# A page has settled when no task has been long for as long as this.
QUIET_MS = 1500
# A reader who cannot wait moves a control four times a second.
PAUSE_MS = 250
SIZE = {"width": 1280, "height": 800}


def browse(files: Mapping[str, Path], axes: Mapping[str, Axis], rounds: int, results: Results) -> str:
    """Opens every page by turns, three times a round at each rate; gives the browser's version."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_browser(), args=LAUNCH_ARGS)
        for _ in range(rounds):
            for rate in RATES:
                for name, file in files.items():
                    for quantity, values in _measured(browser, file, rate, axes).items():
                        results.add(name, f"{quantity} {rate}", *values)
        version = browser.version
        browser.close()
    return version


def _measured(browser: Browser, file: Path, rate: int, axes: Mapping[str, Axis]) -> dict[str, list[float]]:
    shown = {name: _said_by_the_chart(axes[name]) for name in ("prompt", "batch")}
    start = shown["batch"][axes["batch"].stops.index(axes["batch"].start)]
    found: dict[str, list[float]] = {}
    with _opened(browser, file, rate) as (page, session):
        found["blocked"] = [page.evaluate("quiet => probe.blocked(quiet)", QUIET_MS)]
        found["move"] = page.evaluate("steps => probe.moves(steps)", _steps(shown))
        found["heap"] = [_heap(session)]
    waits = {
        "first": f"probe.firstChart({json.dumps(start)})",
        "live": f"probe.liveChart('batch', {json.dumps(shown['batch'])}, {PAUSE_MS})",
    }
    for quantity, wait in waits.items():
        with _opened(browser, file, rate, wait) as (page, _):
            found[quantity] = [page.evaluate("begun")]
    return found


def _said_by_the_chart(axis: Axis) -> list[str]:
    """The name of the live point that an axis moves, at each of its stops."""
    phase = {"prompt": "prefill", "batch": "decode"}[axis.name]
    return [f"{phase}, {words(axis.name, stop)}" for stop in axis.stops]


def _steps(shown: Mapping[str, list[str]]) -> list[dict[str, Any]]:
    """Moves of both controls in turn, near and far; each leads to another stop than the last."""
    steps: list[dict[str, Any]] = []
    for nth in range(MOVES // 2):
        for name, said in shown.items():
            index = (nth * 7 + 3) % len(said)
            steps.append({"name": name, "index": index, "words": said[index]})
    return steps


@contextmanager
def _opened(
    browser: Browser, file: Path, rate: int, begun: str = "null"
) -> Iterator[tuple[Page, CDPSession]]:
    """A page in a window of its own, with the probe and what it has begun before anything of the page's."""
    context = browser.new_context(viewport=SIZE, offline=True)
    context.add_init_script(f"{PROBE}\nglobalThis.begun = {begun};")
    page = context.new_page()
    session = context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": rate})
    page.goto(file.as_uri())
    page.wait_for_timeout(ALONE_MS)
    yield page, session
    context.close()


def _heap(session: CDPSession) -> float:
    """Bytes of the page's objects that are in use."""
    session.send("HeapProfiler.collectGarbage")
    session.send("Performance.enable")
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(metric["value"] for metric in metrics if metric["name"] == "JSHeapUsedSize")
