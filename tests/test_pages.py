"""Several pages in a site: a second machine beside the shipped one, and the way between the two."""

import json
import re
import shutil

import pytest

from builder.errors import ContentError
from builder.site import plan_site
from tests.conftest import ROOT, TEMPLATES
from tests.markup import Markup

SECOND = ROOT / "tests" / "a100-80gb"
FIRST_NAME, SECOND_NAME = "Llama 3 70B, BF16, on 4 × A100 40 GB", "Llama 3 70B, BF16, on 4 × A100 80 GB"


@pytest.fixture(scope="session")
def both(two_pages):
    """The files of a site of two pages."""
    return plan_site(two_pages, TEMPLATES).files


@pytest.fixture
def beside(content):
    """Adds a scenario to the small content: the name of its folder, and what differs from the first one."""

    def added(name, *changes):
        text = (content / "scenario.toml").read_text(encoding="utf-8")
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        (content / "scenarios" / name).mkdir(parents=True)
        (content / "scenarios" / name / "scenario.toml").write_text(text, encoding="utf-8")
        return content / "scenarios" / name

    return added


@pytest.fixture
def faults(content):
    """The findings of the small content, as they are printed but for its folder."""

    def found():
        with pytest.raises(ContentError) as caught:
            plan_site(content, TEMPLATES)
        return [str(finding).replace(f"{content.as_posix()}/", "") for finding in caught.value.findings]

    return found


def figures_of(html, prompt, output, batch):
    """Every figure of a state, as a page's data has them."""
    data = json.loads(Markup(html.decode()).one("script", id="data").text)
    at = dict(zip(("prompt", "output", "batch"), (prompt, output, batch), strict=True))
    found = {}
    for name, column in data["figures"].items():
        row = 0
        for axis in data["axes"]:
            if axis["name"] in column["axes"]:
                row = row * len(axis["stops"]) + axis["stops"].index(at[axis["name"]])
        found[name] = column["values"].split("|")[row]
    return found


# What is written


def test_each_page_has_a_folder(both, planned):
    """The first page is at the root, the second in a folder of its name, each with its charts beside it."""
    once = {".nojekyll", "404.html"}
    own = planned.keys() - once
    assert both.keys() == once | own | {f"a100-80gb/{path}" for path in own}


def test_a_second_page_does_not_change_the_charts_of_the_first(both, planned):
    """The first page's charts, frames and data are those that it has by itself."""
    for path in planned.keys() - {"index.html"}:
        assert both[path] == planned[path], path


# The second machine: four A100 80 GB. Peak 4 × 312 = 1,248 TFLOP/s, bandwidth 4 × 2,039 GB/s = 8.156 TB/s,
# so a ridge of 1248 / 8.156 = 153.02 FLOP/B; 320 GB of memory, 140 of them weights, 327,680 bytes of cache
# a token.


HAND = {
    # Prefill: 2 · 70e9 · 1024 / 1.248e15 = 114.87 ms, above (140e9 + 0.34e9) / 8.156e12 = 17.2 ms. Decode:
    # (140e9 + 1088 · 327,680) / 8.156e12 = 140.357e9 / 8.156e12 = 17.209 ms; 140e9 / 140.357e9 = 0.997
    # FLOP/B. 0.997 / 153.02 = 0.65 %; 114.87 + 128 · 17.209 = 2317.6 ms; 1 / 17.209 ms = 58.1; 114.87 /
    # 17.209 = 6.675. At the end 1152 · 327,680 = 0.377 GB of cache; 180e9 / 377,487,360 = 476.8 requests.
    (1024, 128, 1): {
        **{"ttft": "114.9 ms", "itl": "17.2 ms", "latency": "2.32 s", "throughput": "58 tok/s"},
        **{"decode_steps": "6.7", "decode_intensity": "1.0 FLOP/B", "decode_of_peak": "0.7%"},
        **{"prefill_bound": "compute", "decode_bound": "memory", "fits": "fits", "max_batch": "476"},
        **{"cache": "0.4 GB", "shortfall": "0 GB"},
    },
    # 256 requests: 2 · 70e9 · 256 = 35.84e12 FLOP, 28.718 ms; 140e9 + 256 · 356,515,840 = 231.268e9 B,
    # 28.356 ms. So compute bound, at 35.84e12 / 231.268e9 = 154.97 FLOP/B. 256 / 28.718 ms = 8,914.3;
    # 114.87 + 128 · 28.718 = 3790.8 ms; exactly 1024 / 256 = 4 steps. At the end 256 · 377,487,360 = 96.637
    # GB.
    (1024, 128, 256): {
        **{"itl": "28.7 ms", "latency": "3.79 s", "throughput": "8,914 tok/s", "decode_steps": "4.0"},
        **{"decode_intensity": "155 FLOP/B", "decode_of_peak": "100%", "decode_bound": "compute"},
        **{"fits": "fits", "cache": "96.6 GB", "cache_mid": "91.3 GB", "regime": "compute-compute-fits"},
    },
    # 512 at a 1K prompt end with 193.27 GB of cache: 140 + 193.274 - 320 = 13.274 GB short.
    (1024, 128, 512): {"fits": "does not fit", "shortfall": "13.3 GB", "max_batch": "476"},
    # A prompt of 128: 2 · 70e9 · 128 / 1.248e15 = 14.36 ms; (140e9 + 41.9e6) / 8.156e12 = 17.170 ms: memory
    # bound.
    (128, 16, 1): {"ttft": "17.2 ms", "prefill_bound": "memory", "prefill_intensity": "128 FLOP/B"},
    # 96 requests at a 4K prompt and 2K answers end with 96 · 6144 · 327,680 = 193.27 GB; 180e9 / 2.01327e9
    # = 89.4.
    (4096, 2048, 96): {"fits": "does not fit", "shortfall": "13.3 GB", "max_batch": "89"},
}


