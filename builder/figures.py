"""Every figure by its name: what it means, whose phase it is, and how it is written in a state.

The page's live numbers, the prose and the charts all take their figures from here: one value has one text.
"""

from collections.abc import Callable
from dataclasses import dataclass

from builder import units
from builder.roofline import Bound, Operation, Phase
from builder.scenario import Scenario, State
from builder.scenario_tables import HardwareTable, ModelTable

Value = float | str | None
NEVER = "never"


@dataclass(frozen=True)
class View:
    """A state as a figure sees it.

    Attributes:
        cards: the hardware that `operation` runs on.
    """

    scenario: Scenario
    state: State
    cards: HardwareTable
    operation: Operation

    @property
    def model(self) -> ModelTable:
        """The scenario's model."""
        return self.scenario.model


@dataclass(frozen=True)
class Figure:
    """One named figure.

    Attributes:
        label: what a table calls it.
        axes: the axes that it depends on; empty for a figure of the scenario alone.
        value: its value in SI units, or a word; None where there is none.
        text: the value as it is written, number and unit.
        phase: "prefill", "decode" or "" for neither.
    """

    label: str
    axes: tuple[str, ...]
    value: Callable[[View], Value]
    text: Callable[[View], str]
    phase: str = ""


def _figure(
    label: str, axes: str, value: Callable[[View], Value], write: Callable[..., str] = str, phase: str = ""
) -> Figure:
    """A figure whose text is its value written by one formatter; no value is a dash."""

    def text(view: View) -> str:
        found = value(view)
        return units.DASH if found is None else write(found)

    return Figure(label, tuple(axes.split()), value, text, phase)


def _share(label: str, axes: str, phase_of: Callable[[View], Phase], phase: str) -> Figure:
    def text(view: View) -> str:
        found = phase_of(view)
        return units.share(found.of_peak, whole=found.bound is Bound.COMPUTE)

    return Figure(label, tuple(axes.split()), lambda view: phase_of(view).of_peak, text, phase)


def _tokens(number: int) -> str:
    return f"{units.tokens(number)} {'token' if number == 1 else 'tokens'}"


def _requests(number: int) -> str:
    return f"{units.count(number)} {'request' if number == 1 else 'requests'}"


def _gigabytes_a_second(number: float) -> str:
    return f"{units.count(number)} GB/s"


def words(axis: str, stop: int) -> str:
    """A stop in words with its unit, as the controls say it.

    >>> words("prompt", 1024), words("batch", 1)
    ('1K tokens', '1 request')
    """
    return _requests(stop) if axis == "batch" else _tokens(stop)


def short_words(axis: str, stop: int) -> str:
    """A stop without its unit, as a preset's button says it.

    >>> short_words("prompt", 4096), short_words("batch", 1024)
    ('4K', '1,024')
    """
    return units.count(stop) if axis == "batch" else units.tokens(stop)


def _prefill(view: View) -> Phase:
    return view.operation.prefill


def _decode(view: View) -> Phase:
    return view.operation.decode


ALL = "prompt output batch"

# The figures of a state, in the order in which the page's table lists them.
STATE_FIGURES: dict[str, Figure] = {
    "prompt": _figure("Prompt", "prompt", lambda v: v.state.prompt, _tokens),
    "output": _figure("Output", "output", lambda v: v.state.output, _tokens),
    "batch": _figure("Batch", "batch", lambda v: v.state.batch, _requests),
    "ttft": _figure("Time to first token", "prompt", lambda v: v.operation.ttft_s, units.time, "prefill"),
    "itl": _figure("Inter-token latency", ALL, lambda v: v.operation.itl_s, units.time, "decode"),
    "latency": _figure("Request latency", ALL, lambda v: v.operation.request_latency_s, units.time),
    "throughput": _figure(
        "Throughput", ALL, lambda v: v.operation.throughput_tok_per_s, units.throughput, "decode"
    ),
    "decode_steps": _figure(
        "Decode steps that one prefill is worth", ALL, lambda v: v.operation.prefill_decode_steps, units.ratio
    ),
    "prefill_bound": _figure(
        "Prefill is bound by", "prompt", lambda v: _prefill(v).bound.value, str, "prefill"
    ),
    "prefill_intensity": _figure(
        "Prefill, arithmetic intensity",
        "prompt",
        lambda v: _prefill(v).arithmetic_intensity,
        units.intensity,
        "prefill",
    ),
    "prefill_of_peak": _share("Prefill, share of peak", "prompt", _prefill, "prefill"),
    "decode_bound": _figure("Decode is bound by", ALL, lambda v: _decode(v).bound.value, str, "decode"),
    "decode_intensity": _figure(
        "Decode, arithmetic intensity",
        ALL,
        lambda v: _decode(v).arithmetic_intensity,
        units.intensity,
        "decode",
    ),
    "decode_of_peak": _share("Decode, share of peak", ALL, _decode, "decode"),
    "cache_mid": _figure(
        "KV cache, middle of the answers", ALL, lambda v: v.operation.cache_mid_bytes, units.bytes_, "decode"
    ),
    "cache": _figure(
        "KV cache, end of the answers", ALL, lambda v: v.operation.cache_end_bytes, units.bytes_
    ),
    "fits": _figure("Weights and caches", ALL, lambda v: "fits" if v.operation.fits else "does not fit"),
    "shortfall": _figure("Memory short by", ALL, lambda v: v.operation.shortfall_bytes, units.bytes_),
    "max_batch": _figure(
        "Largest batch that fits", "prompt output", lambda v: v.operation.max_batch, units.count
    ),
}


