"""Terms: the typed lambda calculus of patterns. Knows no primitive and no inference.

Every term carries its type; building an application of a function to something else than it takes is a bug and
asserts. Binders are nameless inside (`Bound` counts the `Lam`s outwards, dependent variables count the `DepLam`s) and
keep their author's name for printing. Whoever writes rules uses `rise.dsl` or equations, not indices.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Hashable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from rise.naturals import Nat
from rise.nodes import Node, find, settle, slot, transform
from rise.rounding import round_number
from rise.scalars import SCALARS
from rise.types import (
    Argument,
    DepFunType,
    FunType,
    IndexType,
    ScalarType,
    Type,
    instantiate_dependent,
    shift_dependent,
)

LiteralValue: TypeAlias = int | float | Fraction


class Expr(Node):
    """The base of terms. `children` are its sub-terms; types and naturals are among `parts` only."""

    __slots__ = ("type", "children", "root")
    if TYPE_CHECKING:
        type: ClassVar[Type]  # derived
        children: ClassVar[tuple[Expr, ...]]  # derived
        root: ClassVar[
            Hashable
        ]  # derived: the class, and for a spine of applications its head and their number

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        """The same term over other sub-terms of the same types."""
        if all(a is b for a, b in zip(self.children, children, strict=True)):
            return self
        rest = iter(children)
        made: Expr = self.with_parts(tuple(next(rest) if isinstance(p, Expr) else p for p in self.parts))  # type: ignore[assignment]  # an Expr rebuilds an Expr
        return made

    def _derive(self, found: Type) -> tuple[tuple[str, Any], ...]:
        children = tuple(p for p in self.parts if isinstance(p, Expr))
        return (("type", found), ("children", children), ("root", _root(self, children)))


def _root(e: Expr, children: tuple[Expr, ...]) -> Hashable:
    match e:
        case Primitive(name):
            return (name, 0)
        case App(fun) | DepApp(fun):
            head = fun.root
            return (head[0], head[1] + isinstance(e, App)) if isinstance(head, tuple) else "App"
    return type(e).__name__


class Var(Expr):
    """A named free variable."""

    __slots__ = ("name", "given")
    name: str
    given: Type

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (*self._derive(self.given), ("free", self.free | {self}))


class Bound(Expr):
    """The variable of the `index`-th function outwards, with its type."""

    __slots__ = ("index", "given")
    index: int
    given: Type

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return (*self._derive(self.given), ("loose", self.index + 1))


class Lam(Expr):
    """`fun(x: s => body)`."""

    __slots__ = ("name", "parameter", "body")
    BINDER: ClassVar[int] = 1
    NAMES_BINDER: ClassVar[bool] = True
    name: str
    parameter: Type
    body: Expr

    def __new__(cls, name: str, parameter: Type, body: Expr) -> Lam:
        key = (Lam, name, id(parameter), id(body))
        found = find(key)
        if found is not None:
            return found  # type: ignore[no-any-return]  # the key names the class
        node = object.__new__(cls)
        _set_name(node, name)
        _set_parameter(node, parameter)
        _set_body(node, body)
        _set_type(node, FunType(parameter, body.type))
        _set_children(node, (body,))
        _set_root(node, "Lam")
        return settle(node, key, (parameter, body), hash((Lam, parameter._hash, body._hash)))

    def rebuild(self, children: tuple[Any, ...]) -> Lam:
        return Lam(self.name, self.parameter, *children)

    def with_parts(self, parts: tuple[Any, ...]) -> Lam:
        return Lam(self.name, *parts)


class App(Expr):
    """A function applied to an argument."""

    __slots__ = ("fun", "arg")
    fun: Expr
    arg: Expr

    def __new__(cls, fun: Expr, arg: Expr) -> App:
        key = (App, id(fun), id(arg))
        found = find(key)
        if found is not None:
            return found  # type: ignore[no-any-return]  # the key names the class
        fun_type = fun.type
        assert isinstance(fun_type, FunType), f"{fun!r} is applied, but it is no function"
        expected = fun_type.parameter
        assert expected is arg.type or expected == arg.type, f"{fun!r} takes {expected!r}, not {arg.type!r}"
        head = fun.root
        parts = (fun, arg)
        node = object.__new__(cls)
        _set_fun(node, fun)
        _set_arg(node, arg)
        _set_type(node, fun_type.result)
        _set_children(node, parts)
        _set_root(node, (head[0], head[1] + 1) if type(head) is tuple else "App")
        return settle(node, key, parts, hash((App, fun._hash, arg._hash)))

    def rebuild(self, children: tuple[Any, ...]) -> App:
        return App(*children)

    def with_parts(self, parts: tuple[Any, ...]) -> App:
        return App(*parts)


_set_type: Final = slot(Expr, "type")
_set_children: Final = slot(Expr, "children")
_set_root: Final = slot(Expr, "root")
_set_name: Final = slot(Lam, "name")
_set_parameter: Final = slot(Lam, "parameter")
_set_body: Final = slot(Lam, "body")
_set_fun: Final = slot(App, "fun")
_set_arg: Final = slot(App, "arg")


class DepLam(Expr):
    """`fun(n: nat => body)`, or implicit: `fun({n: nat} => body)`. The facts about the variables in scope are the
    author's promises: pairs of naturals (divisor, dividend) or inequalities, see `rise.facts`."""

    __slots__ = ("name", "kind", "implicit", "facts", "body")
    BINDER: ClassVar[int] = 2
    NAMES_BINDER: ClassVar[bool] = True
    name: str
    kind: str
    implicit: bool
    facts: tuple[Fact, ...]
    body: Expr

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return self._derive(DepFunType(self.name, self.kind, self.implicit, self.body.type))


