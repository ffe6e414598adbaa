"""Scenarios unlike the shipped one: machines and grids of other authors, each as a file and as an oracle."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tests.oracle import Oracle

POWERS = tuple(2**power for power in range(18))


@dataclass(frozen=True)
class Kind:
    """One scenario: a machine, and the stops, presets and start of its grid, by axis."""

    machine: Oracle
    stops: dict[str, tuple[int, ...]]
    presets: dict[str, tuple[int, ...]]
    start: dict[str, int]
    window: int = 8192

    @property
    def toml(self) -> str:
        """The scenario as an author writes it."""
        model, rows = self.machine, {"grid": self.stops, "presets": self.presets, "start": self.start}
        tables = {
            "model": {
                **{"name": "a model", "precision": "some precision", "context_window": self.window},
                **{"parameters": model.parameters, "layers": model.layers, "kv_heads": model.kv_heads},
                **{"head_dim": model.head_dim, "weight_bytes": model.weight_bytes},
                **{"kv_bytes": model.kv_bytes, "source": "made up"},
            },
            "hardware": {
                **{"name": "a card", "count": model.cards, "memory_gb": model.card_memory_gb},
                **{"bandwidth_gb_s": model.card_gb_s, "peak_tflops_dense": model.card_tflops},
                "source": "made up",
            },
            **rows,
        }
        return "\n".join(
            f"[{table}]\n" + "".join(f"{key} = {_toml(value)}\n" for key, value in row.items())
            for table, row in tables.items()
        )

    @property
    def corners(self) -> list[tuple[int, int, int]]:
        """The start, the ends of all axes with each other, and the middle."""
        ends = product(*({stops[0], stops[-1]} for stops in self.stops.values()))
        middle = tuple(stops[len(stops) // 2] for stops in self.stops.values())
        return sorted({tuple(self.start.values()), middle, *ends})


def _toml(value):
    if isinstance(value, Fraction):
        return str(float(value))
    return f'"{value}"' if isinstance(value, str) else str(list(value) if isinstance(value, tuple) else value)


def _powers(low: int, high: int) -> tuple[int, ...]:
    return tuple(power for power in POWERS if low <= power <= high)


GRID = {"prompt": _powers(32, 4096), "output": _powers(16, 2048), "batch": _powers(1, 1024)}
PRESETS = {"prompt": (32, 512, 4096), "output": (16, 128, 2048), "batch": (1, 8, 64, 512)}
START = {"prompt": 512, "output": 128, "batch": 1}
ONE = {"prompt": (512,), "output": (128,), "batch": (8,)}
FIRST = {axis: stops[0] for axis, stops in ONE.items()}
TWO = {"prompt": (128, 4096), "output": (16, 2048), "batch": (1, 64)}
MANY = {"prompt": tuple(range(32, 6401, 32)), "output": (16, 128, 1024), "batch": (1, 4, 16, 64, 256)}
# 131,072 tokens: the prompts of a model that reads a book.
LONG = {"prompt": _powers(1024, 131072), "output": _powers(16, 4096), "batch": _powers(1, 128)}
LAPTOP_GRID = {"prompt": _powers(1, 1024), "output": _powers(1, 512), "batch": _powers(1, 16)}

SMALL = Oracle(8_030_261_248, layers=32, cards=1, card_tflops=989, card_gb_s=3350, card_memory_gb=80)
TOO_BIG = Oracle(70_553_706_496, cards=1, card_tflops=989, card_gb_s=3350, card_memory_gb=80)
# FP8 weights, a BF16 cache, eight cards: Llama 3.1 405B on H200s.
EIGHT = Oracle(405_853_388_800, 1, 126, 8, 128, 2, 8, 1979, 4800, 141)
LAPTOP = Oracle(1_100_048_384, 2, 22, 4, 64, 2, 1, Fraction(4, 10), 51, 16)
SLOW, LEAN = Oracle(card_tflops=30, card_gb_s=2000), Oracle(card_tflops=1900, card_gb_s=1000)


def _scenario(machine: Oracle, stops=GRID, presets=PRESETS, start=START, window=8192) -> Kind:
    return Kind(machine, stops, presets, start, window)


SCENARIOS = {
    "one batch": _scenario(SMALL, GRID | {"batch": (1,)}, PRESETS | {"batch": (1,)}),
    "one stop on each axis": _scenario(SMALL, ONE, ONE, FIRST),
    "two stops on each axis": _scenario(SMALL, TWO, TWO, {axis: stops[0] for axis, stops in TWO.items()}),
    "nothing fits": _scenario(TOO_BIG),
    "one state, and it does not fit": _scenario(TOO_BIG, ONE, ONE, FIRST),
    "200 stops": _scenario(
        SMALL,
        MANY,
        {"prompt": (32, 512, 2048, 6400), "output": (16, 128, 1024), "batch": (1, 16, 256)},
        START,
    ),
    "60 presets": _scenario(SMALL, MANY, MANY | {"prompt": MANY["prompt"][:60]}, START),
    "eight cards, FP8 weights, BF16 cache": _scenario(EIGHT),
    "a laptop": _scenario(
        LAPTOP,
        LAPTOP_GRID,
        {"prompt": (1, 32, 1024), "output": (1, 128, 512), "batch": (1, 4, 16)},
        {"prompt": 32, "output": 128, "batch": 1},
        2048,
    ),
    "a ridge of 15": _scenario(SLOW),
    "a ridge of 1,900": _scenario(LEAN),
    "prompts of 128K tokens": _scenario(
        SMALL,
        LONG,
        {"prompt": (1024, 8192, 32768, 131072), "output": (16, 512, 4096), "batch": (1, 8, 64)},
        {"prompt": 8192, "output": 512, "batch": 1},
        262144,
    ),
}
