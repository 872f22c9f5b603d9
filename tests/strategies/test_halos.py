"""Tiles of stencils of any rank: equality at all small sizes, their loops and borders, rejected programs."""

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import sliding_window_view

import rise
import shine
from elevate import Failure, FloatClass, StrategyError, Success, replay
from strategies.cpu_gemm import lowerToC
from strategies.halos import haloTile
from strategies.normal_forms import DFNF
from strategies.rules.movement import transposeThrice, transposeThriceMapped
from strategies.testing import check
from strategies.testing.values import differ, inputs
from tests.examples import SAMPLED, in_turns, some
from tests.strategies import corpus
from tests.strategies.stencils import STENCILS

#: the sums of windows of three in each direction, by rank
SUMS = {
    1: "fun(g: (N+2).f32 => g |> slide(3, 1) |> map(reduce(add, 0.0)))",
    2: STENCILS["rows of windows first"].text.removeprefix("val m = "),
    3: STENCILS["three directions"].text.removeprefix("val m = "),
    4: """fun(g: (K+2).(L+2).(M+2).(N+2).f32 => g
        |> map(map(map(slide(3, 1)) >> slide(3, 1) >> map(transpose))
            >> slide(3, 1) >> map(transpose >> map(transpose)))
        |> slide(3, 1) |> map(transpose >> map(transpose >> map(transpose)))
        |> map(map(map(map(fun(w => join(join(join(w))) |> reduce(add, 0.0)))))))""",
}
NAMES = "KLMN"


@cache
def program(rank: int) -> Any:
    return rise.parse(f"val m = {SUMS[rank]}").main


@cache
def tiled(sizes: tuple[int, ...], edges: bool) -> Success[Any]:
    result = (DFNF >> haloTile(*sizes, edges=edges))(program(len(sizes)))
    assert isinstance(result, Success), result.explain()
    return result


def sums(grid: Any) -> Any:
    return sliding_window_view(grid, (3,) * grid.ndim).sum(tuple(range(-grid.ndim, 0)))


def numbers(shape: tuple[int, ...]) -> Any:
    return np.random.default_rng(0).integers(-4, 5, shape).astype(np.float32)


def evaluated(e: Any, shape: tuple[int, ...]) -> None:
    """Check that the result of the program on a grid whose windows have this shape agrees with numpy."""
    grid = numbers(tuple(size + 2 for size in shape))
    at = dict(zip(NAMES[-len(shape) :], shape, strict=True))
    np.testing.assert_array_equal(rise.evaluate(e, grid, sizes=at), sums(grid))


@pytest.mark.parametrize("rule", some([transposeThrice, transposeThriceMapped], 2))
def test_three_axes_in_reverse_order(rule: Any) -> None:
    check(rule)


@pytest.mark.parametrize("rank", some([1, 2] if SAMPLED else [1, 2, 3], 2))
def test_whole_tiles_of_all_small_sizes(rank: int) -> None:
    for sizes in product((1, 2, 3), repeat=rank):
        result = tiled(sizes, False)
        assert result.float_class is FloatClass.EXACT
        assert result.program.type == program(rank).type
        for counts in product((1, 2), repeat=rank):
            evaluated(result.program, tuple(a * b for a, b in zip(sizes, counts, strict=True)))


@pytest.mark.parametrize("rank", some([1, 2, 3], 3))
def test_partial_tiles_of_all_small_sizes(rank: int) -> None:
    for sizes in product((1, 2, 3) if rank < 3 else (2,), repeat=rank):
        for shape in some(product((1, 2, 3, 4, 5) if rank < 3 else (1, 2, 3), repeat=rank), 2):
            evaluated(tiled(sizes, True).program, shape)


