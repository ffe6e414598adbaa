"""The roofline model of one request: pure formulas, SI units, nothing but the standard library.

The roofline is that of Williams, Waterman and Patterson, "Roofline: an insightful visual performance model
for multicore architectures", CACM 52(4), 2009: a phase takes as long as the slower of its arithmetic and its
memory traffic. N is the number of parameters, W the bytes of the weights, c the cache bytes a token, P the
prompt, O the output and B the batch.
"""

import math
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property


class Bound(StrEnum):
    """The limit that a phase runs into."""

    COMPUTE = "compute"
    MEMORY = "memory"


@dataclass(frozen=True, slots=True)
class Model:
    """What the formulas need to know of a language model.

    Attributes:
        parameters: all of them; they set the size of the weights.
        active_parameters: those that one token passes through; they set the arithmetic. Equal to `parameters`
            unless the model is a mixture of experts.
        weight_bytes: bytes a parameter.
        kv_bytes_per_token: bytes that one token adds to the cache of one request.
    """

    parameters: int
    active_parameters: int
    weight_bytes: float
    kv_bytes_per_token: float

    @property
    def weights_bytes(self) -> float:
        """W, in bytes."""
        return self.parameters * self.weight_bytes

    @property
    def flops_per_token(self) -> int:
        """Two FLOPs (a multiplication and an addition) for each parameter that a token passes through."""
        return 2 * self.active_parameters


@dataclass(frozen=True, slots=True)
class Machine:
    """All cards together: FLOP/s, bytes/s and bytes."""

    peak_flop_per_s: float
    bandwidth_bytes_per_s: float
    memory_bytes: float

    @property
    def ridge_point(self) -> float:
        """The intensity in FLOP/byte from which arithmetic is the limit."""
        return self.peak_flop_per_s / self.bandwidth_bytes_per_s


def kv_bytes_per_token(layers: int, kv_heads: int, head_dim: int, value_bytes: float) -> float:
    """Bytes of keys and values of one token under full attention: a key and a value, a layer, a KV head.

    Query heads do not enter: grouped-query attention (Ainslie et al., 2023) caches the KV heads alone. The
    formula does not hold for latent attention or for a sliding window.

    >>> kv_bytes_per_token(layers=80, kv_heads=8, head_dim=128, value_bytes=2)
    327680
    """
    return 2 * layers * kv_heads * head_dim * value_bytes


@dataclass(frozen=True, slots=True)
class Phase:
    """One pass over the weights, costed on a machine.

    Attributes:
        flops: arithmetic, a count.
        traffic_bytes: bytes moved to and from HBM.
        machine: what it runs on.
    """

    flops: float
    traffic_bytes: float
    machine: Machine

    @property
    def compute_s(self) -> float:
        """Seconds that the arithmetic alone takes."""
        return self.flops / self.machine.peak_flop_per_s

    @property
    def memory_s(self) -> float:
        """Seconds that the traffic alone takes."""
        return self.traffic_bytes / self.machine.bandwidth_bytes_per_s

    @property
    def time_s(self) -> float:
        """Seconds, the slower of the two."""
        return max(self.compute_s, self.memory_s)

    @property
    def bound(self) -> Bound:
        """Compute bound when the arithmetic takes at least as long as the traffic."""
        return Bound.COMPUTE if self.compute_s >= self.memory_s else Bound.MEMORY

    @property
    def arithmetic_intensity(self) -> float:
        """FLOP per byte of HBM traffic."""
        return self.flops / self.traffic_bytes

    @property
    def of_peak(self) -> float:
        """Share of the peak that the phase reaches, in (0, 1]."""
        return self.compute_s / self.time_s

    @property
    def achieved_flop_per_s(self) -> float:
        """The rate reached: min(peak, intensity x bandwidth)."""
        return self.of_peak * self.machine.peak_flop_per_s


