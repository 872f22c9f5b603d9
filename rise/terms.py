"""Terms: the typed lambda calculus of patterns. Independent of primitives and inference.

Every term carries its type; applying a function to an argument of the wrong type is a bug and fails an assertion.
Bound variables are indices (`Bound` counts the `Lam`s outwards, dependent variables the `DepLam`s), and binders keep
the author's names for printing. Rules are written with `rise.dsl` or equations, not with indices.

One subject: substitution depends on how each node binds variables.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Hashable
from fractions import Fraction
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any, ClassVar, Final, TypeAlias

from rise import replacement
from rise.free_names import joined
from rise.naturals import Nat
from rise.node_fields import BROKEN, refuse
from rise.node_table import lookup, publish
from rise.nodes import Node, opened, transform
from rise.primitive_bits import bit_of, names_of
from rise.replacement import MAX_MENTIONS
from rise.rounding import NumberRangeError, round_number
from rise.scalars import SCALARS
from rise.tracebacks import AT_THE_USERS_LINE
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

    __slots__ = ("type", "children", "root", "mentions", "primitives")
    #: how many enclosing functions `mentions` tells apart, and whether a term is one of these, for the engine
    FURTHER: ClassVar[int] = MAX_MENTIONS
    binds: ClassVar[bool] = False
    if TYPE_CHECKING:
        type: ClassVar[Type]  # derived
        children: ClassVar[tuple[Expr, ...]]  # derived
        #: derived: the class; for a primitive applied to arguments, its name and their number
        root: ClassVar[Hashable]
        mentions: ClassVar[int]  # derived: see `mention`
        primitives: ClassVar[int]  # derived: the bits of the primitives that it contains; see `primitives_in`
    breach = replacement.breach

    def rebuild(self, children: tuple[Expr, ...]) -> Expr:
        """The same term with other sub-terms of the same types."""
        if all(a is b for a, b in zip(self.children, children, strict=True)):
            return self
        rest = iter(children)
        result: Expr = self.with_parts(tuple(next(rest) if isinstance(p, Expr) else p for p in self.parts))  # type: ignore[assignment]  # an Expr rebuilds an Expr
        return result

    def _derive(self, type_: Type, root: tuple[str, int] | str = "") -> tuple[tuple[str, Any], ...]:
        children = tuple([part for part in self.parts if isinstance(part, Expr)])
        mentions = primitives = 0
        for child in children:
            mentions |= child.mentions
            primitives |= child.primitives
        label = root or type(self).__name__
        derived = (("type", type_), ("children", children), ("mentions", mentions), ("root", label))
        return (*derived, ("primitives", primitives))


FAR_MENTIONS: Final = 1 << MAX_MENTIONS


def mention(index: int) -> int:
    """The bit of `mentions` for the variable of the `index`-th function outwards. If the bit is not set, the term does
    not mention it. All variables with an index of `MAX_MENTIONS` or more share a bit, so that in a term with more
    functions in each other, bits may be set for variables that it does not mention.
    """
    return 1 << index if index < MAX_MENTIONS else FAR_MENTIONS


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

    def __new__(cls, index: int, given: Type) -> Bound:
        try:
            key = (Bound, index, id(given))
            entry = lookup(key)
            if entry is not None and (existing := entry()) is not None:
                return existing  # type: ignore[no-any-return]  # the key names the class
            node: Any = object.__new__(_OpenBound)
            node.index, node.root = index, "Bound"
            node.given = node.type = given
            node.children, node.parts = (), (given,)
            node.loose = index + 1
            node.mentions, node.primitives = mention(index), 0
            node.dep_loose, node.free = given.dep_loose, given.free
            node._twin = None if given._twin is None else False
            node._hash = hash((Bound, index, given._hash))
            node.__class__ = Bound
            return publish(key, node)  # type: ignore[no-any-return]  # filled as Any
        except BROKEN as error:
            with AT_THE_USERS_LINE:
                refuse(Bound, (index, given), error)
            raise


class Lam(Expr):
    """`fun(x: s => body)`."""

    __slots__ = ("name", "parameter", "body")
    binds: ClassVar[bool] = True
    BINDER: ClassVar[int] = 1
    NAMES_BINDER: ClassVar[bool] = True
    name: str
    parameter: Type
    body: Expr

    def __new__(cls, name: str, parameter: Type, body: Expr) -> Lam:
        try:
            key = (Lam, name, id(parameter), id(body))
            entry = lookup(key)
            if entry is not None and (existing := entry()) is not None:
                return existing  # type: ignore[no-any-return]  # the key names the class
            assert isinstance(name, str), "a name is a str"
            node: Any = object.__new__(_OpenLam)
            node.name, node.parameter, node.body = name, parameter, body
            node.type = FunType(parameter, body.type)
            node.children, node.parts, node.root = (body,), (parameter, body), "Lam"
            node.loose = body.loose - 1 if body.loose else 0
            node.mentions = body.mentions >> 1 | body.mentions & FAR_MENTIONS
            node.primitives = body.primitives
            node.dep_loose = max(body.dep_loose, parameter.dep_loose)
            node.free = joined(body.free, parameter.free)
            node._twin = False if name or body._twin is not None or parameter._twin is not None else None
            node._hash = hash((Lam, parameter._hash, body._hash))
            node.__class__ = Lam
            return publish(key, node)  # type: ignore[no-any-return]  # filled as Any
        except BROKEN as error:
            with AT_THE_USERS_LINE:
                refuse(Lam, (name, parameter, body), error)
            raise

    def rebuild(self, children: tuple[Any, ...]) -> Lam:
        return Lam.__new__(Lam, self.name, self.parameter, children[0])

    def with_parts(self, parts: tuple[Any, ...]) -> Lam:
        return Lam(self.name, *parts)


class App(Expr):
    """A function applied to an argument."""

    __slots__ = ("fun", "arg")
    fun: Expr
    arg: Expr

    def __new__(cls, fun: Expr, arg: Expr) -> App:
        try:
            key = (id(fun), id(arg))  # no other class has keys that consist of two numbers
            entry = lookup(key)
            if entry is not None and (existing := entry()) is not None:
                return existing  # type: ignore[no-any-return]  # the key names the class
            fun_type = fun.type
            assert isinstance(fun_type, FunType), f"{fun!r} is applied, but it is not a function"
            expected = fun_type.parameter
            assert expected is arg.type or expected == arg.type, (
                f"{fun!r} takes {expected!r}, not {arg.type!r}"
            )
            head = fun.root
            node: Any = object.__new__(_OpenApp)
            node.fun, node.arg, node.type = fun, arg, fun_type.result
            node.children = node.parts = (fun, arg)
            node.root = (head[0], head[1] + 1) if type(head) is tuple else "App"
            node.loose = fun.loose if fun.loose > arg.loose else arg.loose
            node.mentions = fun.mentions | arg.mentions
            node.primitives = fun.primitives | arg.primitives
            node.dep_loose = fun.dep_loose if fun.dep_loose > arg.dep_loose else arg.dep_loose
            node.free = fun.free if fun.free is arg.free else joined(fun.free, arg.free)
            node._twin = None if fun._twin is None and arg._twin is None else False
            node._hash = hash((fun._hash, arg._hash))
            node.__class__ = App
            return publish(key, node)  # type: ignore[no-any-return]  # filled as Any
        except BROKEN as error:
            with AT_THE_USERS_LINE:
                refuse(App, (fun, arg), error)
            raise

    def rebuild(self, children: tuple[Any, ...]) -> App:
        return _app(App, children[0], children[1])

    def with_parts(self, parts: tuple[Any, ...]) -> App:
        return _app(App, parts[0], parts[1])


class DepLam(Expr):
    """`fun(n: nat => body)`, or implicit: `fun({n: nat} => body)`; for the author's `facts` see `rise.facts`."""

    __slots__ = ("name", "kind", "implicit", "facts", "body")
    BINDER: ClassVar[int] = 2
    NAMES_BINDER: ClassVar[bool] = True
    name: str
    kind: str
    implicit: bool
    facts: tuple[Fact, ...]
    body: Expr

    def settle(self) -> tuple[tuple[str, Any], ...]:
        assert all(isinstance(fact, Fact) for fact in self.facts)
        return self._derive(DepFunType(self.name, self.kind, self.implicit, self.body.type))


