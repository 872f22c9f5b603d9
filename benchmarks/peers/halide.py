"""Halide: algorithms with hand-written schedules for these sizes. Row lengths are multiples of 128."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import metadata
from typing import Any

import halide as hl
import numpy as np

from peers import Array, Peer, Run
from peers._halide_images import binomial, harris

j, i, k, p, u = (hl.Var(name) for name in "jikpu")
ROWS = 8
"""Rows of a tile of the matrix product; its width is three vectors of columns."""
STRIP = 128
"""Partial results of a reduction: eight vectors."""
CHUNKS = 16
"""The number of parts in which an array is reduced to a number."""


def inputs(*arrays: Array) -> list[Any]:
    """A parameter for each array, with its shape."""
    made = []
    for number, array in enumerate(arrays):
        one = hl.ImageParam(hl.Float(8 * array.itemsize), array.ndim, f"input{number}")
        stride = 1
        for dimension, size in enumerate(reversed(array.shape)):
            one.dim(dimension).set_bounds(0, size).set_stride(stride)
            stride *= size
        made.append(one)
    return made


def compiled(out: hl.Func, parameters: Sequence[Any], arguments: Sequence[Array], result: Array) -> Run:
    """A run that writes to an existing array."""
    function = out.compile_to_callable(list(parameters), hl.get_jit_target_from_environment())
    buffers = [hl.Buffer(one) for one in (*arguments, result)]

    def run() -> Array:
        function(*buffers)
        return result

    return run


def lanes(array: Array) -> int:
    """Numbers in a vector of 64 bytes."""
    return 64 // array.itemsize


def mm(a: Array, b: Array) -> Run:
    """The right matrix packed in panels of columns; tiles of 8 x 3 vectors over the whole depth; panels in parallel."""
    a_in, b_in = inputs(a, b)
    m, n, depth, width = len(a), b.shape[1], len(b), lanes(a)
    columns = 3 * width
    edge = hl.BoundaryConditions.repeat_edge(b_in, [(0, n), (0, depth)])
    panels, tile, out = hl.Func("panels"), hl.Func("tile"), hl.Func("out")
    panels[j, k, p] = edge[p * columns + j, k]
    r = hl.RDom([(0, depth)])
    tile[j, i] = hl.cast(hl.Float(8 * a.itemsize), 0)
    tile[j, i] += a_in[r.x, i] * panels[j % columns, r.x, j / columns]
    out[j, i] = tile[j, i]
    jo, io, ji, ii = (hl.Var(name) for name in ("jo", "io", "ji", "ii"))
    out.bound(j, 0, n).bound(i, 0, m)
    out.tile(j, i, jo, io, ji, ii, columns, ROWS, hl.TailStrategy.GuardWithIf).reorder(ji, ii, io, jo)
    out.vectorize(ji, width).parallel(jo)
    tile.compute_at(out, io).bound_extent(j, columns).bound_extent(i, ROWS)
    tile.vectorize(j, width).unroll(j).unroll(i)
    tile.update().reorder(j, i, r.x).vectorize(j, width).unroll(j).unroll(i)
    panels.compute_root().bound_extent(j, columns).vectorize(j, width).unroll(j).parallel(p)
    return compiled(out, (a_in, b_in), (a, b), np.empty((m, n), a.dtype))


def strips(
    of: Callable[[Any], Any], size: int, start: Any, combine: Callable[[Any, Any], Any], width: int
) -> tuple[hl.Func, hl.Func]:
    """A reduction of a row by partial results, and the partial results, which the caller schedules."""
    partial, found = hl.Func("partial"), hl.Func("found")
    r, rest = hl.RDom([(0, size // STRIP)]), hl.RDom([(0, STRIP)])
    partial[u, i] = start
    partial[u, i] = combine(partial[u, i], of(r.x * STRIP + u))
    found[i] = start
    found[i] = combine(found[i], partial[rest.x, i])
    partial.bound_extent(u, STRIP).vectorize(u, width).unroll(u)
    partial.update().reorder(u, r.x).vectorize(u, width).unroll(u)
    return partial, found


def add(x: Any, y: Any) -> Any:
    """Addition as a function."""
    return x + y


def rows_in_parallel(out: hl.Func, stages: Sequence[hl.Func], width: int) -> None:
    """Schedule rows in parallel, with all stages of a row on one thread."""
    out.vectorize(j, width).parallel(i)
    for stage in stages:
        stage.compute_at(out, i)


def softmax(rows: Array) -> Run:
    """A row at a time, with Halide's fast exponential."""
    (x,) = inputs(rows)
    size, width = rows.shape[1], lanes(rows)
    tops, top = strips(lambda at: x[at, i], size, hl.f32(-3.4e38), hl.max, width)
    weight, out = hl.Func("weight"), hl.Func("out")
    weight[j, i] = hl.fast_exp(x[j, i] - top[i])
    sums, total = strips(lambda at: weight[at, i], size, hl.f32(0), add, width)
    share = hl.Func("share")
    share[i] = hl.f32(1) / total[i]
    out[j, i] = weight[j, i] * share[i]
    out.bound(j, 0, size).bound(i, 0, len(rows))
    rows_in_parallel(out, (tops, top, weight, sums, total, share), width)
    weight.vectorize(j, width)
    return compiled(out, (x,), (rows,), np.empty_like(rows))


