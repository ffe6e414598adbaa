"""Serves the preview: files over HTTP, and to every open page the news that there is another version."""

import errno
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import PurePosixPath
from threading import Event, Thread
from typing import Any
from urllib.parse import unquote

from builder.errors import BuilderError
from builder.preview import CHANGES, Preview

# A page that went away without a word is noticed at the next sign of life that cannot be sent.
SIGN_OF_LIFE_S = 10
POLL_S = 0.1

# By suffix, the same on every machine; an address without one is a page.
_KINDS = {
    "": "text/html; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".json": "application/json",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


@contextmanager
def serving(preview: Preview, host: str, port: int) -> Generator[str]:
    """Serves from now on, in threads of its own, until the block ends; gives the address.

    A request that comes before the first build is answered after it.

    Raises:
        BuilderError: the port is taken, or cannot be had.
    """
    over = Event()
    try:
        server = _Server((host, port), partial(_Handler, preview, over))
    except OSError as error:
        raise BuilderError(_refused(host, port, error)) from error
    thread = Thread(target=server.serve_forever, args=(POLL_S,), daemon=True)
    thread.start()
    try:
        yield f"http://{host}:{server.server_port}/"
    finally:
        over.set()
        server.shutdown()
        server.server_close()


def _refused(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        other = port % 65535 + 1
        return f"port {port} of {host} is taken, perhaps by another preview; take another: --port {other}"
    return f"{host}, port {port}: cannot be served: {error.strerror}"


class _Server(ThreadingHTTPServer):
    """One thread a connection; none of them keeps the process alive."""

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser that reloads drops what it had asked for.
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    """Answers from what is shown at the moment; there is no way from here to a file on the disk."""

    def __init__(self, preview: Preview, over: Event, *request: Any) -> None:
        self._preview, self._over = preview, over
        super().__init__(*request)

    def do_GET(self) -> None:
        """The file, or what there is to know about changes."""
        if self._path() == CHANGES:
            self._send_changes()
        else:
            self.wfile.write(self._start_answer())

    def do_HEAD(self) -> None:
        """The same without the file itself."""
        self._start_answer()

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: the terminal is for what is built."""

    def _path(self) -> str:
        return unquote(self.path.partition("?")[0])

    def _start_answer(self) -> bytes:
        """Sends status and headers, and returns what has to follow."""
        shown = self._preview.wait()
        assert shown  # without a time limit there is always something
        path = self._path().removeprefix("/")
        if f"{path}/index.html" in shown.files:
            # Without the slash the page's own links would lead out of its folder.
            folder, mark, query = self.path.partition("?")
            self._send_headers(302, {"Location": f"{folder}/{mark}{query}", "Content-Length": "0"})
            return b""
        if path == "" or path.endswith("/"):
            path += "index.html"
        body, status, name = shown.files.get(path), 200, path
        if body is None:
            (body, status), name = shown.missing, ".html"
        kind = _KINDS.get(PurePosixPath(name).suffix, "application/octet-stream")
        self._send_headers(status, {"Content-Type": kind, "Content-Length": str(len(body))})
        return body

    def _send_headers(self, status: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {**headers, "Cache-Control": "no-store"}.items():
            self.send_header(name, value)
        self.end_headers()

    def _send_changes(self) -> None:
        """The version that is shown, at once and whenever it is another one, as server-sent events."""
        self._send_headers(200, {"Content-Type": "text/event-stream"})
        version = ""
        while not self._over.is_set():
            shown = self._preview.wait(version, SIGN_OF_LIFE_S)
            version = shown.version if shown else version
            self.wfile.write(f"data: {version}\n\n".encode() if shown else b":\n\n")
