"""Primitives on dependent arrays, whose elements' types depend on their index: maps, and conversions to flat arrays.

Independent of other views. The evaluator represents such an array as `Rows`, a list of its elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from rise.arguments.mismatches import made_number
from rise.arguments.ragged_arrays import check_count, halves_of
from rise.arguments.sizes import empty, size_value
from rise.meanings import At, Function, Steps
from rise.natural_values import evaluate_natural
from rise.naturals import ZERO, const
from rise.primitives.record import Half, Place, PrimitiveRecord, RunsOn
from rise.primitives.traits import Trait
from rise.size_functions import SizeMap, SizeTable, values_of
from rise.types import ArrayType, DepArrayType, Type, dependent_array
from rise.values import Data, Leaf, Rows, check_room, concatenated, map_leaves, map_rows, row, rows_of, stack

_MAP: Final = "{n: nat} -> {f: nat -> data} -> {g: nat -> data} -> ((i: nat) -> f(i) -> g(i)) -> n..f -> n..g"
_ROWS: Final = "n..(i |-> len(i).t)"
#: for each map, the level of a GPU that runs it, and a description of that level
_LEVELS: Final[Mapping[str, tuple[RunsOn, str]]] = {
    "depMapGlobal": ("global", "the threads of the whole grid, in dimension 0, 1 or 2"),
    "depMapBlock": ("block", "the blocks of the grid, in dimension 0, 1 or 2"),
    "depMapThreads": ("threads", "the threads of a block, in dimension 0, 1 or 2"),
    "depMapWarp": ("warp", "the warps of a block, in dimension 0, 1 or 2"),
    "depMapLane": ("lane", "the lanes of a warp, in dimension 0"),
}
_MAPS: Final = ("depMapSeq", "depMapPar", *_LEVELS)
_BELOW: Final = {"i": "n"}


def _map(at: At, f: Function, xs: Data) -> Steps:
    check_room(at.n)
    elements: list[Data] = []
    for i in range(at.n):
        elements.append((yield at.call(f, i, row(xs, i))))
    return _rows(at, at.g, elements)


def _index(at: At) -> Leaf:
    return np.full((1,) * at.depth, at.i, np.int64)


def _rows(at: At, family: Any, elements: list[Data]) -> Data:
    """The array of elements of a family's types: an ordinary array if the types do not depend on the index."""
    t = dependent_array(const(len(elements)), family)
    return _collected(t, elements) if elements else empty(t, at.depth)


def _collected(t: Type, elements: Sequence[Any]) -> Data:
    """An array of at least one element; of pairs, a pair of arrays, of which either may be an ordinary one."""
    if not isinstance(t, DepArrayType):
        return stack(list(elements))
    halves = halves_of(t)
    if halves is None:
        return rows_of(list(elements))
    first, second = zip(*elements, strict=True)
    return _collected(halves[0], first), _collected(halves[1], second)


def _zip(at: At, xs: Data, ys: Data) -> Data:
    return (xs, ys)


def _lengths(at: At) -> list[int]:
    check_room(at.n)
    if isinstance(at.len, SizeTable):
        return list(at.len.values[: at.n])
    return [int(length) for length in values_of(at.len, at.n, evaluate_natural)]


def _join(at: At, xs: Data) -> Data:
    return concatenated(xs) if at.n else empty(ArrayType(ZERO, at.t), at.depth)


def _partition(at: At, xs: Data) -> Data:
    if isinstance(at.len, SizeTable):
        check_count("the function of sizes", str(at.n), at.n, len(at.len.values))
    lengths, start = _lengths(at), 0
    if isinstance(at.len, SizeMap) and not at.len.body.dep_loose:
        width = size_value(at.len.body)
        return map_leaves(lambda leaf: leaf.reshape(at.n, width, *leaf.shape[1:]), xs)
    starts: list[int] = []
    for length in lengths:
        starts.append(start)
        start += length
    return _cut(xs, starts, lengths)


def _slide(at: At, xs: Data) -> Data:
    starts = range(0, at.n, at.sp)
    return _cut(xs, starts, [at.sz] * len(starts))


def _tile(at: At, xs: Data) -> Data:
    starts = range(0, at.n, at.tile)
    return _cut(xs, starts, [at.tile + at.halo] * len(starts))


def _cut(xs: Data, starts: Sequence[int], lengths: Sequence[int]) -> Data:
    """Slices of an array; one that extends beyond its end is shorter."""

    def cut(part: Data) -> Data:
        return Rows(tuple([_run(part, start, length) for start, length in zip(starts, lengths, strict=True)]))

    return map_rows(cut, xs)


def _run(xs: Data, start: int, length: int) -> Any:
    return map_leaves(lambda leaf: leaf[start : start + length], xs)


_TRIANGLE: Final = "partition{(i |-> i + 1)}(2, [1, 2, 3])"
_SUM: Final = "fun(i: nat, row => reduce(add, 0, row))"


def _pair(at: At, x: Data) -> Data:
    return (np.full((1,) * at.depth, made_number(at.n), np.int64), x)


def _match(at: At, pair: Data, f: Function) -> Steps:
    assert isinstance(pair, tuple) and isinstance(pair[0], np.ndarray), (
        "a dependent pair is a number and a value"
    )
    result: Data = yield at.call(f, int(pair[0].flat[0]), pair[1])
    return result


