"""What is said of an exported chart: the lines below it, and all that it shows, for who cannot see it."""

from collections.abc import Sequence

from builder.batch_curve import NOTES as NOTES_OF_CURVE
from builder.figures import state_texts, view
from builder.scenario import Scenario, State
from builder.typeface import face

BETWEEN = " \N{MIDDLE DOT} "
CUT = "\N{HORIZONTAL ELLIPSIS}"

# What a chart's caption says besides machine and state.
NOTES = {
    "roofline": "hollow: other prompts, other batches",
    "timeline": "the prefill takes {decode_steps} decode steps",
}

# The charts that say themselves whether the state fits; below the others it is said.
SAY_WHAT_FITS = {"roofline", "throughput"}

ALT_TEXTS = {
    "roofline": (
        "Roofline of {machine}: the rate that a phase can reach against its arithmetic intensity. "
        "Prefill, {prompt}: {prefill_intensity}, {prefill_of_peak} of peak, {prefill_bound} bound. "
        "Decode, {batch}: {decode_intensity}, {decode_of_peak} of peak, {decode_bound} bound. {memory}"
    ),
    "timeline": (
        "Timeline of one request, to scale, on {machine}. Prompt {prompt}, output {output}, batch {batch}. "
        "The first token comes after {ttft}; a decode step takes {itl}; the answer is done after {latency}. "
        "The prefill takes as long as {decode_steps} decode steps. {memory}"
    ),
    "metrics": (
        "Four figures of {machine}. Prompt {prompt}, output {output}, batch {batch}. "
        "Time to first token {ttft}, prefill, {prefill_bound} bound. "
        "Inter-token latency {itl}, a decode step, {decode_bound} bound. "
        "Request latency {latency}. Throughput {throughput}. {memory}"
    ),
    "throughput": (
        "Throughput against inter-token latency as the batch grows, on {machine}. "
        "Prompt {prompt}, output {output}. At a batch of {batch}: {throughput}, {itl} a token. "
        "{limits}. {memory}"
    ),
}


def alt_text(name: str, machine: str, scenario: Scenario, state: State) -> str:
    """All that a chart shows in a state, in words."""
    texts = state_texts(scenario, state)
    memory = "Weights and caches fit."
    if texts["fits"] != "fits":
        memory = f"Weights and caches do not fit: {texts['shortfall']} short."
    seen = view(scenario, state)
    limits = "; ".join(note(seen) for _, note in NOTES_OF_CURVE.values())
    limits = limits[0].upper() + limits[1:]
    return ALT_TEXTS[name].format(**texts, machine=machine, memory=memory, limits=limits)


def caption(
    name: str, machine: str, scenario: Scenario, state: State, *, size: float, width: float
) -> list[str]:
    """The lines below a chart, in type of a size, each no wider than `width`."""
    texts = state_texts(scenario, state)
    said = [machine, "prompt {prompt}, output {output}".format(**texts), f"batch {texts['batch']}"]
    if texts["fits"] != "fits" and name not in SAY_WHAT_FITS:
        said.append(f"does not fit: {texts['shortfall']} short")
    pieces = [_cut(piece, size, width) for piece in said]
    lines = _lines(pieces, size, width)
    # A note is worth no further line of the chart's room.
    noted = _lines([*pieces, NOTES[name].format(**texts)], size, width) if name in NOTES else lines
    return noted if len(noted) == len(lines) else lines


def _lines(pieces: Sequence[str], size: float, width: float) -> list[str]:
    """The pieces on one line, or the first on one of its own and the others on as few as hold them."""
    whole = BETWEEN.join(pieces)
    if face().width(whole, size) <= width:
        return [whole]
    lines = list(pieces[:2])
    for piece in pieces[2:]:
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
