"""Obligations: what sizes must satisfy for a term to make sense. Computed from the term, never stored in it.

Every length and every natural argument is an integer >= 0, every divisor is >= 1. Facts on the binders
discharge what follows from them; what the others imply is left out. Bound sizes keep their names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from math import gcd
from typing import Any, Final, TypeAlias
from typing import Literal as OneOf

from rise.expected import Termlike, term_of
from rise.facts import Facts, evaluate_fact, holds
from rise.integer_valued import is_integer_valued
from rise.misfits import GREATEST
from rise.naturals import (
    Atom,
    Base,
    Exponent,
    Nat,
    NatBound,
    NatVar,
    Term,
    const,
    fraction_of,
    nat,
    polynomial,
    scale,
    sum_of,
)
from rise.nodes import Node, postorder, transform
from rise.polynomials import whole_part
from rise.primitives import lookup
from rise.quotients import NatCall, integer_fraction, is_integral, is_nonnegative
from rise.scalars import SIZE_FUNCTION
from rise.schemes import scheme_of
from rise.size_functions import SizeCall, SizeFunBound, SizeFunVar, SizeSum
from rise.terms import App, DepApp, DepLam, Expr, Fact, Lam, Literal, Primitive, Var, spine
from rise.text.nat_printer import show_nat
from rise.text.spines import Range, literal_of
from rise.types import (
    ArrayType,
    DepArrayType,
    DepFunType,
    FragmentType,
    IndexType,
    Type,
    TypeFamily,
    VectorType,
)

Relation: TypeAlias = OneOf["divides", "<=", "positive"]
MOST_COMPARED: Final = 64  # obligations that are compared with all others

_Way: TypeAlias = tuple[Any, int] | None  # the way to the parent, and the number of the child


@dataclass(frozen=True, slots=True)
class Obligation:
    """One condition on sizes: `subject` is an integer (`divides`), is >= 0 (`<=`), or is >= 1 (`positive`).

    `reason` says what needs it, `path` leads there through the children of terms.
    """

    relation: Relation
    subject: Nat
    reason: str
    path: tuple[int, ...]

    @property
    def fact(self) -> Fact:
        """The same as a fact: `32 divides n`, `3 <= n`."""
        if self.relation == "divides":
            generators, p, d = integer_fraction(self.subject)
            return Fact("divides", sum_of(d, generators), sum_of(p, generators))
        least = self.subject if self.relation == "<=" else self.subject - 1
        below = polynomial((m, -c) for m, c in least.terms if c < 0)
        return Fact("<=", below, least + below)

    @property
    def condition(self) -> str:
        """The condition as text: `32 divides n`, `n >= 3`."""
        fact = self.fact
        left, right = show_nat(fact.left), show_nat(fact.right)
        return f"{left} divides {right}" if fact.relation == "divides" else f"{right} >= {left}"

    def __str__(self) -> str:
        return f"{self.condition} ({self.reason})"


def obligations(e: Termlike) -> list[Obligation]:
    """What must hold of the sizes of a term, in the order in which it computes; their paths lead into e.

    Free sizes and those that the term binds are told by name.
    """
    e = term_of(e)
    found: list[Obligation] = []
    considered: set[tuple[Relation, Nat, Facts]] = set()
    assumed: tuple[Fact, ...] = ()
    for size, place in _naturals(e):
        facts = place.scope.facts
        for relation, subject in requirements(size):
            if (relation, subject, facts) not in considered:
                considered.add((relation, subject, facts))
                obligation = Obligation(relation, subject, "", ())
                if not holds(obligation.fact, facts.and_also(*assumed)):
                    found.append(replace(obligation, reason=place.reason, path=(place.top or place).path))
                    assumed = (*assumed, obligation.fact)
    return _without_implied(found)


def check_obligations(found: list[Obligation], values: Mapping[str, int]) -> Obligation | None:
    """The first obligation that fails for sizes given by name; one about other sizes is passed over."""
    for obligation in found:
        variables = _variables(obligation.subject)
        if all(v.name in values for v in variables):
            if not _holds_for(obligation, {v: values[v.name] for v in variables}):
                return obligation
    return None


def too_large(e: Termlike) -> tuple[int, tuple[int, ...]] | None:
    """The first size of a term that is known to be 2^63 or more, and the path of the part that has it."""
    e = term_of(e)
    if not any(isinstance(node, Nat) and (node.constant or 0) > GREATEST for node in postorder(e)):
        return None
    known = ((a.constant or 0, (place.top or place).path) for a, place in _naturals(e))
    return next(((number, path) for number, path in known if number > GREATEST), None)


def requirements(a: Nat) -> Iterator[tuple[Relation, Nat]]:
    """What it takes for a to be a natural: what is an integer, what is >= 0, which divisors are >= 1."""
    if _is_plain(a):
        return
    for part in dict.fromkeys((*_parts(a), a)):
        fraction = _fraction(part)
        if fraction.terms:
            yield "divides", fraction
        if part is a and not is_nonnegative(a):
            yield "<=", _numerator(a)
    for divisor in dict.fromkeys(_divisors(a)):
        if not is_nonnegative(divisor - 1):
            yield "positive", divisor


def _is_plain(a: Nat) -> bool:
    """Whether a is a natural at first sight."""
    return all(isinstance(c, int) and c > 0 and all(map(_is_plain_power, m)) for m, c in a.terms)


def _is_plain_power(power: tuple[Base, Exponent]) -> bool:
    base, exponent = power
    return isinstance(exponent, int) and exponent > 0 and isinstance(base, NatVar | SizeCall | SizeSum)


def _parts(a: Nat) -> Iterator[Nat]:
    """The naturals inside that must be integers themselves."""
    for node in postorder(a):
        match node:
            case NatCall(function, args) if function not in ("floor", "ceil"):
                yield from args
            case Nat(terms):
                yield from (e for m, _ in terms for _, e in m if isinstance(e, Nat))


def _fraction(a: Nat) -> Nat:
    """What of a decides whether it is an integer, as simple as possible."""
    rest = polynomial(t for t in a.terms if not _is_whole_term(t))
    if not rest.terms or is_integer_valued(rest):
        return const(0)
    generators, p, d = integer_fraction(rest)
    whole, _ = whole_part(p, d, [not part for _, part, _ in generators])
    if whole:
        return _fraction(rest - sum_of(whole, generators))
    if all(c < 0 for _, c in rest.terms):
        rest = scale(rest, -1)
        p = {row: -c for row, c in p.items()}
    content = gcd(*p.values())
    return scale(rest, Fraction(1, content)) if len(d) == 1 and not any(next(iter(d))) else rest


def _is_whole_term(term: Term) -> bool:
    monomial, coefficient = term
    return isinstance(coefficient, int) and all(
        exponent > 0 if isinstance(exponent, int) else is_integral(exponent) and is_nonnegative(exponent)
        for _, exponent in monomial
    )


def _numerator(a: Nat) -> Nat:
    """Something >= 0 exactly if a is, divisors being positive."""
    numerator, divisor = fraction_of(a)
    if is_nonnegative(scale(divisor, -1)):
        numerator = scale(numerator, -1)
    generators, p, _ = integer_fraction(numerator)
    content = gcd(*p.values())
    return sum_of({row: c // content for row, c in p.items()}, generators)


def _divisors(a: Nat) -> Iterator[Nat]:
    for node in postorder(a):
        match node:
            case NatCall("floor" | "ceil", (_, divisor)):
                yield divisor
            case Nat(terms):
                for monomial, _ in terms:
                    for base, exponent in monomial:
                        if isinstance(exponent, int) and exponent < 0:
                            divisor = nat(base)
                            above = fraction_of(node)[0]
                            is_flipped = not is_nonnegative(divisor) and is_nonnegative(scale(above, -1))
                            yield scale(divisor, -1) if is_flipped else divisor


def _variables(a: Nat) -> frozenset[NatVar]:
    return frozenset(name for name in a.free if isinstance(name, NatVar))


def _holds_for(obligation: Obligation, values: Mapping[Atom, int]) -> bool:
    try:
        return evaluate_fact(obligation.fact, values)
    except ZeroDivisionError:
        return False


@dataclass(frozen=True, slots=True, eq=False)
class _Scope:
    """The dependent binders around a term: their variables, innermost last, and what is known."""

    variables: tuple[NatVar | SizeFunVar | None, ...]
    facts: Facts

    def named(self, node: Nat) -> Nat:
        """A natural over the names of the binders."""
        if node.dep_loose == 0:
            return node

        def visit(part: Node, depth: int, dep_depth: int) -> Node | None:
            match part:
                case NatBound(index) | SizeFunBound(index) if index >= dep_depth:
                    variable = self.variables[-1 - (index - dep_depth)]
                    assert variable is not None, f"{part!r} is bound by no size"
                    return nat(variable) if isinstance(variable, NatVar) else variable
            return None

        found: Nat = transform(node, visit, lambda part, depth, dep_depth: part.dep_loose <= dep_depth)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A term, the binders around it, how to get there, and the application whose function it is part of."""

    term: Expr
    scope: _Scope
    way: _Way
    top: _Place | None = None
    upper: Nat | None = None  # what the natural that a dependent function binds is below, if that is known

    @property
    def path(self) -> tuple[int, ...]:
        found: list[int] = []
        way = self.way
        while way is not None:
            way, step = way
            found.append(step)
        return tuple(reversed(found))

    @property
    def reason(self) -> str:
        """What needs the sizes of the term: `split(32) needs it`."""
        head, arguments = spine((self.top or self).term)
        match literal_of(head, arguments):
            case Range(start, end):
                first, last = (show_nat(self.scope.named(one)) for one in (start, end))
                return f"[{first}..{last}) needs it"
        match head:
            case Primitive(name):
                shown = [show_nat(self.scope.named(a)) for a in arguments if isinstance(a, Nat)]
                return f"{name}({', '.join(shown)}) needs it" if shown else f"{name} needs it"
            case Literal(index):
                return f"the index {index} needs it"
            case Var(name) | Lam(name):
                return f"the type of `{name}` needs it" if name else "a type needs it"
        return "a type needs it"


