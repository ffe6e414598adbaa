"""What an export is asked for: charts, states and formats, and what is refused."""

import pytest

from builder.captions import alt_text, caption
from builder.errors import RequestError
from builder.look import choose_look
from builder.order import Order, choose_charts, choose_formats, choose_looks, choose_states
from builder.scenario import State
from builder.typeface import face

ALL = ("roofline", "timeline", "metrics", "throughput")
MACHINE = "Llama 3 70B, BF16, on 4 × A100 40 GB"


def states(grid, *, prompt=None, output=None, batch=None, all_presets=False):
    return choose_states(grid, prompt, output, batch, all_presets=all_presets)


def refusal(choose, *arguments, **options):
    with pytest.raises(RequestError) as caught:
        choose(*arguments, **options)
    return str(caught.value)


def test_charts():
    """Those named are made, each once and in that order; without a name all are."""
    assert choose_charts([]) == ALL
    assert choose_charts(["timeline", "roofline", "timeline"]) == ("timeline", "roofline")


def test_an_unknown_chart():
    """The nearest name is said, or all of them."""
    assert refusal(choose_charts, ["rooflin"]) == "rooflin: is no chart; did you mean roofline?"
    assert refusal(choose_charts, ["pie"]).endswith("known: metrics, roofline, throughput, timeline")


def test_formats():
    """They are a list with commas; one twice is one."""
    assert choose_formats("svg, png,svg") == ("svg", "png")
    assert refusal(choose_formats, "gif") == "--format gif: gif is none; known: html, json, pdf, png, svg"
    assert choose_formats("png,") == ("png",)
    assert refusal(choose_formats, "") == "--format: is empty; write one or more of png, svg, pdf, html, json"


def test_themes():
    """Both can be had in one run; a background that suits one alone is then refused."""
    both = choose_looks("light,dark", "", "16:9", 1, ALL)
    assert [look.name for look in both] == ["light", "dark"]
    assert refusal(choose_looks, "pink", "", "16:9", 1, ALL).startswith("--theme pink: pink is none")
    assert "write --theme light" in refusal(choose_looks, "light,dark", "white", "16:9", 1, ALL)


def test_the_state_is_the_start_s_where_nothing_is_said(grid):
    """Each option that is left out is as the page starts."""
    assert states(grid) == (State(1024, 128, 1),)
    assert states(grid, batch=64, output=16) == (State(1024, 16, 64),)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"prompt": 1000}, "--prompt 1000: is no stop; the nearest are 768 and 1024"),
        ({"prompt": 99999}, "--prompt 99999: is no stop; the nearest is 6144"),
        ({"output": 1}, "--output 1: is no stop; the nearest is 16"),
        ({"batch": 0}, "--batch 0: is no stop; the nearest is 1"),
        ({"batch": -5}, "--batch -5: is no stop; the nearest is 1"),
    ],
)
def test_a_state_that_is_no_stop(grid, options, message):
    """The stops on either side of it are said."""
    assert refusal(states, grid, **options) == message


def test_all_presets(grid):
    """Each of six prompts with each of seven batches, at the chosen output."""
    made = states(grid, output=16, all_presets=True)
    assert len(made) == len(set(made)) == 42
    assert made[0] == State(32, 16, 1)
    assert made[-1] == State(4096, 16, 512)


@pytest.mark.parametrize("name", ["prompt", "batch"])
def test_all_presets_and_one(grid, name):
    """A prompt or a batch beside all of them is refused, rather than left unheard."""
    stop = {"prompt": 1024, "batch": 8}[name]
    assert refusal(states, grid, all_presets=True, **{name: stop}) == (
        f"--{name} {stop}: goes not with --all-presets, which takes each preset; leave one of the two out"
    )


def test_how_many_files():
    """A picture has a file a format and SVG two; one more shows them all: 2 · 1 · 1 · 3 + 1."""
    order = Order(
        ("roofline", "timeline"), (State(1, 1, 1),), (choose_look("", "", "16:9", 1),), ("png", "svg")
    )
    assert len(order) == 2
    assert order.file_count == 7


# What is said of them


def test_a_caption(scenario):
    """It names model, machine and state, on one line where that has room."""
    lines = caption("throughput", MACHINE, scenario, State(1024, 128, 1), size=12, width=608)
    assert lines == [f"{MACHINE} · prompt 1K tokens, output 128 tokens · batch 1 request"]


def test_a_caption_without_room_for_one_line(scenario):
    """The machine has a line of its own then, and no line is longer than there is room for."""
    lines = caption("metrics", MACHINE, scenario, State(4096, 128, 512), size=12, width=328)
    assert lines == [
        MACHINE,
        "prompt 4K tokens, output 128 tokens · batch 512 requests",
        "does not fit: 688.7 GB short",
    ]
    assert max(face().width(line, 12) for line in lines) <= 328


def test_a_long_name_is_cut(scenario):
    """A name that no line can hold ends in dots."""
    first, *_ = caption("roofline", "M" * 99, scenario, State(1024, 128, 1), size=12, width=328)
    assert first.endswith("M…")
    assert face().width(first, 12) <= 328


def test_an_alternative_text(scenario):
    """It says in words what the chart shows, and in every state whether it fits."""
    text = alt_text("roofline", MACHINE, scenario, State(1024, 128, 512))
    assert text.startswith(f"Roofline of {MACHINE}: ")
    assert "Prefill, 1K tokens: 1022 FLOP/B, 100% of peak, compute bound." in text
    assert "Decode, 512 requests: 222 FLOP/B, 100% of peak, compute bound." in text
    assert text.endswith("Weights and caches do not fit: 173.3 GB short.")


def test_the_alternative_text_of_the_curve(scenario):
    """It says where memory ends and where the ridge is: 52 and 443 requests at the start."""
    text = alt_text("throughput", MACHINE, scenario, State(1024, 128, 1))
    assert "43 tok/s, 23.4 ms a token. Memory is full beyond 52 requests; compute bound from 443" in text
    far = alt_text("throughput", MACHINE, scenario, State(4096, 128, 1))
    assert "no batch crosses the ridge" in far
