"""Reductions on threads: any associative function, any start value, any length."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
import shine
from rise.terms import Expr
from shine.translate import translate
from tests.examples import examples
from tests.shine.executors import agree
from tests.shine.translate.interpretation import program

F = np.float32
AFFINE = """fun(xs: N.(i64, i64) => xs
  |> reducePar(fun(a, b => pair(fst(a) * fst(b), fst(b) * snd(a) + snd(b))), pair(3, 5)))"""


@given(some.one_of(some.integers(0, 3), some.sampled_from([63, 64, 65, 128, 200])), some.integers(0, 9))
@settings(max_examples=examples(25), deadline=None)
def test_no_order_is_changed(n: int, seed: int) -> None:
    """Functions a*x + b, composed: their order matters, and the start value is not neutral."""
    rng = np.random.default_rng(seed)
    agree(AFFINE, (rng.integers(-3, 4, n), rng.integers(-3, 4, n)), targets=("interpret",))


def test_threads_find_the_same_element_as_one_thread() -> None:
    rng = np.random.default_rng(0)
    agree(AFFINE, (rng.integers(-3, 4, 1000), rng.integers(-3, 4, 1000)))
    agree("fun(xs: 130.f32 => xs |> map(fun(x => x * x)) |> reducePar(max, 7.0))", np.arange(130, dtype=F))
    agree(
        "fun(xs: N.3.f32 => xs |> reducePar(fun(a, b => zip(a, b) |> mapSeq(add)),"
        " generate(fun(i: idx[3] => 1.0)) |> mapSeq(id)) |> mapSeq(id))",
        np.arange(600, dtype=F).reshape(200, 3) % 7,
    )


def test_rounding_does_not_depend_on_threads() -> None:
    e = program("fun(xs: N.f32 => xs |> reducePar(add, 0.0))")
    xs = np.random.default_rng(0).random(5000).astype(F)
    found = {float(kernel(e, threads)(xs)) for threads in (1, 2, 3)}
    assert len(found) == 1


def kernel(e: Expr, threads: int) -> shine.Kernel:
    return shine.compile(e, target="openmp", threads=threads)


def test_nested_parallel_reductions_are_rejected() -> None:
    with pytest.raises(rise.RiseError) as caught:
        translate(program("fun(xs: M.N.f32 => xs |> mapPar(fun(row => row |> reducePar(add, 0.0))))"))
    assert str(caught.value) == (
        "error[nested-parallel]: expected a parallel loop with sequential ones inside, found mapPar inside mapPar\n"
        "note: in reducePar(add{f32}, 0.0, row)\n"
        "hint: lower the inner map to mapSeq"
    )
