"""Runs of rows: the elements that belong to an iteration, and when an element is provably in a row."""

from __future__ import annotations

from rise.naturals import NatVar, nat, var
from shine.imperative.runs import Run, in_rows

N, K = var("N"), var("K")
BATCH, ROW = NatVar("b", K), NatVar("i", N)
COLUMN = NatVar("j", nat(ROW) + 1)
B, I, J = nat(BATCH), nat(ROW), nat(COLUMN)
TOTAL = N * N + N
TRIANGLE = Run(I * I + I, 2 * (I + 1), TOTAL)


def test_an_element_of_a_row_is_a_place_in_its_array() -> None:
    index, digits = in_rows(B * TOTAL + I * I + I + J, 1, [ROW, COLUMN], {ROW: [TRIANGLE]})
    (digit,) = digits
    assert index is B * TOTAL + digit and digit.upper is TOTAL


def test_what_may_be_in_the_next_row_is_none() -> None:
    index = B * TOTAL + I * I + 3 * I + J
    assert in_rows(index, 1, [ROW, COLUMN], {ROW: [TRIANGLE]}) == (index, [])
    assert in_rows(I * I + I + J, 3, [ROW, COLUMN], {ROW: [TRIANGLE]})[1] == []


def test_a_run_may_start_elsewhere_but_at_one_place() -> None:
    here, moving = I * I + I + J, (ROW, COLUMN)
    assert TRIANGLE.holds_all([(here, 1, ()), (here + I + 1, 1, ())], moving)
    assert TRIANGLE.holds_all([(here + B * TOTAL, 1, ())], moving)
    assert not TRIANGLE.holds_all([(here + B * TOTAL, 1, ()), (here, 1, ())], moving)
    assert not TRIANGLE.holds_all([(here + I + 2, 1, ())], moving)
