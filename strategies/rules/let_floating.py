"""Let-floating: names a reduction, or the used parts of a zip or a pair, anywhere in a body."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from elevate import Reach
from rise.part_names import Said, part, part_names, said_by, spelled
from rise.primitives import PROJECTIONS
from rise.terms import App, Bound, Expr, Lam, Primitive, apply, mention, replace_bound, shift, spine
from rise.types import PairType, Type, shift_dependent
from strategies.equations.applications import array_type, projected, zip_of
from strategies.equations.builder import primitive_at
from strategies.equations.rule import rule
from strategies.vocabulary.traversals import FOLDED


def isReduction(e: Expr) -> bool:
    """A full application of a reduction."""
    return e.root in FOLDED


def isReductionOrRow(e: Expr) -> bool:
    """A reduction, or a map of nothing but a reduction."""
    if e.root == ("map", 2):
        _, (function, _) = spine(e)
        return isinstance(function, Lam) and isReduction(function.body)
    return isReduction(e)


def isMoreThanReduction(e: Expr) -> bool:
    """A term other than a reduction and a map of nothing but a reduction."""
    return not isReductionOrRow(e)


isolateReduction = rule(
    "fun(x : any1 => (f[e] : any2)) = fun(x => (fun(r => f[r])) e)",
    why="Name the reduction that a body contains, so that it can be moved out.",
    of={"f": isMoreThanReduction, "e": isReductionOrRow},
)


def _narrow(term: Any) -> Expr | None:
    """Remove the arrays of a zip whose elements the function does not use."""
    match term:
        case App(App(Primitive("map" | "mapSeq", _, _) as head, Lam(name, _, body)), arrays) if (
            arrays.root == ("zip", 2)
        ):
            uses = _uses_of_some(body, _leaves(arrays))
            if not uses:
                return None
            pruned = _pruned(arrays, uses, said_by(name, arrays.type))
            assert pruned is not None, arrays
            used, said = pruned
            size, element = array_type(used).size, array_type(used).element
            function = Lam(spelled(said, element), element, _reprojected(body, arrays, uses, element))
            return apply(primitive_at(head.name, (size, element, function.body.type)), function, used)
    return None


Path = tuple[str, ...]


def _uses(body: Expr) -> Iterator[Path]:
    """The uses of the innermost variable, as paths of fst and snd with the outermost projection last."""
    stack: list[tuple[Expr, int, int]] = [(body, 0, mention(0))]
    while stack:
        node, depth, bit = stack.pop()
        path: Path = ()
        while type(node) is App:
            fun, arg = node.children
            if type(fun) is Primitive and fun.name in PROJECTIONS:
                path = (fun.name, *path)
                node = arg
                continue
            path = ()
            if not fun.mentions & bit:
                node = arg
                continue
            if arg.mentions & bit:
                stack.append((arg, depth, bit))
            node = fun
        if type(node) is Bound:
            if node.index == depth:
                yield path
        else:
            inside = depth + 1 if type(node) is Lam else depth
            below = mention(inside)
            stack.extend([(child, inside, below) for child in node.children if child.mentions & below])


@lru_cache(maxsize=1 << 12)
def _is_taken_apart(body: Expr) -> bool:
    """Whether the innermost variable is used, and only by projections."""
    uses = _uses(body)
    return next(uses, ()) != () and () not in uses


def _side(fun: Expr) -> str:
    """The name of a projection, fst or snd; empty for other functions."""
    return fun.name if type(fun) is Primitive and fun.name in PROJECTIONS else ""


@lru_cache(maxsize=1 << 12)
def _leaves(arrays: Expr) -> frozenset[Path]:
    """The paths of the arrays that are zipped."""
    paths: set[Path] = set()
    stack: list[tuple[Expr, Path]] = [(arrays, ())]
    while stack:
        node, path = stack.pop()
        if node.root == ("zip", 2):
            fun, second = node.children
            parts = zip((fun.children[1], second), PROJECTIONS, strict=True)
            stack += [(one, (*path, side)) for one, side in parts]
        else:
            paths.add(path)
    return frozenset(paths)


@lru_cache(maxsize=1 << 12)
def _uses_of_some(body: Expr, arrays: frozenset[Path]) -> set[Path]:
    """The uses of the innermost variable if they omit some of the arrays; empty if they omit none."""
    leaves = set(arrays)
    uses: set[Path] = set()
    for path in _uses(body):
        if path not in uses:
            uses.add(path)
            if path in leaves:
                leaves.discard(path)
            else:
                leaves -= {leaf for leaf in leaves if leaf[: len(path)] == path or path[: len(leaf)] == leaf}
            if not leaves:
                return set()
    return uses


def _pruned(arrays: Expr, uses: set[Path], said: Said = None) -> tuple[Expr, Said] | None:
    """The zip without the arrays that no path reaches, and what is known about its elements; None if it is empty."""
    match arrays:
        case App(App(Primitive("zip", _, _), first), second) if () not in uses:
            left = _pruned(first, {path[1:] for path in uses if path[0] == "fst"}, part(said, 0))
            right = _pruned(second, {path[1:] for path in uses if path[0] == "snd"}, part(said, 1))
            if left is None or right is None:
                return right if left is None else left
            if left[0] is first and right[0] is second:
                return arrays, said
            return zip_of(left[0], right[0]), (left[1], right[1])
    return (arrays, said) if uses else None


def _shorter(arrays: Expr, uses: set[Path]) -> dict[Path, Path]:
    """For each path through a zip, the corresponding one through the pruned zip."""
    match arrays:
        case App(App(Primitive("zip", _, _), first), second) if () not in uses:
            below = {side: {path[1:] for path in uses if path[0] == side} for side in PROJECTIONS}
            both = all(below.values())  # otherwise, one array takes the place of the zip
            return {
                (side, *path): (side, *short) if both else short
                for side, array in zip(PROJECTIONS, (first, second), strict=True)
                for path, short in _shorter(array, below[side]).items()
            }
    return {path: path for path in uses}


def _reprojected(body: Expr, arrays: Expr, uses: set[Path], element: Type) -> Expr:
    """The body with an element of the pruned zip as its innermost variable."""
    shorter = _shorter(arrays, uses)

    def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
        return variable if variable.index != depth else Bound(depth, shift_dependent(element, dep_depth))

    def put_call(call: App, depth: int, dep_depth: int) -> Expr | None:
        path: Path = ()
        inner: Expr = call
        while isinstance(inner, App) and (side := _side(inner.fun)):
            path = (side, *path)
            inner = inner.arg
        if path in shorter and isinstance(inner, Bound) and inner.index == depth:
            return projected(put(inner, depth, dep_depth), shorter[path])
        return None

    return replace_bound(body, put, put_call)


def _reads_zip(term: Any) -> bool:
    """A function that is mapped over a zip."""
    return isinstance(term.children[0].children[1], Lam) and term.children[1].root == ("zip", 2)


narrowZip = rule(
    "map (fun(p => f (fst p))) (zip xs ys) = map f xs, and likewise for other parts of a zip that are not used",
    why="Read only arrays that are used.",
    by=_narrow,
    roots=(("map", 2), ("mapSeq", 2)),
    reach=Reach(3, whole=(1,), variables_of=((0, 1),), fits=_reads_zip),
    tidies=True,
)


def _beta_pair(term: Any) -> Expr | None:
    """Replace each projection of the variable by a separate variable."""
    match term:
        case App(Lam(name, PairType(first, second), body), App(App(Primitive("pair", _, _), x), y)):
            if not _is_taken_apart(body):
                return None
            # The body is below two functions instead of one: index 0, the pair's, is that of the second component, and
            # index 1 that of the first.

            def put(variable: Bound, depth: int, dep_depth: int) -> Expr:
                return Bound(variable.index + 1, variable.given)

            def put_call(call: App, depth: int, dep_depth: int) -> Expr | None:
                side = _side(call.fun)
                if side and isinstance(call.arg, Bound) and call.arg.index == depth:
                    return Bound(depth + (side == "fst"), call.type)
                return None

            parts = replace_bound(body, put, put_call)
            names = part_names(name, PairType(first, second))
            return App(Lam(names[0], first, App(Lam(names[1], second, parts), shift(y, 1))), x)
    return None


def _calls_with_pair(term: Any) -> bool:
    """A call with a pair that is built there."""
    return isinstance(term.children[0], Lam) and term.children[1].root == ("pair", 2)


betaPair = rule(
    "(fun(p => f[fst p, snd p])) (pair x y) = (fun(a => (fun(b => f[a, b])) y)) x",
    why="Substitute each component of a pair where it is used.",
    by=_beta_pair,
    roots=("App",),
    reach=Reach(3, whole=(), variables_of=((0,),), fits=_calls_with_pair),
    tidies=True,
)