def _view(
    name: str,
    scheme: str,
    doc: str,
    meaning: Any,
    words: str,
    example: str,
    traits: tuple[Trait, ...] = (),
    places: tuple[Place, ...] = (),
) -> PrimitiveRecord:
    return PrimitiveRecord(
        name, scheme, "view", doc, meaning, words=words, example=example, traits=traits, places=places
    )


def _loop(name: str, scheme: str, doc: str, dimension: str = "", *, runs_on: RunsOn = "") -> PrimitiveRecord:
    return PrimitiveRecord(
        name,
        scheme,
        "low",
        doc,
        _map,
        ranges=_BELOW,
        words="It gives the same value as `depMap`.",
        example=f"{name}({dimension}{_SUM}, {_TRIANGLE})",
        traits=("loops", "rows"),
        runs_on=runs_on,
    )


DEPENDENT: Final = (
    PrimitiveRecord(
        "depMap",
        _MAP,
        "high",
        "Apply a function to the index and the value of every element of a dependent array, in any order.",
        _map,
        lowers_to=_MAPS,
        ranges=_BELOW,
        words="Two in sequence are one `depMap` of the composed functions.",
        example=f"depMap({_SUM}, {_TRIANGLE})",
        traits=("rows",),
    ),
    _loop("depMapSeq", _MAP, "`depMap` as a loop."),
    _loop("depMapPar", _MAP, "`depMap` as a parallel loop (OpenMP).", runs_on="processor"),
    *(
        _loop(name, f"(dim: nat) -> {_MAP}", f"`depMap` over {what}.", "0, ", runs_on=level)
        for name, (level, what) in _LEVELS.items()
    ),
    PrimitiveRecord(
        "natAsIndex",
        "(i: nat) -> {m: nat} -> idx[i + 1 + m]",
        "low",
        "A size as an index, such as the one that `depMap` passes to its function.",
        _index,
        words="`natAsIndex(2)` is the index 2.",
        example="idx(natAsIndex(2), [1, 2, 3])",
    ),
    _view(
        "makeDepPair",
        "{f: nat -> data} -> (n: nat) -> f(n) -> (m: nat ** f(m))",
        "A pair of a number and a value whose type depends on the number.",
        _pair,
        "`dmatch` takes the pair apart.",
        "makeDepPair{(m |-> m.i32)}(3, [1, 2, 3])",
        ("writable",),
    ),
    _view(
        "dmatch",
        "{f: nat -> data} -> {t: data} -> (n: nat ** f(n)) -> ((m: nat) -> f(m) -> t) -> t",
        "Apply a function to the number and the value of a dependent pair.",
        _match,
        "`dmatch (makeDepPair n x) f` is `f n x`.",
        "dmatch(makeDepPair{(m |-> m.i32)}(3, [1, 2, 3]), fun(m: nat, xs => reduce(add, 0, xs)))",
    ),
    _view(
        "depZip",
        "{n: nat} -> {f: nat -> data} -> {g: nat -> data} -> n..f -> n..g -> n..(i |-> (f(i), g(i)))",
        "Pairs of the elements at the same index.",
        _zip,
        "The first elements of the pairs are those of the first array, the second elements those of the second.",
        f"depMap(fun(i: nat, p => reduce(add, 0, fst(p))), depZip({_TRIANGLE}, {_TRIANGLE}))",
        ("pairs", "writable"),
        (Place(1, lambda at, i: (i, Half(0))), Place(1, lambda at, i: (i, Half(1)))),
    ),
    _view(
        "depJoin",
        f"{{n: nat}} -> {{len: nat -> nat}} -> {{t: data}} -> {_ROWS} -> sum(n, len).t",
        "Concatenate all rows.",
        _join,
        "`partition` undoes it.",
        f"depJoin({_TRIANGLE})",
        ("writable",),
    ),
    _view(
        "partition",
        f"(n: nat) -> {{len: nat -> nat}} -> {{t: data}} -> sum(n, len).t -> {_ROWS}",
        "Cut an array into n rows, whose lengths are given by a function.",
        _partition,
        "`depJoin` undoes it.",
        f"depMap({_SUM}, {_TRIANGLE})",
    ),
    _view(
        "depSlide",
        "(sz: nat) -> (sp: nat) -> {n: nat} -> {t: data} -> n.t -> ceil(n, sp)..(i |-> min(sz, n - sp * i).t)",
        "A window of sz elements at each multiple of sp; windows are shorter at the end of the array.",
        _slide,
        "If sz is sp, `depJoin` undoes it.",
        f"depMap({_SUM}, depSlide(2, 2, [1, 2, 3]))",
        ("rereads",),
    ),
    _view(
        "depTile",
        "(tile: nat) -> (halo: nat) -> {n: nat} -> {t: data} -> (n + halo).t"
        " -> ceil(n, tile)..(i |-> (min(tile, n - tile * i) + halo).t)",
        "Cut n elements into tiles, the last of the remainder, each followed by the next `halo` elements.",
        _tile,
        "If halo is 0, `depJoin` undoes it.",
        f"depMap({_SUM}, depTile(2, 1, [1, 2, 3, 4]))",
        ("rereads",),
    ),
)
