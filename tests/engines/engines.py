"""The engines besides Chromium, each driven over the W3C protocol that it speaks of itself.

Firefox speaks WebDriver BiDi, over a socket; WebKitGTK's driver speaks WebDriver, over HTTP. Both take the
same input.
"""

import base64
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

WIDTH, HEIGHT = 1280, 800
ARROW_RIGHT = "\ue014"

_LIMIT_S = 60
_STEPS = 12


class EngineError(Exception):
    """The engine is not there, does not start, or cannot do what it was asked."""


class Engine(ABC):
    """One window of one engine.

    Attributes:
        version: the engine's name and version, by its own account.
    """

    version: str

    @abstractmethod
    def open(self, url: str) -> None:
        """Opens a page, from the beginning; returns when it is loaded."""

    @abstractmethod
    def evaluate(self, expression: str) -> Any:
        """What an expression gives in the page, awaited."""

    @abstractmethod
    def picture(self) -> bytes:
        """A PNG of the window."""

    @abstractmethod
    def complaints(self) -> list[str]:
        """What was said of the pages opened, and was not yet asked for: console, errors, violations."""

    @abstractmethod
    def close(self) -> None:
        """Ends the engine."""

    @abstractmethod
    def _act(self, sources: list[dict[str, Any]]) -> None:
        """Does what a hand does, in the form that both protocols share."""

    def press(self, key: str) -> None:
        """Presses a key where the focus is."""
        ways = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        self._act([{"type": "key", "id": "keyboard", "actions": ways}])

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Presses the mouse at one place of the window and moves it to another in steps; lets go there."""
        parts = [part / _STEPS for part in range(_STEPS + 1)]
        spots = [tuple(round(a + (b - a) * part) for a, b in zip(start, end, strict=True)) for part in parts]
        moves = [{"type": "pointerMove", "x": x, "y": y, "duration": 20} for x, y in spots]
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        mouse = {"parameters": {"pointerType": "mouse"}, "actions": [moves[0], down, *moves[1:], up]}
        self._act([{"type": "pointer", "id": "mouse", **mouse}])


class Firefox(Engine):
    """Firefox, headless, in a profile of its own."""

    # Tells of what the log leaves out, from before the page's first script.
    _LISTEN = """
      (tell) => {
        addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
          tell(`policy: ${violatedDirective} ${blockedURI}`));
      }
    """

    def __init__(self, folder: Path, *, dark: bool):
        prefs = {"layout.css.prefers-color-scheme.content-override": 0 if dark else 1}
        (folder / "user.js").write_text(
            "".join(f'user_pref("{key}", {value});\n' for key, value in prefs.items())
        )
        options = ["--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
        self._log = folder / "log.txt"
        self._process = _start([_program("firefox-esr"), *options], self._log)
        self._open = ExitStack()
        self._open.callback(_end, self._process)
        self._said: list[str] = []
        self._asked = 0
        try:
            address = _wait(self._listening_at)
            self._socket = self._open.enter_context(connect(f"{address}/session", max_size=None, proxy=None))
            told = self._ask("session.new", capabilities={})["capabilities"]
            self.version = f"{told['browserName']} {told['browserVersion']}"
            self._window = self._ask("browsingContext.getTree")["contexts"][0]["context"]
            self._ask("session.subscribe", events=["log.entryAdded", "script.message"])
            channel = {"type": "channel", "value": {"channel": "complaints"}}
            self._ask("script.addPreloadScript", functionDeclaration=self._LISTEN, arguments=[channel])
            self._ask_window("browsingContext.setViewport", viewport={"width": WIDTH, "height": HEIGHT})
        except BaseException:
            self._open.close()
            raise

    def open(self, url: str) -> None:
        """Opens a page, from the beginning; returns when it is loaded."""
        self._ask_window("browsingContext.navigate", url="about:blank", wait="complete")
        self._ask_window("browsingContext.navigate", url=url, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What an expression gives in the page, awaited."""
        text = f"(async () => JSON.stringify([await ({expression}\n)]))()"
        target = {"context": self._window}
        given = self._ask("script.evaluate", expression=text, target=target, awaitPromise=True)
        if given["type"] != "success":
            raise EngineError(given["exceptionDetails"]["text"])
        return json.loads(given["result"]["value"])[0]

    def picture(self) -> bytes:
        """A PNG of the window."""
        return base64.b64decode(self._ask_window("browsingContext.captureScreenshot")["data"])

    def complaints(self) -> list[str]:
        """What was said of the pages opened, and was not yet asked for: console, errors, violations."""
        # What was said before the answer to this comes before it.
        self.evaluate("new Promise((resolve) => setTimeout(resolve, 200))")
        said, self._said = self._said, []
        return said

    def close(self) -> None:
        """Ends the engine."""
        self._open.close()

    def _act(self, sources: list[dict[str, Any]]) -> None:
        self._ask_window("input.performActions", actions=sources)

    def _listening_at(self) -> str | None:
        found = re.search(r"WebDriver BiDi listening on (ws://\S+)", self._log.read_text(errors="replace"))
        if not found and self._process.poll() is not None:
            raise EngineError(f"Firefox does not start: {self._log.read_text(errors='replace')[-500:]}")
        return found[1] if found else None

    def _ask_window(self, method: str, **params: Any) -> dict[str, Any]:
        return self._ask(method, context=self._window, **params)

    def _ask(self, method: str, **params: Any) -> dict[str, Any]:
        self._asked += 1
        self._socket.send(json.dumps({"id": self._asked, "method": method, "params": params}))
        while True:
            answer = json.loads(self._socket.recv(timeout=_LIMIT_S))
            if answer.get("id") == self._asked:
                break
            self._note(answer)
        if answer["type"] != "success":
            raise EngineError(f"{method}: {answer['message']}")
        return answer["result"]

    def _note(self, event: dict[str, Any]) -> None:
        params = event.get("params", {})
        if event.get("method") == "log.entryAdded":
            self._said.append(f"{params['type']} {params['level']}: {params['text']}")
        elif event.get("method") == "script.message":
            self._said.append(params["data"]["value"])


