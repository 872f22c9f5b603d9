"""Stores values that would be recomputed. Independent of strategies; `strategies.costs` computes the costs."""

from __future__ import annotations

from typing import Any

from elevate import Reach
from elevate.term import replaced, subterm
from rise.nodes import postorder
from rise.terms import App, Bound, Expr, Lam, has_primitive, shift
from rise.text.nat_printer import show_nat
from rise.types import ArrayType, PairType
from strategies.costs.decisions import is_computed, is_inlined, is_recomputed, stored_part
from strategies.costs.option_costs import weighed_as_stored, weighed_call
from strategies.costs.prices import GRAPHICS, PROCESSOR, Prices
from strategies.costs.products import (
    READING,
    has_sum_of_products,
    has_sums_of_products,
    is_row_of_long_sums,
    is_sum_of_products,
    rows_read_in,
)
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule
from strategies.rules.functions import betaReduction, isCalledFunction
from strategies.rules.lowering import toMemLocal
from strategies.vocabulary.element_names import name_by_elements
from strategies.vocabulary.traversals import FOLDS


def _store_reread(term: Any, prices: Prices = PROCESSOR) -> Expr | None:
    path = stored_part(term, prices)
    if path is None:
        return None
    stored: Any = toMemLocal.apply(subterm(term, path))
    if term.root not in READING or term.root == ("map", 2):
        return replaced(term, path, stored)  # type: ignore[return-value]  # a term
    used: Any = replaced(shift(term, 1), path, Bound(0, stored.type))
    return App(Lam(name_by_elements(used, "stored"), stored.type, used), stored)


def _store_reread_on_gpu(term: Any) -> Expr | None:
    return _store_reread(term, GRAPHICS)


def _said_of_store(term: Any, prices: Prices = PROCESSOR) -> str:
    found = weighed_as_stored(term, prices)
    return f"store {found.name}: {found.said}, {show_nat(found.numbers)} kept" if found else ""


def _said_of_store_on_gpu(term: Any) -> str:
    return _said_of_store(term, GRAPHICS)


def _inline_cheap(term: Any) -> Expr | None:
    return betaReduction.apply(term) if is_inlined(term) else None


def _said_of_inline(term: Any) -> str:
    found = weighed_call(term)
    return f"compute {found.name} where it is read: {found.said}" if found else ""


storeReread = rule(
    "f[xs] = f[toMem(Local, xs)], f reads elements of xs again, and computing them costs more than storing them",
    why="Store a value that each of its readers would recompute.",
    by=_store_reread,
    roots=("App", *READING),
    says=_said_of_store,
)
storeRereadOnGpu = rule(
    "f[xs] = f[toMem(Local, xs)], f reads elements of xs again, and on a GPU storing them costs less",
    why="Store a value that each of its readers would recompute.",
    by=_store_reread_on_gpu,
    roots=("App", *READING),
    says=_said_of_store_on_gpu,
)
inlineCheap = rule(
    "(fun(xs => b)) v = b[v / xs], computing elements of v for each reader costs no more than storing them",
    why="Recompute a value if that costs less than storing it.",
    by=_inline_cheap,
    roots=("App",),
    says=_said_of_inline,
)


def isArrayWithoutPairs(e: Expr) -> bool:
    """An array without pairs."""
    return isinstance(e.type, ArrayType) and not isinstance(e.type.element, PairType)


def isRowRead(bindings: Bindings) -> bool:
    """A row of a matrix product that is read, or of a factor of one"""
    row = bindings.term("row")
    return any(v == shift(row, depth) for v, depth in rows_read_in(bindings.term("f[]")))


def isRowOfProduct(e: Expr) -> bool:
    """A row of a matrix product, without pairs, whose sums take longer to compute than to store"""
    return isArrayWithoutPairs(e) and is_row_of_long_sums(e, int(PROCESSOR.far))


def isComputedByRows(e: Expr) -> bool:
    """Rows of numbers that are computed by a function of the row, with sums."""
    return (
        e.root == ("map", 2)
        and isinstance(e.type.parts[1], ArrayType)
        and not isinstance(e.type.parts[1].element, ArrayType | PairType)
        and is_computed(e)
        and has_primitive(e.children[0], *FOLDS)
    )


def isWithoutRecomputation(bindings: Bindings) -> bool:
    """No row of a product that is deliberately computed where it is read"""
    return not any(
        isinstance(node, App) and is_recomputed(node) and isRowOfProduct(node.arg)
        for node in postorder(bindings.term("f[]"))
    )


pairsApart = rule(
    "map (fun(y => pair (e) (g))) ys = zip (map (fun(y => e)) ys) (map (fun(y => g)) ys)",
    also=("map (fun(y => pair (f) (h))) ys = zip (map (fun(y => f)) ys) (map (fun(y => h)) ys)",),
    why="Compute a row of a matrix product separately from what its elements are paired with.",
    of={"e": has_sum_of_products, "h": has_sum_of_products},
)
storeRows = rule(
    "map (fun(x => f[row])) xs"
    " = (fun(rows => map (fun(p => (fun(x, stored => f[stored])) (fst p) (snd p))) (zip xs rows)))"
    " (toMem(Local, map (fun(x => row)) xs))",
    why="Compute a matrix product, whose rows are read immediately, as a whole instead of row by row.",
    of={"row": isArrayWithoutPairs},
    where=isRowRead,
)
callOutside = rule(
    "(fun(x => (fun(y => f)) g)) v = (fun(y => f)) ((fun(x => g)) v)",
    why="Name only the last of several computed values, where only that one is needed.",
)
callWithin = rule(
    "(fun(x => f)) ((fun(y => g)) v) = (fun(y => (fun(x => f)) g)) v",
    why="Name values in the order in which they are computed.",
)
unboxOne = rule(
    "(fun(x : 1.s => f[x])) v = (fun(x_ => f[generate (fun(i => x_))])) (idx 0 v)",
    why="Replace an array of one element by that element.",
    reach=Reach(1, whole=(), variables_of=((0,),), fits=isCalledFunction),
)
storeRowsBefore = rule(
    "reduceSeq (fun(acc, x => f[row])) i xs"
    " = (fun(rows => reduceSeq (fun(acc, p => (fun(x, stored => f[stored])) (fst p) (snd p))) i (zip xs rows)))"
    " (toMem(Local, map (fun(x => row)) xs))",
    why="Compute the rows of a matrix product that the iterations of a loop compute before the loop, as one product.",
    of={"row": isRowOfProduct},
    where=isWithoutRecomputation,
)
storeSplitRows = rule(
    "split n (join xs) = (fun(stored => split n stored)) (toMem(Local, join xs))",
    why="Store rows of which other parts are read, instead of finding the row and the column of each element.",
    of={"xs": isComputedByRows},
)
storeOnce = rule(
    "toMem(Local, map (fun(x => toMem(Local, e))) xs) = toMem(Local, map (fun(x => e)) xs)",
    why="Rows that are stored together need no memory of their own.",
)
mapPairZip = rule(
    "map (fun(p => pair (f[fst p]) (g[snd p]))) (zip xs ys)"
    " = zip (map (fun(x_ => f[x_])) xs) (map (fun(y_ => g[y_])) ys)",
    why="Fill two independent arrays one after the other.",
)
nameProducts = rule(
    "map (fun(y => f[e])) ys"
    " = (fun(products => map (fun(p => (fun(v, y => f[v])) (fst p) (snd p))) (zip products ys)))"
    " (map (fun(y => e)) ys)",
    why="Compute one of several matrix products by itself, so that each is a product alone.",
    of={"f": has_sums_of_products, "e": is_sum_of_products},
)
