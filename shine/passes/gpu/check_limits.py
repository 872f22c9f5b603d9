"""Checks a kernel against given limits of an architecture. Independent of architectures."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from rise.diagnostics import Diagnostic
from rise.text.type_printer import brief_type
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import LANES, GpuKernel
from shine.imperative.levels import level_loops
from shine.imperative.nodes import Buffer, Origin
from shine.passes.gpu.alignment import bytes_in
from shine.passes.gpu.lay_out_shared import overlapping, shared_bytes


def check_limits(kernel: GpuKernel, max_shared: int, max_threads: int) -> None:
    """Raise TranslationError if a block has too many bytes of shared memory, or too many threads.

    Shared memory must be laid out already.
    """
    if shared_bytes(kernel) > max_shared:
        raise _too_much_shared(kernel, max_shared)
    if prod(kernel.launch.block) > max_threads:
        raise _too_many_threads(kernel, max_threads)


def _too_much_shared(kernel: GpuKernel, limit: int) -> TranslationError:
    arrays = sorted((buffer for buffer, _ in kernel.shared), key=bytes_in, reverse=True)
    largest = arrays[0]
    (run,) = [run for run in overlapping(kernel.shared) if any(one is largest for one, _ in run)]
    room = limit - (shared_bytes(kernel) - bytes_in(largest))
    if len(run) > 1:
        fits = "the arrays that share its bytes must fit, too"
    elif room > 0:
        fits = f"at most {room} bytes fit in addition to the others"
    else:
        fits = "the others alone are too large"
    hint = f"make the tile in {largest.name} smaller: {fits}; or keep an array elsewhere: `toMem(Global)`"
    stages = _stages_that_fit(arrays, limit)
    if stages:
        hint = f"use at most {stages} stages: `stages={stages}`, or `reducePipe({stages}, ...)`; or make tiles smaller"
    diagnostic = Diagnostic(
        "shared-size",
        f"expected at most {limit} bytes of shared memory in a block of {kernel.name}, found {shared_bytes(kernel)}",
        hint=hint,
        notes=tuple(map(_described, arrays)),
    )
    return TranslationError(diagnostic, largest.origin)


def _stages_that_fit(arrays: Sequence[Buffer], limit: int) -> int:
    """The number of stages of pipelined reductions that fits; 0 if there are none, or if not even one stage fits."""
    most = max(buffer.stages for buffer in arrays)
    staged = [buffer for buffer in arrays if buffer.stages == most > 1]
    if not staged:
        return 0
    room = limit - sum(bytes_in(buffer) for buffer in arrays if buffer not in staged)
    return max(0, room // sum(bytes_in(buffer) // most for buffer in staged))


def _described(buffer: Buffer) -> str:
    stages = f" in {buffer.stages} stages" if buffer.stages > 1 else ""
    of = brief_type(buffer.element)
    return f"{buffer.name} has {bytes_in(buffer)} bytes: {buffer.size.constant} of {of}{stages}"


def _too_many_threads(kernel: GpuKernel, limit: int) -> TranslationError:
    block, warps = kernel.launch.block, kernel.launch.warps
    if warps is None:
        levels, units, extents = (
            ("threads", "global"),
            "threads",
            [str(extent) for extent in block if extent > 1],
        )
        shape = f" ({' x '.join(extents)})" if len(extents) > 1 else ""
    else:
        levels, units = ("warp", "threads"), "warps"
        shape = f" ({prod(warps)} warps of {LANES})"
    diagnostic = Diagnostic(
        "block-size",
        f"expected at most {limit} threads in a block of {kernel.name}, found {prod(block)}{shape}",
        hint=f"map over fewer {units}, each with a larger tile",
    )
    return TranslationError(diagnostic, _widest(kernel, levels))


def _widest(kernel: GpuKernel, names: tuple[str, ...]) -> Origin:
    """The origin of the loop with the most iterations among those over these levels."""
    widest: tuple[int, Origin] = (-1, ())
    for loop, level in level_loops(kernel.body):
        count = loop.count.constant or 0
        if level.name in names and count > widest[0]:
            widest = (count, loop.origin)
    return widest[1]
