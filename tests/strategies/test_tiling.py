"""Tiles of any rank and loops in any order: laws for all permutations, then cases, then rejected arguments."""

from functools import cache
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import elevate
import rise
import shine
from elevate import (
    Failure,
    FloatClass,
    Strategy,
    StrategyError,
    Success,
    innermost,
    outermost,
    topDown,
    where,
)
from rise.terms import Expr
from strategies.cpu_gemm import fusedSum, isCopy, isMap, isReduceSeq, lowerToC
from strategies.lowering.positions import function_body
from strategies.normal_forms import DFNF
from strategies.parts.memory import storeInMemory
from strategies.parts.nests import fuse
from strategies.rules.cpu import splitJoinCancel
from strategies.rules.lowering import copy
from strategies.tiling import interchangeLoops, loop, reorder, splitReduction, tile, transpositions
from strategies.vectorizing import parallel, unroll, vectorize
from strategies.vocabulary.traversals import inLambda
from tests.examples import some
from tests.strategies import corpus

CUBE = "fun(xs: N.M.K.f32 => xs |> map(map(map(fun(x => x + 1.0)))))"
PRODUCT = "fun(xs: N.f32, ys: M.f32 => xs |> map(fun(x => ys |> map(fun(y => x * y)))))"
SUMS = "fun(xs: N.M.f32 => xs |> map(fun(row => row |> map(fun(x => x * x)) |> reduce(add, 0.0))))"


@cache
def read(text: str) -> Any:
    return rise.parse(text).main


def applied(s: Strategy, e: rise.Expr) -> Success[Any]:
    result = s(e)
    assert isinstance(result, Success), result.explain()
    return result


def same(before: rise.Expr, after: rise.Expr, allowed: FloatClass, **sizes: int) -> None:
    """Check that both compute the same on numbers for which no sum rounds, the second one also as a kernel."""
    assert after.type == before.type
    before, after = corpus.at(before, **sizes), corpus.at(after, **sizes)
    rng = np.random.default_rng(0)
    arguments = [rng.integers(-4, 5, shape).astype(np.float32) for shape in shapes(before)]
    expected = rise.evaluate(before, *arguments)
    np.testing.assert_array_equal(rise.evaluate(after, *arguments), expected)
    low = applied(lowerToC, after).program
    np.testing.assert_array_equal(shine.compile(low, target="interpret")(*arguments), expected)


def shapes(e: Any) -> list[tuple[int, ...]]:
    found = []
    t = e.type
    while hasattr(t, "result"):
        shape, inner = [], t.parameter
        while hasattr(inner, "element"):
            shape.append(inner.size.constant)
            inner = inner.element
        found.append(tuple(shape))
        t = t.result
    return found


@given(st.permutations(range(1, 7)))
def test_swaps_of_neighbours_make_any_order(order: list[int]) -> None:
    loops = list(range(1, 7))
    for number in transpositions(tuple(order)):
        loops[number - 1], loops[number] = loops[number], loops[number - 1]
    assert loops == order


@pytest.mark.parametrize("order", some(list(permutations((1, 2, 3))), 2))
def test_maps_run_in_any_order(order: tuple[int, ...]) -> None:
    start = applied(DFNF, read(CUBE)).program
    result = applied(reorder(*order), start)
    assert result.float_class is FloatClass.EXACT
    same(start, result.program, FloatClass.EXACT, N=2, M=3, K=4)
    low = applied(lowerToC, result.program).program
    source = shine.compile(low, target="openmp").source
    found = [line.split(" < ")[1].split(";")[0] for line in source.splitlines() if "for (" in line]
    assert found == ["NMK"[number - 1] for number in order]


