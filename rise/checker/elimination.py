"""Proposes proofs for `sizes`: which assumptions matter, which products help, and which sums contradict each other.

Outside of the trusted core, which adds the inequalities up again. The method is Fourier-Motzkin elimination; the work
is bounded. Most questions are about numbers that are negative for some sizes, which takes much less time to find out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, Final, TypeAlias

from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Monomial, Nat, NatVar
from rise.polynomials import NotComputed

Row: TypeAlias = "tuple[tuple[tuple[Monomial, int], ...], int]"  # sum + constant >= 0
#: p times the row at i, plus q times the row at j
Combination: TypeAlias = tuple[int, int, int, int]

MAX_ROWS: Final = 240  # at any point of an elimination
#: for free sizes in turn: multiples of tiles, and those with the largest remainders; small ones, and large ones
SIZES: Final = ((64, 128), ((1 << 20) - 1, 63), (7, 5), (3, 1 << 20), (1 << 20, 2), (1, 1))
#: for indices in turn: whether one is the first or the last below its upper end
ENDS: Final = ((False, False), (True, True), (False, True), (True, False))


def is_open(a: Nat, assumed: tuple[Nat, ...]) -> bool:
    """Whether a natural has an index as a summand of which nothing is assumed, so that it is not always 0."""
    for monomial, _ in a.terms:
        match monomial:
            case ((NatVar(_, Nat() as upper) as index, 1),) if upper.constant != 1:
                others = (Nat(((other, 1),)) for other, _ in a.terms if other is not monomial)
                if not any(index in one.free for one in (*assumed, *others)):
                    return True
    return False


def is_negative_somewhere(a: Nat, assumed: Sequence[Nat]) -> bool:
    """Whether a natural is negative for some sizes for which these are >= 0, so that a proof is not worth a try."""
    free = {one for side in (a, *assumed) for one in side.free}
    variables = sorted(free, key=lambda one: str(getattr(one, "name", "")))
    if not all(isinstance(one, NatVar) for one in variables):
        return False
    for sizes, ends in product(SIZES, ENDS):
        with suppress(KeyError, ZeroDivisionError, NotComputed):
            values = _point(variables, sizes, ends)
            if evaluate_natural(a, values) < 0 and all(evaluate_natural(one, values) >= 0 for one in assumed):
                return True
    return False


def _point(variables: Sequence[Any], sizes: Sequence[int], ends: Sequence[bool]) -> dict[Atom, int]:
    """Values of variables, each index below its upper end. Raises KeyError if there are none."""
    values: dict[Atom, int] = {}
    indices = [one for one in variables if one.upper is not None]
    for place, variable in enumerate(one for one in variables if one.upper is None):
        values[variable] = sizes[place % len(sizes)]
    for _ in indices:  # an upper end may depend on other indices
        for place, variable in enumerate(indices):
            if variable not in values and variable.upper.free <= values.keys():
                last = evaluate_natural(variable.upper, values) - 1
                if last < 0 or last != int(last):
                    raise KeyError(variable)
                values[variable] = int(last) if ends[place % len(ends)] else 0
    return values


def related(a: Nat, assumed: tuple[Nat, ...]) -> list[Nat]:
    """The assumptions that share variables with a, directly or through other assumptions; all assumptions if a is a
    number.
    """
    if a.constant is not None:
        return list(assumed)
    names = set(a.free)
    rest, found = list(assumed), []
    while near := [b for b in rest if not names.isdisjoint(b.free)]:
        found += near
        rest = [b for b in rest if b not in near]
        names.update(name for b in near for name in b.free)
    return found


def products(constraints: Sequence[Nat], most: int) -> Iterator[tuple[int, Nat]]:
    """For products one factor of which occurs in a constraint: the place of the constraint, and the other factors."""
    found: set[tuple[int, Nat]] = set()
    wanted = dict.fromkeys(m for c in constraints for m, _ in c.terms if sum(1 for _ in m) > 1)
    for monomial in wanted:
        for base, exponent in monomial:
            if not isinstance(base, Atom) or not isinstance(exponent, int) or exponent < 1:
                continue
            others = tuple(
                (b, e if b is not base else e - 1) for b, e in monomial if b is not base or exponent > 1
            )
            cofactor = Nat(((others, 1),))
            single = ((base, 1),)
            for place, constraint in enumerate(constraints):
                is_new = len(found) < most and (place, cofactor) not in found
                if is_new and any(m == single for m, _ in constraint.terms):
                    found.add((place, cofactor))
                    yield place, cofactor


def contradiction(rows: Sequence[Row], combined: Callable[[Row, int, Row, int], Row]) -> list[Combination]:
    """Combinations of inequalities, the last of which cannot hold; empty if none are found."""
    found = list(rows)
    parents: dict[int, Combination] = {}
    left = _strongest(found, range(len(found)))
    while True:
        for place in left:
            if not found[place][0] and found[place][1] < 0:
                return _ancestry(len(rows), parents, place) if place in parents else [(place, 1, place, 1)]
        signs: dict[Monomial, list[int]] = {}
        for place in left:
            for monomial, coefficient in found[place][0]:
                signs.setdefault(monomial, [0, 0])[coefficient > 0] += 1
        if not signs or len(left) > MAX_ROWS:
            return []
        chosen = min(signs, key=lambda m: signs[m][0] * signs[m][1] - sum(signs[m]))  # the first of equals
        below: list[tuple[int, int]] = []
        above: list[tuple[int, int]] = []
        rest: list[int] = []
        for place in left:
            factor = dict(found[place][0]).get(chosen)
            if factor is None:
                rest.append(place)
            else:
                (above if factor > 0 else below).append((place, factor))
        if len(above) * len(below) > MAX_ROWS:
            return []
        for i, q in above:
            for j, p in below:
                parents[len(found)] = i, -p, j, q
                rest.append(len(found))
                found.append(combined(found[i], -p, found[j], q))
        left = _strongest(found, rest)


def _ancestry(count: int, parents: dict[int, Combination], last: int) -> list[Combination]:
    """The combinations that lead to the last row, numbered as if there were no others after the first rows."""
    needed = {last}
    for place in range(last, count - 1, -1):
        if place in needed:
            needed.update(parents[place][::2])
    numbers = {place: place for place in range(count)}
    steps: list[Combination] = []
    for place in sorted(one for one in needed if one >= count):
        i, p, j, q = parents[place]
        numbers[place] = count + len(steps)
        steps.append((numbers[i], p, numbers[j], q))
    return steps


def _strongest(rows: Sequence[Row], places: Iterable[int]) -> list[int]:
    """The places of the rows with the smallest constants, of those with the same sum."""
    least: dict[tuple[tuple[Monomial, int], ...], int] = {}
    for place in places:
        terms, constant = rows[place]
        if terms not in least or constant < rows[least[terms]][1]:
            least[terms] = place
    return list(least.values())
