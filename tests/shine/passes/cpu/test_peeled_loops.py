"""Loops whose first and last iterations are peeled, of which there may be more than iterations in total."""

import numpy as np
import pytest

import rise
import shine

#: vectors of 8 numbers, of which the first and the last contain borders
PADDED = """
val main = fun(xs: M.N.f32 => xs
  |> map(map(fun(x => x * x)) >> padClamp(1, 1) >> asVector(8) >> map(fun(v => v + v)) >> asScalar))
"""


@pytest.mark.parametrize("n", [6, 14, 22, 262, 270, 510, 518])
def test_one_vector_is_both_first_and_last(n: int) -> None:
    xs = np.random.default_rng(1).standard_normal((3, n)).astype(np.float32)
    found = shine.compile(rise.parse(PADDED).main, target="openmp", check=True)(xs)
    np.testing.assert_array_equal(found, 2 * np.pad(xs * xs, ((0, 0), (1, 1)), mode="edge"))
