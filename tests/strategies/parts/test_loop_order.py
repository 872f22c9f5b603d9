"""The default strategy computes each result along or across rows, whichever reads memory in order; results equal
numpy's.
"""

import re
from collections.abc import Callable

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from strategies import openmp
from strategies.parts.loop_order import ByRows, rowByRow, storeColumns
from tests.examples import in_turns, some

MATRIX = np.arange(7 * 70, dtype=np.float32).reshape(7, 70) % 11
CUBE = np.arange(3 * 5 * 70, dtype=np.float32).reshape(3, 5, 70) % 13
SUM = "reduce(add, 0.0)"


def lowered(text: str) -> rise.Expr:
    result = openmp.parallel()(rise.parse(text).main)
    assert isinstance(result, Success)
    return result.program


def in_strips(text: str) -> int:
    """The number of reductions with partial results."""
    return rise.show(lowered(text)).count("acc: 16.f32") + rise.show(lowered(text)).count("acc1: 16.f32")


@pytest.mark.parametrize(
    ("text", "strips"),
    some(
        [
            (f"fun(x: M.N.f32 => x |> map(fun(r => r |> {SUM})))", 1),
            (f"fun(x: M.N.f32 => x |> transpose |> map(fun(c => c |> {SUM})))", 0),
            # functions without explicit parameters
            (f"fun(x: M.N.f32 => x |> map({SUM}))", 1),
            (f"fun(x: B.M.N.f32 => x |> map(map({SUM})))", 1),
            (f"fun(x: B.M.N.f32 => x |> map(transpose) |> map(map({SUM})))", 0),
            # numbers combined with the sum do not change the order
            (
                f"fun(x: B.M.N.f32 => x |> map(fun(m => m |> transpose |> map(fun(c => (c |> {SUM}) / 2.0)))))",
                0,
            ),
            (f"fun(x: B.M.N.f32 => x |> map(fun(m => m |> map(fun(r => (r |> {SUM}) / 2.0)))))", 1),
            # the outer loop runs over columns of arrays, whose rows are dense
            (f"fun(x: B.M.N.f32 => x |> transpose |> map(fun(m => m |> map(fun(r => r |> {SUM})))))", 1),
            (f"fun(x: B.M.N.f32 => x |> transpose |> map(fun(m => m |> join |> {SUM})))", 1),
            (f"fun(x: B.M.N.f32 => x |> join |> transpose |> map(fun(c => c |> {SUM})))", 0),
            # rows at indices in memory are not adjacent
            (
                f"fun(x: M.N.f32, at: K.idx[M] => x |> gather(at) |> transpose |> map(fun(c => c |> {SUM})))",
                0,
            ),
            # three columns are summed together (test_few_columns.py), and rows of three are too short for partial
            # results
            (f"fun(x: M.3.f32 => x |> transpose |> map(fun(c => c |> {SUM})))", 0),
            (f"fun(x: M.3.f32 => x |> map(fun(r => r |> {SUM})))", 0),
            (f"fun(x: B.M.3.f32 => x |> transpose |> map(fun(m => m |> join |> {SUM})))", 0),
        ],
        2,
    ),
)
def test_a_reduction_has_partial_results_if_it_reads_memory_in_order(text: str, strips: int) -> None:
    assert in_strips(text) == strips


@pytest.mark.parametrize(
    ("text", "expected", "columns"),
    in_turns(
        [
            (
                f"fun(x: B.M.N.f32 => x |> map(fun(m => m |> transpose |> map(fun(c => (c |> {SUM}) / 2.0)))))",
                lambda x: x.sum(axis=1) / 2,
            ),
            (
                f"fun(x: B.M.N.f32 => x |> transpose |> map(fun(m => m |> join |> {SUM})))",
                lambda x: x.sum(axis=(0, 2)),
            ),
            (
                f"fun(x: B.M.N.f32 => x |> transpose |> map(fun(m => m |> join |> map(fun(v => v * v)) |> {SUM})))",
                lambda x: (x**2).sum(axis=(0, 2)),
            ),
            (
                f"fun(x: B.M.N.f32 => x |> join |> transpose |> map(fun(c => c |> {SUM})) |> reduce(max, 0.0))",
                lambda x: x.sum(axis=(0, 1)).max(),
            ),
            (
                "fun(x: B.M.N.f32 => x |> map(fun(m => m |> transpose |> map(fun(c =>"
                f" c |> {SUM})) |> reduce(min, inf))))",
                lambda x: x.sum(axis=1).min(axis=1),
            ),
        ],
        [1, 31, 70],
    ),
)
def test_results_agree_with_numpy(
    text: str, expected: Callable[[np.ndarray], np.ndarray], columns: int
) -> None:
    kernel = shine.compile(lowered(text), target="interpret")
    x = np.ascontiguousarray(CUBE[..., :columns])
    np.testing.assert_allclose(kernel(x), expected(x))


