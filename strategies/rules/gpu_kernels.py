"""Placement of the values of a kernel: fused with their readers, in the memory of a block, or inlined."""

from __future__ import annotations

from typing import Any, Final

from rise.nodes import postorder
from rise.primitives import applied, running_on
from rise.scalars import SCALARS
from rise.terms import App, Bound, Expr, Lam, mention, occurrences, spine
from rise.types import ArrayType, PairType, ScalarType, Type, VectorType
from strategies.costs.decisions import is_inlined
from strategies.costs.prices import GRAPHICS
from strategies.costs.products import factors_of
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.functions import betaReduction, isConstant

#: maximum bytes of an array that a block keeps in shared memory; several such arrays fit
BLOCK_BYTES: Final = 16 * 1024
#: maximum bytes of an array that each thread keeps, in registers if all indices are known
THREAD_BYTES: Final = 1024
#: loops whose iterations store results in registers of their own
OF_THREADS: Final = applied(running_on("threads", "warp", "lane"))


def size_in_bytes(t: Type) -> int | None:
    """The size of an array in bytes; None if it is not known, and for other types."""
    match t:
        case ScalarType(name):
            return SCALARS[name].bits // 8
        case VectorType(size, ScalarType(name)) if size.constant is not None:
            return int(size.constant) * (SCALARS[name].bits // 8)
        case ArrayType(size, element) if size.constant is not None:
            one = size_in_bytes(element)
            return None if one is None else int(size.constant) * one
        case PairType(first, second):
            parts = size_in_bytes(first), size_in_bytes(second)
            return None if parts[0] is None or parts[1] is None else parts[0] + parts[1]
    return None


def stored_value(e: Expr) -> Expr:
    """A value without the `toMem` that stores it."""
    return e.children[1] if isinstance(e, App) and e.root == ("toMem", 1) else e


def has_product(e: Expr) -> bool:
    """A term that computes a sum of products of two arrays, neither of them constant."""
    sums = (factors_of(part) for part in postorder(e) if isinstance(part, Expr))
    return any(factors and not any(map(isConstant, factors)) for factors in sums)


def joins(body: Expr, variable: int) -> bool:
    """Whether a body is a map over the elements of a variable, perhaps zipped, and does not read it elsewhere."""
    body = stored_value(body)
    while isinstance(body, App) and isinstance(body.fun, Lam) and not body.arg.mentions & mention(variable):
        body, variable = stored_value(body.fun.body), variable + 1
    if body.root != ("map", 2):
        return False
    operands = [body.children[1]]
    while operands:
        operand = operands.pop()
        if operand.root == ("zip", 2):
            operands += [part for part in spine(operand)[1] if isinstance(part, Expr)]
        elif isinstance(operand, Bound) and operand.index == variable:
            return occurrences(body, variable, enough=2) == 1
    return False


def _in_one_loop(term: Any) -> Expr | None:
    match term:
        case App(Lam(_, ArrayType(), body) as function, v):
            value = stored_value(v)
            if value.root != ("map", 2) or not joins(body, 0):
                return None
            if has_product(value) or has_product(body):
                return None
            return betaReduction.apply(App(function, value))
    return None


inOneLoop = rule(
    "(fun(ys => f[map g ys])) (map h xs) = f[map g (map h xs)], ys read nowhere else",
    why="Fuse a row with its consumer into one loop, hence one kernel.",
    by=_in_one_loop,
    roots=("App",),
)


def _recompute_on_gpu(term: Any) -> Expr | None:
    match term:
        case App(Lam(_, ArrayType(), _) as function, v):
            value = stored_value(v)
            if is_inlined(App(function, value), GRAPHICS):
                return betaReduction.apply(App(function, value))
    return None


recomputeOnGpu = rule(
    "(fun(xs => b)) v = b[v / xs], computing elements of v for each reader costs no more than storing them on a GPU",
    why="Recompute a value if that costs less than a memory access.",
    by=_recompute_on_gpu,
    roots=("App",),
)


notStored = rule(
    "toMem(Local, xs) = xs", why="Store no value that a kernel only writes to its output, or reads only once."
)


localToShared = rule(
    "toMem(Local, xs) = toMem(Shared, xs)",
    why="Store what several threads of a block compute where all of them can read it.",
)


def isLargerThanBlock(bindings: Bindings) -> bool:
    """An array whose size is not known, or of more bytes than a block should keep"""
    found = size_in_bytes(bindings.term("xs").type)
    return found is None or found > BLOCK_BYTES


def isLargerThanThread(bindings: Bindings) -> bool:
    """An array whose size is not known, or of more bytes than a thread should keep, not divided among threads"""
    stored = bindings.term("xs")
    found = size_in_bytes(stored.type)
    return found is None or (found > THREAD_BYTES and stored.root not in OF_THREADS)


largeToGlobal = rule(
    "toMem(Shared, (xs : n.t)) = toMem(Global, xs)",
    why="Put arrays into global memory unless their size is known and small enough for shared memory.",
    where=isLargerThanBlock,
)
longToGlobal = rule(
    "toMem(Local, (xs : n.t)) = toMem(Global, xs)",
    why="Put arrays into global memory unless their size is known and small enough for a thread.",
    where=isLargerThanThread,
)
