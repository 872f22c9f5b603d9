"""Two-dimensional stencils by lines: values that windows share are computed once, in lines of numbers or vectors.

Depends on windows, columns and vectors, but not on loops.
"""

from __future__ import annotations

from functools import reduce
from typing import Any, Final

from rise.naturals import Nat, const
from rise.primitives import PROJECTIONS, applied
from rise.terms import App, Bound, DepApp, Expr, Lam, Primitive, occurrences
from rise.types import ArrayType, PairType, ScalarType
from strategies.equations.applications import array_type, map_of, operands, pair_of, projected, windows_of
from strategies.equations.builder import refilled
from strategies.equations.contexts import as_function, candidates, occurs_outside
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.vector_terms import (
    MAX_LANE_ELEMENTS,
    READ_AS_VECTORS,
    ahead,
    as_vectors,
    on_lanes,
    vectors_of,
)

transposeWindow = rule(
    "transpose (map (slide n s) rows) = map (fun(window => transpose window)) (slide n s (transpose rows))",
    why="Windows of columns instead of windows of each row.",
    names=("rows",),
)

pairImages = rule(
    "(fun(a => (fun(b => f)) (map (fun(x => map h (ys))) xs))) (map (fun(x => map g (ys))) xs)"
    " = (fun(both => (fun(a, b => f)) (map (map fst) both) (map (map snd) both)))"
    " (map (fun(x => map (fun(y => pair (g y) (h y))) (ys))) xs)",
    why="Compute two images in one nest of loops, because both read the same windows.",
)
_PROJECTED: Final = applied(PROJECTIONS)


def _windows(e: Expr) -> tuple[Nat, Nat, Expr, ArrayType] | None:
    """The size of windows with step 1, their number minus one, the array that they are taken from, and its type."""
    match e:
        case App(DepApp(DepApp(Primitive("slide", _, _), Nat() as size), Nat() as by), xs):
            if isinstance(xs.type, ArrayType) and by == const(1):
                return size, xs.type.size - size, xs, xs.type
    return None


def _shared(term: Any) -> Expr | None:
    """Move what is computed from each element of a window separately before the windows."""
    function, of = operands(term)
    windows = _windows(of)
    if not isinstance(function, Lam) or windows is None:
        return None
    size, count, xs, array = windows
    maps = tuple(candidates(function.body, _maps_variable, needs=(0,)))
    shared = tuple(dict.fromkeys(reversed(maps)))
    steps: list[Lam] = [operands(e)[0] for e in shared]
    if all(_is_part(step) for step in steps) or occurs_outside(function.body, 0, shared):
        return None
    step = Lam(steps[0].name, array.element, reduce(pair_of, (step.body for step in steps)))
    window = ArrayType(size, step.body.type)
    body = refilled(function.body, shared, tuple(_parts(Bound(0, window), len(steps))), (), ())
    return map_of(Lam(function.name, window, body), windows_of(size, count, map_of(step, xs)))


def _maps_variable(e: Expr) -> bool:
    """Whether a term maps a closed function over a variable."""
    if e.root != ("map", 2):
        return False
    step, xs = operands(e)
    return isinstance(xs, Bound) and isinstance(step, Lam) and not step.loose


def _is_part(step: Lam) -> bool:
    """Whether a function only projects from its argument."""
    e = step.body
    while isinstance(e, App) and e.root in _PROJECTED:
        e = e.arg
    return isinstance(e, Bound)


def _parts(pairs: Expr, count: int) -> list[Expr]:
    """The arrays that an array of nested pairs consists of, each as maps of projections."""
    if count == 1:
        return [pairs]
    t = array_type(pairs).element
    first, second = (map_of(Lam("p", t, projected(Bound(0, t), (side,))), pairs) for side in PROJECTIONS)
    return [*_parts(first, count - 1), second]


shareInWindows = rule(
    "map (fun(w => f[map g w])) (slide n s xs) = map (fun(w => f[w])) (slide n s (map g xs)); likewise for several g",
    why="Compute once what neighbouring windows compute from the same element.",
    by=_shared,
    roots=(("map", 2),),
)


def _vectors_of_map(term: Any) -> Expr | None:
    read = vectors_of(term)
    if read is None or read[0].root != ("map", 2):
        return None
    mapping, v, more = read
    function, xs = operands(mapping)
    array = xs.type
    if not isinstance(array, ArrayType) or xs.root == ("slide", 1) or not _is_short(array.element):
        return None
    inner = on_lanes(function, v)
    return map_of(inner, as_vectors(xs, v, more)) if isinstance(inner, Lam) else None


def _is_short(t: Any) -> bool:
    """Whether elements of a type can be read as vectors: numbers, pairs of them, and short arrays, by element."""
    match t:
        case ScalarType():
            return True
        case PairType(a, b):
            return _is_short(a) and _is_short(b)
        case ArrayType(size, element):
            return 0 < (size.constant or 0) <= MAX_LANE_ELEMENTS and _is_short(element)
    return False


vectorsOfMap = rule(
    "asVector v (padEmpty r (map f xs)) = map f (asVector v (padEmpty r xs)), where f does on vectors what it does on"
    " numbers; arrays of pairs and of short arrays are read as vectors part by part",
    why="Compute v elements at once, if a function only does arithmetic.",
    by=_vectors_of_map,
    roots=READ_AS_VECTORS,
)


def _vectors_of_windows(term: Any) -> Expr | None:
    vectors = vectors_of(term)
    if vectors is None or vectors[0].root != ("map", 2):
        return None
    mapping, v, more = vectors
    function, of = operands(mapping)
    windows = _windows(of)
    if windows is None:
        return None
    size, _, xs, array = windows
    inner, lanes, width = on_lanes(function, v), v.constant or 0, size.constant or 0
    if not isinstance(inner, Lam) or not 1 < width <= lanes or not _is_short(array.element):
        return None
    if isinstance(array.element, ArrayType):
        return None
    read = as_vectors(xs, v, more + v - (size - 1))
    t = array_type(read)
    pairs = windows_of(const(2), t.size - 2, read)
    two = ArrayType(const(2), t.element)
    body = App(inner, ahead(Bound(0, two), v, size))
    return map_of(Lam(function.name, two, body), pairs)


vectorsOfWindows = rule(
    "asVector v (padEmpty r (map f (slide n 1 xs)))"
    " = map (fun(w => f [the vectors that start at lanes 0 .. n - 1 of w]))"
    " (slide 2 1 (asVector v (padEmpty (r + v - n + 1) xs)))",
    why="Take windows of two vectors: all windows of their numbers are in them, and each vector is read once.",
    by=_vectors_of_windows,
    roots=READ_AS_VECTORS,
)


def standsOnce(bindings: Bindings) -> bool:
    """A window whose columns are used in one place"""
    return occurrences(as_function(bindings, "f"), 0, enough=2) == 1


slideToLineBuffer = rule(
    "map (fun(w => f[transpose w])) (slide n 1 xs) = map (fun(w_ => f[w_])) (lineBuffer n (fun(x => x)) xs)",
    why="Keep the lines that windows share, and compute each element of the next line when its column is needed.",
    where=standsOnce,
)
