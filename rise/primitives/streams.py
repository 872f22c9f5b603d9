"""Windows and maps that run over an array once, in order, with a memory of a few elements. Knows no loop."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.meanings import At, Function, Steps
from rise.primitives.record import PrimitiveRecord
from rise.values import Data, Leaf, map_leaves

_MAP: Final = "{n: nat} -> {s: data} -> {t: data} -> (s -> t) -> n.s -> n.t"


def _windows_of_map(at: At, f: Function, xs: Data) -> Steps:
    ys: Any = yield from at.map(f, at.n + at.sz, xs)
    return map_leaves(lambda leaf: _windows(at, leaf), ys)


def _windows(at: At, xs: Leaf) -> Leaf:
    windows: Leaf = xs[np.arange(1 + at.n)[:, None] + np.arange(at.sz)]
    return windows


def _buffered(at: At, f: Function, xs: Data) -> Steps:
    title = f"expected a buffer of at least {at.sz} elements, as long as a window, found {at.alloc}"
    at.check(
        np.asarray(at.alloc < at.sz), "buffer-size", title, f"write circularBuffer({at.sz}, {at.sz}, ...)"
    )
    return _windows_of_map(at, f, xs)


def _map(at: At, f: Function, xs: Data) -> Steps:
    return at.map(f, at.n, xs)


STREAMS: Final = (
    PrimitiveRecord(
        "circularBuffer",
        "(alloc: nat) -> (sz: nat) -> {n: nat} -> {s: data} -> {t: data} -> (s -> t) -> (n+sz).s -> (1+n).sz.t",
        "low",
        "Windows of sz elements, one after the other: each element is computed once, and kept in a ring of alloc.",
        _buffered,
        "circularBuffer a sz f xs = slide sz 1 (map f xs)",
    ),
    PrimitiveRecord(
        "rotateValues",
        "(sz: nat) -> {n: nat} -> {s: data} -> {t: data} -> (s -> t) -> (n+sz).s -> (1+n).sz.t",
        "low",
        "Windows of sz elements, one after the other, in registers: all move on by one place, a new one comes behind.",
        _windows_of_map,
        "rotateValues sz f xs = slide sz 1 (map f xs)",
    ),
    PrimitiveRecord(
        "mapStream",
        _MAP,
        "low",
        "`map` of elements that come one after the other, each computed when it is asked for.",
        _map,
        "mapStream f xs = map f xs",
    ),
    PrimitiveRecord(
        "iterateStream",
        _MAP,
        "low",
        "`map` as a loop that takes elements one after the other: windows of `circularBuffer` and `rotateValues`.",
        _map,
        "iterateStream f xs = map f xs",
    ),
)
