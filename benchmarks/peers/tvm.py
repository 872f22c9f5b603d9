"""TVM: the seven schedules of its tutorial "How to optimize GEMM on CPU", in today's TensorIR. Arrays are 2-d."""

from __future__ import annotations

from functools import partial
from typing import Any

import tvm
from tvm import te
from tvm.s_tir import Schedule
from tvm.target import codegen

from peers import Array, Peer, Run

VERSIONS = ("baseline", "blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "parallel")
PACKED = VERSIONS[4:]
CACHED = VERSIONS[5:]


def product(m: int, k: int, n: int, dtype: str, columns: int | None) -> Any:
    """The matrix product; with the right matrix packed in panels of `columns`, if given."""
    a, b = te.placeholder((m, k), dtype, name="A"), te.placeholder((k, n), dtype, name="B")
    depth = te.reduce_axis((0, k), "k")
    zero, width = tvm.tirx.const(0, dtype), columns or n

    def packed(x: Any, y: Any, z: Any) -> Any:
        at = x * width + z
        return b[y, at] if n % width == 0 else te.if_then_else(at < n, b[y, at], zero)

    def plain(i: Any, j: Any) -> Any:
        return te.sum(a[i, depth] * b[depth, j], axis=depth)

    def by_panels(i: Any, j: Any) -> Any:
        return te.sum(a[i, depth] * panels[j // width, depth, j % width], axis=depth)

    if columns is None:
        return te.create_prim_func([a, b, te.compute((m, n), plain, name="C")])
    panels = te.compute((-(-n // columns), k, columns), packed, name="P")
    return te.create_prim_func([a, b, te.compute((m, n), by_panels, name="C")])


def schedule(
    version: str, shape: tuple[int, int, int], dtype: str, rows: int, columns: int, step: int
) -> Schedule:
    """A version of the tutorial, by the names that the ICFP 2020 paper gives them."""
    found = Schedule(product(*shape, dtype, columns if version in PACKED else None))
    if version == "baseline":
        return found
    block = found.get_sblock("C")
    written = found.cache_write(block, 0, "global") if version in CACHED else None
    i, j, k = found.get_loops(block)
    outer_i, inner_i = found.split(i, [None, rows])
    outer_j, inner_j = found.split(j, [None, columns])
    outer_k, inner_k = found.split(k, [None, step])
    if version in ("blocking", "vectorization"):
        found.reorder(outer_i, outer_j, outer_k, inner_k, inner_i, inner_j)
    else:
        found.reorder(outer_i, outer_j, outer_k, inner_i, inner_k, inner_j)
    if written is not None:
        found.reverse_compute_at(written, outer_j)
        found.unroll(inner_k)
        found.vectorize(found.get_loops(written)[-1])
    if version != "blocking":
        found.vectorize(inner_j)
    if version in PACKED:
        panel, _, column = found.get_loops(found.get_sblock("P"))
        found.vectorize(column)
        found.parallel(panel)
    if version == "parallel":
        found.parallel(outer_i)
    found.decompose_reduction(block, outer_k)
    return found


def mm(
    a: Array, b: Array, version: str = "parallel", rows: int = 16, columns: int = 64, step: int = 4
) -> Run:
    """A run that writes to an existing array. The tutorial's tiles are 32 x 32; 16 x 64 is faster."""
    made = schedule(version, (*a.shape, b.shape[1]), str(a.dtype), rows, columns, step)
    target = tvm.target.Target({"kind": "llvm", "mcpu": codegen.llvm_get_system_cpu()})
    function = tvm.compile(made.mod, target)["main"]
    tensors = [tvm.runtime.tensor(one) for one in (a, b)]
    out = tvm.runtime.empty((len(a), b.shape[1]), str(a.dtype))

    def run() -> Any:
        function(*tensors, out)
        return out

    return run


def peer(threads: int) -> Peer:
    """TVM reads the number of threads when it starts its own."""
    del threads
    kernels = {"mm": mm} | {
        version: partial(mm, version=version, rows=32, columns=32) for version in VERSIONS
    }
    return Peer("tvm", tvm.__version__, "TVM_NUM_THREADS", kernels)
