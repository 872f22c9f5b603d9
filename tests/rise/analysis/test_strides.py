"""The strides of reductions are the distances of the numbers that they read, as found by evaluating on addresses."""

import numpy as np
import pytest

import rise
from rise.analysis.strides import Reduction, Step, joins_rows, reductions
from rise.naturals import const
from tests.examples import deep

# Each reads the elements of x : 4.6.8.f32 in another order, as an array of arrays of numbers.
READ = (
    "x |> join",
    "x |> map(join)",
    "x |> map(transpose) |> join",
    "x |> map(transpose) |> map(join)",
    "x |> transpose |> map(join)",
    "x |> transpose |> map(transpose) |> map(join)",
    "x |> join |> transpose",
    "x |> join |> join |> split(16)",
    "x |> join |> join |> split(16) |> transpose",
    "x |> transpose |> join |> map(drop(2))",
    "x |> join |> map(take(3)) |> transpose",
    "x |> join |> join |> slide(4, 2)",
    "x |> join |> join |> slide(4, 2) |> transpose",
    "x |> map(fun(m => idx(2, m)))",
    "x |> map(transpose) |> map(fun(m => idx(2, m)))",
    "x |> map(fun(m => m |> transpose |> map(fun(c => c)) |> join))",
    "x |> map(map(fun(r => concat(drop(1, r), take(1, r))))) |> map(join)",
    "x |> map(fun(m => concat(drop(1, m), take(1, m)))) |> map(join)",
)
SIZE = 4 * 6 * 8


def found(text: str) -> Reduction:
    program = rise.parse(
        f"fun(x: 4.6.8.f32 => {text} |> map(fun(row => row |> map(abs) |> reduce(max, 0.0))))"
    )
    (one,) = reductions(program.main)
    return one


@pytest.mark.parametrize("text", READ)
def test_strides_are_distances_of_addresses(text: str) -> None:
    one = found(text)
    at = np.array(rise.evaluate(rise.parse(f"fun(x: 4.6.8.i32 => {text})"), addresses()))
    assert one.along[0].distance in (None, const(int(at[0][1] - at[0][0])))
    assert one.across is not None and one.across[0].distance in (None, const(int(at[1][0] - at[0][0])))
    assert one.along[0].distance is not None or one.across[0].distance is not None
    is_even = len(set(np.diff(at[0]).tolist())) == 1
    assert (one.along[0].row is None) == is_even


def addresses() -> np.ndarray:
    return np.arange(SIZE, dtype=np.int32).reshape(4, 6, 8)


def test_rows_that_were_joined_have_their_size() -> None:
    assert found("x |> transpose |> map(join)").along == (Step(const(1), const(8)),)


@pytest.mark.parametrize("text", READ)
def test_only_terms_with_a_view_that_joins_rows_have_joined_rows(text: str) -> None:
    program = rise.parse(f"fun(x: 4.6.8.f32 => {text} |> map(reduce(max, 0.0)))").main
    assert joins_rows(program) is ("join" in text)
    has_rows = any(step.row is not None for one in reductions(program) for step in one.along)
    assert joins_rows(program) or not has_rows


def test_stored_values_are_read_as_they_are_stored() -> None:
    text = "transpose(x) |> map(map(abs)) |> toMem(Local)"
    program = rise.parse(f"fun(x: 4.6.f32 => ({text}) |> map(fun(row => row |> reduce(max, 0.0))))")
    (one,) = reductions(program.main)
    assert (one.along, one.across) == ((Step(const(1)),), (Step(const(4)),))


def test_a_named_view_is_read_like_the_view() -> None:
    text = "(fun(y => y |> map(fun(row => row |> reduce(max, 0.0)))))(transpose(x))"
    (one,) = reductions(rise.parse(f"fun(x: 4.6.f32 => {text})").main)
    assert one.along == (Step(const(6)),)


@pytest.mark.parametrize(
    "rows",
    [
        "x |> gather(at)",
        "at |> map(fun(i => x |> idx(i)))",
        "at |> map(fun(i => x |> map(fun(r => r)) |> idx(i)))",
    ],
)
def test_the_distance_of_rows_at_indices_in_memory_is_unknown(rows: str) -> None:
    columns = f"({rows}) |> transpose |> map(fun(c => c |> reduce(max, 0.0)))"
    (one,) = reductions(rise.parse(f"fun(x: 4.6.f32, at: 5.idx[4] => {columns})").main)
    assert (one.along, one.across) == ((Step(None),), (Step(const(1)),))


def test_only_the_innermost_loop_counts() -> None:
    text = "x |> map(fun(m => m |> reduceSeq(fun(a, row => a + (row |> reduce(add, 0.0))), 0.0)))"
    inner, outer = reductions(rise.parse(f"fun(x: 4.6.8.f32 => {text})").main)
    assert inner.across is None and inner.is_repeated
    assert outer.across is not None and outer.is_repeated


def test_both_arrays_of_a_zip_are_read() -> None:
    text = "zip(transpose(x), y) |> map(fun(p => zip(fst(p), snd(p)) |> map(mul) |> reduce(add, 0.0)))"
    (one,) = reductions(rise.parse(f"fun(x: 4.6.f32, y: 6.4.f32 => {text})").main)
    assert one.along == (Step(const(6)), Step(const(1)))
    assert one.across == (Step(const(1)), Step(const(4)))


@pytest.mark.parametrize(
    ("function", "first", "second"),
    [
        ("fun(s, m => join(m) |> reduce(add, s))", "snd(p)", "fst(p)"),
        ("fun(m, s => join(m) |> reduce(add, s))", "fst(p)", "snd(p)"),
        ("fun(n, m => join(m) |> reduce(add, 0.0))", "join(fst(p))", "fst(p)"),
    ],
)
def test_arguments_of_a_call_do_not_see_its_parameters(function: str, first: str, second: str) -> None:
    """The second argument was looked up among the parameters, and the third call raised ValueError."""
    text = f"zip(transpose(x), y) |> map(fun(p => {function}({first}, {second})))"
    (one,) = reductions(rise.parse(f"fun(x: 6.4.3.f32, y: 4.f32 => {text})").main)
    assert one.along == (Step(const(1), const(3)),) and one.across == (Step(const(3)),)


def test_a_long_pipeline_is_followed() -> None:
    steps = " |> transpose |> transpose" * deep(5000)
    (one,) = reductions(
        rise.parse(f"fun(x: 4.6.f32 => x{steps} |> map(fun(row => row |> reduce(add, 0.0))))").main
    )
    assert one.along == (Step(const(1)),)


def test_shared_numbers_are_followed_once() -> None:
    chain = " |> map(fun(v => if v < 1.0 then v + 1.0 else v * v))" * 60
    (one,) = reductions(
        rise.parse(f"fun(x: 4.6.f32 => x |> map(fun(row => row{chain} |> reduce(add, 0.0))))").main
    )
    assert one.along == (Step(const(1)),)


def test_a_map_recomputes_unstored_values_that_it_reads_repeatedly() -> None:
    sums = "x |> map(fun(row => row |> reduce(add, 0.0)))"
    each = "fst(p) |> map(fun(v => v / snd(p)))"
    for array, reader, is_demanded in (
        (sums, each, True),
        (sums, "snd(p)", False),
        (f"({sums}) |> toMem(Local)", each, False),
    ):
        text = f"fun(x: 4.6.f32 => zip(x, {array}) |> map(fun(p => {reader})))"
        (one,) = reductions(rise.parse(text).main)
        assert one.is_demanded == is_demanded
