"""Random well-typed terms of a given type, and closed programs.

Depends on a few primitives by name, but not on rules. One subject: these functions draw parts of terms from each other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field
from functools import partial
from typing import Any, Final

import hypothesis.strategies as st

from rise.inference.schemes import scheme_of
from rise.naturals import Nat, NatBound, const, nat
from rise.primitives import PRIMITIVES, PROJECTIONS
from rise.programs.program import parse_expr
from rise.records import dataclass
from rise.scalars import ANY, FAMILY, SCALAR_ONLY, SCALARS, is_complex, kind_classes
from rise.terms import App, DepLam, Expr, Lam, Literal, Var, abstract, apply, make_literal, substitute
from rise.types import (
    I32,
    ArrayType,
    DepFunType,
    FragmentType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Type,
    VectorType,
    classes_of,
    is_data,
    type_family,
)
from strategies.equations.builder import primitive_at

I64: Final = ScalarType("i64")
BOOL: Final = ScalarType("bool")
BINARY: Final = ("add", "sub", "mul", "max")
UNARY: Final = ("neg", "abs")
MAX_DEPTH: Final = 2
"""The maximum depth of nested operations in a random term; below it are only variables and literals."""


@dataclass(slots=True)
class Source:
    """The source of random choices for terms, with the free variables of all terms so far.

    `is_plain`: functions are primitives and numbers are literals if possible, as conditions of rules require.
    `operations`: the binary operations that functions may be. `may_keep_order`: whether these may also be associative
    operations that do not commute.
    """

    draw: Callable[..., Any]
    is_plain: bool = False
    operations: Sequence[str] = BINARY
    may_keep_order: bool = False
    parameters: list[Var] = field(default_factory=list)
    count: int = 0

    def parameter(self, t: Type, name: str = "") -> Var:
        """A free variable of a type: a new one if a name is given; otherwise an existing one if there is any."""
        fitting = [variable for variable in self.parameters if variable.given == t and not name]
        if fitting:
            return fitting[0]
        parameter = Var(name or f"p{len(self.parameters)}", t)
        self.parameters.append(parameter)
        return parameter

    def variable(self, t: Type) -> Var:
        """A new variable for a function's parameter."""
        self.count += 1
        return Var(f"a{self.count}", t)

    def one_of(self, options: Sequence[Any]) -> Any:
        """One of several options, the simplest first."""
        return self.draw(st.sampled_from(options))


Maker = Callable[[], Expr]


def primitive(name: str, implicits: Sequence[Any], *arguments: Expr) -> Expr:
    """A primitive with its implicit arguments, applied to arguments."""
    return apply(primitive_at(name, tuple(implicits)), *arguments)


def function_of(variable: Var, body: Expr) -> Expr:
    """`fun(variable => body)`."""
    return abstract(body, variable)


def term(source: Source, t: Type, scope: tuple[Expr, ...] = (), depth: int = MAX_DEPTH) -> Expr:
    """A random term of a type over the variables in scope and free variables."""
    if isinstance(t, FunType):
        return random_function(source, t, scope, depth)
    direct = [e for e in reachable(scope) if e.type == t]
    makers = [*(partial(itself, e) for e in direct[-3:]), *simple(source, t)]
    if depth > 0:
        makers += structured(source, t, scope, depth - 1)
        makers += reused(source, t, scope, depth - 1)
    result: Expr = source.one_of(makers)()
    return result


def itself(e: Expr) -> Expr:
    """The term itself, as a `Maker` when bound."""
    return e


def arrays(scope: tuple[Expr, ...], size: Nat) -> list[Expr]:
    """The arrays of a size in scope."""
    return [e for e in reachable(scope) if isinstance(e.type, ArrayType) and e.type.size == size]


def zipped(xs: Expr, ys: Expr) -> Expr:
    """`zip(xs, ys)`."""
    assert isinstance(xs.type, ArrayType) and isinstance(ys.type, ArrayType)
    return primitive("zip", (xs.type.size, xs.type.element, ys.type.element), xs, ys)


def simple(source: Source, t: Type) -> Iterator[Maker]:
    """Literals and free variables."""
    yield lambda: source.parameter(t)
    if isinstance(t, ScalarType):
        yield lambda: number(t, source.draw(st.integers(0, 1 if t == BOOL else 3)))


