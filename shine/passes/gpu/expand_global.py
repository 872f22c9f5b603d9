"""Combines the global arrays that the iterations of loops over levels allocate into one. Independent of launches.

The array is allocated before the kernel runs.
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

#: the dimensions of the grid along which each iteration has a part of an array, by the name of the array
Parted: TypeAlias = tuple[tuple[str, frozenset[int]], ...]


def expand_global(body: Block) -> tuple[Block, tuple[Buffer, ...], Parted]:
    """The body of a kernel without allocations in global memory, the arrays that it needs there, and how they are
    divided.
    """
    parted: dict[str, frozenset[int]] = {}
    combined: dict[str, tuple[Buffer, Nat]] = {}
    inner_names = {
        statement.index if isinstance(statement, For) else statement.name
        for statement, _ in statements(body)
        if isinstance(statement, For | DefineIndex)
    }
    for statement, loops in statements(body):
        if not isinstance(statement, Allocate) or statement.buffer.space != "Global":
            continue
        buffer, part_index, part_count = statement.buffer, const(0), const(1)
        for loop in loops:
            if level_of(loop) is not None:
                part_index, part_count = part_index * loop.count + nat(loop.index), part_count * loop.count
        if not buffer.size.free.isdisjoint(inner_names):
            title = f"expected {buffer.name} of the same length in each iteration, found a length that depends on it"
            hint = (
                "compute it where it is read, by `letToCall >> betaReduction`; or store all rows before the loop, by a"
                " separate map"
            )
            fail("global-size", title, hint, statement.origin)
        if not part_count.free.isdisjoint({loop.index for loop in loops}):
            title = f"expected as many parts of {buffer.name} in each iteration, found a number that depends on it"
            fail("global-size", title, "store it before the loop, or in Local", statement.origin)
        levels = (level_of(loop) for loop in loops)
        parted[buffer.name] = frozenset(level.dimension for level in levels if level and level.name in GRID)
        combined[buffer.name] = replace(buffer, size=buffer.size * part_count), part_index * buffer.size
    if not combined:
        return body, (), ()

    def replace_cell(cell: Cell) -> Cell:
        if cell.buffer.name not in combined:
            return cell
        buffer, start = combined[cell.buffer.name]
        return replace(cell, buffer=buffer, index=start + cell.index)

    _, body = take_allocations(body, "Global")
    arrays = tuple(buffer for buffer, _ in combined.values())
    return rewrite_block(body, Parts(cell=replace_cell)), arrays, tuple(parted.items())
