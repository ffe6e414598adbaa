"""Claims, and the figures of readings that follow the state."""

import pytest

from tests.rendering import Render, Slips, span

# Claims

TRUE_CLAIMS = [
    "decode_bound prompt=4096 batch=1024 is memory",
    "decode_bound batch=512 is compute",
    "crossing_batch prompt=4096 is never",
    "crossing_batch is 443",
    "crossing_preset is 512",
    "decode_of_peak batch=512 is 100%",
    "fits batch=64 is does not fit",
    "cache_mid batch=512 is 182.5 GB",
    "cache_mid batch=512 > memory_left card=a100_80",
    "memory_left < cache_mid batch=512",
    "decode_intensity < 2",
    "decode_intensity batch=443 >= ridge",
    "decode_intensity batch=442 < ridge",
    "max_batch <= 52",
]


@pytest.mark.parametrize("claim", TRUE_CLAIMS)
def test_a_true_claim_leaves_nothing(render: Render, claim: str) -> None:
    """A claim that the model bears out is gone, and so is the space before it."""
    assert render(f"So it is {{{{ claim {claim} }}}}.") == "<p>So it is.</p>"


def test_where_a_claim_stands(render: Render) -> None:
    """A claim may stand at the end, between two sentences, on a line or in a paragraph of its own."""
    claim = "{{ claim ttft > 0 }}"
    assert render(f"One. {claim} Two.") == "<p>One. Two.</p>"
    assert render(f"One.\n{claim}\nTwo.") == "<p>One.\nTwo.</p>"
    assert render(f"One.\n\n{claim}\n\nTwo. {claim} {claim}") == "<p>One.</p>\n<p>Two.</p>"
    assert render(f"- One {claim}, two") == "<ul>\n<li>One, two</li>\n</ul>"


FALSE_CLAIMS = [
    ("decode_bound prompt=1024 batch=512 is memory", "is compute here, the sentence says memory"),
    ("crossing_batch is never", "is 443 here, the sentence says never"),
    ("crossing_batch prompt=4096 is 443", "is never here, the sentence says 443"),
    ("cache_mid batch=512 is 182 GB", "is 182.5 GB here, the sentence says 182 GB"),
    ("ttft < 0.1", "is 114.9 ms here (0.1148717949 in SI units), the sentence says < 0.1"),
    ("max_batch >= 53", "is 52 here (52 in SI units), the sentence says >= 53"),
]


@pytest.mark.parametrize(("claim", "rule"), FALSE_CLAIMS)
def test_a_false_claim(slips: Slips, claim: str, rule: str) -> None:
    """A claim that the model denies is a slip that tells both sides."""
    place = f"{{{{ claim {claim} }}}}"
    expected = f"prose.md:2: {place}: {rule}; mend the sentence or the scenario"
    assert slips(f"So\nit is {place}.") == [expected]


def test_a_claim_over_two_lines(slips: Slips) -> None:
    """A claim that runs over a line end has the line that it begins on."""
    (slip,) = slips("One.\n\nSo it is {{ claim decode_bound\nis compute }}.")
    assert slip.startswith("prose.md:3: {{ claim decode_bound is compute }}: is memory here")


# Live figures


def test_live_figures(render: Render) -> None:
    """In a reading the figures of the state can be found and replaced, their text exactly the script's."""
    assert render("{{ decode_of_peak }} and {{ ttft }}, {{ batch }}", "reading", live=True) == (
        '<p><span class="figure decode" data-figure="decode_of_peak">0.5%</span> and '
        '<span class="figure prefill" data-figure="ttft">114.9 ms</span>, '
        '<span class="figure" data-figure="batch">1 request</span></p>'
    )


def test_figures_of_a_reading_that_stay(render: Render) -> None:
    """In a reading a figure of another state or of the scenario is not the script's to replace."""
    assert render("{{ ttft prompt=4096 }} {{ weights }} {{ ridge card=h100 }}", live=True) == (
        f"<p>{span('prefill', '459.5&nbsp;ms')} {span('', '140&nbsp;GB')} {span('', '295')}</p>"
    )


def test_no_figure_of_the_prose_is_live(render: Render) -> None:
    """Outside readings no figure is the script's to replace."""
    assert "data-figure" not in render("{{ ttft }} {{ decode_of_peak }}")


@pytest.mark.parametrize("claim", ["ttft < 3", "ttft < 0", "nonsense"])
def test_no_claim_in_a_reading(slips: Slips, claim: str) -> None:
    """A reading is shown in many states, so a claim in it is a slip, true or not."""
    place = f"{{{{ claim {claim} }}}}"
    assert slips(f"a\n{place}", live=True) == [
        f"prose.md:2: {place}: a reading is shown in many states, so it cannot claim for one; "
        "move the claim into the prose"
    ]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("## Batch\n\nText.", "a reading has no heading"),
        ("Text.[^1]\n\n[^1]: Note.", "a reading has no notes"),
    ],
)
def test_reading_stands_twice_on_the_page(slips, text, rule):
    """A reading waits in a template as well, so that it can have nothing with an id."""
    assert any(rule in finding for finding in slips(text, live=True))
