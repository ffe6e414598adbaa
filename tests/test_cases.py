"""Reports of what went wrong elsewhere, each on a whole page; the texts are in tests/cases."""

import json
import re
import shutil

import pytest
from click.testing import CliRunner

from builder.cli import build
from builder.errors import ContentError
from builder.site import plan_site
from tests.conftest import CASES, ROOT, TEMPLATES
from tests.markup import Markup

ODD_NAME = "A100.40[GB]'\"\\"


def case(name):
    """The text of a case."""
    return (CASES / name).read_text(encoding="utf-8")


@pytest.fixture
def built(content):
    """Builds the page of the small content with some of its files written anew."""

    def page(texts=None):
        for name, text in (texts or {}).items():
            (content / name).write_text(text, encoding="utf-8")
        return plan_site(content, TEMPLATES).files["index.html"].decode()

    return page


@pytest.fixture
def faults(built, content):
    """The findings of such a build, as they are printed but for the folder."""

    def found(texts=None):
        with pytest.raises(ContentError) as caught:
            built(texts)
        return [str(finding).removeprefix(f"{content.as_posix()}/") for finding in caught.value.findings]

    return found


def data_of(html):
    """The page's data, its columns as lists."""
    data = json.loads(Markup(html).one("script", id="data").text)
    columns = data["figures"] | data["numbers"]
    return data | {"columns": {name: column["values"].split("|") for name, column in columns.items()}}


# Markdown


