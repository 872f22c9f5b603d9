"""Checks on finished statements: how parallel loops are nested, and what a loop reads back. Knows no terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import assert_never

from rise.indices import disjoint
from rise.naturals import Nat, NatVar
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
from shine.imperative.walk import loads


@dataclass(frozen=True, slots=True)
class Access:
    """A load or a store of a run of elements, with the loops and guards around it in the block.

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
                yield from _loaded(value, loops)
                yield Access(False, buffer, index, 1, loops, guards)
                yield Access(True, buffer, index, 1, loops, guards)
            case Assign(buffer, index, value):
                yield from _loaded(value, loops)
                yield Access(True, buffer, index, lanes_in(value), loops, guards)
            case Define(_, value) | DefineIndex(_, value):
                yield from _loaded(value, loops)
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
                yield from _loaded(value, loops)
                yield _piece(True, target, loops, guards)
            case MultiplyAdd(target, left, right, addend):
                yield from (_piece(False, piece, loops, guards) for piece in (left, right, addend))
                yield _piece(True, target, loops, guards)
            case MapFragment(target, sources, _, body, value):
                yield from (_piece(False, piece, loops, guards) for piece in sources)
                for access in accesses(body):
                    yield replace(access, loops=(*loops, *access.loops), guards=(*guards, *access.guards))
                yield from _loaded(value, loops)
                yield _piece(True, target, loops, guards)
            case Allocate() | Barrier() | Prefetch() | AwaitCopies():
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
    """The access to a matrix of a fragment's shape."""
    lines, width = (t.rows, t.columns) if matrix.by_rows else (t.columns, t.rows)
    assert width.constant is not None, t
    line = NatVar("line of a matrix", lines)
    index = matrix.index + matrix.stride * line
    return Access(is_store, matrix.buffer, index, width.constant, (*loops, line), guards)


def _piece(
    is_store: bool, piece: Piece, loops: tuple[NatVar, ...], guards: tuple[tuple[Nat, Nat], ...]
) -> Access:
    return Access(is_store, piece.buffer, piece.index, 1, loops, guards)


def _loaded(value: Value, loops: tuple[NatVar, ...]) -> Iterator[Access]:
    for load in loads(value):
        yield Access(False, load.buffer, load.index, load.lanes, loops)


def lanes_in(value: Value) -> int:
    """The number of elements of a value: its lanes, or 1."""
    if isinstance(value.type, VectorType):
        lanes = value.type.size.constant
        assert lanes is not None
        return lanes
    return 1


def check_nesting(loop: For) -> None:
    """Raise TranslationError for a parallel loop inside another one that contains anything else."""
    body = loop.body
    waiting: list[object] = [body]
    while waiting:
        match waiting.pop():
            case Block(statements):
                waiting += statements
            case If(body=inner):
                waiting.append(inner)
            case For(kind=kind, body=inner) as loop_inside:
                if kind == "parallel" and body.statements != (loop_inside,):
                    nested_parallel(loop_inside.origin)
                waiting.append(inner)
            case _:
                pass


def updates_in_place(
    block: Block, buffers: frozenset[str], merged: Mapping[str, Buffer] = MappingProxyType({})
) -> bool:
    """Whether a block that computes the next value of buffers from the current one reads nothing that it has
    overwritten.

    This holds if each buffer has one store, every load is of the very element that is stored, earlier in the same
    iteration, and different iterations store different elements. If an inner reduction accumulates in a buffer
    (`merged` has the outer buffer for each inner name), nothing else may access it.
    """
    for name in buffers:
        buffer_accesses = [access for access in accesses(block) if access.buffer.name == name]
        is_inner = any(
            access.buffer.name in merged and merged[access.buffer.name].name == name
            for access in accesses(block)
        )
        if is_inner and buffer_accesses:
            return False
        if not any(not access.is_store for access in buffer_accesses):
            continue
        stores = [position for position, access in enumerate(buffer_accesses) if access.is_store]
        if len(stores) != 1 or stores[0] != len(buffer_accesses) - 1:
            return False
        store = buffer_accesses[-1]
        for load in buffer_accesses[:-1]:
            same_iteration = load.loops[: len(store.loops)] == store.loops
            if load.index is not store.index or load.lanes != store.lanes or not same_iteration:
                return False
        for depth, loop in enumerate(store.loops):
            if not disjoint(
                store.index, store.lanes, store.index, store.lanes, loop, store.loops[depth + 1 :]
            ):
                return False
    return True
