"""Integers divided by zero on a GPU: the result is 0, and a check build stops."""

import numpy as np
import pytest

import rise
import shine

DIVISIONS = ("div(7, x)", "mod(7, x)", "floorDiv(7, x)", "floorMod(7, x)", "euclidMod(7, x)")


def kernel(division: str, target: str, **options: bool) -> shine.Kernel:
    """A kernel with one division for each number."""
    text = f"fun(xs: N.i32 => xs |> mapGlobal(0, fun(x => {division})))"
    return shine.compile(rise.parse(text).main, target=target, **options)


@pytest.mark.parametrize("division", DIVISIONS)
def test_a_quotient_by_zero_is_zero(division: str) -> None:
    found = kernel(division, "cuda-sim")(np.array([2, 0, -1], np.int32))
    assert found[1] == 0 and found[0] == (3 if "iv" in division else 1)


@pytest.mark.parametrize("division", DIVISIONS)
def test_a_check_build_stops_at_a_division_by_zero(division: str) -> None:
    assert "if (b == 0) __trap();" in kernel(division, "cuda", check=True).source
    assert "__trap" not in kernel(division, "cuda").source
