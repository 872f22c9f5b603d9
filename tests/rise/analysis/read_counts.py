"""A second way to count the cost of reading a term: it is evaluated on demand, number by number, and every read is
counted.

Nothing is computed: all numbers are 0, which is also a valid index. A number is a function without arguments, which
counts its cost; a pair is a tuple, and an array returns its elements by index. Sizes are known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

from rise.primitives import has_trait, lookup
from rise.terms import Bound, Expr, Lam, Literal, Primitive, spine
from rise.types import ArrayType, FunType, PairType, Type

Value: TypeAlias = Any
Method: TypeAlias = "Callable[..., Value]"


@dataclass(frozen=True)
class Lazy:
    """An array whose elements are computed when they are read."""

    size: int
    at: Callable[[int], Value]


def read(value: Value) -> None:
    """Read all numbers in a value."""
    if isinstance(value, Lazy):
        for i in range(value.size):
            read(value.at(i))
    elif isinstance(value, tuple):
        for part in value:
            read(part)
    else:
        value()


def zero() -> int:
    """A number that costs nothing."""
    return 0


def kept(value: Value) -> Value:
    """A value whose numbers, except those in arrays, are computed at most once."""
    if isinstance(value, tuple):
        return tuple(kept(part) for part in value)
    if not callable(value):
        return value
    known: list[int] = []

    def number() -> int:
        if not known:
            known.append(value())
        return known[0]

    return number


@dataclass
class Machine:
    """Reads terms; counts the numbers that are read from each argument, and the operations, in units of additions."""

    reads: Counter[int] = field(default_factory=Counter)
    operations: int = 0

    def argument(self, name: int, t: Type) -> Value:
        """A variable from outside: reading a number in it is counted."""
        if isinstance(t, ArrayType):
            element = self.argument(name, t.element)
            return Lazy(size_of(t), lambda _: element)
        if isinstance(t, PairType):
            return self.argument(name, t.first), self.argument(name, t.second)

        def number() -> int:
            self.reads[name] += 1
            return 0

        return number

    def value(self, e: Expr, scope: tuple[Value, ...]) -> Value:
        """The value of a term; the innermost variable is the first of the scope."""
        match e:
            case Bound(index):
                return scope[index]
            case Literal():
                return zero
            case Lam(_, _, body):
                return lambda x: self.value(body, (x, *scope))
        head, given = spine(e)
        operands = [self.value(one, scope) for one in given if isinstance(one, Expr)]
        if isinstance(head, Primitive):
            return self.primitive(head, e, operands)
        function = self.value(head, scope)
        for one in operands:
            function = function(kept(one))
        return function

    def primitive(self, head: Primitive, e: Expr, operands: list[Value]) -> Value:
        """A primitive, applied to its operands or to some of them."""
        if isinstance(e.type, FunType):
            last = e.type

            def function(x: Value) -> Value:
                return self.primitive(head, _Typed(last.result), [*operands, x])

            return function
        if head.name in METHODS:
            return METHODS[head.name](e.type, *operands)
        record = lookup(head.name)
        assert record is not None and has_trait(head.name, "lanewise"), head.name

        def number() -> int:
            for one in operands:
                one()
            self.operations += record.cost
            return 0

        return number


@dataclass(frozen=True)
class _Typed:
    type: Any


def size_of(t: Type) -> int:
    """The number of elements of an array."""
    assert isinstance(t, ArrayType) and t.size.constant is not None, t
    return t.size.constant


def _generate(t: Type, function: Value) -> Lazy:
    return Lazy(size_of(t), lambda _: function(zero))


def _reduce(t: Type, function: Value, start: Value, xs: Lazy) -> Value:
    def number() -> int:
        total = start
        for i in range(xs.size):
            total = function(total)(xs.at(i))
            read(total)
            total = zero
        if not xs.size:
            read(start)
        return 0

    return number


def _index(t: Type, i: Value, xs: Lazy) -> Value:
    return _after(i, xs.at(0)) if xs.size else zero


def _after(i: Value, value: Value) -> Value:
    """A value each of whose numbers is read after an index."""
    if isinstance(value, tuple):
        return tuple(_after(i, part) for part in value)
    if isinstance(value, Lazy):
        return Lazy(value.size, lambda j: _after(i, value.at(j)))

    def number() -> int:
        i()
        return int(value())

    return number


def _same(t: Type, *operands: Value) -> Lazy:
    """A view: each of its elements is some element of its last operand."""
    xs = operands[-1]
    return Lazy(size_of(t), lambda i: xs.at(i % xs.size) if xs.size else zero)


def _split(t: Any, xs: Lazy) -> Lazy:
    n = size_of(t.element)
    return Lazy(size_of(t), lambda i: Lazy(n, lambda j: xs.at(i * n + j)))


def _join(t: Type, xss: Lazy) -> Lazy:
    size = size_of(t)
    return Lazy(size, lambda i: xss.at(i // (size // xss.size)).at(i % (size // xss.size)))


def _transpose(t: Any, xss: Lazy) -> Lazy:
    n = size_of(t.element)
    return Lazy(size_of(t), lambda i: Lazy(n, lambda j: xss.at(j).at(i)))


def _slide(t: Any, xs: Lazy) -> Lazy:
    n = size_of(t.element)
    return Lazy(size_of(t), lambda i: Lazy(n, lambda j: xs.at(min(i + j, xs.size - 1))))


def _concat(t: Type, xs: Lazy, ys: Lazy) -> Lazy:
    return Lazy(size_of(t), lambda i: xs.at(i) if i < xs.size else ys.at(i - xs.size))


def _gather(t: Type, indices: Lazy, xs: Lazy) -> Lazy:
    return Lazy(size_of(t), lambda i: _after(indices.at(i), xs.at(0)) if xs.size else zero)


#: primitives that are not functions of numbers; arguments are the type of the result and the operands
METHODS: Final[dict[str, Method]] = {
    "map": lambda t, f, xs: Lazy(xs.size, lambda i: f(xs.at(i))),
    "zip": lambda t, xs, ys: Lazy(xs.size, lambda i: (xs.at(i), ys.at(i))),
    "pair": lambda t, a, b: (a, b),
    "fst": lambda t, p: p[0],
    "snd": lambda t, p: p[1],
    "let": lambda t, v, f: f(kept(v)),
    "generate": _generate,
    "reduce": _reduce,
    "reduceSeq": _reduce,
    "idx": _index,
    "gather": _gather,
    "split": _split,
    "join": _join,
    "transpose": _transpose,
    "slide": _slide,
    "take": lambda t, xs: _same(t, xs),
    "drop": lambda t, xs: _same(t, xs),
    "concat": _concat,
    "padClamp": _same,
    "fromEnd": lambda t, i: i,
    "toMem": lambda t, x: x,
    "id": lambda t, x: x,
    "makeArray1": lambda t, *xs: Lazy(len(xs), lambda i: xs[i]),
    "makeArray2": lambda t, *xs: Lazy(len(xs), lambda i: xs[i]),
    "makeArray3": lambda t, *xs: Lazy(len(xs), lambda i: xs[i]),
}
