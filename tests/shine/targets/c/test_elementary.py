"""Functions that the C text writes out itself: how far off they are, on numbers of every size. Knows no program."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import elevate
import rise
import shine
import strategies

EDGES = np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan], np.float32)
#: the greatest x of which exp is a number, the least of which it is not 0, and the same of log's results
ENDS = np.array(
    [88.722839, 88.72284, -103.97208, -103.97284, -87.33655, 1e-45, 1.17549435e-38, 3e38], np.float32
)
FUNCTIONS: dict[str, tuple[Callable[[Any], Any], float]] = {
    "exp": (np.exp, 1.0),
    "log": (np.log, 0.9),
    "tanh": (np.tanh, 1.5),
}


@cache
def kernel(name: str) -> Any:
    result = strategies.load("strategies.sequential:sequential")(
        rise.parse(f"fun(xs: N.f32 => xs |> map({name}))").main
    )
    assert isinstance(result, elevate.Success)
    return shine.compile(result.program, target="openmp")


def everywhere() -> NDArray[np.float32]:
    """Bits in even steps over all there are, numbers around 0 and 1, and the ends."""
    bits = np.arange(0, 2**32, 40_009, dtype=np.uint64).astype(np.uint32)
    near = np.linspace(-110, 110, 20_001, dtype=np.float32)
    one = 1 + np.arange(-500, 500, dtype=np.float32) * np.float32(2.0**-23)
    ends = np.concatenate([ENDS, *(np.nextafter(ENDS, np.float32(way)) for way in (-np.inf, np.inf))])
    return np.concatenate([bits.view(np.float32), near, one, ends.astype(np.float32), EDGES])


@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_as_near_as_it_says(name: str) -> None:
    function, ulps = FUNCTIONS[name]
    xs = everywhere()
    found = kernel(name)(xs)
    with np.errstate(all="ignore"):
        right = function(xs.astype(np.float64))
        rounded = right.astype(np.float32)
    finite = np.isfinite(rounded) & np.isfinite(found)
    np.testing.assert_array_equal(found[~finite], rounded[~finite])
    unit = np.spacing(np.abs(rounded[finite])).astype(np.float64)
    off = np.abs(found[finite].astype(np.float64) - right[finite]) / unit
    # just below a power of two the unit of the rounded number is twice that of the right one
    assert off.max() <= ulps, xs[finite][off.argmax()]


def test_a_vector_and_half_precision_take_the_same_way() -> None:
    program = rise.parse("fun(xs: N.f16 => xs |> map(exp))").main
    result = strategies.load("strategies.sequential:sequential")(program)
    assert isinstance(result, elevate.Success)
    half = shine.compile(result.program, target="openmp")
    xs = np.linspace(-12, 11, 999, dtype=np.float16)
    np.testing.assert_allclose(half(xs), np.exp(xs.astype(np.float64)), rtol=2**-10, atol=2**-24)
    assert "exp_f32" in half.source and "expf(" not in half.source
