"""Arrays in global memory that a kernel allocates in loops over levels: each iteration has its part of one array.

The array is there before the kernel runs. Knows no launch.
"""

from __future__ import annotations

from dataclasses import replace

from rise.naturals import Nat, const, nat
from shine.imperative import Allocate, Block, Buffer, DefineIndex, For
from shine.passes.gpu.levels import level_of, statements
from shine.passes.gpu.rewriting import take_allocations
from shine.rewriting import Cell, Parts, rewrite_block
from shine.translate.errors import fail


def expand_global(body: Block) -> tuple[Block, tuple[Buffer, ...]]:
    """The body of a kernel without allocations in global memory, and the arrays that it needs there."""
    found: dict[str, tuple[Buffer, Nat]] = {}
    within = {
        one.index if isinstance(one, For) else one.name
        for one, _ in statements(body)
        if isinstance(one, For | DefineIndex)
    }
    for statement, loops in statements(body):
        if not isinstance(statement, Allocate) or statement.buffer.space != "Global":
            continue
        buffer, number, units = statement.buffer, const(0), const(1)
        for loop in loops:
            if level_of(loop) is not None:
                number, units = number * loop.count + nat(loop.index), units * loop.count
        if not buffer.size.free.isdisjoint(within):
            title = f"expected {buffer.name} of as many elements in each iteration, found a length that depends on it"
            hint = "compute it where it is read, by `letToCall >> betaReduction`; or store all rows before the loop"
            fail("global-size", title, hint, statement.origin)
        if not units.free.isdisjoint({loop.index for loop in loops}):
            title = f"expected as many parts of {buffer.name} for each iteration, found a number that depends on it"
            fail("global-size", title, "store it before the loop, or in Local", statement.origin)
        found[buffer.name] = replace(buffer, size=buffer.size * units), number * buffer.size
    if not found:
        return body, ()

    def part(cell: Cell) -> Cell:
        if cell.buffer.name not in found:
            return cell
        buffer, start = found[cell.buffer.name]
        return replace(cell, buffer=buffer, index=start + cell.index)

    _, body = take_allocations(body, "Global")
    return rewrite_block(body, Parts(cell=part)), tuple(buffer for buffer, _ in found.values())
