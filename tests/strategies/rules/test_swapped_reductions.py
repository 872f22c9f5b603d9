"""Loops of reductions are swapped only if the terms that are added do not depend on accumulators."""

import pytest

import rise
from elevate import Failure, Success, topDown
from strategies.rules.cpu import swapReduceSeq

STEP = "fun(total: i32, z: i32 => {})"


def swapped(step: str) -> Success[rise.Expr] | Failure:
    """A sum over rows and their elements, with its loops swapped."""
    rows = f"reduceSeq(fun(acc: i32, y: i32 => zs |> reduceSeq({step}, acc)), i)"
    return topDown(swapReduceSeq)(rise.parse(f"fun(i: i32, ys: 2.i32, zs: 3.i32 => ys |> {rows})").main)


def test_sums_are_swapped() -> None:
    assert isinstance(swapped(STEP.format("total + z")), Success)


@pytest.mark.parametrize("value", ["total + acc", "total + (acc + z)", "total + total", "total - z"])
def test_reductions_whose_terms_depend_on_an_accumulator_are_not_swapped(value: str) -> None:
    assert isinstance(swapped(STEP.format(value)), Failure)