def structured(source: Source, t: Type, scope: tuple[Expr, ...], depth: int) -> Iterator[Maker]:
    """Terms built by the constructors and operations of their type."""

    def inner(part: Type, *more: Expr) -> Expr:
        return term(source, part, (*scope, *more), depth)

    def mapped(size: Nat, element: Type, xs: Expr) -> Expr:
        assert isinstance(xs.type, ArrayType)
        f = random_function(source, FunType(xs.type.element, element), scope, depth)
        return primitive("map", (size, xs.type.element, element), f, xs)

    def generated(size: Nat, element: Type) -> Expr:
        i = source.variable(IndexType(size))
        return primitive("generate", (size, element), function_of(i, inner(element, i)))

    match t:
        case ScalarType("bool"):
            yield lambda: primitive("lt", (I32,), inner(I32), inner(I32))
        case ScalarType():
            usable = [e for e in scope if digestible(e.type)]
            for _ in range(2 if usable else 0):
                yield lambda: digest(source, source.one_of(usable), t)
            yield lambda: primitive(source.one_of(operations_on(t)), (t,), inner(t), inner(t))
            yield lambda: primitive("select", (t,), inner(BOOL), inner(t), inner(t))
        case PairType(first, second):
            for _ in range(3):
                yield lambda: primitive("pair", (first, second), inner(first), inner(second))
        case ArrayType(size, element):
            yield lambda: generated(size, element)
            for xs in arrays(scope, size):
                yield partial(mapped, size, element, xs)
                yield lambda: mapped(size, element, zipped(source.one_of(arrays(scope, size)), inner(t)))
            yield lambda: mapped(size, element, inner(t))
        case VectorType(size, element):
            yield lambda: primitive("vectorFromScalar", (size, element), inner(element))
            yield lambda: primitive(source.one_of(BINARY), (t,), inner(t), inner(t))
        case FragmentType(rows, columns, depth_, element, "Accum", _):
            sizes = (rows, columns, depth_, element)
            yield lambda: primitive("generateFragment", sizes, inner(element))
            yield lambda: primitive(
                "asFragmentAcc", sizes, inner(ArrayType(rows, ArrayType(columns, element)))
            )
            f = FunType(element, element)
            yield lambda: primitive("mapFragment", sizes, random_function(source, f, scope, depth), inner(t))


def reused(source: Source, t: Type, scope: tuple[Expr, ...], depth: int) -> Iterator[Maker]:
    """Terms of any type: an immediately applied function, a reduction, a projection of a pair."""

    def argument() -> Type:
        return some_type(source.draw, "data")

    def called(s: Type) -> Expr:
        x = source.variable(s)
        body = term(source, t, (*scope, x), depth)
        return App(function_of(x, body), term(source, s, scope, depth))

    def reduced(s: Type) -> Expr:
        size = const(source.draw(st.integers(0, 3)))
        f = random_function(source, FunType(t, FunType(s, t)), scope, depth)
        xs = term(source, ArrayType(size, s), scope, depth)
        return primitive("reduceSeq", (size, s, t), f, term(source, t, scope, 0), xs)

    def projected(s: Type) -> Expr:
        return primitive("fst", (t, s), term(source, PairType(t, s), scope, depth))

    if is_data(t) and not isinstance(t, FragmentType):
        yield lambda: called(argument())
        yield lambda: called(PairType(argument(), argument()))
        yield lambda: reduced(argument())
        yield lambda: reduced(t)
        yield lambda: projected(argument())


def random_function(source: Source, t: FunType, scope: tuple[Expr, ...], depth: int) -> Expr:
    """A random function: a constant, a projection, a primitive, or any term over its parameters."""
    s, r = t.parameter, t.result
    makers: list[Maker] = []

    def written() -> Expr:
        x = source.variable(s)
        return function_of(x, term(source, r, (*scope, x), depth))

    number_like = "num" in (classes_of(s) or ())
    if number_like and r == s:
        makers += [partial(with_first, source, s, e) for e in scope if e.type == s]
        makers.append(lambda: primitive(source.one_of(UNARY), (s,)))
    if number_like and r == FunType(s, s):
        makers.append(lambda: primitive(source.one_of(source.operations), (s,)))
    if s == BOOL and r == FunType(s, s):
        makers.append(lambda: primitive(source.one_of(("or", "and")), ()))
    if source.is_plain and makers:
        if source.may_keep_order and isinstance(s, ScalarType) and r == FunType(s, s):
            makers += [lambda: present(source, s, True), lambda: present(source, s, False)]
        result: Expr = source.one_of(makers)()
        return result
    makers = [written] * 4 + makers
    if is_data(s) and isinstance(r, ScalarType) and r != BOOL and digestible(s):
        x = source.variable(s)
        makers.append(lambda: function_of(x, digest(source, x, r)))
    result = source.one_of(makers)()
    return result


