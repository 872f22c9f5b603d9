"""Dependent arrays: their types, their text, the meaning of programs over them, and messages for wrong ones."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
from rise.natural_values import evaluate_natural
from rise.naturals import NatBound, NatVar, const, nat, var
from rise.quotients import ceiling_quotient, minimum
from rise.size_functions import SizeTable, size_at, size_map, size_sum
from tests.examples import examples
from tests.snapshot_files import read_snapshots, write_snapshots

F = np.float32
TRIANGLE = """fun(a: N..(i |-> (i + 1).f32), x: N.f32 =>
  a |> depMap(fun(i: nat, row => zip(row, x |> take(i + 1)) |> map(mul) |> reduce(add, 0.0))))"""
SUMS = """fun({len: nat -> nat}, rows: N..(i |-> len(i).f32) =>
  rows |> depMap(fun(i: nat, row => row |> reduce(add, 0.0))))"""
CSR = """fun({len: nat -> nat}, rows: N..(i |-> len(i).(idx[M], f32)), x: M.f32 =>
  rows |> depMap(fun(i: nat, row => row |> map(fun(p => snd(p) * (x |> idx(fst(p))))) |> reduce(add, 0.0))))"""
SCALE = """fun(rows: N..(i |-> LENGTH.f32) =>
  rows |> depMap(fun(i: nat, row => row |> map(fun(x => x + x)))))"""


def ragged(*lengths: int) -> list[Any]:
    """Rows that number their elements from 0 on."""
    ends = np.cumsum([0, *lengths])
    return [np.arange(a, b, dtype=F) for a, b in pairwise(ends)]


def same(found: Any, expected: Any) -> None:
    """Whether arrays, or lists of them, are equal."""
    assert type(found) is type(expected)
    if isinstance(found, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            same(one, other)
    else:
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-6)


def message(call: Callable[[], Any]) -> str:
    """The message for an error."""
    with pytest.raises(rise.RiseError) as caught:
        call()
    return str(caught.value)


TYPES = {
    TRIANGLE: "{N: nat} -> N..(i |-> (i + 1).f32) -> N.f32 -> N.f32",
    SUMS: "{N: nat} -> {len: nat -> nat} -> N..(i |-> len(i).f32) -> N.f32",
    CSR: "{N: nat} -> {M: nat} -> {len: nat -> nat} -> N..(i |-> len(i).(idx[M], f32)) -> M.f32 -> N.f32",
    SCALE.replace("LENGTH", "(2 * i)"): "{N: nat} -> N..(i |-> (2 * i).f32) -> N..(i |-> (2 * i).f32)",
    "fun(xs: N..(i |-> M.f32) => xs)": "{N: nat} -> {M: nat} -> N.M.f32 -> N.M.f32",
    "fun(xs: N..(i |-> (i * i).f32) => depJoin(xs))": (
        "{N: nat} -> N..(i |-> (i^2).f32) -> (N^3 /^ 3 + N /^ 6 - N^2 /^ 2).f32"
    ),
    "fun({len: nat -> nat}, xs: N..(i |-> (len(i) + 1).f32) => depJoin(xs))": (
        "{N: nat} -> {len: nat -> nat} -> N..(i |-> (len(i) + 1).f32) -> (N + sum(N, len)).f32"
    ),
    "type Rows[n, len: nat -> nat] = n..(i |-> len(i).f32)\nval f = fun(xs: Rows[N, (i |-> 2 * i)] => xs)": (
        "{N: nat} -> N..(i |-> (2 * i).f32) -> N..(i |-> (2 * i).f32)"
    ),
    "fun(xs: N.f32 => depSlide(4, 2, xs))": "{N: nat} -> N.f32 -> ceil(N, 2)..(i |-> min(N - 2 * i, 4).f32)",
    "fun(xs: N..(i |-> i.f32), ys: N..(i |-> i.i32) => depZip(xs, ys))": (
        "{N: nat} -> N..(i |-> i.f32) -> N..(i |-> i.i32) -> N..(i |-> (i.f32, i.i32))"
    ),
}


@pytest.mark.parametrize("text", TYPES)
def test_the_type_and_the_text(text: str) -> None:
    e = rise.parse(text).main
    assert str(e.type) == TYPES[text]
    assert rise.parse_expr(rise.show(e)) == e


def test_undetermined_lengths_of_rows_become_a_function_of_sizes() -> None:
    joined = rise.parse_expr("depJoin")
    assert str(joined.type) == "{n: nat} -> {f: nat -> nat} -> {t: data} -> n..(i |-> f(i).t) -> sum(n, f).t"
    assert rise.parse_expr(rise.show(joined)) == joined
    program = rise.parse("val all = fun(xs => depJoin(xs))\nval main = fun(xs: 4..(i |-> i.f32) => all(xs))")
    assert str(program.main.type) == "4..(i |-> i.f32) -> 6.f32"
    assert rise.evaluate(program.main, ragged(0, 1, 2, 3)).tolist() == [0, 1, 2, 3, 4, 5]


def test_rows_have_the_lengths_that_the_type_states() -> None:
    triangle, x = rise.parse(TRIANGLE).main, np.array([1, 10, 100], F)
    rows = ragged(1, 2, 3)
    for given_rows in (rows, np.concatenate(rows), rise.Ragged(np.concatenate(rows), [1, 2, 3])):
        assert rise.evaluate(triangle, given_rows, x).tolist() == [0, 21, 543]
    assert rise.obligations(triangle) == []


def test_lengths_are_solved_from_rows_or_passed() -> None:
    sums, rows = rise.parse(SUMS).main, ragged(2, 0, 3)
    assert rise.evaluate(sums, rows).tolist() == [1, 0, 9]
    flat = np.concatenate(rows)
    assert rise.evaluate(sums, flat, sizes={"N": 3, "len": [2, 0, 3]}).tolist() == [1, 0, 9]
    assert rise.evaluate(rise.specialise(sums, N=3, len=[2, 0, 3]), flat).tolist() == [1, 0, 9]
    assert rise.evaluate(rise.specialise(sums, len="(i |-> i + 1)"), ragged(1, 2)).tolist() == [0, 3]


def test_pairs_of_rows_are_rows_of_pairs() -> None:
    text = "fun({len: nat -> nat}, rows: N..(i |-> len(i).(i32, f32)) => rows)"
    given_rows = ([np.array([1, 2], np.int32), np.array([], np.int32)], ragged(2, 0))
    first, second = rise.evaluate(rise.parse(text).main, given_rows)
    same(first, given_rows[0])
    same(second, given_rows[1])


@settings(max_examples=examples(50))
@given(
    terms=some.lists(some.tuples(some.integers(0, 4), some.integers(-3, 3)), max_size=4),
    count=some.integers(0, 8),
)
def test_a_sum_equals_its_terms_added_up(terms: list[tuple[int, int]], count: int) -> None:
    """In closed form, for a symbol, and value by value."""
    body = const(0)
    for exponent, factor in terms:
        power = const(factor)
        for _ in range(exponent):
            power = power * NatBound(0)
        body = body + power
    function = size_map("i", body)
    expected = sum(factor * i**exponent for i in range(count) for exponent, factor in terms)
    assert size_sum(count, function).constant == expected
    (name,) = var("n").free
    assert evaluate_natural(size_sum(var("n"), function), {name: count}) == expected


@given(tile=some.integers(1, 9), length=some.integers(0, 40))
def test_the_lengths_of_tiles_add_up_to_the_length_of_the_array(tile: int, length: int) -> None:
    n, (name,) = var("n"), var("n").free
    row = nat(NatBound(0))
    lengths = size_map("i", minimum(const(tile), n - tile * row))
    tiles = ceiling_quotient(n, const(tile))
    assert size_sum(tiles, lengths) is n
    at = NatVar("k", tiles)
    assert size_sum(nat(at), lengths) is tile * nat(at)
    found = [min(tile, length - tile * i) for i in range(-(-length // tile))]
    assert evaluate_natural(tiles, {name: length}) == len(found)
    assert sum(found) == length and all(sum(found[:k]) == tile * k for k in range(len(found)))


@given(values=some.lists(some.integers(0, 9), max_size=6), count=some.integers(0, 8))
def test_a_table_is_0_beyond_its_end(values: list[int], count: int) -> None:
    table = SizeTable(tuple(values))
    assert size_sum(count, table).constant == sum(values[:count])
    assert size_at(table, count).constant == (values[count] if count < len(values) else 0)
    assert size_map("i", size_at(table, nat(NatBound(0)))) is table


@given(
    values=some.lists(some.integers(0, 1 << 70), max_size=4),
    others=some.lists(some.integers(0, 3), max_size=4),
)
def test_tables_are_equal_by_their_values(values: list[int], others: list[int]) -> None:
    table, other = SizeTable(tuple(values)), SizeTable(tuple(others))
    assert SizeTable(tuple(values)) is table and pickle.loads(pickle.dumps(table)) is table
    assert table.values == tuple(values) and (table is other) == (values == others)


ROW_SUMS = "depMap(fun(i: nat, row => row |> reduce(add, 0.0)))"
FOUND = {
    f"K.M.N..(i |-> len(i).f32) => as |> map(map(fun(a => a |> {ROW_SUMS})))": "K.M.N.f32",
    f"K.M.N..(i |-> len(i).f32) => map(map(fun(a => a |> {ROW_SUMS})), as)": "K.M.N.f32",
    f"K.M.N..(i |-> len(i).f32) => as |> map(map({ROW_SUMS}))": "K.M.N.f32",
    f"M.N..(i |-> len(i).f32) => as |> map({ROW_SUMS})": "M.N.f32",
    f"K.M.N..(i |-> len(i).f32) => as |> map(fun(b => b |> map(fun(a => a |> {ROW_SUMS}))))": "K.M.N.f32",
    f"L.K.M.N..(i |-> len(i).f32) => as |> map(map(map(fun(a => let b = a in b |> {ROW_SUMS}))))": "L.K.M.N.f32",
    f"K.M.N..(i |-> len(i).f32) => as |> transpose |> map(map(fun(a => a |> {ROW_SUMS})))": "M.K.N.f32",
}


@pytest.mark.parametrize("text", FOUND)
def test_types_of_rows_in_nested_maps_are_inferred(text: str) -> None:
    e = rise.parse(f"fun({{len: nat -> nat}}, as: {text})").main
    assert str(e.type).endswith(f" -> {FOUND[text]}")
    assert rise.parse_expr(rise.show(e)) == e


SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "dependent_errors.txt"
MISTAKES: dict[str, Callable[[], Any]] = {
    "indices with a bound for each row": lambda: rise.evaluate(
        rise.parse(
            "fun(is: N..(i |-> (i + 1).idx[i + 1]) => is |> depMap(fun(i: nat, row => row |> map(indexAsInt))))"
        ).main,
        [np.array([0])],
    ),
    "rows of other lengths": lambda: rise.evaluate(
        rise.parse(TRIANGLE).main, ragged(3, 2, 1), np.zeros(3, F)
    ),
    "one row too many": lambda: rise.evaluate(rise.parse(TRIANGLE).main, ragged(1, 2, 3, 4), np.zeros(3, F)),
    "lengths that do not add up": lambda: rise.Ragged(np.arange(4), [1, 2]),
    "lengths that add up to more than 64 bits": lambda: rise.Ragged(np.arange(8), [2**62] * 4 + [8]),
    "fewer lengths than rows": lambda: rise.evaluate(
        rise.parse(SUMS).main, np.zeros(8, F), sizes={"N": 3, "len": [3, 5]}
    ),
    "fewer lengths than rows that are cut": lambda: rise.evaluate(
        rise.parse(
            "fun({len: nat -> nat}, n: nat, a: sum(n, len).f32 => partition{len}(n)(a) |> depJoin)"
        ).main,
        3,
        np.zeros(8, F),
        sizes={"len": [3, 5]},
    ),
    "one number as the values of rows": lambda: rise.Ragged(F(1), [1]),
    "a list as the values of rows": lambda: rise.Ragged([1, 2, 3], [3]),
    "windows that do not move": lambda: rise.parse("fun(xs: N.f32 => xs |> depSlide(4, 0))"),
    "windows that do not move in a call": lambda: rise.evaluate(
        rise.parse("fun(sp: nat, xs: N.f32 => xs |> depSlide(4, sp))").main, 0, np.zeros(4, F)
    ),
    "rows that differ under map": lambda: rise.parse("fun(a: N..(i |-> i.f32) => a |> map(reduce(add, 0)))"),
    "a negative length": lambda: rise.Ragged(np.arange(4), [5, -1]),
    "lengths for another flat array": lambda: rise.evaluate(
        rise.parse(SUMS).main, np.zeros(4, F), sizes={"N": 2, "len": [1, 2]}
    ),
    "no lengths": lambda: rise.evaluate(rise.parse(SUMS).main, np.zeros(4, F), sizes={"N": 2}),
    "rows of another type": lambda: rise.evaluate(rise.parse(SUMS).main, [np.zeros(2, F), np.zeros(2)]),
    "a batch of another size than is given": lambda: rise.evaluate(
        rise.parse("fun({len: nat -> nat}, as: M.N..(i |-> len(i).f32) => as)").main,
        [np.ones((5, 2), F), np.ones((5, 1), F)],
        sizes={"M": 2},
    ),
    "a batch as a list of lists": lambda: rise.evaluate(
        rise.parse("fun(b: M.N..(i |-> (i + 1).f32) => b)").main,
        [[np.zeros(1, F), np.zeros(2, F)], [np.zeros(1, F), np.zeros(2, F)]],
    ),
    "a function of sizes as a size": lambda: rise.parse("fun({len: nat -> nat}, xs: len.f32 => xs)"),
    "one type as a family": lambda: rise.parse("fun(xs: N..(f32) => xs)"),
    "a size as a function of sizes": lambda: rise.parse("fun(xs: (N*3).f32 => partition{3}(N, xs))"),
    "rows of other lengths than a function takes": lambda: rise.parse(
        "fun(xs: N..(i |-> i.f32) => xs |> depMap(fun(i: nat, row: (i + 1).f32 => row)))"
    ),
    "no size has this name": lambda: rise.parse("fun(xs: N..(i |-> length(i).f32) => xs)"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_error_messages(name: str) -> None:
    assert message(MISTAKES[name]) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == list(MISTAKES)


if __name__ == "__main__":
    write_snapshots(SNAPSHOTS, {name: message(call) for name, call in MISTAKES.items()})


@pytest.mark.parametrize("count", [0, 2])
def test_parts_of_one_length_are_ordinary_arrays(count: int) -> None:
    """As kernels return them: of rows that are paired with numbers, only the rows are a list."""
    text = "fun(a: N..(i |-> (i + 1).f32) => a |> depMap(fun(i: nat, row => (row, row |> reduce(add, 0.0)))))"
    rows, sums = rise.evaluate(rise.parse(text).main, ragged(*range(1, count + 1)))
    same(rows, ragged(*range(1, count + 1)))
    same(sums, np.array([0, 3][:count], F))
