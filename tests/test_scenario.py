"""The scenario: what loads, and every kind of fault with its file, line, key, rule and mend."""

import math
import re

import pytest

from builder.grid import build_grid
from builder.roofline import Machine, Model
from builder.scenario import State
from tests.conftest import CASES


def test_the_shipped_scenario(scenario):
    """It is Llama 3 70B in BF16 on four A100 40 GB, and opens at a 1K prompt, 128 tokens, one request."""
    assert (scenario.model.name, scenario.model.precision) == ("Llama 3 70B", "BF16")
    assert scenario.model.costs == Model(70 * 10**9, 70 * 10**9, 2, 327_680)
    assert (scenario.hardware.name, scenario.hardware.count) == ("A100 40 GB", 4)
    assert scenario.hardware.machine == Machine(1.248e15, 6e12, 160e9)
    assert scenario.start == State(1024, 128, 1)
    assert scenario.model.context_window == 8192


def test_the_shipped_stops(scenario):
    """They are 2^k and 1.5 · 2^k within each axis' limits; the hollow points are the stated ones."""
    doubled = sorted({2**k for k in range(13)} | {3 * 2**k for k in range(12)})
    limits = {"prompt": (32, 6144, 16), "output": (16, 2048, 15), "batch": (1, 1024, 20)}
    for axis in scenario.axes:
        low, high, number = limits[axis.name]
        assert list(axis.stops) == [stop for stop in doubled if low <= stop <= high]
        assert len(axis.stops) == number
    prompt, _, batch = scenario.axes
    assert prompt.presets == (32, 128, 512, 1024, 2048, 4096)
    assert batch.presets == (1, 8, 32, 64, 128, 256, 512)


def test_other_cards_have_their_own_figures(scenario):
    """On another kind of card the machine is that card's, and the model stays."""
    found = scenario.operation(scenario.start, "a100_80")
    assert found.machine == Machine(1.248e15, 8.156e12, 320e9)  # 4 · 312e12, 4 · 2,039e9, 4 · 80e9
    assert found.model == scenario.operation(scenario.start).model


def test_the_toy_scenario_loads(load, toy):
    """The text in which the faults are made has none itself."""
    found = load(toy())
    assert found.model.costs == Model(1_000_000, 1_000_000, 2, 512)  # 2 · 2 · 4 · 16 · 2
    assert found.hardware.machine == Machine(10e12, 100e9, 1e9)
    assert found.cards["other"].machine == Machine(20e12, 400e9, 2e9)
    assert [axis.presets for axis in found.axes] == [(16, 64), (32,), (1, 4)]


def test_a_mixture_of_experts_has_active_parameters(load, toy):
    """With both counts given, memory takes the total and arithmetic the active one."""
    costs = load(toy({6: "parameters = 1_000_000\nactive_parameters = 250_000"})).model.costs
    assert costs.weights_bytes == 2_000_000
    assert costs.flops_per_token == 500_000


def test_a_fraction_of_a_byte_is_not_rounded(load, toy):
    """A cache of 2 · 2 · 4 · 16 · 0.001 = 0.256 bytes a token is not nothing."""
    found = load(toy({11: "kv_bytes = 0.001"}))
    assert found.model.costs.kv_bytes_per_token == pytest.approx(0.256)
    # (1e9 - 2e6) / (80 · 0.256) = 998e6 / 20.48
    assert found.operation(found.start).max_batch == 48_730_468


def _cases() -> dict[str, tuple[dict[int, str], list[str]]]:
    """The paragraphs of faults.txt: lines to replace, and the findings expected."""
    text = re.sub(r"(?m)^#.*\n", "", (CASES / "faults.txt").read_text(encoding="utf-8"))
    found = {}
    for paragraph in re.split(r"\n{2,}", text.strip()):
        edits, findings = {}, []
        for line in paragraph.splitlines():
            number, rest = re.fullmatch(r" *(\d+|-): (.*)", line).groups()
            if line.startswith(" "):
                findings.append(
                    ("scenario.toml:" if number == "-" else f"scenario.toml:{number}:") + " " + rest
                )
            else:
                edits[int(number)] = rest.replace("\\n", "\n")
        name = ", ".join(edits.values())
        assert name not in found, name
        found[name] = edits, findings
    return found


@pytest.mark.parametrize(("edits", "findings"), _cases().values(), ids=_cases())
def test_each_kind_of_fault(edits, findings, toy, faults):
    """A fault is told with file, line, key, rule and mend, and nothing else is told with it."""
    assert faults(toy(edits)) == findings


