"""Each part of a lowered program is traced to a part of the original program: the numbers in it identify it."""

from __future__ import annotations

from typing import Final

import pytest

import rise
import strategies
from elevate import Success
from elevate.derivations.moves import first_origin
from rise.nodes import postorder
from rise.terms import Expr, Literal
from tests.strategies.test_whole_strategies import load

#: each number occurs once, so that it identifies the origin of a part
TEXTS: Final = {
    "sums of rows": "fun(a: M.N.f32 => a |> map(fun(row =>"
    " row |> map(mul(2.5)) |> reduce(fun(x, y => x + y), 0.0) |> add(3.5))))",
    "windows": "fun(a: N.f32 => a |> map(add(2.5)) |> slide(3, 1) |> map(fun(w => 3.5 * idx(0, w) + 4.5 * idx(2, w))))",
    "named": "fun(a: N.f32 => let b = a |> map(mul(2.5)) |> scan(add, 0.0)"
    " in zip(a, b) |> map(fun(x, y => x * y + 3.5)))",
    "a product": "fun(a: M.K.f32, b: K.N.f32 => a |> map(fun(row => transpose(b) |> map(fun(column =>"
    " zip(row, column) |> map(mul) |> reduce(add, 0.0) |> mul(2.5))))))",
    "rows of different lengths": "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) =>"
    " rows |> depMap(fun(i: nat, row => row |> map(mul(2.5)) |> sort)))",
}


def numbers(e: Expr) -> set[float]:
    return {float(node.value) for node in postorder(e) if isinstance(node, Literal)} - {0.0}


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("name", ["sequential:sequential", "openmp:parallel", "gpu:blocksAndThreads"])
def test_parts_originate_where_their_numbers_occurred(name: str, text: str) -> None:
    e = rise.parse(TEXTS[text]).main
    found = load(name)(e)
    assert isinstance(found, Success)
    waiting: list[tuple[tuple[int, ...], Expr]] = [((), found.program)]
    places: dict[float, list[Expr]] = {}
    while waiting:
        path, node = waiting.pop()
        if isinstance(node, Literal) and float(node.value) in numbers(e):
            before = e
            for step in first_origin(path, found.steps):
                before = before.children[step]
            assert numbers(node) <= numbers(before), rise.show(before)
            places.setdefault(float(node.value), []).append(before)
        waiting += [((*path, index), one) for index, one in enumerate(node.children)]
    assert places.keys() == numbers(e)
    assert all(any(isinstance(one, Literal) for one in found) for found in places.values())


def test_a_strategy_that_does_nothing_moves_nothing() -> None:
    found = strategies.load("elevate:id_")(rise.parse("1.0").main)
    assert isinstance(found, Success) and first_origin((0, 1), found.steps) == (0, 1)
