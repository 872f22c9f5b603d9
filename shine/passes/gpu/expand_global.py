"""Arrays in global memory that a kernel allocates in loops over levels: each iteration has its part of one array.

The array is there before the kernel runs. Knows no launch.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from rise.naturals import Nat, const, nat
from shine.imperative.errors import fail
from shine.imperative.levels import GRID, level_of
from shine.imperative.nodes import Allocate, Block, Buffer, DefineIndex, For
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.statements import take_allocations
from shine.imperative.walk import statements

#: dimensions of the grid along which each iteration has a part of an array, by the name of the array
Parted: TypeAlias = tuple[tuple[str, frozenset[int]], ...]


def expand_global(body: Block) -> tuple[Block, tuple[Buffer, ...], Parted]:
    """The body of a kernel without allocations in global memory, the arrays that it needs there, and how these are
    parted.
    """
    parted: dict[str, frozenset[int]] = {}
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
            hint = (
                "compute it where it is read, by `letToCall >> betaReduction`; or store all rows before the loop, by a"
                " map of their own"
            )
            fail("global-size", title, hint, statement.origin)
        if not units.free.isdisjoint({loop.index for loop in loops}):
            title = f"expected as many parts of {buffer.name} for each iteration, found a number that depends on it"
            fail("global-size", title, "store it before the loop, or in Local", statement.origin)
        levels = (level_of(loop) for loop in loops)
        parted[buffer.name] = frozenset(one.dimension for one in levels if one and one.name in GRID)
        found[buffer.name] = replace(buffer, size=buffer.size * units), number * buffer.size
    if not found:
        return body, (), ()

    def part(cell: Cell) -> Cell:
        if cell.buffer.name not in found:
            return cell
        buffer, start = found[cell.buffer.name]
        return replace(cell, buffer=buffer, index=start + cell.index)

    _, body = take_allocations(body, "Global")
    arrays = tuple(buffer for buffer, _ in found.values())
    return rewrite_block(body, Parts(cell=part)), arrays, tuple(parted.items())
