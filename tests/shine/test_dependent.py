"""Dependent arrays in kernels: triangles, ragged rows, sparse matrices, on every target; rejected programs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
import shine
from tests.examples import examples, in_turns
from tests.examples import some as some_of
from tests.rise.test_dependent import CSR, SCALE, SUMS, TRIANGLE, message, ragged, same
from tests.shine.executors import LOWERINGS, compiled, in_turn
from tests.snapshot_files import read_snapshots, write_snapshots

F = np.float32
BATCH = [np.array([[0], [10]], F), np.array([[1, 2], [11, 12]], F), np.array([[3, 4, 5], [13, 14, 15]], F)]
ROWS = [np.array([0], F), np.array([1, 2], F), np.array([3, 4, 5], F)]
#: some are sorted by ranks, one by its digits
LONG_ROWS = [np.sin(np.arange(length, dtype=F) ** 2) for length in (3, 0, 140, 1)]
X = np.array([1, 10, 100], F)
SPARSE = ([np.array([0, 2]), np.array([], np.int64), np.array([1])], ragged(2, 0, 1))

RAGGED = SCALE.replace("fun(rows", "fun({len: nat -> nat}, rows").replace("LENGTH", "len(i)")

PROGRAMS: dict[str, tuple[str, tuple[Any, ...]]] = {
    "a triangle times a vector": (TRIANGLE, (ROWS, X)),
    "the sums of ragged rows": (SUMS, (ROWS[::-1],)),
    "no rows": (SUMS, ([],)),
    "empty rows": (SUMS, (ragged(0, 3, 0, 0),)),
    "a sparse matrix times a vector": (CSR, (SPARSE, X)),
    "ragged rows, scaled": (
        SCALE.replace("fun(rows", "fun({len: nat -> nat}, rows").replace("LENGTH", "len(i)"),
        (ROWS[::-1],),
    ),
    "a triangle, scaled": (SCALE.replace("LENGTH", "(i + 1)"), (ROWS,)),
    "rows of pairs": (
        "fun(a: N..(i |-> (i + 1).f32), b: N..(i |-> (i + 1).f32) => depZip(a, b)"
        " |> depMap(fun(i: nat, p => zip(fst(p), snd(p)) |> map(add))))",
        (ROWS, ROWS),
    ),
    "rows behind each other": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows |> depJoin |> map(fun(x => x + 1.0)))",
        (ROWS,),
    ),
    "computed rows behind each other": (
        "fun(rows: N..(i |-> (i + 1).f32) =>"
        " rows |> depMap(fun(i: nat, row => row |> map(fun(x => x + 1.0)))) |> depJoin)",
        (ROWS,),
    ),
    "the diagonal of a triangle": (
        "fun(rows: N..(i |-> (i + 1).f32) => rows |> depMap(fun(i: nat, row => row |> idx(natAsIndex(i)))))",
        (ROWS,),
    ),
    "the order of each row": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows |> depMap(fun(i: nat, row => argsort(row))))",
        (LONG_ROWS,),
    ),
    "the order of each row of a batch": (
        "fun(rows: M.N..(i |-> (i + 1).f32) => rows |> map(depMap(fun(i: nat, row => argsort(row)))))",
        (BATCH,),
    ),
    "named orders": (
        "fun(rows: N..(i |-> (i + 1).f32) => let orders = rows |> depMap(fun(i: nat, row => argsort(row)))"
        " in orders |> depMap(fun(i: nat, order => order |> map(fun(j => indexAsInt(j) + 1)))))",
        (ROWS,),
    ),
    "products of each row, joined": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows"
        " |> depMap(fun(i: nat, row => row |> map(fun(x => row |> map(fun(y => x * y)))) |> join)))",
        (ROWS,),
    ),
    "a copy": ("fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows)", (ROWS,)),
    "windows, the last ones short": (
        "fun(xs: N.f32 => xs |> depSlide(4, 3) |> depMap(fun(i: nat, w => w |> reduce(add, 0.0))))",
        (np.arange(11, dtype=F),),
    ),
    "windows that are kept, of no closed form": (
        "fun(xs: N.f32 => xs |> depSlide(4, 3) |> depMap(fun(i: nat, w => w |> map(fun(x => x + 1.0)))))",
        (np.arange(11, dtype=F),),
    ),
    "rows that are padded": (
        "fun(rows: N..(i |-> (2 * ceil(i + 1, 2)).f32) => rows |> depMap(fun(i: nat, row => row |> map(sqrt))))",
        (ragged(2, 2, 4, 4, 6),),
    ),
    "lengths of which no part is a length": (
        SUMS.replace("{len: nat -> nat}, ", "").replace("len(i)", "(mod(i, 2) + 2)"),
        (ragged(2, 3, 2, 3),),
    ),
    "an array that is cut into rows of no closed form": (
        "fun(n: nat, a: sum(n, (i |-> i / 2 + 1)).f32 => partition{(i |-> i / 2 + 1)}(n, a)"
        " |> depMap(fun(i: nat, row => row |> reduce(add, 0.0))))",
        (4, np.arange(6, dtype=F)),
    ),
    "a batch of triangles times a vector": (
        TRIANGLE.replace("fun(a: N", "fun(as: M.N").replace("a |>", "as |> map(fun(a => a |>") + "))",
        (BATCH, X),
    ),
    "a batch of ragged rows, scaled": (
        "fun({len: nat -> nat}, b: M.N..(i |-> len(i).f32) =>"
        " b |> map(fun(a => a |> depMap(fun(i: nat, row => row |> map(fun(x => x + x)))))))",
        (BATCH,),
    ),
    "a batch of batches of triangles, scaled": (
        "fun(b: K.M.N..(i |-> (i + 1).f32) =>"
        " b |> map(map(fun(a: N..(i |-> (i + 1).f32) =>"
        " a |> depMap(fun(i: nat, row => row |> map(fun(x => x + x))))))))",
        ([np.stack([one, one + 20]) for one in BATCH],),
    ),
    "a batch of rows behind each other": (
        "fun({len: nat -> nat}, b: M.N..(i |-> len(i).f32) => b |> map(depJoin))",
        (BATCH,),
    ),
    "a batch of rows of pairs": (
        "fun({len: nat -> nat}, b: M.N..(i |-> len(i).(f32, f32)) =>"
        " b |> map(fun(a => a |> depMap(fun(i: nat, row => row |> map(add))))))",
        ((BATCH, BATCH),),
    ),
    "a batch of windows that are kept": (
        "fun(b: M.N.f32 => b |> map(fun(xs =>"
        " xs |> depSlide(4, 3) |> depMap(fun(i: nat, w => w |> map(fun(x => x + 1.0)))))))",
        (np.arange(22, dtype=F).reshape(2, 11),),
    ),
    "tiles and a rest": (
        "fun(xs: N.f32 => xs |> depTile(4, 0) |> depMap(fun(i: nat, tile =>"
        " tile |> map(fun(x => x + 1.0)))) |> depJoin)",
        (np.arange(11, dtype=F),),
    ),
    "tiles with the border that they need": (
        "fun(xs: (N + 2).f32 => xs |> depTile(4, 2) |> depMap(fun(i: nat, tile =>"
        " tile |> slide(3, 1) |> map(reduce(add, 0.0)))) |> depJoin)",
        (np.arange(11, dtype=F),),
    ),
    "sorted rows": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows |> depMap(fun(i: nat, row => row |> sort)))",
        (LONG_ROWS,),
    ),
    "a sorted triangle": (
        "fun(rows: N..(i |-> (i + 1).f32) => rows |> depMap(fun(i: nat, row => row |> sort)))",
        (ROWS,),
    ),
    "sums that are sorted and kept": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows |> depMap(fun(i: nat, row =>"
        " let sums = row |> scan(add, 0.0) |> sort in zip(row, sums) |> map(mul))))",
        (LONG_ROWS,),
    ),
    "columns of rows, sorted one after the other": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).2.f32) => rows |> depMap(fun(i: nat, row =>"
        " row |> transpose |> map(sort) |> transpose |> map(sort))))",
        ([np.stack([row, -row], 1) for row in LONG_ROWS],),
    ),
    "rows, sorted again for each number": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32), xs: 3.f32 => xs |> map(fun(x =>"
        " rows |> depMap(fun(i: nat, row => row |> map(mul(x)) |> sort |> reduce(fun(a, y => y - a), 0.0))))))",
        (LONG_ROWS, X),
    ),
    "rows that are stored": (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows |> depMap(fun(i: nat, row =>"
        " let s = row |> map(abs) |> reduce(add, 1.0) in row |> map(fun(x => x / s)))))",
        (ROWS,),
    ),
}


@pytest.mark.parametrize(("name", "target"), some_of(in_turn(PROGRAMS), 3))
def test_a_kernel_agrees_with_the_meaning_of_its_program(name: str, target: str) -> None:
    text, arguments = PROGRAMS[name]
    kernel = compiled(text, target, lower=True)
    expected = rise.evaluate(rise.parse(text).main, *arguments)
    same(kernel(*arguments), expected)
    same(kernel(*arguments), expected)


@settings(max_examples=examples(20), deadline=None)
@given(lengths=some.lists(some.integers(0, 5), max_size=6), flat=some.booleans())
def test_rows_of_any_lengths(lengths: list[int], flat: bool) -> None:
    rows = ragged(*lengths)
    kernel = shine.compile(
        rise.parse(SUMS.replace("depMap", "depMapSeq").replace("reduce(", "reduceSeq(")).main
    )
    found = (
        kernel(np.concatenate([np.zeros(0, F), *rows]), sizes={"len": lengths, "N": len(lengths)})
        if flat
        else kernel(rows)
    )
    same(found, rise.evaluate(rise.parse(SUMS).main, rows))


def test_remembered_calls_depend_on_all_lengths() -> None:
    """Many rows, of which a key only hashes a few; lengths that are changed in place after a call."""
    kernel, count = sums(), 500
    rows = rise.Ragged(np.arange(2 * count, dtype=F), [2] * count)
    lengths = rows.lengths
    for changed in range(4):
        lengths[2 * changed + 1 : 2 * changed + 3] = 1, 3
        ends = np.cumsum(lengths)
        wanted = [rows.values[end - length : end].sum() for end, length in zip(ends, lengths, strict=True)]
        assert kernel(rows).tolist() == wanted
        assert kernel(rows.values, sizes={"N": count, "len": lengths.astype(np.uint64)}).tolist() == wanted


@pytest.mark.parametrize(
    ("outer", "rows", "inner"),
    [
        ("mapBlock(0, ", "depMapThreads(0, ", "mapSeq("),
        ("mapBlock(1, ", "depMapBlock(0, ", "mapThreads(0, "),
        ("mapBlock(0, ", "depMapWarp(0, ", "mapLane(0, "),
        ("mapBlock(0, ", "depMapLane(0, ", "mapSeq("),
        ("mapGlobal(1, ", "depMapGlobal(0, ", "mapSeq("),
    ],
)
def test_rows_on_levels_of_a_gpu(outer: str, rows: str, inner: str) -> None:
    text = PROGRAMS["a batch of ragged rows, scaled"][0].replace("M.N", "M.3")  # the warps of a block
    low = (
        text.replace("row |> map(", f"row |> {inner}")
        .replace("depMap(", rows)
        .replace("b |> map(", f"b |> {outer}")
    )
    same(compiled(low, "cuda-sim")(BATCH), rise.evaluate(rise.parse(text).main, BATCH))


@pytest.mark.parametrize("target", ["interpret", "openmp"])
@pytest.mark.parametrize("maps", ["mapSeq depMapPar", "mapPar depMapSeq"])
def test_rows_of_a_batch_do_not_overlap(maps: str, target: str) -> None:
    outer, inner = maps.split()
    text = PROGRAMS["a batch of ragged rows, scaled"][0].replace("M.N", "M.3")  # the warps of a block
    low = (
        text.replace("row |> map", "row |> mapSeq")
        .replace("depMap(", f"{inner}(")
        .replace("b |> map", f"b |> {outer}")
    )
    same(compiled(low, target)(BATCH), rise.evaluate(rise.parse(text).main, BATCH))


INNER = """fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) => rows |> depMap(fun(i: nat, row =>
  generate(fun(j: idx[len(len(i))] => 1.0)) |> reduce(add, 0.0))))"""


@pytest.mark.parametrize("target", LOWERINGS)
def test_no_kernel_reads_beyond_the_starts_of_rows(target: str) -> None:
    flat = np.arange(8, dtype=F)
    kernel = compiled(SUMS, target, lower=True)
    for count in (3, 8, 1 << 40):
        with pytest.raises(rise.RiseError, match=f"expected N = {count} values of `len`, found 2"):
            kernel(flat, sizes={"N": count, "len": [3, 5]})
    same(kernel(flat, sizes={"N": 2, "len": [3, 5, 7]}), np.array([3, 25], F))
    inner = compiled(INNER, target, lower=True)  # values determine which values it reads
    given = {"N": 3, "len": [2, 1, 5]}
    same(inner(flat, sizes=given), rise.evaluate(rise.parse(INNER).main, flat, sizes=given))


@pytest.mark.parametrize("target", LOWERINGS)
def test_lengths_are_added_up_exactly(target: str) -> None:
    kernel = compiled(SUMS, target, lower=True)
    lengths = [1 << 62] * 4 + [8]
    with pytest.raises(rise.RiseError, match="fewer than 2\\^63 elements in total"):
        kernel(np.arange(8, dtype=F), sizes={"N": 5, "len": lengths})


CUT = """fun({len: nat -> nat}, n: nat, a: sum(n, len).f32 =>
  partition{len}(n, a) |> depMap(fun(i: nat, row => row |> map(fun(x => x + 1.0)))))"""


@pytest.mark.parametrize(("text", "target"), in_turns([CUT, CUT[:-1] + " |> depJoin)"], LOWERINGS))
def test_a_flat_array_is_split_by_given_lengths(text: str, target: str) -> None:
    kernel, flat = compiled(text, target, lower=True), np.arange(6, dtype=F)
    for lengths in ([1, 2, 3], [0, 6, 0]):
        given = {"len": lengths}
        same(kernel(3, flat, sizes=given), rise.evaluate(rise.parse(text).main, 3, flat, sizes=given))
    with pytest.raises(rise.RiseError, match="expected n = 4 values of `len`, found 3"):
        kernel(4, flat, sizes={"len": [1, 2, 3]})


def test_lengths_may_be_specialised() -> None:
    fixed = rise.specialise(
        rise.parse(SUMS.replace("depMap", "depMapSeq").replace("reduce", "reduceSeq")).main, len=[2, 0, 3]
    )
    kernel = shine.compile(fixed, target="interpret")
    same(kernel(ragged(2, 0, 3)), np.array([1, 0, 9], F))
    assert "row 1 to have 0 elements, found 1" in message(lambda: kernel(ragged(2, 1, 3)))


def test_a_loop_over_rows_reads_their_starts() -> None:
    e = rise.parse(RAGGED.replace("depMap", "depMapSeq").replace("map(", "mapSeq("))
    assert shine.compile(e.main, target="interpret").signature == (
        "kernel(rows: N..(i |-> len(i).f32)) -> N..(i |-> len(i).f32) for all N"
    )


def test_conditions_on_rows_are_checked_for_each_row() -> None:
    text = (
        "fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) =>"
        " rows |> depMapSeq(fun(i: nat, row => row |> take(2) |> reduceSeq(add, 0.0))))"
    )
    kernel = shine.compile(rise.parse(text).main, target="interpret")
    same(kernel(ragged(2, 3)), np.array([1, 5], F))
    with pytest.raises(rise.RiseError, match=r"len\(i\) >= 2"):
        kernel(ragged(2, 1))


SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "dependent_errors.txt"
MISTAKES: dict[str, Callable[[], Any]] = {
    "rows of other lengths than a triangle's": lambda: triangle()(ROWS[::-1], X),
    "one row too few": lambda: triangle()(ROWS[:2], X),
    "a flat array of another size": lambda: triangle()(np.arange(7, dtype=F), X),
    "rows of another type": lambda: triangle()([row.astype(np.float64) for row in ROWS], X),
    "lengths that do not add up to the flat array": lambda: sums()(
        np.arange(4, dtype=F), sizes={"len": [1, 2], "N": 2}
    ),
    "fewer lengths than rows": lambda: sums()(np.arange(8, dtype=F), sizes={"len": [3, 5], "N": 3}),
    "lengths, and no number of rows": lambda: sums()(np.arange(8, dtype=F), sizes={"len": [3, 5]}),
    "an array of another type, and no lengths": lambda: sums()(np.arange(4), sizes={"N": 2}),
    "a row that is too short": lambda: compiled(
        SUMS.replace("row |>", "row |> take(2) |>"), "interpret", lower=True
    )(ragged(2, 3, 1)),
    "no lengths": lambda: sums()(np.arange(4, dtype=F), sizes={"N": 2}),
    "rows that no formula places": lambda: compiled(
        "fun(xs: N..(i |-> (i + 4).f32) => xs |> depMapSeq(fun(i: nat, row => row |> depSlide(i + 1, 2)"
        " |> depMapSeq(fun(j: nat, w => w |> mapSeq(fun(x => x)))) |> toMem(Local)"
        " |> depMapSeq(fun(j: nat, w => w |> reduceSeq(add, 0.0))))))",
        "interpret",
    ),
    "rows of which more than the length differs": lambda: compiled(
        "fun(xs: N..(i |-> i.i.f32) => xs |> depMapSeq(fun(i: nat, r => 0.0)))", "interpret"
    ),
    "rows that are matrices of their own sizes": lambda: compiled(
        "fun(xs: N..(i |-> (i + 1).f32) => xs |> depMap(fun(i: nat, row => row |> map(fun(x => row)))))",
        "interpret",
        lower=True,
    ),
    "an index for each row": lambda: compiled(
        "fun(xs: N..(i |-> (i + 1).f32) => xs |> depMap(fun(i: nat, row => argmax(row))))",
        "interpret",
        lower=True,
    ),
    "an input of indices with a bound for each row": lambda: compiled(
        "fun(is: N..(i |-> (i + 1).idx[i + 1]) => is |> depMap(fun(i: nat, row => row |> map(indexAsInt))))",
        "interpret",
        lower=True,
    ),
    "rows of a batch in one that is too short": lambda: batch()([BATCH[0][:1], *BATCH[1:]]),
    "a batch of another size than is given": lambda: batch()(BATCH, sizes={"M": 5}),
    "a batch of rows of another type": lambda: batch()([BATCH[0], BATCH[1].astype(np.float64)]),
    "a dimension that lanes have not": lambda: compiled(
        SUMS.replace("depMap(", "depMapLane(3, "), "cuda-sim"
    ),
    "a batch as Ragged": lambda: batch()(rise.Ragged(np.zeros((2, 6), F), [1, 1])),
    "two inputs whose rows differ": lambda: csr()((SPARSE[0], ROWS), X),
}


def triangle() -> shine.Kernel:
    return compiled(TRIANGLE, "interpret", lower=True)


def sums() -> shine.Kernel:
    return compiled(SUMS, "interpret", lower=True)


def batch() -> shine.Kernel:
    return compiled(PROGRAMS["a batch of ragged rows, scaled"][0], "interpret", lower=True)


def csr() -> shine.Kernel:
    return compiled(CSR, "interpret", lower=True)


@pytest.mark.parametrize("name", MISTAKES)
def test_error_messages(name: str) -> None:
    assert message(MISTAKES[name]) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == list(MISTAKES)


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: message(call) for name, call in MISTAKES.items()})


def test_a_grid_over_rows_of_several_lengths() -> None:
    """Found by the soak: the length of a row determined the number of blocks, although it differs between rows."""
    text = (
        "fun(xs: 11.i32, ys: 38.i32 => depJoin(depMap(fun(i: nat, row: min(11 - 3 * i, 5).i32 => row),"
        " depSlide(5, 3, xs))) |> map(fun(x => ys |> map(fun(y => x * y)))))"
    )
    e = rise.parse(text).main
    xs, ys = np.arange(11, dtype=np.int32), np.arange(38, dtype=np.int32)
    found = shine.compile(e, target="cuda-sim", check=True)(xs, ys)
    assert (found == rise.evaluate(e, xs, ys)).all()
