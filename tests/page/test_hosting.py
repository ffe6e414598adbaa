"""The site on a host, in a folder somewhere below its root."""

import re
import shutil
import struct
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from builder.output import OutputFolder
from builder.site import plan_site
from tests.markup import Markup
from tests.page.conftest import ROOT
from tests.page.gestures import drag, handle, hollow, show_roofline
from tests.page.seen import START, TOO_BIG, check, set_state, settle

FOLDER = "/my-talk/v1"
ADDRESS = "https://example.org/my-talk/v1/"
PAGES = ("index.html", "404.html", "embed/roofline.html", "embed/timeline.html")
KINDS = {".html": "text/html; charset=utf-8", ".json": "application/json", ".png": "image/png"}
EMBEDS = ("embed/roofline.html", "embed/timeline.html")


class Host(BaseHTTPRequestHandler):
    """Serves a site below the folder, and its 404 page where there is no file.

    Args:
        site: the folder on disk.
        redirects: whether the folder's name without a slash leads to the one with it, or is answered itself.
        asked: gets path and status of each request.
    """

    def __init__(self, site: Path, redirects: bool, asked: list[tuple[str, int]], *request):
        self.site, self.redirects, self.asked = site, redirects, asked
        super().__init__(*request)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path == FOLDER and self.redirects:
            self._answer(301, self.site / "index.html", Location=f"{FOLDER}/")
            return
        below = path.removeprefix(FOLDER)
        file = self.site / ("index.html" if below in ("", "/") else below.lstrip("/"))
        if path.startswith(FOLDER) and file.is_file():
            self._answer(200, file)
        else:
            self._answer(404, self.site / "404.html")

    def _answer(self, status: int, file: Path, **headers: str) -> None:
        # A browser asks each host for an icon of its own accord.
        if self.path != "/favicon.ico":
            self.asked.append((self.path, status))
        body = file.read_bytes()
        self.send_response(status)
        headers |= {"Content-Type": KINDS[file.suffix], "Content-Length": str(len(body))}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Says nothing."""


@pytest.fixture
def host(watched) -> Iterator:
    """Serves a site on this machine: gives the address of the host's root, and what is asked of it."""
    servers = []

    def started(site: Path, redirects: bool = True):
        asked: list[tuple[str, int]] = []
        server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Host, site, redirects, asked))
        thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}", asked

    yield started
    # A server waits for the connections that a browser keeps open.
    watched.close()
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def open_address(watched):
    """Opens an address of a host, which is all that the page may ask for, and waits for Vega."""

    def opened(address: str, *others: str):
        watched.allow(address.split("#")[0].split("?")[0], *others)
        page = watched.new_page(offline=False, viewport={"width": 1280, "height": 800})
        page.goto(address)
        page.evaluate("globalThis.explainer?.ready")
        return page

    return opened


@pytest.fixture(scope="module")
def addressed(tmp_path_factory) -> Path:
    """The site as it is built when its content says where it will be."""
    folder = tmp_path_factory.mktemp("addressed")
    shutil.copytree(ROOT / "content", folder / "content")
    file = folder / "content" / "page.toml"
    text = re.sub(r"(?m)^address = .*\n", "", file.read_text(encoding="utf-8"))
    file.write_text(f'address = "{ADDRESS}"\n{text}', encoding="utf-8")
    OutputFolder(folder / "site").replace(plan_site(folder / "content", ROOT / "site_templates").files)
    return folder / "site"


@pytest.mark.parametrize(
    ("path", "redirects", "asked_for"),
    [
        (f"{FOLDER}/", True, [(f"{FOLDER}/", 200)]),
        (FOLDER, True, [(FOLDER, 301), (f"{FOLDER}/", 200)]),
        (FOLDER, False, [(FOLDER, 200)]),
        (f"{FOLDER}/index.html", True, [(f"{FOLDER}/index.html", 200)]),
    ],
)
def test_the_page_below_a_folder(host, open_address, site, path, redirects, asked_for):
    """With the slash or without, whatever the host makes of it, the page asks for itself alone and works."""
    root, asked = host(site, redirects)
    page = open_address(f"{root}{path}{TOO_BIG.hash}", f"{root}{FOLDER}/")
    check(page, TOO_BIG)
    show_roofline(page)
    drag(page, handle(page, "decode"), hollow(page, "batch", 1))
    check(page, START)
    settle(page, START)
    assert asked == asked_for


@pytest.mark.parametrize("name", EMBEDS)
def test_an_embed_below_a_folder(host, open_address, site, name):
    """A chart alone asks for itself alone, whatever theme and state are in its address."""
    root, asked = host(site)
    page = open_address(f"{root}{FOLDER}/{name}?theme=dark{TOO_BIG.hash}")
    set_state(page, START)
    assert page.evaluate("explainer.state()") == START._asdict()
    assert asked == [(f"{FOLDER}/{name}?theme=dark", 200)]


