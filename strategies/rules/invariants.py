"""Loop-invariant values. Knows no strategy.

They are found by where they stand and by the variables that they mention, which no pattern can say. What a condition
chooses is left where it is: it may not be computed at all.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from rise.naturals import Nat
from rise.nodes import Node, transform
from rise.primitives import PROJECTIONS
from rise.terms import App, Bound, Expr, Lam, Primitive, apply, shift, spine
from rise.types import PairType, is_data
from strategies.equations.builder import primitive_at
from strategies.equations.contexts import abstracted, outside
from strategies.equations.rule import rule
from strategies.rules.lowering import holdsArray
from strategies.vocabulary.traversals import FOLDS

#: whose function runs once
ONCE: Final = ("let", 2)


def isSummed(e: Expr) -> bool:
    """A number that is computed by a reduction."""
    return not holdsArray(e.type) and is_data(e.type) and _reduces(e)


def _reduces(e: Expr) -> bool:
    waiting = [e]
    while waiting:
        node = waiting.pop()
        if isinstance(node, Primitive) and node.name in FOLDS:
            return True
        waiting += node.children
    return False


def _places(body: Expr) -> Iterator[tuple[Expr, int, bool]]:
    """The parts of a term that are computed for certain: with the number of binders around, and whether in a loop."""
    waiting: list[tuple[Expr, int, bool]] = [(body, 0, False)]
    while waiting:
        node, inner, repeats = waiting.pop()
        yield node, inner, repeats
        if isinstance(node, Lam):
            waiting.append((node.body, inner + 1, repeats))
        elif isinstance(node, App):
            head, arguments = spine(node)
            parts = [one for one in arguments if isinstance(one, Expr)]
            if node.root == ("select", 3):
                parts = parts[:1]
            loops = isinstance(head, Primitive) and node.root != ONCE
            waiting += [(one, inner, repeats or (loops and isinstance(one, Lam))) for one in reversed(parts)]
            if isinstance(head, Lam):
                waiting.append((head, inner, repeats))


def _name_sum(term: Any) -> Expr | None:
    if not isinstance(term, Lam) or not is_data(term.body.type):
        return None
    for node, inner, repeats in _places(term.body):
        if repeats and isSummed(node):
            found = outside(node, inner)
            if found is not None:
                rest = abstracted(term.body, (found,))
                return Lam(term.name, term.parameter, App(Lam("sum", found.type, rest), found))
    return None


nameSum = rule(
    "fun(x => f[map (fun(y => g[reduce h i xs])) ys])"
    " = fun(x => (fun(sum => f[map (fun(y => g[sum])) ys])) (reduce h i xs))",
    why="Sum once what is the same in each turn of a loop inside.",
    by=_name_sum,
    roots=("Lam",),
)


def _name_sums(term: Any) -> Expr | None:
    match term:
        case App(App(Primitive("map"), Lam(_, _, body)), _):
            for node, inner, _ in _places(body):
                match node:
                    case App(App(Primitive("map", (Nat() as size, _, result)), Lam() as function), ys):
                        depth = inner + 1
                        of = outside(ys, depth)
                        found = None if of is None else _sum_of_element(function, depth)
                        if of is not None and found is not None:
                            step = outside(Lam(function.name, function.parameter, found), depth)
                            assert step is not None
                            sums = apply(
                                primitive_at("map", (size, function.parameter, found.type)), step, of
                            )
                            given = _given(function, found, ys, shift(sums, depth), size, result)
                            return _named(term, node, depth, given, sums)
    return None


def _sum_of_element(function: Lam, depth: int) -> Expr | None:
    """The first sum in a loop's body that depends on the loop's variable, and on none of `depth` binders around."""
    for node, inner, _ in _places(function.body):
        if isSummed(node):
            found = outside(node, inner)
            if (
                found is not None
                and found.mentions & 1
                and outside(_alone(function, found), depth) is not None
            ):
                return found
    return None


def _alone(function: Lam, found: Expr) -> Expr:
    return Lam(function.name, function.parameter, found)


def _given(function: Lam, found: Expr, ys: Expr, sums: Expr, size: Nat, result: Any) -> Expr:
    """A map that is given the sum of each element beside it."""
    t, s = function.parameter, found.type
    both = PairType(t, s)
    body = Lam(function.name, t, Lam("sum", s, abstracted(function.body, (found,))))
    p = Bound(0, both)
    parts = (App(primitive_at(side, (t, s)), p) for side in PROJECTIONS)
    zipped = apply(primitive_at("zip", (size, t, s)), ys, sums)
    return apply(
        primitive_at("map", (size, both, result)), Lam("p", both, apply(shift(body, 1), *parts)), zipped
    )


def _named(term: Expr, node: Expr, depth: int, given: Expr, sums: Expr) -> Expr:
    """The term with another map in a place, and with the sums that this one is given named around it."""

    def visit(one: Node, inner: int, _: int) -> Node | None:
        return given if inner == depth and one == node else None

    def untouched(one: Node, *_: int) -> bool:
        return not isinstance(one, Expr)

    return App(Lam("sums", sums.type, abstracted(transform(term, visit, untouched), (sums,))), sums)


nameSums = rule(
    "map (fun(x => f[map (fun(y => g[reduce h i y])) ys])) xs = (fun(sums =>"
    " map (fun(x => f[map (fun(p => g[snd p][fst p / y])) (zip ys sums)])) xs)) (map (fun(y => reduce h i y)) ys)",
    why="Sum each element of an inner loop once, and not once in each turn of the outer loop.",
    by=_name_sums,
    roots=(("map", 2),),
)
