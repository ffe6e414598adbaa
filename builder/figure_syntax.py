"""What stands between `{{` and `}}` in the prose: a figure by its name, or a claim about the model.

- `ttft`: a figure, in the state that the page opens at
- `crossing_batch prompt=4096 card=h100`: the same in another state, or on other cards
- `claim decode_bound prompt=4096 is memory`: the build stops where the model says otherwise
- `claim cache_mid batch=512 > memory_left`: compared with another figure, or with a number in SI units
"""

import operator
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from builder import units
from builder.errors import BuilderError, did_you_mean
from builder.figures import FIGURES, NEVER, Value, View, view
from builder.scenario import AXES, Scenario

OVERRIDES = (*AXES, "card")
COMPARISONS = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
OPERATORS = ("is", *COMPARISONS)

MEND = "mend the sentence or the scenario"
FORMS = "write {{ ttft }}, {{ ttft prompt=4096 }} or {{ claim decode_bound batch=8 is memory }}"
CLAIM_FORM = "write {{ claim FIGURE is TEXT }}, or < <= > >= with a number in SI units or another figure"

# Twelve digits keep every formula within what a float can hold.
WHOLE = re.compile(r"[1-9][0-9]{0,11}")
SPACED = re.compile(r"(\w+)(?: = ?|= )([^\s=]+)")
NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?")

Faults = list[tuple[str, str]]


class ConstructError(BuilderError):
    """One `{{ … }}` is at fault.

    Attributes:
        faults: a rule and a hint for each fault.
    """

    def __init__(self, faults: Faults) -> None:
        self.faults = faults
        super().__init__("; ".join(rule for rule, _ in faults))


@dataclass(frozen=True)
class Asked:
    """A figure asked for by name.

    Attributes:
        view: the state and the cards that it is asked for in; None where the scenario is at fault.
        overridden: whether its words name a state or cards of their own.
    """

    name: str
    view: View | None
    overridden: bool

    @property
    def text(self) -> str:
        """Number and unit, or a word; dots where nothing is known."""
        return FIGURES[self.name].text(self.view) if self.view else "…"

    @property
    def value(self) -> Value:
        """The value in SI units, or a word, or None."""
        return FIGURES[self.name].value(self.view) if self.view else None

    @property
    def phase(self) -> str:
        """Whose figure it is: "prefill", "decode" or "" for neither."""
        return FIGURES[self.name].phase

    @property
    def writings(self) -> set[str]:
        """What a claim may say that it is: its text, thousands grouped or not, a word, a whole number."""
        exact = str(self.value) if isinstance(self.value, int | str) else self.text
        return {exact, self.text, self.text.replace(",", "")}