class WebKit(Engine):
    """WebKitGTK in its MiniBrowser, which needs a display.

    Driven, it keeps its console to itself, and lets nobody in before a page's first script. So a page is
    listened to from when it is loaded; what is said before is heard in a browser that nobody drives.
    """

    # From when a page is loaded.
    _LISTEN = """
      (() => {
        const said = (globalThis.complaints = []);
        for (const level of ["debug", "log", "info", "warn", "error"]) {
          console[level] = (...words) => said.push(`console ${level}: ${words.join(" ")}`);
        }
        addEventListener("error", ({ message, target }) =>
          said.push(`error: ${message ?? target.outerHTML}`), true);
        addEventListener("unhandledrejection", ({ reason }) => said.push(`error: ${reason}`));
        addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
          said.push(`policy: ${violatedDirective} ${blockedURI}`));
      })()
    """

    def __init__(self, folder: Path, *, dark: bool):
        self._folder = folder
        self._look = ["--dark-mode"] * dark
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self._process = _start([_program("WebKitWebDriver"), f"--port={port}"], folder / "driver.txt")
        self._root = f"http://127.0.0.1:{port}"
        try:
            _wait(self._is_up)
            browser = {"binary": str(_minibrowser()), "args": ["--automation", *self._look]}
            options = {"webkitgtk:browserOptions": browser}
            made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": options}})
            self._root += f"/session/{made['sessionId']}"
            told = made["capabilities"]
            self.version = f"WebKitGTK {told['browserVersion']}, {told['browserName']}"
            self._fit_window()
        except BaseException:
            _end(self._process)
            raise

    def open(self, url: str) -> None:
        """Opens a page, from the beginning; returns when it is loaded."""
        self._ask("POST", "/url", {"url": "about:blank"})
        self._ask("POST", "/url", {"url": url})
        self.evaluate(self._LISTEN)

    def overhear(self, url: str, seconds: float, until: str = "") -> list[str]:
        """What the console has of a page, from the beginning, in so many seconds or until a word is said."""
        log = self._folder / "console.txt"
        command = [str(_minibrowser()), *self._look, "--enable-write-console-messages-to-stdout=true", url]
        process = _start(command, log)
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end and not (until and until in log.read_text(errors="replace")):
                time.sleep(0.2)
            if process.poll() is not None:
                raise EngineError(f"MiniBrowser ended: {log.read_text(errors='replace')[-500:]}")
        finally:
            _end(process)
        return [line for line in log.read_text(errors="replace").splitlines() if "CONSOLE " in line]

    def evaluate(self, expression: str) -> Any:
        """What an expression gives in the page, awaited."""
        script = f"""
          const done = arguments[0];
          (async () => JSON.stringify([await ({expression}\n)]))().then(done, (error) => done(`!${{error}}`));
        """
        given = self._ask("POST", "/execute/async", {"script": script, "args": []})
        if given.startswith("!"):
            raise EngineError(given[1:])
        return json.loads(given)[0]

    def picture(self) -> bytes:
        """A PNG of the window."""
        return base64.b64decode(self._ask("GET", "/screenshot"))

    def complaints(self) -> list[str]:
        """What was said of the pages opened, and was not yet asked for: console, errors, violations."""
        return self.evaluate("new Promise((done) => setTimeout(() => done(complaints.splice(0)), 200))")

    def close(self) -> None:
        """Ends the engine."""
        try:
            self._ask("DELETE", "")
        finally:
            _end(self._process)

    def _act(self, sources: list[dict[str, Any]]) -> None:
        self._ask("POST", "/actions", {"actions": sources})

    def _fit_window(self) -> None:
        # The window has a toolbar, which takes from the height that it is given.
        size = {"width": WIDTH, "height": HEIGHT}
        for _ in range(2):
            self._ask("POST", "/window/rect", {"x": 0, "y": 0, **size})
            size["height"] += HEIGHT - self.evaluate("innerHeight")

    def _is_up(self) -> bool:
        if self._process.poll() is not None:
            raise EngineError("WebKitWebDriver does not start")
        try:
            return self._ask("GET", "/status")["ready"]
        except OSError:
            return False

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._root + path, data, method=method)
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with direct.open(request, timeout=_LIMIT_S) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            raise EngineError(f"{path}: {json.load(error)['value']['message']}") from None


ENGINES: dict[str, Callable[..., Engine]] = {"firefox": Firefox, "webkit": WebKit}


def _minibrowser() -> Path:
    if found := sorted(Path("/usr/lib").glob("*/webkit2gtk-4.*/MiniBrowser")):
        return found[-1]
    raise EngineError("there is no MiniBrowser below /usr/lib; `make test-engines` gets it, or says how")


def _program(name: str) -> str:
    if path := shutil.which(name):
        return path
    raise EngineError(f"there is no {name}; `make test-engines` gets it, or says how")


def _start(command: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    # In a group of its own, so that an end to it is an end to all that it started.
    with log.open("wb") as said:
        return subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=said, stderr=subprocess.STDOUT, start_new_session=True
        )


def _wait(look: Callable[[], Any]) -> Any:
    end = time.monotonic() + _LIMIT_S
    while time.monotonic() < end:
        if found := look():
            return found
        time.sleep(0.1)
    raise EngineError(f"the engine did not start in {_LIMIT_S} s")


def _end(process: subprocess.Popen[bytes]) -> None:
    for sent in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, sent)
            process.wait(timeout=10)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue
    process.wait(timeout=10)
