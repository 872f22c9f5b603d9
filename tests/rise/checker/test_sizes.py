"""Signs of sizes under assumptions: what is proved holds for all small numbers, and what rules need is proved."""

from itertools import product
from typing import Final
from unittest.mock import patch

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from rise.checker.elimination import is_negative_somewhere
from rise.checker.sizes import _follows, _row, are_equal, combined, contradict, follows
from rise.natural_values import evaluate_natural
from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import ceiling_quotient, floor_quotient, minimum, remainder
from tests.examples import examples

N, M, D = (NatVar(name, None) for name in "nmd")
K: Final = NatVar("k", nat(N))
n, m, d, k = map(nat, (N, M, D, K))
VALUES: Final = [
    dict(zip((N, M, D, K), values, strict=True))
    for values in product(range(5), range(5), range(1, 5), range(5))
    if values[3] < values[0]
]


@st.composite
def naturals(draw: st.DrawFn) -> Nat:
    total = const(draw(st.integers(-3, 3)))
    parts = (
        n,
        m,
        d,
        k,
        n * m,
        d * k,
        floor_quotient(n, d),
        remainder(k, d),
        ceiling_quotient(m, d),
        minimum(n, m),
    )
    for part in draw(st.lists(st.sampled_from(parts), max_size=3)):
        total = total + draw(st.sampled_from((-2, -1, 1, 2))) * part
    return total


@given(naturals(), st.lists(naturals(), max_size=3))
@settings(max_examples=examples(200), deadline=None)
def test_what_is_proved_holds_for_all_small_numbers(goal: Nat, assumed: list[Nat]) -> None:
    facts = tuple(assumed)
    holding = [at for at in VALUES if all(evaluate_natural(fact, at) >= 0 for fact in facts)]
    if follows(goal, facts):
        assert all(evaluate_natural(goal, at) >= 0 for at in holding)
    if contradict(facts):
        assert not holding


def test_signs_that_rules_need() -> None:
    q = floor_quotient(n, d)
    assert follows(n - d * q, ())
    assert follows(d - 1 - (n - d * q), ())
    assert not follows(d - 2 - (n - d * q), ())
    assert follows(n * d - d * k - d, ())  # k < n
    assert follows(m - d, (n * m + k - n * d - 1,))  # n * (m - d) > -n
    assert not follows(m - d, (n * m + 2 * k - n * d,))
    assert not follows(m - d, (n * m + k - n * d + 1,))
    assert follows(m - d * q, (m - n,))
    assert not follows(m - d * q, (n - m,))
    assert follows(d * ceiling_quotient(n, d) - n, ())
    assert are_equal(remainder(n, d), n - d * q, ())
    assert follows(n - minimum(n, m), ())
    assert not follows(minimum(n, m) - n, (n - m,))
    assert contradict((n - m - 1, m - n))
    assert not contradict((n - m, m - n))


def test_the_quotient_of_an_index_by_a_number_is_an_integer() -> None:
    i = nat(NatVar("i", const(1020)))
    row = floor_quotient(i, 32)
    assert follows(31 - row, ())
    assert not follows(30 - row, ())
    assert follows(i - 1019, (row - 31, i + 32 * row - 2011))


def test_a_number_that_may_not_be_an_integer_is_not_rounded() -> None:
    half = n * nat(NatVar("h", None))
    assert not follows(floor_quotient(half, 2) * 2 - half, ())


@patch("rise.checker.sizes.is_negative_somewhere", new=lambda a, assumed: False)
def test_a_wrong_proposal_proves_nothing() -> None:
    """The search is not trusted: its sums of inequalities are added up again, and must contradict themselves."""
    true = (n - m, (n - m - 1,))
    for steps in ([], [(0, 1, 0, 1)], [(0, 3, 0, 1), (0, 1, 0, 2)]):
        _follows.cache_clear()
        with patch("rise.checker.sizes.contradiction", return_value=steps):
            assert not follows(n - m, (n - d,))
            assert not follows(*true)  # which these sums do not show
    _follows.cache_clear()
    with (
        patch("rise.checker.sizes.contradiction", return_value=[(0, -1, 0, 1)]),
        pytest.raises(AssertionError),
    ):
        follows(n - m, (n - d,))
    assert follows(*true)


@given(naturals(), st.lists(naturals(), max_size=3))
@settings(max_examples=examples(100), deadline=None)
def test_no_proof_is_missed_for_a_number_that_seems_negative(goal: Nat, assumed: list[Nat]) -> None:
    """A number that is negative for some sizes is not tried; a proof that is found nevertheless would be wrong."""
    facts = tuple(assumed)
    if is_negative_somewhere(goal, facts):
        with patch("rise.checker.sizes.is_negative_somewhere", return_value=False):
            _follows.cache_clear()
            assert not follows(goal, facts)
        _follows.cache_clear()


def test_numbers_of_which_most_questions_are_about_are_negative_somewhere() -> None:
    lane = nat(NatVar("k'1", const(4)))
    for goal in (lane + 12 - remainder(n, const(16)), remainder(n, const(16)) - lane - 9, -1 * lane - 1):
        assert is_negative_somewhere(goal, (m - k - 1, k))
    assert not is_negative_somewhere(n - d * floor_quotient(n, d), ())


def test_inequalities_do_not_depend_on_where_variables_are_in_memory() -> None:
    """So the same proof is found in each run, and verdicts at the limits of effort are the same."""
    named = [
        nat(NatVar(f"size{number}", None)) for number in reversed(range(20))
    ]  # in the order of their names, last
    row = _row(sum(named, const(1)))
    assert row is not None
    names = [base.name for ((base, _),), _ in row[0]]  # type: ignore[union-attr]  # all are variables
    assert names == sorted(names)
    both = combined(row, 1, row, 2)
    assert [monomial for monomial, _ in both[0]] == [monomial for monomial, _ in row[0]]
