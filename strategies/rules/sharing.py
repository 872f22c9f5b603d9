"""Stores what would be computed again. Knows no strategy; what it costs is counted in `strategies.costs`."""

from __future__ import annotations

from typing import Any

from elevate.term import replaced, subterm
from rise.terms import Expr
from strategies.costs.decisions import stored_part
from strategies.costs.products import has_sums_of_products, is_sum_of_products
from strategies.equations.rule import rule
from strategies.rules.lowering import toMemLocal


def _store_reread(term: Any) -> Expr | None:
    path = stored_part(term)
    if path is None:
        return None
    value: Any = subterm(term, path)
    stored: Any = toMemLocal.apply(value)
    return replaced(term, path, stored)  # type: ignore[return-value]  # a term


storeReread = rule(
    "f[xs] = f[toMem(Local, xs)], f reads elements of xs again, and computing them costs more than storing them",
    why="Store what would be computed again for each reader.",
    by=_store_reread,
    roots=("App", ("map", 2), ("reduce", 3), ("reduceSeq", 3)),
)
callOutside = rule(
    "(fun(x => (fun(y => f)) g)) v = (fun(y => f)) ((fun(x => g)) v)",
    why="Name what is computed last where only that is needed.",
)
callWithin = rule(
    "(fun(x => f)) ((fun(y => g)) v) = (fun(y => (fun(x => f)) g)) v",
    why="Name values in the order in which they are computed.",
)
unboxOne = rule(
    "(fun(x : 1.s => f[x])) v = (fun(y => f[generate (fun(i => y))])) (idx 0 v)",
    why="An array of one element is that element.",
)
mapPairZip = rule(
    "map (fun(p => pair (f[fst p]) (g[snd p]))) (zip xs ys)"
    " = zip (map (fun(x_ => f[x_])) xs) (map (fun(y_ => g[y_])) ys)",
    why="Fill two arrays one after the other that have nothing in common.",
)
nameProducts = rule(
    "map (fun(y => f[e])) ys"
    " = (fun(products => map (fun(p => (fun(v, y => f[v])) (fst p) (snd p))) (zip products ys)))"
    " (map (fun(y => e)) ys)",
    why="Compute one of several matrix products by itself, so that each is a product alone.",
    of={"f": has_sums_of_products, "e": is_sum_of_products},
)
