"""Loops that are unrolled and jammed compute the same numbers, in the same order, and share inner loops."""

import numpy as np
import pytest

import rise
import shine
from tests.examples import THOROUGH, in_whole, some

#: several sums, one after the other, of which later ones use earlier ones; then a loop that stores
NORMALISED = """
val main = fun(xs: N.M.f32 => xs |> transpose |> mapPar(fun(column =>
  let middle = (column |> reduceSeq(add, 0.0)) / 8.0
  let spread = (column |> reduceSeq(fun(acc, x => let d = x - middle in acc + d * d), 1.0)) * middle
  let twice = spread + middle
  in column |> mapSeq(fun(x => (x - middle) / twice + spread)))) |> transpose |> unrollAndJam)
"""
#: one sum, and a computation with it
SUMS = (
    "val main = fun(xs: N.M.f32 =>"
    " xs |> transpose |> mapPar(fun(c => c |> reduceSeq(add, 1.0) |> sqrt)) |> unrollAndJam)"
)
#: rows that are not adjacent in memory
ROWS = "val main = fun(xs: N.M.f32 => xs |> mapPar(fun(row => row |> reduceSeq(add, 0.0))) |> unrollAndJam)"
#: sums of columns of each matrix
INNER = (
    "val main = fun(xs: 2.N.M.f32 => xs |> mapSeq(fun(m =>"
    " m |> transpose |> mapSeq(fun(c => c |> reduceSeq(add, 1.0) |> sqrt)))) |> unrollAndJam)"
)
#: neighbouring iterations read the same cache lines
WINDOWS = (
    "val main = fun(k: nat, xs: (N+k).f32 =>"
    " xs |> slide(k, 1) |> mapPar(fun(w => w |> reduceSeq(add, 0.0) |> sqrt)) |> unrollAndJam)"
)
#: sums of rows at indices that each iteration of the inner loop reads
CHOSEN = (
    "val main = fun(xs: 6.M.f32, at: N.i64 => at |> map(fun(i => xs |> idx(toIndexFromEitherEnd{6}(i)))) |> transpose"
    " |> mapPar(fun(c => c |> reduceSeq(add, 1.0) |> sqrt)) |> unrollAndJam)"
)
SHAPES = [(1, 1), (5, 31), (5, 32), (9, 70), (0, 40), (3, 0), (40, 129), (3, 1100), (2, 2049)]


def kernel(text: str, together: bool) -> shine.Kernel:
    return shine.compile(rise.parse(text).main, target="openmp", together=together)


@pytest.mark.parametrize("text", some([NORMALISED, SUMS, ROWS], 3), ids=some(["several", "one", "rows"], 3))
def test_results_do_not_change(text: str) -> None:
    apart, together = kernel(text, False), kernel(text, True)
    for shape in SHAPES if THOROUGH else SHAPES[-5:]:
        xs = np.abs(np.random.default_rng(3).standard_normal(shape)).astype(np.float32)
        np.testing.assert_array_equal(together(xs), apart(xs))


def test_rows_at_indices_that_are_read_are_added_together() -> None:
    """An index is read once for all columns of a block, and those of four rows before the rows are added."""
    apart, together = kernel(CHOSEN, False), kernel(CHOSEN, True)
    assert apart.source.count("toIndexFromEitherEnd_i64(at[n]") == 1
    blocks = _blocks(together.source[together.source.index("int kernel") :])
    assert [block.count("toIndexFromEitherEnd_i64(at[") for block in blocks] == [5, 5, 5]
    random = np.random.default_rng(4)
    for count, columns in SHAPES[-5:] if not THOROUGH else SHAPES:
        xs = np.abs(random.standard_normal((6, columns))).astype(np.float32)
        at = random.integers(-6, 6, count)
        np.testing.assert_array_equal(together(xs, at), apart(xs, at))
    with pytest.raises(rise.RiseError, match="index"):
        together(xs, np.array([1, 6, 2]))


@pytest.mark.parametrize(("text", "loops"), [(NORMALISED, 3), (SUMS, 1), (ROWS, 0)])
def test_inner_loops_run_once_per_block(text: str, loops: int) -> None:
    source = kernel(text, True).source
    body = source[source.index("int kernel") :]
    assert ("_block" in body) == (loops > 0)
    if loops:  # wide blocks, narrow ones, and the remainder, which is also a block
        wide, narrow, rest = _blocks(body)
        for block in (
            wide,
            narrow,
            rest,
        ):  # the first sum, of columns, takes four rows at a time, and the rest
            assert block.count("< N;") == loops - 1
            assert block.count("< N / 4;") == block.count("< N % 4;") == 1
        assert "[256]" in wide and "[128]" in narrow and "[128]" in rest and "m < M % 128;" in rest


def _blocks(source: str) -> tuple[str, str, str]:
    """The loop over wide blocks, the loop over narrow ones, and the code for the remaining columns."""
    _, wide, narrow = source.split("m_block = 0")
    narrow, rest = narrow.split("\n  if (")
    return wide, narrow, rest


def test_values_that_later_loops_use_are_computed_once_per_iteration() -> None:
    source = kernel(NORMALISED, True).source
    for block in _blocks(source):
        assert block.count("/ 8.0f") == 1