class DepApp(Expr):
    """A dependent function applied to a natural, a type or a space."""

    __slots__ = ("fun", "argument")
    fun: Expr
    argument: Argument

    @property
    def type(self) -> Type:  # type: ignore[override]  # derived on first use, see `dep_app`
        known: Type | None = _get_type(self)
        if known is None:
            fun_type = self.fun.type
            assert isinstance(fun_type, DepFunType), self.fun
            known = instantiate_dependent(fun_type.result, self.argument)
            _set_type(self, known)
        return known

    def __new__(cls, *fields: Any) -> Any:
        try:
            fun, argument = fields
            return dep_app(fun, argument)
        except BROKEN as error:
            with AT_THE_USERS_LINE:
                refuse(DepApp, fields, error)
            raise

    def rebuild(self, children: tuple[Any, ...]) -> DepApp:
        return DepApp(children[0], self.argument)


_OpenBound: Final = opened(Bound)
_OpenLam: Final = opened(Lam)
_OpenApp: Final = opened(App)
_OpenDepApp: Final = opened(DepApp)
_app: Final = App.__new__  # as calling the class does, but faster


_get_type: Final[Callable[[DepApp], Any]] = Expr.__dict__["type"].__get__
_set_type: Final[Callable[[DepApp, Type], None]] = Expr.__dict__["type"].__set__


