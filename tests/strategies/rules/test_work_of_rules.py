"""Rules that are functions take work in proportion to what they rewrite."""

from __future__ import annotations

import pytest

import rise
from rise.terms import Expr, shift
from strategies.rules import invariants
from strategies.rules.invariants import nameSum
from strategies.rules.let_floating import narrowZip
from tests.call_counts import calls_of, forget


def map_over_zip(count: int) -> Expr:
    """A map over a zip of arrays, nested on the left, of which the last one is not read."""
    arrays, element, read = "x0", "p", []
    for number in range(1, count):
        arrays = f"zip({arrays}, x{number})"
        read.append(f"snd({element})")
        element = f"fst({element})"
    parameters = ", ".join(f"x{number}: N.f32" for number in range(count))
    body = " + ".join([*read[1:], element])
    term = rise.parse(f"fun({parameters} => {arrays} |> map(fun(p => {body})))").main
    while term.root != ("map", 2):
        (term,) = term.children
    return term


def test_arrays_of_a_zip_that_are_not_read_are_removed_in_one_pass() -> None:
    def effort(count: int) -> int:
        term = map_over_zip(count)
        assert narrowZip.apply(term) is not None
        forget("strategies")
        return calls_of(lambda: narrowZip.apply(term))

    assert effort(32) <= 3 * effort(16)


def test_a_sum_is_only_compared_with_sums_like_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is moved below the binders around another sum first, which takes as long as it is large."""
    moved: list[int] = []

    def counted(e: Expr, by: int) -> Expr:
        moved.append(by)
        return shift(e, by)

    monkeypatch.setattr(invariants, "shift", counted)
    other = "ys |> map(fun(y => ys |> reduce(max, y * cast{f64}(x)))) |> reduce(add, 0.0f64)"
    body = f"(if x > 0.0 then xs |> reduce(add, 0.0) else x) + cast{{f32}}({other})"
    term = rise.parse(f"fun(xs: N.f32, ys: M.f64, zs: K.f32 => zs |> map(fun(x => {body})))").main
    while term.root != ("map", 2):
        (term,) = term.children
    assert nameSum.apply(term.children[0].children[1]) is None
    assert max(moved, default=0) == 0
