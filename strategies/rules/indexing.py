"""Single elements of arrays that are generated, mapped or given as literals. Independent of loops."""

from __future__ import annotations

from typing import Any

from rise.terms import App, Bound, Expr, Lam, Literal, Primitive, Var, apply
from rise.terms import substitute as put
from rise.types import ArrayType, FunType
from strategies.equations.applications import elements_of
from strategies.equations.builder import primitive_at
from strategies.equations.rule import rule

idxGenerate = rule("idx i (generate f) = f i", why="Compute only the element that is read.")
idxMap = rule("idx i (map f xs) = f (idx i xs)", why="Compute only the element that is read.")
idxZip = rule("idx i (zip xs ys) = pair (idx i xs) (idx i ys)", why="Read both elements instead of a pair.")
mapIndices = rule(
    "map (fun(i => f[idx i xs])) (generate (fun(j => j)) : n.idx[n]) = map (fun(x => f[x])) (xs : n.t)",
    why="Run over the elements of an array instead of their indices.",
)
generateFromElements = rule(
    "generate (fun(i : idx[n] => f[idx i xs])) = map (fun(x => f[x])) (xs : n.t)",
    why="Compute each element from an element of an array instead of its index.",
)
mapIndicesOfColumns = rule(
    "map (fun(i => f[map (idx i) xs])) (generate (fun(j => j)) : n.idx[n]) = map (fun(c => f[c])) (transpose xs)",
    why="Run over the columns of a matrix instead of their indices.",
)
mapOverIndices = rule(
    "generate f = map f (generate (fun(j => j)) : n.idx[n])",
    why="Compute all of an element in one iteration, instead of its parts where they are read.",
)
mapGenerate = rule("map f (generate g) = generate (f . g)", why="Generate the mapped elements directly.")


def _idx_of_elements(term: Any) -> Expr | None:
    match term:
        case App(App(Primitive("idx", _, _), Literal(int() as place)), xs):
            elements = elements_of(xs)
            if elements is not None and place < len(elements):
                return elements[place]
    return None


idxMakeArray = rule(
    "idx 1 [a, b, c] = b, and likewise for other places and arrays",
    why="Use the element itself, without an array to read it from.",
    by=_idx_of_elements,
    roots=(("idx", 2),),
)


def _map_of_elements(term: Any) -> Expr | None:
    match term:
        case App(App(Primitive("map", _, _), function), xs) if isinstance(xs.type, ArrayType):
            elements = elements_of(xs)
            t = function.type
            if elements is None or not isinstance(t, FunType):
                return None
            make_array = primitive_at(f"makeArray{len(elements)}", (t.result,))
            return apply(make_array, *(_called(function, e) for e in elements))
    return None


def _called(function: Expr, argument: Expr) -> Expr:
    if isinstance(function, Lam) and isinstance(argument, Bound | Var | Literal):
        return put(function.body, argument)
    return App(function, argument)


mapMakeArray = rule(
    "map f [a, b, c] = [f a, f b, f c], and likewise for other arrays",
    why="Unroll a short loop.",
    by=_map_of_elements,
    roots=(("map", 2),),
)