def dep_app(fun: Expr, argument: Argument) -> DepApp:
    """A dependent application."""
    fun_type = fun.type
    assert isinstance(fun_type, DepFunType), f"{fun!r} takes no dependent argument"
    fits = isinstance(argument, Nat) if fun_type.kind == "nat" else isinstance(argument, Node)
    assert fits, f"{fun!r} takes a {fun_type.kind}, not {argument!r}"
    return fitting_dep_app(fun, argument, lambda: instantiate_dependent(fun_type.result, argument))


def fitting_dep_app(fun: Expr, argument: Argument, derive: Callable[[], Type] | None) -> DepApp:
    """A dependent application to an argument that fits. Its type is derived now, by a function, or on first use."""
    key = (DepApp, id(fun), id(argument))
    entry = lookup(key)
    if entry is not None and (existing := entry()) is not None:
        return existing  # type: ignore[no-any-return]  # the key names the class
    node: Any = object.__new__(_OpenDepApp)
    node.fun, node.argument, node.children, node.parts = fun, argument, (fun,), (fun, argument)
    _set_type(node, None if derive is None else derive())  # type: ignore[arg-type]  # derived on first use
    node.root = fun.root if type(fun.root) is tuple else "App"
    node.loose, node.dep_loose = fun.loose, max(fun.dep_loose, argument.dep_loose)
    node.mentions, node.primitives = fun.mentions, fun.primitives
    node.free = joined(fun.free, argument.free)
    node._twin = None if fun._twin is None and argument._twin is None else False
    node._hash = hash((DepApp, fun._hash, argument._hash))
    node.__class__ = DepApp
    return publish(key, node)  # type: ignore[no-any-return]  # filled as Any


class Literal(Expr):
    """A real number or truth value of a type. If the type is known, the number is rounded to its bits; otherwise it
    stays exact.
    """

    __slots__ = ("bits", "given")
    bits: int | Fraction | bytes
    given: Type

    def settle(self) -> tuple[tuple[str, Any], ...]:
        return self._derive(self.given)

    @property
    def value(self) -> LiteralValue:
        """The number: an int, a float, or an exact fraction if the type is not known yet."""
        return _value_of(self.bits)

    def with_parts(self, parts: tuple[Any, ...]) -> Literal:
        return make_literal(self.value, parts[0])


class Primitive(Expr):
    """A primitive with its implicit parameters; `rise.primitives` has its record."""

    __slots__ = ("name", "implicits", "given")
    name: str
    implicits: tuple[Argument, ...]
    given: Type

    def settle(self) -> tuple[tuple[str, Any], ...]:
        assert all(isinstance(implicit, Node) for implicit in self.implicits)
        return (*self._derive(self.given, (self.name, 0)), ("primitives", bit_of(self.name)))


