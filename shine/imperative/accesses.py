"""The loads and stores of statements, in order, and the nesting of parallel loops. Independent of terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import assert_never

from rise.naturals import Nat, NatVar
from rise.records import dataclass
from rise.types import FragmentType, VectorType
from shine.imperative.errors import nested_parallel
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    CommitCopies,
    Define,
    DefineIndex,
    FillFragment,
    For,
    If,
    LoadFragment,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Piece,
    Prefetch,
    Statement,
    StoreFragment,
    Value,
)
from shine.imperative.walk import loads, statements


@dataclass(frozen=True, slots=True)
class Access:
    """A load or a store of a run of elements, with the enclosing loops and guards in the block.

    A matrix in memory is one run for each of its rows, or columns, for which `loops` then has an index.
    """

    is_store: bool
    buffer: Buffer
    index: Nat
    lanes: int
    loops: tuple[NatVar, ...]
    guards: tuple[tuple[Nat, Nat], ...] = ()


def accesses(block: Block) -> Iterator[Access]:
    """The loads and stores of a block in order; a value's loads come before its store. An update is both."""
    waiting: list[tuple[Block | Statement, tuple[NatVar, ...], tuple[tuple[Nat, Nat], ...]]]
    waiting = [(block, (), ())]
    while waiting:
        node, loops, guards = waiting.pop()
        match node:
            case Block(statements):
                waiting += [(statement, loops, guards) for statement in reversed(statements)]
            case AtomicUpdate(_, buffer, index, value):
                yield from _loaded(value, loops, guards)
                yield Access(False, buffer, index, 1, loops, guards)
                yield Access(True, buffer, index, 1, loops, guards)
            case Assign(buffer, index, value):
                yield from _loaded(value, loops, guards)
                yield Access(True, buffer, index, lanes_in(value), loops, guards)
            case Define(_, value) | DefineIndex(_, value):
                yield from _loaded(value, loops, guards)
            case For(index=index, body=body):
                waiting.append((body, (*loops, index), guards))
            case If(condition, body):
                waiting.append((body, loops, (*guards, *condition.below)))
            case LoadFragment(target, source):
                yield in_memory(False, source, target.type, loops, guards)
                yield _piece(True, target, loops, guards)
            case StoreFragment(place, fragment):
                yield _piece(False, fragment, loops, guards)
                yield in_memory(True, place, fragment.type, loops, guards)
            case FillFragment(target, value):
                yield from _loaded(value, loops, guards)
                yield _piece(True, target, loops, guards)
            case MultiplyAdd(target, left, right, addend):
                yield from (_piece(False, piece, loops, guards) for piece in (left, right, addend))
                yield _piece(True, target, loops, guards)
            case MapFragment(target, sources, _, body, value):
                yield from (_piece(False, piece, loops, guards) for piece in sources)
                for access in accesses(body):
                    yield replace(access, loops=(*loops, *access.loops), guards=(*guards, *access.guards))
                yield from _loaded(value, loops, guards)
                yield _piece(True, target, loops, guards)
            case Allocate() | Barrier() | Prefetch() | AwaitCopies() | CommitCopies():
                pass
            case _:
                assert_never(node)


def in_memory(
    is_store: bool,
    matrix: Matrix,
    t: FragmentType,
    loops: tuple[NatVar, ...] = (),
    guards: tuple[tuple[Nat, Nat], ...] = (),
) -> Access:
    """The access to a matrix with the shape of a fragment. Unknown widths count as 1; targets reject them."""
    lines, width = (t.rows, t.columns) if matrix.by_rows else (t.columns, t.rows)
    lanes = 1 if width.constant is None else width.constant
    line = NatVar("line of a matrix", lines)
    index = matrix.index + matrix.stride * line
    return Access(is_store, matrix.buffer, index, lanes, (*loops, line), guards)


def _piece(
    is_store: bool, piece: Piece, loops: tuple[NatVar, ...], guards: tuple[tuple[Nat, Nat], ...]
) -> Access:
    return Access(is_store, piece.buffer, piece.index, 1, loops, guards)


def _loaded(value: Value, loops: tuple[NatVar, ...], guards: tuple[tuple[Nat, Nat], ...]) -> Iterator[Access]:
    for load in loads(value):
        yield Access(False, load.buffer, load.index, load.lanes, loops, guards)


def lanes_in(value: Value) -> int:
    """The number of elements of a value: its lanes, or 1."""
    if isinstance(value.type, VectorType):
        lanes = value.type.size.constant
        assert lanes is not None
        return lanes
    return 1


def check_nesting(loop: For) -> None:
    """Raise TranslationError for a parallel loop inside another one that contains anything besides it."""
    for inside, _ in statements(loop.body):
        if isinstance(inside, For) and inside.kind == "parallel" and loop.body.statements != (inside,):
            nested_parallel(inside.origin)