def layer_norm(scale: Array, shift: Array, rows: Array) -> Run:
    """A row at a time, in two passes, the second from the cache."""
    factor, offset, x = inputs(scale, shift, rows)
    size, width = rows.shape[1], lanes(rows)
    sums, total = strips(lambda at: x[at, i], size, hl.f32(0), add, width)
    mean, out = hl.Func("mean"), hl.Func("out")
    mean[i] = total[i] / size

    def square(at: Any) -> Any:
        return (x[at, i] - mean[i]) * (x[at, i] - mean[i])

    squares, variance = strips(square, size, hl.f32(0), add, width)
    share = hl.Func("share")
    share[i] = hl.f32(1) / hl.sqrt(variance[i] / size + hl.f32(1e-5))
    out[j, i] = factor[j] * ((x[j, i] - mean[i]) * share[i]) + offset[j]
    out.bound(j, 0, size).bound(i, 0, len(rows))
    rows_in_parallel(out, (sums, total, mean, squares, variance, share), width)
    return compiled(out, (factor, offset, x), (scale, shift, rows), np.empty_like(rows))


def reduction(
    element: Callable[..., Any], start: float, combine: Callable[[Any, Any], Any]
) -> Callable[..., Run]:
    """A reduction of arrays to a number: chunks in parallel, each by partial results."""

    def prepare(*arrays: Array) -> Run:
        parameters = inputs(*arrays)
        size, width, first = len(arrays[0]), lanes(arrays[0]), hl.f32(start)
        chunk = size // CHUNKS
        assert chunk * CHUNKS == size and chunk % STRIP == 0
        partial, found = strips(
            lambda at: element(*(one[i * chunk + at] for one in parameters)), chunk, first, combine, width
        )
        chunks, out = hl.Func("chunks"), hl.Func("out")
        chunks[i] = found[i]
        r = hl.RDom([(0, CHUNKS)])
        out[()] = first
        out[()] = combine(out[()], chunks[r.x])
        chunks.compute_root().parallel(i)
        partial.compute_at(chunks, i)
        found.compute_at(chunks, i)
        return compiled(out, parameters, arrays, np.empty((), arrays[0].dtype))

    return prepare


def peer(threads: int) -> Peer:
    """Halide reads the number of threads when it starts its own."""
    del threads
    kernels = {
        "mm": mm,
        "softmax": softmax,
        "layer_norm": layer_norm,
        "dot": reduction(lambda x, y: x * y, 0.0, add),
        "sum": reduction(lambda x: x, 0.0, add),
        "harris": partial(harris, compiled, inputs),
        "binomial": partial(binomial, compiled, inputs),
        "max": reduction(lambda x: x, -3.4e38, hl.max),
    }
    return Peer("halide", metadata.version("halide"), "HL_NUM_THREADS", kernels)
