"""Generates programs forwards: inputs, then operations on values of their types, step by step.

`rise.testing.programs` works top-down from a type, and uses every primitive anywhere. Here, programs resemble those of
users: chains of views and patterns, functions of rows, values that are used twice, symbolic sizes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from hypothesis import strategies as st

from rise.inference.schemes import instantiate_primitive, substitute_names
from rise.naturals import NatVar, const, nat
from rise.primitives import PRIMITIVES
from rise.terms import App, DepApp, DepLam, Expr, Var, abstract, apply, make_literal
from rise.testing.pipeline_parts import (
    DEPTH,
    MAX_NUMBERS,
    VARIABLES,
    Pipelines,
    Scope,
    Step,
    count,
    folded,
    number,
    scanned,
)
from rise.testing.programs import Run, values
from rise.testing.schemes import application
from rise.types import (
    F32,
    ArrayType,
    DepArrayType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    VectorType,
    abstract_dependent,
    type_at,
    type_family,
)


def split(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Split into rows."""
    assert isinstance(e.type, ArrayType)
    width = p.divisor(e.type.size)
    return None if width is None else p.call("split", width, e)


def vectors(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Compute on vectors, and convert the result back to numbers."""
    assert isinstance(e.type, ArrayType)
    widths = [width for width in (2, 4) if (number(e.type.size) or 1) % width == 0]
    lanes = p.call("asVector", p.choose(widths), e) if widths else None
    return None if lanes is None else p.call("asScalar", p.same_length(lanes, scope, depth) or lanes)


def simple(name: str) -> Step:
    """A primitive of one argument."""

    def step(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
        return p.call(name, e)

    return step


def ends(name: str) -> Step:
    """A primitive that removes or adds elements at the ends, or takes windows."""

    def step(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
        assert isinstance(e.type, ArrayType)
        if name == "padCst":
            value = p.constant(e.type.element)
            return None if value is None else p.call(name, p.below(3), p.below(3), value, e)
        if name == "padClamp":
            return p.call(name, p.below(3), p.below(3), e) if number(e.type.size) else None
        if name == "slide":
            return p.call(name, p.below(3) + 1, p.below(3) + 1, e)
        changed = p.call(name, p.below(4), e)
        return changed if name != "padEmpty" or changed is None else p.call("take", e.type.size, changed)

    return step


def concatenated(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Concatenate the array with itself, or with another value of its type."""
    other = p.same_type(e, scope, depth - 1) if p.below(2) else e
    return None if other is None else p.call("concat", *((e, other) if p.below(2) else (other, e)))


def mapped(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Map a function."""
    assert isinstance(e.type, ArrayType)
    if depth <= 0:
        return None
    function = p.function(e.type.element, scope, depth)
    return None if function is None else p.call("map", function, e)


def mapped_view(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Map a view."""
    assert isinstance(e.type, ArrayType)
    if not isinstance(e.type.element, ArrayType):
        return None
    x = p.variable(e.type.element)
    view = p.choose((split, simple("transpose"), simple("join"), ends("take"), ends("slide")))
    body = view(p, x, scope, depth)
    return None if body is None else p.call("map", abstract(body, x, "row"), e)


def kept_length(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Change or move elements, and keep the length."""
    return p.same_length(e, scope, depth)


def reduced(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Reduce elements; rows element by element."""
    assert isinstance(e.type, ArrayType)
    element = e.type.element
    if not isinstance(element, ArrayType):
        return folded(p, "reduce", e)
    acc, x = p.variable(element), p.variable(element)
    zipped = p.call("zip", acc, x)
    value = p.constant(element.element)
    if zipped is None or value is None or not isinstance(element.element, ScalarType):
        return None
    pair = p.variable(PairType(element.element, element.element))
    both = [p.call("fst", pair), p.call("snd", pair)]
    total = p.call(
        "add" if element.element.name != "bool" else "and", *(operand for operand in both if operand)
    )
    i = p.variable(IndexType(element.size))
    start = p.call("generate", abstract(value, i, "i"))
    if total is None or start is None:
        return None
    body = p.call("map", abstract(total, pair, "p"), zipped)
    return None if body is None else p.call("reduce", abstract(abstract(body, x, "x"), acc, "acc"), start, e)


def gathered(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Gather elements at indices from an input."""
    assert isinstance(e.type, ArrayType)
    size = p.size()
    if not number(e.type.size) or (number(size) or MAX_NUMBERS) > 24:
        return None
    return p.call("gather", p.input(ArrayType(size, IndexType(e.type.size))), e)


def zipped(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Zip with an array of the same length, and possibly unzip."""
    assert isinstance(e.type, ArrayType)
    size = e.type.size
    known = [
        variable
        for variable in scope
        if isinstance(variable.given, ArrayType) and variable.given.size is size
    ]
    other: Expr | None = p.choose(known) if known and p.below(2) else p.same_length(e, scope, depth - 1)
    pairs = None if other is None else p.call("zip", e, other)
    return pairs if pairs is None or p.below(4) else p.call("unzip", pairs)


def generated(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Generate an array by index, using the elements of a value."""
    assert isinstance(e.type, ArrayType)
    if not number(e.type.size):
        return None
    i = p.variable(IndexType(e.type.size))
    index = p.call("fromEnd", i) if p.below(2) else i
    element = None if index is None else p.call("idx", index, e)
    if element is None:
        return None
    return p.call("generate", abstract(p.grow(element, (i, *scope), depth - 1), i, "i"))


def repeated(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Generate an array with the same value at every index."""
    i = p.variable(IndexType(p.size()))
    if not 0 < (count(e.type) or MAX_NUMBERS) < MAX_NUMBERS // 24:
        return None
    body = p.grow(e, (i, *scope), depth - 1) if depth > 0 else e
    return p.call("generate", abstract(body, i, "i"))


def written_out(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """An array literal with other values of the type."""
    if not 0 < (count(e.type) or MAX_NUMBERS) < MAX_NUMBERS // 4:
        return None
    elements = [e]
    for _ in range(p.below(3)):
        other = p.same_type(e, scope, depth - 1)
        elements.append(e if other is None else other)
    return apply(p.array(e.type, len(elements)), *elements)


def named(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Name a value by `let`."""
    x = p.variable(e.type)
    body = p.grow(x, (x, *scope), depth - 1) if depth > 0 else x
    return p.call("let", e, abstract(body, x, "named"))


def paired(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Pair with another value of the type."""
    other = p.same_type(e, scope, depth - 1)
    return None if other is None else p.call("pair", e, other)


def calculated(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Compute another number."""
    return p.same_type(e, scope, depth)


def chosen(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Select this value or another one of its type, depending on an input."""
    other = p.same_type(e, scope, depth - 1)
    if other is None:
        return None
    limit = p.input(F32)
    condition = p.call("lt", limit, make_literal(1.0, F32))
    return None if condition is None else p.call("select", condition, e, other)


def as_number(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Convert an index to a number."""
    integer = p.call("indexAsInt", e)
    return None if integer is None else p.call("cast", integer, implicits=(F32, integer.type))


def iterated(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Iterate a map."""
    assert isinstance(e.type, ArrayType)
    element = e.type.element
    length = NatVar(f"%{p.variable_count}", None)
    xs = p.variable(ArrayType(nat(length), element))
    function = p.function(element, scope, depth, element)
    body = None if function is None else application(PRIMITIVES["map"], (function, xs))
    if body is None:
        return None
    inner = DepLam("l", "nat", False, (), abstract_dependent(abstract(body, xs, "xs"), length))
    iterate = instantiate_primitive(PRIMITIVES["iterate"], (e.type.size, const(1), element))
    return App(App(DepApp(iterate, const(p.below(3))), inner), e)


def in_tiles(p: Pipelines, e: Expr, scope: Scope, depth: int) -> Expr | None:
    """Map over tiles, the last of which may be shorter, and join them."""
    assert isinstance(e.type, ArrayType)
    tiles = p.call("depTile", p.below(4) + 1, 0, e)
    if tiles is None or not isinstance(tiles.type, DepArrayType):
        return None
    i = NatVar(f"%{p.variable_count}", None)
    row = p.variable(type_at(tiles.type.family, nat(i)))
    if not isinstance(row.given, ArrayType):
        return None
    function = p.function(row.given.element, scope, depth)
    body = None if function is None else application(PRIMITIVES["map"], (function, row))
    if body is None:
        return None
    family = type_family("i", abstract_dependent(body.type, i))
    each = DepLam("i", "nat", False, (), abstract_dependent(abstract(body, row, "row"), i))
    map_tiles = instantiate_primitive(PRIMITIVES["depMap"], (tiles.type.size, tiles.type.family, family))
    return p.call("depJoin", apply(map_tiles, each, tiles))


_ANY: Final[tuple[Step, ...]] = (repeated, written_out, named, paired, chosen)
_NUMBER: Final[tuple[Step, ...]] = (calculated, calculated, calculated, *_ANY)
_ARRAY: Final[tuple[Step, ...]] = (
    mapped,
    mapped,
    mapped,
    mapped_view,
    kept_length,
    kept_length,
    split,
    split,
    reduced,
    scanned,
    concatenated,
    zipped,
    generated,
    gathered,
    iterated,
    in_tiles,
    *(ends(name) for name in ("take", "drop", "padCst", "padClamp", "padEmpty", "slide")),
    *_ANY,
)
_ROWS: Final[tuple[Step, ...]] = (
    simple("transpose"),
    simple("transpose"),
    simple("transpose"),
    simple("join"),
    simple("join"),
    *_ARRAY,
)


def steps_for(t: Type) -> tuple[Step, ...]:
    """The steps that apply to values of a type."""
    match t:
        case ArrayType(_, ArrayType()):
            return _ROWS
        case ArrayType(_, ScalarType(name)) if name != "bool":
            return (*_ARRAY, vectors)
        case ArrayType(_, PairType()):
            return (*_ARRAY, simple("unzip"))
        case ArrayType():
            return _ARRAY
        case PairType():
            return (simple("fst"), simple("snd"), *_ANY)
        case IndexType():
            return (as_number, simple("fromEnd"))
        case ScalarType() | VectorType():
            return _NUMBER
    return _ANY


def program(below: Callable[[int], int], depth: int = DEPTH) -> tuple[Expr, tuple[Type, ...]]:
    """A program, and the types of its arguments. Half of all programs have symbolic sizes."""
    p = Pipelines(below, below(2) == 1, steps_for)
    e = p.grow(p.input(p.input_type()), (), depth)
    if isinstance(e, Var):
        e = p.call("id", e) or e
    for variable in (size for size in VARIABLES if size in e.free):
        p.parameters.append(Var(f"p{len(p.parameters)}", ArrayType(nat(variable), F32)))
    for parameter in reversed(p.parameters):
        e = abstract(e, parameter)
    for variable in reversed(VARIABLES):
        if variable in e.free:
            e = DepLam(variable.name, "nat", True, (), abstract_dependent(e, variable))
    return e, tuple(with_values(parameter.given) for parameter in p.parameters)


@st.composite
def pipelines(draw: st.DrawFn, depth: int = DEPTH) -> Run:
    """A program that can be evaluated, and arguments for it."""
    e, types = program(lambda end: draw(st.integers(0, end - 1)), depth)
    return Run(e, tuple(draw(values(t)) for t in types))


def with_values(t: Type) -> Type:
    """A type with symbolic sizes replaced by their values."""
    known: Type = substitute_names(t, {size: const(value) for size, value in VARIABLES.items()})
    return known
