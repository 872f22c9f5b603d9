"""Check a kernel against the limits of an architecture, which are given. Knows no architecture."""

from __future__ import annotations

from math import prod

from rise.diagnostics import Diagnostic
from rise.text.type_printer import brief_type
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import LANES, GpuKernel
from shine.imperative.levels import level_loops
from shine.imperative.nodes import Buffer, Origin
from shine.passes.gpu.alignment import bytes_in
from shine.passes.gpu.lay_out_shared import shared_bytes


def check_limits(kernel: GpuKernel, most_shared: int, most_threads: int) -> None:
    """Raise a diagnostic unless a block has at most so many bytes of shared memory, and so many threads.

    Shared memory must be laid out.
    """
    if shared_bytes(kernel) > most_shared:
        raise _too_much_shared(kernel, most_shared)
    if prod(kernel.launch.block) > most_threads:
        raise _too_many_threads(kernel, most_threads)


def _too_much_shared(kernel: GpuKernel, most: int) -> TranslationError:
    arrays = sorted((buffer for buffer, _ in kernel.shared), key=bytes_in, reverse=True)
    largest = arrays[0]
    room = most - (shared_bytes(kernel) - bytes_in(largest))
    fits = f"beside the others at most {room} bytes fit" if room > 0 else "the others alone are too large"
    diagnostic = Diagnostic(
        "shared-size",
        f"expected at most {most} bytes of shared memory in a block of {kernel.name}, found {shared_bytes(kernel)}",
        hint=f"make the tile in {largest.name} smaller: {fits}; or keep an array elsewhere: `toMem(Global)`",
        notes=tuple(map(_described, arrays)),
    )
    return TranslationError(diagnostic, largest.origin)


def _described(buffer: Buffer) -> str:
    return (
        f"{buffer.name} has {bytes_in(buffer)} bytes: {buffer.size.constant} of {brief_type(buffer.element)}"
    )


def _too_many_threads(kernel: GpuKernel, most: int) -> TranslationError:
    block, warps = kernel.launch.block, kernel.launch.warps
    if warps is None:
        levels, units, sides = ("threads", "global"), "threads", [str(one) for one in block if one > 1]
        shape = f" ({' x '.join(sides)})" if len(sides) > 1 else ""
    else:
        levels, units = ("warp", "threads"), "warps"
        shape = f" ({prod(warps)} warps of {LANES})"
    diagnostic = Diagnostic(
        "block-size",
        f"expected at most {most} threads in a block of {kernel.name}, found {prod(block)}{shape}",
        hint=f"map over fewer {units}, each with a larger tile",
    )
    return TranslationError(diagnostic, _widest(kernel, levels))


def _widest(kernel: GpuKernel, names: tuple[str, ...]) -> Origin:
    """Where the loop stands that asks for the most units of the levels."""
    found: tuple[int, Origin] = (-1, ())
    for loop, level in level_loops(kernel.body):
        count = loop.count.constant or 0
        if level.name in names and count > found[0]:
            found = (count, loop.origin)
    return found[1]