@dataclass(frozen=True)
class Operation:
    """A state of the model: one prompt, one output length, one batch, on one machine.

    Attributes:
        prompt_tokens: P, tokens of each request's prompt.
        output_tokens: O, tokens of each answer.
        batch_size: B, requests that decode together.
    """

    model: Model
    machine: Machine
    prompt_tokens: int
    output_tokens: int
    batch_size: int

    @cached_property
    def prefill(self) -> Phase:
        """The pass over one request's prompt: weights read once, cache written. The batch does not enter."""
        return Phase(
            self.model.flops_per_token * self.prompt_tokens,
            self.model.weights_bytes + self.prompt_tokens * self.model.kv_bytes_per_token,
            self.machine,
        )

    @property
    def context_tokens(self) -> float:
        """Context of a decode step at the midpoint of the growing answer: P + O/2."""
        return self.prompt_tokens + self.output_tokens / 2

    @cached_property
    def decode(self) -> Phase:
        """One decode step: a token for each of B requests; all weights and all caches are read."""
        return Phase(
            self.model.flops_per_token * self.batch_size,
            self.model.weights_bytes + self.cache_mid_bytes,
            self.machine,
        )

    @property
    def cache_mid_bytes(self) -> float:
        """Bytes of all caches in the middle of the answers."""
        return self.batch_size * self.context_tokens * self.model.kv_bytes_per_token

    @property
    def cache_end_bytes(self) -> float:
        """Bytes of all caches at the end of the answers."""
        return self.batch_size * self._request_end_bytes

    @property
    def _request_end_bytes(self) -> float:
        return (self.prompt_tokens + self.output_tokens) * self.model.kv_bytes_per_token

    @property
    def ttft_s(self) -> float:
        """Time to first token, seconds: the prefill, without queueing."""
        return self.prefill.time_s

    @property
    def itl_s(self) -> float:
        """Inter-token latency, seconds: one decode step."""
        return self.decode.time_s

    @property
    def request_latency_s(self) -> float:
        """Seconds from the prompt to the last token: a step is charged for each output token."""
        return self.ttft_s + self.output_tokens * self.itl_s

    @property
    def throughput_tok_per_s(self) -> float:
        """Output tokens a second over the whole batch; prompt tokens do not count."""
        return self.batch_size / self.itl_s

    @property
    def prefill_decode_steps(self) -> float:
        """How many decode steps last as long as the prefill."""
        return self.ttft_s / self.itl_s

    @property
    def memory_left_bytes(self) -> float:
        """Bytes beside the weights; negative where the weights alone do not fit."""
        return self.machine.memory_bytes - self.model.weights_bytes

    @property
    def shortfall_bytes(self) -> float:
        """Bytes missing when every request is at its end; 0 where all fits."""
        return max(0, self.cache_end_bytes - self.memory_left_bytes)

    @property
    def fits(self) -> bool:
        """Whether weights and caches, every request at its end, fit into memory."""
        return self.shortfall_bytes == 0

    @property
    def max_batch(self) -> int:
        """The largest batch that fits, never below 0."""
        return max(0, math.floor(Fraction(self.memory_left_bytes) / Fraction(self._request_end_bytes)))

    @property
    def crossing_batch(self) -> int | None:
        """The smallest batch whose decode step is compute bound, or None where none ever is.

        B·f / (W + B·x·c) >= r solved for B, with f FLOPs a token, context x and ridge r.
        """
        cache_per_request = Fraction(self.context_tokens) * Fraction(self.model.kv_bytes_per_token)
        return self._crossing(cache_per_request)

    @property
    def crossing_prompt(self) -> int | None:
        """The shortest prompt whose prefill is compute bound, or None where none ever is."""
        return self._crossing(Fraction(self.model.kv_bytes_per_token))

    def _crossing(self, cache_bytes: Fraction) -> int | None:
        ridge = Fraction(self.machine.peak_flop_per_s) / Fraction(self.machine.bandwidth_bytes_per_s)
        gain = self.model.flops_per_token - ridge * cache_bytes
        return math.ceil(ridge * Fraction(self.model.weights_bytes) / gain) if gain > 0 else None
