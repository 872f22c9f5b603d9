"""The surface syntax: what a text says, before names and types are known. Knows no meaning.

Each node carries its span, where it stands in the text. `==` is identity: compare by `trees.same_tree`.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from rise.text.trees import Span, Syntax

# Expressions


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Name(Syntax):
    """A variable, a definition, a primitive, a size, a space: names tell them apart later."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Number(Syntax):
    """`12`, `-1.5`, `2f16`. `text` is as written, sign included, so that `-0.0` is told from `0.0`."""

    text: str
    suffix: str | None
    exact: Fraction
    is_float: bool  # written with a point, an exponent or a float suffix


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Apply(Syntax):
    """One function on one argument: `f(a, b)` is `f(a)(b)` is `f a b`, and `x |> f` is `f(x)`."""

    fun: Expr
    arg: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Instance(Syntax):
    """What an implicit parameter is: `f32`, or `k = 16` by name."""

    name: str | None
    type: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Instantiate(Syntax):
    """`cast{f32}`, `asFragment{k = 16}`."""

    fun: Expr
    instances: tuple[Instance, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fact(Syntax):
    """What is known of sizes: `left divides right`, `left <= right`. `relation` is `divides` or `<=`."""

    relation: str
    left: Type
    right: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Param(Syntax):
    """`x`, `x: 16.f32`, `n: nat where 32 divides n`, or the implicit `{n: nat}`, whose `type` is its kind."""

    name: str
    type: Type | None
    implicit: bool
    facts: tuple[Fact, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Fun(Syntax):
    """`fun(x, y => body)`, or `fun(x, y, body)` as the papers write it. At least one parameter."""

    params: tuple[Param, ...]
    body: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Select(Syntax):
    """`if condition then then else otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Compose(Syntax):
    """`first >> second` is `fun(x => second(first(x)))`."""

    first: Expr
    second: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class After(Syntax):
    """`second . first` is `fun(x => second(first(x)))`."""

    second: Expr
    first: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Binary(Syntax):
    """`op` is one of `+ - * / % /^ < <= > >= == != && ||`."""

    op: str
    left: Expr
    right: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Unary(Syntax):
    """`op` is `neg` or `not`. `-1.0` is a Number; `-(1.0)` is not."""

    op: str
    operand: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Power(Syntax):
    """`base ^ exponent`, for sizes."""

    base: Expr
    exponent: Expr


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Section(Syntax):
    """An operator as a function: `(+)`."""

    op: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArrayLiteral(Syntax):
    """`[1, 2, 3]`. At least one element."""

    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Ascribe(Syntax):
    """`expr : type`."""

    expr: Expr
    type: Type


Expr: TypeAlias = (
    Name
    | Number
    | Apply
    | Instantiate
    | Fun
    | Select
    | Compose
    | After
    | Binary
    | Unary
    | Power
    | Section
    | ArrayLiteral
    | Ascribe
)

# Types, kinds and the sizes in them


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TypeName(Syntax):
    """A scalar, a kind, a size variable, a space, a role: names tell them apart later."""

    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TypeNat(Syntax):
    """A size: `16`."""

    value: int


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TypeCall(Syntax):
    """`Array[n, t]`, `vec[4, f32]`, `ceil[n, 32]`, `f[i]`."""

    name: str
    args: tuple[Type, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Arrow(Syntax):
    """`parameter -> result`."""

    parameter: Type
    result: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ExplicitArrow(Syntax):
    """`(n: nat) -> result`: the argument is given in parentheses."""

    name: str
    kind: Type
    result: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ImplicitArrow(Syntax):
    """`{t: num} -> result`: the argument is inferred, or given in braces."""

    name: str
    kind: Type
    result: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ArrayType(Syntax):
    """`size.element`; `n.m.t` is `n.(m.t)`."""

    size: Type
    element: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DependentArray(Syntax):
    """`size..element`, as in `n..(i |-> (i + 1).t)`."""

    size: Type
    element: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PairType(Syntax):
    """`(first, second)`."""

    first: Type
    second: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class IndexMap(Syntax):
    """`(i |-> body)`."""

    name: str
    body: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DependentPair(Syntax):
    """`(n: nat ** body)`."""

    name: str
    kind: Type
    body: Type


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TypeBinary(Syntax):
    """Arithmetic on sizes: `op` is one of `+ - * / % /^ ^`."""

    op: str
    left: Type
    right: Type


Type: TypeAlias = (
    TypeName
    | TypeNat
    | TypeCall
    | Arrow
    | ExplicitArrow
    | ImplicitArrow
    | ArrayType
    | DependentArray
    | PairType
    | IndexMap
    | DependentPair
    | TypeBinary
)

# Texts


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Definition(Syntax):
    """`val name : type where facts = body`. `doc` holds the lines of `//` right above it."""

    name: str
    name_span: Span
    type: Type | None
    facts: tuple[Fact, ...]
    body: Expr
    doc: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Program(Syntax):
    """Definitions, at least one; or a single expression and no definition."""

    definitions: tuple[Definition, ...]
    expression: Expr | None


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Equation(Syntax):
    """A rule's law: `left = right`."""

    left: Expr
    right: Expr
