"""`builder serve` as a command: what it prints, how it exits, and what it does not need."""

import http.client
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest
from click.testing import CliRunner

from builder.cli import main, serve
from builder.preview import CHANGES
from tests.conftest import ROOT, TEMPLATES
from tests.test_cli import HEAVY, python


class Served:
    """The command in a process of its own, on the small content."""

    def __init__(self, content):
        self.content = content
        folders = ["--content", str(content), "--templates", str(TEMPLATES)]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "builder", "serve", *folders, "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=ROOT,
        )

    def line(self):
        """The next line that it prints."""
        return self.process.stdout.readline()

    def complaint(self):
        """The next line that it complains of."""
        return self.process.stderr.readline()

    def stop(self):
        """Ctrl-C: the exit, and what was still said on both streams."""
        self.process.send_signal(signal.SIGINT)
        return (*self.process.communicate(), self.process.returncode)


@pytest.fixture
def served(content) -> Iterator[Served]:
    served = Served(content)
    yield served
    served.process.kill()
    served.process.communicate()


def test_each_build_is_told(served):
    """A build has a line with its seconds, and each finding has one; the address is told once."""
    assert re.fullmatch(r"built in \d+\.\d s\n", served.line())
    assert re.match(r"http://127\.0\.0\.1:\d+/ shows the page", served.line())
    part = served.content / "prose" / "part.md"
    text = part.read_text(encoding="utf-8")
    part.write_text("{{ ttft_msec }}\n", encoding="utf-8")
    assert (
        served.complaint()
        == f"{part.as_posix()}:1: {{{{ ttft_msec }}}}: ttft_msec is not a figure; did you mean ttft?\n"
    )
    assert served.complaint() == "1 finding; not built\n"
    part.write_text(text, encoding="utf-8")
    assert re.fullmatch(r"built in \d+\.\d s\n", served.line())
    assert served.stop() == ("stopped\n", "", 0)


def test_ctrl_c_with_a_page_open(served):
    """Ctrl-C is how a server ends: exit 0, no traceback, and no wait for a page that listens."""
    served.line()
    port = int(re.search(r":(\d+)/", served.line())[1])
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    connection.request("GET", CHANGES)
    answer = connection.getresponse()
    assert answer.readline().startswith(b"data: ")
    assert served.stop() == ("stopped\n", "", 0)
    connection.close()


def test_ctrl_c_while_it_starts(content):
    """Before the first build is done it is the same."""
    script = (
        "import time, builder.site; from builder.cli import serve\n"
        "def wait(*folders): print('building', flush=True); time.sleep(60)\n"
        "builder.site.plan_site = wait\n"
        f"serve(['--content', {str(content)!r}, '--port', '0'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        assert process.stdout.readline() == "building\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate() == ("stopped\n", "")
    assert process.returncode == 0


def test_what_is_doubtful(content):
    """A warning is a line of its own, and the page is there all the same."""
    script = (
        "import builder.site; from builder.cli import serve; from builder.errors import Finding\n"
        "doubt = Finding('scenario.toml', 7, 'hardware.memory_gb', 'is hardly meant', 'look again')\n"
        "site = builder.site.Site({'index.html': b'', '404.html': b''}, [doubt])\n"
        "builder.site.plan_site = lambda *folders: site\n"
        f"serve(['--content', {str(content)!r}, '--port', '0'])"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:
        warning = "warning: scenario.toml:7: hardware.memory_gb: is hardly meant; look again\n"
        assert process.stderr.readline() == warning
        assert process.stdout.readline().startswith("built in ")
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert process.returncode == 0


def test_a_content_that_is_at_fault_from_the_start(content):
    """The server is there all the same, and tells what is wrong."""
    broken = shutil.copy(content / "page.toml", content.parent)
    (content / "page.toml").unlink()
    served = Served(content)
    assert served.complaint().endswith("page.toml: file: is missing; write it, or name another folder\n")
    assert served.line().startswith("http://127.0.0.1:")
    shutil.move(broken, content / "page.toml")
    assert served.line().startswith("built in ")
    assert served.stop()[2] == 0


def run(content, *arguments):
    """The command in this process; it has to end by itself."""
    folders = ["--content", str(content), "--templates", str(TEMPLATES)]
    return CliRunner().invoke(serve, [*folders, *arguments])


def test_a_port_that_is_taken(content):
    """One line says what to do, before anything is built; exit 1."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ran = run(content, "--port", str(port))
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert re.fullmatch(rf"port {port} of 127\.0\.0\.1 is taken.*: --port \d+\n", ran.stderr)


def test_without_the_library(content, monkeypatch):
    """Without watchfiles one line says how to install it, before anything is built; exit 1."""
    monkeypatch.setitem(sys.modules, "watchfiles", None)
    ran = run(content, "--port", "0")
    assert (ran.exit_code, ran.stdout) == (1, "")
    assert re.fullmatch(r"watchfiles is not installed, .*make serve.*\n", ran.stderr)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--host", ""], "Invalid value for '--host': the name is empty"),
        (["--content", "gone"], "gone: no such folder; run in the project's folder, or name it by --content"),
        (["--port", "65536"], "65536 is not in the range 0<=x<=65535"),
        (["--port", "web"], "'web' is not a valid integer"),
    ],
)
def test_usage_errors(arguments, message, content):
    """What is wrong with the command itself exits with 2."""
    ran = run(content, *arguments)
    assert ran.exit_code == 2
    assert message in " ".join(ran.stderr.split())


def test_the_group_lists_it():
    """`builder --help` names the command and says what it does."""
    assert re.search(r"serve +Show the page", CliRunner().invoke(main, ["--help"]).stdout)


@pytest.mark.parametrize("arguments", [["serve", "--help"], ["serve", "--nope"], ["build", "--help"]])
def test_what_needs_no_library_loads_none(arguments):
    """Help and a mistyped option are there before any library is loaded, the one that watches among them."""
    script = (
        "import sys; from builder.cli import main\n"
        "try: main(sys.argv[1:])\n"
        f"finally: print([name for name in {(*HEAVY, 'watchfiles')} if name in sys.modules])"
    )
    assert python(script, *arguments).stdout.endswith("[]\n")


def test_a_build_needs_no_watcher(content, tmp_path):
    """`build` and planning do without the library that only the preview needs."""
    script = (
        "import sys; sys.modules['watchfiles'] = None\nfrom builder.cli import build\nbuild(sys.argv[1:])"
    )
    folders = ["--content", str(content), "--templates", str(TEMPLATES), "--out", str(tmp_path / "out")]
    assert python(script, *folders).returncode == 0