def test_inner_loops_need_not_be_divided_among_threads() -> None:
    """A page of columns is a wide block in an inner loop, but not enough for wide blocks on threads."""
    assert "M / 1024;" in kernel(INNER, True).source
    assert "4 * (M / 1024)" in kernel(SUMS, True).source
    xs = np.abs(np.random.default_rng(4).standard_normal((2, 5, 300))).astype(np.float32)
    np.testing.assert_array_equal(kernel(INNER, True)(xs), kernel(INNER, False)(xs))


@pytest.mark.parametrize("number", some(["f32", "f64"], 2))
def test_on_one_thread_a_block_has_a_page_of_sums(number: str) -> None:
    text = SUMS.replace("f32", number).replace("1.0", f"1.0{number}")
    alone = shine.compile(rise.parse(text).main, target="openmp", threads=1)
    columns = 8 * 4096 // int(number[1:])
    assert f"[{columns}]" in alone.source and f"M / {columns};" in alone.source and "[128]" in alone.source
    for shape in ((5, 31), (9, 600), (3, 1100), (2, 2049), (0, 1030)):
        xs = np.abs(np.random.default_rng(3).standard_normal(shape)).astype(
            {"f32": "f4", "f64": "f8"}[number]
        )
        np.testing.assert_array_equal(alone(xs), kernel(text, False)(xs))


def test_windows_are_not_wide() -> None:
    source = kernel(WINDOWS, True).source
    assert "[32]" in source and "[256]" not in source


#: each row times the columns of a narrow matrix
CHANNELS = (
    "val main = fun(xs: N.C.f32, f: C.{}.f32 => xs |> mapPar(fun(row => f |> transpose |> mapSeq(fun(c =>"
    " zip(row, c) |> reduceSeq(fun(acc, p => acc + fst(p) * snd(p)), 0.0))))) |> unrollAndJam)"
)


@in_whole("test_inner_loops_need_not_be_divided_among_threads")
def test_few_channels_form_one_block() -> None:
    """Unless they are too few, or run on different threads."""
    six = kernel(CHANNELS.format(6), True)
    assert "[6]" in six.source
    assert "[2]" not in kernel(CHANNELS.format(2), True).source
    on_threads = "val main = fun(f: C.6.f32 => f |> transpose |> mapPar(reduceSeq(add, 0.0)) |> unrollAndJam)"
    assert "[6]" not in kernel(on_threads, True).source
    rng = np.random.default_rng(5)
    xs, f = (rng.standard_normal(shape).astype(np.float32) for shape in ((3, 7), (7, 6)))
    np.testing.assert_array_equal(six(xs, f), kernel(CHANNELS.format(6), False)(xs, f))


@pytest.mark.parametrize(
    ("condition", "together"),
    some([("snd(p)", False), ("fst(p) > 0.0", True)], 2),
)
def test_rows_that_a_condition_chooses_are_added_one_by_one(condition: str, together: bool) -> None:
    """Compilers write a loop for each combination of conditions that lanes share, which takes them minutes for four
    rows at a time.
    """
    text = (
        "val main = fun(xs: N.M.f32, bs: N.bool => xs |> transpose |> mapPar(fun(c => zip(c, bs)"
        f" |> reduceSeq(fun(acc, p => acc + (if {condition} then fst(p) else 0.0)), 0.0))) |> unrollAndJam)"
    )
    chosen = kernel(text, True)
    assert ("< N / 4;" in chosen.source) == together != ("< N;" in chosen.source)
    for n, m in ((0, 3), (9, 70), (40, 300)):
        rng = np.random.default_rng(n)
        xs, bs = rng.integers(-9, 9, (n, m)).astype(np.float32), rng.random(n) < 0.5
        kept = (
            np.ones((n, m))
            * (bs[:, None] if "snd" in condition else True)
            * (xs > 0 if "fst" in condition else True)
        )
        np.testing.assert_array_equal(chosen(xs, bs), (xs * kept).sum(axis=0))


def test_loops_of_each_part_of_a_pair_may_be_changed() -> None:
    """A pair of numbers is computed part by part, after the term that allows the changes was read."""
    sums = "xs |> transpose |> mapPar(fun(c => c |> reduceSeq(add, 1.0) |> sqrt)) |> toMem(Local)"
    parts = f"pair(2.0, pair((let s = {sums} in idx(1, s)), 3.0))"
    text = f"val main = fun(xs: N.100.f32 => {parts} |> unrollAndJam)"
    apart, together = kernel(text, False), kernel(text, True)
    assert "[32]" in together.source  # sums of adjacent columns
    assert "[32]" not in apart.source
    xs = np.abs(np.random.default_rng(3).standard_normal((5, 100))).astype(np.float32)
    np.testing.assert_array_equal(together(xs)[1][0], apart(xs)[1][0])


@pytest.mark.parametrize(("number", "together"), [("min(x, 0.5)", False), ("x + 1.0", True)])
def test_maxima_of_chosen_numbers_take_one_row_at_a_time(number: str, together: bool) -> None:
    """The time that gcc takes grows by a factor of four with each row: 10 s for four."""
    text = (
        "val main = fun(xs: N.M.f32 => xs |> transpose |> mapPar(fun(c => c"
        f" |> reduceSeq(fun(acc, x => max({number}, acc)), 0.0))) |> unrollAndJam)"
    )
    found = kernel(text, True)
    assert ("< N / 4;" in found.source) == together != ("< N;" in found.source)
    xs = np.random.default_rng(3).random((9, 300)).astype(np.float32)
    np.testing.assert_array_equal(found(xs), kernel(text, False)(xs))
