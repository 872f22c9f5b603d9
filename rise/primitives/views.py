"""Views: primitives that only describe where elements are stored. They compute nothing and move no data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from rise.meanings import At, Function, Steps, per_leaf, unspecified_like
from rise.naturals import const
from rise.primitives.record import Half, Meaning, Place, PrimitiveRecord
from rise.primitives.traits import Trait
from rise.quotients import floor_quotient, remainder
from rise.values import Data, Leaf, agree, integers, map_leaves, stack, take_along


def _view(
    name: str,
    scheme: str,
    doc: str,
    meaning: Meaning,
    law: str = "",
    *,
    example: str = "",
    traits: tuple[Trait, ...] = (),
    places: tuple[Place, ...] = (),
    promise: str = "",
    if_zero: str = "",
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        scheme,
        "view",
        doc,
        meaning,
        law,
        example=example,
        traits=traits,
        places=places,
        promise=promise,
        if_zero=if_zero,
    )


#: the element in row i and column j is at i * m + j; and the inverse of that
_JOINED: Final = Place(2, lambda at, i, j: (i * at.m + j,))
_CUT: Final = Place(1, lambda at, k: (floor_quotient(k, at.n), remainder(k, at.n)))
_SAME: Final = Place(1, lambda at, i: (i,))


def _windows(at: At, xs: Leaf) -> Leaf:
    starts = integers(0, 1 + at.n)[:, None] * at.sp
    windows: Leaf = xs[starts + integers(0, at.sz)]
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
    padded: Leaf = xs[np.clip(integers(-at.l, at.n + at.r), 0, at.n - 1)]
    return padded


def _pad_empty(at: At, xs: Leaf) -> Leaf:
    return np.concatenate([xs, unspecified_like(xs, at.r)])


def _generate(at: At, f: Function) -> Steps:
    indices = integers(0, at.n).reshape(-1, *(1,) * at.depth)
    return at.map(f, at.n, indices)


def _gather(at: At, indices: Leaf, xs: Data) -> Data:
    """Indices from arguments and from `generate` are in range; unspecified indices may not be."""
    is_outside = (indices < 0) | (indices >= at.n)
    title = f"expected indices from 0 to {at.n} (exclusive), found one that is out of range"
    at.check(is_outside, "index-out-of-range", title, "use `take` to remove the indices that `padEmpty` adds")
    if at.n == 0:  # the result is not used
        return map_leaves(lambda leaf: unspecified_like(leaf, indices.shape[0]), xs)
    valid = np.where(is_outside, 0, indices) if np.any(is_outside) else indices
    return map_leaves(lambda leaf: take_along(leaf, valid, at.depth), xs)


def _index(at: At, i: Leaf, xs: Data) -> Data:
    return map_leaves(lambda leaf: leaf[0], _gather(at, i[None], xs))


def _vector_of(at: At, x: Leaf) -> Leaf:
    return np.broadcast_to(x, (at.n, *x.shape))


def _rows(rows: str, columns: str) -> Callable[..., Data]:
    return per_leaf(lambda at, xs: xs.reshape(getattr(at, rows), getattr(at, columns), *xs.shape[1:]))


def _joined(at: At, xs: Leaf) -> Leaf:
    return xs.reshape(xs.shape[0] * xs.shape[1], *xs.shape[2:])


def _map_half(which: int) -> Callable[..., Steps]:
    def meaning(at: At, f: Function, p: tuple[Data, Data]) -> Steps:
        mapped: Data = yield at.call(f, p[which])
        return (p[0], mapped) if which else (mapped, p[1])

    return meaning


def _literal_array(at: At, *elements: Data) -> Data:
    return stack(list(elements))


def _element(k: int) -> Place:
    return Place(0, lambda at: (const(k),))


def array_record(name: str, size: int) -> PrimitiveRecord:
    """The record of the array literals with `size` elements."""
    scheme = " -> ".join(["{t: data}", *["t"] * size, f"{size}.t"])
    doc = (
        "The array of its arguments, written `[a, b, c]`; there is one primitive for each number of elements."
    )
    law = f"map f ({name} x) = {name} (f x)" if size == 1 else ""
    traits: tuple[Trait, ...] = ("writable",)
    places = tuple(_element(k) for k in range(size))
    return _view(name, scheme, doc, _literal_array, law, example="[1, 2, 3]", traits=traits, places=places)


PAIRS: Final = (
    _view(
        "id",
        "{t: data} -> t -> t",
        "The argument itself.",
        lambda at, x: x,
        "id x = x",
        example="id(5)",
        traits=("writable",),
        places=(Place(0, lambda at: ()),),
    ),
    _view(
        "pair",
        "{s: data} -> {t: data} -> s -> t -> (s, t)",
        "The pair of two values.",
        lambda at, a, b: (a, b),
        "pair (fst p) (snd p) = p",
        example="pair(1, 2.5)",
        traits=("pairs", "writable"),
        places=(Place(0, lambda at: (Half(0),)), Place(0, lambda at: (Half(1),))),
    ),
    _view(
        "fst",
        "{s: data} -> {t: data} -> (s, t) -> s",
        "The first element of a pair.",
        lambda at, p: p[0],
        "fst (pair a b) = a",
        example="fst(pair(1, 2.5))",
        traits=("pairs", "projects"),
    ),
    _view(
        "snd",
        "{s: data} -> {t: data} -> (s, t) -> t",
        "The second element of a pair.",
        lambda at, p: p[1],
        "snd (pair a b) = b",
        example="snd(pair(1, 2.5))",
        traits=("pairs", "projects"),
    ),
    PrimitiveRecord(
        "mapFst",
        "{s: data} -> {r: data} -> {t: data} -> (s -> r) -> (s, t) -> (r, t)",
        "low",
        "Apply a function to the first element of a pair.",
        _map_half(0),
        "mapFst f (pair a b) = pair (f a) b",
        example="mapFst(sqrt, pair(9.0, 5))",
    ),
    PrimitiveRecord(
        "mapSnd",
        "{s: data} -> {r: data} -> {t: data} -> (t -> r) -> (s, t) -> (s, r)",
        "low",
        "Apply a function to the second element of a pair.",
        _map_half(1),
        "mapSnd f (pair a b) = pair a (f b)",
        example="mapSnd(sqrt, pair(5, 9.0))",
    ),
    _view(
        "zip",
        "{n: nat} -> {s: data} -> {t: data} -> n.s -> n.t -> n.(s, t)",
        "Pair the elements of two arrays.",
        lambda at, xs, ys: (xs, ys),
        "map fst (zip xs ys) = xs",
        example="zip([1, 2], [0.5, 1.5])",
        traits=("pairs", "rearranges", "writable"),
        places=(Place(1, lambda at, i: (i, Half(0))), Place(1, lambda at, i: (i, Half(1)))),
    ),
    _view(
        "unzip",
        "{n: nat} -> {s: data} -> {t: data} -> n.(s, t) -> (n.s, n.t)",
        "Turn an array of pairs into a pair of arrays.",
        lambda at, xs: xs,
        "unzip (zip xs ys) = pair xs ys",
        example="snd(unzip(zip([1, 2], [0.5, 1.5])))",
        traits=("unzips", "writable"),
        places=(Place(2, lambda at, i, half: (half, i)),),
    ),
)

SHAPES: Final = (
    _view(
        "split",
        "(n: nat) -> {m: nat} -> {t: data} -> (m*n).t -> m.n.t",
        "Cut an array into rows of n elements; `join` undoes it.",
        _rows("m", "n"),
        "join (split n xs) = xs",
        example="split(2, [1, 2, 3, 4])",
        traits=("rearranges", "writable"),
        if_zero="a row needs at least one element: use `split(1)` or more",
        places=(_CUT,),
    ),
    _view(
        "join",
        "{n: nat} -> {m: nat} -> {t: data} -> n.m.t -> (n*m).t",
        "Concatenate the rows of an array; `split` undoes it.",
        per_leaf(_joined),
        "join (map (map f) xs) = map f (join xs)",
        example="join([[1, 2], [3, 4]])",
        traits=("rearranges", "writable"),
        places=(_JOINED,),
    ),
    _view(
        "transpose",
        "{n: nat} -> {m: nat} -> {t: data} -> n.m.t -> m.n.t",
        "Swap rows and columns.",
        per_leaf(lambda at, xs: xs.swapaxes(0, 1)),
        "transpose (transpose xs) = xs",
        example="transpose([[1, 2, 3], [4, 5, 6]])",
        traits=("rearranges", "writable"),
        places=(Place(2, lambda at, i, j: (j, i)),),
    ),
    _view(
        "slide",
        "(sz: nat) -> (sp: nat) -> {n: nat} -> {t: data} -> (sp*n+sz).t -> (1+n).sz.t",
        "Windows of sz elements, each sp elements after the previous one.",
        per_leaf(_windows),
        "map (map f) (slide a b xs) = slide a b (map f xs)",
        example="slide(3, 1, [1, 2, 3, 4, 5])",
        traits=("rereads",),
        if_zero="each window starts at least one element after the previous one: `slide(3, 1)`",
    ),
    _view(
        "take",
        "(n: nat) -> {m: nat} -> {t: data} -> (n+m).t -> n.t",
        "The first n elements.",
        per_leaf(lambda at, xs: xs[: at.n]),
        "take n (map f xs) = map f (take n xs)",
        example="take(2, [1, 2, 3])",
        traits=("rearranges", "writable"),
        places=(Place(1, lambda at, i: (i,), lambda at, i: (i, at.n)),),
    ),
    _view(
        "drop",
        "(n: nat) -> {m: nat} -> {t: data} -> (n+m).t -> m.t",
        "All but the first n elements.",
        per_leaf(lambda at, xs: xs[at.n :]),
        "concat (take n xs) (drop n xs) = xs",
        example="drop(2, [1, 2, 3])",
        traits=("rearranges", "writable"),
        places=(Place(1, lambda at, i: (i - at.n,), lambda at, i: (at.n, i + 1)),),
    ),
    _view(
        "concat",
        "{n: nat} -> {m: nat} -> {t: data} -> n.t -> m.t -> (n+m).t",
        "Concatenate two arrays.",
        _concat,
        "map f (concat xs ys) = concat (map f xs) (map f ys)",
        example="concat([1, 2], [3])",
        traits=("writable",),
        places=(_SAME, Place(1, lambda at, i: (at.n + i,))),
    ),
    _view(
        "padCst",
        "(l: nat) -> (r: nat) -> {n: nat} -> {t: data} -> t -> n.t -> (l+n+r).t",
        "Add l copies of a value on the left and r on the right.",
        _pad_constant,
        "map f (padCst l r c xs) = padCst l r (f c) (map f xs)",
        example="padCst(2, 1, 0, [1, 2])",
    ),
    _view(
        "padClamp",
        "(l: nat) -> (r: nat) -> {n: nat} -> {t: data} -> n.t -> (l+n+r).t",
        "Repeat the first element l times and the last r times. For an empty array, the new elements are unspecified.",
        per_leaf(_pad_clamp),
        "drop l (padClamp l 0 xs) = xs",
        example="padClamp(2, 1, [1, 2])",
        traits=("rereads", "unspecified"),
    ),
    _view(
        "padEmpty",
        "(r: nat) -> {n: nat} -> {t: data} -> n.t -> (n+r).t",
        "Add r unspecified elements: they may have any value.",
        per_leaf(_pad_empty),
        "padEmpty 0 xs = xs",
        example="[1, 2] |> padEmpty(2) |> take(2)",
        traits=("unspecified", "writable"),
        places=(_SAME,),
    ),
)

INDEXING: Final = (
    _view(
        "generate",
        "{n: nat} -> {t: data} -> (idx[n] -> t) -> n.t",
        "The array whose element at i is f(i).",
        _generate,
        "map f (generate g) = generate (f . g)",
        example="generate(fun(i: idx[3] => [5, 6, 7] |> idx(i)))",
    ),
    array_record("makeArray", 1),
    _view(
        "idx",
        "{n: nat} -> {t: data} -> idx[n] -> n.t -> t",
        "The element at an index.",
        _index,
        "idx i (generate f) = f i",
        example="idx(1, [5, 6, 7])",
    ),
    _view(
        "fromEnd",
        "{n: nat} -> idx[n] -> idx[n]",
        "The index counted from the end: n - 1 - i.",
        lambda at, i: at.n - 1 - i,
        "fromEnd (fromEnd i) = i",
        example="gather(generate(fun(i: idx[3] => fromEnd(i))), [1, 2, 3])",
    ),
    _view(
        "gather",
        "{n: nat} -> {m: nat} -> {t: data} -> m.idx[n] -> n.t -> m.t",
        "The elements at an array of indices.",
        _gather,
        "map f (gather is xs) = gather is (map f xs)",
        example="let xs = [5, 9, 2] in xs |> gather([argmax(xs), argmin(xs)])",
        traits=("rereads",),
    ),
)

VECTORS: Final = (
    _view(
        "vectorFromScalar",
        "{n: nat} -> {t: num} -> t -> vec[n, t]",
        "The vector of n copies of a number.",
        _vector_of,
        example="vectorFromScalar{4}(2.5)",
        law="vectorFromScalar (add a b) = add (vectorFromScalar a) (vectorFromScalar b)",
    ),
    _view(
        "asVector",
        "(n: nat) -> {m: nat} -> {t: num} -> (m*n).t -> m.vec[n, t]",
        "Read n numbers at once; `asScalar` undoes it.",
        _rows("m", "n"),
        "asScalar (asVector n xs) = xs",
        example="asVector(2, [1, 2, 3, 4])",
        traits=("writable",),
        if_zero="a vector needs at least one element: `asVector(4)`",
        places=(_CUT,),
    ),
    _view(
        "asVectorAligned",
        "(n: nat) -> {m: nat} -> {t: num} -> (m*n).t -> m.vec[n, t]",
        "`asVector` of an array that starts at a multiple of a vector's size.",
        _rows("m", "n"),
        "asVectorAligned n xs = asVector n xs",
        example="asVectorAligned(2, [1, 2, 3, 4])",
        traits=("writable",),
        promise="its array starts at a multiple of a vector's size",
        if_zero="a vector needs at least one element: `asVectorAligned(4)`",
        places=(_CUT,),
    ),
    _view(
        "asScalar",
        "{n: nat} -> {m: nat} -> {t: num} -> m.vec[n, t] -> (m*n).t",
        "Read the numbers of vectors one by one.",
        per_leaf(_joined),
        "asVector n (asScalar xs) = xs",
        example="asScalar(asVector(2, [1, 2, 3, 4]))",
        traits=("writable",),
        places=(Place(2, lambda at, i, lane: (i * at.n + lane,)),),
    ),
)
