"""Generates programs forwards, one operation on a value at a time. Knows only operations that keep lengths."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias
from typing import TypeVar as TypeVariable

from rise.inference.schemes import instantiate_primitive
from rise.naturals import Atom, Nat, NatLike, NatVar, const, nat
from rise.primitives import PRIMITIVES, lookup
from rise.quotients import evaluate_natural
from rise.terms import App, DepApp, Expr, Lam, Var, abstract, apply, make_literal
from rise.testing.schemes import application
from rise.types import (
    F32,
    I32,
    ArrayType,
    DepArrayType,
    DepFunType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    VectorType,
)

#: how many numbers a value has at most
LARGEST: Final = 2000
DEPTH: Final = 3
STEPS: Final = 4
#: sizes that are numbers, and the numbers that the variables among sizes stand for
NUMBERS: Final = (1, 2, 3, 4, 6, 12)
VARIABLES: Final = {NatVar("N", None): 12, NatVar("M", None): 4, NatVar("K", None): 2}

_NUMBERS: Final[dict[Atom, int]] = dict(VARIABLES.items())
T = TypeVariable("T")
Scope: TypeAlias = tuple[Var, ...]
Step: TypeAlias = "Callable[[Pipelines, Expr, Scope, int], Expr | None]"


def number(a: Nat) -> int | None:
    """The number that a size is; None where it depends on more than the variables, and where it is no size."""
    try:
        found = evaluate_natural(a, _NUMBERS)
    except (KeyError, ArithmeticError):
        return None
    return found if isinstance(found, int) and found >= 0 else None


def count(t: Type) -> int | None:
    """How many numbers a value has; None where that is not known, or where there is no such value."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            known, inner = number(size), count(element)
            return None if known is None or inner is None else known * inner
        case PairType(first, second):
            one, other = count(first), count(second)
            return None if one is None or other is None else one + other
        case IndexType():
            return 1
        case ScalarType():
            return 1
    return None


def holds(t: Type, kind: type[Type]) -> bool:
    """Whether a type of values has parts of a kind."""
    waiting: list[Any] = [t]
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            return True
        waiting += [one for one in part.parts if isinstance(one, Type)]
    return False


