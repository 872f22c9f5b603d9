"""Naturals: the sizes and indices of types, in a normal form. Independent of facts about them.

A natural is a polynomial with rational coefficients over atoms; exponents may be negative or naturals. So
`e /^ d` (the exact quotient) cancels: `32 * (n /^ 32)` *is* `n`. Division by a sum brings all terms over a common
denominator, in lowest terms: the factor `(sum, -1)` of each. Equal rational functions are the same node, except
for symbolic powers of powers of sums and common divisors that are too costly to find. The form depends on the term
and on a variable's own range, never on facts, so that interned types mean the same everywhere.

One subject: each operation keeps the normal form.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias, Union

from rise.monomials import (
    as_integer,
    base_order,
    exponents_of,
    in_order,
    monomial_order,
    plain_exponent,
    whole_in,
)
from rise.natural_nodes import enter_atom, enter_sum, unknown
from rise.node_fields import BROKEN, refuse
from rise.node_table import lookup
from rise.nodes import Measured
from rise.polynomials import Poly, check_size, lowest_terms, primes, primitive_part
from rise.sums_of_terms import divisor_in, divisor_of, in_parts, is_atom, sorted_terms
from rise.tracebacks import AT_THE_USERS_LINE

Coefficient: TypeAlias = int | Fraction
Exponent: TypeAlias = Union[int, "Nat"]
Base: TypeAlias = Union["Atom", "Nat"]
Monomial: TypeAlias = tuple[tuple[Base, Exponent], ...]
Term: TypeAlias = tuple[Monomial, Coefficient]
NatLike: TypeAlias = Union["Nat", "Atom", int]
#: a variable of the polynomials that are divided: a base to the power of a monomial over a number
Generator: TypeAlias = tuple[Base, Monomial, int]

ONE: Final[Monomial] = ()
HEIGHT_OF_SUM: Final = 2  # of products of atoms without parts, and of numbers


class Atom(Measured):
    """A variable of polynomials."""

    __slots__ = ("order",)
    rank: ClassVar[int] = 0
    of_numbers: ClassVar[Callable[..., Any] | None] = None  # computes the atom's value from numbers
    if TYPE_CHECKING:
        order: ClassVar[tuple[Any, ...]]  # derived: the sort key among atoms

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.order}>"


class NatVar(Atom):
    """A named natural. `upper`, when given, is the exclusive end of its range, which starts at 0."""

    __slots__ = ("name", "upper")
    name: str
    upper: Nat | None

    def settle(self) -> tuple[tuple[str, Any], ...]:
        order = (0, self.name, () if self.upper is None else self.upper.order)
        return (("order", order), ("free", self.free | {self}))


class NatBound(Atom):
    """A natural bound by the `index`-th dependent binder outwards."""

    __slots__ = ("index",)
    index: int

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (1, self.index)), ("dep_loose", self.index + 1))


class NatMeta(Atom):
    """An unknown of inference."""

    __slots__ = ("ident",)
    ident: int
    __eq__, __hash__ = object.__eq__, object.__hash__  # it contains no name: equal ones are identical

    def __new__(cls, ident: int) -> Any:
        return unknown(cls, ident)

    @property
    def order(self) -> tuple[Any, ...]:  # type: ignore[override]  # rarely needed
        return (2, self.ident)


class Nat(Measured):
    """A natural in normal form: `terms` maps monomials to coefficients, sorted."""

    __slots__ = ("_order", "terms")
    rank: ClassVar[int] = 1
    terms: tuple[Term, ...]
    if TYPE_CHECKING:
        _order: ClassVar[tuple[Any, ...] | None]  # derived on first use

    def __new__(cls, terms: tuple[Term, ...]) -> Nat:
        try:
            key = _key(terms)
            entry = lookup(key)
            if entry is not None and (existing := entry()) is not None:
                return existing  # type: ignore[no-any-return]  # the key names the class
            return enter_sum(cls, key, terms)  # type: ignore[no-any-return]  # of the class
        except BROKEN as error:
            with AT_THE_USERS_LINE:
                refuse(cls, (terms,), error)
            raise

    @property
    def order(self) -> tuple[Any, ...]:
        """The sort key among naturals."""
        if self._order is None:
            object.__setattr__(self, "_order", tuple((monomial_order(m), c) for m, c in self.terms))
        return self._order  # type: ignore[return-value]  # it was None

    def renamed(self, name: Callable[[Any], Atom]) -> Nat:
        """A sum whose height is `HEIGHT_OF_SUM`, with other atoms in the same order."""
        return Nat(tuple([(tuple([(name(b), e) for b, e in m]), c) for m, c in self.terms]))

    def with_parts(self, parts: tuple[Any, ...]) -> Nat:
        if len(parts) == 1 and is_atom(self.terms):
            return nat(parts[0])
        total = in_parts(self.terms, parts)
        return self._with_factors(parts) if total is None else Nat(sorted_terms(total))

    def _with_factors(self, parts: tuple[Any, ...]) -> Nat:
        rest = iter(parts)
        products: list[Term] = []
        for monomial, coefficient in self.terms:
            atoms: dict[Base, Exponent] = {}  # multiplying one by one would create many naturals
            product = UNIT
            for _, exponent in monomial:
                factor = nat(next(rest))
                match factor.terms:
                    case ((((Atom() as atom, 1),), 1),) if isinstance(exponent, int):
                        atoms[atom] = atoms.get(atom, 0) + exponent
                    case _:
                        raised_to = nat(next(rest)) if isinstance(exponent, Nat) else exponent
                        product = product * (factor if raised_to == 1 else power(factor, raised_to))
            if product is UNIT:
                product = Nat(((in_order([(a, e) for a, e in atoms.items() if e]), coefficient),))
            else:
                product *= Nat(((in_order([(a, e) for a, e in atoms.items() if e]), 1),)) if atoms else UNIT
                product = scale(product, coefficient)
            if len(self.terms) == 1:
                return product
            products += product.terms
        return polynomial(products)

    @property
    def constant(self) -> int | None:
        """The value, when it is a known integer."""
        match self.terms:
            case ():
                return 0
            case (((), int() as value),):
                return value
        return None

    def __add__(self, other: NatLike) -> Nat:
        return _add(self, nat(other))

    __radd__ = __add__

    def __sub__(self, other: NatLike) -> Nat:
        return _subtract(self, nat(other))

    def __rsub__(self, other: NatLike) -> Nat:
        return _subtract(nat(other), self)

    def __mul__(self, other: NatLike) -> Nat:
        return _multiply(self, nat(other))

    __rmul__ = __mul__

    def __repr__(self) -> str:
        return f"<Nat {' + '.join(f'{c}*{m}' if m else str(c) for m, c in self.terms[:4])[:120] or '0'}>"


def _key(terms: tuple[Term, ...]) -> tuple[Any, ...]:
    """The key of a sum in the table of nodes: for each term its coefficient, the number of its factors, and these.
    Fractions are given by their parts, since Python computes their hashes.
    """
    key: list[Any] = [Nat]
    for monomial, coefficient in terms:
        is_int = type(coefficient) is int
        key += (coefficient if is_int else coefficient.as_integer_ratio(), len(monomial))
        for base, exponent in monomial:
            key += (id(base), exponent if type(exponent) is int else (id(exponent),))
    return tuple(key)


def nat(value: NatLike) -> Nat:
    """A natural from an integer, an atom or itself."""
    if type(value) is Nat:
        return value
    if isinstance(value, Atom):
        key = (Nat, 1, 1, id(value), 1)  # that of the sum whose only term it is
        entry = lookup(key)
        return (None if entry is None else entry()) or enter_atom(Nat, key, value)  # type: ignore[no-any-return]  # a natural
    return const(value)  # type: ignore[arg-type]  # a number


def const(value: Coefficient) -> Nat:
    """A known number."""
    value = as_integer(value)
    return Nat(((ONE, value),)) if value else ZERO


def var(name: str, upper: Nat | None = None) -> Nat:
    """A named natural."""
    return nat(NatVar(name, upper))


def variable_of(a: Nat) -> NatVar | None:
    """The variable that a natural consists of; None for others."""
    match a.terms:
        case ((((NatVar() as variable, 1),), 1),):
            return variable
    return None


def exact_quotient(a: NatLike, b: NatLike) -> Nat:
    """`a /^ b`: the quotient. That b divides a is an obligation."""
    dividend, divisor = nat(a), nat(b)
    number = divisor.constant
    if number and not divisor_of(dividend.terms):
        return scale(dividend, Fraction(1, number))
    return dividend * power(divisor, -1)


def polynomial(terms: Iterable[Term]) -> Nat:
    """The sum of terms in any order."""
    by_divisor: dict[Nat | None, list[Term]] = {}
    for monomial, coefficient in terms:
        by_divisor.setdefault(divisor_in(monomial), []).append((monomial, coefficient))
    total = _collect(by_divisor.pop(None, ()))
    for same in by_divisor.values():
        total = total + _reduce(*fraction_of(_collect(same)))
    return total


def power(base: NatLike, exponent: NatLike) -> Nat:
    """`base ^ exponent`; an exponent may be negative or symbolic."""
    return _power(nat(base), nat(exponent))


def scale(a: Nat, factor: Coefficient) -> Nat:
    """a times a known number."""
    if factor == 1:
        return a
    return (
        Nat(tuple([(m, as_integer(factor * c)) for m, c in a.terms])) if factor else ZERO
    )  # faster than c * factor


def _collect(terms: Iterable[Term]) -> Nat:
    total: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in terms:
        total[monomial] = total.get(monomial, 0) + coefficient
    return Nat(sorted_terms(total))


@lru_cache(maxsize=1 << 16)
def _subtract(a: Nat, b: Nat) -> Nat:
    if divisor_of(a.terms) or divisor_of(b.terms):
        return _add(a, scale(b, -1))
    total: dict[Monomial, Coefficient] = dict(a.terms)
    for monomial, coefficient in b.terms:
        total[monomial] = total.get(monomial, 0) - coefficient
    return Nat(sorted_terms(total))


@lru_cache(maxsize=1 << 16)
def _add(a: Nat, b: Nat) -> Nat:
    if not a.terms:
        return b
    if not b.terms:
        return a
    (p, d), (q, e) = fraction_of(a), fraction_of(b)
    if d is e:
        numerator = _collect((*p.terms, *q.terms))
        return numerator if d is UNIT else _reduce(numerator, d)
    return _reduce(_multiply(p, e) + _multiply(q, d), _multiply(d, e))


@lru_cache(maxsize=1 << 16)
def _multiply(a: Nat, b: Nat) -> Nat:
    (p, d), (q, e) = fraction_of(a), fraction_of(b)
    if d is not UNIT or e is not UNIT:
        return _reduce(_multiply(p, q), _multiply(d, e))
    check_size(products=len(a.terms) * len(b.terms))
    products: list[Term] = []
    others: list[Term] = []
    for left, c in a.terms:
        for right, f in b.terms:
            monomial, extra = _join(left, right)
            if extra is UNIT:
                products.append((monomial, c * f))
            else:
                others += scale(Nat(((monomial, 1),)) * extra, as_integer(c * f)).terms
    return polynomial((*products, *others)) if others else _collect(products)


def _join(left: Monomial, right: Monomial) -> tuple[Monomial, Nat]:
    """The product of two monomials, and a factor from powers of numbers and sums."""
    if not left or not right:
        return left or right, UNIT
    exponents: dict[Base, Exponent] = dict(left)
    extra = UNIT
    for base, exponent in right:
        combined = plain_exponent(exponents.pop(base, 0) + exponent)
        if isinstance(base, Nat) and (isinstance(combined, int) or whole_in(combined)):
            extra = extra * _factor(base, combined)
        elif combined != 0:
            exponents[base] = combined
    return in_order(exponents.items()), extra


def fraction_of(a: Nat) -> tuple[Nat, Nat]:
    """Numerator and denominator of a, if the denominator is a sum; powers of atoms stay in the numerator."""
    divisor: Nat | None = divisor_of(a.terms)
    if divisor is None:
        return a, UNIT
    return Nat(tuple((tuple(f for f in m if f != (divisor, -1)), c) for m, c in a.terms)), divisor


def _reduce(numerator: Nat, denominator: Nat) -> Nat:
    """The quotient of two polynomials in lowest terms."""
    if denominator is UNIT or not numerator.terms:
        return numerator
    generators = generators_of(numerator, denominator)
    unit, p = _primitive(numerator, generators)
    divisor_unit, d = _primitive(denominator, generators)
    p, d = lowest_terms(p, d)
    numerator_part, below = sum_of(p, generators), sum_of(d, generators)
    if below.terms[0][1] < 0:
        numerator_part, below = scale(numerator_part, -1), scale(below, -1)
    quotient = numerator_part * unit * _power(divisor_unit, const(-1))
    if below is UNIT:
        return quotient
    return Nat(tuple((in_order((*m, (below, -1))), c) for m, c in quotient.terms))


def generators_of(*polynomials: Nat) -> list[Generator]:
    """The variables of polynomials, in order."""
    generators = {g for a in polynomials for monomial, _ in a.terms for g in exponents_of(monomial)}
    return sorted(generators, key=lambda g: (base_order(g[0]), monomial_order(g[1]), g[2]))


def rows_of(a: Nat, generators: list[Generator]) -> list[tuple[int, ...]]:
    """The exponents of the generators in each term."""
    rows = [exponents_of(m) for m, _ in a.terms]
    return [tuple(e.get(g, 0) for g in generators) for e in rows]


def _primitive(a: Nat, generators: list[Generator]) -> tuple[Nat, Poly]:
    """a as a monomial times a polynomial with coprime coefficients that no generator divides."""
    low, factor, poly = primitive_part(rows_of(a, generators), [c for _, c in a.terms])
    return scale(sum_of({low: 1}, generators), as_integer(factor)), poly


def sum_of(poly: Poly, generators: list[Generator]) -> Nat:
    """A polynomial of generators as a natural."""
    terms: list[Term] = []
    for row, coefficient in poly.items():
        exponents: dict[Base, Exponent] = {}
        for (base, part, denominator), e in zip(generators, row, strict=True):
            if e:
                more = Nat(((part, as_integer(Fraction(e, denominator))),)) if part or denominator > 1 else e
                exponents[base] = plain_exponent(exponents.get(base, 0) + more)
        terms.append((tuple(exponents.items()), coefficient))
    return _collect(terms)


@lru_cache(maxsize=1 << 14)
def _power(base: Nat, exponent: Nat) -> Nat:
    integer = exponent.constant
    if integer == 1 or base is UNIT:
        return base
    if integer == 0:
        return UNIT
    if integer is None:
        return _symbolic_power(base, exponent)
    if not base.terms:
        if integer < 0:
            raise ZeroDivisionError("a natural is divided by zero")
        return ZERO
    if len(base.terms) == 1 and fraction_of(base)[1] is UNIT:
        ((monomial, coefficient),) = base.terms
        if abs(coefficient) != 1:
            number = Fraction(coefficient)
            check_size(bits=(number.numerator * number.denominator).bit_length() * abs(integer))
        return _raised(const(Fraction(coefficient) ** integer), monomial, exponent)
    check_size(terms=abs(integer) + 1)  # a sum, or one over a sum: its power has at least as many terms
    if integer < 0:
        return _power(_reduce(*reversed(fraction_of(base))), const(-integer))
    half = _power(base, const(integer // 2))
    return half * half * base if integer % 2 else half * half


def _symbolic_power(base: Nat, exponent: Nat) -> Nat:
    if not base.terms:
        return _factor(ZERO, exponent)
    numerator, denominator = fraction_of(base)
    if denominator is not UNIT:
        return _symbolic_power(numerator, exponent) * _symbolic_power(denominator, scale(exponent, -1))
    if len(base.terms) > 1:
        generators = generators_of(base)
        unit, core = _primitive(base, generators)
        return _power(unit, exponent) * _factor(sum_of(core, generators), exponent)
    ((monomial, coefficient),) = base.terms
    product = _factor(const(-1), exponent) if coefficient < 0 else UNIT
    for prime, multiplicity in primes(abs(Fraction(coefficient))):
        product = product * _factor(const(prime), scale(exponent, multiplicity))
    return _raised(product, monomial, exponent)


def _raised(product: Nat, monomial: Monomial, exponent: Nat) -> Nat:
    """A number times a power of a monomial; atoms are collected, so that all of them are raised at once."""
    atoms: list[tuple[Base, Exponent]] = []
    known = exponent.constant
    for base, e in monomial:
        raised = known * e if known is not None and isinstance(e, int) else plain_exponent(exponent * e)
        if isinstance(base, Nat):
            product = product * _factor(base, raised)
        else:
            if isinstance(raised, int):
                check_size(bits=raised.bit_length())
            atoms.append((base, raised))
    return product * Nat(((tuple(atoms), 1),))


def _factor(base: Base, exponent: Exponent) -> Nat:
    """The power of an atom, a prime or a primitive sum; integer powers of the last two are multiplied out."""
    exponent = plain_exponent(exponent)
    if isinstance(exponent, int):
        is_factor = exponent and isinstance(base, Atom)
        return Nat(((((base, exponent),), 1),)) if is_factor else _power(nat(base), const(exponent))
    whole = whole_in(exponent) if isinstance(base, Nat) else 0
    symbolic = Nat(((((base, exponent - whole),), 1),))
    return symbolic * _power(nat(base), const(whole)) if whole else symbolic


ZERO: Final[Nat] = Nat(())
UNIT: Final[Nat] = const(1)
