"""Combines the shared arrays that each warp, thread or lane allocates into one. Independent of targets.

Afterwards, arrays in shared memory belong to a block. They are allocated at the same places as before, at which their
previous values are lost.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from rise.indices import is_below
from rise.naturals import Nat, const, nat
from rise.quotients import remainder
from rise.text.nat_printer import show_nat
from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel, Launch
from shine.imperative.nodes import Allocate, Buffer, For, Level, Statement
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import map_statements, statements
from shine.passes.gpu.alignment import DEFAULT_ALIGNMENT, alignments, padded_size


def expand_shared(kernel: GpuKernel) -> GpuKernel:
    """The kernel with one shared array for all units that allocate their own.

    Raises TranslationError for an array whose size is not known.
    """
    moved: dict[str, tuple[Buffer, Nat]] = {}
    bytes_of = alignments(kernel.body)
    for statement, loops in statements(kernel.body):
        if isinstance(statement, Allocate) and statement.buffer.space == "Shared":
            buffer = statement.buffer
            if buffer.size.constant is None:
                fail(
                    "shared-size",
                    f"expected an array of a known size in shared memory, found {buffer.name} of "
                    f"{show_nat(buffer.size)} elements",
                    "fix the size with rise.specialise, or store one tile of a known size at a time",
                    statement.origin,
                )
            unit, units = units_around(loops, kernel.launch)
            if units != 1:
                size = padded_size(buffer, bytes_of.get(buffer.name, DEFAULT_ALIGNMENT))
                moved[buffer.name] = (replace(buffer, size=const(size * units)), size * unit)
    if not moved:
        return kernel

    def allocated(statement: Statement) -> tuple[Statement, ...]:
        if isinstance(statement, Allocate) and statement.buffer.name in moved:
            return (replace(statement, buffer=moved[statement.buffer.name][0]),)
        return (statement,)

    body = rewrite_block(kernel.body, Parts(cell=_in_combined(moved)))
    return replace(kernel, body=map_statements(body, allocated))


def units_around(loops: Sequence[For], launch: Launch) -> tuple[Nat, int]:
    """The index in a block of the unit that runs the body of some loops, and the number of such units.

    The outermost level is the most significant one. Loops over blocks do not count, since shared memory belongs to a
    block.
    """
    unit, units = const(0), 1
    for loop in loops:
        if not isinstance(loop.kind, Level) or loop.kind.name == "block":
            continue
        level = Level("threads", loop.kind.dimension) if loop.kind.name == "global" else loop.kind
        extent = launch.extent(level).constant
        assert extent is not None, "the threads of a block are counted"
        known = loop.count.constant
        unit_count = extent if known is None else min(known, extent)
        index = nat(loop.index)
        if not is_below(index, const(extent)):
            index = remainder(index, extent)
        unit, units = unit * unit_count + index, units * unit_count
    return unit, units


def _in_combined(moved: Mapping[str, tuple[Buffer, Nat]]) -> Callable[[Cell], Cell]:
    def replace_cell(cell: Cell) -> Cell:
        if cell.buffer.name not in moved:
            return cell
        buffer, start = moved[cell.buffer.name]
        return replace(cell, buffer=buffer, index=start + cell.index)

    return replace_cell
