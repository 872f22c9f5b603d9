"""Naturals are cheap to create, since inference creates them by the ten thousand. The work is counted in calls."""

from __future__ import annotations

from rise.facts import Facts, holds_nonnegative
from rise.naturals import NatMeta, nat, var
from rise.terms import Fact
from tests.call_counts import calls_of

MANY = 200


def test_a_difference_with_an_unknown_is_cheap() -> None:
    unknowns = range(1 << 40, (1 << 40) + MANY)
    assert calls_of(lambda: [nat(NatMeta(ident)) - 7 for ident in unknowns]) < 100 * MANY


def test_a_name_in_a_sum_is_replaced_cheaply() -> None:
    sums = [var("N") + number for number in range(1, MANY)]
    put_in = (var("M"),)
    found = []
    assert calls_of(lambda: found.extend(one.with_parts(put_in) for one in sums)) < 50 * MANY
    assert found == [var("M") + number for number in range(1, MANY)]


def test_a_sign_that_does_not_follow_is_given_up_early() -> None:
    """Known bounds of N do not imply a larger one: powers of N are not tried."""
    size = var("N")
    known = Facts(tuple(Fact("<=", nat(bound), size) for bound in range(3, 23, 2)))
    goals = [size - bound for bound in range(30, 30 + MANY)]
    assert calls_of(lambda: [holds_nonnegative(goal, known) for goal in goals]) < 10_000 * MANY
    assert not holds_nonnegative(goals[0], known)
    assert holds_nonnegative(size - 21, known)