def _crossing_preset(view: View) -> int | None:
    crossing = view.operation.crossing_batch
    presets = next(axis.presets for axis in view.scenario.axes if axis.name == "batch")
    return next((preset for preset in presets if crossing is not None and preset >= crossing), None)


def _cache_over_memory_left(view: View) -> float | None:
    left = view.operation.memory_left_bytes
    return view.operation.cache_mid_bytes / left if left > 0 else None


def _weights_shortfall(view: View) -> float | None:
    left = view.operation.memory_left_bytes
    return -left if left < 0 else None


def _count_or_never(number: int | None) -> str:
    return NEVER if number is None else units.count(number)


def _never_dash(label: str, axes: str, value: Callable[[View], int | None], phase: str) -> Figure:
    return Figure(label, tuple(axes.split()), value, lambda view: _count_or_never(value(view)), phase)


# What the prose may ask for besides: figures of the scenario and of the crossings.
PROSE_FIGURES: dict[str, Figure] = {
    "model": _figure("Model", "", lambda v: v.model.name),
    "precision": _figure("Precision", "", lambda v: v.model.precision),
    "parameters": _figure("Parameters", "", lambda v: v.model.parameters, units.count),
    "checkpoint_parameters": _figure(
        "Parameters of the checkpoint", "", lambda v: v.model.checkpoint_parameters, units.count
    ),
    "context_window": _figure("Context window", "", lambda v: v.model.context_window, _tokens),
    "k_tokens": _figure("Tokens in a K", "", lambda v: units.K_TOKENS, units.count),
    "active_parameters": _figure(
        "Parameters that a token passes through", "", lambda v: v.model.costs.active_parameters, units.count
    ),
    "weights": _figure("Weights", "", lambda v: v.model.costs.weights_bytes, units.bytes_),
    "kv_per_token": _figure("Cache a token", "", lambda v: v.model.costs.kv_bytes_per_token, units.count),
    "card": _figure("Card", "", lambda v: v.cards.name),
    "card_count": _figure("Cards", "", lambda v: v.cards.count, units.count),
    "card_peak": _figure("Peak of a card", "", lambda v: v.cards.peak_tflops_dense * 1e12, units.flop_rate),
    "card_bandwidth": _figure(
        "Bandwidth of a card", "", lambda v: v.cards.bandwidth_gb_s * 1e9, units.byte_rate
    ),
    "card_bandwidth_gb": _figure(
        "Bandwidth of a card in GB/s",
        "",
        lambda v: v.cards.bandwidth_gb_s,
        _gigabytes_a_second,
    ),
    "card_memory": _figure("Memory of a card", "", lambda v: v.cards.memory_gb * 1e9, units.bytes_),
    "peak": _figure("Peak", "", lambda v: v.cards.machine.peak_flop_per_s, units.flop_rate),
    "bandwidth": _figure("Bandwidth", "", lambda v: v.cards.machine.bandwidth_bytes_per_s, units.byte_rate),
    "memory": _figure("Memory", "", lambda v: v.cards.machine.memory_bytes, units.bytes_),
    "memory_left": _figure(
        "Memory beside the weights", "", lambda v: v.operation.memory_left_bytes, units.bytes_
    ),
    "weights_shortfall": _figure("Memory that the weights lack", "", _weights_shortfall, units.bytes_),
    "ridge": _figure("Ridge", "", lambda v: v.cards.machine.ridge_point, units.ratio),
    "crossing_prompt": _never_dash(
        "Shortest compute-bound prompt", "", lambda v: v.operation.crossing_prompt, "prefill"
    ),
    "crossing_batch": _never_dash(
        "Smallest compute-bound batch", "prompt output", lambda v: v.operation.crossing_batch, "decode"
    ),
    "crossing_preset": _never_dash(
        "First preset past the crossing", "prompt output", _crossing_preset, "decode"
    ),
    "prefill_work_in_steps": _figure(
        "Decode steps with the arithmetic of one prefill",
        "prompt batch",
        lambda v: _prefill(v).flops / _decode(v).flops,
        units.count,
        "prefill",
    ),
    "prompt_cache": _figure(
        "Cache of one prompt",
        "prompt",
        lambda v: v.state.prompt * v.model.costs.kv_bytes_per_token,
        units.bytes_,
        "prefill",
    ),
    "decode_below_ridge": _figure(
        "How many times decode lies below the ridge",
        ALL,
        lambda v: v.cards.machine.ridge_point / _decode(v).arithmetic_intensity,
        units.ratio,
        "decode",
    ),
    "cache_mid_over_memory_left": _figure(
        "Caches over the memory beside the weights",
        ALL,
        _cache_over_memory_left,
        units.ratio,
    ),
}

FIGURES = STATE_FIGURES | PROSE_FIGURES


def view(scenario: Scenario, state: State, card: str = "") -> View:
    """A state of the scenario on its own cards, or on another kind by its key."""
    return View(scenario, state, scenario.cards[card], scenario.operation(state, card))


def state_texts(scenario: Scenario, state: State) -> dict[str, str]:
    """The page's live figures in one state, by name."""
    seen = view(scenario, state)
    return {name: figure.text(seen) for name, figure in STATE_FIGURES.items()}


REGIMES = tuple(f"{p}-{d}-{ending}" for p in Bound for d in Bound for ending in ("fits", "too-big"))


def regime(operation: Operation) -> str:
    """Which of the eight regimes a state is in: both bounds, and whether it fits.

    The name is that of the reading's file: `compute-memory-fits`, `memory-compute-too-big`, ...
    """
    ending = "fits" if operation.fits else "too-big"
    return f"{operation.prefill.bound}-{operation.decode.bound}-{ending}"
