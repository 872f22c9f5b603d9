"""Integers divided by zero on a GPU: the result is 0, and a check build stops."""

import re

import numpy as np
import pytest

import rise
import shine

DIVISIONS = ("div(7, x)", "mod(7, x)", "floorDiv(7, x)", "floorMod(7, x)", "euclidMod(7, x)")


@pytest.fixture(scope="module")
def program() -> rise.Expr:
    """All divisions of each number."""
    return rise.parse(f"fun(xs: N.i32 => xs |> mapGlobal(0, fun(x => [{', '.join(DIVISIONS)}])))").main


def test_quotients_by_zero_are_zero(program: rise.Expr) -> None:
    found = shine.compile(program, target="cuda-sim")(np.array([2, 0, -1], np.int32))
    assert found[1].tolist() == [0] * 5
    assert found[0].tolist() == [3 if "iv" in division else 1 for division in DIVISIONS]


def test_a_check_build_stops_at_a_division_by_zero(program: rise.Expr) -> None:
    checked = shine.compile(program, target="cuda", check=True).source
    assert "__trap" not in shine.compile(program, target="cuda").source
    for name in re.findall(r"\w+(?=\()", " ".join(DIVISIONS)):
        assert f" {name}_i32(int a, int b) {{\n  if (b == 0) __trap();" in checked
    assert checked.count("if (b == 0) __trap();") == len(DIVISIONS)
