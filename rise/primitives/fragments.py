"""Fragments: matrices that the lanes of a warp hold, and that tensor cores multiply (GPGPU 2022, section 4).

The three sizes follow the role: A is `[m, k, n]`, B `[k, n, m]`, the accumulator `[m, n, k]`. The paper's
`asFragment` is one name for three primitives; which one is meant follows from the role.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rise.meanings import At, Function, Steps
from rise.primitives.record import Meaning, PrimitiveRecord
from rise.rounding import convert
from rise.values import Leaf

_SIZES: Final = "{m: nat} -> {n: nat} -> {k: nat}"
_ACCUMULATOR: Final = "Fragment[m, n, k, t, Accum]"


def _multiply_add(at: At, a: Leaf, b: Leaf, accumulator: Leaf) -> Leaf:
    """Products and sums are rounded in the accumulator's type, along k from the first."""
    dtype = accumulator.dtype
    left, right = convert(a, dtype), convert(b, dtype)
    for k in range(at.k):
        accumulator = accumulator + left[:, k][:, None] * right[k][None]
    return accumulator


def _elementwise(at: At, f: Function, *fragments: Leaf) -> Steps:
    flat = [x.reshape(at.m * at.n, *x.shape[2:]) for x in fragments]
    result = yield from at.map(f, at.m * at.n, *flat)
    assert not isinstance(result, tuple), "a fragment holds numbers"
    return result.reshape(at.m, at.n, *result.shape[1:])


def _filled(at: At, x: Leaf) -> Leaf:
    return np.broadcast_to(x, (at.m, at.n, *x.shape))


def _low(name: str, scheme: str, doc: str, meaning: Meaning, law: str = "") -> PrimitiveRecord:
    return PrimitiveRecord(name, scheme, "low", doc, meaning, law)


FRAGMENTS: Final = (
    _low(
        "asFragmentA",
        f"{_SIZES} -> {{t: num}} -> m.k.t -> Fragment[m, k, n, t, AMatrix]",
        "Load a matrix as the left factor of a product.",
        lambda at, xs: xs,
    ),
    _low(
        "asFragmentB",
        f"{_SIZES} -> {{t: num}} -> k.n.t -> Fragment[k, n, m, t, BMatrix]",
        "Load a matrix as the right factor of a product.",
        lambda at, xs: xs,
    ),
    _low(
        "asFragmentAcc",
        f"{_SIZES} -> {{t: num}} -> m.n.t -> {_ACCUMULATOR}",
        "Load a matrix that products are added to.",
        lambda at, xs: xs,
        "asMatrix (asFragmentAcc xs) = xs",
    ),
    _low(
        "asMatrix",
        f"{_SIZES} -> {{t: num}} -> {_ACCUMULATOR} -> m.n.t",
        "Store an accumulator as a matrix.",
        lambda at, xs: xs,
        "asFragmentAcc (asMatrix xs) = xs",
    ),
    _low(
        "generateFragment",
        f"{_SIZES} -> {{t: num}} -> t -> {_ACCUMULATOR}",
        "The accumulator that holds the same number everywhere.",
        _filled,
        "mapFragment f (generateFragment x) = generateFragment (f x)",
    ),
    _low(
        "tensorMatMulAdd",
        f"{_SIZES} -> {{s: num}} -> {{t: num}}"
        " -> Fragment[m, k, n, s, AMatrix] -> Fragment[k, n, m, s, BMatrix]"
        f" -> {_ACCUMULATOR} -> {_ACCUMULATOR}",
        "The accumulator plus the product of two matrices; products and sums in its type, in any order.",
        _multiply_add,
    ),
    _low(
        "mapFragment",
        f"{_SIZES} -> {{t: num}} -> (t -> t) -> {_ACCUMULATOR} -> {_ACCUMULATOR}",
        "Apply a function to every number of an accumulator.",
        _elementwise,
        "asMatrix (mapFragment f xs) = map (map f) (asMatrix xs)",
    ),
    _low(
        "zipFragment",
        f"{_SIZES} -> {{t: num}} -> (t -> t -> t) -> {_ACCUMULATOR} -> {_ACCUMULATOR} -> {_ACCUMULATOR}",
        "Combine the numbers of two accumulators, place by place.",
        _elementwise,
        "mapFragment f (zipFragment g xs ys) = zipFragment (fun(x, y => f (g x y))) xs ys",
    ),
)
