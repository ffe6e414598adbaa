"""The preview over HTTP: what each address answers, and how an open page hears of changes."""

import http.client
import socket
import threading

import pytest

from builder.errors import BuilderError
from builder.preview import CHANGES, Preview, Tools
from builder.preview_server import serving
from builder.site import Site

SITE = {
    "index.html": b"<body>page",
    "404.html": b"<body>nothing",
    "embed/roofline.html": b"<body>chart",
    "a100/index.html": b"<body>other page",
    "card.png": b"\x89PNG",
    "charts/roofline.vl.json": b"{}",
    "charts/roofline.svg": b"<svg/>",
    ".nojekyll": b"",
    "fonts/text.bin": b"\0",
}
HTML = "text/html; charset=utf-8"
LIMIT_S = 30


@pytest.fixture
def site():
    return dict(SITE)


@pytest.fixture
def preview(site) -> Preview:
    return Preview(lambda _: Site(dict(site), []), Tools("", ""))


@pytest.fixture
def port(preview):
    """The port of a server whose first build is done."""
    preview.rebuild()
    with serving(preview, "127.0.0.1", 0) as address:
        yield int(address.split(":")[2].rstrip("/"))


def ask(port, path, method="GET"):
    """A request as it is written, and its answer: status, headers, body."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request(method, path)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("path", "file", "kind"),
    [
        ("/", "index.html", HTML),
        ("/index.html", "index.html", HTML),
        ("/?theme=dark", "index.html", HTML),
        ("/%69ndex.html", "index.html", HTML),
        ("/embed/roofline.html?theme=light", "embed/roofline.html", HTML),
        ("/a100/", "a100/index.html", HTML),
        ("/card.png", "card.png", "image/png"),
        ("/charts/roofline.vl.json", "charts/roofline.vl.json", "application/json"),
        ("/charts/roofline.svg", "charts/roofline.svg", "image/svg+xml"),
        ("/fonts/text.bin", "fonts/text.bin", "application/octet-stream"),
    ],
)
def test_an_address(path, file, kind, port, preview):
    """A file is found by its path, a folder's page by the folder's; type and length are right."""
    status, headers, body = ask(port, path)
    assert (status, headers["Content-Type"], body) == (200, kind, preview.wait().files[file])
    assert headers["Content-Length"] == str(len(body))
    assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "/nothing.html",
        "/card.png/",
        "/embed/",
        "/../pyproject.toml",
        "/%2e%2e/pyproject.toml",
        "/..%2fpyproject.toml",
        "//etc/passwd",
        "/etc/passwd",
        "/index.html%00",
        "*",
    ],
)
def test_what_is_not_there(path, port):
    """Whatever is no file of the site gets its 404 page, also what would be one of the disk."""
    status, headers, body = ask(port, path)
    assert (status, headers["Content-Type"]) == (404, HTML)
    assert b"nothing" in body


@pytest.mark.parametrize("query", ["", "?theme=dark"])
def test_a_folder_without_its_slash(query, port):
    """It leads to the address with the slash, so that the page's relative links stay in the folder."""
    status, headers, _ = ask(port, f"/a100{query}")
    assert (status, headers["Location"]) == (302, f"/a100/{query}")


def test_no_way_to_another_host(port):
    """Two slashes, which a browser takes for a host, lead nowhere else."""
    _, headers, _ = ask(port, "//a100")
    assert headers["Location"] in (None, "/a100/")


@pytest.mark.parametrize("path", ["/", "/nothing.html", "/a100"])
def test_head(path, port):
    """HEAD has the status and the headers of GET, and no body."""
    (status, headers, _), (head_status, head_headers, body) = ask(port, path), ask(port, path, "HEAD")
    assert (head_status, body) == (status, b"")
    assert {**head_headers, "Date": ""} == {**headers, "Date": ""}


def test_a_request_before_the_first_build(preview):
    """It waits, and is answered with the first page."""
    with serving(preview, "127.0.0.1", 0) as address:
        host, port = address.removeprefix("http://").rstrip("/").split(":")
        with socket.create_connection((host, int(port)), timeout=LIMIT_S) as early:
            early.sendall(b"GET / HTTP/1.0\r\n\r\n")
            preview.rebuild()
            with early.makefile("rb") as answer:
                assert answer.read().endswith(b"</script>page")


def test_changes(port, preview, site):
    """An open page is told the version that is shown at once, and each other one when it is there."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    connection.request("GET", CHANGES)
    answer = connection.getresponse()
    assert answer.headers["Content-Type"] == "text/event-stream"
    assert answer.headers["Cache-Control"] == "no-store"
    told = []
    for text in (b"<body>page", b"<body>another", b"<body>a third"):
        site["index.html"] = text
        preview.rebuild()
        told.append(f"data: {preview.wait().version}\n".encode())
        assert (answer.readline(), answer.readline()) == (told[-1], b"\n")
    assert len(set(told)) == 3
    connection.close()


def test_a_browser_that_goes_away(port, preview, site, capfd):
    """Who drops a connection in the middle of an answer, as a reload does, leaves no trace."""
    site["index.html"] = b"<body>" + b"x" * 20_000_000
    preview.rebuild()
    with socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S) as dropped:
        dropped.sendall(b"GET / HTTP/1.0\r\n\r\n")
        assert dropped.recv(1)
    for thread in threading.enumerate():
        if "process_request" in thread.name:
            thread.join(LIMIT_S)
            assert not thread.is_alive()
    assert capfd.readouterr().err == ""


def test_a_fault_of_the_server_shows_itself(port, preview, monkeypatch, capfd):
    """What is no dropped connection is told with its traceback, and the server goes on."""
    with monkeypatch.context() as spoiled:
        spoiled.setattr(preview, "wait", lambda: 1 / 0)
        with pytest.raises(http.client.RemoteDisconnected):
            ask(port, "/")
    assert "ZeroDivisionError" in capfd.readouterr().err
    assert ask(port, "/")[0] == 200


def test_a_port_that_is_taken(port, preview):
    """One line names the port and how to take the next one."""
    with pytest.raises(BuilderError) as caught, serving(preview, "127.0.0.1", port):
        pass
    assert str(caught.value).startswith(f"port {port} of 127.0.0.1 is taken")
    assert str(caught.value).endswith(f"--port {port + 1}")


def test_a_host_that_is_not_this_one(preview):
    """What the system says is one line with host and port."""
    # An address for documentation, which no machine has.
    refused = pytest.raises(BuilderError, match=r"^192\.0\.2\.1, port 0: cannot be served: ")
    with refused, serving(preview, "192.0.2.1", 0):
        pass
