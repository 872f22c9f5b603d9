"""Consequences of comparisons: for all pairs of numbers at the limits of types, as `rise.evaluate` computes them."""

from typing import Any, Final

import numpy as np
import pytest

import rise
from rise.checker import check
from rise.checker.orders import BOUNDS
from rise.checker.state import OPPOSITE

EDGES: Final = {
    "f16": np.array([np.nan, -np.inf, np.inf, -0.0, 0.0, 6e-8, -6e-8, 65504.0, -1.0, 1.0], np.float16),
    "i8": np.array([-128, -127, -1, 0, 1, 127], np.int8),
    "u8": np.array([0, 1, 254, 255], np.uint8),
}


def holds(t: str, text: str) -> Any:
    """Whether a condition on p, q and r holds for all triples of numbers at the limits of a type."""
    p, q, r = (part.ravel() for part in np.meshgrid(*[EDGES[t]] * 3))
    arrays = f"n: nat, ps: n.{t}, qs: n.{t}, rs: n.{t}"
    each = f"(fun(p: {t}, q: {t}, r: {t} => {text}))(fst(fst(x)), snd(fst(x)), snd(x))"
    program = rise.parse_expr(f"fun({arrays} => zip(zip(ps, qs), rs) |> map(fun(x => {each})))")
    return rise.evaluate(program, p.size, p, q, r)


@pytest.mark.parametrize("t", EDGES)
@pytest.mark.parametrize("name", OPPOSITE)
def test_a_comparison_and_its_opposite_never_hold_together(t: str, name: str) -> None:
    other, is_swapped = OPPOSITE[name]
    stays = holds(t, f"{other} q p" if is_swapped else f"{other} p q")
    takes = holds(t, f"{name} p q" if "Pair" not in name else f"fst ({name} (pair 0 p) (pair 1 q)) == 1")
    assert stays.any()
    assert takes.any()
    assert not (stays & takes).any()


@pytest.mark.parametrize("t", EDGES)
@pytest.mark.parametrize("compares", BOUNDS)
def test_a_minimum_or_maximum_is_bounded_only_if_both_numbers_are(t: str, compares: str) -> None:
    best = holds(t, f"{compares} ({BOUNDS[compares]} p q) r")
    assert best.any()
    assert not (best & ~(holds(t, f"{compares} p r") & holds(t, f"{compares} q r"))).any()


SKIP: Final = (
    "fun(n: nat, a: (f32, i32), xs: n.(f32, i32) => if reduce(max, fst(a), map(fst, xs)) {} fst(a) then a"
    " else reduceSeq(fun(p, q => if fst(q) {} fst(p) then q else p), a, xs))"
)
PLAIN: Final = (
    "fun(n: nat, a: (f32, i32), xs: n.(f32, i32) =>"
    " reduceSeq(fun(p, q => if fst(q) > fst(p) then q else p), a, xs))"
)


def test_a_bound_of_a_minimum_or_maximum_is_a_bound_of_each_number() -> None:
    given = rise.parse_expr(PLAIN)
    assert check(given, rise.parse_expr(SKIP.format("<=", ">")))
    for compares in (">=", ">", "!="):
        assert not check(given, rise.parse_expr(SKIP.format(compares, ">"))), compares
    last = rise.parse_expr(PLAIN.replace("fst(q) > fst(p)", "fst(q) >= fst(p)"))
    assert not check(last, rise.parse_expr(SKIP.format("<=", ">=")))