class Fact(Node):
    """A promise about sizes: `left divides right`, or `left <= right`, or `left == right`."""

    __slots__ = ("relation", "left", "right")
    relation: str
    left: Nat
    right: Nat


def make_literal(value: LiteralValue, given: Type) -> Literal:
    """A literal; a scalar type rounds the number. Raises NumberRangeError if the type cannot hold the number."""
    return Literal(_bits(value, given), given)


def rounded_value(value: LiteralValue, given: Type) -> LiteralValue:
    """The value of a literal. Raises NumberRangeError if the type cannot hold the number."""
    return _value_of(_bits(value, given))


def _bits(value: LiteralValue, given: Type) -> int | Fraction | bytes:
    if isinstance(given, IndexType):
        size = given.size.constant
        if value != int(value) or value < 0 or (size is not None and value >= size):
            below = "" if size is None else f" below {size}"
            raise NumberRangeError(f"expected an index{below}, found {value}")
        return int(value)
    exact = _float_bits(value) if isinstance(value, float) else value
    return _rounded(exact, given.name) if isinstance(given, ScalarType) else exact


def _value_of(bits: int | Fraction | bytes) -> LiteralValue:
    return float(struct.unpack("<d", bits)[0]) if isinstance(bits, bytes) else bits


@lru_cache(maxsize=1 << 10)
def _rounded(value: bytes | int | Fraction, name: str) -> bytes | int:
    """A number, rounded by a scalar type, as a literal contains it. Floats are given by their bits."""
    scalar = SCALARS[name]
    exact = struct.unpack("<d", value)[0] if isinstance(value, bytes) else value
    number = round_number(exact, scalar.dtype).real
    return _float_bits(float(number)) if scalar.part or scalar.is_float else int(number)


def _float_bits(value: float) -> bytes:  # distinguishes the signs of zero, but not the payloads of NaN
    return struct.pack("<d", math.nan if math.isnan(value) else value)


def shift(e: Expr, by: int) -> Expr:
    """Move a term below functions, or out of functions if `by` < 0."""
    if e.loose == 0 or by == 0:
        return e
    return replace_bound(e, lambda variable, depth, dep_depth: Bound(variable.index + by, variable.given))


def is_shifted(e: Expr, original: Expr, by: int) -> bool:
    """Whether a term equals `shift(original, by)`, for `by` >= 0. Stops at the first difference, and builds nothing."""
    stack: list[tuple[Expr, Expr, int]] = [(e, original, 0)]
    seen: set[tuple[int, int, int]] = set()
    while stack:
        moved, term, depth = stack.pop()
        if by == 0 or term.loose <= depth:
            if moved != term:
                return False
            continue
        if (place := (id(moved), id(term), depth)) in seen:
            continue
        seen.add(place)
        if type(moved) is not type(term) or moved.loose != term.loose + by or moved.type != term.type:
            return False
        if moved.primitives != term.primitives or len(moved.parts) != len(term.parts):
            return False
        inside = depth + isinstance(term, Lam)
        for part, old in zip(moved.parts, term.parts, strict=True):
            if isinstance(old, Expr) and isinstance(part, Expr):
                stack.append((part, old, inside))
            elif part != old:
                return False
    return True


def substitute(body: Expr, argument: Expr) -> Expr:
    """Substitute an argument for the innermost variable of a function's body."""
    if body.loose == 0:
        return body
    shifted: dict[tuple[int, int], Expr] = {}

    def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
        if variable.index > depth:
            return Bound(variable.index - 1, variable.given)
        if (place := (depth, dep_depth)) not in shifted:
            shifted[place] = shift_dependent(shift(argument, depth), dep_depth)
        return shifted[place]

    return replace_bound(body, put)


