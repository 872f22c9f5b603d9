"""Loops that are split at borders, or marked for C compilers: iterations and results do not change."""

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import elevate
import rise
import shine
import strategies
from tests.examples import examples, in_whole

SIDES = st.integers(1, 12)
#: programs whose loops have borders, on a row or on an image
ROWS = {
    "clamped": "fun(xs: N.f32 => xs |> padClamp(1, 2) |> slide(4, 1) |> map(reduce(add, 0.0)))",
    "blank": "fun(xs: N.f32 => xs |> padCst(2, 1, 0.0) |> slide(4, 1) |> map(reduce(max, -inf)))",
    "blocks": "fun(xs: N.f32 => xs |> padClamp(1, 1) |> slide(3, 1)"
    " |> map(fun(w => idx(0, w) + 2.0 * idx(2, w))))",
    "concatenated": "fun(xs: N.f32 => concat(take(1, xs), xs) |> slide(2, 1) |> map(reduce(add, 0.0)))",
}
PICTURES = {
    "clamped": "xs |> map(padClamp(1, 1)) |> padClamp(1, 1)",
    "blank": "xs |> map(padCst(1, 1, 0.5)) |> padCst(1, 1, generate(fun(i => 0.25)))",
}
AROUND = (
    "|> map(slide(3, 1)) |> slide(3, 1) |> map(transpose) |> map(map(fun(w => join(w) |> reduce(add, 0.0))))"
)


@cache
def built(program: str, **options: Any) -> tuple[Any, Any]:
    term = rise.parse(program).main
    result = strategies.load(shine.TARGETS["openmp"].strategy)(term)
    assert isinstance(result, elevate.Success)
    return term, shine.compile(result.program, target="openmp", **options)


def assert_bits(program: str, *arguments: Any) -> None:
    """Assert that the results with and without split borders equal the meaning of the program, bit by bit."""
    term, kernel = built(program, check=True)
    _, plain = built(program, borders=False)
    found = kernel(*arguments)
    np.testing.assert_array_equal(found, rise.evaluate(term, *arguments))
    np.testing.assert_array_equal(found, plain(*arguments))


@given(size=st.integers(1, 100), name=st.sampled_from(sorted(ROWS)))
@settings(max_examples=examples(40), deadline=None)
def test_rows_of_any_size_are_computed_with_split_borders(size: int, name: str) -> None:
    xs = np.random.default_rng(size).integers(-9, 9, size).astype(np.float32)
    assert_bits(ROWS[name], xs)


@in_whole("test_rows_of_any_size_are_computed_with_split_borders")
@given(rows=SIDES, columns=SIDES, name=st.sampled_from(sorted(PICTURES)))
@settings(max_examples=examples(40), deadline=None)
def test_images_of_any_size_are_computed_with_split_borders(rows: int, columns: int, name: str) -> None:
    xs = np.random.default_rng(rows).integers(-9, 9, (rows, columns)).astype(np.float32)
    assert_bits(f"fun(xs: M.N.f32 => {PICTURES[name]} {AROUND})", xs)


def test_there_are_no_conditions_between_borders() -> None:
    _, kernel = built(f"fun(xs: M.N.f32 => {PICTURES['clamped']} {AROUND})")
    middle = kernel.source.split("#pragma omp parallel for")[1]
    inner = middle[middle.index("< N - 2;") :].split("for (int64_t")[1]
    assert "min_i64" not in inner and "max_i64" not in inner and "?" not in inner


def test_a_loop_without_borders_is_not_split() -> None:
    _, kernel = built("fun(xs: N.f32 => xs |> slide(3, 1) |> map(reduce(add, 0.0)))")
    assert kernel.source.count("for (int64_t") == 2


def test_a_window_is_unrolled_and_a_long_loop_is_not() -> None:
    _, kernel = built("fun(xs: N.f32 => xs |> slide(9, 1) |> map(reduce(add, 0.0)))")
    assert kernel.source.count("#pragma GCC unroll 9") == 1
    _, kernel = built("fun(xs: N.f32 => xs |> slide(20, 1) |> map(reduce(add, 0.0)))")
    assert "unroll" not in kernel.source


MANY = "fun(a: N.f32, b: N.f32, c: N.f32, d: N.f32 => zip(zip(a, b), zip(c, d)) |> map(fun(x, y => {})))"


def test_a_loop_over_many_arrays_is_vectorised() -> None:
    program = MANY.format("fst(x) * snd(x) + fst(y) * snd(y)")
    _, kernel = built(program)
    assert kernel.source.count("#pragma omp simd") == 1
    _, kernel = built("fun(a: N.f32, b: N.f32 => zip(a, b) |> map(add))")
    assert "simd" not in kernel.source


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 100])
def test_lanes_compute_the_same(size: int) -> None:
    program = MANY.format("fst(x) * snd(x) + fst(y) * snd(y)")
    term, kernel = built(program)
    rng = np.random.default_rng(size)
    arguments = [rng.standard_normal(size).astype(np.float32) for _ in range(4)]
    np.testing.assert_array_equal(kernel(*arguments), rise.evaluate(term, *arguments))


def test_a_running_sum_is_not_vectorised() -> None:
    program = "fun(m: f32, rows: M.N.f32 => rows |> map(fun(xs => xs |> scan(fun(a, x => a * m + x), 0.0))))"
    _, kernel = built(program)
    assert "simd" not in kernel.source
