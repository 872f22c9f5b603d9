"""Checks that a GPU can run a lowered program: no level is nested in itself, no loop is inside a view.

Used by strategies that choose between kernels. The translation reports the same problems, with their places.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from elevate import Predicate, Strategy, named, normalize, where
from rise.hardware import ARCHITECTURES
from rise.naturals import Nat, NatVar, const, nat
from rise.nodes import Node, postorder
from rise.primitives import PRIMITIVES, applied, has_trait, running_on, with_trait
from rise.terms import App, DepApp, DepLam, Expr, Lam, Primitive, spine
from rise.types import ArrayType, Space, instantiate_dependent
from strategies.lowering.predicates import isViewMap, isWritable
from strategies.lowering.scatters import isReordered, isScattered
from strategies.rules.gpu_kernels import localToShared, size_in_bytes
from strategies.vocabulary.traversals import maps_on

#: maps on a level of a GPU, with a dimension before the function
LEVELS: Final = maps_on("global", "block", "threads", "warp", "lane")
#: applied primitives that compute elements on demand
VIEWS: Final = applied(primitive.name for primitive in PRIMITIVES.values() if primitive.level == "view")
#: maps that are not loops: they compute elements where these are read
ON_DEMAND: Final = applied(with_trait("maps") - with_trait("loops"))
#: reductions that the blocks of a grid compute together
BLOCK_REDUCTIONS: Final = running_on("block") & with_trait("reduces")
#: maps on blocks and on the whole grid
GRIDS: Final = maps_on("global", "block")
#: maps on threads that cannot exchange their registers
SEVERAL_THREADS: Final = maps_on("global", "block", "threads", "warp")
#: bytes of shared memory that a block has on every architecture
LEAST_SHARED: Final = min(one.shared for one in ARCHITECTURES.values())
#: for each level, those that may enclose it
ENCLOSING_LEVELS: Final[Mapping[str, frozenset[str]]] = {
    "global": frozenset({"global"}),
    "block": frozenset({"block"}),
    "threads": frozenset({"block", "threads"}),
    "warp": frozenset({"block", "warp"}),
    "lane": frozenset({"block", "warp", "lane"}),
}
#: primitives that write an array
LOOPS: Final = with_trait("loops")


def nestsLevels(e: Expr) -> bool:
    """A program in which no function that is mapped on a level contains a map on the same level and dimension, or on a
    wider level.
    """
    waiting: list[tuple[Expr, frozenset[tuple[str, Nat | None]]]] = [(e, frozenset())]
    while waiting:
        node, around = waiting.pop()
        if node.root not in LEVELS:
            waiting += [(child, around) for child in node.children]
            continue
        runs_on, arguments = PRIMITIVES[_head(node)].runs_on, spine(node)[1]
        level = (runs_on, next((argument for argument in arguments if isinstance(argument, Nat)), None))
        if level in around or not ENCLOSING_LEVELS[runs_on] >= {kind for kind, _ in around}:
            return False
        *functions, xs = (argument for argument in arguments if isinstance(argument, Expr))
        waiting.append((xs, around))
        waiting += [(function, around | {level}) for function in functions]
    return True


def viewsComputeNothing(e: Expr) -> bool:
    """A program without a `map` whose function computes arrays: a `map` is a view, and has no memory for them."""
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
    """A lowered program with no loop on a level of a GPU in the function of a view, which runs wherever an element is
    read, or in a branch of a condition, which some threads skip. The map whose elements a reduction over blocks
    combines is excepted: each block computes its element.
    """
    waiting = [(e, False)]
    while waiting:
        node, is_inside = waiting.pop()
        if node.root in LEVELS and is_inside:
            return False
        arguments = [argument for argument in spine(node)[1] if isinstance(argument, Expr)]
        if node.root == ("select", 3):
            waiting += [(argument, is_inside or index > 0) for index, argument in enumerate(arguments)]
        elif _head(node) in BLOCK_REDUCTIONS and arguments and arguments[-1].root in ON_DEMAND:
            waiting += [(part, is_inside) for part in arguments[-1].children]
            waiting += [(argument, is_inside) for argument in arguments[:-1]]
        elif node.root in VIEWS or node.root in ON_DEMAND:
            waiting += [(argument, is_inside or isinstance(argument, Lam | DepLam)) for argument in arguments]
        else:
            waiting += [(child, is_inside) for child in node.children]
    return True


def startsOnGrid(e: Expr) -> bool:
    """A lowered program in which every loop on a level of a GPU is inside a loop on blocks or on the whole grid."""
    waiting = [(e, False)]
    while waiting:
        node, is_inside = waiting.pop()
        if node.root in LEVELS and not is_inside:
            if PRIMITIVES[_head(node)].runs_on not in ("block", "global"):
                return False
            function, xs = node.children
            waiting += [(function, True), (xs, is_inside)]
        else:
            waiting += [(child, is_inside) for child in node.children]
    return True


def startsOutsideOfLoops(e: Expr) -> bool:
    """A lowered program with no loop on blocks, or on the whole grid, inside a sequential loop."""
    waiting = [(e, False)]
    while waiting:
        node, is_inside = waiting.pop()
        if is_inside and node.root in GRIDS:
            return False
        operands = [part for part in spine(node)[1] if isinstance(part, Expr)]
        if _head(node) in LOOPS and operands:
            is_loop = node.root not in LEVELS
            waiting += [(part, is_inside or (is_loop and isinstance(part, Lam))) for part in operands]
        else:
            waiting += [(child, is_inside) for child in node.children]
    return True


def keepsOwn(e: Expr) -> bool:
    """A lowered program in which the memory of a single thread holds nothing that several threads compute."""
    return not any(isinstance(node, Expr) and isOfSeveral(node) for node in postorder(e))


def fitsShared(e: Expr) -> bool:
    """A lowered program whose arrays of known sizes in shared memory fit in a block of any architecture together."""
    stored = (node for node in postorder(e) if isinstance(node, Expr) and node.root == ("toMem", 1))
    sizes = (size_in_bytes(node.type) for node in stored if spine(node)[1][0] == Space("Shared"))
    return sum(size or 0 for size in sizes) <= LEAST_SHARED


def ordersThreads(e: Expr) -> bool:
    """A lowered program whose threads have one dimension if it has warps or lanes."""
    loops = [node for node in postorder(e) if isinstance(node, Expr) and node.root in LEVELS]
    if not any(PRIMITIVES[_head(loop)].runs_on in ("warp", "lane") for loop in loops):
        return True
    lines = (loop for loop in loops if PRIMITIVES[_head(loop)].runs_on == "threads")
    return all(spine(loop)[1][0] == const(0) for loop in lines)


def isOfSeveral(e: Expr) -> bool:
    """An array in the memory of one thread that several threads compute."""
    match e:
        case App(DepApp(Primitive("toMem"), Space("Local")), stored):
            return _is_filled_by(SEVERAL_THREADS, stored)
    return False


def keepsWithinBlocks(e: Expr) -> bool:
    """A lowered program in which everything that several blocks compute is in memory that they share."""
    return not any(isinstance(node, Expr) and isOfBlocks(node) for node in postorder(e))


def isOfBlocks(e: Expr) -> bool:
    """An array that several blocks compute, in the memory of a thread or of a block."""
    match e:
        case App(DepApp(Primitive("toMem"), Space("Local" | "Shared")), stored):
            return _is_filled_by(GRIDS, stored)
    return False


def _is_filled_by(levels: frozenset[object], e: Expr) -> bool:
    """Whether a loop on one of these levels writes an array, or a part of it."""
    waiting = [e]
    while waiting:
        node = waiting.pop()
        operands = [part for part in spine(node)[1] if isinstance(part, Expr)]
        match node:
            case Lam() | DepLam():
                waiting.append(node.body)
            case App(Lam() as function, _):
                waiting.append(function.body)
            case App() if node.root in levels:
                return True
            case App() if _head(node) in LOOPS:
                waiting += operands[:-1]
            case App() if isWritable(node) or isViewMap(node):
                waiting += operands
    return False


def startsThreads(e: Expr) -> bool:
    """A lowered program with a loop on the levels of a GPU."""
    return any(isinstance(node, Expr) and node.root in LEVELS for node in postorder(e))


def storesLoops(e: Expr) -> bool:
    """A lowered program in which the result of each map that is a loop is written to memory, and read from there."""
    waiting = [(e, True)]
    while waiting:
        node, is_written = waiting.pop()
        match node:
            case Lam() | DepLam():
                waiting.append((node.body, is_written))
                continue
            case App(Lam() as function, given):
                waiting += [(function.body, is_written), (given, False)]
                continue
        head, operands = _head(node), [part for part in spine(node)[1] if isinstance(part, Expr)]
        is_loop = head in LOOPS
        if is_loop and has_trait(head, "maps") and not is_written:
            return False
        passes = node.root == ("toMem", 1) or (is_written and (isWritable(node) or isViewMap(node)))
        fills = operands[-1:] if is_written and (isScattered(node) or isReordered(node)) else []
        starts = operands[:-1] if is_loop else []  # functions, and the start values of reductions
        waiting += [
            (
                part,
                passes or part in starts or part in fills or (is_written and isinstance(part, Lam | DepLam)),
            )
            for part in operands
        ]
    return True


#: store what several threads of a block compute in shared memory
inShared: Strategy = named("inShared", normalize(where(isOfSeveral, roots=[("toMem", 1)]) >> localToShared))


def keepsEqualArrays(e: Expr) -> bool:
    """A lowered program in which no array in global memory has a length that differs between iterations of a loop."""
    while isinstance(e, Lam | DepLam):
        e = e.body
    pending: list[tuple[Expr, frozenset[Node]]] = [(e, frozenset())]
    while pending:
        node, rows = pending.pop()
        match node:
            case App(DepApp(Primitive("toMem"), Space("Global")), stored) if not rows.isdisjoint(
                stored.type.free
            ):
                return False
            case DepLam(name, "nat", _, _, body):
                row = NatVar(f"#{name}{len(rows)}", None)
                pending.append((instantiate_dependent(body, nat(row)), rows | {row}))
                continue
        pending += [(child, rows) for child in node.children]
    return True


def _why_unequal(e: Expr) -> str:
    return (
        "expected arrays in global memory to have the same length for all rows, found one whose length depends on the"
        " row: choose strategies.gpu:blocksAndThreads, which keeps none"
    )


#: all arrays that threads keep in global memory have the same length
equalArrays: Predicate = where(keepsEqualArrays, why=_why_unequal)


def _is_loop(e: Expr) -> bool:
    """Whether a loop writes an array, perhaps through views."""
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