@pytest.mark.parametrize("order", some(permutations((1, 2, 3, 4)), 3))
def test_maps_and_reductions_run_in_any_order(order: tuple[int, ...]) -> None:
    """Two maps around a reduction in blocks: if its two loops keep their order, no sum changes."""
    blocks = fusedSum >> innermost(isReduceSeq)(splitReduction(2))
    start = applied(blocks, corpus.program("mm")).program
    result = applied(reorder(*order), start)
    keeps = order.index(3) < order.index(4)
    assert result.float_class is (FloatClass.EXACT if keeps else FloatClass.REASSOCIATING)
    same(start, result.program, result.float_class, M=2, N=3, K=4)


def test_the_existing_order_changes_nothing() -> None:
    start = applied(DFNF, read(CUBE)).program
    assert applied(reorder(1, 2, 3), start).firings == 0


@pytest.mark.parametrize("number", [1, 2])
def test_two_swaps_cancel(number: int) -> None:
    start = applied(DFNF, read(CUBE)).program
    swap = loop(number)(interchangeLoops)
    result = applied(swap >> swap, start)
    same(start, result.program, FloatClass.EXACT, N=2, M=3, K=4)


@pytest.mark.parametrize("sizes", [(2,), (2, 3), (2, 3, 4), (1, 1, 1)])
def test_tiles_of_any_rank(sizes: tuple[int, ...]) -> None:
    start = applied(DFNF, read(CUBE)).program
    result = applied(tile(*sizes), start)
    assert result.float_class is FloatClass.EXACT
    same(start, result.program, FloatClass.EXACT, N=4, M=6, K=4)
    low = applied(lowerToC, result.program).program
    source = shine.compile(low, target="openmp").source
    found = [line.split(" < ")[1].split(";")[0] for line in source.splitlines() if "for (" in line]
    rank = len(sizes)
    over = [name if size == 1 else f"{name} / {size}" for name, size in zip("NMK", sizes, strict=False)]
    loops = [*over, *map(str, sizes), *"NMK"[rank:]]
    assert [one for one in found if one != "1"] == [one for one in loops if one != "1"]


@pytest.mark.parametrize("sizes", list(product((1, 3), (2, 4))))
def test_tiles_cause_obligations(sizes: tuple[int, int]) -> None:
    program = applied(DFNF >> tile(*sizes), read(PRODUCT)).program
    expected = {f"{size} divides {name}" for size, name in zip(sizes, "NM", strict=True) if size > 1}
    assert {one.condition for one in rise.obligations(program)} == expected
    same(read(PRODUCT), program, FloatClass.EXACT, N=6, M=8)


@pytest.mark.parametrize(
    ("strategy", "reason"),
    [
        (tile(4, 4), "splitJoin(4): 4 does not divide 6"),
        (tile(3, 5), "splitJoin(5): 5 does not divide 8"),
        (loop(2)(vectorize(3)), "vectorizeAfter(3): 3 does not divide 8"),
    ],
)
def test_tiles_that_do_not_divide_are_reported(strategy: Strategy, reason: str) -> None:
    program = corpus.at(applied(DFNF, read(PRODUCT)).program, N=6, M=8)
    result = strategy(program)
    assert isinstance(result, Failure)
    assert reason in str(result.explain())


def test_a_nest_with_fewer_loops_is_reported() -> None:
    result = (DFNF >> reorder(1, 2, 3))(read(PRODUCT))
    assert isinstance(result, Failure)
    assert "reorder(1, 2, 3)" in str(result.explain())


@pytest.mark.parametrize(
    ("permutation", "title"),
    [
        ((1, 1, 2), "expected each of 1, 2, 3 once, found 1, 1, 2"),
        ((0, 1), "expected each of 1, 2 once, found 0, 1"),
        ((), "expected each of 1, 2 once, found nothing"),
    ],
)
def test_lists_that_are_not_permutations_are_rejected(permutation: tuple[int, ...], title: str) -> None:
    with pytest.raises(StrategyError) as refused:
        reorder(*permutation)
    assert refused.value.diagnostic.title == title
    assert "reorder(2, 1)" in refused.value.diagnostic.hint