def test_results_of_columns_are_stored_before_they_are_reduced() -> None:
    text = f"fun(x: M.N.f32 => x |> transpose |> map(fun(c => c |> {SUM})) |> reduce(max, 0.0))"
    e = rise.parse(text).main
    stored = storeColumns(e)
    assert isinstance(stored, Success)
    assert rise.show(stored.program).count("toMem(Local)") == 1
    assert np.array_equal(rise.evaluate(stored.program, MATRIX), rise.evaluate(e, MATRIX))
    assert storeColumns(stored.program).program == stored.program


def test_results_of_rows_are_reduced_as_they_are_computed() -> None:
    text = f"fun(x: M.N.f32 => x |> map(fun(r => r |> {SUM})) |> reduce(max, 0.0))"
    e = rise.parse(text).main
    assert storeColumns(e).program == e


def test_joined_rows_that_are_adjacent_in_memory_stay_joined() -> None:
    e = rise.parse(f"fun(x: B.M.N.f32 => x |> map(fun(m => m |> join |> {SUM})))").main
    assert ByRows(rowByRow)(e).program == e


def test_joined_rows_are_reduced_row_by_row() -> None:
    e = rise.parse(f"fun(x: B.C.H.W.f32 => x |> transpose |> map(fun(p => p |> join |> join |> {SUM})))").main
    result = ByRows(rowByRow)(e)
    assert isinstance(result, Success)
    assert rise.show(result.program).count("reduce(add") == 2  # of planes, which are dense, and of their sums
    x = np.arange(2 * 3 * 4 * 5, dtype=np.float32).reshape(2, 3, 4, 5)
    assert np.array_equal(rise.evaluate(result.program, x), x.sum(axis=(0, 2, 3)))


@pytest.mark.parametrize(
    ("text", "arrays", "expected"),
    some(
        [
            (
                "fun(x: M.N.f32, b: N.f32 => x |> map(fun(r => zip(r, b) |> map(fun(p => fst(p) - snd(p)))))"
                f" |> join |> {SUM})",
                (MATRIX, MATRIX[0]),
                (MATRIX - MATRIX[0]).sum(),
            ),
            (
                f"fun(a: M.f32, b: N.f32 => a |> map(fun(v => b |> map(fun(w => v * w)))) |> join |> {SUM})",
                (MATRIX[:, 1], MATRIX[0]),
                np.outer(MATRIX[:, 1], MATRIX[0]).sum(),
            ),
            (
                f"fun(x: (M+1).(N+1).f32 => x |> drop(1) |> map(drop(1)) |> join |> {SUM})",
                (MATRIX,),
                MATRIX[1:, 1:].sum(),
            ),
            (  # of neighbours in each row: the index of a joined row would be divided to find the last one
                "fun(x: M.(N+1).f32 => zip(x, x |> map(fun(r => concat(drop(N, r), take(N, r)))))"
                " |> map(fun(p => zip(fst(p), snd(p)) |> map(fun(q => fst(q) * snd(q)))))"
                f" |> join |> {SUM})",
                (MATRIX,),
                (MATRIX * np.roll(MATRIX, 1, axis=1)).sum(),
            ),
            (
                f"fun(x: M.N.f32 => x |> padCst(1, 0, x |> idx(0) |> map(fun(v => -v))) |> join |> {SUM})",
                (MATRIX,),
                MATRIX[1:].sum(),
            ),
        ],
        5,
    ),
)
def test_rows_outside_of_loops_are_reduced_on_threads(
    text: str, arrays: tuple[np.ndarray, ...], expected: float
) -> None:
    kernel = shine.compile(lowered(text), target="openmp")
    assert re.search(r"[/%] \(?[MN]\b", kernel.source) is None
    assert kernel.source.count("omp parallel") == 2  # rows, and blocks of their sums
    assert kernel(*arrays) == expected


def test_extremes_beside_nan_read_an_array_once() -> None:
    """Whether all numbers are NaN is asked only if none was found, but together with the extremes of columns."""
    x = np.array([[np.nan, -1.0, 2.0, 3.0, 0.0], [np.nan, 1.0, np.nan, -3.0, np.inf]])
    of_all = shine.jit(lambda x: np.nanmax(x), threads=1).lower(x).source
    body = of_all[of_all.index("(int64_t") :]
    assert body.count("max_f64(") and body.index("max_f64(") < body.index("isnan_f64(x[")
    of_columns = shine.jit(lambda x: np.nanmax(x, axis=0), threads=1)
    assert "< N / 4;" in of_columns.lower(x).source, "rows together, without branches"
    np.testing.assert_array_equal(of_columns(x), np.array([np.nan, 1.0, 2.0, 3.0, np.inf]))


def test_tiles_are_written_in_the_order_of_memory() -> None:
    x = np.arange(6, dtype=np.int32).reshape(2, 3)
    tiled = shine.jit(lambda x: np.tile(x, 4), threads=1)
    source = tiled.lower(np.zeros((5, 6), np.int32)).source
    assert re.search(r"output\[.* \+ (\w+)\] = x\[.* \+ \1\];", source), source
    np.testing.assert_array_equal(tiled(x), np.tile(x, 4))