def test_a_source_of_a_figure_left_out(faults, toy):
    """An optional figure that is not given needs no source, and one for it is told."""
    keys = "parameters active_parameters layers kv_heads head_dim weight_bytes kv_bytes context_window"
    sources = "\n".join(f'{key} = "made up"' for key in keys.split())
    assert faults(toy({13: "", 14: f"[model.source]\n{sources}"})) == [
        "scenario.toml:16: model.source.active_parameters: is the source of no figure here; remove it"
    ]


def test_all_tables_missing(faults):
    """An empty file is told all that it lacks, and what each table holds."""
    stops = "prompt, output, batch"
    cards = "name, count, memory_gb, bandwidth_gb_s, peak_tflops_dense, source"
    model = "name, precision, parameters, layers, kv_heads, head_dim, weight_bytes, kv_bytes, context_window"
    tables = {"grid": stops, "hardware": cards, "model": f"{model}, source", "presets": stops, "start": stops}
    assert faults("") == [
        f"scenario.toml: {name}: is missing; write [{name}] with {keys}" for name, keys in tables.items()
    ]


def test_all_findings_in_one_run(faults):
    """The whole list of a file with seven faults in three tables comes at once."""
    whole = "and must be a whole number; write it without a point or an exponent"
    positive = "and must be greater than 0; write a positive number"
    finite = "and must be a finite number; give the figure from the source"
    assert faults((CASES / "AV-03.toml").read_text(encoding="utf-8")) == [
        f"scenario.toml:9: model.weight_bytes: is nan, {finite}",
        f"scenario.toml:18: hardware.bandwidth_gb_s: is inf, {finite}",
        f"scenario.toml:19: hardware.peak_tflops_dense: is -0.0, {positive}",
        f"scenario.toml:23: grid.prompt[2]: is 1000.0, {whole}",
        f"scenario.toml:24: grid.output[0]: is 0, {positive}",
        "scenario.toml:25: grid.batch: is [1, 1, 4, 2], and has 1 more than once and does not rise; "
        "write [1, 2, 4]",
    ]


def test_5832_states_load(load):
    """A grid of 18 stops an axis loads, and its grid has 18 · 18 · 18 rows."""
    found = load((CASES / "AV-04.toml").read_text(encoding="utf-8"))
    rows = build_grid(found).rows(("ttft", "decode_flop_per_byte"))
    assert len(rows) == 5832
    assert [rows[0]["row"], rows[-1]["row"]] == [0, 5831]


def test_a_stop_past_the_context_window_is_refused(faults):
    """131,072 prompt and output tokens do not go into a window of 131,072."""
    text = (CASES / "AV-04.toml").read_text(encoding="utf-8").replace("= 262144", "= 131072")
    assert faults(text) == [
        "scenario.toml:23: grid.prompt: passes the context window: 131072 + 131072 > 131072 tokens; "
        "drop the longest stops, or mend model.context_window"
    ]


def test_too_many_states_name_the_axis_to_shrink(load, faults, toy):
    """100,000 states load; 102,000 are refused and the longest axis is named."""
    few, many = list(range(1, 51)), list(range(1, 1001))
    presets = {42: "prompt = [1]", 43: "output = [1]", 44: "batch = [1]", 47: "prompt = 1", 48: "output = 1"}
    enough = {37: f"prompt = {few}", 38: "output = [1, 2]", 39: f"batch = {many}"}
    assert math.prod(len(axis.stops) for axis in load(toy(enough | presets)).axes) == 100_000
    assert faults(toy(enough | {37: f"prompt = {[*few, 51]}"} | presets)) == [
        "scenario.toml:39: grid.batch: makes 102,000 states with the other axes, and 100,000 is the most "
        "a page carries; shrink this axis, the longest (1000 stops)"
    ]


# W + B · (P + 128) · 327,680 - 80e9, with W = 2 · 70,553,706,496 = 141,107,412,992
SHORT = {
    (128, 1): 61_191_299_072,
    (128, 16): 62_449_590_272,
    (4096, 1): 62_491_533_312,
    (4096, 16): 83_253_338_112,
}


@pytest.mark.parametrize(("prompt", "batch"), SHORT)
def test_a_model_larger_than_its_machine(prompt, batch, load):
    """It loads, no state fits, the largest batch is 0, and 61.1 GB are short before any cache."""
    found = load((CASES / "LM-06.toml").read_text(encoding="utf-8"))
    operation = found.operation(State(prompt, 128, batch))
    assert operation.memory_left_bytes == -61_107_412_992
    assert operation.shortfall_bytes == SHORT[prompt, batch]
    assert operation.max_batch == 0
    assert not operation.fits


def test_a_dotted_key_where_a_number_belongs(toy, faults):
    """A table in the place of a number is told on the line that makes it."""
    (fault,) = faults(toy({7: "layers.x = 2"}))
    assert fault.startswith("scenario.toml:7: model.layers: ")
