"""Builds derived kernels and runs them in the simulator, unchanged or without a barrier. Independent of programs."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from dataclasses import replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final, TypeVar

import numpy as np

import rise
from cases.answers import Expected, Tree
from cases.case_files import Numbers
from cases.comparison import differences, signature
from cases.inputs import Layout, some_input
from rise.hardware import ARCHITECTURES
from rise.naturals import const
from rise.scalars import SCALARS
from rise.values import poison
from shine.imperative.kernels import GpuKernel, GpuProgram
from shine.imperative.levels import level_loops
from shine.imperative.nodes import AwaitCopies, Barrier, Block, For, If, Level, Procedure, Statement
from shine.imperative.walk import statements
from shine.kernel import Kernel, make_kernel
from shine.passes.gpu import make_kernels
from shine.simulator import Finding
from shine.targets.cuda.module import CudaKernel, CudaModule
from shine.targets.cuda.printer import print_program
from shine.translate import GPU_LEVELS, translate
from tests.cuda.entries import Entry, derive, program
from tests.shine.targets.cuda.simulation import simulate

SCHEDULES: Final = ("ascending", "descending", "random:1")
S = TypeVar("S", Barrier, AwaitCopies)


@cache
def lowered(entry: Entry) -> rise.Expr:
    """The program that the strategy derives, with symbolic sizes."""
    return derive(entry)


@cache
def procedure(entry: Entry, sizes: Numbers) -> Procedure:
    """The translated program at these sizes."""
    fixed = rise.specialise(lowered(entry), **dict(sizes))
    return translate(fixed, "kernel", GPU_LEVELS)


def compiled_at(entry: Entry) -> tuple[Numbers, ...]:
    """The sizes for which an entry is compiled: none if they are symbolic."""
    return ((),) if entry.is_symbolic else entry.sizes


def gpu_program(entry: Entry, sizes: Numbers, arch: str = "sm_80") -> GpuProgram:
    """The kernels of an entry."""
    return _gpu_program(entry, sizes, arch)  # so that a default is the same key as its value


@cache
def _gpu_program(entry: Entry, sizes: Numbers, arch: str) -> GpuProgram:
    return make_kernels(procedure(entry, sizes), arch)


def simulated(entry: Entry, sizes: Numbers, schedule: str, cache: Path) -> Kernel:
    """The check build of an entry for the simulator."""
    return _simulated(entry, sizes, cache).with_options(schedule=schedule)


@cache
def _simulated(entry: Entry, sizes: Numbers, folder: Path) -> Kernel:
    arch = architecture_for(entry)
    return make_kernel(procedure(entry, sizes), "cuda-sim", check=True, arch=arch, cache=str(folder))


def printed(
    entry: Entry, arch: str | None = None, wide: bool = False, sizes: Numbers | None = None
) -> CudaModule:
    """The text of an entry's kernels: by default for its own architecture, with 32-bit indices, at its first sizes."""
    named = arch or architecture_for(entry)
    fixed = compiled_at(entry)[0] if sizes is None else sizes
    return _text_of(gpu_program(entry, fixed, named), named, wide)


@lru_cache(maxsize=64)
def _text_of(made: GpuProgram, arch: str, wide: bool = False) -> CudaModule:
    """The text of some kernels; several tests run the same kernels, under several schedules."""
    return print_program(made, arch, wide)


@lru_cache(maxsize=256)
def _signature(name: str, sizes: Numbers) -> tuple[list[Layout], Layout]:
    """The layout of the arguments and the result of a program."""
    return signature(program(name), sizes)


def mistakes(entry: Entry, schedule: str, cache: Path) -> list[str]:
    """The errors in an entry's results in a check build. The findings of the simulator are raised."""
    found: list[str] = []
    kernels = {at: simulated(entry, at, schedule, cache) for at in compiled_at(entry)}
    for sizes in entry.sizes:
        _, result = _signature(entry.program, sizes)
        for kind in entry.kinds:
            arguments = inputs(entry, sizes, kind)
            output = poisoned(result)
            assert kernels[() if entry.is_symbolic else sizes](*arguments, out=output) is output
            expected = entry.answer(*arguments)
            if kind == "digits" and entry.is_exact:
                expected = exact(expected)
            found += [f"{dict(sizes)}, {kind}: {one}" for one in differences(output, expected, result)]
    return found


