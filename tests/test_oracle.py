"""The oracle itself, against figures that were published and against hand-made ones."""

import ast
from fractions import Fraction
from pathlib import Path

import pytest

from tests import oracle


def test_numbers_are_the_published_ones(row):
    """Every number of every published row comes out of the exact formulas to nine figures."""
    found = oracle.exact(row["prompt"], row["output"], row["batch"])
    for name in set(row) - {"prompt", "output", "batch"}:
        if isinstance(row[name], float):
            assert float(found[name]) == pytest.approx(row[name], rel=1e-9), name
        else:
            assert found[name] == row[name], name


def test_texts_are_the_published_ones():
    """Every string that the published page shows is written as it stands there."""
    texts = oracle.figures(**oracle.PUBLISHED["published"]["state"]) | oracle.constants()
    shown = oracle.PUBLISHED["published"]["shown"]
    assert {name: texts[name] for name in shown} == shown


def test_every_live_figure_is_named():
    """The oracle gives the nineteen names that the page marks its live numbers with."""
    assert set(oracle.figures(32, 16, 1)) == {
        *("prompt", "output", "batch", "ttft", "itl", "latency", "throughput", "decode_steps"),
        *("prefill_bound", "prefill_intensity", "prefill_of_peak"),
        *("decode_bound", "decode_intensity", "decode_of_peak"),
        *("cache", "cache_mid", "fits", "shortfall", "max_batch"),
    }


def test_the_crossing_prompt_is_the_published_one():
    """Prefill is compute bound from 209 tokens on: 208 · 140e9 / (140e9 - 208 · 327,680) = 208.1."""
    assert oracle.exact(32, 16, 1)["crossing_prompt"] == 209


def test_another_machine():
    """405,853,388,800 parameters of one byte and a cache of two bytes a value, on eight H200."""
    machine = oracle.Oracle(405_853_388_800, 1, 126, 8, 128, 2, 8, 1979, 4800, 141)
    # 2 · 405.853e9 · 512 FLOP / 15.832e15 = 26.25 ms. A token caches 2 · 126 · 8 · 128 · 2 = 516,096 B, so a
    # step reads 405.853e9 + 576 · 516,096 = 406.151e9 B at 38.4e12 B/s: 10.58 ms. 1,128 GB less the weights
    # hold 722.147e9 / (640 · 516,096) = 2,186.3 requests.
    found = machine.figures(512, 128, 1)
    assert [found[name] for name in ("ttft", "itl", "max_batch")] == ["26.3 ms", "10.6 ms", "2,186"]


def test_rounding_is_that_of_format():
    """Ties go to the even digit of the double's exact value: 0.25 is 0.2, 0.35 (a little below) is 0.3."""
    assert [str(oracle._rounded(Fraction(n, 100), 1)) for n in (25, 35, 75)] == ["0.2", "0.3", "0.8"]
    assert [f"{n / 100:.1f}" for n in (25, 35, 75)] == ["0.2", "0.3", "0.8"]


def test_the_oracle_imports_nothing_of_the_builder():
    """Agreement means something only while the two share no code."""
    tree = ast.parse(Path(oracle.__file__).read_text(encoding="utf-8"))
    modules = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    modules |= {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}
    assert modules == {"json", "dataclasses", "decimal", "fractions", "pathlib"}
