"""Chooses the memory of the states of loops: registers, the shared memory of a block, or global memory.

A program says how a loop changes its state, but not in which memory the state is. A state that one thread changes
belongs to that thread. A state that several threads change is distributed over their registers if each reads only what
it stored; otherwise it is in shared memory, or in global memory if it is too large for that. Arrays whose memory the
program names stay there.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rise.hardware import Architecture
from shine.imperative.kernels import GpuKernel
from shine.imperative.levels import GRID, level_of
from shine.imperative.limits import element_bytes
from shine.imperative.nodes import Allocate, Block, Buffer, For, Statement
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import map_statements, statements
from shine.passes.gpu.alignment import FRAGMENT_ALIGNMENT, padded_size
from shine.passes.gpu.distribute_registers import size_in_registers
from shine.passes.gpu.expand_shared import units_around
from shine.passes.gpu.ownership import stored_by


def choose_memory(kernel: GpuKernel, arch: Architecture) -> GpuKernel:
    """The kernel with each state of a loop in a memory that has room for it and that all of its users can access."""
    allocations = [(one, loops) for one, loops in statements(kernel.body) if isinstance(one, Allocate)]
    open_arrays = [(one.buffer, loops) for one, loops in allocations if one.open]
    if not open_arrays:
        return kernel
    own = arch.thread_memory
    shared = arch.static_shared - sum(
        _shared_bytes(one.buffer, loops, kernel)
        for one, loops in allocations
        if one.buffer.space == "Shared" and one.buffer.size.constant is not None
    )
    chosen: dict[str, str] = {}
    for buffer, loops in open_arrays:
        if buffer.space != "Local":
            continue
        size = size_in_registers(kernel, buffer)
        if size is not None and size.constant is not None and size.constant * element_bytes(buffer) <= own:
            own -= size.constant * element_bytes(buffer)
        elif (
            size is None
            and not _is_filled_by_grid(kernel.body, buffer, loops)
            and _shared_bytes(buffer, loops, kernel) <= shared
        ):
            shared -= _shared_bytes(buffer, loops, kernel)
            chosen[buffer.name] = "Shared"
        else:
            chosen[buffer.name] = "Global"
    return replace(kernel, body=_moved(kernel.body, chosen)) if chosen else kernel


def _shared_bytes(buffer: Buffer, loops: Sequence[For], kernel: GpuKernel) -> int:
    """The bytes of shared memory that an array takes in a block, if each unit that allocates it has its own copy."""
    _, units = units_around(loops, kernel.launch)
    return units * padded_size(buffer, FRAGMENT_ALIGNMENT) * element_bytes(buffer)


def _is_filled_by_grid(body: Block, buffer: Buffer, around: Sequence[For]) -> bool:
    """Whether several blocks store to an array."""
    return any(
        cell.buffer.name == buffer.name
        and any(
            (level := level_of(loop)) is not None and level.name in GRID
            for loop in loops
            if loop not in around
        )
        for statement, loops in statements(body)
        for cell in stored_by(statement)
    )


def _moved(body: Block, chosen: Mapping[str, str]) -> Block:
    """The body with buffers moved to other memories, given by name."""

    def moved(buffer: Buffer) -> Buffer:
        return replace(buffer, space=chosen.get(buffer.name, buffer.space))

    def allocated(statement: Statement) -> tuple[Statement, ...]:
        return (
            replace(statement, buffer=moved(statement.buffer))
            if isinstance(statement, Allocate)
            else statement,
        )

    def replace_cell(cell: Cell) -> Cell:
        return replace(cell, buffer=moved(cell.buffer))

    return rewrite_block(map_statements(body, allocated), Parts(cell=replace_cell))
