"""Rules that choose a part of a body: computed by functions, because where it stands no pattern can say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rise.nodes import Node, transform
from rise.terms import App, Bound, Expr, Lam, Primitive, apply, replace_bound, replace_open, shift, spine
from rise.types import ArrayType, PairType, is_data, shift_dependent
from strategies.building import primitive_at
from strategies.equation import rule

REDUCTIONS = ("reduce", "reduceSeq")


def isReduction(e: Expr) -> bool:
    """A full application of a reduction."""
    return isinstance(e.root, tuple) and e.root[0] in REDUCTIONS and e.root[1] == 3


def isReductionOrRow(e: Expr) -> bool:
    """A reduction, or one map around nothing but a reduction."""
    if e.root == ("map", 2):
        _, (function, _) = spine(e)
        return isinstance(function, Lam) and isReduction(function.body)
    return isReduction(e)


def _isolate(choose: Callable[[Expr], bool]) -> Callable[[Any], Expr | None]:
    def isolated(term: Any) -> Expr | None:
        if not isinstance(term, Lam) or choose(term.body):
            return None
        found = _first(term.body, choose)
        if found is None:
            return None
        rest = _abstracted(term.body, found)
        return Lam(term.name, term.parameter, App(Lam("r", found.type, rest), found))

    return isolated


def isolated_by(choose: Callable[[Expr], bool]) -> Callable[[Any], Expr | None]:
    """The function of a rule that names the first chosen sub-term of a term: `f[g]` becomes `(fun(r => f[r])) g`."""

    def isolated(term: Any) -> Expr | None:
        if not is_data(term.type) or choose(term):
            return None
        found = _first(term, choose)
        return None if found is None else App(Lam("packed", found.type, _abstracted(term, found)), found)

    return isolated


def _first(body: Expr, choose: Callable[[Expr], bool]) -> Expr | None:
    """The first chosen sub-term that mentions no binder between."""
    stack: list[tuple[Expr, int]] = [(body, 0)]
    while stack:
        node, inner = stack.pop()
        if choose(node):
            outside = _outside(node, inner)
            if outside is not None:
                return outside
        if isinstance(node, Lam):
            stack.append((node.body, inner + 1))
        else:
            stack.extend((child, inner) for child in reversed(node.children))
    return None


def _outside(node: Expr, inner: int) -> Expr | None:
    """The sub-term as seen from outside `inner` binders; None when it mentions one of them."""
    if node.loose and inner:
        lowest = _lowest_index(node)
        if lowest is not None and lowest < inner:
            return None
        return shift(node, -inner)
    return node


def _lowest_index(node: Expr) -> int | None:
    lowest: int | None = None
    stack: list[tuple[Expr, int]] = [(node, 0)]
    while stack:
        e, depth = stack.pop()
        if e.loose <= depth:
            continue
        if isinstance(e, Bound):
            index = e.index - depth
            lowest = index if lowest is None else min(lowest, index)
        elif isinstance(e, Lam):
            stack.append((e.body, depth + 1))
        else:
            stack.extend((child, depth) for child in e.children)
    return lowest


def _abstracted(body: Expr, found: Expr) -> Expr:
    """The body below one more function, whose variable stands for every occurrence of the sub-term."""
    raised = shift(body, 1)
    wanted = shift(found, 1)
    seen: dict[int, Expr] = {}

    def visit(node: Node, depth: int, dep_depth: int) -> Node | None:
        if not isinstance(node, Expr):
            return node
        if depth not in seen:
            seen[depth] = shift(wanted, depth)
        if node == shift_dependent(seen[depth], dep_depth):
            return Bound(depth, shift_dependent(found.type, dep_depth))
        return None

    return transform(raised, visit, lambda node, depth, dep_depth: False)


isolateReduction = rule(
    "fun(x => f[reduce g i xs]) = fun(x => (fun(r => f[r])) (reduce g i xs))",
    why="Name the reduction that a body contains, so that it can be moved out.",
    by=_isolate(isReductionOrRow),
    roots=("Lam",),
)


def _narrow(term: Any) -> Expr | None:
    """Zips whose elements are not all used lose those that are not."""
    match term:
        case App(App(Primitive("map" | "mapSeq", _, _) as head, Lam(name, _, body)), arrays) if (
            arrays.root == ("zip", 2)
        ):
            uses = _uses(body)
            kept = _pruned(arrays, uses)
            if kept is None or kept is arrays:
                return None
            element = kept.type
            assert isinstance(element, ArrayType)
            function = Lam(name, element.element, _reprojected(body, arrays, uses, element.element))
            size = element.size
            mapper = primitive_at(head.name, (size, element.element, function.body.type))
            return apply(mapper, function, kept)
    return None


Path = tuple[str, ...]


def _uses(body: Expr) -> set[Path]:
    """How the innermost variable is projected: the paths of fst and snd, outermost projection last."""
    found: set[Path] = set()
    stack: list[tuple[Expr, int, Path]] = [(body, 0, ())]
    while stack:
        node, depth, projections = stack.pop()
        if node.loose <= depth:
            continue
        match node:
            case Bound(index, _):
                if index == depth:
                    found.add(projections)
            case App(Primitive("fst" | "snd" as side, _, _), arg):
                stack.append((arg, depth, (side, *projections)))
            case App(fun, arg):
                stack.append((arg, depth, ()))
                stack.append((fun, depth, ()))
            case Lam(_, _, inner):
                stack.append((inner, depth + 1, ()))
            case _:
                stack.extend((child, depth, ()) for child in node.children)
    return found


def _pruned(arrays: Expr, uses: set[Path]) -> Expr | None:
    """The zip without what no path reaches; None when nothing is used at all."""
    match arrays:
        case App(App(Primitive("zip", _, _), first), second) if () not in uses:
            left = _pruned(first, {path[1:] for path in uses if path[0] == "fst"})
            right = _pruned(second, {path[1:] for path in uses if path[0] == "snd"})
            if left is None or right is None:
                return right if left is None else left
            if left is first and right is second:
                return arrays
            return _zip(left, right)
    return arrays if uses else None


def _zip(left: Expr, right: Expr) -> Expr:
    a, b = left.type, right.type
    assert isinstance(a, ArrayType) and isinstance(b, ArrayType)
    return apply(primitive_at("zip", (a.size, a.element, b.element)), left, right)


def _shorter(arrays: Expr, uses: set[Path], path: Path) -> Path:
    """What a path through the old zip is through the pruned one."""
    match arrays:
        case App(App(Primitive("zip", _, _), first), second) if () not in uses:
            parts = {"fst": first, "snd": second}
            below = {side: {p[1:] for p in uses if p[0] == side} for side in parts}
            side = path[0]
            rest = _shorter(parts[side], below[side], path[1:])
            both = all(_pruned(parts[s], below[s]) is not None for s in parts)
            return (side, *rest) if both else rest
    return path


def _reprojected(body: Expr, arrays: Expr, uses: set[Path], element: Any) -> Expr:
    def visit(node: Expr, depth: int, dep_depth: int) -> Expr | None:
        path: Path = ()
        inner = node
        while (
            isinstance(inner, App) and isinstance(inner.fun, Primitive) and inner.fun.name in ("fst", "snd")
        ):
            path = (inner.fun.name, *path)
            inner = inner.arg
        if isinstance(inner, Bound) and inner.index == depth and (path in uses):
            return _project(Bound(depth, shift_dependent(element, dep_depth)), _shorter(arrays, uses, path))
        return None

    return replace_open(body, visit)


def _project(e: Expr, path: Path) -> Expr:
    for side in path:
        pair = e.type
        assert isinstance(pair, PairType)
        e = App(primitive_at(side, (pair.first, pair.second)), e)
    return e


narrowZip = rule(
    "map (fun(p => f (fst p))) (zip xs ys) = map f xs, and alike for what else of a zip is not used",
    why="Carry only what is used.",
    by=_narrow,
    roots=(("map", 2), ("mapSeq", 2)),
)


def _beta_pair(term: Any) -> Expr | None:
    """Each projection of the variable becomes a variable of its own."""
    match term:
        case App(Lam(name, PairType(first, second), body), App(App(Primitive("pair", _, _), x), y)):
            uses = _uses(body)
            if () in uses or not uses:
                return None

            def visit(node: Expr, depth: int, dep_depth: int) -> Expr | None:
                match node:
                    case App(Primitive("fst" | "snd" as side, _, _), Bound(index, _)) if index == depth + 1:
                        return Bound(depth + (side == "fst"), shift_dependent(node.type, dep_depth))
                return None

            # Below two functions instead of one: the pair's index is 1, then gone.
            raised = _raised(body)
            parts = replace_open(raised, visit)
            return App(Lam(name, first, App(Lam(name, second, parts), shift(y, 1))), x)
    return None


def _raised(body: Expr) -> Expr:
    """The body of a function, seen from below one more function around it and one inside it."""

    return replace_bound(body, lambda variable, depth, dep_depth: Bound(variable.index + 1, variable.given))


betaPair = rule(
    "(fun(p => f[fst p, snd p])) (pair x y) = (fun(a => (fun(b => f[a, b])) y)) x",
    why="Put each part of a pair where it is used.",
    by=_beta_pair,
    roots=("App",),
)
