"""Gives each array in shared memory an offset. Independent of the limits of architectures.

Each array has its own bytes: arrays that are never live at the same time do not share them yet.
"""

from __future__ import annotations

from dataclasses import replace

from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import Buffer
from shine.imperative.statements import take_allocations
from shine.passes.gpu.alignment import DEFAULT_ALIGNMENT, alignments, bytes_in


def lay_out_shared(kernel: GpuKernel) -> GpuKernel:
    """The kernel with offsets for its arrays in shared memory, in the order of the program, and no allocations."""
    allocations, body = take_allocations(kernel.body, "Shared")
    bytes_of = alignments(body)
    places: list[tuple[Buffer, int]] = []
    end = 0
    for allocation in allocations:
        alignment = bytes_of.get(allocation.buffer.name, DEFAULT_ALIGNMENT)
        start = -(-end // alignment) * alignment
        places.append((allocation.buffer, start))
        end = start + bytes_in(allocation.buffer)
    return replace(kernel, body=body, shared=tuple(places))


def shared_bytes(kernel: GpuKernel) -> int:
    """How many bytes of shared memory a block of a kernel uses, after `lay_out_shared`."""
    return max((start + bytes_in(buffer) for buffer, start in kernel.shared), default=0)
