"""Primitives on fragments: matrices held by the lanes of a warp, multiplied by tensor cores (GPGPU 2022, section 4).

The three sizes follow the role: A is `[m, k, n]`, B `[k, n, m]`, the accumulator `[m, n, k]`. The paper's `asFragment`
is one name for three primitives, one of which is chosen by the role.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from rise.meanings import At, Function, Steps
from rise.primitives.record import Floats, Meaning, PrimitiveRecord
from rise.primitives.traits import Trait
from rise.rounding import convert
from rise.values import Leaf, Rows

_SIZES: Final = "{m: nat} -> {n: nat} -> {k: nat}"
_ACCUMULATOR: Final = "Fragment[m, n, k, t, Accum]"


def _multiply_add(at: At, a: Leaf, b: Leaf, accumulator: Leaf) -> Leaf:
    """Products and sums are rounded to the accumulator's type, in increasing order of k."""
    dtype = accumulator.dtype
    left, right = convert(a, dtype), convert(b, dtype)
    for k in range(at.k):
        accumulator = accumulator + left[:, k][:, None] * right[k][None]
    return accumulator


def _elementwise(at: At, f: Function, *fragments: Leaf) -> Steps:
    flat = [x.reshape(at.m * at.n, *x.shape[2:]) for x in fragments]
    result = yield from at.map(f, at.m * at.n, *flat)
    assert not isinstance(result, tuple | Rows), "a fragment holds numbers"
    return result.reshape(at.m, at.n, *result.shape[1:])


def _filled(at: At, x: Leaf) -> Leaf:
    return np.broadcast_to(x, (at.m, at.n, *x.shape))


def _low(
    name: str,
    scheme: str,
    doc: str,
    meaning: Meaning,
    law: str = "",
    *,
    example: str = "",
    words: str = "",
    float_class: Floats = "",
    traits: tuple[Trait, ...] = (),
    spellings: tuple[str, ...] = (),
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        scheme,
        "low",
        doc,
        meaning,
        law,
        words=words,
        example=example,
        float_class=float_class,
        traits=traits,
        spellings=spellings,
    )


FRAGMENTS: Final = (
    _low(
        "asFragmentA",
        f"{_SIZES} -> {{t: num}} -> m.k.t -> Fragment[m, k, n, t, AMatrix]",
        "Load a matrix as the left factor of a product.",
        lambda at, xs: xs,
        example="asFragmentA{n=1}([[1, 2]])",
        words="The left factor of `tensorMatMulAdd` is the matrix that it was loaded from.",
        traits=("loads",),
        spellings=("asFragment",),
    ),
    _low(
        "asFragmentB",
        f"{_SIZES} -> {{t: num}} -> k.n.t -> Fragment[k, n, m, t, BMatrix]",
        "Load a matrix as the right factor of a product.",
        lambda at, xs: xs,
        example="asFragmentB{m=1}([[3], [4]])",
        words="The right factor of `tensorMatMulAdd` is the matrix that it was loaded from.",
        traits=("loads",),
        spellings=("asFragment",),
    ),
    _low(
        "asFragmentAcc",
        f"{_SIZES} -> {{t: num}} -> m.n.t -> {_ACCUMULATOR}",
        "Load a matrix as an accumulator, to which products are added.",
        lambda at, xs: xs,
        "asMatrix (asFragmentAcc xs) = xs",
        example="asFragmentAcc{k=2}([[5]])",
        spellings=("asFragment",),
    ),
    _low(
        "asMatrix",
        f"{_SIZES} -> {{t: num}} -> {_ACCUMULATOR} -> m.n.t",
        "Store an accumulator as a matrix.",
        lambda at, xs: xs,
        "asFragmentAcc (asMatrix xs) = xs",
        example="asMatrix(asFragmentAcc{k=2}([[5]]))",
    ),
    _low(
        "generateFragment",
        f"{_SIZES} -> {{t: num}} -> t -> {_ACCUMULATOR}",
        "The accumulator whose elements are all the same number.",
        _filled,
        "mapFragment f (generateFragment x) = generateFragment (f x)",
        example="asMatrix(generateFragment{m=2, n=2, k=2}(5))",
    ),
    _low(
        "tensorMatMulAdd",
        f"{_SIZES} -> {{s: num}} -> {{t: num}}"
        " -> Fragment[m, k, n, s, AMatrix] -> Fragment[k, n, m, s, BMatrix]"
        f" -> {_ACCUMULATOR} -> {_ACCUMULATOR}",
        "The accumulator plus the product of two matrices, computed in the accumulator's type, in any order.",
        _multiply_add,
        example="tensorMatMulAdd(asFragmentA([[1, 2]]), asFragmentB([[3], [4]]), asFragmentAcc([[5]]))",
        words="Element (i, j) is that of the accumulator plus the dot product of A's row i and B's column j.",
        float_class="reassociating",
        traits=("computes",),
    ),
    _low(
        "mapFragment",
        f"{_SIZES} -> {{t: num}} -> (t -> t) -> {_ACCUMULATOR} -> {_ACCUMULATOR}",
        "Apply a function to every number of an accumulator.",
        _elementwise,
        "asMatrix (mapFragment f xs) = map (map f) (asMatrix xs)",
        example="asMatrix(mapFragment(fun(x => 2 * x), asFragmentAcc{k=1}([[1, 2]])))",
        traits=("computes",),
    ),
    _low(
        "zipFragment",
        f"{_SIZES} -> {{t: num}} -> (t -> t -> t) -> {_ACCUMULATOR} -> {_ACCUMULATOR} -> {_ACCUMULATOR}",
        "Combine the elements of two accumulators pairwise with a function.",
        _elementwise,
        "mapFragment f (zipFragment g xs ys) = zipFragment (fun(x, y => f (g x y))) xs ys",
        example="asMatrix(zipFragment(add, asFragmentAcc{k=1}([[1, 2]]), asFragmentAcc{k=1}([[3, 4]])))",
        traits=("computes",),
    ),
)
