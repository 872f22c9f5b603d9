"""Combines the global arrays that the iterations of loops over levels allocate into one. Independent of launches.

The array is allocated before the kernel runs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NoReturn, TypeAlias

from rise.naturals import Nat, const
from shine.imperative.errors import fail
from shine.imperative.levels import level_of
from shine.imperative.nodes import Allocate, Block, Buffer, DefineIndex, For, Level, Procedure
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.statements import take_allocations
from shine.imperative.walk import statements
from shine.passes.gpu.row_parts import row_sums

#: the levels over which loops run of which each iteration has a part of an array, by the name of the array
Parted: TypeAlias = tuple[tuple[str, frozenset[Level]], ...]


def expand_global(body: Block, procedure: Procedure) -> tuple[Block, tuple[Buffer, ...], Parted]:
    """The body of a kernel without allocations in global memory, the arrays that it needs there, and how they are
    divided. It is a kernel of the procedure.
    """
    parted: dict[str, frozenset[Level]] = {}
    combined: dict[str, tuple[Buffer, Nat]] = {}
    inner_names = {
        statement.index if isinstance(statement, For) else statement.name
        for statement, _ in statements(body)
        if isinstance(statement, For | DefineIndex)
    }
    sums = row_sums(body, procedure)
    for statement, loops in statements(body):
        if not isinstance(statement, Allocate) or statement.buffer.space != "Global":
            continue
        buffer = statement.buffer
        start, size = const(0), buffer.size
        for loop in reversed(loops):
            parts = sums.parts(size, loop)
            if parts is None:
                _refuse(statement)
            start, size = parts[0] + start, parts[1]
        if not size.free.isdisjoint(inner_names):
            _refuse(statement)
        levels = (level_of(loop) for loop in loops)
        parted[buffer.name] = frozenset(level for level in levels if level)
        combined[buffer.name] = replace(buffer, size=size), start
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


def _refuse(statement: Allocate) -> NoReturn:
    title = (
        "expected a temporary array of the same length in each iteration, found a length that depends on it"
    )
    hint = (
        "pass lengths as a function of sizes, `{len: nat -> nat}`; compute the array where it is read, by `letToCall >>"
        " betaReduction`; or store all rows before the loop, by a separate map"
    )
    fail("global-size", title, hint, statement.origin)
