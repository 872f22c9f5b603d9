"""Views: primitives that only say where elements are found. They compute nothing and move no data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from rise.meanings import At, Function, Steps, per_leaf, unspecified_like
from rise.primitives.record import Meaning, PrimitiveRecord
from rise.values import Data, Leaf, agree, map_leaves, stack, take_along


def _view(name: str, scheme: str, doc: str, meaning: Meaning, law: str = "") -> PrimitiveRecord:
    return PrimitiveRecord(name, scheme, "view", doc, meaning, law)


def _windows(at: At, xs: Leaf) -> Leaf:
    starts = np.arange(1 + at.n)[:, None] * at.sp
    windows: Leaf = xs[starts + np.arange(at.sz)]
    return windows


def _concat(at: At, *arrays: Data) -> Data:
    return map_leaves(lambda *parts: np.concatenate(agree(*parts)), *arrays)


def _pad_constant(at: At, c: Data, xs: Data) -> Data:
    def padded(value: Leaf, leaf: Leaf) -> Leaf:
        ends = [np.broadcast_to(value, (size, *value.shape)) for size in (at.l, at.r)]
        return np.concatenate(agree(ends[0], leaf, ends[1]))

    return map_leaves(padded, c, xs)


def _pad_clamp(at: At, xs: Leaf) -> Leaf:
    if at.n == 0:
        return unspecified_like(xs, at.l + at.r)
    padded: Leaf = xs[np.clip(np.arange(-at.l, at.n + at.r), 0, at.n - 1)]
    return padded


def _pad_empty(at: At, xs: Leaf) -> Leaf:
    return np.concatenate([xs, unspecified_like(xs, at.r)])


def _generate(at: At, f: Function) -> Steps:
    indices = np.arange(at.n, dtype=np.int64).reshape(-1, *(1,) * at.depth)
    return at.map(f, at.n, indices)


def _gather(at: At, indices: Leaf, xs: Data) -> Data:
    """Indices from boundary and `generate` are in range; unspecified ones need not be."""
    wrong = (indices < 0) | (indices >= at.n)
    title = f"expected indices from 0 to {at.n} (exclusive), found one outside"
    at.check(
        wrong, "index-out-of-range", title, "indices that `padEmpty` adds are unspecified: `take` them away"
    )
    if at.n == 0:  # nothing that is used is read
        return map_leaves(lambda leaf: unspecified_like(leaf, indices.shape[0]), xs)
    valid = np.where(wrong, 0, indices) if np.any(wrong) else indices
    return map_leaves(lambda leaf: take_along(leaf, valid, at.depth), xs)


def _index(at: At, i: Leaf, xs: Data) -> Data:
    return map_leaves(lambda leaf: leaf[0], _gather(at, i[None], xs))


def _vector_of(at: At, x: Leaf) -> Leaf:
    return np.broadcast_to(x, (at.n, *x.shape))


def _rows(rows: str, columns: str) -> Callable[..., Data]:
    return per_leaf(lambda at, xs: xs.reshape(getattr(at, rows), getattr(at, columns), *xs.shape[1:]))


def _joined(at: At, xs: Leaf) -> Leaf:
    return xs.reshape(xs.shape[0] * xs.shape[1], *xs.shape[2:])


def _literal_array(at: At, *elements: Data) -> Data:
    return stack(list(elements))


def array_record(name: str, size: int) -> PrimitiveRecord:
    """The member of the family of array literals that has `size` elements."""
    scheme = " -> ".join(["{t: data}", *["t"] * size, f"{size}.t"])
    doc = "The array of its arguments, written `[a, b, c]`: one primitive for each number of elements."
    return _view(name, scheme, doc, _literal_array, f"map f ({name} x) = {name} (f x)" if size == 1 else "")


PAIRS: Final = (
    _view("id", "{t: data} -> t -> t", "The argument itself.", lambda at, x: x, "id x = x"),
    _view(
        "pair",
        "{s: data} -> {t: data} -> s -> t -> (s, t)",
        "The pair of two values.",
        lambda at, a, b: (a, b),
        "pair (fst p) (snd p) = p",
    ),
    _view(
        "fst",
        "{s: data} -> {t: data} -> (s, t) -> s",
        "The first of a pair.",
        lambda at, p: p[0],
        "fst (pair a b) = a",
    ),
    _view(
        "snd",
        "{s: data} -> {t: data} -> (s, t) -> t",
        "The second of a pair.",
        lambda at, p: p[1],
        "snd (pair a b) = b",
    ),
    _view(
        "zip",
        "{n: nat} -> {s: data} -> {t: data} -> n.s -> n.t -> n.(s, t)",
        "Pair the elements of two arrays.",
        lambda at, xs, ys: (xs, ys),
        "map fst (zip xs ys) = xs",
    ),
    _view(
        "unzip",
        "{n: nat} -> {s: data} -> {t: data} -> n.(s, t) -> (n.s, n.t)",
        "Take an array of pairs apart.",
        lambda at, xs: xs,
        "unzip (zip xs ys) = pair xs ys",
    ),
)

SHAPES: Final = (
    _view(
        "split",
        "(n: nat) -> {m: nat} -> {t: data} -> (m*n).t -> m.n.t",
        "Cut an array into rows of n elements; `join` undoes it.",
        _rows("m", "n"),
        "join (split n xs) = xs",
    ),
    _view(
        "join",
        "{n: nat} -> {m: nat} -> {t: data} -> n.m.t -> (n*m).t",
        "Put the rows of an array one behind the other; `split` undoes it.",
        per_leaf(_joined),
        "join (map (map f) xs) = map f (join xs)",
    ),
    _view(
        "transpose",
        "{n: nat} -> {m: nat} -> {t: data} -> n.m.t -> m.n.t",
        "Make rows columns.",
        per_leaf(lambda at, xs: xs.swapaxes(0, 1)),
        "transpose (transpose xs) = xs",
    ),
    _view(
        "slide",
        "(sz: nat) -> (sp: nat) -> {n: nat} -> {t: data} -> (sp*n+sz).t -> (1+n).sz.t",
        "Windows of sz elements, each sp further than the one before.",
        per_leaf(_windows),
        "map (map f) (slide a b xs) = slide a b (map f xs)",
    ),
    _view(
        "take",
        "(n: nat) -> {m: nat} -> {t: data} -> (n+m).t -> n.t",
        "The first n elements.",
        per_leaf(lambda at, xs: xs[: at.n]),
        "take n (map f xs) = map f (take n xs)",
    ),
    _view(
        "drop",
        "(n: nat) -> {m: nat} -> {t: data} -> (n+m).t -> m.t",
        "All but the first n elements.",
        per_leaf(lambda at, xs: xs[at.n :]),
        "concat (take n xs) (drop n xs) = xs",
    ),
    _view(
        "concat",
        "{n: nat} -> {m: nat} -> {t: data} -> n.t -> m.t -> (n+m).t",
        "Two arrays, one behind the other.",
        _concat,
        "map f (concat xs ys) = concat (map f xs) (map f ys)",
    ),
    _view(
        "padCst",
        "(l: nat) -> (r: nat) -> {n: nat} -> {t: data} -> t -> n.t -> (l+n+r).t",
        "Add l copies of a value on the left and r on the right.",
        _pad_constant,
        "map f (padCst l r c xs) = padCst l r (f c) (map f xs)",
    ),
    _view(
        "padClamp",
        "(l: nat) -> (r: nat) -> {n: nat} -> {t: data} -> n.t -> (l+n+r).t",
        "Repeat the first element l times and the last r times. Of no elements it makes unspecified ones.",
        per_leaf(_pad_clamp),
        "map f (padClamp l r xs) = padClamp l r (map f xs)",
    ),
    _view(
        "padEmpty",
        "(r: nat) -> {n: nat} -> {t: data} -> n.t -> (n+r).t",
        "Add r elements that nothing specifies: whoever reads them gets anything.",
        per_leaf(_pad_empty),
        "padEmpty 0 xs = xs",
    ),
)

INDEXING: Final = (
    _view(
        "generate",
        "{n: nat} -> {t: data} -> (idx[n] -> t) -> n.t",
        "The array whose element at i is f(i).",
        _generate,
        "map f (generate g) = generate (f . g)",
    ),
    array_record("makeArray", 1),
    _view(
        "idx",
        "{n: nat} -> {t: data} -> idx[n] -> n.t -> t",
        "The element at an index.",
        _index,
        "idx i (generate f) = f i",
    ),
    _view(
        "gather",
        "{n: nat} -> {m: nat} -> {t: data} -> m.idx[n] -> n.t -> m.t",
        "The elements at an array of indices.",
        _gather,
        "map f (gather is xs) = gather is (map f xs)",
    ),
)

VECTORS: Final = (
    _view(
        "vectorFromScalar",
        "{n: nat} -> {t: num} -> t -> vec[n, t]",
        "The vector of n times the same number.",
        _vector_of,
    ),
    _view(
        "asVector",
        "(n: nat) -> {m: nat} -> {t: num} -> (m*n).t -> m.vec[n, t]",
        "Read n numbers at once; `asScalar` undoes it.",
        _rows("m", "n"),
        "asScalar (asVector n xs) = xs",
    ),
    _view(
        "asVectorAligned",
        "(n: nat) -> {m: nat} -> {t: num} -> (m*n).t -> m.vec[n, t]",
        "`asVector` of an array that starts at a multiple of a vector's size.",
        _rows("m", "n"),
        "asVectorAligned n xs = asVector n xs",
    ),
    _view(
        "asScalar",
        "{n: nat} -> {m: nat} -> {t: num} -> m.vec[n, t] -> (m*n).t",
        "Read the numbers of vectors one by one.",
        per_leaf(_joined),
        "asVector n (asScalar xs) = xs",
    ),
)
