"""Conditional values on GPUs: pairs, named or not, sums, and values computed for single elements."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Success
from tests.examples import some

PAIRS: Final = "val main = fun(c: bool, p: (n: nat ** n.f32), q: (n: nat ** n.f32) => "
SUM: Final = "fun(n: nat, xs => reduce(add, 0.0, xs))"
GREATEST: Final = "fun(n: nat, xs => reduce(max, 0.0, xs))"
#: programs of two dependent pairs, and of two arrays
OF_PAIRS: Final = {
    "named and summed twice": f"let r = if c then p else q in dmatch(r, {SUM}) + dmatch(r, {GREATEST}))",
    "named, summed twice apart": f"let r = if c then p else q in pair(dmatch(r, {SUM}), dmatch(r, {GREATEST})))",
    "named, and one of them again": f"let r = if c then p else q in pair(dmatch(r, {SUM}), dmatch(q, {GREATEST})))",
    "chosen twice": f"let r = if c then p else q in let s = if c then r else p in dmatch(r, {SUM}) + dmatch(s, {SUM}))",
    "not named": f"dmatch(if c then p else q, {SUM}))",
}
OF_ARRAYS: Final = {
    "sums": "val main = fun(c: bool, a: N.f32, b: N.f32 => if c then reduce(add, 0.0, a) else reduce(max, 0.0, b))",
    "scans": "val main = fun(c: bool, a: N.f32, b: N.f32 => if c then a |> scan(add, 0.0) else b)",
    "sums for each element": "val main = fun(c: bool, a: N.f32, b: N.f32 => generate(fun(i: idx[N] =>"
    " if c then a |> map(mul(idx(i, b))) |> toMem(Shared) |> reduce(add, 0.0) else idx(i, b))))",
    "sums of windows in shared memory": "val main = fun(c: bool, a: N.f32, b: N.f32 => a |> map(fun(x =>"
    " b |> map(fun(y => if c then x * y else y)) |> toMem(Shared) |> slide(3, 1) |> map(reduce(add, 0.0)))))",
}


def lowered(text: str) -> tuple[rise.Expr, rise.Expr]:
    e = rise.parse(text).main
    found = strategies.load("strategies.gpu:blocksAndThreads")(e)
    assert isinstance(found, Success)
    return e, found.program


@pytest.mark.parametrize("name", some(OF_PAIRS, 2))
def test_chosen_pairs_are_summed(name: str) -> None:
    e, low = lowered(PAIRS + OF_PAIRS[name])
    kernel = shine.compile(low, target="cuda-sim", check=True, schedule="random:1")
    p, q = ((n, np.arange(n, dtype=np.float32) + n) for n in (5000, 3))
    for c in (True, False):
        np.testing.assert_allclose(kernel(c, p, q), rise.evaluate(e, c, p, q), rtol=1e-4)


@pytest.mark.parametrize("name", some(OF_ARRAYS, 2))
def test_the_selected_value_is_computed(name: str) -> None:
    e, low = lowered(OF_ARRAYS[name])
    kernel = shine.compile(low, target="cuda-sim", check=True, schedule="random:1")
    rng = np.random.default_rng(0)
    a, b = rng.random(70, np.float32), rng.random(70, np.float32)
    for c in (True, False):
        np.testing.assert_allclose(kernel(c, a, b), rise.evaluate(e, c, a, b), rtol=1e-4)