class DepApp(Expr):
    """A dependent function applied to a natural, a type or a space."""

    __slots__ = ("fun", "argument")
    fun: Expr
    argument: Argument

    def settle(self) -> tuple[tuple[str, Any], ...]:
        fun_type = self.fun.type
        assert isinstance(fun_type, DepFunType), f"{self.fun!r} takes no dependent argument"
        return self._derive(instantiate_dependent(fun_type.result, self.argument))


class Literal(Expr):
    """A number or truth value of a type. A known type rounds the value to its bits; a class keeps the exact number."""

    __slots__ = ("bits", "given")
    bits: Hashable
    given: Type

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return self._derive(self.given)

    @property
    def value(self) -> LiteralValue:
        """The number: an int, a float, or an exact fraction where the type is not known yet."""
        bits = self.bits
        if isinstance(bits, bytes):
            return float(struct.unpack("<d", bits)[0])
        assert isinstance(bits, int | Fraction)
        return bits

    def with_parts(self, parts: tuple[Any, ...]) -> Literal:
        return make_literal(self.value, parts[0])


class Primitive(Expr):
    """A primitive with its implicit parameters filled in; `rise.primitives` holds what its name means."""

    __slots__ = ("name", "implicits", "given")
    name: str
    implicits: tuple[Argument, ...]
    given: Type

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return self._derive(self.given)


class Fact(Node):
    """A promise about sizes: `left divides right`, or `left <= right`, or `left == right`."""

    __slots__ = ("relation", "left", "right")
    relation: str
    left: Nat
    right: Nat


def make_literal(value: LiteralValue, given: Type) -> Literal:
    """A literal; a scalar type rounds the number to what the type holds. Raises OverflowError where none is near."""
    if isinstance(given, IndexType):
        if (
            value != int(value)
            or value < 0
            or (given.size.constant is not None and value >= given.size.constant)
        ):
            raise OverflowError(f"{value} is no index")
        return Literal(int(value), given)
    if not isinstance(given, ScalarType):
        return Literal(_float_bits(value) if isinstance(value, float) else value, given)
    scalar = SCALARS[given.name]
    number = round_number(value, scalar.dtype)
    if "floating" in scalar.classes:
        return Literal(_float_bits(float(number)), given)
    return Literal(int(number), given)


def _float_bits(value: float) -> bytes:
    """What tells floats apart: the sign of zero does, what a NaN carries does not."""
    return struct.pack("<d", math.nan if math.isnan(value) else value)


def shift(e: Expr, by: int) -> Expr:
    """Move a term below (or, by < 0, out of) functions."""
    if e.loose == 0 or by == 0:
        return e
    return replace_bound(e, lambda variable, depth, dep_depth: Bound(variable.index + by, variable.given))


def substitute(body: Expr, argument: Expr) -> Expr:
    """Put an argument for the innermost variable of a function's body."""
    if body.loose == 0:
        return body
    moved: dict[tuple[int, int], Expr] = {}

    def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
        if variable.index > depth:
            return Bound(variable.index - 1, variable.given)
        place = (depth, dep_depth)
        if place not in moved:
            moved[place] = shift_dependent(shift(argument, depth), dep_depth)
        return moved[place]

    return replace_bound(body, put)


