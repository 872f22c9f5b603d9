"""Functions from naturals to naturals, in sizes: `i |-> i + 1`, a named `len`, a table; their values and sums.

Depends on naturals, but not on types. `len(i)` and `sum(n, len)`, the sum of the first n values, are atoms. A function
given by a formula is expanded where it is applied; its sum is a polynomial if the function is one, or is expressed by
the sums of named functions.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from hashlib import blake2b
from math import comb
from typing import TYPE_CHECKING, Any, ClassVar, Final

from rise.diagnostics import number_text
from rise.naturals import (
    ZERO,
    Atom,
    Monomial,
    Nat,
    NatBound,
    NatLike,
    NatVar,
    Term,
    const,
    nat,
    polynomial,
    power,
    scale,
)
from rise.node_table import find
from rise.nodes import Measured, Node, enter, postorder, transform
from rise.number_functions import MAX_POWER, number_function
from rise.polynomials import NotComputed

#: the maximum number of values without a closed formula that are added up, when sizes are simplified and evaluated
MAX_SIMPLIFIED_TERMS: Final = 1 << 16
MAX_EVALUATED_TERMS: Final = 1 << 24


class SizeFunction(Measured):
    """The base of functions from naturals to naturals."""

    __slots__ = ("order",)
    if TYPE_CHECKING:
        order: ClassVar[tuple[Any, ...]]  # derived: the sort key among functions


class SizeMap(SizeFunction):
    """`(i |-> body)`. Build it with `size_map`."""

    __slots__ = ("name", "body")
    BINDER: ClassVar[int] = 2
    NAMES_BINDER: ClassVar[bool] = True
    name: str
    body: Nat

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (3, self.body.order)),)

    def with_parts(self, parts: tuple[Any, ...]) -> SizeFunction:
        return size_map(self.name, nat(parts[0]))


class SizeFunVar(SizeFunction):
    """A named function."""

    __slots__ = ("name",)
    name: str

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (0, self.name)), ("free", frozenset((self,))))


class SizeFunBound(SizeFunction):
    """A function bound by the `index`-th dependent binder outwards."""

    __slots__ = ("index",)
    index: int

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (1, self.index)), ("dep_loose", self.index + 1))


class SizeFunMeta(SizeFunction):
    """An unknown of inference."""

    __slots__ = ("ident",)
    ident: int

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (2, self.ident)), ("free", frozenset((self,))))


class SizeValues(tuple[int, ...]):
    """The values of a table. They contain no nodes, so they need not be searched for these. See Note [Tables]."""


class SizeTable(SizeFunction):
    """A function given by its first values; it is 0 after them."""

    __slots__ = ("values",)
    values: tuple[int, ...]

    def __new__(cls, values: tuple[int, ...]) -> Any:
        packed = values if isinstance(values, SizeValues) else SizeValues(values)
        table_key = (cls, *_digest(packed))
        existing = find(table_key)
        return existing if existing is not None else enter(cls, table_key, (packed,))

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (4, self.values)),)


def _digest(values: SizeValues) -> tuple[str, bytes]:
    """A digest of the values of a table; see Note [Tables]."""
    try:
        return "packed", blake2b(struct.pack(f"<{len(values)}q", *values), digest_size=32).digest()
    except struct.error:
        return "written", blake2b(repr(values).encode(), digest_size=32).digest()


class Summable(Atom):
    """An atom whose sum may have a closed formula."""

    __slots__ = ()

    def added_up(self, count: Nat) -> Nat | None:
        """The sum over the first `count` values of the innermost dependent index; None if there is no formula."""
        return None


class SizeCall(Atom):
    """`f(i)`."""

    __slots__ = ("function", "argument")
    function: SizeFunction
    argument: Nat

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (4, self.function.order, self.argument.order)),)

    def with_parts(self, parts: tuple[Any, ...]) -> Nat:
        return size_at(parts[0], nat(parts[1]))


class SizeSum(Atom):
    """`sum(n, f)`: f(0) + ... + f(n - 1)."""

    __slots__ = ("count", "function")
    count: Nat
    function: SizeFunction

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (5, self.function.order, self.count.order)),)

    def with_parts(self, parts: tuple[Any, ...]) -> Nat:
        return size_sum(nat(parts[0]), parts[1])


def size_map(name: str, body: Nat) -> SizeFunction:
    """The function of a body over the innermost dependent index; `(i |-> f(i))` is f."""
    match body.terms:
        case ((((SizeCall(function, argument), 1),), 1),) if argument is _ROW and not mentions_row(function):
            simplified: SizeFunction = put_size(function, ZERO)
            return simplified
    return SizeMap(name, body)


def size_at(function: SizeFunction, argument: NatLike) -> Nat:
    """The value of a function."""
    argument = nat(argument)
    match function:
        case SizeMap(_, body):
            value: Nat = put_size(body, argument)
            return value
        case SizeTable(values) if argument.constant is not None:
            index = argument.constant
            return const(values[index] if 0 <= index < len(values) else 0)
    return nat(SizeCall(function, argument))


def size_sum(count: NatLike, function: SizeFunction) -> Nat:
    """The sum of the first `count` values of a function."""
    count = nat(count)
    if not count.terms:
        return ZERO
    match function:
        case SizeTable(values) if count.constant is not None:
            return const(sum(values[: max(count.constant, 0)]))
        case SizeMap(name, body):
            return _summed(count, name, body)
    return nat(SizeSum(count, function))


@lru_cache(maxsize=1 << 12)
def _summed(count: Nat, name: str, body: Nat) -> Nat:
    total = ZERO
    rest: list[Term] = []
    for monomial, coefficient in body.terms:
        dependent = tuple(
            f for f in monomial if any(map(mentions_row, (p for p in f if isinstance(p, Node))))
        )
        independent: Monomial = tuple(f for f in monomial if f not in dependent)
        factor = scale(put_size(Nat(((independent, 1),)), ZERO), coefficient)
        match dependent:
            case ():
                total = total + factor * count
            case ((NatBound(0), int() as exponent),) if 0 < exponent <= MAX_POWER:
                total = total + factor * _power_sum(exponent, count)
            case ((SizeCall(inner, argument), 1),) if argument is _ROW and not mentions_row(inner):
                total = total + factor * size_sum(count, put_size(inner, ZERO))
            case ((Summable() as atom, 1),) if (formula := atom.added_up(count)) is not None:
                total = total + factor * formula
            case _:
                rest.append((monomial, coefficient))
    if not rest:
        return total
    if any(not isinstance(coefficient, int) or coefficient < 0 for _, coefficient in rest):
        total, rest = ZERO, list(body.terms)  # the remaining terms alone may not be a natural
    opaque = Nat(tuple(rest))
    known = count.constant
    if known is not None and known <= MAX_SIMPLIFIED_TERMS:
        value = number_function(opaque)
        if value is not None:
            return total + const(sum(map(value, range(known))))
        return polynomial(
            t for a in (total, *(put_size(opaque, const(i)) for i in range(known))) for t in a.terms
        )
    return total + nat(SizeSum(count, SizeMap(name, opaque)))


def tiles_added_up(
    count: Nat, sizes: tuple[Nat, ...], ceiling_quotient: Callable[[Nat, Nat], Nat]
) -> Nat | None:
    """The sum of `min(s, n - s * i)`, the lengths of the tiles of n elements: n for all `ceil(n, s)` tiles, and s per
    tile for the tiles before a given one. None for other counts and sizes.
    """
    for size, left in (sizes, sizes[::-1]):
        if mentions_row(size) or not size.terms:
            continue
        length, step = put_size(left, ZERO), put_size(size, ZERO)
        if left is not _moved(length, 1) - size * _ROW:
            continue
        tiles = ceiling_quotient(length, step)
        if count is tiles:
            return nat(length)
        match count.terms:
            case ((((NatVar(upper=end), 1),), 1),) if end is tiles:
                return nat(step * count)
    return None


def _power_sum(exponent: int, count: Nat) -> Nat:
    """0^k + ... + (n-1)^k, with Bernoulli numbers."""
    total = ZERO
    for j in range(exponent + 1):
        factor = Fraction(comb(exponent + 1, j), exponent + 1) * _bernoulli(j)
        if factor:
            total = total + scale(power(count, exponent + 1 - j), factor)
    return total


@lru_cache(maxsize=64)
def _bernoulli(n: int) -> Fraction:
    numbers: list[Fraction] = []
    for m in range(n + 1):
        known = sum((comb(m + 1, k) * b for k, b in enumerate(numbers)), Fraction(0))
        numbers.append(Fraction(1) if m == 0 else -known / (m + 1))
    return numbers[n]


def mentions_row(node: Node) -> bool:
    """Whether a node mentions the innermost dependent variable."""
    return bool(node.dep_loose) and _MARK in put_size(node, nat(_MARK)).free


def put_size(node: Any, argument: Nat) -> Any:
    """Substitute a natural for the innermost dependent variable of a natural or function; other indices decrease."""
    if node.dep_loose == 0:
        return node

    def visit(inner: Node, depth: int, dep_depth: int) -> Any:
        match inner:
            case NatBound(index) if index == dep_depth:
                return _moved(argument, dep_depth)
            case NatBound(index) if index > dep_depth:
                return nat(NatBound(index - 1))
            case SizeFunBound(index) if index > dep_depth:
                return SizeFunBound(index - 1)
        return None

    return transform(node, visit, lambda inner, depth, dep_depth: inner.dep_loose <= dep_depth)


def _moved(node: Nat, by: int) -> Nat:
    if node.dep_loose == 0 or by == 0:
        return node

    def visit(inner: Node, depth: int, dep_depth: int) -> Any:
        match inner:
            case NatBound(index) if index >= dep_depth:
                return nat(NatBound(index + by))
            case SizeFunBound(index) if index >= dep_depth:
                return SizeFunBound(index + by)
        return None

    return transform(node, visit, lambda inner, depth, dep_depth: inner.dep_loose <= dep_depth)


def has_functions(node: Node) -> bool:
    """Whether a node contains a function of sizes."""
    return any(isinstance(part, SizeFunction) for part in postorder(node))


def without_sums(a: Nat, evaluate: Callable[[Nat, Mapping[Atom, int]], Any]) -> Nat:
    """a with its sums of a known number of values evaluated. Raises NotComputed for a sum of too many values."""

    def visit(inner: Node, depth: int, dep_depth: int) -> Any:
        match inner:
            case SizeSum(count, SizeMap() as function) if function.dep_loose == 0:
                known = count.constant
                if known is not None and known > MAX_EVALUATED_TERMS:
                    raise NotComputed(f"a sum of {number_text(known)} values without a formula")
                return None if known is None else const(sum(values_of(function, known, evaluate)))
        return None

    return transform(a, visit, lambda inner, depth, dep_depth: not inner.parts)


def values_of(
    function: SizeMap, count: int, evaluate: Callable[[Nat, Mapping[Atom, int]], Any]
) -> Iterator[Any]:
    """The first values of a function given by a formula, evaluated."""
    if has_functions(function.body):
        return (evaluate(put_size(function.body, const(i)), {}) for i in range(count))
    row = NatBound(0)
    return (evaluate(function.body, {row: i}) for i in range(count))


class _Mark(Atom):
    """A placeholder for an index, to search for it."""

    __slots__ = ()

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (("order", (6,)), ("free", frozenset((self,))))


_MARK: Final = _Mark()
_ROW: Final = nat(NatBound(0))


# Note [Tables]
# A size table has as many values as an array has rows, and the table of nodes keeps the keys of dead nodes for a long
# time. So the key of a size table contains a digest of 32 bytes instead of the values; size tables are equal if their
# digests are.
