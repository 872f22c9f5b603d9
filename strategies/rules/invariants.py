"""Loop-invariant values. Independent of strategies.

A value is invariant if it mentions no variable of the loop. A term in a branch of a condition stays there, since it may
never be computed, unless the condition depends on the loop: then the term is usually computed in some iterations, and
computing it once costs little. It also stays there if it may fail.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from rise.nodes import postorder
from rise.primitives import has_trait
from rise.terms import (
    App,
    Expr,
    Lam,
    Primitive,
    Var,
    has_primitive,
    is_shifted,
    mention,
    occurs,
    shift,
    spine,
)
from rise.types import ArrayType, is_data
from strategies.costs.decisions import COMPUTED_IN_ORDER, is_in_order, is_tabulated
from strategies.equations.applications import array_type, map_of
from strategies.equations.contexts import only_with
from strategies.equations.laws import Form, ensures
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.let_floating import narrowZip
from strategies.rules.lowering import holdsArray
from strategies.vocabulary.traversals import FOLDS

#: the root of a call whose function runs once
ONCE: Final = ("let", 2)


@only_with(FOLDS | COMPUTED_IN_ORDER)
@lru_cache(maxsize=1 << 12)
def isComputedAsAWhole(e: Expr) -> bool:
    """A number that is computed by a reduction, or an array whose elements depend on each other, as sorted ones."""
    if not is_data(e.type):
        return False
    return is_in_order(e) if holdsArray(e.type) else has_primitive(e, *FOLDS)


@only_with(FOLDS)
def isArrayOfSums(e: Expr) -> bool:
    """An array whose elements are computed by reductions."""
    return isinstance(e.type, ArrayType) and has_primitive(e, *FOLDS)


def _is_decided(e: Expr) -> bool:
    """Whether the program decides where a value is computed: a number stored in place, or a recomputed value."""
    match e.root:
        case ("toMem", 1):
            return not holdsArray(e.type)
        case (str() as name, _):
            return has_trait(name, "recomputes")
    return False


@lru_cache(maxsize=1 << 12)
def mayFail(e: Expr) -> bool:
    """Whether computing a term may fail: it divides integers, checks an index, or calls a foreign function."""
    return any(_fails(node) for node in postorder(e))


def _fails(node: Any) -> bool:
    if isinstance(node, Primitive):
        return any(has_trait(node.name, trait) for trait in ("divides", "indexes"))
    return isinstance(node, Var) and not is_data(node.type)


def _places(body: Expr, e: Expr, has_branches: bool = False) -> Iterator[tuple[Expr, int, bool]]:
    """The subterms that are always computed and may contain `e`, each with the number of enclosing binders, and whether
    it is in a loop.

    Subterms for which the program decides where they are computed are omitted. With `has_branches`, those are included
    that are computed in some iterations of a loop, if a condition depends on them.
    """
    waiting: list[tuple[Expr, int, bool]] = [(body, 0, False)]
    while waiting:
        node, inner, repeats = waiting.pop()
        if e.primitives & ~node.primitives or _is_decided(node):
            continue
        yield node, inner, repeats
        if isinstance(node, Lam):
            waiting.append((node.body, inner + 1, repeats))
        elif isinstance(node, App):
            head, arguments = spine(node)
            parts = [e for e in arguments if isinstance(e, Expr)]
            if node.root == ("select", 3):
                is_varying = repeats and parts[0].mentions & (mention(inner) - 1)
                parts = parts if has_branches and is_varying else parts[:1]
            loops = isinstance(head, Primitive) and node.root != ONCE
            waiting += [(e, inner, repeats or (loops and isinstance(e, Lam))) for e in reversed(parts)]
            if isinstance(head, Lam):
                waiting.append((head, inner, repeats))


def _occurrences(body: Expr, e: Expr, has_branches: bool = False) -> Iterator[bool]:
    """For each place where a term is always computed, whether it is in a loop."""
    for node, inner, repeats in _places(body, e, has_branches):
        if node.root == e.root and is_shifted(node, e, inner):
            yield repeats


def isInLoop(bindings: Bindings) -> bool:
    """A value in the function of a loop, and not only in a branch of a condition that is the same in all iterations"""
    e = bindings.term("e")
    return any(_occurrences(bindings.term("f[]"), e, has_branches=not mayFail(e)))


nameSum = rule(
    "fun(x : any1 => (f[e] : t)) = fun(x => (fun(sum => f[sum])) e)",
    why="Hoist a sum or a sorted array that is the same in each iteration of an inner loop.",
    of={"e": isComputedAsAWhole},
    where=isInLoop,
)

nameGenerated = rule(
    "fun(x : any1 => f[generate (fun(i : idx[n] => (e : m.t)))])"
    " = fun(x => (fun(same => f[generate (fun(i => same))])) e)",
    why="Compute an array once that is the same for each index.",
    of={"e": isArrayOfSums},
)


def isNumber(e: Expr) -> bool:
    """A number that is computed."""
    return isinstance(e, App) and is_data(e.type) and not holdsArray(e.type)


def isOfElement(bindings: Bindings) -> bool:
    """A number that depends on the element of an inner loop, where neither is only in a branch of a condition"""
    loop, e, body = bindings.holes["f[]"][0], bindings.term("e"), bindings.term("g[]")
    return (
        occurs(e)
        and any(True for _ in _occurrences(body, e))
        and any(True for _ in _occurrences(bindings.term("f[]"), loop))
    )


@ensures((Form("numbers", "map (fun(y => e)) ys", is_local=True),))
def _table(bindings: Bindings) -> Expr | None:
    """The numbers for all elements of the inner loop, from those of its arrays that the outer loop does not change."""
    e, ys, xs = bindings.term("e"), bindings.term("ys"), bindings.term("xs")
    every = map_of(Lam(bindings.names.get("y", "y"), array_type(ys).element, e), ys)
    table: Any = narrowZip.apply(every) or every
    if table.mentions & mention(0) or not is_tabulated(e, array_type(xs).size, array_type(ys).size):
        return None
    return shift(table, -1)


nameSums = rule(
    "map (fun(x => f[map (fun(y => g[e])) ys])) xs = (fun(numbers => map (fun(x => f[map"
    " (fun(p => (fun(y, number => g[number])) (fst p) (snd p))) (zip ys numbers)])) xs)) (table)",
    why="Compute an expensive function of each element of an inner loop once, not in each iteration of the outer loop.",
    of={"e": isNumber},
    where=isOfElement,
    compute={"table": _table},
)