def with_first(source: Source, t: Type, e: Expr) -> Expr:
    """An operation with its first operand: `add x`."""
    return primitive(source.one_of(source.operations), (t,), e)


def present(source: Source, t: Type, is_first: bool) -> Expr:
    """The first or the last of two values that is not 0: an associative operation with the neutral element 0."""
    two = (source.variable(t), source.variable(t))
    preferred, other = two if is_first else reversed(two)
    is_absent = primitive("eq", (t,), preferred, number(t, 0))
    return function_of(two[0], function_of(two[1], primitive("select", (t,), is_absent, other, preferred)))


def reachable(scope: tuple[Expr, ...]) -> list[Expr]:
    """The variables in scope, and the components of those that are pairs."""
    parts_in_scope: list[Expr] = []
    waiting = list(reversed(scope))
    while waiting:
        e = waiting.pop()
        parts_in_scope.append(e)
        if isinstance(e.type, PairType):
            parts = (e.type.first, e.type.second)
            waiting += [primitive(side, parts, e) for side in reversed(PROJECTIONS)]
    return parts_in_scope


def digestible(t: Type) -> bool:
    """Whether `digest` can compute a number from a value of the type."""
    match t:
        case PairType(first, second):
            return digestible(first) and digestible(second)
        case ArrayType(_, element):
            return digestible(element)
        case FragmentType(role=role):
            return role == "Accum"
        case ScalarType() | IndexType() | VectorType():
            return True
    return False


def operations_on(t: Type) -> list[str]:
    """The binary operations on numbers of a type: complex ones have no order."""
    classes = classes_of(t) or frozenset()
    kinds = {name: scheme_of(PRIMITIVES[name].scheme).parameters[0][1] for name in BINARY}
    return [name for name, kind in kinds.items() if kind_classes(kind) <= classes]


def digest(source: Source, e: Expr, t: Type) -> Expr:
    """A number of type t that depends on all numbers in a value and their order."""
    match e.type:
        case ScalarType("bool"):
            return primitive("select", (t,), e, number(t, 1), number(t, 2))
        case ScalarType() as s if s != t and is_complex(s.name) and not is_complex(str(t)):
            part = ScalarType(SCALARS[s.name].part)
            parts = [digest(source, primitive(name, (part, s), e), t) for name in ("realPart", "imagPart")]
            return primitive("sub", (t,), primitive("mul", (t,), parts[0], number(t, 3)), parts[1])
        case ScalarType() as s:
            return e if s == t else primitive("cast", (t, s), e)
        case IndexType(size):
            return primitive("cast", (t, I64), primitive("indexAsInt", (size,), e))
        case PairType(first, second):
            parts = [digest(source, primitive(side, (first, second), e), t) for side in PROJECTIONS]
            return primitive("sub", (t,), primitive("mul", (t,), parts[0], number(t, 3)), parts[1])
        case ArrayType(size, element):
            sum_, x = source.variable(t), source.variable(element)
            twice = primitive("mul", (t,), sum_, number(t, 2))
            body = primitive("sub", (t,), twice, digest(source, x, t))
            f = function_of(sum_, function_of(x, body))
            return primitive("reduceSeq", (size, element, t), f, number(t, 1), e)
        case VectorType(size, element):
            alone = primitive("makeArray1", (e.type,), e)
            return digest(source, primitive("asScalar", (size, const(1), element), alone), t)
        case FragmentType(rows, columns, depth, element, "Accum", _):
            return digest(source, primitive("asMatrix", (rows, columns, depth, element), e), t)
    raise AssertionError(f"no number can be computed from {e.type}")


def number(t: Type, value: int) -> Literal:
    """A literal."""
    return make_literal(value, t)


SIMPLE: Final = tuple(ScalarType(name) for name in ("i32", "f32", "u8", "f64", "f16", "i64", "c64"))
#: the types of numbers, common ones first
ALL: Final = (*SIMPLE, *(ScalarType(name) for name in ("i8", "bf16", "u32", "i16", "u64", "u16", "c128")))
SAFE: Final = ("i32", "f32", "f64", "i64")
SAFE_FLOATS: Final = ("f32", "f64")  # change little where an argument does, unlike integers that are rounded


