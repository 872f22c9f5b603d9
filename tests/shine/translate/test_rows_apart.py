"""Rows of dependent arrays that are composed of parts, in parallel loops."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import rise
from tests.examples import some
from tests.shine.executors import compiled, in_turn
from tests.shine.test_dependent import same

F = np.float32
LENGTHS: Final = (1, 0, 3, 0)
#: the lengths of rows of the input as in a type, and a row that is computed from a row
PROGRAMS: Final = {
    "a row and one more": ("len(i) + 1", "row |> map(add(1.0))"),
    "a row twice": ("len(i)", "concat(row, row)"),
    "a row thrice, and one more": ("len(i)", "concat(row, concat(row, row)) |> padCst(0, 1, 9.0)"),
    "all but the last, and another": ("len(i) + 1", "concat(row |> take(len(i)), [1.0])"),
    "the first behind the others": ("len(i) + 1", "concat(row |> drop(1), row |> take(1))"),
    "columns behind each other": (
        "2 * len(i) + 2",
        "row |> split(2) |> transpose |> map(map(add(1.0))) |> join",
    ),
    "the element that a size is": (
        "len(i) + 1",
        "generate(fun(j: idx[len(i) + 1] => row |> idx(natAsIndex(len(i)))))",
    ),
    "a triangle turned": ("i + 1", "concat(row |> drop(1), row |> take(1))"),
    "a triangle of last elements": ("i + 1", "generate(fun(j: idx[i + 1] => row |> idx(natAsIndex(i))))"),
}


@pytest.mark.parametrize(("name", "target"), some(in_turn(PROGRAMS, ("openmp", "cuda-sim")), 2))
def test_rows_composed_of_parts_are_stored(name: str, target: str) -> None:
    length, row = PROGRAMS[name]
    head = "{len: nat -> nat}, " if "len" in length else ""
    text = (
        f"fun({head}a: N..(i |-> ({length}).f32) => a |> depMap(fun(i: nat, row => {row}))"
        " |> toMem(Global) |> depMap(fun(i: nat, row => row |> map(add(1.0)))))"
    )
    counts = [eval(length, {"i": i, "len": LENGTHS.__getitem__}) for i in range(len(LENGTHS))]
    rows = [np.arange(count, dtype=F) for count in counts]
    sizes = {"len": list(LENGTHS)} if head else {}
    same(
        compiled(text, target, lower=True)(rows, sizes=sizes),
        rise.evaluate(rise.parse(text).main, rows, sizes=sizes),
    )
