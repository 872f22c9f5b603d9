"""Quotients of addresses by widths of rows: decided by what is known about the numbers in them.

The normal form of a natural does not depend on what is known at a place, so that it cannot say that
`j - 16 * floor(j, 16) + 4800 * floor(j, 16)` divided by 4800 is `floor(j, 16)`. Independent of statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from rise.checker.state import State
from rise.naturals import ONE, Coefficient, Nat, Term, const, exact_quotient, nat, polynomial
from rise.nodes import postorder
from rise.quotients import NatCall, floor_quotient, is_integral, linear_in

MAX_DISTANCE: Final = 1 << 24  # of a quotient from a first guess


def quotient(state: State, a: Nat, width: Nat) -> Nat:
    """The integer quotient of a natural, rounded down: without `floor` if what is known determines it."""
    if width.constant == 1:
        return a
    found = _decided(state, a, width)
    if found is not None:
        return found
    if width.constant is not None:
        sizes = {abs(c) for monomial, c in a.terms if monomial is not ONE and isinstance(c, int)}
        for step in sorted(
            sizes, reverse=True
        ):  # floor(step * q + r, step * n) = floor(q, n) for r below step
            if 1 < step < width.constant and width.constant % step == 0:
                high = _decided(state, a, const(step))
                if high is not None:
                    return quotient(state, high, const(width.constant // step))
    return floor_quotient(a, width)


def remainder(state: State, a: Nat, width: Nat) -> Nat:
    """What remains of a natural after division."""
    return a - width * quotient(state, a, width)


def _decided(state: State, a: Nat, width: Nat) -> Nat | None:
    """The natural q with `width * q <= a < width * (q + 1)`, if there is one of the form guess + number."""
    for guess in dict.fromkeys((_by_terms(a, width), _by_digits(a, width))):
        more = _largest(lambda number: _is_nonnegative(state, a - width * (guess + number)))  # noqa: B023  # called here
        if more is not None and state.is_nonnegative(width * (guess + more + 1) - 1 - a):
            return guess + more
    return None


def _is_nonnegative(state: State, a: Nat) -> bool:
    state.spend()
    return state.is_nonnegative(a)


def _by_terms(a: Nat, width: Nat) -> Nat:
    """The sum of the quotients of terms, except the number: those of numbers rounded to the nearest; of others, if they
    divide exactly.
    """
    terms: list[Term] = []
    for monomial, c in a.terms:
        if width.constant is not None:
            if monomial is not ONE:
                terms.append((monomial, _rounded(c, width.constant)))
        else:
            exact = exact_quotient(Nat(((monomial, c),)), width)
            terms += exact.terms if is_integral(exact) else ()
    return polynomial(terms)


def _by_digits(a: Nat, width: Nat) -> Nat:
    """The same with `x % d` and `floor(x, d)` instead of x and `floor(x, d)`: `x - d * floor(x, d)` is small."""
    by = width.constant
    if by is None:
        return const(0)
    found, rest = const(0), a
    floors: dict[Nat, list[tuple[int, Nat]]] = {}
    for call in _calls(a, "floor"):
        divisor = call.args[1].constant
        if divisor is not None:
            floors.setdefault(call.args[0], []).append((divisor, nat(call)))
    for whole, quotients in floors.items():
        last, scale = 1, _coefficient(a, whole)
        rest -= scale * whole
        digit = whole
        for divisor, row in sorted(quotients, key=lambda one: one[0]):
            if divisor % last == 0:
                found += _rounded(scale, by) * (digit - divisor // last * row)
                scale, last, digit = _coefficient(rest, row) + scale * (divisor // last), divisor, row
                rest -= _coefficient(rest, row) * row
        found += _rounded(scale, by) * digit
    return found + _by_terms(rest, width)


def _coefficient(a: Nat, part: Nat) -> int:
    """The coefficient in a sum of a natural with a single term; 0 if it has none."""
    if len(part.terms) != 1 or part.terms[0][1] != 1:
        return 0
    found = next((c for monomial, c in a.terms if monomial == part.terms[0][0]), 0)
    return found if isinstance(found, int) else 0


def _rounded(c: Coefficient, width: int) -> int:
    """The quotient of a number, rounded to the nearest integer."""
    return int((2 * c + width) // (2 * width))


def _largest(holds: Callable[[int], bool]) -> int | None:
    """The largest number for which a condition holds that holds for all smaller ones; None if it is too far from 0."""
    step = 1
    if holds(0):
        least = 0
        while holds(least + step):
            least, step = least + step, 2 * step
            if step > MAX_DISTANCE:
                return None
        beyond = least + step
    else:
        beyond = 0
        while not holds(beyond - step):
            beyond, step = beyond - step, 2 * step
            if step > MAX_DISTANCE:
                return None
        least = beyond - step
    while beyond - least > 1:
        middle = (least + beyond) // 2
        least, beyond = (middle, beyond) if holds(middle) else (least, middle)
    return least


def at_most(a: Nat) -> tuple[Nat, ...]:
    """Naturals of which the least one is a, without the minima that a contains as summands."""
    for call in _calls(a, "min"):
        linear = linear_in(a, call)
        if linear is not None and (linear[0].constant or 0) > 0:
            slope, rest = linear
            return tuple(part for one in call.args for part in at_most(rest + slope * one))
    return (a,)


def first_extremum(a: Nat) -> tuple[Nat, Nat, Nat, Nat] | None:
    """The two arguments of a minimum or maximum in a natural, and the natural with each of these in its place: with the
    first if it is less than the second. None if there is none that occurs linearly.
    """
    for call in _calls(a, "min", "max"):
        linear = linear_in(a, call)
        if linear is None or len(call.args) != 2 or call in linear[1].free:
            continue
        slope, rest = linear
        first, second = call.args
        ways = rest + slope * first, rest + slope * second
        return (first, second, *(ways if call.function == "min" else ways[::-1]))
    return None


def _calls(a: Nat, *functions: str) -> Iterator[NatCall]:
    return (one for one in postorder(a) if isinstance(one, NatCall) and one.function in functions)
