"""Primitives that say where each element goes: scatter, reorder, scatterAdd. Knows no loop and no target."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.meanings import At, Function, Steps
from rise.primitives.record import Floats, Level, PrimitiveRecord, RunsOn
from rise.values import Data, Leaf, integers, map_leaves, poison, take_along

_SCATTER_ADD: Final = "{n: nat} -> {m: nat} -> {t: num} -> n.idx[m] -> n.t -> m.t -> m.t"


def _in_range(at: At, indices: Leaf, size: int) -> Leaf:
    """The indices, those that are not used made 0. An index outside that is used is an error."""
    wrong = (indices < 0) | (indices >= size)
    title = f"expected indices from 0 to {size} (exclusive), found one outside"
    hint = "give indices below the size of the result"
    at.check(wrong, "index-out-of-range", title, hint)
    return np.where(wrong, 0, indices) if np.any(wrong) else indices


def _between(leaf: Leaf, indices: Leaf, depth: int) -> tuple[Leaf, Leaf]:
    """Elements and their indices, made equal along all axes behind the first."""
    own = leaf.ndim - 1 - depth
    spaced = indices.reshape(indices.shape[0], *(1,) * own, *indices.shape[1:])
    behind = np.broadcast_shapes(leaf.shape[1:], spaced.shape[1:])
    shape = (indices.shape[0], *behind)
    return np.broadcast_to(leaf, shape), np.broadcast_to(spaced, shape)


def _scatter(at: At, indices: Leaf, xs: Data) -> Data:
    indices = _in_range(at, indices, at.m)
    ordered = np.sort(indices, axis=0)
    twice = np.any(ordered[1:] == ordered[:-1], axis=0)
    title = "expected indices that differ from each other, found one twice"
    hint = "give each element a place of its own, or add up what meets in one with `scatterAdd`"
    at.check(twice, "duplicate-index", title, hint)

    def scattered(leaf: Leaf) -> Leaf:
        values, places = _between(leaf, indices, at.depth)
        found = poison((at.m, *values.shape[1:]), leaf.dtype)
        if at.m:
            np.put_along_axis(found, places, values, axis=0)
        return found

    return map_leaves(scattered, xs)


def _scatter_add(at: At, indices: Leaf, xs: Leaf, start: Leaf) -> Leaf:
    """In the order of the elements: what numpy's `add.at` does."""
    indices = _in_range(at, indices, at.m)
    values, places = _between(xs, indices, at.depth)
    behind = np.broadcast_shapes(values.shape[1:], start.shape[1:])
    found = np.array(np.broadcast_to(start, (at.m, *behind)))
    where = np.broadcast_to(places, (at.n, *behind))
    if at.m:
        others = tuple(np.ogrid[tuple(slice(size) for size in (at.n, *behind))][1:])
        np.add.at(found, (where, *others), np.broadcast_to(values, (at.n, *behind)))
    return found


def _reorder(at: At, f: Function, inverse: Function, xs: Data) -> Steps:
    every = integers(0, at.n).reshape(-1, *(1,) * at.depth)
    sources: Any = yield from at.map(f, at.n, every)
    back: Any = yield from at.map(inverse, at.n, sources)
    title = "expected functions of indices of which the second undoes the first, found an index that does not come back"
    at.check(back != every, "not-a-bijection", title, "give a permutation and its inverse")
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
        "Element k of an array goes to the k-th index; indices differ, and what none names is unspecified.",
        _scatter,
        "gather is (scatter is xs) = xs",
        example="(fun(i: idx[3], j: idx[3], k: idx[3] => scatter([i, j, k], [5, 6, 7])))(2, 0, 1)",
        traits=("scatters", "unspecified"),
    ),
    PrimitiveRecord(
        "reorder",
        "{n: nat} -> {t: data} -> (idx[n] -> idx[n]) -> (idx[n] -> idx[n]) -> n.t -> n.t",
        "view",
        "Element i of the result is the one at f(i); the second function is the inverse of f.",
        _reorder,
        "reorder g f (reorder f g xs) = xs",
        example="(fun(i: idx[2], j: idx[2] => let f = fun(k => idx(k, [j, i])) in reorder(f, f, [5, 6])))(0, 1)",
    ),
    _scatter_add_record(
        "scatterAdd",
        "Add each element to what is at its index, in no order: a histogram, of ones.",
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
        "`scatterAdd` as a parallel loop of undivided updates (OpenMP).",
        "scatterAddPar is xs ys = scatterAdd is xs ys",
        example="(fun(i: idx[3] => scatterAddPar([i, i], [5, 6], [0, 10, 20])))(1)",
        float_class="reassociating",
        runs_on="processor",
    ),
    _scatter_add_record(
        "scatterAddGlobal",
        "`scatterAdd` by the threads of the whole grid, in dimension 0, 1 or 2, undivided.",
        "scatterAddGlobal d is xs ys = scatterAdd is xs ys",
        dim="(dim: nat) -> ",
        example="(fun(i: idx[3] => scatterAddGlobal(0, [i, i], [5, 6], [0, 10, 20])))(1)",
        float_class="reassociating",
        runs_on="global",
    ),
)
