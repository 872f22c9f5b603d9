"""Reductions of bits are split like sums, starting from their neutral elements, for signed and unsigned types."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from rise.scalars import SCALARS
from tests.examples import some

STARTS: Final = {
    ("bitAnd", "i8"): "(-1i8)",
    ("bitAnd", "u8"): "255u8",
    ("bitAnd", "u64"): "18446744073709551615u64",
    ("bitOr", "i32"): "0",
    ("bitOr", "u64"): "0u64",
    ("bitXor", "i64"): "0i64",
}
FUNCTIONS: Final = {"bitAnd": np.bitwise_and, "bitOr": np.bitwise_or, "bitXor": np.bitwise_xor}
PARALLEL: Final = "strategies.openmp:parallel"
ON_BLOCKS: Final = "strategies.gpu_reductions:reduceOnBlocks"
#: none, one, a few; more than a tile or a block
SIZES: Final = (0, 1, 97, 1031)


def lowered(name: str, t: str, start: str, strategy: str, **parameters: int) -> elevate.Success:
    text = f"fun(xs: N.{t} => xs |> reduce({name}, {start}))"
    found = strategies.load(strategy, **parameters)(rise.parse(text).main)
    assert isinstance(found, elevate.Success)
    return found


@pytest.mark.parametrize(
    ("name", "t", "target"), some(((*one, target) for one in STARTS for target in ("openmp", "cuda-sim")), 9)
)
def test_bits_are_combined_in_parts(name: str, t: str, target: str) -> None:
    blocks = {"threads": 32, "items": 2}
    how, parameters = (PARALLEL, {"tile": 8}) if target == "openmp" else (ON_BLOCKS, blocks)
    found = lowered(name, t, STARTS[name, t], how, **parameters)
    assert any(str(step.rule).startswith(("stripReduce", "splitReduce")) for step in found.steps)
    kernel = shine.compile(found.program, target=target)
    rng = np.random.default_rng(0)
    for size in SIZES:
        # almost all bits are set if they are combined by `and`, and few if by `or`
        bits = rng.integers(0, 256, (7, size, SCALARS[t].bits // 8), np.uint8)
        joined = np.bitwise_or.reduce(bits) if name == "bitAnd" else np.bitwise_and.reduce(bits)
        xs = joined.reshape(-1).view(SCALARS[t].dtype)
        assert kernel(xs) == FUNCTIONS[name].reduce(xs)


def test_a_start_that_is_not_neutral_keeps_the_order() -> None:
    for start in ("255u8", "254u8"):
        found = lowered("bitAnd", "u8", start, PARALLEL)
        is_cut = any(str(step.rule).startswith(("stripReduce", "splitReduce")) for step in found.steps)
        assert is_cut == (start == "255u8")