def _naturals(root: Expr) -> Iterator[tuple[Nat, _Place]]:
    """Every natural that must be one, over named sizes, with its place: arguments before functions."""
    outside = _Scope((), Facts())
    taken = {name.name for name in root.free if isinstance(name, NatVar)}
    seen: dict[tuple[Node, int], _Scope] = {}  # and what keeps the scope's identity
    stack: list[tuple[_Place, bool]] = [(_Place(root, outside, None), False)]
    while stack:
        place, is_inside = stack.pop()
        term, scope = place.term, place.scope
        if is_inside:
            yield from ((a, place) for a in _own_naturals(term, scope, seen))
            continue
        known = (term, id(scope if term.dep_loose else scope.facts))
        if known in seen:
            continue
        seen[known] = scope
        match term:
            case Lam(_, parameter):
                yield from ((a, place) for a in _sizes(parameter, scope, seen))
            case DepLam():
                scope = _inside(term, scope, taken, place.upper)
        stack.append((place, True))
        for step, child in enumerate(term.children):
            top = (place.top or place) if step == 0 and isinstance(term, App | DepApp) else None
            upper = _range(term, scope) if isinstance(child, DepLam) and step == 1 else None
            stack.append((_Place(child, scope, (place.way, step), top, upper), False))


def _inside(term: DepLam, scope: _Scope, taken: set[str], upper: Nat | None) -> _Scope:
    """The scope of a dependent function's body; its facts are seen from inside."""
    variable: NatVar | SizeFunVar | None = None
    if term.kind in ("nat", SIZE_FUNCTION):
        name, count = term.name or "n", 1
        while name in taken:
            count += 1
            name = f"{term.name or 'n'}{count}"
        taken.add(name)
        variable = NatVar(name, upper) if term.kind == "nat" else SizeFunVar(name)
    inner = _Scope((*scope.variables, variable), scope.facts)
    if not term.facts:
        return inner
    facts = (Fact(f.relation, inner.named(f.left), inner.named(f.right)) for f in term.facts)
    return _Scope(inner.variables, scope.facts.and_also(*facts))


