"""The passes from a procedure to the kernels of a GPU, in order. Independent of the syntax of targets."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rise.hardware import architecture
from rise.naturals import const
from shine.imperative.kernels import GpuKernel, GpuProgram, Launch
from shine.imperative.nodes import Procedure
from shine.passes.gpu.await_copies import await_copies
from shine.passes.gpu.check_grid import check_grid
from shine.passes.gpu.check_levels import check_levels
from shine.passes.gpu.check_limits import check_limits
from shine.passes.gpu.check_matrices import check_fragments, check_matrices
from shine.passes.gpu.choose_launch import choose_launch
from shine.passes.gpu.choose_memory import choose_memory
from shine.passes.gpu.distribute_matrices import distribute_matrices
from shine.passes.gpu.distribute_registers import distribute_registers
from shine.passes.gpu.expand_global import expand_global
from shine.passes.gpu.expand_shared import expand_shared
from shine.passes.gpu.keep_copies import keep_copies
from shine.passes.gpu.lay_out_shared import lay_out_shared
from shine.passes.gpu.place_barriers import place_barriers
from shine.passes.gpu.split_kernels import split_kernels
from shine.passes.gpu.store_once import store_once
from shine.passes.join_temporaries import join_registers
from shine.passes.record import Pass, Program, Settings, checking, run_passes
from shine.passes.refuse_deep_nests import refuse_deep_nests

__all__ = ["GPU_PASSES", "make_kernels"]

#: a kernel's launch until `choose_launch` runs
_ONE_THREAD: Final = Launch((const(1), const(1), const(1)), (1, 1, 1))


def make_kernels(procedure: Procedure, arch: str) -> GpuProgram:
    """The kernels of a procedure for an architecture.

    Raises TranslationError, for example for wrongly nested levels, a barrier that some threads do not reach, registers
    of other threads, fragments of symbolic sizes, misaligned matrices, or too much shared memory.
    """
    defaults = {one.option: one.default for one in GPU_PASSES if one.option}
    program = run_passes(GPU_PASSES, procedure, {**defaults, "arch": arch})
    assert isinstance(program, GpuProgram), program
    return program


def _split(program: Program, settings: Settings) -> Program:
    """The kernels, each of which runs on one thread until its launch is chosen."""
    assert isinstance(program, Procedure), program
    bodies, temporaries = split_kernels(program)
    kernels = tuple(GpuKernel(program.name, _ONE_THREAD, body) for body in bodies)
    return GpuProgram(program, kernels, temporaries)


def _expand(program: Program, settings: Settings) -> Program:
    assert isinstance(program, GpuProgram), program
    kernels, temporaries = [], program.temporaries
    for kernel in program.kernels:
        body, parts, parted = expand_global(kernel.body, program.procedure)
        kernels.append(replace(kernel, body=body, parted=parted))
        temporaries = (*temporaries, *parts)
    return replace(program, kernels=tuple(kernels), temporaries=temporaries)


def _launch(kernel: GpuKernel) -> GpuKernel:
    return replace(kernel, launch=choose_launch(kernel.body))


def _memory(program: Program, settings: Settings) -> Program:
    assert isinstance(program, GpuProgram), program
    arch = architecture(settings["arch"])
    return replace(program, kernels=tuple(choose_memory(kernel, arch) for kernel in program.kernels))


def _matrices(program: Program, settings: Settings) -> Program:
    assert isinstance(program, GpuProgram), program
    for kernel in program.kernels:
        check_matrices(kernel, program.procedure)
    return program


def _limits(program: Program, settings: Settings) -> Program:
    assert isinstance(program, GpuProgram), program
    arch = architecture(settings["arch"])
    for kernel in program.kernels:
        check_limits(kernel, arch.shared, arch.block_threads)
    return program


def _kernels(change: Callable[[GpuKernel], GpuKernel]) -> Callable[[Program, Settings], Program]:
    """A function of kernels, applied to each kernel of a program."""

    def apply(program: Program, settings: Settings) -> Program:
        assert isinstance(program, GpuProgram), program
        return replace(program, kernels=tuple(map(change, program.kernels)))

    return apply


def _checked(check: Callable[[GpuKernel], None]) -> Callable[[GpuKernel], GpuKernel]:
    """A check of kernels as a function that changes none."""

    def unchanged(kernel: GpuKernel) -> GpuKernel:
        check(kernel)
        return kernel

    return unchanged


GPU_PASSES: Final = (
    checking(
        refuse_deep_nests,
        "CUDA compilers fail on loops and values that are nested hundreds deep, so these are rejected.",
    ),
    checking(
        check_fragments, "Matrix instructions have fixed shapes, so the sizes of fragments must be numbers."
    ),
    Pass(
        "split_kernels",
        "Blocks cannot wait for each other inside a kernel, so each loop over the grid becomes a kernel.",
        _split,
    ),
    Pass(
        "choose_launch",
        "A launch needs numbers of blocks and threads, which follow from the iterations of the loops over them.",
        _kernels(_launch),
    ),
    Pass(
        "check_levels",
        "Blocks contain threads or warps, and warps contain lanes: other loop nests are rejected.",
        _kernels(_checked(check_levels)),
    ),
    Pass(
        "choose_memory",
        "The state of a loop is kept in registers, or else in a memory that all threads that use it can access.",
        _memory,
    ),
    Pass(
        "expand_global",
        "A kernel cannot allocate global memory, so the host allocates its global arrays.",
        _expand,
    ),
    Pass(
        "expand_shared",
        "Shared memory belongs to a block, so arrays of its warps or threads become parts of one array.",
        _kernels(expand_shared),
    ),
    Pass(
        "distribute_matrices",
        "Each lane holds its own elements of a fragment, so it also keeps those of a matrix stored from a fragment.",
        _kernels(distribute_matrices),
    ),
    Pass(
        "distribute_registers",
        "A register belongs to one thread, so each thread keeps the elements of a local array that it writes.",
        _kernels(distribute_registers),
    ),
    Pass(
        "store_once",
        "Threads that all store the same value would race, so only one of them stores it.",
        _kernels(store_once),
    ),
    Pass(
        "join_temporaries",
        "A value that is only copied to another variable is computed in that variable, which makes the source shorter.",
        _kernels(join_registers),
        "join",
    ),
    Pass(
        "keep_copies",
        "Only 4, 8 or 16 bytes can be copied asynchronously, from global to shared memory; everything else is stored.",
        _kernels(keep_copies),
    ),
    Pass(
        "check_grid",
        "Blocks cannot wait for each other: a kernel whose blocks read what others wrote is rejected.",
        _kernels(check_grid),
    ),
    Pass(
        "place_barriers",
        "A thread that reads what another thread wrote must wait for it.",
        _kernels(place_barriers),
    ),
    Pass("await_copies", "An asynchronous copy must have arrived before it is read.", _kernels(await_copies)),
    Pass("lay_out_shared", "Each array in shared memory needs an offset there.", _kernels(lay_out_shared)),
    Pass(
        "check_matrices",
        "Matrix instructions need aligned matrices: others are rejected.",
        _matrices,
    ),
    Pass(
        "check_limits",
        "An architecture limits the threads and the shared memory of a block: more is rejected.",
        _limits,
    ),
)
