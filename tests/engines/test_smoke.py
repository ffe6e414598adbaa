"""The built page in Firefox and in WebKit: it starts, a control and a drag move it, and nothing is said."""

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from builder.output import OutputFolder
from tests.engines.engines import ARROW_RIGHT, ENGINES, HEIGHT, WIDTH, Engine, EngineError, WebKit
from tests.page.seen import SEEN, START, State, check_seen

PICTURES = Path(__file__).parents[2] / "build" / "screenshots" / "engines"
PUBLISHED = {"ttft": "114.9 ms", "itl": "23.4 ms", "latency": "3.11 s", "throughput": "43 tok/s"}
MIDDLE = """
(({ left, right, top, bottom }) => [(left + right) / 2, (top + bottom) / 2])
  (document.querySelector('[data-point="prefill"]').getBoundingClientRect())
"""
SHOW = "document.getElementById('roofline').scrollIntoView({ block: 'end', behavior: 'instant' })"
# Every colour that a reader sees first, as the engine computes it.
COLOURS = """
(() => {
  const computed = (selector, property) => getComputedStyle(document.querySelector(selector))[property];
  return {
    paper: computed("html", "backgroundColor"),
    ink: computed("html", "color"),
    prefill: computed('#roofline .live [class*="prefill_point"] path', "fill"),
    decode: computed('#roofline .live [class*="decode_point"] path', "fill"),
    axis: computed("#roofline .live .role-axis-label text", "fill"),
  };
})()
"""
FAULTS = """
(() => {
  console.error("said by the page");
  setTimeout(() => { throw new Error("not caught"); });
  const script = document.createElement("script");
  script.textContent = "0";
  document.head.append(script);
})()
"""
FAULTY = """<!doctype html>
<meta http-equiv="Content-Security-Policy" content="img-src 'none'; script-src 'unsafe-inline'">
<img src="data:image/png;base64,AA==">
<script>console.error("said by the page"); setTimeout(() => { throw new Error("not caught"); }, 500)</script>
"""
# Several times what Vega takes here to draw the charts; nobody is there to tell.
UNTIL_DRAWN_S = 8


@pytest.fixture(scope="session")
def address(planned: dict[str, bytes], tmp_path_factory: pytest.TempPathFactory) -> str:
    """The address of a page built now, on the disk."""
    out = tmp_path_factory.mktemp("site")
    OutputFolder(out).replace(planned)
    return (out / "index.html").as_uri()


@pytest.fixture(
    scope="module", params=[(name, scheme) for name in ENGINES for scheme in ("light", "dark")], ids="-".join
)
def started(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Engine, str]]:
    """One engine in one of a reader's two colour schemes."""
    name, scheme = request.param
    engine = ENGINES[name](tmp_path_factory.mktemp(name), dark=scheme == "dark")
    print(engine.version)
    yield engine, scheme
    engine.close()


def opened(engine: Engine, address: str) -> None:
    """Opens the page at its start, until Vega drives its charts."""
    engine.open(address)
    engine.evaluate("explainer.ready.then(() => null)")


def settle(engine: Engine) -> None:
    """Waits until the charts show the state."""
    engine.evaluate("explainer.set({})")


def check(engine: Engine, state: State) -> None:
    """Asserts that all that the page shows is the state's, points, handles and every figure."""
    assert engine.evaluate("explainer.state()") == state._asdict()
    assert engine.evaluate("document.documentElement.dataset.batch") == str(state.batch)
    check_seen(engine.evaluate(f"({SEEN})()"), state)


def keep(engine: Engine, name: str) -> None:
    """Keeps a picture of the window."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    (PICTURES / f"{name}.png").write_bytes(engine.picture())


def light(colour: str) -> float:
    """How light an opaque colour is, from 0 to 1."""
    found = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
    assert found, f"{colour} is no opaque colour"
    return sum(map(int, found.groups())) / (3 * 255)


def test_the_page_works(started: tuple[Engine, str], address: str, request: pytest.FixtureRequest):
    """The published start, one control by keyboard, one drag; Vega's drawings, colours, and silence."""
    engine, scheme = started
    name = request.node.callspec.id
    opened(engine, address)
    assert engine.evaluate("[innerWidth, innerHeight]") == [WIDTH, HEIGHT]
    assert (
        engine.evaluate("document.querySelectorAll('#roofline .live svg, #timeline .live svg').length") == 2
    )
    figures = engine.evaluate(f"({SEEN})().figures")
    assert {figure: text for figure, text in figures if figure in PUBLISHED} == PUBLISHED
    check(engine, START)
    keep(engine, f"{name}-top")

    colours = engine.evaluate(COLOURS)
    assert len(set(colours.values())) == len(colours), colours
    assert (light(colours["paper"]) > 0.5) == (scheme == "light"), colours
    assert (light(colours["ink"]) > 0.5) == (scheme == "dark"), colours
    assert all(0.1 < light(colours[phase]) < 0.9 for phase in ("prefill", "decode")), colours

    engine.evaluate("document.getElementById('batch').focus()")
    engine.press(ARROW_RIGHT)
    settle(engine)
    check(engine, START._replace(batch=2))

    engine.evaluate(SHOW)
    place = engine.evaluate("explainer.locate('prompt', 4096)")
    engine.drag(engine.evaluate(MIDDLE), (place["x"], place["y"]))
    settle(engine)
    keep(engine, f"{name}-roofline")
    check(engine, START._replace(prompt=4096, batch=2))
    engine.evaluate(
        "new Promise((done) => setTimeout(done, 1000))"
    )  # the address comes once a move has ended
    assert engine.evaluate("location.hash") == "#prompt=4096&output=128&batch=2"
    assert engine.complaints() == []


def test_a_fault_would_be_heard(started: tuple[Engine, str], address: str):
    """A word on the console, an error that is not caught, a breach of the policy: each is noted."""
    engine, _ = started
    opened(engine, address)
    engine.evaluate(FAULTS)
    said = "\n".join(engine.complaints())
    assert "said by the page" in said
    assert re.search("not caught|error: Script error", said)  # WebKit tells no more of a script on the disk
    assert "policy: script-src-elem inline" in said


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_webkit_starts_in_silence(address: str, tmp_path: Path, dark: bool):
    """Opened in a WebKit that nobody drives, the page says nothing on a console that hears others."""
    faulty = tmp_path / "faulty.html"
    faulty.write_text(FAULTY, encoding="utf-8")
    with closing(WebKit(tmp_path, dark=dark)) as engine:
        said = "\n".join(engine.overhear(faulty.as_uri(), 60, until="not caught"))
        assert "said by the page" in said
        assert "not caught" in said
        assert "Content Security Policy" in said
        assert engine.overhear(address, UNTIL_DRAWN_S) == []


def test_an_error_is_told(started: tuple[Engine, str]):
    """An expression that fails in the page fails here."""
    engine, _ = started
    with pytest.raises(EngineError, match="broken"):
        engine.evaluate("(() => { throw new Error('broken'); })()")
