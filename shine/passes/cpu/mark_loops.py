"""Loops marked for compilers of C: short ones to be written out, independent ones to run in lanes. Knows no target.

What is computed stays, and in its order. A window's loop that is written out leaves one loop around it, of which
compilers make vectors. A loop on OpenMP's threads forgets that arrays are apart; where it has many of them compilers
give up asking, though no turn stores what another one reads.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from rise.naturals import NatVar
from rise.quotients import linear_in
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    DefineIndex,
    For,
    If,
    Load,
    Procedure,
    Statement,
)
from shine.imperative.walk import loads

SHORT: Final = 15  # turns that are written out; 16 are lanes of a vector
FEW: Final = 32  # numbers that are kept while a loop runs that is written out
MANY: Final = 5  # arrays among which compilers no longer ask which overlap


def mark_loops(procedure: Procedure) -> Procedure:
    """The procedure with loops marked."""
    return replace(procedure, body=_block(procedure.body, False, False))


def _block(block: Block, is_inside: bool, is_parallel: bool) -> Block:
    return Block(tuple(_marked(one, is_inside, is_parallel) for one in block.statements))


def _marked(statement: Statement, is_inside: bool, is_parallel: bool) -> Statement:
    match statement:
        case For(count=count, kind=kind, body=body):
            body = _block(body, True, is_parallel or kind == "parallel")
            loop = replace(statement, body=body)
            if kind != "seq":
                return loop
            turns = count.constant
            if is_inside and turns is not None and 1 < turns <= SHORT and _is_small(body):
                return replace(loop, kind="unroll")
            return replace(loop, kind="simd") if is_parallel and _is_independent(loop) else loop
        case If(body=body):
            return replace(statement, body=_block(body, is_inside, is_parallel))
        case _:
            return statement


def _is_small(block: Block) -> bool:
    """Whether a body has no loop, and stores a few numbers at most: it sums, or fills what registers can hold."""
    for one in block.statements:
        match one:
            case Assign(buffer) | Allocate(buffer):
                if buffer.size.constant is None or buffer.size.constant > FEW:
                    return False
            case Define() | DefineIndex():
                pass
            case _:
                return False
    return True


def _is_independent(loop: For) -> bool:
    """Whether a loop of many arrays stores in each turn the next elements, and reads none that another turn stores."""
    statements = list(_plain(loop.body))
    if None in statements:
        return False
    own = {one.buffer for one in statements if isinstance(one, Allocate)}
    stored: dict[Buffer, set[object]] = {}
    loaded: dict[Buffer, set[object]] = {}
    for one in statements:
        match one:
            case Assign(buffer, index, value):
                if buffer not in own:
                    slope = linear_in(index, loop.index)
                    if slope is None or slope[0].constant != 1:
                        return False
                    stored.setdefault(buffer, set()).add(index)
                read = loads(value)
            case Define(_, value) | DefineIndex(_, value):
                read = loads(value)
            case _:
                continue
        for load in read:
            if not _is_near(load, loop.index):
                return False
            loaded.setdefault(load.buffer, set()).add(load.index)
    places = (indices | loaded.get(buffer, set()) for buffer, indices in stored.items())
    return len((stored.keys() | loaded.keys()) - own) >= MANY and all(len(each) == 1 for each in places)


def _plain(block: Block) -> Iterator[Statement | None]:
    """The statements of a block and of loops that are written out; None for any other kind."""
    for one in block.statements:
        match one:
            case Assign() | Define() | DefineIndex() | Allocate():
                yield one
            case For(kind="unroll", body=body):
                yield from _plain(body)
            case _:
                yield None


def _is_near(load: Load, index: NatVar) -> bool:
    """Whether neighbouring turns load neighbours, or the same."""
    slope = linear_in(load.index, index)
    return slope is not None and slope[0].constant in (0, 1)
