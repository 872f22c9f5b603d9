"""Stencil kernels are correct under every schedule at sizes around the tile's, and need all their barriers.

Their programs are in tests/strategies/stencils.py. Independent of rules.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from cases.case_files import Numbers
from cases.comparison import signature
from cases.inputs import some_input
from elevate import Success
from rise.naturals import const
from shine.imperative.kernels import GpuProgram
from tests.cuda.entries import Entry, at
from tests.cuda.kernels import (
    SCHEDULES,
    findings,
    gpu_program,
    leaves,
    mistakes,
    poisoned,
    without_each_barrier,
)
from tests.examples import some
from tests.strategies.stencils import STENCILS

TILE: Final = "strategies.stencils:tileStencil"
#: more than one warp, since a block of one warp has no block barrier
SMALL: Final = {"rows": 4, "columns": 16, "items": 1}
ROWS, COLUMNS = SMALL["rows"], SMALL["columns"]
LINE = ROWS * COLUMNS

#: 1, primes, one less than a tile, a tile, one more
GRIDS: Final = ((1, 1), (13, 37), (ROWS - 1, COLUMNS + 1), (ROWS, COLUMNS), (2 * ROWS + 1, 3 * COLUMNS - 1))
LINES: Final = (1, 131, LINE - 1, LINE, LINE + 1)
JACOBI: Final = Entry("jacobi", TILE, SMALL, tuple(at(M=m, N=n) for m, n in GRIDS))
AVERAGE: Final = Entry("moving_average", TILE, SMALL, tuple(at(N=n) for n in (0, *LINES)), is_exact=False)
CASES: Final = (
    JACOBI,
    AVERAGE,
    Entry("jacobi", TILE, {}, (at(M=40, N=70), at(M=1, N=1))),
    Entry("jacobi", TILE, {"rows": 3, "columns": 5, "items": 3}, (at(M=7, N=11),)),
    Entry("moving_average", TILE, {}, (at(N=700),), is_exact=False),
    Entry(
        "conv2d",
        TILE,
        SMALL,
        (at(H=3, W=3, M=4, N=16), at(H=1, W=1, M=1, N=1), at(H=2, W=5, M=6, N=33)),
        is_symbolic=False,
    ),
    Entry("conv1d", TILE, SMALL, (at(K=5, N=LINE), at(K=1, N=0), at(K=70, N=129)), is_symbolic=False),
)

#: programs that divide by a difference of neighbours, and their results
QUOTIENTS: Final[Mapping[str, tuple[str, Callable[[Any], Any]]]] = {
    "of a row": (
        "val m = fun(g: (N+2).i32 => slide(3, 1, g) |> map(fun(w => idx(2, w) / (idx(1, w) - idx(0, w)))))",
        lambda xs: xs[2:] // (xs[1:-1] - xs[:-2]),
    ),
    "of a grid": (
        """val m = fun(g: (M+2).(N+2).i32 => g |> map(slide(3, 1)) |> slide(3, 1) |> map(transpose)
        |> map(map(fun(w => idx(2, idx(2, w)) / (idx(1, idx(1, w)) - idx(0, idx(0, w)))))))""",
        lambda xs: xs[2:, 2:] // (xs[1:-1, 1:-1] - xs[:-2, :-2]),
    ),
    "summed in windows": (
        """val m = fun(g: (N+4).i32 => slide(3, 1, g) |> map(fun(w => idx(2, w) / (idx(1, w) - idx(0, w))))
        |> slide(3, 1) |> map(reduce(add, 0)))""",
        lambda xs: np.convolve(xs[2:] // (xs[1:-1] - xs[:-2]), [1, 1, 1], "valid"),
    ),
}


@cache
def derived(name: str, items: int) -> rise.Expr:
    """The program that the strategy derives, with symbolic sizes."""
    result = strategies.load(TILE, rows=ROWS, columns=COLUMNS, items=items)(STENCILS[name].program)
    assert isinstance(result, Success), result.explain()
    low: rise.Expr = result.program
    return low


def sizes_of(name: str) -> list[Numbers]:
    """Sizes around that of a tile; a batch of 1 or 2."""
    if STENCILS[name].directions == 1:
        return [at(N=n) for n in LINES]
    batch = [size for size in "BL" if f"{{{size}: nat}}" in rise.show(STENCILS[name].program)]
    return [
        (*((size, 1 + place % 2) for size in batch), ("M", m), ("N", n)) for place, (m, n) in enumerate(GRIDS)
    ]


@pytest.mark.parametrize(("number", "entry"), some(enumerate(CASES), 9), ids=str)
def test_the_results_of_cases_are_those_of_numpy_under_every_schedule(
    number: int, entry: Entry, cache: Path
) -> None:
    """A finding of the check build is raised as an error. The schedules alternate."""
    for schedule in some(SCHEDULES, len(SCHEDULES), number):
        assert mistakes(entry, schedule, cache) == [], schedule


@pytest.mark.parametrize(
    ("turn", "name", "items"),
    some(
        [
            (turn, name, items)
            for turn, name in some(enumerate(STENCILS), 5)
            for items in some((1, 2), 2, turn // 5)
        ],
        2,
    ),
)
def test_the_result_is_that_of_numpy_under_every_schedule(
    turn: int, name: str, items: int, cache: Path
) -> None:
    """Compiled once for all sizes, alternately with one or two windows per thread, and under one of the schedules."""
    for schedule in some(SCHEDULES, len(SCHEDULES), turn // 5):
        kernel = shine.compile(
            derived(name, items), target="cuda-sim", check=True, schedule=schedule, cache=str(cache)
        )
        for sizes in sizes_of(name):
            parameters, result = signature(STENCILS[name].program, sizes)
            rng = np.random.default_rng(len(name))
            arguments: list[Any] = [some_input("digits", rng, each) for each in parameters]
            output = poisoned(result)
            kernel(*arguments, out=output)
            expected = STENCILS[name].answer(*(x.astype(np.float64) for x in arguments))
            for found, right in zip(leaves(output), leaves(expected), strict=True):
                assert np.array_equal(found, right), (sizes, schedule)


@pytest.mark.parametrize("entry", some([JACOBI, AVERAGE], 2), ids=str)
def test_a_missing_barrier_is_found(entry: Entry, cache: Path) -> None:
    """If a grid has few rows of blocks, a block also waits before it overwrites the previous tile with the next."""
    made = with_one_row_of_blocks(gpu_program(entry, ()))
    without = list(without_each_barrier(made))
    assert len(without) == (2 if entry is JACOBI else 1)
    for barrier, changed in without:
        for schedule in SCHEDULES:
            found = findings(changed, entry, entry.sizes[-1], schedule, cache)
            assert found, f"{schedule}, without {barrier}"
            assert {one.kind for one in found} <= {"race", "uninitialised"}
    for schedule in SCHEDULES:
        assert findings(made, entry, entry.sizes[-1], schedule, cache) == []


def with_one_row_of_blocks(made: GpuProgram) -> GpuProgram:
    """The kernels, launched with a grid of one row."""
    kernels = [
        replace(one, launch=replace(one.launch, grid=(one.launch.grid[0], const(1), const(1))))
        for one in made.kernels
    ]
    return replace(made, kernels=tuple(kernels))


def test_a_block_reads_each_number_once_for_all_its_windows() -> None:
    """A tile of 4 x 16 windows of 3 x 3 has 6 x 18 elements; 64 threads copy it."""
    (kernel,) = gpu_program(JACOBI, ()).kernels
    ((buffer, _),) = kernel.shared
    assert buffer.size.constant == (ROWS + 2) * (COLUMNS + 2)
    assert kernel.launch.block == (COLUMNS, ROWS, 1)


@pytest.mark.parametrize("name", some(QUOTIENTS, 3))
def test_no_quotient_is_computed_for_windows_beyond_the_program(name: str, cache: Path) -> None:
    """If numbers increase, no window of the program has a divisor of 0, but a window that rereads the last number
    has.
    """
    text, quotients = QUOTIENTS[name]
    result = strategies.load(TILE, **SMALL | {"items": 2})(rise.parse(text).main)
    assert isinstance(result, Success), result.explain()
    kernel = shine.compile(result.program, target="cuda-sim", check=True, cache=str(cache))
    xs = np.arange(1, 40).cumsum().astype(np.int32)
    numbers = xs if name != "of a grid" else np.add.outer(100 * xs, xs).astype(np.int32)
    assert np.array_equal(kernel(numbers), quotients(numbers))
