"""Natural indices: their bounds, and when two of them differ. Independent of buffers and statements.

Loop indices have a range (`upper`), so all answers follow from the naturals alone. False means unknown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from types import MappingProxyType

from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatLike, NatVar, const, exact_quotient, nat, polynomial
from rise.nodes import postorder
from rise.quotients import NatCall, ceiling_quotient, is_integral, is_nonnegative, linear_in


def is_below(a: Nat, b: Nat) -> bool:
    """Whether a < b follows from ranges."""
    return is_nonnegative(b - a - 1)


def left_open(below: Iterable[tuple[Nat, Nat]]) -> tuple[tuple[Nat, Nat], ...] | None:
    """Of pairs (a, b) with the condition a < b, those for which it does not always hold; None if it never holds for
    one.
    """
    pairs = tuple(below)
    if any(is_nonnegative(a - b) for a, b in pairs):
        return None
    return tuple((a, b) for a, b in pairs if not is_below(a, b))


def is_multiple(a: Nat, unit: Nat, divisors: Mapping[NatVar, int] = MappingProxyType({})) -> bool:
    """Whether a is an integer multiple of the unit, given numbers that divide sizes."""
    if is_integral(exact_quotient(a, unit)):
        return True
    values: dict[Atom, NatLike] = {
        size: nat(NatVar(f"{size.name}/{n}", None)) * n for size, n in divisors.items()
    }
    return bool(values) and is_integral(exact_quotient(substitute_naturals(a, values), unit))


def divisors_of(sizes: Iterable[Nat]) -> dict[NatVar, int]:
    """For each variable in sizes whose parts are integers, such as `n /^ 32`, the number that divides it."""
    divisors: dict[NatVar, int] = {}
    for size in sizes:
        match size.terms:
            case ((((NatVar(upper=None) as variable, 1),), factor),):
                denominator = factor.denominator if isinstance(factor, Fraction) else 1
                divisors[variable] = lcm(divisors.get(variable, 1), denominator)
    return {size: n for size, n in divisors.items() if n > 1}


def lane_index(index: Nat, lane: NatVar) -> Nat | None:
    """The start of a run of elements, if their index is the start plus the lane."""
    linear = linear_in(index, lane)
    return linear[1] if linear is not None and linear[0].constant == 1 else None


def disjoint(
    first: Nat, lanes: int, second: Nat, other_lanes: int, parallel: NatVar, inner: Sequence[NatVar]
) -> bool:
    """Whether two runs of elements never overlap, for different values of a loop index.

    The runs start at `first`, for one value of `parallel`, and at `second`, for another; the inner loop indices are
    arbitrary. Indices are read as numbers in a mixed radix: with d the difference of the two values, the runs overlap
    where `stride * d + small + large = 0`. If `small` is less than the stride, and `large` is a multiple of a number
    greater than the sum of the other two, this implies d = 0. An index of one iteration has no different values.
    """
    if parallel.upper is not None and parallel.upper.constant == 1:
        return True
    quotient = _quotient(first, (parallel, *inner)) or _quotient(second, (parallel, *inner))
    if quotient is not None:
        variable, divisor = quotient
        high, low = _digits(variable, divisor)
        values: dict[Atom, NatLike] = {variable: divisor * nat(high) + low}
        first, second = substitute_naturals(first, values), substitute_naturals(second, values)
        if variable is not parallel:
            digits = [digit for v in inner for digit in ((high, low) if v is variable else (v,))]
            return disjoint(first, lanes, second, other_lanes, parallel, digits)
        return disjoint(first, lanes, second, other_lanes, high, (low, *inner)) and disjoint(
            first, lanes, second, other_lanes, low, inner
        )
    linear, other = linear_in(first, parallel), linear_in(second, parallel)
    if parallel.upper is None or linear is None or other is None:
        return False
    if linear[0] is not other[0]:
        return _are_ordered(first, lanes, second, other_lanes, (parallel, *inner))
    stride = linear[0]
    if stride.terms and is_nonnegative(const(0) - stride):  # the indices are counted from the other end
        first, second = 1 - lanes - first, 1 - other_lanes - second
        return disjoint(first, lanes, second, other_lanes, parallel, inner)
    lane, other_lane = NatVar("lane", const(lanes)), NatVar("lane'", const(other_lanes))
    apart = linear[1] + lane - renamed(other[1], (parallel, *inner)) - other_lane
    reach = stride * (parallel.upper - 1)
    terms = [polynomial((term,)) for term in apart.terms]
    present = [v for v in (parallel, *inner) if v is parallel or v in first.free or v in second.free]
    ends = [end for v in present if (end := v.upper) is not None and len(end.terms) > 1]
    strides, whole = _strides(apart, ends)
    ways = [(unit, terms) for unit in (None, *_units(terms))] + [(unit, whole) for unit in strides]
    for unit, terms in ways:
        small = const(0)
        for term in terms:
            if unit is None or not is_multiple(term, unit):
                small = small + term
        high_end, low_end = greatest(small, ends), greatest(const(0) - small, ends)
        is_one = high_end.constant == low_end.constant == 0 and is_positive(stride, first)
        if not (is_one or all(is_below_there(end, stride, first) for end in (high_end, low_end))):
            continue
        if unit is None or all(is_below_there(reach + end, unit, first) for end in (high_end, low_end)):
            return True
    return False


def _are_ordered(first: Nat, lanes: int, second: Nat, other_lanes: int, moving: Sequence[NatVar]) -> bool:
    """Whether one run of elements is before the other for any values of the moving loop indices in each."""
    moved = renamed(second, moving)
    return is_below_there(first + lanes - 1, moved, first) or is_below_there(
        moved + other_lanes - 1, first, first
    )


def is_below_there(a: Nat, b: Nat, index: Nat) -> bool:
    """Whether a < b, given that an index is evaluated: the loop of each loop index in it has an iteration."""
    if is_below(a, b):
        return True
    values: dict[Atom, NatLike] = {}
    for variable in sorted(index.free, key=str):
        if not isinstance(variable, NatVar) or variable.upper is None:
            continue
        for size in _sizes(variable.upper):
            linear = linear_in(variable.upper, size)
            if linear is None or linear[1].constant is None or not is_nonnegative(linear[0] - 1):
                continue  # the end is `a * size + b`, which is greater than the index
            if linear[0].constant is not None and size not in values:
                more = nat(NatVar(f"more than {variable.name}", None))
                values[size] = exact_quotient(nat(variable) + 1 + more - linear[1], linear[0])
    if not values:
        return False
    return is_below(substitute_naturals(a, values), substitute_naturals(b, values))


def _sizes(end: Nat) -> Iterator[Atom]:
    """The sizes in the end of a loop, and the quotients of sizes, such as the number of blocks."""
    yield from (atom for atom in end.free if isinstance(atom, NatVar) and atom.upper is None)
    bases = (base for monomial, _ in end.terms for base, _ in monomial)
    yield from (base for base in bases if isinstance(base, NatCall))


def is_positive(a: Nat, index: Nat) -> bool:
    """Whether a > 0, given that an index is evaluated: neither the upper end of a loop index in it nor any factor of
    that is 0.
    """
    factors: set[object] = set()
    for variable in index.free:
        if isinstance(variable, NatVar) and variable.upper is not None and len(variable.upper.terms) == 1:
            ((monomial, _),) = variable.upper.terms
            factors |= {base for base, exponent in monomial if isinstance(exponent, int) and exponent > 0}
    if is_below(const(0), a):
        return True
    if len(a.terms) != 1:
        return False
    ((product, coefficient),) = a.terms
    return coefficient > 0 and all(base in factors for base, _ in product)


def _quotient(index: Nat, moving: Iterable[NatVar]) -> tuple[NatVar, Nat] | None:
    """A moving loop index that is divided by a number, and that number; None if there is none."""
    for node in postorder(index):
        match node:
            case NatCall("floor", (Nat(((((NatVar() as variable, 1),), 1),)), divisor)):
                if variable in moving and variable.upper is not None and (divisor.constant or 0) > 1:
                    return variable, divisor
            case _:
                pass
    return None


def _digits(variable: NatVar, divisor: Nat) -> tuple[NatVar, NatVar]:
    assert variable.upper is not None
    return (
        NatVar(f"{variable.name}/{divisor.constant}", ceiling_quotient(variable.upper, divisor)),
        NatVar(f"{variable.name}%{divisor.constant}", divisor),
    )


def renamed(index: Nat, moving: Iterable[NatVar]) -> Nat:
    """The index at another iteration of the moving loops, whose indices are given from the outermost one inwards."""
    values: dict[Atom, NatLike] = {}
    for variable in moving:
        end = variable.upper if variable.upper is None else substitute_naturals(variable.upper, values)
        values[variable] = NatVar(variable.name + "'", end)
    return substitute_naturals(index, values)


def as_digit(index: Nat, part: Nat, digit: NatVar) -> Nat | None:
    """The index with each occurrence of a part replaced by a digit; None if the part does not occur. Occurrences may
    have a factor: `(n + 1) * part` has two.
    """
    result: Nat | None = None
    for term in index.terms if part.terms else ():
        factor = exact_quotient(polynomial((term,)), polynomial(part.terms[:1]))
        if any(isinstance(e, int) and e < 0 for monomial, _ in factor.terms for _, e in monomial):
            continue
        before = index if result is None else result
        after = before - factor * part + factor * digit
        if _moving_terms(after) <= _moving_terms(before) - _moving_terms(part) + 1:
            result = after
    return result


def _moving_terms(a: Nat) -> int:
    """The number of terms that are not constant."""
    return sum(1 for monomial, _ in a.terms if monomial)


def _units(terms: Sequence[Nat]) -> list[Nat]:
    """Candidates for a number that divides the large part: the strides of its digits."""
    units: dict[Nat, None] = {}
    for term in terms:
        for monomial, coefficient in term.terms:
            stride = tuple(f for f in monomial if not (isinstance(f[0], NatVar) and f[0].upper is not None))
            units[polynomial(((stride, max(coefficient, -coefficient)),))] = None
            if len(stride) > 1 or any(exponent != 1 for _, exponent in stride):
                units |= {
                    polynomial(((((factor, 1),), 1),)): None for factor, _ in stride
                }  # N^2 - 2 N has the factor N
    return list(units)


def _strides(a: Nat, ends: Collection[Nat]) -> tuple[list[Nat], list[Nat]]:
    """The nonnegative factors of loop indices that are sums, such as n + 1, or n - 2 if a loop ends there; and parts
    whose sum is a.
    """
    strides: dict[Nat, None] = {}
    parts: list[Nat] = []
    for variable in {b: None for monomial, _ in a.terms for b, _ in monomial if isinstance(b, NatVar)}:
        linear = linear_in(a, variable) if variable.upper is not None else None
        if linear is None:
            continue
        stride, a = linear
        parts.append(stride * variable)
        if len(stride.terms) > 1 and _is_nonnegative_there(stride, ends):
            strides[stride] = None
    return list(strides), [*parts, a]


def _is_nonnegative_there(a: Nat, ends: Collection[Nat]) -> bool:
    """Whether a >= 0 if loops with these ends have an iteration, decided after dividing by the ends."""
    if is_nonnegative(a):
        return True
    for end in ends:
        while is_integral(rest := exact_quotient(a, end)) and len(rest.terms) < len(a.terms):
            a = rest
    return is_nonnegative(a)


def greatest(a: Nat, ends: Collection[Nat] = ()) -> Nat:
    """An upper bound of a, if loops with these ends have an iteration: loop indices in which a is linear are set to an
    end of their range.
    """
    while True:
        for variable in {b: None for monomial, _ in a.terms for b, _ in monomial if isinstance(b, NatVar)}:
            linear = linear_in(a, variable)
            if variable.upper is None or linear is None:
                continue
            stride, rest = linear
            if _is_nonnegative_there(stride, ends):
                a = rest + stride * (variable.upper - 1)
                break
            if _is_nonnegative_there(const(0) - stride, ends):
                a = rest
                break
        else:
            return a
