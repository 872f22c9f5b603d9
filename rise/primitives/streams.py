"""Windows and maps that read an array once, in order, and buffer a few elements. Independent of loops."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.meanings import At, Function, Steps
from rise.primitives.record import PrimitiveRecord
from rise.values import Data, Leaf, integers, map_leaves

_MAP: Final = "{n: nat} -> {s: data} -> {t: data} -> (s -> t) -> n.s -> n.t"


def _windows_of_map(at: At, f: Function, xs: Data) -> Steps:
    ys: Any = yield from at.map(f, at.n + at.sz, xs)
    return map_leaves(lambda leaf: _windows(at, leaf), ys)


def _windows(at: At, xs: Leaf) -> Leaf:
    windows: Leaf = xs[integers(0, 1 + at.n)[:, None] + integers(0, at.sz)]
    return windows


def _buffered(at: At, f: Function, xs: Data) -> Steps:
    title = f"expected a buffer of at least {at.sz} elements, the length of a window, found {at.alloc}"
    at.check(
        np.asarray(at.alloc < at.sz), "buffer-size", title, f"write circularBuffer({at.sz}, {at.sz}, ...)"
    )
    return _windows_of_map(at, f, xs)


def _lines(at: At, f: Function, xs: Data) -> Steps:
    flat = map_leaves(lambda leaf: leaf.reshape(-1, *leaf.shape[2:]), xs)
    ys: Any = yield from at.map(f, (at.n + at.sz) * at.m, flat)
    lines = map_leaves(lambda leaf: leaf.reshape(at.n + at.sz, at.m, *leaf.shape[1:]), ys)
    return map_leaves(lambda leaf: np.swapaxes(_windows(at, leaf), 1, 2), lines)


def _map(at: At, f: Function, xs: Data) -> Steps:
    return at.map(f, at.n, xs)


STREAMS: Final = (
    PrimitiveRecord(
        "circularBuffer",
        "(alloc: nat) -> (sz: nat) -> {n: nat} -> {s: data} -> {t: data} -> (s -> t) -> (n+sz).s -> (1+n).sz.t",
        "low",
        "Windows of sz elements, in order: each element is computed once, and kept in a ring buffer of alloc elements.",
        _buffered,
        "circularBuffer a sz f xs = slide sz 1 (map f xs)",
        example="circularBuffer(3, 3, sqrt, [0.0, 1.0, 4.0, 9.0])",
        traits=("buffers", "streams", "takes"),
    ),
    PrimitiveRecord(
        "rotateValues",
        "(sz: nat) -> {n: nat} -> {s: data} -> {t: data} -> (s -> t) -> (n+sz).s -> (1+n).sz.t",
        "low",
        "Windows of sz elements, in order, in registers: each step shifts them by one place and adds a new one.",
        _windows_of_map,
        "rotateValues sz f xs = slide sz 1 (map f xs)",
        example="rotateValues(3, sqrt, [0.0, 1.0, 4.0, 9.0])",
        traits=("buffers", "streams", "takes"),
    ),
    PrimitiveRecord(
        "lineBuffer",
        "(sz: nat) -> {n: nat} -> {m: nat} -> {s: data} -> {t: data} -> (s -> t) -> (n+sz).m.s -> (1+n).m.sz.t",
        "low",
        "Columns of sz rows, in order: each element is computed when its column is first needed, and kept for the "
        "columns below; all rows but the newest are in a ring buffer.",
        _lines,
        "lineBuffer sz f xs = map transpose (slide sz 1 (map (map f) xs))",
        example="lineBuffer(2, sqrt, [[0.0, 1.0], [4.0, 9.0], [16.0, 25.0]])",
        traits=("buffers", "streams", "takes"),
    ),
    PrimitiveRecord(
        "mapStream",
        _MAP,
        "low",
        "`map` over elements in order, each computed when it is needed.",
        _map,
        "mapStream f xs = map f xs",
        example="mapStream(sqrt, [0.0, 1.0, 4.0])",
        traits=("maps", "streams", "takes"),
    ),
    PrimitiveRecord(
        "iterateStream",
        _MAP,
        "low",
        "`map` as a loop that takes elements in order, such as the windows of `circularBuffer` and `rotateValues`.",
        _map,
        "iterateStream f xs = map f xs",
        example="[1, 2, 3, 4] |> rotateValues(2, id) |> iterateStream(reduceSeq(add, 0))",
        traits=("loops", "maps", "takes"),
    ),
)
