"""Tiles of which the last one is as long as the remainder: what the rules preserve, and kernels of any size."""

from functools import cache
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, Success, topDown
from strategies.openmp import depTiled
from strategies.rules.dependent import depTileJoin, joinDepTile
from tests.examples import some

TILE: Final = 4
SIZES: Final = (0, 1, TILE - 1, TILE, TILE + 1, 3 * TILE + 2)
PROGRAMS: Final = {
    "axpy": "zip(xs, ys) |> map(fun(p => a * fst(p) + snd(p)))",
    "two maps": "xs |> map(fun(x => x + a)) |> map(fun(x => x * x))",
    "pairs": "xs |> map(fun(x => pair(x, x * a)))",
    "rows": "xs |> map(fun(x => ys |> map(fun(y => x * y + a))))",
    "no map": "xs |> reduce(add, a)",
}
ROWS: Final = (
    "fun(rows: N..(i |-> (i + 1).i64), ys: N.i64 => depMap(fun(i: nat, row =>"
    " row |> map(fun(x => x + idx(natAsIndex(i), ys))) |> map(fun(x => x * 2i64))), rows))"
)


def program(name: str) -> rise.Expr:
    return rise.parse(f"fun(a: f32, xs: N.f32, ys: N.f32 => {PROGRAMS[name]})").main


@cache
def kernel(name: str) -> shine.Kernel:
    result = depTiled(TILE)(program(name))
    assert isinstance(result, Success)
    return shine.compile(result.program, target="openmp", threads=2, team=False)


def same(ours: Any, theirs: Any) -> None:
    for mine, other in zip(ours, theirs, strict=True) if isinstance(theirs, tuple) else [(ours, theirs)]:
        assert mine.dtype == other.dtype
        np.testing.assert_array_equal(mine, other)


@pytest.mark.parametrize("name", some(PROGRAMS, 2))
def test_a_kernel_with_tiles_accepts_any_size(name: str) -> None:
    for size in SIZES:
        given = (np.float32(3), np.arange(size, dtype=np.float32), np.arange(size, dtype=np.float32) + 1)
        same(kernel(name)(*given), rise.evaluate(program(name), *given))


def test_whole_tiles_are_loops_of_a_known_length() -> None:
    assert f" < {TILE}; " in kernel("axpy").source


@pytest.mark.parametrize("count", [0, 1, 7])
def test_tiles_below_functions_of_sizes(count: int) -> None:
    """Terms that a rule moves below `fun(i: nat, ...)` may mention the enclosing sizes."""
    e = rise.parse(ROWS).main
    result = topDown(depTileJoin(3))(e)
    assert isinstance(result, Success) and result.program.type == e.type
    rows = [np.arange(i + 1) for i in range(count)]
    given = (rows, np.arange(count) * 100)
    for ours, theirs in zip(rise.evaluate(result.program, *given), rise.evaluate(e, *given), strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("size", ["N", "11", "0"])
def test_joined_tiles_are_the_original_array(size: str) -> None:
    result = joinDepTile(rise.parse_expr("depJoin(depTile(4, 0, xs))", {"xs": f"{size}.f32"}))
    assert isinstance(result, Success) and rise.show(result.program) == "xs"


@pytest.mark.parametrize(
    "text", ["fun(xs: 12.f32 => map(id, xs))", "fun({N: nat}, xs: N.f32 => map(id, xs))"]
)
def test_tiles_of_a_tile_are_rejected_if_their_sum_is_not_proved(text: str) -> None:
    """The last tile is shorter than a tile, so there are one or no tiles of it, and no formula for their sum shows
    this.
    """
    e = rise.parse(text).main
    once = topDown(depTileJoin(8))(e)
    assert isinstance(once, Success)
    twice = topDown(depTileJoin(8))(once.program)
    assert isinstance(twice, Failure)
    smaller = topDown(depTileJoin(2))(once.program)
    assert isinstance(smaller, Success) and smaller.program.type == e.type


def test_tiles_with_borders_are_not_joined() -> None:
    assert isinstance(joinDepTile(rise.parse_expr("depJoin(depTile(4, 1, xs))", {"xs": "12.f32"})), Failure)