def test_md_01_byte_order_mark_and_crlf(built, content):
    """Content saved with a mark and CRLF gives the page of its plain twin, and neither is on it."""
    plain = built({"prose/part.md": case("MD-01.md")})
    for path in content.rglob("*.*"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    odd = built()
    assert odd == plain
    assert "\ufeff" not in odd
    assert "\r" not in odd
    assert "<p>A prompt of 512 tokens, batch 8: see the tile.</p>" in odd
    assert "line one\n\nline three\n" in Markup(odd).one("section", id="part").text


def test_md_02_braces_in_code(built):
    """Every brace in code, inline and fenced, appears as it was typed."""
    text = Markup(built({"prose/part.md": case("MD-02.md")})).one("section", id="part").text
    assert "Inline: {{ batch }} and {% if fast %}." in text
    assert 'image: "{{ registry }}/server:${{ github.sha }}"\n' in text
    assert "args: {% raw %}--kv {{ kv }}{% endraw %} {# not a comment #}\n" in text


def test_md_04_notes_of_two_texts(built, content):
    """Each note stands once, under its own text, and no id is on the page twice."""
    page_toml = (content / "page.toml").read_text(encoding="utf-8").replace('"part"', '"prefill", "decode"')
    page = Markup(
        built(
            {
                "page.toml": page_toml,
                "prose/prefill.md": case("MD-04-a.md"),
                "prose/decode.md": case("MD-04-b.md"),
            }
        )
    )
    prefill, decode = (page.one("section", id=name) for name in ("prefill", "decode"))
    assert re.findall(r"NOTE-\w\d", prefill.text) == ["NOTE-A1", "NOTE-A2"]
    assert re.findall(r"NOTE-\w\d", decode.text) == ["NOTE-B1"]
    assert re.findall(r"NOTE-\w\d", page.one("html").text) == ["NOTE-A1", "NOTE-A2", "NOTE-B1"]
    ids = [element["id"] for element in page.elements if element["id"]]
    assert len(ids) == len(set(ids))
    for section in (prefill, decode):
        own = {element["id"] for element in section.inside}
        assert {e["href"] for e in section.inside if e.tag == "a"} <= {f"#{name}" for name in own}


def test_plain_text_stays_plain(built):
    """Dollars, carets, dashes and ampersands are text, and no mathematics is made of them."""
    text = "One costs $2.49, eight cost $19.92; 2^3 & a -- b."
    assert text in Markup(built({"prose/part.md": text})).one("section", id="part").text


# Charts


def test_av_01_one_start(built):
    """Where the HTML's controls, the charts' parameters and the texts start is one state, wherever it is."""
    toy = case("toy.toml").replace(
        "prompt = 64\noutput = 16\nbatch = 1", "prompt = 16\noutput = 32\nbatch = 4"
    )
    html = built({"scenario.toml": toy})
    page, data = Markup(html), data_of(html)
    starts = {"prompt": 0, "output": 1, "batch": 2}
    assert {axis["name"]: axis["start"] for axis in data["axes"]} == starts
    for chart in data["charts"].values():
        values = {signal["name"]: signal.get("value") for signal in chart["spec"]["signals"]}
        assert {name: values[name] for name in starts} == starts
    assert {name: page.one("input", id=name)["value"] for name in starts} == {
        name: str(start) for name, start in starts.items()
    }
    assert {element.text for element in page.all(data_figure="batch")} == {"4 requests"}
    assert "decode, 4 requests" in html


def test_av_03_no_numbers(faults):
    """Every fault of the file is told in one run with file, line, key and value."""
    found = faults({"scenario.toml": case("AV-03.toml")})
    marked = [
        "scenario.toml:9: model.weight_bytes: is nan, ",
        "scenario.toml:18: hardware.bandwidth_gb_s: is inf, ",
        "scenario.toml:19: hardware.peak_tflops_dense: is -0.0, ",
        "scenario.toml:23: grid.prompt[2]: is 1000.0, ",
        "scenario.toml:24: grid.output[0]: is 0, ",
        "scenario.toml:25: grid.batch: is [1, 1, 4, 2], ",
    ]
    assert len(found) == len(marked)
    assert all(finding.startswith(start) for finding, start in zip(found, marked, strict=True))


def test_av_03_nothing_is_written(content, tmp_path):
    """The build exits with 1 and makes no folder for a page that would have NaN in it."""
    (content / "scenario.toml").write_text(case("AV-03.toml"), encoding="utf-8")
    arguments = ["--content", content, "--templates", TEMPLATES, "--out", tmp_path / "out"]
    ran = CliRunner().invoke(build, list(map(str, arguments)))
    assert ran.exit_code == 1
    assert "Traceback" not in ran.stderr
    assert not (tmp_path / "out").exists()


def test_av_04_5832_states(content, tmp_path):
    """They build, size and seconds are printed, and each column is on the page once."""
    (content / "scenario.toml").write_text(case("AV-04.toml"), encoding="utf-8")
    arguments = ["--content", content, "--templates", TEMPLATES, "--out", tmp_path / "out"]
    ran = CliRunner().invoke(build, list(map(str, arguments)))
    assert ran.exit_code == 0
    assert re.search(r"index\.html  [\d,.]+ kB, [\d,.]+ kB gzip\n", ran.stdout)
    assert re.search(r"\d+ files in [\d.]+ s\n", ran.stdout)
    html = (tmp_path / "out" / "index.html").read_text(encoding="utf-8")
    columns = data_of(html)["columns"]
    assert {len(columns[name]) for name in ("itl", "latency", "decode_flop_per_byte")} == {5832}
    assert {len(columns[name]) for name in ("ttft", "prefill_intensity", "output")} == {18}
    for name in ("itl", "latency", "throughput", "decode_flop_per_byte"):
        assert html.count("|".join(columns[name])) == 1


def test_av_04_too_many_states(faults):
    """Past 100,000 rows the error names the axis to shrink."""
    stops = list(range(1, 331))
    text = case("toy.toml").replace("batch = [1, 2, 4]", f"batch = {stops}")
    text = text.replace("prompt = [16, 32, 64, 128]", f"prompt = {list(range(1, 161))}")
    (finding,) = faults({"scenario.toml": text})  # 160 · 2 · 330
    assert finding.startswith("scenario.toml:39: grid.batch: makes 105,600 states with the other axes")


def test_av_04_past_the_context_window(faults):
    """A stop that the model's context window does not hold is refused with its axis."""
    text = case("toy.toml").replace("context_window = 256", "context_window = 100")
    (finding,) = faults({"scenario.toml": text})
    assert finding.startswith(
        "scenario.toml:37: grid.prompt: passes the context window: 128 + 32 > 100 tokens"
    )


def test_names_with_dots_brackets_and_quotes(built, content):
    """A name appears exactly as typed wherever it is shown, and the charts are those of any other name."""
    plain = data_of(built())
    toy = case("toy.toml").replace('"toy"', f"'''{ODD_NAME}'''").replace('"toy card"', f"'''{ODD_NAME}'''")
    html = built(
        {
            "scenario.toml": toy,
            "prose/part.md": "Of {{ model }}, on {{ card }}; `{{ model }}`.\n",
            "page.toml": (content / "page.toml")
            .read_text(encoding="utf-8")
            .replace('"A toy page"', f"'''{ODD_NAME}'''"),
        }
    )
    page = Markup(html)
    assert f"Of {ODD_NAME}, on {ODD_NAME}; {{{{ model }}}}." in page.one("section", id="part").text
    assert page.one("title").text == page.one("h1").text == ODD_NAME
    assert data_of(html) == plain
    assert "prefill, 64 tokens" in html


def test_a_zero_on_a_log_axis(built):
    """No place on an axis is zero or below, also where a state's figure is written as zero."""
    toy = case("toy.toml").replace(
        "peak_tflops_dense = 10\n\n[hardware.source]", "peak_tflops_dense = 1e-9\n\n[hardware.source]"
    )
    columns = data_of(built({"scenario.toml": toy}))["columns"]
    placed = [name for name in columns if "flop_per" in name]
    assert len(placed) == 4
    assert all(float(value) > 0 for name in placed for value in columns[name])


# The page


def test_wb_01_the_end_of_a_script(built):
    """Title, description, names and prose are shown literally, and no element comes of them."""
    name = "small </ScRiPt > batch<!--"
    html = built(
        {
            "page.toml": case("WB-01.toml"),
            "prose/part.md": case("WB-01.md") + "\n{{ model }} on {{ card }}.\n",
            "scenario.toml": case("toy.toml")
            .replace('"toy"', f"'{name}'")
            .replace('"toy card"', f"'{name}'"),
        }
    )
    page = Markup(html)
    assert page.misplaced == []
    assert page.one("title").text == page.one("h1").text == 'Ends here </script><b id="pwn">x</b>'
    description = page.one("meta", name="description")["content"]
    assert description == """</style></title><img src=x onerror="document.body.id='pwn2'">"""
    assert [element for element in page.elements if (element["id"] or "").startswith("pwn")] == []
    assert page.all("img", "b") == []
    assert len(page.all("script")) == 4
    text = page.one("section", id="part").text
    assert "The tag </script> closes a block. So does </SCRIPT > and </svg>." in text
    assert '<script>document.title = "pwn3"</script>\n' in text
    assert f"{name} on {name}." in text


def test_wb_01_inline_data(built):
    """The data between its tags is JSON without a tag, whatever the content holds."""
    html = built({"page.toml": case("WB-01.toml")})
    block = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)[1]
    assert "<" not in block
    assert data_of(html)["axes"][0]["name"] == "prompt"