@pytest.mark.parametrize("state", HAND, ids=str)
def test_figures_of_the_second_machine(state, both):
    """They are those of hand arithmetic."""
    found = figures_of(both["a100-80gb/index.html"], *state)
    assert {name: found[name] for name in HAND[state]} == HAND[state]


def test_sentences_of_the_second_machine(both):
    """Its prose names its own cards, and crosses the ridge in service, as the shipped one cannot."""
    main = Markup(both["a100-80gb/index.html"].decode()).one("main")
    text = re.sub(r"\s+", " ", main.text)
    # ceil(153.016 · 140e9 / (140e9 - 153.016 · 1088 · 327,680)) = ceil(250.7); ceil of the same with 1
    # token: 153.07.
    assert "the ridge is crossed from 251 requests, and these cards hold 476" in text
    assert "Below 154 tokens the pass still waits for memory" in text
    assert (
        "4 × A100 80 GB, taken together: a dense peak of 1.25 PFLOP/s, a bandwidth of 8.16 TB/s, 320 GB"
        in text
    )
    assert "takes as long as 6.7 of them" in text
    # At batch 1 a step is 153.02 / 0.9975 = 153.4 times below the ridge; cache of a 4K prompt 4096 ·
    # 327,680 B.
    assert "some 153 times short of the ridge" in text
    assert "That of a prompt of 4K tokens is 1.3 GB" in text
    # The ridge of four A100 40 GB is 1248 / 6.22, of H100 989 / 3.35, of H200 989 / 4.8.
    assert "at 201; that of the H100 at 295, and that of the H200 at 206" in text
    assert "512" not in text.split("Decode: bound by bandwidth")[1].split("Disaggregation")[0]


def test_what_the_shipped_prose_says_is_refused_there(two_pages, tmp_path):
    """Without prose of its own the second page does not build: each sentence that is false there is found."""
    content = tmp_path / "content"
    shutil.copytree(two_pages, content)
    shutil.rmtree(content / "scenarios" / "a100-80gb" / "prose")
    with pytest.raises(ContentError) as caught:
        plan_site(content, TEMPLATES)
    findings = caught.value.findings
    assert {finding.file for finding in findings} == {
        f"{content}/prose/{name}.md" for name in ("decode", "limits")
    }
    assert all(finding.rule.startswith("on the page a100-80gb: ") for finding in findings)
    crossing = next(finding for finding in findings if "max_batch" in finding.place)
    assert crossing.line == 5
    assert crossing.rule.startswith("on the page a100-80gb: is 476 here")
    assert crossing.hint.endswith(f"; or write {content}/scenarios/a100-80gb/prose/decode.md for that page")


# The way between the pages


def links(html):
    """Text and address of each entry of a page's navigation."""
    (navigation,) = Markup(html.decode()).all("nav")
    return [(link.text, link["href"]) for link in navigation.inside if link.tag == "a"]


def test_the_way_between_the_pages(both):
    """Each page leads to the other, by an address that works from a disk as from a host."""
    assert links(both["index.html"]) == [(SECOND_NAME, "a100-80gb/index.html")]
    assert links(both["a100-80gb/index.html"]) == [(FIRST_NAME, "../index.html")]
    here = Markup(both["index.html"].decode()).one("span", aria_current="page")
    assert here.text == f"{FIRST_NAME}, this page"


def test_titles_tell_the_pages_apart(both, html):
    """In a tab each page is known by its machine; the only page of a site needs no more than its title."""
    titles = [
        Markup(both[path].decode()).one("title").text for path in ("index.html", "a100-80gb/index.html")
    ]
    assert titles == [f"Two phases, two bottlenecks: {name}" for name in (FIRST_NAME, SECOND_NAME)]
    assert Markup(html).one("title").text == "Two phases, two bottlenecks"
    assert Markup(html).all("nav") == []


