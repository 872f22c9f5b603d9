"""Arrays that a condition selects, including dependent ones: read, written in place, stored, and as results."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import rise
from tests.examples import some
from tests.rise.programs.test_dependent_pairs import paired
from tests.shine.executors import compiled, in_turn
from tests.shine.test_dependent import same

F = np.float32
ROWS: Final = [np.array([1], F), np.array([2, 3], F)]
OTHERS: Final = [10 * row for row in ROWS]
RAGGED: Final = "fun({len: nat -> nat}, c: bool, a: N..(i |-> len(i).f32), b: N..(i |-> len(i).f32) => "
TRIANGLES: Final = "fun(c: bool, a: N..(i |-> (i + 1).f32), b: N..(i |-> (i + 1).f32) => "
ONE: Final = "(n: nat ** n..(i |-> (i + 1).f32))"
MORE: Final = "a |> depMap(fun(i: nat, row => row |> map(add(1.0))))"
PAIRS: Final = "fun(c: bool, p: (n: nat ** n.f32), q: (n: nat ** n.f32) => "
SUMS: Final = "dmatch(if c then p else q, fun(m: nat, xs => generate(fun(i: idx[3] => i)) |> SUM))"
TWO: Final = (paired(1, 2), paired(1, 2, 4))

HIGH: dict[str, tuple[str, tuple[Any, ...]]] = {
    "ragged rows": (RAGGED + "if c then a else b)", (ROWS, OTHERS)),
    "triangles": (TRIANGLES + "if c then a else b)", (ROWS, OTHERS)),
    "triangles behind each other": (TRIANGLES + "(if c then a else b) |> depJoin)", (ROWS, OTHERS)),
    "kept": (
        f"{RAGGED}(if c then a else b) |> toMem(Global) |> depMap(fun(i: nat, r => r |> map(neg))))",
        (ROWS, OTHERS),
    ),
    "named": (f"{RAGGED}let a = if c then a else b in {MORE})", (ROWS, OTHERS)),
    "computed": (f"{RAGGED}if c then {MORE} else b)", (ROWS, OTHERS)),
    "in a pair": (RAGGED + "pair(if c then a else b, 1.0))", (ROWS, OTHERS)),
    "of a pair": (
        f"fun(c: bool, p: {ONE} => dmatch(p, fun(m: nat, a =>"
        f" makeDepPair{{(n |-> n..(i |-> (i + 1).f32))}}(m, if c then a else {MORE}))))",
        ((2, ROWS),),
    ),
    "of pairs of one number": (
        f"fun(c: bool, p: {ONE} => dmatch(p, fun(m: nat, a => if c then"
        f" makeDepPair{{(n |-> n..(i |-> (i + 1).f32))}}(m, a) else makeDepPair(m, {MORE}))))",
        ((2, ROWS),),
    ),
}
SUM: Final = "fun(i => xs |> reduceSeq(add, 0.0))"
LOW: dict[str, tuple[str, str]] = {
    "in order": ("interpret", PAIRS + SUMS.replace("SUM", f"mapSeq({SUM})") + ")"),
    "on threads": ("openmp", PAIRS + SUMS.replace("SUM", f"mapPar({SUM})") + ")"),
    "on a grid": ("cuda-sim", PAIRS + SUMS.replace("SUM", f"mapGlobal(0, {SUM})") + ")"),
    "with barriers": (
        "cuda-sim",
        PAIRS + "generate(fun(j: idx[2] => j)) |> mapBlock(0, fun(j => "
        + SUMS.replace("SUM", f"mapThreads(0, {SUM}) |> toMem(Shared) |> mapThreads(0, fun(x => x + 1.0))") + ")))",
    ),
    "kept, in order": (
        "openmp",
        PAIRS + SUMS.replace("SUM", f"mapSeq({SUM})") + " |> toMem(Local) |> mapPar(fun(x => x + 1.0)))",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("name", "target"), some(in_turn(HIGH), 2))
def test_a_chosen_array(name: str, target: str) -> None:
    text, arguments = HIGH[name]
    kernel, e = compiled(text, target, lower=True), rise.parse(text).main
    for c in (False, True):
        found, expected = kernel(c, *arguments), rise.evaluate(e, c, *arguments)
        if isinstance(expected, tuple):
            assert [len(one) for one in found if isinstance(one, list)] == [2]
            found, expected = (next(x for x in both if isinstance(x, list)) for both in (found, expected))
        same(found, expected)


@pytest.mark.parametrize("name", some(LOW, 2))
def test_an_array_of_one_of_two_pairs_is_written_where_it_is_chosen(name: str) -> None:
    target, text = LOW[name]
    kernel, e = compiled(text, target), rise.parse(text).main
    for c in (False, True):
        same(kernel(c, *TWO), rise.evaluate(e, c, *TWO))