def replace_bound(e: Expr, put: Callable[[Bound, int, int], Expr]) -> Expr:
    """Put another term for each variable that a function outside of a term binds; `put` as in `replace_open`."""
    return replace_open(e, put, Bound)  # type: ignore[arg-type]  # it is asked for variables only


def replace_open(e: Expr, put: Callable[[Expr, int, int], Expr | None], at: type[Expr] = Expr) -> Expr:
    """Put other terms for sub-terms that mention variables bound outside of a term, parents first, iteratively.

    `put(node, depth, dep_depth)` answers the other term, or None to go inside; it is asked at nodes of the class `at`.
    Depths count the binders between the term and the node, in each index space.
    """
    if e.loose == 0:
        return e
    done: dict[int, Expr] = {}
    memos = {(0, 0): done}
    asks = at is Expr
    stack: list[tuple[Expr, int, int, dict[int, Expr], bool]] = [(e, 0, 0, done, asks)]
    while stack:
        node, depth, dep_depth, memo, is_new = stack.pop()
        if is_new or isinstance(node, Bound):
            found = put(node, depth, dep_depth) if asks or isinstance(node, at) else None
            if found is not None or isinstance(node, Bound):
                memo[id(node)] = node if found is None else found
                continue
        match node:
            case App(fun, arg):
                new_fun = fun if fun.loose <= depth else memo.get(id(fun))
                new_arg = arg if arg.loose <= depth else memo.get(id(arg))
                if new_fun is not None and new_arg is not None:
                    memo[id(node)] = App(new_fun, new_arg)
                    continue
                stack.append((node, depth, dep_depth, memo, False))
                if new_fun is None:
                    stack.append((fun, depth, dep_depth, memo, asks))
                if new_arg is None:
                    stack.append((arg, depth, dep_depth, memo, asks))
            case Lam(_, _, body) | DepLam(_, _, _, _, body):
                inside = (depth + 1, dep_depth) if isinstance(node, Lam) else (depth, dep_depth + 1)
                below = memos.get(inside)
                if below is None:
                    below = memos[inside] = {}
                new_body = below.get(id(body))
                if new_body is not None:
                    memo[id(node)] = node.rebuild((new_body,))
                    continue
                stack.append((node, depth, dep_depth, memo, False))
                stack.append((body, *inside, below, asks))
            case _:
                waiting = [c for c in node.children if c.loose > depth and id(c) not in memo]
                if waiting:
                    stack.append((node, depth, dep_depth, memo, False))
                    stack.extend((child, depth, dep_depth, memo, asks) for child in waiting)
                    continue
                memo[id(node)] = node.rebuild(
                    tuple(c if c.loose <= depth else memo[id(c)] for c in node.children)
                )
    return done[id(e)]


def occurs(e: Expr, index: int = 0) -> bool:
    """Whether the variable of the `index`-th function outwards occurs in e."""
    return occurrences(e, index, enough=1) > 0


def occurrences(e: Expr, index: int = 0, enough: int = 1 << 30) -> int:
    """How often the variable of the `index`-th function outwards occurs, counted up to `enough`."""
    count = 0
    stack: list[tuple[Expr, int]] = [(e, index)]
    while stack and count < enough:
        node, wanted = stack.pop()
        if node.loose <= wanted:
            continue
        if isinstance(node, Bound):
            count += node.index == wanted
        else:
            inner = wanted + 1 if isinstance(node, Lam) else wanted
            stack.extend((child, inner) for child in node.children)
    return count


def apply(fun: Expr, *arguments: Expr) -> Expr:
    """A function applied to several arguments."""
    for argument in arguments:
        fun = App(fun, argument)
    return fun


def abstract(e: Expr, variable: Var, name: str | None = None) -> Lam:
    """The function of a named variable."""
    shifted = shift(e, 1)

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        return Bound(depth, shift_dependent(variable.given, dep_depth)) if node is variable else None

    body = transform(shifted, visit, lambda node, depth, dep_depth: variable not in node.free)
    return Lam(variable.name if name is None else name, variable.given, body)


def spine(e: Expr) -> tuple[Expr, list[Expr | Argument]]:
    """The head of nested applications, and all arguments in order, dependent ones included."""
    arguments: list[Expr | Argument] = []
    while isinstance(e, App | DepApp):
        arguments.append(e.arg if isinstance(e, App) else e.argument)
        e = e.fun
    arguments.reverse()
    return e, arguments
