"""Loops of reductions are swapped only where each step adds what no accumulator changes."""

import pytest

import rise
from elevate import Failure, Success, topDown
from strategies.rules.cpu import swapReduceSeq

STEP = "fun(total: i32, z: i32 => {})"


def swapped(step: str) -> Success[rise.Expr] | Failure:
    """A sum over rows and their elements, its loops swapped."""
    rows = f"reduceSeq(fun(acc: i32, y: i32 => zs |> reduceSeq({step}, acc)), i)"
    return topDown(swapReduceSeq)(rise.parse(f"fun(i: i32, ys: 2.i32, zs: 3.i32 => ys |> {rows})").main)


def test_sums_are_swapped() -> None:
    assert isinstance(swapped(STEP.format("total + z")), Success)


@pytest.mark.parametrize("value", ["total + acc", "total + (acc + z)", "total + total", "total - z"])
def test_what_an_accumulator_changes_stays(value: str) -> None:
    assert isinstance(swapped(STEP.format(value)), Failure)
