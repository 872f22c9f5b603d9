"""Loops that read transposed matrices run in tiles: which ones do, and that results stay the same."""

# ruff: noqa: F722, F821, UP037
from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from rise.hardware import DEFAULT
from strategies.openmp import parallel
from strategies.parts.transposed_reads import tileTransposedReads
from tests import required_tools
from tests.examples import some

needs_openmp = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())
Function = Callable[..., Any]


def symmetric(x: N.N.f32):
    return (x + x.T) * 0.5


def difference(x: N.M.f64, y: M.N.f64):
    return y - x.T


def scaled(x: N.M.f32):
    return np.transpose(x) * 2


def transposed_last(x: N.M.f32, y: N.M.f32):
    return (x * y + 1).T


def copied(x: N.M.f32):
    return x.T


def of_both(x: N.M.f32, b: N.f32, c: M.f32):
    return x.T * c[:, None] + b


def interior(x: "(N + 2).(M + 2).f32", y: M.N.f32):
    return x[1:-1, 1:-1].T - y


def larger(x: N.M.f32, y: M.N.f32):
    return y < x.T


def bytes_(x: N.M.u8):
    return x.T + np.uint8(1)


def both(x: N.N.f32):
    return x + x.T, x - x.T


def below(x: N.M.f32, y: K.N.f32):
    return np.concatenate([x.T, y])


def named(x: N.N.f32):
    s = x + x.T
    return s - s.sum(axis=0)


def reversed_axes(x: N.M.K.f32, y: K.M.N.f32):
    return np.swapaxes(x, 0, 2) + y


def last_first(x: N.M.K.f32):
    return x.transpose(2, 0, 1)


def of_each(x: N.M.K.f32):
    return x.transpose(0, 2, 1) * 2


def first_last(x: N.M.K.f32):
    return x.transpose(1, 2, 0)


def of_four(x: N.M.K.L.f32):
    return x.transpose(3, 1, 2, 0) + 1


def in_order(x: N.M.f32, y: N.M.f32):
    return x + y


def rows_moved(x: N.M.K.f32):
    return x.transpose(1, 0, 2) * 2


def planes(x: "N.M.3.f32"):
    return x.transpose(2, 0, 1) * 2


def few_columns(x: "4.M.f32"):
    return x.T * 2


def in_cache(x: "64.100.f32"):
    return x.T * 2


def joined_columns(x: N.M.f32, y: M.K.f32):
    return np.concatenate([x[1:, :].T, y], axis=1)


def repeated(x: N.M.f32):
    return np.tile(x, 4)


def row_sums(x: N.M.f32):
    return x.T.sum(axis=1)


TILED = [
    symmetric,
    difference,
    scaled,
    transposed_last,
    copied,
    of_both,
    interior,
    larger,
    bytes_,
    both,
    below,
    named,
    reversed_axes,
    last_first,
    of_each,
    first_last,
    of_four,
]
#: sizes below, at and above those of tiles, and matrices that are not square
SIZES = [(1, 1), (15, 16), (16, 17), (64, 16), (63, 33), (65, 130), (130, 65), (200, 0)]


def tiles(function: Function) -> int:
    result = parallel()(rise.program(function).main)
    assert isinstance(result, Success)
    return sum(step.rule.name == "toMemLocal" for step in result.steps)


@pytest.mark.parametrize("function", some(TILED, 2))
def test_parts_of_transposed_matrices_are_copied(function: Function) -> None:
    assert tiles(function)


@pytest.mark.parametrize(
    "function", [in_order, rows_moved, planes, few_columns, in_cache, joined_columns, repeated, row_sums]
)
def test_other_programs_do_not_change(function: Function) -> None:
    main = rise.program(function).main
    result = tileTransposedReads(DEFAULT)(main)
    assert isinstance(result, Success)
    assert result.program is main


def test_a_tile_is_read_along_rows_of_the_matrix_and_written_along_those_of_the_result() -> None:
    source = shine.compile(rise.program(symmetric)).source
    assert (
        "x_tile[n_row * 64 + n_column] = x[(n_column_block * 64 + n_column) * N + n_row_block * 16 + n_row];"
        in source
    )
    assert (
        "output[at_n_row_n_column] = (x[at_n_row_n_column] + x_tile[n_row * 64 + n_column]) * 0.5f;" in source
    )


def test_rows_of_a_tile_are_a_cache_line_of_the_longest_numbers() -> None:
    for function, array in (
        (scaled, "float x_tile[1024]"),
        (difference, "double x_tile[512]"),
        (bytes_, "x_tile[4096]"),
    ):
        assert array in shine.compile(rise.program(function)).source
    assert "(m_block * 8 + m)" in shine.compile(rise.program(difference)).source


def test_columns_of_a_tile_follow_from_the_cache() -> None:
    smaller = replace(DEFAULT, l1=DEFAULT.l1 // 2)
    assert "float x_tile[512]" in shine.compile(rise.program(scaled), machine=smaller).source


def shapes_of(function: Function, n: int, m: int) -> list[tuple[tuple[int, ...], type]]:
    sizes = {"N": n, "M": m, "K": 3, "L": 17}
    if function in (reversed_axes, last_first, first_last):
        sizes = {"N": n, "M": 3, "K": m} if function is not first_last else {"N": n, "M": m, "K": 3}
    types = {"f32": np.float32, "f64": np.float64, "u8": np.uint8}
    found = []
    for name, annotation in function.__annotations__.items():
        if name != "return":
            *axes, number = annotation.strip("'\"").split(".")
            found.append((tuple(eval(axis, dict(sizes)) for axis in axes), types[number]))
    return found


@needs_openmp
@pytest.mark.parametrize("function", some(TILED, 13))
def test_kernels_compute_the_same_as_numpy(function: Function) -> None:
    kernel = shine.compile(rise.program(function), check=True)
    random = np.random.default_rng(1)
    for n, m in SIZES:
        arrays = [(random.standard_normal(s) * 100).astype(t) for s, t in shapes_of(function, n, m)]
        found, expected = kernel(*arrays), function(*arrays)
        for one, other in (
            zip(found, expected, strict=True) if isinstance(expected, tuple) else ((found, expected),)
        ):
            if function is named:
                np.testing.assert_allclose(one, other, rtol=1e-4, atol=1e-2)
            else:
                np.testing.assert_array_equal(one, other)


@needs_openmp
def test_known_sizes() -> None:
    def program(x: "100.130.f32", y: "130.100.f32"):
        return x.T + y

    assert tiles(program)
    random = np.random.default_rng(1)
    x, y = random.standard_normal((100, 130)), random.standard_normal((130, 100))
    x, y = x.astype(np.float32), y.astype(np.float32)
    np.testing.assert_array_equal(shine.compile(rise.program(program))(x, y), x.T + y)


def test_the_strategy_never_fails() -> None:
    unchanged = rise.parse("fun(x: N.f32 => x |> reduce(add, 0.0))").main
    result = tileTransposedReads(DEFAULT)(unchanged)
    assert isinstance(result, Success)
    assert result.program is unchanged