@pytest.mark.parametrize("sizes", [(), (0,), (4, -1), (2.0,)])
def test_invalid_tiles_are_rejected(sizes: Any) -> None:
    with pytest.raises(StrategyError, match="expected sizes of tiles"):
        tile(*sizes)
    with pytest.raises(StrategyError, match="counted from 1"):
        loop(0)


def test_strategies_print_as_they_are_written() -> None:
    assert str(tile(32, 32) >> reorder(2, 1)) == "tile(32, 32) >> reorder(2, 1)"
    assert str(loop(2)(interchangeLoops)) == "loop(2)(interchangeLoops)"
    assert tile(32, 32) == tile(32, 32) and hash(tile(4)) == hash(tile(4))


@pytest.mark.parametrize(
    ("body", "lanes"),
    some(
        [
            (body, lanes)
            for turn, body in enumerate(
                (
                    "x * x + 1.0",
                    "min(x, 2.0) - x",
                    "neg(x)",
                    "sqrt(abs(x))",
                    "x",
                    "(x + 1.0) * (x + 2.0)",
                    "x / c",
                )
            )
            for lanes in some([4, 1], 2, first=turn // 3)
        ],
        2,
    ),
)
def test_loops_are_vectorised(body: str, lanes: int) -> None:
    program = read(f"fun(c: f32, xs: N.f32 => xs |> map(fun(x => {body})))")
    result = applied(topDown(vectorize(lanes)), program)
    assert f"vec[{lanes}, f32]" in rise.show(result.program)
    assert result.program.type == program.type
    low = applied(lowerToC, result.program).program
    xs = np.arange(8, dtype=np.float32)
    expected = rise.evaluate(program, np.float32(3.0), xs)
    for target in ("interpret", "openmp"):
        np.testing.assert_array_equal(shine.compile(low, target=target)(np.float32(3.0), xs), expected)


def test_loops_over_arrays_are_not_vectorised() -> None:
    result = loop(1)(vectorize(4))(applied(DFNF, read(PRODUCT)).program)
    assert isinstance(result, Failure)


def test_a_loop_runs_on_threads_and_a_sum_is_unrolled() -> None:
    start = applied(fusedSum, read(SUMS)).program
    program = applied(outermost(isMap)(parallel) >> innermost(isReduceSeq)(unroll), start).program
    shown = rise.show(program)
    assert "mapPar" in shown and "reduceSeqUnroll" in shown
    same(read(SUMS), program, FloatClass.EXACT, N=3, M=4)


def test_a_part_is_stored_in_memory() -> None:
    """All its occurrences read the stored value; how it is computed is stated separately."""
    program = applied(
        fuse, read("fun(xs: N.M.f32 => transpose(xs) |> map(fun(c => c |> map(fun(x => x + 1.0)))))")
    )
    what = where(isTransposition)
    store = inLambda(storeInMemory(what, copy >> function_body(copy) >> outermost(isCopy)(parallel)))
    result = applied(store, program.program)
    assert [step.rule.name for step in result.steps] == [
        "nameSubterm(isTransposition)",
        "copy",
        "copy",
        "mapToMapPar",
        "toMemLocal",
        "callToLet",
    ]
    assert "let c =" in rise.show(result.program) and "toMem(Local)" in rise.show(result.program)
    same(program.program, result.program, FloatClass.EXACT, N=3, M=4)


def isTransposition(e: Expr) -> bool:
    """`transpose xs`."""
    return e.root == ("transpose", 1)


def test_a_part_that_does_not_occur_is_not_stored() -> None:
    result = inLambda(storeInMemory(where(isTransposition), copy))(read(SUMS))
    assert isinstance(result, Failure)
    told = str(result.explain())
    assert "nameSubterm(isTransposition): does not match" in told
    assert "expected a part for which isTransposition holds" in told


def test_blocks_of_joined_blocks_cancel() -> None:
    program = read("fun(xs: N.4.f32 => xs |> join |> split(4) |> map(reduceSeq(add, 0.0)))")
    assert elevate.run(topDown(splitJoinCancel), program).counters.firings == 1
