"""Checks that a GPU can run a lowered program: no level inside itself, no loop inside a view.

Strategies that choose between kernels ask here. Knows no translation, which says the same with the place.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elevate import Predicate, where
from rise.naturals import Nat, NatVar, nat
from rise.nodes import Node
from rise.primitives import PRIMITIVES, applied, with_trait
from rise.terms import App, DepApp, DepLam, Expr, Lam, Primitive, spine
from rise.types import ArrayType, Space, instantiate_dependent
from strategies.lowering.positions import isWritable
from strategies.vocabulary.traversals import maps_on

#: maps on a level of a GPU, with a dimension before the function
LEVELS: Final = maps_on("global", "block", "threads", "warp", "lane")
#: what computes no elements but those that are asked for
VIEWS: Final = applied(one.name for one in PRIMITIVES.values() if one.level == "view")
#: for each level, those that may be around it
OUTSIDE: Final[Mapping[str, frozenset[str]]] = {
    "global": frozenset({"global"}),
    "block": frozenset({"block"}),
    "threads": frozenset({"block", "threads"}),
    "warp": frozenset({"block", "warp"}),
    "lane": frozenset({"block", "warp", "lane"}),
}
#: what fills an array
LOOPS: Final = with_trait("loops")


def nestsLevels(e: Expr) -> bool:
    """A program with no level of one dimension inside of a function that is mapped on the same one, and none inside of
    one that is narrower.
    """
    waiting: list[tuple[Expr, frozenset[tuple[str, Nat | None]]]] = [(e, frozenset())]
    while waiting:
        node, around = waiting.pop()
        if node.root not in LEVELS:
            waiting += [(one, around) for one in node.children]
            continue
        runs_on, arguments = PRIMITIVES[_head(node)].runs_on, spine(node)[1]
        level = (runs_on, next((one for one in arguments if isinstance(one, Nat)), None))
        if level in around or not OUTSIDE[runs_on] >= {kind for kind, _ in around}:
            return False
        *function, xs = (one for one in arguments if isinstance(one, Expr))
        waiting.append((xs, around))
        waiting += [(one, around | {level}) for one in function]
    return True


def viewsComputeNothing(e: Expr) -> bool:
    """A program in which no `map` is left that computes arrays: it is a view, and has no place for them."""
    waiting = [e]
    while waiting:
        node = waiting.pop()
        if (
            node.root == ("map", 2)
            and isinstance(node.type, ArrayType)
            and isinstance(node.type.element, ArrayType)
        ):
            function = spine(node)[1][0]
            if isinstance(function, Lam) and _is_loop(function.body):
                return False
        waiting += node.children
    return True


def runsOutsideOfViews(e: Expr) -> bool:
    """A lowered program with no level of a GPU in the function of a view, which runs wherever an element is asked for,
    and none in a branch of a choice, which some threads skip.
    """
    waiting = [(e, False)]
    while waiting:
        node, is_inside = waiting.pop()
        if node.root in LEVELS and is_inside:
            return False
        arguments = [one for one in spine(node)[1] if isinstance(one, Expr)]
        if node.root == ("select", 3):
            waiting += [(one, is_inside or place > 0) for place, one in enumerate(arguments)]
        elif node.root in VIEWS:
            waiting += [(one, is_inside or isinstance(one, Lam | DepLam)) for one in arguments]
        else:
            waiting += [(one, is_inside) for one in node.children]
    return True


def keepsEqualArrays(e: Expr) -> bool:
    """A lowered program in which no array in global memory has another length in each iteration of a loop."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    waiting: list[tuple[Expr, frozenset[Node]]] = [(e, frozenset())]
    while waiting:
        node, rows = waiting.pop()
        match node:
            case App(DepApp(Primitive("toMem"), Space("Global")), kept) if not rows.isdisjoint(
                kept.type.free
            ):
                return False
            case DepLam(name, "nat", _, _, body):
                row = NatVar(f"#{name}{len(rows)}", None)
                waiting.append((instantiate_dependent(body, nat(row)), rows | {row}))
                continue
        waiting += [(one, rows) for one in node.children]
    return True


def _why_unequal(e: Expr) -> str:
    return (
        "expected arrays of one length for all rows in global memory, found one of another length for each row:"
        " choose strategies.gpu:blocksAndThreads, which keeps none"
    )


#: all arrays that threads keep in global memory have one length
equalArrays: Predicate = where(keepsEqualArrays, why=_why_unequal)


def _is_loop(e: Expr) -> bool:
    """Whether an array is filled by a loop, through whatever views."""
    while True:
        match e:
            case Lam() | DepLam():
                e = e.body
            case App(Lam() as function, _):
                e = function.body
            case App() if _head(e) in LOOPS:
                return isinstance(e.type, ArrayType)
            case App() if isWritable(e) or e.root == ("map", 2):
                e = e.arg
            case _:
                return False


def _head(e: Expr) -> str:
    root = e.root
    return str(root[0]) if isinstance(root, tuple) else ""
