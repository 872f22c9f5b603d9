"""Make one array in shared memory of those that each warp, thread or lane has of its own. Knows no target.

After it, arrays in shared memory are allocated at the top of a kernel, and belong to a block.
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
from shine.imperative.nodes import Allocate, Block, Buffer, For, Level
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.statements import take_allocations
from shine.imperative.walk import statements
from shine.passes.gpu.alignment import USUAL, alignments, padded_size


def expand_shared(kernel: GpuKernel) -> GpuKernel:
    """The kernel with its arrays in shared memory at the top, one for all units that have one of their own.

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
                size = padded_size(buffer, bytes_of.get(buffer.name, USUAL))
                moved[buffer.name] = (replace(buffer, size=const(size * units)), size * unit)
    allocations, body = take_allocations(kernel.body, "Shared")
    if not allocations:
        return kernel
    top = [replace(one, buffer=moved.get(one.buffer.name, (one.buffer,))[0]) for one in allocations]
    body = rewrite_block(body, Parts(cell=_in_all(moved))) if moved else body
    return replace(kernel, body=Block((*top, *body.statements)))


def units_around(loops: Sequence[For], launch: Launch) -> tuple[Nat, int]:
    """The number of the unit in a block that runs what stands in loops, and how many units do.

    Units of the outermost level come first in it. Loops over blocks have none, since arrays in shared memory are a
    block's.
    """
    unit, units = const(0), 1
    for loop in loops:
        if not isinstance(loop.kind, Level) or loop.kind.name == "block":
            continue
        here = Level("threads", loop.kind.dimension) if loop.kind.name == "global" else loop.kind
        extent = launch.extent(here).constant
        assert extent is not None, "the threads of a block are counted"
        known = loop.count.constant
        most = extent if known is None else min(known, extent)
        index = nat(loop.index)
        if not is_below(index, const(extent)):
            index = remainder(index, extent)
        unit, units = unit * most + index, units * most
    return unit, units


def _in_all(moved: Mapping[str, tuple[Buffer, Nat]]) -> Callable[[Cell], Cell]:
    def put(cell: Cell) -> Cell:
        if cell.buffer.name not in moved:
            return cell
        buffer, start = moved[cell.buffer.name]
        return replace(cell, buffer=buffer, index=start + cell.index)

    return put
