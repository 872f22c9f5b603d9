"""Gives each array in shared memory an offset. Independent of the limits of architectures.

Arrays share bytes if barriers separate their lifetimes (`liveness`) and if fewer bytes suffice then. A barrier is added
if this saves many bytes. Otherwise, each array has its own bytes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, TypeAlias

from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import Barrier, Block, Buffer, For, Level, Statement
from shine.imperative.statements import take_allocations
from shine.imperative.walk import map_statements
from shine.passes.gpu.alignment import DEFAULT_ALIGNMENT, alignments, bytes_in
from shine.passes.gpu.effects import Around, effects_of
from shine.passes.gpu.liveness import kept_apart

#: arrays with their offsets in bytes
Places: TypeAlias = tuple[tuple[Buffer, int], ...]
#: bytes of a block; shared memory is allocated in units of 128 to 1,024 bytes, and a barrier takes tens of cycles once
WORTH_A_BARRIER: Final = 1024
_BLOCKS: Final = tuple(Level("block", dimension) for dimension in range(3))


def lay_out_shared(kernel: GpuKernel) -> GpuKernel:
    """The kernel with offsets for its arrays in shared memory, in the order of the program, and no allocations.

    Adds a barrier, outside of all loops except those over blocks, if this saves at least `WORTH_A_BARRIER` bytes.
    """
    places = _places(kernel)
    for statement in _before_large_arrays(kernel.body, places):
        with_barrier = replace(kernel, body=_waiting_before(kernel.body, statement))
        fewer = _places(with_barrier)
        if end_of(fewer) + WORTH_A_BARRIER <= end_of(places):
            kernel, places = with_barrier, fewer
    return replace(kernel, body=take_allocations(kernel.body, "Shared")[1], shared=places)


def _places(kernel: GpuKernel) -> Places:
    """Offsets for the arrays of a kernel that has its barriers."""
    allocations, body = take_allocations(kernel.body, "Shared")
    arrays = tuple(dict.fromkeys(allocation.buffer for allocation in allocations))
    alignment_of = alignments(body)
    aligned = [alignment_of.get(buffer.name, DEFAULT_ALIGNMENT) for buffer in arrays]
    best = _placed(arrays, aligned, range(len(arrays)), lambda one, other: True)
    apart = kept_apart(kernel, arrays)
    if any(len(others) + 1 < len(arrays) for others in apart):
        largest_first = sorted(range(len(arrays)), key=lambda number: -bytes_in(arrays[number]))
        for order in (range(len(arrays)), largest_first):
            shared = _placed(arrays, aligned, order, lambda one, other: other in apart[one])
            best = min(best, shared, key=end_of)
    return best


def _before_large_arrays(block: Block, places: Places) -> list[Statement]:
    """Those statements that all threads of a block run once for each tile in which an array is first used that is large
    enough to be worth a barrier.
    """
    waiting = {buffer.name for buffer, _ in places if bytes_in(buffer) >= WORTH_A_BARRIER}
    found: list[Statement] = []

    def look(statements: Sequence[Statement]) -> None:
        for statement in statements:
            if isinstance(statement, For) and statement.kind in _BLOCKS:
                look(statement.body.statements)
            elif waiting:
                used = {effect.buffer.name for effect in effects_of(statement, Around(frozenset(waiting)))}
                found.extend([statement] if used else [])
                waiting.difference_update(used)

    look(block.statements)
    return found[1:]  # there is nothing before the first one


def _waiting_before(block: Block, before: Statement) -> Block:
    """The block with a barrier before a statement."""
    barrier = Barrier("block", before.origin)
    return map_statements(block, lambda one: (barrier, one) if one is before else (one,))


def _placed(
    arrays: Sequence[Buffer], aligned: Sequence[int], order: Iterable[int], apart: Callable[[int, int], bool]
) -> Places:
    """Each array at the least offset at which it does not overlap the earlier ones that must be apart from it."""
    starts: dict[int, int] = {}
    for number in order:
        start, size = 0, bytes_in(arrays[number])
        taken = sorted(
            (other_start, other_start + bytes_in(arrays[other]))
            for other, other_start in starts.items()
            if apart(number, other)
        )
        for other_start, other_end in taken:
            if start + size > other_start and other_end > start:
                start = -(-other_end // aligned[number]) * aligned[number]
        starts[number] = start
    return tuple((buffer, starts[number]) for number, buffer in enumerate(arrays))


def end_of(places: Places) -> int:
    """The number of bytes that arrays take at their offsets."""
    return max((start + bytes_in(buffer) for buffer, start in places), default=0)


def shared_bytes(kernel: GpuKernel) -> int:
    """The bytes of shared memory that a block of a kernel uses, after `lay_out_shared`."""
    return end_of(kernel.shared)


def overlapping(places: Places) -> list[Places]:
    """Groups of arrays that share bytes, in the order of offsets; most consist of one array. Among arrays with the same
    offset, the largest is first.
    """
    runs: list[Places] = []
    for place in sorted(places, key=lambda place: (place[1], -bytes_in(place[0]))):
        if runs and place[1] < end_of(runs[-1]):
            runs[-1] = (*runs[-1], place)
        else:
            runs.append((place,))
    return runs