def test_a_page_that_is_not_there(host, open_address, watched, site):
    """What the host shows instead is styled, is one request, and leads to the page."""
    root, asked = host(site)
    page = open_address(f"{root}{FOLDER}/nothing.html", f"{root}{FOLDER}/")
    assert page.inner_text("h1") == "No such page"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") == "rgb(253, 252, 249)"
    assert "serif" in page.evaluate("getComputedStyle(document.body).fontFamily")
    page.click("main a")
    page.wait_for_function("() => globalThis.explainer")
    page.evaluate("explainer.ready")
    check(page, START)
    assert asked == [(f"{FOLDER}/nothing.html", 404), (f"{FOLDER}/", 200)]
    # The browser itself reports that the page that was asked for is not there; nothing else is.
    watched.close()
    assert [fault for fault in watched.faults if not fault.endswith("a status of 404 (Not Found)")] == []
    assert len(watched.faults) == 1
    watched.faults.clear()


@pytest.mark.parametrize("name", PAGES)
def test_addresses_are_relative(site, name):
    """Nothing is addressed from the root, and without a base only links that lead away are absolute."""
    markup = Markup((site / name).read_text(encoding="utf-8"))
    addresses = [
        (element.tag, element[attribute])
        for element in markup.elements
        for attribute in ("href", "src", "action", "srcset", "data", "poster")
        if element[attribute] is not None
    ]
    assert [address for _, address in addresses if address.startswith("/")] == []
    absolute = {tag for tag, address in addresses if re.match(r"[a-z]+:", address)}
    assert absolute <= {"a"}
    assert not markup.all("base", "link")
    assert not markup.all("meta", property="og:url")


@pytest.mark.parametrize("name", PAGES)
def test_addresses_of_a_site_that_knows_its_own(addressed, name):
    """With a base the canonical address and the card have it, and the 404 page leads there; nothing else."""
    markup = Markup((addressed / name).read_text(encoding="utf-8"))
    own = [
        (element.tag, attribute, value)
        for element in markup.elements
        for attribute, value in element.attributes.items()
        if value and ADDRESS in value
    ]
    assert own == {
        "index.html": [
            ("link", "href", ADDRESS),
            ("meta", "content", ADDRESS),
            ("meta", "content", f"{ADDRESS}card.png"),
        ],
        "404.html": [("a", "href", ADDRESS)],
    }.get(name, [])


def test_the_card_of_a_link(addressed):
    """Title, description, address and picture stand in the head for those who show a link to the page."""
    markup = Markup((addressed / "index.html").read_text(encoding="utf-8"))
    described = {
        element["property"]: element["content"] for element in markup.all("meta") if element["property"]
    }
    assert markup.one("link", rel="canonical")["href"] == described["og:url"] == ADDRESS
    assert described["og:title"] == markup.one("title").text == "Two phases, two bottlenecks"
    assert described["og:description"] == markup.one("meta", name="description")["content"]
    assert described["og:type"] == "article"
    assert described["og:image"] == f"{ADDRESS}card.png"
    assert (described["og:image:width"], described["og:image:height"]) == ("1200", "630")
    assert len(described["og:image:alt"]) > 20
    assert markup.one("meta", name="twitter:card")["content"] == "summary_large_image"


def test_the_picture_of_the_card(site):
    """It is a PNG of 1,200 by 630 pixels."""
    data = (site / "card.png").read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    assert struct.unpack(">II", data[16:24]) == (1200, 630)


def test_no_jekyll(site):
    """The file is there that keeps GitHub Pages from leaving files out."""
    assert (site / ".nojekyll").read_bytes() == b""


def test_a_page_that_is_not_there_far_down(host, open_address, watched, addressed):
    """From any depth the 404 page of a site that knows its address leads home."""
    root, _ = host(addressed)
    page = open_address(f"{root}{FOLDER}/a/b/c/nothing")
    assert page.evaluate("document.querySelector('main a').href") == ADDRESS
    watched.close()
    watched.faults.clear()


def test_the_snippets_of_a_site_that_knows_its_address(addressed):
    """What the page offers to copy names each chart's file on the web, which is one that the build wrote."""
    markup = Markup((addressed / "index.html").read_text(encoding="utf-8"))
    frames = [Markup(pre.text).one("iframe") for pre in markup.all("pre") if pre["class"] == "snippet"]
    files = [re.split("[?#]", frame["src"])[0].removeprefix(ADDRESS) for frame in frames]
    assert sorted(files) == sorted(EMBEDS)
    assert all((addressed / file).is_file() for file in files)
