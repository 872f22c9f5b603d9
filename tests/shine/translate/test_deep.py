"""Terms may be long chains, and share parts: translation neither overflows nor repeats work. Independent of targets."""

from __future__ import annotations

import sys

import pytest

import rise
from rise.inference.schemes import instantiate_primitive
from rise.naturals import const
from rise.primitives import PRIMITIVES
from rise.terms import App, Bound, DepApp, Expr, Lam, Primitive, make_literal
from rise.types import F32, Argument, ArrayType, ScalarType
from shine.imperative.nodes import Assign, Block, Define, DefineIndex, For, If
from shine.translate import translate
from tests.examples import deep, some
from tests.shine.translate.interpretation import shown


def primitive(name: str, *implicits: Argument) -> Primitive:
    return instantiate_primitive(PRIMITIVES[name], implicits)


TWELVE = ArrayType(const(12), F32)
ONE = make_literal(1.0, F32)
COPY = App(primitive("mapSeq", const(12), F32, F32), primitive("id", F32))
TAKE = DepApp(primitive("take", const(0), F32), const(12))
INCREMENT = Lam("x", F32, App(App(primitive("add", F32), Bound(0, F32)), ONE))
DEPTH = deep(20 * sys.getrecursionlimit())


def lets(depth: int) -> Expr:
    e: Expr = Bound(0, F32)
    for _ in range(depth):
        value = App(App(primitive("add", F32), Bound(0, F32)), ONE)
        e = App(App(primitive("let", F32, F32), value), Lam("y", F32, e))
    return Lam("x", F32, e)


def chain(step: Expr, start: Expr, end: Expr | None = None, of: ArrayType | ScalarType = TWELVE) -> Expr:
    e = start
    for _ in range(DEPTH):
        e = App(step, e)
    return Lam("xs", of, e if end is None else App(end, e))


@pytest.mark.parametrize(
    "e",
    some(
        [
            chain(TAKE, Bound(0, TWELVE), COPY),
            chain(App(primitive("map", const(12), F32, F32), INCREMENT), Bound(0, TWELVE), COPY),
            chain(TAKE, App(COPY, Bound(0, TWELVE))),
            chain(App(primitive("add", F32), ONE), Bound(0, F32), of=F32),
            lets(DEPTH),
        ],
        2,
    ),
    ids=some(["views", "maps", "places", "operations", "lets"], 2),
)
def test_chains_may_be_long(e: Expr) -> None:
    body: Block = translate(e).body
    assert all(isinstance(one, For | Define | Assign | If | DefineIndex) for one in body.statements)


def test_equal_terms_are_computed_once() -> None:
    e: Expr = Bound(0, F32)
    add = primitive("add", F32)
    for _ in range(200):
        e = App(App(add, e), e)
    lines = shown(translate(Lam("x", F32, e)))
    assert sum(line.count("add(") for line in lines) < 2000


def test_nested_choices_are_translated_once() -> None:
    """Values with their own statements were once translated twice by each choice, so that the work was exponential in
    the depth.
    """
    depth = 100
    chain = "".join(f"if v > {at}.0 then {at}.0 else " for at in range(depth))
    e = rise.parse(f"val main = fun(xs: N.f32 => xs |> mapSeq(fun(v => {chain}v)))").main
    lines = shown(translate(e))
    assert sum(line.count("gt(") for line in lines) == depth
