"""Schedules of other computations than products of matrices: they derive, print and compute what numpy computes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from elevate import Failure, StrategyError, Success
from rise.records import dataclass
from strategies.fireiron import (
    RF,
    SH,
    A,
    B,
    Block,
    ColMajor,
    Lane,
    Map,
    Move,
    Schedule,
    Thread,
    Warp,
    read_schedule,
)


@dataclass(frozen=True, slots=True)
class Case:
    """A schedule with a program, its sizes, and the same computation in numpy."""

    schedule: Schedule
    program: str
    sizes: tuple[dict[str, int], ...]
    expected: Callable[..., Any]
    words: tuple[str, ...] = ()


DIFFERENCE: Final = "fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(p => fst(p) - snd(p))))"
OF_ROWS: Final = (
    "fun(xs: M.N.f32, ys: N.f32 => xs |> map(fun(row => zip(row, ys) |> map(fun(p => fst(p) - snd(p))))))"
)
OF_COLUMNS: Final = (
    "fun(xs: M.N.f32, ys: M.f32 => zip(xs, ys) |> map(fun(p => fst(p) |> map(fun(x => x - snd(p))))))"
)
OUTER: Final = "fun(xs: M.f32, ys: N.f32 => xs |> map(fun(x => ys |> map(fun(y => x - y)))))"
TRANSPOSED: Final = "fun(xs: M.N.f32 => transpose(xs) |> map(map(fun(x => 2.0 * x))))"
SCALED: Final = (
    "fun(xs: N.f32, ys: N.f32, zs: N.f32 => zip(map(fun(x => x * x), xs), zip(ys, zs))"
    " |> map(fun(p => fst(p) - fst(snd(p)) * snd(snd(p)))))"
)
VECTORS: Final = ({"N": 256}, {"N": 768})
MATRICES: Final = ({"M": 32, "N": 64}, {"M": 64, "N": 192})

MAPS: Final = {
    "threads": Case(
        Map("n,n->n").tile(256).to(Block).tile(4).to(Thread).tile(1).unroll.done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("#pragma unroll", "threadIdx.x"),
    ),
    "lanes": Case(
        Map("n,n->n").tile(128).to(Block).tile(32).to(Warp).tile(1).to(Lane).done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("lane",),
    ),
    "copies of both operands": Case(
        Map("n,n->n").tile(128).to(Block).load(A, SH).load(B, SH)
        .tile(4).to(Thread).load(A, RF).load(B, RF).tile(1).unroll.done,
        DIFFERENCE,
        VECTORS,
        np.subtract,
        ("xs_tile[", "ys_tile[", "xs_registers[", "ys_registers["),
    ),
    "a third operand": Case(
        Map("n,n,n->n").tile(128).to(Block).load("C", SH).tile(1).to(Thread).done,
        SCALED,
        VECTORS,
        lambda x, y, z: x * x - y * z,
        ("zs_tile[",),
    ),
    "a row for all rows": Case(
        Map("ij,j->ij").tile(16, 64).to(Block).load(B, SH).tile(4, 4).to(Thread).load(B, RF).tile(1, 1).unroll.done,
        OF_ROWS,
        MATRICES,
        np.subtract,
        ("ys_tile[", "ys_registers["),
    ),
    "a number for each row": Case(
        Map("ij,i->ij").tile(16, 64).to(Block).load(A, SH).load(B, SH).tile(4, 4).to(Thread).tile(1, 1).done,
        OF_COLUMNS,
        MATRICES,
        lambda x, y: x - y[:, None],
        ("xs_tile[", "ys_tile["),
    ),
    "a row and a column": Case(
        Map("i,j->ij").tile(16, 64).to(Block).load(A, SH).tile(4, 4).to(Thread).layout(ColMajor).tile(1, 1).done,
        OUTER,
        MATRICES,
        np.subtract.outer,
        ("xs_tile[",),
    ),
    "a matrix by columns": Case(
        Map("ij->ji").tile(32, 32).to(Block).load(A, SH).pad(1).tile(4, 1).to(Thread).tile(1, 1).unroll.done,
        TRANSPOSED,
        MATRICES,
        lambda x: 2 * x.T,
        ("* 33",),
    ),
    "a matrix by columns, moved in tiles": Case(
        Map("ij->ji").tile(32, 16).to(Block)
        .load(A, SH, Move.tile(4, 1).to(Thread).tile(1, 1).unroll).tile(4, 1).to(Thread).tile(1, 1).done,
        TRANSPOSED,
        MATRICES,
        lambda x: 2 * x.T,
    ),
}  # fmt: skip
CASES: Final = {**MAPS}


def lowered(case: Case) -> Any:
    """The program of a case after its schedule."""
    result = case.schedule.strategy()(rise.parse(case.program).main)
    assert isinstance(result, Success), result.explain()
    return result.program


@pytest.mark.parametrize("name", CASES)
def test_a_schedule_computes_what_numpy_computes(name: str, cache: Path) -> None:
    case = CASES[name]
    program = lowered(case)
    random = np.random.default_rng(0)
    for sizes in case.sizes:
        at_sizes = rise.specialise(program, **sizes)
        kernel = shine.compile(at_sizes, target="cuda-sim", check=True, cache=str(cache))
        assert [word for word in case.words if word not in kernel.source] == []
        shapes = [tuple(_extents(one.type)) for one in kernel.procedure.inputs]
        arrays = [random.integers(-4, 5, shape).astype(np.float32) for shape in shapes]
        np.testing.assert_array_equal(kernel(*arrays), case.expected(*arrays))


def _extents(t: Any) -> list[int]:
    extents = []
    while hasattr(t, "element"):
        extents.append(t.size.constant)
        t = t.element
    return extents


@pytest.mark.parametrize("name", CASES)
def test_a_schedule_is_read_from_its_text(name: str) -> None:
    schedule = CASES[name].schedule
    assert read_schedule(str(schedule)) == schedule


@pytest.mark.parametrize("name", CASES)
def test_a_picture_has_each_step_and_array(name: str) -> None:
    case = CASES[name]
    program = rise.specialise(rise.parse(case.program).main, **case.sizes[0])
    picture = case.schedule.picture(program)
    for region in case.schedule.regions(program):
        assert all(step.split(".")[-1] in picture for step in region.steps)
        assert all(str(matrix) in picture and matrix.bytes is not None for matrix in region.matrices)


def test_specifications_have_the_sizes_of_axes_by_letters() -> None:
    schedule = Map("ij,j->ij", i=64).tile(16, 64).to(Block).load(B, SH).tile(4, 4).to(Thread).tile(1, 1).done
    assert str(schedule).startswith("Map('ij,j->ij', i=64).tile(16, 64)")
    assert schedule.specs().splitlines() == [
        "Map('ij,j->ij', i=64)      // Map(i: 64, j: J)(GL, GL -> GL)(Kernel)",
        "  .tile(16, 64).to(Block)  // Map(i: 16, j: 64)(GL, GL -> GL)(Block)",
        "  .load(B, SH)             // Map(i: 16, j: 64)(GL, SH -> GL)(Block)",
        "  .tile(4, 4).to(Thread)   // Map(i: 4, j: 4)(GL, SH -> GL)(Thread)",
        "  .tile(1, 1)              // Map(i: 1, j: 1)(GL, SH -> GL)(Thread)",
        "  .done                    // Map(i: 1, j: 1)(GL, SH -> GL)(Thread)",
    ]
    assert Map(1024).tile(256).to(Block).specs().splitlines()[0].endswith("// Map(1024)(GL -> GL)(Kernel)")
    assert str(Map(1024)) == "Map(1024)"


MISTAKES: Final[dict[str, tuple[Callable[[], object], str]]] = {
    "a tile that does not divide": (
        lambda: Map.tile(256).to(Block).tile(3),
        "expected a tile with 16 or 32 or 64 or 128 or 256 elements, found 3",
    ),
    "a tile of rows and columns": (
        lambda: Map.tile(16, 16),
        "expected the elements of a tile, found tile(16, 16)",
    ),
    "a sum": (
        lambda: Map.tile(256).to(Block).split(4),
        "expected a sum to split, found Map(256)(GL -> GL)(Block)",
    ),
    "sums in registers": (
        lambda: Map.tile(256).to(Block).epilog(RF),
        "expected sums with an epilog, found Map(256)(GL -> GL)(Block)",
    ),
    "an operand that is not there": (lambda: Map.tile(256).to(Block).load(B, SH), "expected A, found 'B'"),
    "a padded row": (
        lambda: Map.tile(256).to(Block).load(A, SH).pad(1),
        "expected A to be copied as it is, since it is a row, found `load(A, SH).pad(1)`",
    ),
    "the end before a number": (
        lambda: Map.tile(256).to(Block).tile(4).to(Thread).done,
        "expected a specification that an instruction executes, found Map(4)(GL -> GL)(Thread)",
    ),
    "units of elements along columns": (
        lambda: Map.tile(256).to(Block).layout(ColMajor),
        "expected tiles of rows and columns to number in another order, found `tile(256).to(Block).layout(ColMajor)`",
    ),
    "sizes of other axes": (lambda: Map("M", "N"), "expected the sizes N of Map, found Map('M', 'N')"),
    "no arrow": (
        lambda: Map("i,j"),
        "expected the letters of operands and `->` before those of the result, found 'i,j'",
    ),
    "a missing letter": (
        lambda: Map("ik,kj->ij"),
        "expected no letters that are missing from the result of Map, found 'ik,kj->ij'",
    ),
    "a letter of no operand": (
        lambda: Map("i->ij"),
        "expected each axis of the result in an operand, found 'j' in none",
    ),
    "too many axes": (
        lambda: Map("ijk->ijk"),
        "expected at most 2 axes in the result, found 'ijk->ijk'",
    ),
    "a diagonal": (lambda: Map("ii->i"), "expected different letters for the axes of an array, found 'ii'"),
    "the size of another axis": (lambda: Map("i->i", j=4), "expected sizes of i, found one of j"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_an_error_is_one_diagnostic_with_a_hint(mistake: str) -> None:
    make, title = MISTAKES[mistake]
    with pytest.raises(StrategyError) as caught:
        make()
    assert caught.value.diagnostic.title == title
    assert caught.value.diagnostic.hint


def test_the_hint_names_the_steps_that_fit_a_map() -> None:
    with pytest.raises(StrategyError) as caught:
        Map("n,n->n").tile(256).to(Block).split(2)
    assert caught.value.diagnostic.notes == ("the specification here is Map(n: 256)(GL, GL -> GL)(Block)",)
    assert caught.value.diagnostic.hint == (
        "steps that fit here: tile(n) with 16 or 32 or 64 or 128 or 256 elements, to(Warp or Thread), "
        "load(A, SH), load(B, SH)"
    )


@pytest.mark.parametrize(
    ("schedule", "program", "found"),
    [
        (Map.tile(256).to(Block).tile(1).to(Thread).done, DIFFERENCE, "found no Map of 1 array"),
        (
            Map("n,n->n", n=64).tile(64).to(Block).tile(1).to(Thread).done,
            DIFFERENCE,
            "found Map(n: N)(GL, GL -> GL)",
        ),
        (Map.tile(256).to(Block).tile(1).to(Thread).done, TRANSPOSED, "found no Map of 1 array"),
    ],
)
def test_a_program_of_another_kind_fails_and_shows_both(schedule: Schedule, program: str, found: str) -> None:
    result = schedule.strategy()(rise.parse(program).main)
    assert isinstance(result, Failure)
    text = str(result.explain())
    assert f"expected {schedule.start} before all steps, {found}" in text