@pytest.mark.parametrize("rank", some([1, 2, 3, 4], 2))
def test_the_loops_over_tiles_are_outside_and_each_sees_one_part(rank: int) -> None:
    sizes = (2, 4, 3, 5)[:rank]
    result = tiled(sizes, False)
    shown = rise.show(result.program)
    for size in sizes:
        assert f"slide({size + 2}, {size})" in shown, "a tile and its border"
    part = ".".join(str(size + 2) for size in reversed(sizes))
    assert f": {part}.f32 =>" in shown, "a tile is one array"
    source = shine.compile(lowerToC(result.program).program, target="openmp").source
    found = [line.split(" < ")[1].split(";")[0] for line in source.splitlines() if "for (" in line]
    over = [f"{name} / {size}" for name, size in zip(NAMES[-rank:], sizes, strict=True)]
    assert found == [*over, *map(str, sizes), str(3**rank)]
    assert source.count("[") == 2, "no array is stored on the way"


@pytest.mark.parametrize(("edges", "rank"), in_turns([False, True], [1, 2, 3]))
def test_kernels_agree_with_numpy(rank: int, edges: bool) -> None:
    shape = (4, 6, 2)[:rank] if not edges else (5, 3, 4)[:rank]
    at = dict(zip(NAMES[-rank:], shape, strict=True))
    low = lowerToC(tiled((2,) * rank, edges).program)
    grid = numbers(tuple(size + 2 for size in shape))
    kernel = shine.compile(corpus.at(low.program, **at), target="interpret")
    np.testing.assert_array_equal(kernel(grid), sums(grid))


@pytest.mark.parametrize("name", some([*STENCILS, "heat3d", "acoustic", "harris", "sobel", "jacobi"], 2))
def test_stencils_of_every_form(name: str) -> None:
    """Zips, borders, batches, chains and strides: tiles of two in each direction, at sizes that are not multiples of
    them.
    """
    case = STENCILS.get(name)
    e = case.program if case else corpus.program(name)
    rank = {"three directions": 3, "heat3d": 3}.get(name) or (case.directions if case else 2)
    result = (DFNF >> haloTile(*[2] * rank, edges=True))(e)
    if name == "pair of stencils":
        assert isinstance(result, Failure), "there are two nests, and none is the outermost"
        return
    assert isinstance(result, Success), result.explain()
    sizes = {size: 3 + place for place, size in enumerate(corpus.size_names(e))}
    arguments = inputs(corpus.at(e, **sizes).type, True)
    expected = rise.evaluate(e, *arguments, sizes=sizes)
    assert not differ(
        expected, rise.evaluate(result.program, *arguments, sizes=sizes), FloatClass.EXACT, False
    )


def test_every_step_preserves_the_type() -> None:
    start = program(3)
    for after in replay(start, tiled((2, 4, 3), True).steps):
        assert after.type == start.type


def test_sizes_that_must_divide_are_obligations() -> None:
    found = {str(one.condition) for one in rise.obligations(tiled((2, 4, 3), False).program)}
    assert found >= {"2 divides L", "4 divides M", "3 divides N"}


@pytest.mark.parametrize("sizes", [(), (0,), (2, -1), (True, "3")])
def test_invalid_sizes_are_rejected(sizes: Any) -> None:
    with pytest.raises(StrategyError, match="expected sizes of tiles, integers >= 1"):
        haloTile(*sizes)


@pytest.mark.parametrize(
    ("text", "sizes"),
    [
        ("fun(xs: N.f32 => xs |> map(fun(x => x + 1.0)))", (2,)),
        (SUMS[1], (2, 2)),
        ("fun(g: 7.f32 => g |> slide(3, 1) |> map(reduce(add, 0.0)))", (2,)),
    ],
    ids=["no windows", "more sizes than loops", "does not divide"],
)
def test_programs_that_are_not_tiled(text: str, sizes: tuple[int, ...]) -> None:
    assert isinstance((DFNF >> haloTile(*sizes))(rise.parse(f"val m = {text}").main), Failure)


def test_a_tile_is_printed_with_its_parameters() -> None:
    assert str(haloTile(4, 8)) == "haloTile(4, 8)"
    assert str(haloTile(4, edges=True)) == "haloTile(4, edges=True)"
    assert haloTile(4, 8) == haloTile(4, 8)
