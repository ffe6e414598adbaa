"""What is said of an exported chart: the lines below it, and all that it shows, for who cannot see it."""

from collections.abc import Sequence

from builder.figures import state_texts
from builder.scenario import Scenario, State
from builder.typeface import face

BETWEEN = " \N{MIDDLE DOT} "
MOST_LINES = 2
CUT = "\N{HORIZONTAL ELLIPSIS}"

# What a chart's caption says besides machine and state.
NOTES = {
    "roofline": "hollow: other prompts, other batches",
    "timeline": "the prefill takes {decode_steps} decode steps",
}

ALT_TEXTS = {
    "roofline": (
        "Roofline of {machine}: the rate that a phase can reach against its arithmetic intensity. "
        "Prefill, {prompt}: {prefill_intensity}, {prefill_of_peak} of peak, {prefill_bound} bound. "
        "Decode, {batch}: {decode_intensity}, {decode_of_peak} of peak, {decode_bound} bound. {memory}"
    ),
    "timeline": (
        "Timeline of one request, to scale, on {machine}. Prompt {prompt}, output {output}, batch {batch}. "
        "The first token comes after {ttft}; a decode step takes {itl}; the answer is done after {latency}. "
        "The prefill takes as long as {decode_steps} decode steps."
    ),
}


def machine(scenario: Scenario) -> str:
    """What the chart is worked out for."""
    cards = scenario.hardware
    model = scenario.model
    return f"{model.name}, {model.precision}, on {cards.count} \N{MULTIPLICATION SIGN} {cards.name}"


def alt_text(name: str, scenario: Scenario, state: State) -> str:
    """All that a chart shows in a state, in words."""
    texts = state_texts(scenario, state)
    memory = "Weights and caches fit."
    if texts["fits"] != "fits":
        memory = f"Weights and caches do not fit: {texts['shortfall']} short."
    return ALT_TEXTS[name].format(**texts, machine=machine(scenario), memory=memory)


def caption(name: str, scenario: Scenario, state: State, size: float, width: float) -> list[str]:
    """The two lines below a chart at most, in type of a size, each no wider than `width`."""
    texts = state_texts(scenario, state)
    at = "prompt {prompt}, output {output}, batch {batch}".format(**texts)
    pieces = [_cut(piece, size, width) for piece in (machine(scenario), at)]
    lines = _lines(pieces, size, width)
    # A note is worth no third line of the chart's room.
    noted = _lines([*pieces, NOTES[name].format(**texts)], size, width) if name in NOTES else lines
    return noted if len(noted) <= MOST_LINES else lines


def _lines(pieces: Sequence[str], size: float, width: float) -> list[str]:
    """The pieces, on as few lines as hold them."""
    lines = [pieces[0]]
    for piece in pieces[1:]:
        longer = lines[-1] + BETWEEN + piece
        if face().width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(piece)
    return lines


def _cut(text: str, size: float, width: float) -> str:
    """The text, or as much of it as there is room for."""
    if face().width(text, size) <= width:
        return text
    kept = text
    while kept and face().width(kept + CUT, size) > width:
        kept = kept[:-1]
    return kept.rstrip() + CUT