def inputs(entry: Entry, sizes: Numbers, kind: str) -> list[Any]:
    """Arguments for an entry's program."""
    parameters, _ = _signature(entry.program, sizes)
    rng = np.random.default_rng(zlib.crc32(f"{entry} {sizes} {kind}".encode()))
    return [some_input(kind, rng, at) for at in parameters]


def poisoned(at: Layout) -> Any:
    """Arrays for a result, filled with values that no result contains."""
    if isinstance(at, tuple):
        return poisoned(at[0]), poisoned(at[1])
    return poison(at.shape, SCALARS[at.scalar].dtype)


def exact(expected: Tree) -> Tree:
    """The same numbers, with tolerance 0."""
    if isinstance(expected, tuple):
        return exact(expected[0]), exact(expected[1])
    return Expected(expected.value, np.zeros(expected.value.shape))


def leaves(value: Any) -> list[Any]:
    """The arrays of a value, in order."""
    return [one for part in value for one in leaves(part)] if isinstance(value, tuple) else [value]


def architecture_for(entry: Entry) -> str:
    """sm_80, or the first architecture with everything that the entry needs."""
    return max("sm_80", entry.since, key=lambda name: ARCHITECTURES[name].capability)


def launched(
    made: GpuProgram, entry: Entry, sizes: Numbers, schedule: str, cache: Path, one_block: bool = False
) -> tuple[Any, list[Finding]]:
    """The result of an entry's kernels, possibly changed, on `digits`, and the simulator's findings.

    `one_block`: launch one block along each dimension in which blocks run several iterations.
    """
    arguments = [one for value in inputs(entry, sizes, "digits") for one in leaves(value)]
    module = _text_of(made, architecture_for(entry))
    if one_block:
        pairs = zip(module.kernels, made.kernels, strict=True)
        module = replace(module, kernels=tuple(_on_one_block(*pair) for pair in pairs))
    open_sizes = dict(sizes) if entry.is_symbolic else {}
    return simulate(module, made, open_sizes, arguments, cache, check=True, schedule=schedule)


def findings(made: GpuProgram, entry: Entry, sizes: Numbers, schedule: str, cache: Path) -> list[Finding]:
    """The simulator's findings in an entry's kernels, possibly changed."""
    return launched(made, entry, sizes, schedule, cache)[1]


def _on_one_block(printed: CudaKernel, kernel: GpuKernel) -> CudaKernel:
    """A kernel with one block along the dimensions in which all loops may run several iterations."""
    extents = list(printed.grid)
    for d in range(3):
        loops = [loop for loop, level in level_loops(kernel.body) if level == Level("block", d)]
        if loops and all(kernel.launch.share(loop) == "many" for loop in loops):
            extents[d] = const(1)
    return replace(printed, grid=(extents[0], extents[1], extents[2]))


def without_each_barrier(made: GpuProgram) -> Iterator[tuple[Barrier, GpuProgram]]:
    """The programs without one barrier, for each barrier."""
    return without_each(made, Barrier)


def without_each(made: GpuProgram, kind: type[S]) -> Iterator[tuple[S, GpuProgram]]:
    """The programs without one statement of a kind, for each such statement."""
    for number, kernel in enumerate(made.kernels):
        for found, _ in statements(kernel.body):
            if isinstance(found, kind):
                kernels: list[GpuKernel] = list(made.kernels)
                kernels[number] = replace(kernel, body=_without(kernel.body, found))
                yield found, replace(made, kernels=tuple(kernels))


def _without(block: Block, dropped: Statement) -> Block:
    """The block without this statement, which is compared by identity."""
    kept: list[Statement] = []
    for statement in block.statements:
        if statement is dropped:
            continue
        if isinstance(statement, For | If):
            statement = replace(statement, body=_without(statement.body, dropped))
        kept.append(statement)
    return Block(tuple(kept))
