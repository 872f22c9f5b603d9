"""Array literals of constants are declared as tables; short ones become comparisons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import rise
import shine
from rise.terms import Expr
from tests.examples import some
from tests.shine.executors import text_of

FIVE = "fun(xs: N.f32 => xs |> map(fun(x => [0.5, -0.0, nan, inf, 2.0] |> map(fun(w => w * x)))))"
ROWS = """fun(n: nat, is: n.idx[3] => is |> map(fun(i =>
  idx(i, [[1i64, 2i64], [3i64, 4i64], [5i64, 6i64]]))))"""
INDICES = """fun(xs: 32.f32 =>
  gather([{}], xs))""".format(", ".join(f"({(7 * i) % 32} : idx[32])" for i in range(20)))
TRUTHS = "fun(is: N.idx[6] => is |> map(fun(i => idx(i, [true, false, false, true, true, false]))))"


CPU = ("interpret", "openmp")


def numbers(e: Expr, *arguments: object, targets: Sequence[str] = CPU) -> NDArray[Any]:
    """The results of each target, which are equal."""
    results = [shine.compile(e, target)(*arguments) for target in targets]
    for result in results[1:]:
        np.testing.assert_array_equal(result, results[0])
        if results[0].dtype.kind == "f":
            np.testing.assert_array_equal(np.signbit(result), np.signbit(results[0]))
    return results[0]


def test_numbers_are_loaded_from_tables() -> None:
    e = rise.parse(FIVE).main
    xs = np.array([1, -3], np.float32)
    expected = np.array([0.5, -0.0, np.nan, np.inf, 2.0], np.float32) * xs[:, None]
    np.testing.assert_array_equal(numbers(e, xs, targets=(*CPU, "cuda-sim")), expected)
    assert "static const float constants[5] = {0.5f, -0.0f, NAN, INFINITY, 2.0f};" in text_of(e)


def test_rows_of_numbers_are_one_table() -> None:
    e = rise.parse(ROWS).main
    assert numbers(e, np.array([2, 0])).tolist() == [[5, 6], [1, 2]]
    assert "constants[6] = {1LL, 2LL, 3LL, 4LL, 5LL, 6LL}" in text_of(e)


def test_many_indices_are_one_table() -> None:
    xs = np.arange(32, dtype=np.float32)
    e = rise.parse(INDICES).main
    assert numbers(e, xs).tolist() == [float((7 * i) % 32) for i in range(20)]
    assert "int64_t constants[20] = {" in text_of(e)


def test_booleans_are_bytes() -> None:
    e = rise.parse(TRUTHS).main
    assert numbers(e, np.array([0, 1, 5, 3]), targets=("cuda-sim",)).tolist() == [True, False, False, True]
    assert "constants[6] = {true, false" in text_of(e)


@pytest.mark.parametrize("t", some(["f16", "bf16", "c64"], 3))
def test_numbers_without_constant_expressions_are_selected(t: str) -> None:
    e = rise.parse(f"fun(is: N.idx[6] => is |> map(fun(i => idx(i, [(1 : {t}), 2, 3, 4, 5, 6]))))").main
    assert numbers(e, np.array([4, 0])).astype(np.complex64).tolist() == [5, 1]
    assert "constants" not in text_of(e)


def test_the_same_numbers_are_declared_once() -> None:
    e = rise.parse(
        "fun(is: N.idx[5] => zip(is |> map(fun(i => idx(i, [1.0, 2.0, 3.0, 4.0, 5.0]))),"
        " is |> map(fun(i => idx(fromEnd(i), [1.0, 2.0, 3.0, 4.0, 5.0])))))"
    ).main
    assert text_of(e).count("static const") == 1


def test_few_numbers_are_selected_by_comparisons() -> None:
    e = rise.parse("fun(is: N.idx[4] => is |> map(fun(i => idx(i, [1.0, 2.0, 3.0, 4.0]))))").main
    assert numbers(e, np.array([3, 1])).tolist() == [4, 2]
    assert "constants" not in text_of(e)


def test_many_numbers_take_many_lines() -> None:
    values = [float(i) / 7 for i in range(500)]
    e = rise.parse(f"fun(is: N.idx[500] => is |> map(fun(i => idx(i, {values}))))").main
    assert numbers(e, np.array([499, 10])).tolist() == np.float32([values[499], values[10]]).tolist()
    assert max(map(len, text_of(e).splitlines())) <= 120
