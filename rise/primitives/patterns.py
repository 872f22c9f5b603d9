"""Patterns that apply functions: maps, reductions, scans, iteration, and binding. Independent of views."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from rise.meanings import At, Call, Function, Steps
from rise.primitives.record import Floats, Place, PrimitiveRecord, RunsOn
from rise.primitives.traits import Trait
from rise.values import Data, map_leaves

_MAP: Final = "{n: nat} -> {s: data} -> {t: data} -> (s -> t) -> n.s -> n.t"
_FOLD: Final = "{n: nat} -> {s: data} -> {t: data} -> (t -> s -> t) -> t -> n.s -> t"
_SCAN: Final = "{n: nat} -> {s: data} -> {t: data} -> (t -> s -> t) -> t -> n.s -> n.t"
_MAPS: Final = (
    "mapSeq",
    "mapSeqUnroll",
    "mapPar",
    "mapGlobal",
    "mapBlock",
    "mapThreads",
    "mapWarp",
    "mapLane",
)


def _map(at: At, f: Function, xs: Data) -> Steps:
    return at.map(f, at.n, xs)


def _fold(at: At, f: Function, start: Data, xs: Data) -> Steps:
    return at.fold(f, start, xs, at.n)


def _scan(at: At, f: Function, start: Data, xs: Data) -> Steps:
    return at.scan(f, start, xs, at.n)


def _pipelined(at: At, load: Function, step: Function, start: Data, xs: Data) -> Steps:
    loaded: Data = yield from at.map(load, at.n, xs)
    return (yield from at.fold(step, start, loaded, at.n))


def _let(at: At, x: Data, f: Function) -> Call:
    return at.call(f, x)


def _iterate(at: At, f: Function, xs: Data) -> Steps:
    for done in range(at.k):
        xs = yield at.call(f, at.m * at.n ** (at.k - 1 - done), xs)
    return xs


def _iterate_while(at: At, condition: Function, step: Function, x: Data) -> Steps:
    """In a batch, elements whose condition has failed keep their value."""
    going = np.ones(at.context.batch, bool)
    for _ in range(at.k):
        context = at.context.where(going)
        holds: Any = yield Call(condition, (x,), context)
        going = going & holds
        if at.used(going) is None:
            break
        new: Data = yield Call(step, (x,), at.context.where(going))
        x = map_leaves(
            lambda after, before, chosen=going: np.asarray(np.where(chosen, after, before)), new, x
        )
    return x


def _map_loop(name: str, doc: str, *, example: str, runs_on: RunsOn = "") -> PrimitiveRecord:
    law = f"{name} f ({name} g xs) = {name} (f . g) xs"
    return PrimitiveRecord(
        name, _MAP, "low", doc, _map, law, example=example, traits=("loops", "maps"), runs_on=runs_on
    )


def _level_record(name: str, doc: str, *, example: str, runs_on: RunsOn) -> PrimitiveRecord:
    law = f"{name} d f xs = map f xs"
    scheme = f"(dim: nat) -> {_MAP}"
    return PrimitiveRecord(
        name, scheme, "low", doc, _map, law, example=example, traits=("loops", "maps"), runs_on=runs_on
    )


def _atomic_record(name: str, doc: str, *, example: str, runs_on: RunsOn) -> PrimitiveRecord:
    """A reduction in any order, with an atomic function, along dimension 0, 1 or 2."""
    return PrimitiveRecord(
        name,
        "(dim: nat) -> {n: nat} -> {t: num} -> (t -> t -> t) -> t -> n.t -> t",
        "low",
        doc,
        _fold,
        f"{name} d f i xs = reduce f i xs",
        example=example,
        float_class="reassociating",
        traits=("loops", "reduces"),
        runs_on=runs_on,
        promise="its function is associative and commutative",
    )


def _other(
    name: str,
    scheme: str,
    doc: str,
    meaning: Any,
    law: str = "",
    *,
    example: str = "",
    words: str = "",
    float_class: Floats = "",
    traits: tuple[Trait, ...] = (),
    runs_on: RunsOn = "",
    promise: str = "",
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
        runs_on=runs_on,
        promise=promise,
    )


MAPS: Final = (
    PrimitiveRecord(
        "map",
        _MAP,
        "high",
        "Apply a function to every element, in any order.",
        _map,
        "map f (map g xs) = map (f . g) xs",
        _MAPS,
        example="map(fun(x => x * x), [1, 2, 3])",
        traits=("maps",),
    ),
    _map_loop("mapSeq", "`map` as a loop.", example="mapSeq(fun(x => x * x), [1, 2, 3])"),
    _map_loop(
        "mapSeqUnroll",
        "`map` as an unrolled loop.",
        example="mapSeqUnroll(fun(x => x * x), [1, 2, 3])",
    ),
    _map_loop(
        "mapPar",
        "`map` as a parallel loop (OpenMP).",
        example="mapPar(fun(x => x * x), [1, 2, 3])",
        runs_on="processor",
    ),
    _level_record(
        "mapGlobal",
        "`map` over the threads of the whole grid, in dimension 0, 1 or 2.",
        example="mapGlobal(0, fun(x => x * x), [1, 2, 3])",
        runs_on="global",
    ),
    _level_record(
        "mapBlock",
        "`map` over the blocks of the grid, in dimension 0, 1 or 2.",
        example="mapBlock(0, fun(x => x * x), [1, 2, 3])",
        runs_on="block",
    ),
    _level_record(
        "mapThreads",
        "`map` over the threads of a block, in dimension 0, 1 or 2.",
        example="mapThreads(0, fun(x => x * x), [1, 2, 3])",
        runs_on="threads",
    ),
    _level_record(
        "mapWarp",
        "`map` over the warps of a block, in dimension 0, 1 or 2.",
        example="mapWarp(0, fun(x => x * x), [1, 2, 3])",
        runs_on="warp",
    ),
    _level_record(
        "mapLane",
        "`map` over the lanes of a warp, in dimension 0, 1 or 2.",
        example="mapLane(0, fun(x => x * x), [1, 2, 3])",
        runs_on="lane",
    ),
)

REDUCTIONS: Final = (
    PrimitiveRecord(
        "reduce",
        "{n: nat} -> {t: data} -> (t -> t -> t) -> t -> n.t -> t",
        "high",
        "Combine a start value and all elements with an associative function; `evaluate` does so from the left.",
        _fold,
        "reduce f i (concat xs ys) = reduce f (reduce f i xs) ys",
        ("reduceSeq", "reduceSeqUnroll", "reduceBlockAtomic", "reduceThreadsAtomic"),
        example="reduce(add, 0, [1, 2, 3])",
        traits=("reduces",),
        promise="its function is associative",
    ),
    _other(
        "reduceSeq",
        _FOLD,
        "Combine a start value with all elements, from the left, in a loop.",
        _fold,
        "reduceSeq f i (map g xs) = reduceSeq (fun(acc, x => f acc (g x))) i xs",
        example="reduceSeq(fun(acc, x => 10 * acc + x), 0, [1, 2, 3])",
        traits=("loops", "reduces"),
    ),
    _other(
        "reduceSeqUnroll",
        _FOLD,
        "`reduceSeq` as an unrolled loop.",
        _fold,
        "reduceSeqUnroll f i xs = reduceSeq f i xs",
        example="reduceSeqUnroll(fun(acc, x => 10 * acc + x), 0, [1, 2, 3])",
        traits=("loops", "reduces"),
    ),
    _other(
        "reducePipe",
        "(stages: nat) -> {n: nat} -> {s: data} -> {u: data} -> {t: data}"
        " -> (s -> u) -> (t -> u -> t) -> t -> n.s -> t",
        "`reduceSeq` of loaded elements: while one step computes, the elements of the next `stages - 1` steps are"
        " loaded. The memory that its first function allocates with `toMem` is allocated `stages` times, once for"
        " each of these steps.",
        _pipelined,
        "reducePipe s f g i xs = reduceSeq (fun(acc, x => g acc (f x))) i xs",
        example="reducePipe(3, fun(x => toMem(Local, x)), fun(acc, x => 10 * acc + x), 0, [1, 2, 3])",
        traits=("loops",),
    ),
    _other(
        "reducePar",
        "{n: nat} -> {t: data} -> (t -> t -> t) -> t -> n.t -> t",
        "`reduce` on threads (OpenMP): each combines a part of the array, and their results are combined in order.",
        _fold,
        "reducePar f i xs = reduce f i xs",
        example="reducePar(add, 0, [1, 2, 3])",
        float_class="reassociating",
        traits=("loops", "reduces"),
        runs_on="processor",
        promise="its function is associative",
    ),
    _atomic_record(
        "reduceBlockAtomic",
        "`reduce` over the blocks of the grid, which combine each element with the result atomically.",
        example="reduceBlockAtomic(0, max, 0, [1, 3, 2])",
        runs_on="block",
    ),
    _atomic_record(
        "reduceThreadsAtomic",
        "`reduce` over the threads of a block, which combine each element with the result atomically.",
        example="reduceThreadsAtomic(0, max, 0, [1, 3, 2])",
        runs_on="threads",
    ),
    PrimitiveRecord(
        "scan",
        _SCAN,
        "high",
        "The intermediate results of `reduceSeq` after each element, without the start value.",
        _scan,
        "scan f i (map g xs) = scan (fun(acc, x => f acc (g x))) i xs",
        ("scanSeq",),
        example="scan(add, 0, [1, 2, 3])",
        traits=("scans",),
    ),
    _other(
        "scanSeq",
        _SCAN,
        "`scan` as a loop.",
        _scan,
        "scanSeq f i xs = scan f i xs",
        example="scanSeq(add, 0, [1, 2, 3])",
        traits=("loops", "scans"),
    ),
    _other(
        "iterate",
        "(k: nat) -> {m: nat} -> {n: nat} -> {t: data} -> ((l: nat) -> (l*n).t -> l.t) -> (m*n^k).t -> m.t",
        "Apply a function k times; each application makes the array n times shorter.",
        _iterate,
        example="iterate(2, fun(l: nat, xs => xs |> split(2) |> map(reduce(add, 0))), [1, 2, 3, 4])",
        words="`iterate(0, f, xs)` is `xs`; `iterate(k + 1, f, xs)` applies `f` once, and then `iterate(k, f)`.",
        traits=("loops", "rereads"),
    ),
    _other(
        "iterateWhile",
        "(k: nat) -> {t: data} -> (t -> bool) -> (t -> t) -> t -> t",
        "Apply a function while a condition holds, at most k times.",
        _iterate_while,
        example="iterateWhile(9, fun(x => x < 100), fun(x => 3 * x), 1)",
        words="`iterateWhile(0, p, f, x)` is `x`; `iterateWhile(k + 1, p, f, x)` is `x` if `p(x)` is false, and else "
        "`iterateWhile(k, p, f, f(x))`.",
        traits=("loops", "rereads"),
    ),
)

BINDING: Final = (
    _other(
        "let",
        "{s: data} -> {t: data} -> s -> (s -> t) -> t",
        "Give a value a name. A strategy that counts, such as the default one of `openmp`, computes nothing again "
        "where it counts storing as cheaper.",
        _let,
        "let x f = f x",
        example="let(2 + 3, fun(x => x * x))",
    ),
    _other(
        "toMem",
        "(a: space) -> {t: data} -> t -> t",
        "Store a value in a memory: Global, Shared, Local or Constant.",
        lambda at, x: x,
        "toMem Local x = x",
        example="toMem(Local, [1, 2])",
    ),
    PrimitiveRecord(
        "recompute",
        "{t: data} -> t -> t",
        "view",
        "A value that is recomputed wherever it is read, and never stored.",
        lambda at, x: x,
        "recompute x = x",
        example="recompute([1, 2])",
        traits=("recomputes", "writable"),
        places=(Place(0, lambda at: ()),),
    ),
    _other(
        "globalToShared",
        "{t: data} -> t -> t",
        "A value that a GPU may copy from global to shared memory asynchronously; threads that read it wait for it. "
        "Stored elsewhere, and on other targets, it is just the value.",
        lambda at, x: x,
        "globalToShared x = x",
        example="globalToShared([1, 2])",
    ),
)
