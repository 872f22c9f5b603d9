"""Random terms can be read back from their text, whatever the width. Independent of source text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rise.inference.schemes import instantiate_primitive
from rise.naturals import const, exact_quotient, var
from rise.primitives import lookup
from rise.printer.terms import show
from rise.programs.program import parse_expr
from rise.terms import (
    App,
    DepApp,
    DepLam,
    Expr,
    Primitive,
    Var,
    abstract,
    apply,
    make_literal,
)
from rise.types import (
    F32,
    I32,
    Argument,
    ArrayType,
    FunType,
    IndexType,
    PairType,
    ScalarType,
    Space,
    Type,
    abstract_dependent,
)

N, M = var("n"), var("m")
F16 = ScalarType("f16")
SHOWN_SIZES = (const(16), N, M)
ELEMENTS = (F32, F16, I32, PairType(F32, I32), ArrayType(N, F32))


def use(name: str, *implicits: Argument) -> Primitive:
    """A primitive with its implicit arguments."""
    record = lookup(name)
    assert record is not None, name
    return instantiate_primitive(record, implicits)


@st.composite
def terms(draw: st.DrawFn) -> Expr:
    """A closed, well-typed term over `n` and `m`."""
    count = 0

    def bound_name() -> str:
        return draw(st.sampled_from(("x", "xs", "y", "map", "n", "")))

    def function(parameter: Type, result: Type, depth: int, scope: list[Var]) -> Expr:
        nonlocal count
        count += 1
        variable = Var(f"%{count}", parameter)
        return abstract(term(result, depth - 1, [*scope, variable]), variable, bound_name())

    def number(t: Type) -> Expr:
        value = draw(st.integers(-3, 3))
        return make_literal(value, t)

    def leaf(t: Type, scope: list[Var]) -> Expr:
        known = [v for v in scope if v.given == t]
        if known:
            return draw(st.sampled_from(known))
        match t:
            case ScalarType("bool"):
                return make_literal(1, t)
            case ScalarType():
                return number(t)
            case PairType(s, u):
                return apply(use("pair", s, u), leaf(s, scope), leaf(u, scope))
            case ArrayType(size, element):
                index = Var("%", IndexType(size))
                return App(
                    use("generate", size, element), abstract(leaf(element, scope), index, bound_name())
                )
            case FunType(parameter, result):
                return function(parameter, result, 0, scope)
        raise AssertionError(t)

    def term(t: Type, depth: int, scope: list[Var]) -> Expr:
        if depth <= 0:
            return leaf(t, scope)
        inner = depth - 1
        match draw(st.integers(0, 13)), t:
            case 0, _:
                return leaf(t, scope)
            case 1, _:
                s = draw(st.sampled_from(ELEMENTS))
                return App(function(s, t, inner, scope), term(s, inner, scope))
            case ((2 | 3), FunType()):
                return leaf(t, scope)
            case 2, _:
                condition = apply(use("lt", F32), term(F32, inner, scope), term(F32, inner, scope))
                return apply(use("select", t), condition, term(t, inner, scope), term(t, inner, scope))
            case 3, _:
                s = draw(st.sampled_from(ELEMENTS))
                return App(use("fst", t, s), term(PairType(t, s), inner, scope))
            case 4 | 5, ScalarType(name) if name != "bool":
                operator = draw(st.sampled_from(("add", "sub", "mul", "div", "mod", "min")))
                return apply(use(operator, t), term(t, inner, scope), term(t, inner, scope))
            case 6, ScalarType(name) if name != "bool":
                return App(use("neg", t), term(t, inner, scope))
            case 7, ScalarType(name) if name != "bool":
                return App(use("cast", t, F16), term(F16, inner, scope))
            case 8 | 9 | 10 | 11, ScalarType():
                size = draw(st.sampled_from(SHOWN_SIZES))
                xs = term(ArrayType(size, t), inner, scope)
                return apply(use("reduce", size, t), fold(t, inner, scope), term(t, inner, scope), xs)
            case 4 | 5 | 6, ArrayType(size, element):
                s = draw(st.sampled_from(ELEMENTS))
                f = function(s, element, inner, scope)
                return apply(use("map", size, s, element), f, term(ArrayType(size, s), inner, scope))
            case 7, ArrayType(size, ArrayType(other, element)):
                xs = term(ArrayType(other, ArrayType(size, element)), inner, scope)
                return App(use("transpose", other, size, element), xs)
            case 8, ArrayType(size, element) if (size.constant or 0) % 4 == 0:
                split = DepApp(use("split", exact_quotient(size, 4), element), const(4))
                join = use("join", exact_quotient(size, 4), const(4), element)
                return App(join, App(split, term(t, inner, scope)))
            case 9, ArrayType(size, PairType(s, u)):
                xs, ys = term(ArrayType(size, s), inner, scope), term(ArrayType(size, u), inner, scope)
                return apply(use("zip", size, s, u), xs, ys)
            case 10, ArrayType(size, ArrayType(width, element)) if width is N:
                slid = DepApp(DepApp(use("slide", size - 1, element), N), const(2))
                return App(slid, term(ArrayType(2 * size + N - 2, element), inner, scope))
            case 11, ArrayType(size, element):
                taken = DepApp(use("take", M, element), size)
                return App(taken, term(ArrayType(size + M, element), inner, scope))
            case 12, ArrayType(size, element) if size.constant is None or size.constant >= 3:
                padded = DepApp(DepApp(use("padCst", size - 3, element), const(1)), const(2))
                return apply(
                    padded, term(element, inner, scope), term(ArrayType(size - 3, element), inner, scope)
                )
            case 13, ArrayType(size, element) if size.constant is None:
                xs, ys = (
                    term(ArrayType(const(3), element), inner, scope),
                    term(ArrayType(size - 3, element), inner, scope),
                )
                return apply(use("concat", const(3), size - 3, element), xs, ys)
            case _, ArrayType():
                return App(DepApp(use("toMem", t), Space("Local")), term(t, inner, scope))
            case _:
                return leaf(t, scope)

    def fold(t: Type, depth: int, scope: list[Var]) -> Expr:
        if draw(st.booleans()) and t in (F32, F16, I32):
            return use("add", t)
        return function(t, FunType(t, t), depth, scope)

    e = term(draw(st.sampled_from((*ELEMENTS, FunType(ArrayType(N, F32), F32)))), 5, [])
    for variable, name in ((M, "m"), (N, "n")):
        ((((atom, _),), _),) = variable.terms
        e = DepLam(name, "nat", True, (), abstract_dependent(e, atom))
    return e


@given(terms(), st.sampled_from((1, 40, 100)))
def test_a_term_reads_back(e: Expr, width: int) -> None:
    shown = show(e, width)
    again = parse_expr(shown)
    assert again == e
    assert show(again, width) == shown
