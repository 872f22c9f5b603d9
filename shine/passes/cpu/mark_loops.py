"""Marks loops for C compilers: short ones to unroll, independent ones to vectorise. Independent of targets.

The computation and its order do not change. If the loop over a window is unrolled, compilers vectorise the enclosing
loop. Loops over sums in a thread's memory with one iteration per lane of a vector become single vectors. In a loop on
OpenMP threads, compilers lose the information that arrays do not overlap; with many arrays, they give up checking for
overlap, although no iteration stores what another one reads.
"""

from __future__ import annotations

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
from shine.imperative.walk import loads, statements

MAX_UNROLLED_ITERATIONS: Final = 15  # gcc vectorises longer loops, and turns these into scalars
MAX_UNROLLED_NUMBERS: Final = 32  # in the arrays of the body of an unrolled loop
VECTOR_ITERATIONS: Final = (
    4,
    8,
    16,
)  # of loops that are one vector, which gcc unrolls before it vectorises
MIN_SIMD_ARRAYS: Final = 5  # for fewer arrays, compilers themselves check for overlap


def mark_loops(procedure: Procedure) -> Procedure:
    """The procedure with loops marked."""
    return replace(procedure, body=_block(procedure.body, False, False))


def _block(block: Block, is_inside: bool, is_parallel: bool) -> Block:
    return Block(tuple(_marked(statement, is_inside, is_parallel) for statement in block.statements))


def _marked(statement: Statement, is_inside: bool, is_parallel: bool) -> Statement:
    match statement:
        case For(count=count, kind=kind, body=body):
            body = _block(body, True, is_parallel or kind == "parallel")
            loop = replace(statement, body=body)
            if kind != "seq":
                return loop
            iterations = count.constant
            if is_inside and iterations in VECTOR_ITERATIONS and _fills_vector(loop):
                return replace(loop, kind="simd")
            if (
                is_inside
                and iterations is not None
                and 1 < iterations <= MAX_UNROLLED_ITERATIONS
                and _is_small(body)
            ):
                return replace(loop, kind="unroll")
            is_simd = is_parallel and _is_independent(loop, MIN_SIMD_ARRAYS)
            return replace(loop, kind="simd") if is_simd else loop
        case If(body=body):
            return replace(statement, body=_block(body, is_inside, is_parallel))
        case _:
            return statement


def _fills_vector(loop: For) -> bool:
    """Whether a short loop combines numbers in its thread's own memory, consecutive ones in consecutive iterations."""
    stores = [one for one, _ in statements(loop.body) if isinstance(one, Assign)]
    is_local = all(one.buffer.space == "Local" for one in stores)
    return is_local and any(any(loads(one.value)) for one in stores) and _is_independent(loop, 0)


def _is_small(block: Block) -> bool:
    """Whether a body has no loop and stores to small arrays only, which registers can hold."""
    for statement in block.statements:
        match statement:
            case Assign(buffer) | Allocate(buffer):
                if buffer.size.constant is None or buffer.size.constant > MAX_UNROLLED_NUMBERS:
                    return False
            case Define() | DefineIndex():
                pass
            case _:
                return False
    return True


def _is_independent(loop: For, least: int) -> bool:
    """Whether a loop over many arrays stores consecutive elements, and no iteration reads what another one
    stores.
    """
    plain = [one for one, _ in statements(loop.body)]
    if not all(map(_is_plain, plain)):
        return False
    own_buffers = {statement.buffer for statement in plain if isinstance(statement, Allocate)}
    stored: dict[Buffer, set[object]] = {}
    loaded: dict[Buffer, set[object]] = {}
    for statement in plain:
        match statement:
            case Assign(buffer, index, value):
                if buffer not in own_buffers:
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
    return len((stored.keys() | loaded.keys()) - own_buffers) >= least and all(
        len(indices) == 1 for indices in places
    )


def _is_plain(statement: Statement) -> bool:
    """Whether a statement is a computation on one thread, a condition, or an unrolled loop."""
    match statement:
        case For(kind=kind):
            return kind == "unroll"
        case _:
            return isinstance(statement, Assign | Define | DefineIndex | Allocate | If)


def _is_near(load: Load, index: NatVar) -> bool:
    """Whether consecutive iterations load consecutive elements, or the same one."""
    slope = linear_in(load.index, index)
    return slope is not None and slope[0].constant in (0, 1)