def replace_bound(
    e: Expr,
    put: Callable[[Bound, int, int], Expr],
    put_call: Callable[[App, int, int], Expr | None] | None = None,
) -> Expr:
    """Replace each variable that a function outside of a term binds, iteratively.

    `put(variable, depth, dep_depth)` returns the replacement; depths count the binders around the variable in `e`, in
    each index space. `put_call`, if given, is called first, at each application that mentions such a variable: it
    returns a replacement for the application, or None.
    """
    if e.loose == 0:
        return e
    done: dict[int, Expr] = {}
    memos = {(0, 0): done}
    stack: list[tuple[Expr, int, int, dict[int, Expr], bool]] = [(e, 0, 0, done, put_call is not None)]
    while stack:
        node, depth, dep_depth, memo, asks = stack.pop()
        kind = type(node)
        if kind is App:
            if asks and (found := put_call(node, depth, dep_depth)) is not None:  # type: ignore[arg-type, misc]  # as `asks` says
                memo[id(node)] = found
                continue
            fun, arg = node.children
            new_fun = fun if fun.loose <= depth else memo.get(id(fun))
            new_arg = arg if arg.loose <= depth else memo.get(id(arg))
            if new_arg is None and type(arg) is Bound:
                new_arg = memo[id(arg)] = put(arg, depth, dep_depth)
            if new_fun is not None and new_arg is not None:
                memo[id(node)] = _app(App, new_fun, new_arg)
                continue
            stack.append((node, depth, dep_depth, memo, False))
            if new_fun is None:
                stack.append((fun, depth, dep_depth, memo, asks))
            if new_arg is None:
                stack.append((arg, depth, dep_depth, memo, asks))
        elif kind is Bound:
            memo[id(node)] = put(node, depth, dep_depth)  # type: ignore[arg-type]  # as its class says
        else:
            depths = (depth + 1, dep_depth) if kind is Lam else (depth, dep_depth + (kind is DepLam))
            below = memos.setdefault(depths, {})
            if waiting := [c for c in node.children if c.loose > depths[0] and id(c) not in below]:
                stack.append((node, depth, dep_depth, memo, False))
                stack.extend((child, *depths, below, asks) for child in waiting)
            else:
                parts = tuple([c if c.loose <= depths[0] else below[id(c)] for c in node.children])
                memo[id(node)] = node.rebuild(parts)
    return done[id(e)]


def occurs(e: Expr, index: int = 0) -> bool:
    """Whether the variable of the `index`-th function outwards occurs in e."""
    return occurrences(e, index, enough=1) > 0


def occurrences(e: Expr, index: int = 0, enough: int = 1 << 30) -> int:
    """The number of occurrences of the variable of the `index`-th function outwards, counted up to `enough`."""
    count = 0
    stack: list[tuple[Expr, int]] = [(e, index)]
    while stack and count < enough:
        node, level = stack.pop()
        if isinstance(node, Bound):
            count += node.index == level
        elif node.mentions & mention(level):
            inner = level + 1 if isinstance(node, Lam) else level
            stack.extend((child, inner) for child in node.children)
    return count


def primitives_in(e: Expr) -> frozenset[str]:
    """The names of the primitives that a term contains."""
    return names_of(e.primitives)


def has_primitive(e: Expr, *names: str) -> bool:
    """Whether a term contains one of these primitives."""
    return not names_of(e.primitives).isdisjoint(names)


def apply(fun: Expr, *arguments: Expr) -> Expr:
    """A function applied to several arguments."""
    return reduce(App, arguments, fun)


def abstract(e: Expr, variable: Var, name: str | None = None) -> Lam:
    """The function that binds a named variable in a term."""
    shifted = shift(e, 1)

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        return Bound(depth, shift_dependent(variable.given, dep_depth)) if node is variable else None

    body = transform(shifted, visit, lambda node, depth, dep_depth: variable not in node.free)
    return Lam(variable.name if name is None else name, variable.given, body)


def spine(e: Expr) -> tuple[Expr, list[Expr | Argument]]:
    """The head of nested applications, and all arguments in order, including dependent ones."""
    arguments: list[Expr | Argument] = []
    while isinstance(e, App | DepApp):
        arguments.append(e.arg if isinstance(e, App) else e.argument)
        e = e.fun
    arguments.reverse()
    return e, arguments
