"""Functions of naturals that are not polynomials: floor and ceiling quotients, remainders, minima, maxima.

Every named or bound natural is an integer >= 0, below its `upper` if it has one; divisors are > 0. Beyond
that, simplification uses only the term. A quotient depends only on the fraction: `floor(2*n, 4)` *is*
`floor(n, 2)`. Its integer part is moved outside. `a % b` *is* `a - b * floor(a, b)`.

One subject: each function is simplified in terms of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import gcd, lcm
from operator import floordiv, mod
from typing import Any, Final

from rise.naturals import (
    ZERO,
    Atom,
    Generator,
    Monomial,
    Nat,
    NatLike,
    NatVar,
    Term,
    const,
    exact_quotient,
    fraction_of,
    generators_of,
    nat,
    polynomial,
    power,
    rows_of,
    scale,
    sum_of,
)
from rise.nodes import Node, postorder
from rise.polynomials import Poly, whole_part
from rise.size_functions import Summable, tiles_added_up

MAX_REPLACED_VARIABLES: Final = 12  # that are set to an end of their range, one after the other
MAX_DEPTH: Final = 100  # of nested naturals that are examined


class NatCall(Summable):
    """A function of naturals: `floor(a, b)`, `ceil(a, b)`, `min`, `max`, or an opaque name (`xor`)."""

    __slots__ = ("function", "args")
    function: str
    args: tuple[Nat, ...]

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (3, self.function, tuple(a.order for a in self.args))),)

    def with_parts(self, parts: tuple[Any, ...]) -> Nat:
        return call(self.function, *(nat(p) for p in parts))

    @property
    def of_numbers(self) -> Callable[..., Any] | None:  # type: ignore[override]  # it depends on the function
        return INTEGER_FUNCTIONS[self.function] if self.function in FUNCTIONS else None

    def added_up(self, count: Nat) -> Nat | None:
        """The sum of the first `count` values, if the call is `min(s, n - s * i)`, the length of a tile; otherwise
        None.
        """
        return tiles_added_up(count, self.args, ceiling_quotient) if self.function == "min" else None


def floor_quotient(a: NatLike, b: NatLike) -> Nat:
    """The integer quotient, rounded down; b >= 1 is an obligation."""
    return _floor(exact_quotient(a, b), nat(b))


def remainder(a: NatLike, b: NatLike) -> Nat:
    """`a % b`, that is `a - b * floor(a, b)`."""
    return nat(a) - nat(b) * floor_quotient(a, b)


def ceiling_quotient(a: NatLike, b: NatLike) -> Nat:
    """The integer quotient, rounded up: `b * ceil(a, b)` is a padded to a multiple of b."""
    return scale(_floor(scale(exact_quotient(a, b), -1), nat(b)), -1)


def minimum(a: NatLike, b: NatLike) -> Nat:
    """The smaller of two naturals."""
    return _extremum("min", nat(a), nat(b))


def maximum(a: NatLike, b: NatLike) -> Nat:
    """The larger of two naturals."""
    return _extremum("max", nat(a), nat(b))


def positive_part(a: Nat) -> Nat:
    """The larger of `a` and 0, such as the number of iterations of a loop whose count may be negative.

    >>> from rise.naturals import var
    >>> positive_part(var("n") + 1) == var("n") + 1
    True
    """
    return a if is_nonnegative(a) else maximum(a, 0)


def call(function: str, *args: Nat) -> Nat:
    """The named function of naturals, simplified; an unknown name stays opaque."""
    known = FUNCTIONS.get(function)
    return nat(NatCall(function, args)) if known is None else known(*args)


def is_nonnegative(a: Nat) -> bool:
    """Whether a >= 0 follows from ranges alone; False means unknown.

    Every variable that occurs linearly is set to the end of its range that gives the least value.
    """
    return _at_least_zero(a, MAX_REPLACED_VARIABLES)


def is_integral(a: Nat) -> bool:
    """Whether a is an integer for all values of its variables; False means unknown."""
    return a.height <= MAX_DEPTH and all(
        isinstance(c, int) and all(_integral_power(b, e) for b, e in monomial) for monomial, c in a.terms
    )


def _integral_power(base: Atom | Nat, exponent: int | Nat) -> bool:
    if isinstance(exponent, Nat):
        is_natural = is_integral(exponent) and is_nonnegative(exponent)
    else:
        is_natural = exponent > 0
    return is_natural and (_integral_atom(base) if isinstance(base, Atom) else is_integral(base))


def _integral_atom(atom: Atom) -> bool:
    return not (isinstance(atom, NatCall) and atom.function in ("min", "max")) or all(
        map(is_integral, atom.args)
    )


@lru_cache(maxsize=1 << 16)
def _at_least_zero(a: Nat, fuel: int) -> bool:
    if all(c >= 0 and _nonnegative_monomial(m, fuel) for m, c in a.terms):
        return True
    if fuel == 0:
        return False
    atoms = {base: None for m, _ in a.terms for base, _ in m if isinstance(base, Atom)}
    if any(_at_least_zero(less, fuel - 1) for less in _by_finer_floors(a, list(atoms))):
        return True
    for atom in atoms:
        lows, highs = ends_of(atom)
        linear = linear_in(a, atom) if lows or highs else None
        if linear is None:
            continue
        slope, rest = linear
        for ends, sign in ((lows, slope), (highs, scale(slope, -1))):
            if ends and sign.terms and _at_least_zero(sign, fuel - 1):
                return any(_at_least_zero(rest + slope * end, fuel - 1) for end in ends)
    return False


def _by_finer_floors(a: Nat, atoms: Sequence[Atom]) -> Iterator[Nat]:
    """Lower bounds of a, by floor(p / (k*d)) <= floor(p / d) / k for quotients that a subtracts, and by
    floor(p / d) <= floor(q / d) if p <= q for quotients that a adds.
    """
    floors = [atom for atom in atoms if isinstance(atom, NatCall) and atom.function == "floor"]
    for coarse in floors if len(floors) > 1 else ():
        linear = linear_in(a, coarse)
        slope = None if linear is None else linear[0].constant
        if linear is None or not isinstance(slope, int) or slope == 0:
            continue
        p, d = coarse.args
        if slope > 0:
            for other in floors:
                if other is not coarse and other.args[1] == d and is_nonnegative(p - other.args[0]):
                    yield linear[1] + linear[0] * nat(other)
            continue
        divisor = d.constant
        if slope < -1 and isinstance(divisor, int) and divisor % -slope == 0:
            yield linear[1] - floor_quotient(p, divisor // -slope)
        for fine in floors:
            times = exact_quotient(coarse.args[1], fine.args[1]).constant
            if fine.args[0] == coarse.args[0] and times is not None and times > 1:
                yield linear[1] + linear[0] * exact_quotient(nat(fine), times)


def _nonnegative_monomial(monomial: Monomial, fuel: int) -> bool:
    return all(
        _nonnegative_base(base, fuel) or (isinstance(exponent, int) and exponent % 2 == 0)
        for base, exponent in monomial
    )


def _nonnegative_base(base: Atom | Nat, fuel: int) -> bool:
    match base:
        case Nat():
            return fuel > 0 and _at_least_zero(base, fuel - 1)
        case NatCall("floor" | "ceil", (a, _)):
            return fuel > 0 and _at_least_zero(a, fuel - 1)
        case NatCall("min", args):
            return fuel > 0 and all(_at_least_zero(a, fuel - 1) for a in args)
        case NatCall("max", args):
            return fuel > 0 and any(_at_least_zero(a, fuel - 1) for a in args)
    return True


def ends_of(atom: Atom) -> tuple[tuple[Nat, ...], tuple[Nat, ...]]:
    """Lower and upper bounds of an atom, all of which hold."""
    match atom:
        case NatVar(_, Nat() as upper):
            return (ZERO,), (upper - 1,)
        case NatCall("floor", (a, b)):
            q = exact_quotient(a, b)
            least = q - (exact_quotient(b - 1, b) if _are_counts(a, b) else 1)
            return ((ZERO, least) if _nonnegative_base(atom, MAX_REPLACED_VARIABLES) else (least,)), (q,)
        case NatCall("ceil", (a, b)):
            q = exact_quotient(a, b)
            return (q,), (q + (exact_quotient(b - 1, b) if _are_counts(a, b) else 1),)
        case NatCall("min", args):
            return ((ZERO,) if _nonnegative_base(atom, MAX_REPLACED_VARIABLES) else ()), args
        case NatCall("max", args):
            return args, ()
    return (), ()


def _are_counts(a: Nat, b: Nat) -> bool:
    """Whether a and b are integers with b >= 0; as a divisor b is then positive."""
    return is_integral(a) and is_integral(b) and _at_least_zero(b, MAX_REPLACED_VARIABLES - 1)


def linear_in(a: Nat, atom: Atom) -> tuple[Nat, Nat] | None:
    """(slope, rest) with a = slope * atom + rest, if the atom occurs only as a plain factor."""
    slope: list[Term] = []
    rest: list[Term] = []
    for monomial, coefficient in a.terms:
        others = tuple(f for f in monomial if f[0] is not atom)
        if any(_mentions(part, atom) for f in others for part in f if isinstance(part, Node)):
            return None
        if len(others) == len(monomial):
            rest.append((monomial, coefficient))
        elif (atom, 1) in monomial:
            slope.append((others, coefficient))
        else:
            return None
    return polynomial(slope), polynomial(rest)


def _mentions(base: Any, atom: Atom) -> bool:
    if not base.parts or base.height <= atom.height:
        return False
    return atom in base.free if isinstance(atom, NatVar) else any(part is atom for part in postorder(base))


@lru_cache(maxsize=1 << 14)
def _floor(q: Nat, positive: Nat) -> Nat:
    """Round a fraction down. `positive` is the divisor before reduction, which is at least 1.

    Ensures that the divisor of the result is at least 1, too: reducing to lowest terms may change the sign of a
    difference.
    """
    if is_integral(q):
        return q
    generators, p, d = integer_fraction(q)
    integral = [_integral_generator(g) for g in generators]
    parts, _ = whole_part(p, d, integral)
    if parts:
        whole = sum_of(parts, generators)
        return whole + _floor(q - whole, positive)
    a, b = sum_of(p, generators), sum_of(d, generators)
    if not is_nonnegative(b):
        common = exact_quotient(positive, b)
        if is_nonnegative(scale(common, -1)):
            p, d = ({row: -coefficient for row, coefficient in poly.items()} for poly in (p, d))
            a, b = scale(a, -1), scale(b, -1)
        elif not is_nonnegative(common) and is_integral(common):
            a, b = a * common, positive
    for value in (ZERO, const(-1)):  # the result, if the range of the fraction proves it
        difference = a - value * b
        if is_nonnegative(difference) and is_nonnegative(b - difference - 1):
            return value
    if is_nonnegative(b) and all(
        is_integer or not any(row[i] for row in (*p, *d)) for i, is_integer in enumerate(integral)
    ):
        return _integer_floor(a, b, p, d)
    return (
        nat(NatCall("floor", (a, b))) if _sign(a) > 0 else scale(nat(NatCall("ceil", (scale(a, -1), b))), -1)
    )


def _sign(a: Nat) -> int:
    """1 or -1: the sign of the first term that is not constant; the constant need not be last."""
    coefficient = next((c for monomial, c in a.terms if monomial), a.constant or 0)
    return 1 if coefficient > 0 else -1


def _integer_floor(a: Nat, b: Nat, p: Poly, d: Poly) -> Nat:
    """floor(a, b) of two integers, b > 0, whose quotient has no integer part."""
    constant = next((c for row, c in p.items() if not any(row)), 0)
    common = gcd(*(c for row, c in p.items() if any(row)), *d.values())
    if common > 1:  # floor(g*x + c, g*y) = floor(x + floor(c, g), y)
        reduced = scale(a - constant, Fraction(1, common)) + constant // common
        return _floor(exact_quotient(reduced, scale(b, Fraction(1, common))), b)
    for monomial, coefficient in a.terms:
        match monomial:
            case ((NatCall("floor" | "ceil") as inner, 1),) if abs(coefficient) == 1:
                inside = _as_floor_of(inner, coefficient == 1)
                if inside is not None:  # floor(floor(q) + z, b) = floor(q + z, b)
                    return _floor(
                        exact_quotient(inside + a - scale(nat(inner), coefficient), b), b * inner.args[1]
                    )
    if _sign(a) < 0 and constant:
        return -1 - _floor(exact_quotient(-1 - a, b), b)
    if _sign(a) < 0:
        return scale(nat(NatCall("ceil", (scale(a, -1), b))), -1)
    if constant == (b.constant or 0) - 1:
        return nat(NatCall("ceil", (a - constant, b))) + (0 if b.constant else -1)
    return nat(NatCall("floor", (a, b)))


def _as_floor_of(rounded: NatCall, is_positive: bool) -> Nat | None:
    """The natural whose floor is the rounded quotient or its negation; None if there is none."""
    a, b = rounded.args
    q = exact_quotient(a, b)
    if (rounded.function == "floor") == is_positive:
        return q if is_positive else scale(q, -1)
    if not _are_counts(a, b):
        return None
    return q + exact_quotient(b - 1, b) if is_positive else exact_quotient(b - 1 - a, b)


def integer_fraction(q: Nat) -> tuple[list[Generator], Poly, Poly]:
    """Numerator and denominator as polynomials with integer coefficients, in lowest terms."""
    numerator, divisor = fraction_of(q)
    generators = generators_of(numerator, divisor)
    rows = rows_of(numerator, generators)
    low = tuple(min(0, *column) for column in zip(*rows, strict=True))
    factor = lcm(*[c.denominator for _, c in numerator.terms])
    p = {_over(row, low): int(c * factor) for row, (_, c) in zip(rows, numerator.terms, strict=True)}
    d = {
        _over(row, low): int(c * factor)
        for row, (_, c) in zip(rows_of(divisor, generators), divisor.terms, strict=True)
    }
    return generators, p, d


def integer_terms(a: Nat) -> list[tuple[Monomial, int]] | None:
    """The terms of a polynomial of unbounded variables with integer coefficients, which is its own numerator; None for
    any other natural.
    """
    terms: list[tuple[Monomial, int]] = []
    for monomial, coefficient in a.terms:
        if not isinstance(coefficient, int):
            return None
        for base, exponent in monomial:
            if type(base) is not NatVar or base.parts or type(exponent) is not int or exponent < 0:
                return None
        terms.append((monomial, coefficient))
    return terms


def _over(row: tuple[int, ...], low: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(x - y for x, y in zip(row, low, strict=True))


def _integral_generator(generator: Generator) -> bool:
    base, part, denominator = generator
    exponent = Nat(((part, Fraction(1, denominator) if denominator > 1 else 1),))
    return _integral_power(base, exponent)


def _extremum(function: str, left: Nat, right: Nat) -> Nat:
    """The minimum or maximum of two naturals: nested ones are flattened and sorted, and alternatives that ranges rule
    out are removed.
    """
    sign = 1 if function == "min" else -1
    others = _alternatives(function, right)
    alternatives = [
        a
        for a in _alternatives(function, left)
        if not any(is_nonnegative(scale(a - b, sign)) for b in others)
    ]
    alternatives += [b for b in others if not any(is_nonnegative(scale(b - a, sign)) for a in alternatives)]
    alternatives.sort(key=lambda a: a.order)
    result = alternatives.pop()
    for a in reversed(alternatives):
        result = nat(NatCall(function, (a, result)))
    return result


def _alternatives(function: str, a: Nat) -> list[Nat]:
    """The alternatives of a nested minimum or maximum; only a itself if it is neither."""
    alternatives: list[Nat] = []
    while True:
        match a.terms:
            case ((((NatCall(name, (first, rest)), 1),), 1),) if name == function:
                alternatives.append(first)
                a = rest
            case _:
                return [*alternatives, a]


FUNCTIONS: Final[Mapping[str, Callable[..., Nat]]] = {
    "floor": floor_quotient,
    "mod": remainder,
    "ceil": ceiling_quotient,
    "min": minimum,
    "max": maximum,
}
#: the functions of integers, also of opaque names
INTEGER_FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {
    "floor": floordiv,
    "mod": mod,
    "ceil": lambda a, b: -(-a // b),
    "min": min,
    "max": max,
    "xor": lambda a, b: int(a) ^ int(b),
}


def integer_power(base: NatLike, exponent: NatLike) -> Nat:
    """`base ^ exponent`, as in texts."""
    return power(nat(base), nat(exponent))