#: rows of a triangle: row i has i + 1 elements
TRIANGLE: Final = type_family("i", ArrayType(nat(NatBound(0)) + 1, ScalarType("f32")))


def row_function(draw: Callable[..., Any], source: Source, name: str, t: DepFunType) -> Expr:
    """A function of an index and a row to a row: of `TRIANGLE`, or of a type that is the same for all rows."""
    assert isinstance(t.result, FunType), t
    row, result = t.result.parameter, t.result.result
    if result.dep_loose and not row.dep_loose:
        return _to_triangle(source, row, t)
    if result != row:
        values = source.parameter(result, name)
        if draw(st.booleans()) and isinstance(result, ScalarType) and result != BOOL:
            variable = source.variable(row)
            body = primitive("sub", (result,), values, digest(source, variable, result))
            return DepLam("i", "nat", False, (), function_of(variable, body))
        return DepLam("i", "nat", False, (), Lam("row", row, values))
    text = draw(st.sampled_from(("row", "row |> map(neg)", "row |> map(fun(x => x * x))")))
    function = parse_expr(f"fun(i: nat, row: (i + 1).f32 => {text})")
    assert function.type == t, function
    return function


def _to_triangle(source: Source, row: Type, t: DepFunType) -> Expr:
    """A function of an index and a row, whose type is the same for all rows, to a row of `TRIANGLE`."""
    each = parse_expr("fun(i: nat, x: f32 => generate(fun(k: idx[i + 1] => cast{f32}(indexAsInt(k)) + x)))")
    assert isinstance(each, DepLam) and isinstance(each.body, Lam), each
    variable = source.variable(row)
    number = (
        digest(source, variable, each.body.parameter)
        if digestible(row)
        else make_literal(1, each.body.parameter)
    )
    function = DepLam("i", "nat", False, (), function_of(variable, substitute(each.body.body, number)))
    assert function.type == t, function
    return function


def some_type(
    draw: Callable[..., Any],
    kind: str,
    scalars: Sequence[Type] = SIMPLE,
    has_vectors: bool = True,
    has_arrays: bool = True,
) -> Type:
    """A random data type of a class, the simplest first; the only family is `TRIANGLE`."""
    if kind == FAMILY:
        return TRIANGLE
    classes = {name.strip() for name in ("data" if kind == ANY else kind).split("+")}
    candidates = [[t for t in among if classes <= (classes_of(t) or frozenset())] for among in (scalars, ALL)]
    fitting: list[Type] = next(filter(None, candidates), [])
    if not has_arrays:
        scalar: Type = draw(st.sampled_from([*fitting, BOOL] if classes == {"data"} else fitting))
        return scalar
    if classes.isdisjoint(SCALAR_ONLY) and has_vectors:
        vectors = [t for t in fitting if isinstance(t, ScalarType) and SCALARS[t.name].bits == 32]
        fitting += [VectorType(const(2), t) for t in vectors]
    if classes == {"data"}:
        two, three = const(2), const(3)
        f32 = ScalarType("f32")
        fitting = [
            *fitting[:2],
            PairType(I32, f32),
            ArrayType(two, f32),
            *fitting[2:],
            BOOL,
            ArrayType(three, PairType(I32, f32)),
            PairType(ArrayType(two, I32), f32),
        ]
    data_type: Type = draw(st.sampled_from(fitting))
    return data_type


@st.composite
def programs(draw: st.DrawFn) -> Expr:
    """Random closed programs: functions from data to data."""
    source = Source(draw)
    shape = [const(draw(st.integers(0, 3))) for _ in range(draw(st.integers(0, 2)))]
    t = some_type(draw, "data")
    for size in shape:
        t = ArrayType(size, t)
    xs = source.parameter(t)
    size = const(draw(st.integers(0, 3)))
    ys = source.parameter(ArrayType(size, some_type(draw, "data")), "ys")
    element = some_type(draw, "data")
    result = element if draw(st.booleans()) else ArrayType(size, element)
    return closed(term(source, result, (xs, ys), MAX_DEPTH + 1), source.parameters)


def closed(e: Expr, parameters: Sequence[Var]) -> Expr:
    """Abstract a term over free variables, in this order."""
    for variable in reversed(parameters):
        e = abstract(e, variable)
    return e
