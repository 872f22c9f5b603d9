"""Rows of known length on a GPU: their blocks read them once, keep them in registers, and compute what numpy does."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import FloatClass
from rise.scalars import SCALARS
from tests.examples import some
from tests.strategies.row_programs import (
    NOT_IN_PLACE,
    PROGRAMS,
    SCANS,
    layer_norm,
    softmax,
    sums,
    sums_from_the_end,
)

DEFAULT: Final = "strategies.gpu:blocksAndThreads"
SCHEDULES: Final = ("ascending", "descending", "random:1")
#: for accesses of 16, 8 and 4 bytes, with and without an incomplete turn, and primes
LENGTHS: Final = (32, 33, 100, 768, 997, 1000, 1022, 4095, 4096, 6144)


def lowered(function: Callable[..., Any], length: int) -> rise.Expr:
    """A program after the default strategy, for rows of a length."""
    program = rise.specialise(rise.program(function).main, N=length)
    return strategies.load(DEFAULT)(program).program  # type: ignore[no-any-return]  # of a strategy by name


def inputs(function: Callable[..., Any], length: int) -> list[Any]:
    """Random numbers of the types of a function, for rows of a length."""
    rng = np.random.default_rng(length)
    lengths = {"B": 2, "M": 3, "N": length}
    given = []
    for text in function.__annotations__.values():
        if text == "Any":
            continue
        *axes, element = text.strip("\"'").split(".")
        numbers = rng.standard_normal([lengths[axis] for axis in axes])
        given.append((8 * numbers if element == "i32" else numbers).astype(SCALARS[element].dtype))
    return given


CASES: Final = [(program, length) for program in PROGRAMS for length in LENGTHS]


@pytest.mark.parametrize(
    ("function", "length"), some(CASES, 12), ids=lambda one: one.__name__ if callable(one) else str(one)
)
def test_rows_are_read_once_and_kept_in_registers(function: Callable[..., Any], length: int) -> None:
    kernel = shine.compile(lowered(function, length), target="cuda-sim", check=True)
    given = inputs(function, length)
    expected = function(*given)
    for schedule in SCHEDULES:
        found = kernel.with_options(schedule=schedule)(*given)
        np.testing.assert_allclose(found, expected, rtol=2e-3, atol=2e-4)
    assert kernel.source.count("__global__") == 1
    for parameter in re.findall(r"const \w+\* __restrict__ (\w+)", kernel.source):
        assert len(re.findall(rf"\b{parameter}\[", kernel.source)) == 1


@pytest.mark.parametrize(("length", "bytes_of_access"), [(4096, 16), (1022, 8), (997, 4)])
def test_accesses_are_as_wide_as_the_length_allows(length: int, bytes_of_access: int) -> None:
    source = shine.compile(lowered(softmax, length), target="cuda-sim").source
    assert (f"vec<float, {bytes_of_access // 4}>*>(&x[" in source) == (bytes_of_access > 4)
    assert (f"vec<float, {bytes_of_access // 4}>*>(&output[" in source) == (bytes_of_access > 4)


def test_exponentials_and_divisions_are_computed_once() -> None:
    source = shine.compile(lowered(softmax, 4096), target="cuda-sim").source
    assert source.count("expf(") == 1
    assert source.count(" / ") == source.count("threadIdx.x / 32") + 1
    assert source.count("__syncthreads();") == 2


def test_a_row_that_registers_do_not_hold_is_read_again() -> None:
    source = shine.compile(lowered(layer_norm, 1 << 16), target="cuda-sim").source
    assert "x_registers" not in source


def test_rows_that_are_not_read_in_place_are_not_distributed() -> None:
    """A thread cannot read the registers of another warp."""

    for function in NOT_IN_PLACE:
        kernel = shine.compile(lowered(function, 96), target="cuda-sim", check=True)
        given = [np.abs(one) for one in inputs(function, 96)]
        np.testing.assert_allclose(kernel(*given), function(*given), rtol=1e-5)


def test_reciprocals_are_approximate() -> None:
    program = rise.specialise(rise.program(softmax).main, N=4096)
    assert strategies.load(DEFAULT)(program).float_class == FloatClass.APPROXIMATE


@pytest.mark.parametrize(
    ("function", "length"),
    some([(program, length) for program in SCANS for length in LENGTHS], 8),
    ids=lambda one: one.__name__ if callable(one) else str(one),
)
def test_scans_read_rows_once(function: Callable[..., Any], length: int) -> None:
    kernel = shine.compile(lowered(function, length), target="cuda-sim", check=True)
    given = inputs(function, length)
    for schedule in SCHEDULES:
        found = kernel.with_options(schedule=schedule)(*given)
        np.testing.assert_allclose(found, function(*given), rtol=1e-3, atol=1e-3)
    reads = len(re.findall(r"\bx\[", kernel.source))
    # numbers that are read backwards are loaded one by one
    assert reads == 1 or (function is sums_from_the_end and reads <= 4)


def test_scans_move_16_bytes_at_a_time() -> None:
    source = shine.compile(lowered(sums, 4096), target="cuda-sim").source
    assert "vec<float, 4>*>(&x[" in source and "vec<float, 4>*>(&output[" in source
    assert "__launch_bounds__(256)" in source and "x_tile" not in source
    assert source.count("__syncthreads();") == 2
