"""The surface syntax: a text as trees, before names and types are known. Independent of meaning.

Each node carries its span in the text. `==` is identity: compare with `trees.same_tree`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from rise.text.trees import Span, Syntax

# Expressions


class Name(Syntax):
    """A variable, a definition, a primitive, a size or a space; resolving names decides which."""

    name: str


class PrimitiveName(Syntax):
    """A primitive that a notation expands to. It cannot be written in a text, and no name in a text hides it."""

    name: str


class Number(Syntax):
    """`12`, `-1.5`, `2f16`. `text` is as written, sign included, to distinguish `-0.0` from `0.0`."""

    text: str
    suffix: str | None
    exact: Fraction
    is_float: bool  # written with a point, an exponent or a float suffix


class Apply(Syntax):
    """A function applied to one argument: `f(a, b)` is `f(a)(b)` is `f a b`, and `x |> f` is `f(x)`."""

    fun: Expr
    arg: Expr


class Instance(Syntax):
    """The argument of an implicit parameter: `f32`, or `k = 16` by name."""

    name: str | None
    type: Type


class Instantiate(Syntax):
    """`cast{f32}`, `asFragment{k = 16}`."""

    fun: Expr
    instances: tuple[Instance, ...]


class Fact(Syntax):
    """A fact about sizes: `left divides right`, `left <= right`. `relation` is `divides` or a comparison."""

    relation: str
    left: Type
    right: Type


class Param(Syntax):
    """`x`, `x: 16.f32`, `n: nat where 32 divides n`, or the implicit `{n: nat}`, whose `type` is its kind."""

    name: str
    type: Type | None
    implicit: bool
    facts: tuple[Fact, ...]


class Fun(Syntax):
    """`fun(x, y => body)`, or `fun(x, y, body)` as the papers write it. At least one parameter."""

    params: tuple[Param, ...]
    body: Expr


class Select(Syntax):
    """`if condition then then else otherwise`."""

    condition: Expr
    then: Expr
    otherwise: Expr


class Binding(Syntax):
    """`let name : type = value`. If `is_part`, the name stands for a part of the value that a pattern decomposes."""

    name: str
    name_span: Span
    type: Type | None
    value: Expr
    is_part: bool


class Block(Syntax):
    """`let x = e let f = fun(y => x + y) in body`. At least one binding; each is in scope in the following ones."""

    bindings: tuple[Binding, ...]
    body: Expr


class Compose(Syntax):
    """`first >> second` is `fun(x => second(first(x)))`."""

    first: Expr
    second: Expr


class After(Syntax):
    """`second . first` is `fun(x => second(first(x)))`."""

    second: Expr
    first: Expr


class Binary(Syntax):
    """`op` is one of `+ - * / % /^ < <= > >= == != && ||`."""

    op: str
    left: Expr
    right: Expr


class Unary(Syntax):
    """`op` is `neg` or `not`. `-1.0` is a Number; `-(1.0)` is not."""

    op: str
    operand: Expr


class Power(Syntax):
    """`base ^ exponent`, for sizes."""

    base: Expr
    exponent: Expr


class Section(Syntax):
    """An operator as a function: `(+)`."""

    op: str


class ArrayLiteral(Syntax):
    """`[1, 2, 3]`. At least one element."""

    elements: tuple[Expr, ...]


class Tuple(Syntax):
    """`(a, b, c)`, the pair of `a` and the pair `(b, c)`. At least two items."""

    items: tuple[Expr, ...]


class VectorLiteral(Syntax):
    """`vec[1.0, 2.0]`."""

    array: ArrayLiteral


class Range(Syntax):
    """`[start..end)`: the indices from `start` to below `end`. Both are sizes."""

    start: Expr
    end: Expr


class Text(Syntax):
    """`"rows"`: a message."""

    value: str


class Asked(Syntax):
    """`typeHole("rows")` or `printType("rows")`: a question about the type at this place."""

    word: str
    message: str


class Contraction(Syntax):
    """`einsum("ab,bc->ac")`: a function of arrays."""

    spec: str


class Ascribe(Syntax):
    """`expr : type`."""

    expr: Expr
    type: Type


Expr: TypeAlias = (
    Name
    | PrimitiveName
    | Number
    | Apply
    | Instantiate
    | Fun
    | Select
    | Block
    | Compose
    | After
    | Binary
    | Unary
    | Power
    | Section
    | ArrayLiteral
    | Tuple
    | VectorLiteral
    | Range
    | Text
    | Asked
    | Contraction
    | Ascribe
)

# Types, kinds and the sizes in them


class TypeName(Syntax):
    """A scalar, a kind, a size variable, a space or a role; resolving names decides which."""

    name: str


class TypeNat(Syntax):
    """A size: `16`."""

    value: int


class TypeCall(Syntax):
    """`Array[n, t]`, `vec[4, f32]`, `ceil(n, 32)`, `f[i]`."""

    name: str
    args: tuple[Type, ...]


class Arrow(Syntax):
    """`parameter -> result`."""

    parameter: Type
    result: Type


class ExplicitArrow(Syntax):
    """`(n: nat) -> result`: the argument is given in parentheses."""

    name: str
    kind: Type
    result: Type


class ImplicitArrow(Syntax):
    """`{t: num} -> result`: the argument is inferred, or given in braces."""

    name: str
    kind: Type
    result: Type


class ArrayType(Syntax):
    """`size.element`; `n.m.t` is `n.(m.t)`."""

    size: Type
    element: Type


class DependentArray(Syntax):
    """`size..element`, as in `n..(i |-> (i + 1).t)`."""

    size: Type
    element: Type


class PairType(Syntax):
    """`(first, second)`."""

    first: Type
    second: Type


class IndexMap(Syntax):
    """`(i |-> body)`."""

    name: str
    body: Type


class DependentPair(Syntax):
    """`(n: nat ** body)`."""

    name: str
    kind: Type
    body: Type


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


class Definition(Syntax):
    """`val name : type where facts = body`. `doc` is the comment directly above it."""

    name: str
    name_span: Span
    type: Type | None
    facts: tuple[Fact, ...]
    body: Expr
    doc: str


class Synonym(Syntax):
    """`type Image[H, W] = H.W.f32`. A parameter without a kind is a size. `doc` is as in definitions."""

    name: str
    name_span: Span
    parameters: tuple[Param, ...]
    type: Type
    doc: str


class Foreign(Syntax):
    """`foreign blend : f32 -> f32 -> f32`: a function that a program calls, written in another language."""

    name: str
    name_span: Span
    type: Type


class Import(Syntax):
    """`import linear_algebra`, `import .helpers: f, g`: a library, or a file beside the program, given by the parts of
    its name.

    Without `names` all definitions are imported. `name_span` is that of the name, including the dot.
    """

    module: tuple[str, ...]
    is_beside: bool
    name_span: Span
    names: tuple[Name, ...]


class Program(Syntax):
    """Imports; then either definitions, at least one, or a single expression.

    `doc` is the comment at the head of the text, if a blank line or an import follows it.
    """

    definitions: tuple[Definition, ...]
    expression: Expr | None
    imports: tuple[Import, ...]
    doc: str
    synonyms: tuple[Synonym, ...]
    foreign: tuple[Foreign, ...]


class Equation(Syntax):
    """A rule's law: `left = right`."""

    left: Expr
    right: Expr
