"""States of loops of any size on GPUs are in global memory, one for each block."""

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from tests.examples import in_turns

ROWS = """
val main = fun(rods: M.N.f32, ks: K.f32 => rods |> map(fun(rod => ks |> reduceSeq(
  fun(now: N.f32, k => now |> padClamp(1, 1) |> slide(3, 1) |> map(fun(w => idx(0, w) + k * idx(2, w)))), rod))))
"""
BLOCKS = """
val main = fun(rods: M.N.f32, ks: K.f32 => rods |> mapBlock(0, fun(rod => ks |> reduceSeq(
  fun(now: N.f32, k => now |> padClamp(1, 1) |> slide(3, 1) |> mapThreads(0, fun(w => idx(0, w) + k * idx(2, w)))),
  rod |> mapThreads(0, fun(x => x))) |> mapThreads(0, fun(x => x)))))
"""


def lowered(text: str) -> rise.Expr:
    program = rise.parse(text).main
    if text == BLOCKS:
        return program
    result = strategies.load("strategies.gpu:blocksAndThreads")(program)
    assert isinstance(result, elevate.Success)
    low: rise.Expr = result.program
    return low


@pytest.mark.parametrize(
    ("schedule", "text"), in_turns(["ascending", "descending", "random:1"], [ROWS, BLOCKS])
)
def test_a_state_of_any_size_is_in_global_memory(text: str, schedule: str) -> None:
    rods = np.arange(200, dtype=np.float32).reshape(5, 40) % 7
    factors = np.arange(3, dtype=np.float32)
    kernel = shine.compile(lowered(text), target="cuda-sim", check=True, schedule=schedule)
    assert (kernel(rods, factors) == rise.evaluate(rise.parse(text).main, rods, factors)).all()
