"""The algebra of bounds: Telamon's worked example, the counterexample for a maximum, soundness on all small cases."""

from __future__ import annotations

from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from strategies.spaces.bounds import Bound, Extent, Use, in_waves, least_of
from tests.examples import THOROUGH

HARDWARE = {"issue": 1, "alu": 8}
ADDITION = Use(0, {"issue": 1, "alu": 1})
PRODUCT = Use(0, {"issue": 1, "alu": 3})


def cycles(use: Use) -> dict[str, int]:
    return {name: ceil(Fraction(use.of[name]) / much) for name, much in HARDWARE.items()}


def test_the_worked_example() -> None:
    """`B{i: range(16), j: range(4)} = i*j`: 64 products, and the additions of two loops."""
    products = PRODUCT.times(64)
    loops = ADDITION.times(16).then(ADDITION.times(4))
    sequential = products.then(loops)
    assert (sequential.of["issue"], sequential.of["alu"]) == (84, 212)
    assert cycles(sequential) == {"issue": 84, "alu": 27}
    assert sequential.bound(HARDWARE) == Bound(84, "issue")
    open_loops = products.then(loops.or_else(Use()))  # both may still run on threads, which adds nothing
    assert (open_loops.of["issue"], open_loops.of["alu"]) == (64, 192)
    assert cycles(open_loops) == {"issue": 64, "alu": 24}
    inside = open_loops.bound(HARDWARE)
    extent = Extent.of((1, 16)).beside(Extent.of((1, 4)))
    assert extent == Extent(1, 64)
    assert in_waves(inside.time, extent, 32) == 2


def test_a_maximum_instead_of_the_least_common_multiple_is_no_bound() -> None:
    """Two pieces on two units take as long as one; three would seem to take longer than that, for the same work."""
    two = in_waves(1, Extent(2, 2), 2)
    assert two == 1
    assert in_waves(1, Extent(2, 3), 2) > two  # the result of a maximum for "2 or 3"
    assert in_waves(1, Extent.of((2, 3)), 2) <= two


def test_waves_of_an_open_extent_bound_those_of_all_its_divisors() -> None:
    for multiple in range(1, 257 if THOROUGH else 65):
        divisors = [count for count in range(1, multiple + 1) if multiple % count == 0]
        for width in range(1, 80 if THOROUGH else 20):
            least = in_waves(1, Extent(1, multiple), width)
            assert all(Fraction(1, count) * ceil(Fraction(count, width)) >= least for count in divisors)


def test_a_fixed_extent_is_a_number_of_waves() -> None:
    assert in_waves(7, Extent(5, 5), 2) == 21


amounts = st.integers(0, 1000)
uses = st.builds(
    lambda latency, issue, alu: Use(latency, {"issue": issue, "alu": alu}), amounts, amounts, amounts
)


@given(uses, uses, uses, st.integers(1, 9))
def test_a_choice_is_bounded_by_both_in_every_context(one: Use, other: Use, around: Use, count: int) -> None:
    both = one.or_else(other)
    for option in (one, other):
        for use in (lambda u: u, around.then, around.beside, lambda u: u.times(count, is_chain=True)):
            assert use(both).bound(HARDWARE).time <= use(option).bound(HARDWARE).time


@given(uses, uses)
def test_sequential_work_takes_no_less_than_parallel_work(one: Use, other: Use) -> None:
    assert one.beside(other).bound(HARDWARE).time <= one.then(other).bound(HARDWARE).time


def test_a_bound_names_the_limiting_resource() -> None:
    assert Use(9, {"issue": 3, "alu": 16}).bound(HARDWARE) == Bound(9, "latency")
    assert Use(0, {"issue": 1, "alu": 16}).bound(HARDWARE) == Bound(2, "alu")
    assert least_of([Bound(3, "a"), Bound(2, "b")]) == Bound(2, "b")
    assert least_of([]) is None
    assert Bound(3, "a").at_least(Bound(2, "b")) == Bound(3, "a")