# The content


@pytest.mark.parametrize(
    "name",
    ["scenario.toml", "page.toml", "read_next.toml", "prose/part.md", "readings/memory-memory-fits.md"],
)
def test_bytes_that_are_not_utf_8(name, faults, content):
    """A file in another encoding is told with its line, its byte and the mend."""
    path = content / name
    before = path.read_bytes()
    path.write_bytes(before + b"\n# caf\xe9\n")
    line, byte = before.count(b"\n") + 2, len(before) + 7
    assert faults() == [f"{name}:{line}: byte {byte} (0xe9): is not UTF-8; save the file as UTF-8"]


def test_cl_05_two_slips(faults):
    """Both misspelt names are told, with file and line, and the nearest right ones."""
    assert faults({"prose/part.md": case("CL-05.md")}) == [
        "prose/part.md:5: {{ decode_time }}: decode_time is not a figure; did you mean decode_steps?",
        "prose/part.md:5: {{ ttft_msec }}: ttft_msec is not a figure; did you mean ttft?",
    ]


def test_cl_05_no_page_is_written(content, tmp_path):
    """The build exits with 1 and both names, and writes nothing."""
    (content / "prose" / "part.md").write_text(case("CL-05.md"), encoding="utf-8")
    arguments = ["--content", content, "--templates", TEMPLATES, "--out", tmp_path / "out"]
    ran = CliRunner().invoke(build, list(map(str, arguments)))
    assert ran.exit_code == 1
    assert "ttft_msec" in ran.stderr
    assert "decode_time" in ran.stderr
    assert not (tmp_path / "out").exists()


# Words that would praise a state that cannot be.
PRAISE = "good|well|best|better|fast|efficient|efficiently|full|fully|ideal|fine|enough|healthy|saturates?"


@pytest.fixture
def too_big(content, built):
    """The page of a model larger than its machine, with the readings that are shipped."""
    shutil.copytree(ROOT / "content" / "readings", content / "readings", dirs_exist_ok=True)
    return built({"scenario.toml": case("LM-06.toml"), "prose/part.md": "{{ memory_left }} are left.\n"})


def test_lm_06_no_state_fits(too_big):
    """Every state says "does not fit" with its shortfall, and the largest batch is 0 everywhere."""
    columns = data_of(too_big)["columns"]
    assert columns["fits"] == ["does not fit"] * 4
    assert columns["max_batch"] == ["0"] * 2
    # 61,107,412,992 bytes before any cache, and B · (P + 128) · 327,680 of cache
    assert columns["shortfall"] == ["61.2 GB", "62.4 GB", "62.5 GB", "83.3 GB"]
    assert "-61.1 GB are left." in Markup(too_big).one("section", id="part").text.replace(
        "\N{NO-BREAK SPACE}", " "
    )


def test_lm_06_the_page_says_so_at_its_top(too_big):
    """The masthead says that nothing fits, with the weights' size and the memory's."""
    (header,) = Markup(too_big).all("header")
    assert "Nothing fits" in header.text
    assert "141.1 GB" in header.text
    assert "80 GB" in header.text


def test_lm_06_nothing_is_praised(too_big):
    """Each reading on the page begins with what is short, and has no word of praise."""
    page = Markup(too_big)
    readings = [page.one(id="reading"), *page.all("template", data_variant_of="reading")]
    assert len(readings) == 3  # the start's, and both regimes
    for reading in readings:
        assert re.match(r"This state does not fit: the memory is [\d.]+ GB short", reading.text)
        assert "the largest batch that fits is 0" in reading.text
        assert not re.search(rf"\b({PRAISE})\b", reading.text)


def test_the_notice_is_for_such_a_page_alone(built):
    """A page with a state that fits does not say that nothing does."""
    assert "Nothing fits" not in built()