def test_a_third_page(content, beside):
    """Pages in folders lead to each other and to the root."""
    beside("big", ('name = "toy card"', 'name = "big card"'))
    beside("slow", ('name = "toy card"', 'name = "slow card"'))
    files = plan_site(content, TEMPLATES).files
    assert [address for _, address in links(files["slow/index.html"])] == [
        "../index.html",
        "../big/index.html",
    ]
    assert [address for _, address in links(files["index.html"])] == ["big/index.html", "slow/index.html"]


def test_addresses_of_pages_in_folders(content, beside):
    """A page in a folder is told to other sites by that folder."""
    beside("big", ('name = "toy card"', 'name = "big card"'))
    page = content / "page.toml"
    text = page.read_text(encoding="utf-8")
    page.write_text(f'address = "https://example.org/talk/"\n{text}', encoding="utf-8")
    files = plan_site(content, TEMPLATES).files
    for path, address in (("index.html", ""), ("big/index.html", "big/")):
        assert f'rel="canonical" href="https://example.org/talk/{address}"' in files[path].decode()
        assert f'content="https://example.org/talk/{address}card.png"' in files[path].decode()


# What each page takes from where


def test_files_of_a_page(content, beside):
    """A file in the page's own folder is taken, and the shared one for every other."""
    own = beside("big", ('name = "toy card"', 'name = "big card"'))
    (own / "prose").mkdir()
    (own / "prose" / "part.md").write_text("A part of its own.\n", encoding="utf-8")
    text = (content / "page.toml").read_text(encoding="utf-8")
    (own / "page.toml").write_text(
        text.replace('title = "A toy page"', 'title = "A big page"'), encoding="utf-8"
    )
    files = plan_site(content, TEMPLATES).files
    first, second = (Markup(files[path].decode()) for path in ("index.html", "big/index.html"))
    assert (first.one("h1").text, second.one("h1").text) == ("A toy page", "A big page")
    assert "A part of its own" in second.one("main").text
    assert "A part of its own" not in first.one("main").text
    assert first.one("section", id="read-next").text == second.one("section", id="read-next").text


def test_a_fault_that_all_pages_share_is_said_once(content, beside, faults):
    """A slip in shared prose is one finding, however many pages show it."""
    beside("big", ('name = "toy card"', 'name = "big card"'))
    (content / "prose" / "part.md").write_text("A {{ ttft_msec }}.\n", encoding="utf-8")
    assert faults() == [
        "prose/part.md:1: {{ ttft_msec }}: ttft_msec is not a figure; did you mean ttft?",
    ]


def test_all_pages_are_looked_at_in_one_run(content, beside, faults):
    """A fault in the first page hides none in the others."""
    own = beside("big", ("layers = 2", "layers = 2.5"))
    (content / "prose" / "masthead.md").unlink()
    (own / "readings").mkdir()
    (own / "readings" / "memory-memory-fits.md").write_bytes(b"a\xff")
    assert [fault.split(": ")[0] for fault in faults()] == [
        "prose/masthead.md",
        "scenarios/big/readings/memory-memory-fits.md:1",
        "scenarios/big/scenario.toml:7",
    ]


# Names


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("embed", "is that of a folder which every site has; rename the folder"),
        ("charts", "is that of a folder which every site has; rename the folder"),
        ("H100", "is not of small letters, digits and hyphens; rename the folder, as in a100-80gb"),
        ("a b", "is not of small letters, digits and hyphens; rename the folder, as in a100-80gb"),
        ("index.html", "is not of small letters, digits and hyphens; rename the folder, as in a100-80gb"),
    ],
)
def test_names_that_no_page_can_have(name, rule, beside, faults):
    """A folder of the site's own, and what is no good address, are refused."""
    beside(name, ('name = "toy card"', 'name = "big card"'))
    assert faults() == [f"scenarios/{name}: name: {rule}"]


def test_a_file_among_the_folders(content, beside, faults):
    """A scenario that is not in a folder of its own is not passed over."""
    (content / "scenarios").mkdir()
    shutil.copy(content / "scenario.toml", content / "scenarios" / "big.toml")
    assert faults() == ["scenarios/big.toml: name: is no folder; write scenarios/big/scenario.toml"]


def test_pages_that_read_alike(beside, faults):
    """Two machines that have one name in words are told apart by nobody."""
    beside("big", ("memory_gb = 1", "memory_gb = 2"))
    assert faults() == [
        "scenarios/big/scenario.toml: model.name: 'toy, BF16, on 1 × toy card' is another page as well; "
        "name the model, the precision or the cards apart"
    ]


def test_hidden_folders_are_no_pages(content):
    """What an editor or a version control keeps beside the scenarios is none."""
    (content / "scenarios" / ".idea").mkdir(parents=True)
    assert "a/index.html" not in plan_site(content, TEMPLATES).files
