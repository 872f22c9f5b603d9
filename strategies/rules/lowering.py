"""From what is computed to how: loops for patterns, and memory where an array must lie somewhere."""

from __future__ import annotations

from typing import Any, Final

from rise.naturals import NatBound, nat
from rise.primitives import applied, with_trait
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Primitive, apply, shift
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    FragmentType,
    FunType,
    PairType,
    ScalarType,
    Space,
    Type,
    VectorType,
    is_data,
    shift_dependent,
    type_at,
)
from strategies.equations.builder import primitive_at
from strategies.equations.rule import rule
from strategies.traversals import FOLDS, SCANS

#: loops with a function of what there is so far and the next element
_LOOPS: Final = (FOLDS | SCANS) & with_trait("loops")

mapToMapSeq = rule("map f xs = mapSeq f xs", why="One element after the other.")
mapToMapSeqUnroll = rule("map f xs = mapSeqUnroll f xs", why="One element after the other, written out.")
mapToMapPar = rule("map f xs = mapPar f xs", why="Elements on different threads (OpenMP).")
mapParToMapSeq = rule(
    "mapPar f xs = mapSeq f xs",
    why="One thread where nothing proves that several would write different elements.",
)
reduceToReduceSeq = rule("reduce f i xs = reduceSeq f i xs", why="Reduce one element after the other.")
reduceSeqToUnroll = rule("reduceSeq f i xs = reduceSeqUnroll f i xs", why="The same, written out.")
scanToScanSeq = rule("scan f i xs = scanSeq f i xs", why="Scan one element after the other.")


def _eta_abstraction(term: Any) -> Expr | None:
    match term:
        case App(App(Primitive("map", _, _) as head, fun), xs) if not isinstance(fun, Lam):
            return apply(head, expanded(fun), xs)
    return None


def expanded(fun: Expr) -> Lam:
    """`fun(x => f(x))`."""
    t = fun.type
    assert isinstance(t, FunType)
    return Lam("x", t.parameter, App(shift(fun, 1), Bound(0, t.parameter)))


def _expand_functions(count: int) -> Any:
    def expand(term: Any) -> Expr | None:
        match term:
            case App(App(App(Primitive(name) as head, fun), i), xs) if name in _LOOPS:
                inner: Expr = fun
                depth = 0
                while isinstance(inner, Lam) and depth < count:
                    inner, depth = inner.body, depth + 1
                return None if depth == count else apply(head, _fully(fun, count), i, xs)
        return None

    return expand


def _fully(fun: Expr, count: int) -> Expr:
    """The function with `count` parameters written out."""
    if count == 0:
        return fun
    function = fun if isinstance(fun, Lam) else expanded(fun)
    return Lam(function.name, function.parameter, _fully(function.body, count - 1))


etaAbstraction = rule(
    "map f xs = map (fun(x => f(x))) xs",
    why="Write the parameter of a map's function out, so that its body can be worked on.",
    by=_eta_abstraction,
    roots=(("map", 2),),
    tidies=True,
)
etaAbstractionFold = rule(
    "reduceSeq f i xs = reduceSeq (fun(acc, x => f(acc, x))) i xs",
    why="Write the parameters of a reduction's function out, so that its body can be worked on.",
    by=_expand_functions(2),
    roots=tuple(sorted(applied(_LOOPS))),
    tidies=True,
)


def _to_mem(term: Any) -> Expr | None:
    if not is_data(term.type):
        return None
    return App(DepApp(primitive_at("toMem", (term.type,)), Space("Local")), term)


toMemLocal = rule(
    "xs = toMem(Local, xs)",
    why="Keep a result in memory, so that reading it twice does not compute it twice.",
    by=_to_mem,
)


def _copy(term: Any) -> Expr | None:
    match term.type:
        case ArrayType(size, element):
            same = Lam("x", element, Bound(0, element))
            return apply(primitive_at("map", (size, element, element)), same, term)
        case DepArrayType(size, rows):
            row = type_at(shift_dependent(rows, 1), nat(NatBound(0)))
            each = DepLam("i", "nat", False, (), Lam("row", row, Bound(0, row)))
            return apply(primitive_at("depMap", (size, rows, rows)), each, term)
        case DepPairType(family):
            value = type_at(shift_dependent(family, 1), nat(NatBound(0)))
            made = DepApp(primitive_at("makeDepPair", (shift_dependent(family, 1),)), nat(NatBound(0)))
            again = DepLam("n", "nat", False, (), Lam("x", value, App(made, Bound(0, value))))
            return apply(primitive_at("dmatch", (family, term.type)), term, again)
        case PairType(first, second):
            left = App(primitive_at("fst", (first, second)), term)
            right = App(primitive_at("snd", (first, second)), term)
            return apply(primitive_at("pair", (first, second)), left, right)
    return None


copy = rule(
    "xs = map (fun(x => x)) xs",
    why="Say that an array is copied to where it is wanted.",
    by=_copy,
)


def isArray(e: Expr) -> bool:
    """A value that holds an array or a fragment."""
    return holdsArray(e.type)


def holdsArray(t: Type) -> bool:
    """Whether values of the type need memory of their own."""
    match t:
        case ArrayType() | DepArrayType() | DepPairType() | FragmentType():
            return True
        case PairType(first, second):
            return holdsArray(first) or holdsArray(second)
        case ScalarType() | VectorType():
            return False
    return False
