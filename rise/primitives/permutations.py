"""Primitives that move elements to given positions: scatter, reorder, scatterAdd. Independent of loops and targets."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.meanings import At, Function, Steps
from rise.primitives.record import Floats, Level, PrimitiveRecord, RunsOn
from rise.values import Data, Leaf, integers, map_leaves, poison, take_along

_SCATTER_ADD: Final = "{n: nat} -> {m: nat} -> {t: num} -> n.idx[m] -> n.t -> m.t -> m.t"


def _in_range(at: At, indices: Leaf, size: int) -> Leaf:
    """The indices, with those out of range replaced by 0. An index that is used and out of range is an error."""
    is_outside = (indices < 0) | (indices >= size)
    title = f"expected indices from 0 to {size} (exclusive), found one that is out of range"
    hint = "pass indices below the size of the result"
    at.check(is_outside, "index-out-of-range", title, hint)
    return np.where(is_outside, 0, indices) if np.any(is_outside) else indices


def _between(leaf: Leaf, indices: Leaf, depth: int) -> tuple[Leaf, Leaf]:
    """Elements and their indices, broadcast to the same shape along all axes except the first."""
    own = leaf.ndim - 1 - depth
    spaced = indices.reshape(indices.shape[0], *(1,) * own, *indices.shape[1:])
    inner = np.broadcast_shapes(leaf.shape[1:], spaced.shape[1:])
    shape = (indices.shape[0], *inner)
    return np.broadcast_to(leaf, shape), np.broadcast_to(spaced, shape)


def _scatter(at: At, indices: Leaf, xs: Data) -> Data:
    indices = _in_range(at, indices, at.m)
    ordered = np.sort(indices, axis=0)
    is_repeated = np.any(ordered[1:] == ordered[:-1], axis=0)
    title = "expected distinct indices, found one twice"
    hint = "use each index once, or add the elements at the same index with `scatterAdd`"
    at.check(is_repeated, "duplicate-index", title, hint)

    def scattered(leaf: Leaf) -> Leaf:
        values, places = _between(leaf, indices, at.depth)
        result = poison((at.m, *values.shape[1:]), leaf.dtype)
        if at.m:
            np.put_along_axis(result, places, values, axis=0)
        return result

    return map_leaves(scattered, xs)


def _scatter_add(at: At, indices: Leaf, xs: Leaf, start: Leaf) -> Leaf:
    """Add in the order of the elements, as numpy's `add.at`."""
    indices = _in_range(at, indices, at.m)
    values, places = _between(xs, indices, at.depth)
    inner = np.broadcast_shapes(values.shape[1:], start.shape[1:])
    result = np.array(np.broadcast_to(start, (at.m, *inner)))
    first_axis = np.broadcast_to(places, (at.n, *inner))
    if at.m:
        other_axes = tuple(np.ogrid[tuple(slice(size) for size in (at.n, *inner))][1:])
        np.add.at(result, (first_axis, *other_axes), np.broadcast_to(values, (at.n, *inner)))
    return result


def _reorder(at: At, f: Function, inverse: Function, xs: Data) -> Steps:
    indices = integers(0, at.n).reshape(-1, *(1,) * at.depth)
    sources: Any = yield from at.map(f, at.n, indices)
    restored: Any = yield from at.map(inverse, at.n, sources)
    title = (
        "expected the second function of `reorder` to invert the first, found an index for which it does not"
    )
    at.check(restored != indices, "not-a-bijection", title, "pass a permutation and its inverse")
    return map_leaves(lambda leaf: take_along(leaf, sources, at.depth), xs)


def _scatter_add_record(
    name: str,
    doc: str,
    law: str,
    level: Level = "low",
    dim: str = "",
    lowers_to: tuple[str, ...] = (),
    *,
    example: str,
    float_class: Floats = "",
    runs_on: RunsOn = "",
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        dim + _SCATTER_ADD,
        level,
        doc,
        _scatter_add,
        law,
        lowers_to,
        example=example,
        float_class=float_class,
        traits=("loops", "scatters") if level == "low" else ("scatters",),
        runs_on=runs_on,
    )


PERMUTATIONS: Final = (
    PrimitiveRecord(
        "scatter",
        "{n: nat} -> {m: nat} -> {t: data} -> n.idx[m] -> n.t -> m.t",
        "view",
        "Write element k of an array to the k-th index. Indices must be distinct; other elements are unspecified.",
        _scatter,
        "gather is (scatter is xs) = xs",
        example="(fun(i: idx[3], j: idx[3], k: idx[3] => scatter([i, j, k], [5, 6, 7])))(2, 0, 1)",
        traits=("scatters", "unspecified"),
    ),
    PrimitiveRecord(
        "reorder",
        "{n: nat} -> {t: data} -> (idx[n] -> idx[n]) -> (idx[n] -> idx[n]) -> n.t -> n.t",
        "view",
        "The array whose element i is the one at f(i); the second function must be the inverse of f.",
        _reorder,
        "reorder g f (reorder f g xs) = xs",
        example="(fun(i: idx[2], j: idx[2] => let f = fun(k => idx(k, [j, i])) in reorder(f, f, [5, 6])))(0, 1)",
    ),
    _scatter_add_record(
        "scatterAdd",
        "Add each element to the one at its index, in any order; with ones, it computes a histogram.",
        "scatterAdd is xs (scatterAdd js ys zs) = scatterAdd js ys (scatterAdd is xs zs)",
        "high",
        lowers_to=("scatterAddSeq", "scatterAddPar", "scatterAddGlobal"),
        example="(fun(i: idx[3] => scatterAdd([i, i], [5, 6], [0, 10, 20])))(1)",
        float_class="reassociating",
    ),
    _scatter_add_record(
        "scatterAddSeq",
        "`scatterAdd` as a loop.",
        "scatterAddSeq is xs ys = scatterAdd is xs ys",
        example="(fun(i: idx[3] => scatterAddSeq([i, i], [5, 6], [0, 10, 20])))(1)",
    ),
    _scatter_add_record(
        "scatterAddPar",
        "`scatterAdd` as a parallel loop of atomic updates (OpenMP).",
        "scatterAddPar is xs ys = scatterAdd is xs ys",
        example="(fun(i: idx[3] => scatterAddPar([i, i], [5, 6], [0, 10, 20])))(1)",
        float_class="reassociating",
        runs_on="processor",
    ),
    _scatter_add_record(
        "scatterAddGlobal",
        "`scatterAdd` over the threads of the whole grid, in dimension 0, 1 or 2, with atomic updates.",
        "scatterAddGlobal d is xs ys = scatterAdd is xs ys",
        dim="(dim: nat) -> ",
        example="(fun(i: idx[3] => scatterAddGlobal(0, [i, i], [5, 6], [0, 10, 20])))(1)",
        float_class="reassociating",
        runs_on="global",
    ),
)
