"""The browser that the tests drive: any Chromium on this machine, or one fetched when there is none.

`python -m tests.browser` prints its path and fetches it first where it must; tests call `find_browser`,
which only looks.
"""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from functools import cache

LAUNCH_ARGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
ON_PATH = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SET_BY_HAND = "CHROMIUM"

_START_LIMIT_S = 30
_FETCH_LIMIT_S = 600
_ASK_PLAYWRIGHT = """
from playwright.sync_api import sync_playwright
with sync_playwright() as playwright:
    print(playwright.chromium.executable_path)
"""
_APT = ("apt-get", "-qq", "-o", "Acquire::Retries=2", "-o", "DPkg::Lock::Timeout=120")

Command = tuple[str, list[str]]  # what it is called, and its words


class BrowserError(Exception):
    """There is no browser to test with; the text says what to do."""


@cache
def find_browser() -> str:
    """The path of a Chromium that starts: the one that CHROMIUM names, Playwright's own, or one on PATH.

    Raises:
        BrowserError: none of them starts, or CHROMIUM names one that does not.
    """
    if by_hand := os.environ.get(SET_BY_HAND):
        if _starts(by_hand):
            return by_hand
        raise BrowserError(f"{SET_BY_HAND}={by_hand} does not start; correct it or unset it")
    for path in _candidates():
        if _starts(path):
            return path
    raise BrowserError(f"no browser that starts; install Chromium, or set {SET_BY_HAND} to the path of one")


def get_browser() -> str:
    """The path of a Chromium, fetched where there is none.

    Raises:
        BrowserError: it could not be fetched, or CHROMIUM names one that does not start.
    """
    ways = iter(() if os.environ.get(SET_BY_HAND) else _ways_to_fetch())
    failures: list[str] = []
    while True:
        try:
            return find_browser()
        except BrowserError as error:
            commands = next(ways, None)
            if commands is None:
                raise BrowserError("; ".join([str(error), *failures])) from None
        failures += [failure for command in commands if (failure := _run(*command))]


def _candidates() -> Iterator[str]:
    # Playwright is asked in a process of its own: its sync API refuses to run twice in one.
    ask = [sys.executable, "-c", _ASK_PLAYWRIGHT]
    asked = subprocess.run(ask, capture_output=True, text=True, check=False)
    yield from asked.stdout.split("\n")[:1]
    yield from filter(None, map(shutil.which, ON_PATH))


def _starts(path: str) -> bool:
    # A path alone proves little: some distributions ship a stub, and a downloaded browser may lack libraries.
    try:
        asked = subprocess.run([path, "--version"], capture_output=True, timeout=_START_LIMIT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.returncode == 0


def _ways_to_fetch() -> Iterator[list[Command]]:
    """Commands that fetch a browser, the quickest way first; only root may use the system's packages."""
    has_apt = os.name == "posix" and os.geteuid() == 0 and shutil.which("apt-get") is not None
    if has_apt:
        packages = ("chromium", "fonts-liberation")
        yield [
            ("apt-get update", [*_APT, "update"]),
            ("apt-get install chromium", [*_APT, "install", "-y", "--no-install-recommends", *packages]),
        ]
    install = [sys.executable, "-m", "playwright", "install", "chromium"]
    yield [("playwright install chromium", [*install, "--with-deps"] if has_apt else install)]


def _run(name: str, command: list[str]) -> str | None:
    """Run one command quietly, with its children, for at most ten minutes; what went wrong, in a line."""
    print(f"no browser yet: {name}", file=sys.stderr, flush=True)
    with subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive"},
        start_new_session=True,
    ) as process:
        try:
            said, _ = process.communicate(timeout=_FETCH_LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return f"`{name}` took longer than {_FETCH_LIMIT_S} s"
    if process.returncode == 0:
        return None
    lines = [line.strip() for line in said.splitlines() if line.strip()] or ["no output"]
    errors = [line for line in lines if line.startswith(("E: ", "Error: "))]
    return f"`{name}` failed: {(errors or lines)[-1]}"


def main() -> None:
    """Print the browser's path, or one line that says what to do."""
    try:
        print(get_browser())
    except BrowserError as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
