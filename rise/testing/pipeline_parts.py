"""Parts of random pipelines: inputs, constants, calls, and steps that preserve lengths. Lists no other steps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field
from typing import Any, Final, TypeAlias
from typing import TypeVar as TypeVariable

from rise.inference.schemes import instantiate_primitive
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatLike, NatVar, const, nat
from rise.primitives import PRIMITIVES, lookup
from rise.records import dataclass
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

#: the limit on numbers in a value
MAX_NUMBERS: Final = 2000
DEPTH: Final = 3
MAX_STEPS: Final = 4
#: constant sizes, and the values of symbolic ones
NUMBERS: Final = (1, 2, 3, 4, 6, 12)
VARIABLES: Final = {NatVar("N", None): 12, NatVar("M", None): 4, NatVar("K", None): 2}

_NUMBERS: Final[dict[Atom, int]] = dict(VARIABLES.items())
T = TypeVariable("T")
Scope: TypeAlias = tuple[Var, ...]
Step: TypeAlias = "Callable[[Pipelines, Expr, Scope, int], Expr | None]"


def number(size: Nat) -> int | None:
    """The value of a size; None if it depends on other variables or is not a natural number."""
    try:
        value = evaluate_natural(size, _NUMBERS)
    except (KeyError, ArithmeticError):
        return None
    return value if isinstance(value, int) and value >= 0 else None


def count(t: Type) -> int | None:
    """The number of numbers in a value; None if that is unknown, or if the type has no values."""
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            known, inner = number(size), count(element)
            return None if known is None or inner is None else known * inner
        case PairType(first, second):
            left, right = count(first), count(second)
            return None if left is None or right is None else left + right
        case IndexType():
            return 1
        case ScalarType():
            return 1
    return None


def holds(t: Type, kind: type[Type]) -> bool:
    """Whether a type has parts of a kind."""
    waiting: list[Any] = [t]
    while waiting:
        part = waiting.pop()
        if isinstance(part, kind):
            return True
        waiting += [inner for inner in part.parts if isinstance(inner, Type)]
    return False


@dataclass(slots=True)
class Pipelines:
    """Generates one program. `below` draws a natural number below its argument; `parameters` has the inputs so far."""

    below: Callable[[int], int]
    is_symbolic: bool
    steps_for: Callable[[Type], tuple[Step, ...]]
    variable_count: int = 0
    parameters: list[Var] = field(default_factory=list)

    def choose(self, items: Sequence[T]) -> T:
        """One of several items; shrinks to the first."""
        return items[self.below(len(items))]

    def variable(self, t: Type) -> Var:
        """A new variable."""
        self.variable_count += 1
        return Var(f"%{self.variable_count}", t)

    def size(self) -> Nat:
        """A constant, a variable, or a sum or product of these."""
        if not self.is_symbolic or self.below(4) == 0:
            return const(self.choose(NUMBERS))
        variable = nat(self.choose(tuple(VARIABLES)))
        other = self.choose((const(1), const(2), const(3), *map(nat, VARIABLES)))
        return self.choose((variable, variable, variable * other, variable + other))

    def input_type(self) -> Type:
        """The type of an input: numbers, pairs, and arrays of them."""
        t: Type = self.choose((F32, F32, F32, I32, PairType(F32, I32)))
        for _ in range(self.choose((1, 2, 2, 3))):
            size = self.size()
            if (count(ArrayType(size, t)) or MAX_NUMBERS) < MAX_NUMBERS // 4:
                t = ArrayType(size, t)
        return t

    def input(self, t: Type, scope: Scope = ()) -> Expr:
        """An existing variable, or a new input."""
        known = [variable for variable in (*scope, *self.parameters) if variable.given == t]
        if known and (len(self.parameters) > 2 or self.below(3)):
            return self.choose(known)
        self.parameters.append(Var(f"p{len(self.parameters)}", t))
        return self.parameters[-1]

    def constant(self, t: Type) -> Expr | None:
        """A literal, or a vector or pair of literals; None if the type has none."""
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
                left, right = self.constant(first), self.constant(second)
                return None if left is None or right is None else self.call("pair", left, right)
        return None

    def call(self, name: str, *arguments: Expr | NatLike, implicits: tuple[Any, ...] = ()) -> Expr | None:
        """A primitive applied; None if that is ill-typed, or its value would be too large."""
        record = lookup(name)
        assert record is not None, name
        given = tuple(argument if isinstance(argument, Expr) else nat(argument) for argument in arguments)
        if implicits:
            result: Expr | None = instantiate_primitive(record, implicits)
            for argument in given:
                assert result is not None
                result = App(result, argument) if isinstance(argument, Expr) else DepApp(result, argument)
        else:
            result = application(record, given)
        if result is None or isinstance(result.type, FunType | DepFunType):
            return result
        has_rows = holds(result.type, DepArrayType)
        numbers = count(result.type)
        return result if has_rows or (numbers is not None and numbers <= MAX_NUMBERS) else None

    def function(self, t: Type, scope: Scope, depth: int, to: Type | None = None) -> Lam | None:
        """A function of a value, with a given result type, if any."""
        x = self.variable(t)
        body: Expr | None = self.grow(x, (x, *scope), depth - 1)
        if to is not None and body is not None and body.type != to:
            body = self.same_type(x, (x, *scope), depth - 1) if to == t else self.constant(to)
        return None if body is None else abstract(body, x, self.choose(("x", "row", "y")))

    def grow(self, e: Expr, scope: Scope, depth: int) -> Expr:
        """Apply one or several steps to a value."""
        for _ in range(self.below(MAX_STEPS) + 1 if depth > 0 else 1):
            e = self.step(e, scope, depth)
        return e

    def step(self, e: Expr, scope: Scope, depth: int) -> Expr:
        """Apply a step to a value; the value itself if none fits."""
        for _ in range(3):
            result = self.choose(self.steps_for(e.type))(self, e, scope, depth)
            if result is not None:
                return result
        return e

    def same_type(self, e: Expr, scope: Scope, depth: int) -> Expr | None:
        """A value of the same type, computed from a value."""
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
                other = self.same_type(first, scope, depth)
                return None if other is None else self.call("pair", other, second)
        return e

    def same_length(self, e: Expr, scope: Scope, depth: int, to: Type | None = None) -> Expr | None:
        """An array of the same length, with elements of a given type, if any."""
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
        """A number of a type: a variable, a literal or an input."""
        known = [variable for variable in scope if variable.given == t]
        operand = self.choose(known) if known and self.below(2) else self.constant(t)
        return self.input(t) if operand is None else operand

    def permutation(self, size: Nat) -> Expr:
        """Distinct indices: all indices in order or in reverse order, or an array literal."""
        known = number(size) if size.constant is not None else None
        if known is not None and 0 < known <= 4 and self.below(3) == 0:
            left = list(range(known))
            order = [left.pop(self.below(len(left))) for _ in range(known)]
            elements = [make_literal(index, IndexType(size)) for index in order]
            return apply(self.array(IndexType(size), known), *elements)
        i = self.variable(IndexType(size))
        index: Expr | None = self.call("fromEnd", i) if self.below(3) else i
        assert index is not None
        generated = self.call("generate", abstract(index, i, "i"))
        assert generated is not None
        return generated

    def array(self, t: Type, length: int) -> Expr:
        """The primitive for array literals of this length."""
        record = lookup(f"makeArray{length}")
        assert record is not None
        return instantiate_primitive(record, (t,))

    def divisor(self, size: Nat) -> Nat | None:
        """A size that divides another."""
        whole = number(size)
        if whole is None:
            return None
        known: list[Nat] = [const(divisor) for divisor in (2, 3, 4, 1)]
        if self.is_symbolic:
            known += map(nat, VARIABLES)
        fitting = [divisor for divisor in known if whole % (number(divisor) or whole + 1) == 0]
        return self.choose(fitting) if fitting else None


def scanned(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """A scan."""
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
    """The elements in reverse order, by a function of indices that is its own inverse."""
    assert isinstance(e.type, ArrayType)
    i, j = p.variable(IndexType(e.type.size)), p.variable(IndexType(e.type.size))
    there, back = p.call("fromEnd", i), p.call("fromEnd", j)
    assert there is not None and back is not None
    return p.call("reorder", abstract(there, i, "i"), abstract(back, j, "i"), e)
