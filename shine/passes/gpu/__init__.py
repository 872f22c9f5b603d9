"""From a procedure to the kernels of a GPU: one pass a file, in order. Knows no target's syntax."""

from __future__ import annotations

from shine.gpu import GpuKernel, GpuProgram
from shine.imperative import Block, Procedure
from shine.passes.gpu.await_copies import await_copies
from shine.passes.gpu.check_levels import check_levels
from shine.passes.gpu.check_limits import check_limits
from shine.passes.gpu.check_matrices import check_fragments, check_matrices
from shine.passes.gpu.choose_launch import choose_launch
from shine.passes.gpu.distribute_registers import distribute_registers
from shine.passes.gpu.expand_global import expand_global
from shine.passes.gpu.expand_shared import expand_shared
from shine.passes.gpu.keep_copies import keep_copies
from shine.passes.gpu.lay_out_shared import lay_out_shared
from shine.passes.gpu.place_barriers import place_barriers
from shine.passes.gpu.split_kernels import split_kernels
from shine.passes.gpu.store_once import store_once

__all__ = ["make_kernels"]


def make_kernels(procedure: Procedure, most_shared: int, most_threads: int) -> GpuProgram:
    """The kernels of a procedure, for blocks of at most so many bytes of shared memory and so many threads.

    Raises TranslationError with one diagnostic: levels nested wrongly, a barrier that some threads would not reach,
    registers of other threads, fragments of open sizes, matrices that lie wrongly, too much shared memory.
    """
    check_fragments(procedure)
    bodies, temporaries = split_kernels(procedure)
    kernels: list[GpuKernel] = []
    for body in bodies:
        body, parts = expand_global(body)
        kernel = _make(procedure.name, body)
        check_matrices(kernel, procedure)
        check_limits(kernel, most_shared, most_threads)
        kernels.append(kernel)
        temporaries = (*temporaries, *parts)
    return GpuProgram(procedure, tuple(kernels), temporaries)


def _make(name: str, body: Block) -> GpuKernel:
    kernel = GpuKernel(name, choose_launch(body), body)
    check_levels(kernel)
    stores = (expand_shared, distribute_registers, store_once, keep_copies)
    for work in (*stores, place_barriers, await_copies, lay_out_shared):
        kernel = work(kernel)
    return kernel