class FigureSyntax:
    """Reads figures and claims against one scenario; without one it looks at names and forms alone."""

    def __init__(self, scenario: Scenario | None) -> None:
        self._scenario = scenario

    def figure(self, words: Sequence[str]) -> Asked:
        """The figure that `words` ask for.

        Raises:
            ConstructError: a name or a value is not known, or the figure has no value in this scenario.
        """
        faults: Faults = []
        asked = self._asked(words, faults)
        if asked and asked.text == units.DASH:
            faults.append((f"{asked.name} has no value in this scenario", "ask for another figure"))
        if asked and asked.text == NEVER:
            hint = "write the sentence for that case, behind a claim that it is never"
            faults.append((f"{asked.name} is never in this scenario, which is no number", hint))
        if faults or not asked:
            raise ConstructError(faults)
        return asked

    def check(self, words: Sequence[str]) -> None:
        """Holds a claim, without the word that opens it, against the model.

        Raises:
            ConstructError: the claim is false, or cannot be read.
        """
        at = next((index for index, word in enumerate(words) if word in OPERATORS), 0)
        if not 0 < at < len(words) - 1:
            raise ConstructError([("is not a claim", CLAIM_FORM)])
        faults: Faults = []
        left = self._asked(words[:at], faults)
        if words[at] == "is":
            _check_text(left, " ".join(words[at + 1 :]), faults)
        else:
            self._compare(left, words[at], words[at + 1 :], faults)
        if faults:
            raise ConstructError(faults)

    def _asked(self, words: Sequence[str], faults: Faults) -> Asked | None:
        name, *rest = words or [""]
        if not name.isidentifier():
            faults.append(("is neither a figure nor a claim", FORMS))
            return None
        before = len(faults)
        if name not in FIGURES:
            faults.append((f"{name} is not a figure", did_you_mean(name.lower(), FIGURES)))
        seen = self._view(self._chosen(rest, faults), faults)
        return Asked(name, seen, bool(rest)) if len(faults) == before else None

    def _chosen(self, words: Sequence[str], faults: Faults) -> dict[str, str]:
        """The overrides that can be used."""
        chosen: dict[str, str] = {}
        for spaced in SPACED.finditer(" ".join(words)):
            mended = f"{spaced[1]}={spaced[2]}"
            faults.append((f"{spaced[0]} has a space in it", f"write {mended}"))
        for word in SPACED.sub(r"\1=\2", " ".join(words)).split():
            key, equals, value = word.partition("=")
            if key not in OVERRIDES:
                faults.append((f"{key or word} is not an override", did_you_mean(key.lower(), OVERRIDES)))
            elif not equals:
                faults.append((f"{key} has no value", f"write it without spaces, as in {key}=…"))
            elif key in chosen:
                faults.append((f"{key} stands there twice", "keep one"))
            elif not (fault := self._value_fault(key, value)):
                chosen[key] = value
            else:
                faults.append(fault)
        return chosen

    def _value_fault(self, key: str, value: str) -> tuple[str, str] | None:
        if key != "card":
            rule = f"{key}={value} is not a whole number from 1 to 999999999999"
            return None if WHOLE.fullmatch(value) else (rule, f"write digits alone, as in {key}=4096")
        if not self._scenario:
            return None
        known = [card for card in self._scenario.cards if card]
        hint = did_you_mean(value.lower(), known) if known else "the scenario has no [cards]"
        return None if value in known else (f"card={value} is not in the scenario", hint)

    def _view(self, chosen: dict[str, str], faults: Faults) -> View | None:
        if not self._scenario:
            return None
        stops = {axis: int(chosen[axis]) for axis in AXES if axis in chosen}
        state = replace(self._scenario.start, **stops)
        window = self._scenario.model.context_window
        if state.prompt + state.output > window:
            rule = f"passes the context window: {state.prompt} + {state.output} > {window} tokens"
            faults.append((rule, "ask for a shorter prompt or output"))
        return view(self._scenario, state, chosen.get("card", ""))

    def _compare(self, left: Asked | None, sign: str, words: Sequence[str], faults: Faults) -> None:
        """Adds what is wrong with `left sign words`."""
        if words[0][0] in "+-.0123456789":
            if len(words) > 1 or not NUMBER.fullmatch(words[0]):
                rule = f"{' '.join(words)} is not a number"
                faults.append((rule, "write it in SI units, without the unit"))
                return
            right, said = float(words[0]), words[0]
        else:
            other = self._asked(words, faults)
            right = _number(other, faults)
            said = f"{other.name}, which is {other.text}" if other else ""
        found = _number(left, faults)
        if left and found is not None and right is not None and not COMPARISONS[sign](found, right):
            rule = f"is {left.text} here ({found:.10g} in SI units), the sentence says {sign} {said}"
            faults.append((rule, MEND))


def _check_text(asked: Asked | None, said: str, faults: Faults) -> None:
    if asked and asked.view and said not in asked.writings:
        faults.append((f"is {asked.text} here, the sentence says {said}", MEND))


def _number(asked: Asked | None, faults: Faults) -> float | None:
    """The value as a number; a fault where it is none."""
    value = asked.value if asked else None
    if asked and asked.view and not isinstance(value, int | float):
        faults.append((f"{asked.name} has no number to compare: it is {asked.text} here", "claim it with is"))
    return value if isinstance(value, int | float) else None
