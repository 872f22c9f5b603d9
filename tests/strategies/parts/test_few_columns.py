"""Sums of few columns: results for all sizes, and loops that read each row once, in the order of memory."""

import re
from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rise
import shine
from elevate import Success
from strategies.parts.few_columns import FewColumns
from strategies.parts.loop_order import LEAST_TOGETHER
from strategies.parts.machine_tiles import machine_of
from strategies.parts.products import nests
from strategies.parts.register_tiles import FillsTile
from tests.examples import examples, in_whole, some

DOT = "zip(a, b) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0i64)"
#: functions of a matrix of few columns, x, and a vector, y
PROGRAMS = {
    "sums": "x |> transpose |> map(reduce(add, 0i64))",
    "greatest": "x |> transpose |> map(reduce(max, 0i64))",
    "sums of squares": "x |> transpose |> map(fun(c => c |> map(fun(e => e * e)) |> reduce(add, 0i64)))",
    "halves of sums": "x |> transpose |> map(fun(c => reduce(add, 0i64, c) / 2i64))",
    "products with a vector": f"x |> transpose |> map(fun(a => y |> fun(b => {DOT})))",
    "two sums": (
        "x |> transpose |> map(fun(c =>"
        " reduce(add, 0i64, c) * (c |> map(fun(e => e * e)) |> reduce(add, 0i64))))"
    ),
    "product with itself": f"x |> transpose |> map(fun(a => x |> transpose |> map(fun(b => {DOT}))))",
    "product of rows": f"fun(z => z |> map(fun(a => z |> map(fun(b => {DOT})))))([y, y |> map(fun(e => e + 1i64))])",
}


@cache
def kernel(name: str, columns: int) -> shine.Kernel:
    return shine.compile(program(name, columns))


@cache
def program(name: str, columns: int) -> rise.Expr:
    return rise.parse(f"fun(x: N.{columns}.i64, y: N.i64 => {PROGRAMS[name]})").main


@in_whole("test_rows_are_read_in_the_order_of_memory")
@given(
    name=st.sampled_from(sorted(PROGRAMS)),
    columns=st.integers(2, 9),
    rows=st.integers(0, 70),
    seed=st.integers(0, 9),
)
@settings(max_examples=examples(100), deadline=None)
def test_results_are_the_meaning_at_any_size(name: str, columns: int, rows: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.integers(-9, 10, (rows, columns)), rng.integers(-9, 10, rows)
    np.testing.assert_array_equal(
        kernel(name, columns)(x, y),
        rise.evaluate(program(name, columns), x, y),
        f"{columns} columns, {rows} rows",
    )


@pytest.mark.parametrize("columns", some([2, 3, 8, 20], 5))
def test_rows_are_read_in_the_order_of_memory(columns: int) -> None:
    """The loop over columns is the innermost one, and reads neighbouring numbers."""
    for name in ("sums", "greatest", "products with a vector"):
        source = kernel(name, columns).source
        loop = re.search(rf"< {columns}; (\w+)\+\+\) {{\n *acc\[.*?\+ \1\] = .*?x\[(.*?)\]", source)
        assert loop is not None and loop[2].endswith(f"n * {columns} + {loop[1]}"), (name, source)


@pytest.mark.parametrize(
    ("shape", "expected"),
    some(
        [
            ("3", True),
            (f"{LEAST_TOGETHER - 1}", True),
            (f"{LEAST_TOGETHER}", False),
            ("1", False),
            ("M", False),
        ],
        2,
    ),
)
def test_columns_are_few_if_their_number_is_known_and_small(shape: str, expected: bool) -> None:
    e = rise.parse(f"fun(x: N.{shape}.f32 => x |> transpose |> map(reduce(add, 0.0)))").main
    written = rise.parse(
        f"fun(x: N.{shape}.f32 => x |> transpose |> map(fun(c => reduce(add, 0.0, c))))"
    ).main
    lowered = FewColumns(machine_of("znver2"))(written)
    assert isinstance(lowered, Success) and bool(lowered.steps) == expected
    assert shine.compile(e)(np.ones((5, 3 if shape == "M" else int(shape)), np.float32))[0] == 5


@pytest.mark.parametrize(
    ("rows", "columns", "length", "expected"),
    some(
        [
            (2, 2, "N", False),
            (8, 7, "N", False),
            (9, 2, "N", True),
            (2, 8, "N", True),
            (2, 2, "4", True),
            (2, 2, "1000", False),
            ("M", 2, "N", True),
        ],
        2,
    ),
)
def test_small_products_of_long_sums_are_not_tiled(
    rows: object, columns: int, length: str, expected: bool
) -> None:
    """Tiles would consist of padding; products of short rows take few operations in any case."""
    dot = "zip(a, b) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0)"
    nest = f"x |> map(fun(a => y |> map(fun(b => {dot}))))"
    e = rise.parse(f"fun(x: {rows}.{length}.f32, y: {columns}.{length}.f32 => {nest})").main
    product = next(nests(e))
    assert FillsTile(8).holds(product) == expected
    x, y = np.ones((3 if rows == "M" else int(str(rows)), 40)), np.ones((columns, 40))
    if length == "N":
        assert (shine.compile(e)(np.float32(x), np.float32(y)) == 40).all()