@dataclass(slots=True)
class Pipelines:
    """Makes one program. `below` draws a number from 0; `parameters` are the inputs that it asks for."""

    below: Callable[[int], int]
    is_symbolic: bool
    steps_for: Callable[[Type], tuple[Step, ...]]
    made: int = 0
    parameters: list[Var] = field(default_factory=list)

    def choose(self, items: Sequence[T]) -> T:
        """One of some things, the first ones rather."""
        return items[self.below(len(items))]

    def variable(self, t: Type) -> Var:
        """A new variable."""
        self.made += 1
        return Var(f"%{self.made}", t)

    def size(self) -> Nat:
        """A number, a variable, or a sum or product of these."""
        if not self.is_symbolic or self.below(4) == 0:
            return const(self.choose(NUMBERS))
        one = nat(self.choose(tuple(VARIABLES)))
        other = self.choose((const(1), const(2), const(3), *map(nat, VARIABLES)))
        return self.choose((one, one, one * other, one + other))

    def input_type(self) -> Type:
        """The type of an input: numbers, in arrays, in pairs."""
        t: Type = self.choose((F32, F32, F32, I32, PairType(F32, I32)))
        for _ in range(self.choose((1, 2, 2, 3))):
            size = self.size()
            if (count(ArrayType(size, t)) or LARGEST) < LARGEST // 4:
                t = ArrayType(size, t)
        return t

    def input(self, t: Type, scope: Scope = ()) -> Expr:
        """Something that is there, or a new input."""
        known = [one for one in (*scope, *self.parameters) if one.given == t]
        if known and (len(self.parameters) > 2 or self.below(3)):
            return self.choose(known)
        self.parameters.append(Var(f"p{len(self.parameters)}", t))
        return self.parameters[-1]

    def constant(self, t: Type) -> Expr | None:
        """A number."""
        match t:
            case ScalarType("bool"):
                return make_literal(self.below(2), t)
            case ScalarType():
                return make_literal(self.below(4), t)
            case VectorType(size, element):
                inner = self.constant(element)
                return (
                    None if inner is None else self.call("vectorFromScalar", inner, implicits=(size, element))
                )
            case PairType(first, second):
                one, other = self.constant(first), self.constant(second)
                return None if one is None or other is None else self.call("pair", one, other)
        return None

    def call(self, name: str, *arguments: Expr | NatLike, implicits: tuple[Any, ...] = ()) -> Expr | None:
        """A primitive applied; None where that has no type, or has values that are too large."""
        record = lookup(name)
        assert record is not None, name
        given = tuple(one if isinstance(one, Expr) else nat(one) for one in arguments)
        if implicits:
            made: Expr | None = instantiate_primitive(record, implicits)
            for one in given:
                assert made is not None
                made = App(made, one) if isinstance(one, Expr) else DepApp(made, one)
        else:
            made = application(record, given)
        if made is None or isinstance(made.type, FunType | DepFunType):
            return made
        has_rows = holds(made.type, DepArrayType)
        return made if has_rows or ((found := count(made.type)) is not None and found <= LARGEST) else None

    def function(self, t: Type, scope: Scope, depth: int, to: Type | None = None) -> Lam | None:
        """A function of a value, into a type if that is said."""
        x = self.variable(t)
        body: Expr | None = self.grow(x, (x, *scope), depth - 1)
        if to is not None and body is not None and body.type != to:
            body = self.same_type(x, (x, *scope), depth - 1) if to == t else self.constant(to)
        return None if body is None else abstract(body, x, self.choose(("x", "row", "y")))

    def grow(self, e: Expr, scope: Scope, depth: int) -> Expr:
        """A value, and what some steps make of it."""
        for _ in range(self.below(STEPS) + 1 if depth > 0 else 1):
            e = self.step(e, scope, depth)
        return e

    def step(self, e: Expr, scope: Scope, depth: int) -> Expr:
        """What one step makes of a value: as it is where nothing fits."""
        for _ in range(3):
            found = self.choose(self.steps_for(e.type))(self, e, scope, depth)
            if found is not None:
                return found
        return e

    def same_type(self, e: Expr, scope: Scope, depth: int) -> Expr | None:
        """A value of the same type, made of a value."""
        match e.type:
            case ArrayType(_, element):
                return self.same_length(e, scope, depth, element)
            case ScalarType("bool"):
                return self.call("not", e)
            case ScalarType() | VectorType():
                return self.call(self.choose(("add", "mul", "min")), e, self.input_number(e.type, scope))
            case PairType():
                first, second = self.call("fst", e), self.call("snd", e)
                assert first is not None and second is not None
                one = self.same_type(first, scope, depth)
                return None if one is None else self.call("pair", one, second)
        return e

    def same_length(self, e: Expr, scope: Scope, depth: int, to: Type | None = None) -> Expr | None:
        """An array as long, of elements of a type if that is said."""
        assert isinstance(e.type, ArrayType)
        size, element = e.type.size, e.type.element
        which = self.below(5)
        if which == 0 and (to is None or to == element):
            return self.call("gather", self.permutation(size), e)
        if which == 1 and (to is None or to == element):
            return self.call("scatter", self.permutation(size), e)
        if which == 2 and (to is None or to == element):
            return reversed_by_functions(self, e)
        if which == 3 and (to is None or to == element) and isinstance(element, ScalarType):
            return scanned(self, e, scope, depth)
        function = self.function(element, scope, depth, to)
        return None if function is None else self.call("map", function, e)

    def input_number(self, t: Type, scope: Scope) -> Expr:
        """A number of the type: one that is there, or a literal."""
        known = [one for one in scope if one.given == t]
        found = self.choose(known) if known and self.below(2) else self.constant(t)
        return self.input(t) if found is None else found

    def permutation(self, size: Nat) -> Expr:
        """Indices that differ: from the end, as they are, written out, or given."""
        known = number(size) if size.constant is not None else None
        if known is not None and 0 < known <= 4 and self.below(3) == 0:
            left = list(range(known))
            order = [left.pop(self.below(len(left))) for _ in range(known)]
            elements = [make_literal(one, IndexType(size)) for one in order]
            return apply(self.array(IndexType(size), known), *elements)
        i = self.variable(IndexType(size))
        index: Expr | None = self.call("fromEnd", i) if self.below(3) else i
        assert index is not None
        generated = self.call("generate", abstract(index, i, "i"))
        assert generated is not None
        return generated

    def array(self, t: Type, length: int) -> Expr:
        """The primitive of arrays that are written out."""
        record = lookup(f"makeArray{length}")
        assert record is not None
        return instantiate_primitive(record, (t,))

    def divisor(self, size: Nat) -> Nat | None:
        """A size that divides another."""
        whole = number(size)
        if whole is None:
            return None
        known: list[Nat] = [const(one) for one in (2, 3, 4, 1)]
        if self.is_symbolic:
            known += map(nat, VARIABLES)
        fitting = [one for one in known if whole % (number(one) or whole + 1) == 0]
        return self.choose(fitting) if fitting else None


def scanned(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """What elements are combined to, up to each."""
    return folded(p, "scan", e)


def folded(p: Pipelines, name: str, e: Expr) -> Expr | None:
    assert isinstance(e.type, ArrayType)
    element = e.type.element
    start = p.constant(element)
    if start is None or not isinstance(element, ScalarType) or element.name == "bool":
        return None
    operation = instantiate_primitive(PRIMITIVES[p.choose(("add", "min", "max"))], (element,))
    return p.call(name, operation, start, e)


def reversed_by_functions(p: Pipelines, e: Expr) -> Expr | None:
    """By a function of indices that undoes itself."""
    assert isinstance(e.type, ArrayType)
    i, j = p.variable(IndexType(e.type.size)), p.variable(IndexType(e.type.size))
    there, back = p.call("fromEnd", i), p.call("fromEnd", j)
    assert there is not None and back is not None
    return p.call("reorder", abstract(there, i, "i"), abstract(back, j, "i"), e)