def _range(e: Expr, scope: _Scope) -> Nat | None:
    """What the natural is below that a primitive gives its function."""
    match e:
        case App(fun, DepLam()):
            head, _ = spine(fun)
    record = lookup(head.name) if isinstance(head, Primitive) else None
    if record is None or not record.ranges or not isinstance(head, Primitive):
        return None
    names = [name for name, _ in scheme_of(record.scheme).parameters]
    (parameter,) = record.ranges.values()
    found = head.implicits[names.index(parameter)]
    return scope.named(found) if isinstance(found, Nat) else None


def _own_naturals(term: Expr, scope: _Scope, seen: dict[tuple[Node, int], _Scope]) -> Iterator[Nat]:
    match term:
        case Primitive(_, implicits):
            yield from (scope.named(a) for a in implicits if isinstance(a, Nat))
        case DepApp(_, Nat() as argument):
            yield scope.named(argument)
        case Literal(int() as index, IndexType(size)):
            yield scope.named(size) - index - 1
    yield from _sizes(term.type, scope, seen)


def _sizes(root: Type, scope: _Scope, seen: dict[tuple[Node, int], _Scope]) -> Iterator[Nat]:
    """The sizes in a type, but for those under its own binders: they are arguments where it is applied."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        known = (node, id(scope if node.dep_loose else scope.facts))
        if known in seen:
            continue
        seen[known] = scope
        match node:
            case ArrayType(size, _) | DepArrayType(size, _) | VectorType(size, _) | IndexType(size):
                yield scope.named(size)
            case FragmentType(rows, columns, depth):
                yield from map(scope.named, (rows, columns, depth))
        if not isinstance(node, DepFunType | TypeFamily):
            stack.extend(part for part in reversed(node.parts) if isinstance(part, Type))


def _without_implied(found: list[Obligation]) -> list[Obligation]:
    """Drop what follows from the others, the first such first; of very many only equal ones are dropped."""
    kept = list(found)
    for obligation in found if len(found) <= MOST_COMPARED else ():
        others = [other for other in kept if other is not obligation]
        if holds(obligation.fact, Facts(tuple(other.fact for other in others))):
            kept = others
    return kept
