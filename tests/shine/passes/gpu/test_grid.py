"""Blocks that share global memory: each only reads what it has written itself, since none can wait for another."""

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine
from shine.imperative.errors import TranslationError

#: rows that the threads of the whole grid store in a loop over the grid, and then read: each its own, or those of
#: others
ROWS = """fun(xs: M.N.4.f32 => xs |> mapGlobal(1, fun(rows => rows
  |> mapGlobal(0, reduceSeq(fun(a, x => a + x), 0.0))
  |> toMem(Global)
  |> {read}
  |> mapGlobal(0, fun(x => x * 2.0)))))"""
#: stored only by the first block along a dimension, since no loop over blocks uses it, and read by all along it
ONE = """fun(xs: M.N.f32 => xs |> mapGlobal(1, fun(row => row
  |> reduceSeq(fun(a, x => a + x), 0.0)
  |> fun(sum => {sum} |> fun(s => row |> mapGlobal(0, fun(x => x * s)))))))"""


def compiled(text: str) -> shine.Kernel:
    return shine.compile(rise.parse(text).main, target="cuda-sim", check=True)


@pytest.mark.parametrize(
    "read", ["split(2) |> map(fun(p => [idx(1, p), idx(0, p)])) |> join", "reorder(fromEnd, fromEnd)"]
)
def test_results_of_other_blocks_are_not_read_in_the_same_kernel(read: str) -> None:
    with pytest.raises(TranslationError) as caught:
        compiled(ROWS.format(read=read))
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "levels"
    assert diagnostic.title == (
        "expected each block to use only its own results, found stored read by other blocks of the same kernel"
    )
    assert diagnostic.hint == (
        "end the map over blocks, or over the grid, where stored is stored; or store it in Shared or Local"
    )


def test_results_of_the_same_thread_are_read() -> None:
    kernel = compiled(ROWS.format(read="map(fun(x => x + 1.0))"))
    xs = np.arange(5 * 70 * 4, dtype=np.float32).reshape(5, 70, 4)
    assert (kernel(xs) == (xs.sum(2) + 1) * 2).all()


def test_results_of_the_first_block_are_not_read_by_others() -> None:
    with pytest.raises(TranslationError) as caught:
        compiled(ONE.format(sum="[sum] |> mapSeq(fun(x => x)) |> toMem(Global) |> idx(0)"))
    assert caught.value.diagnostic.code == "levels"
    kernel = compiled(ONE.format(sum="sum"))
    xs = np.arange(6 * 70, dtype=np.float32).reshape(6, 70)
    assert (kernel(xs) == xs * xs.sum(1, keepdims=True)).all()
