"""Rebuilds statements with other naturals, buffers and values. Independent of passes, levels and launches.

Recursion follows the nesting of loops and of values, which translation bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import assert_never

from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatLike, NatVar, nat
from rise.records import dataclass
from rise.types import VectorType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    CommitCopies,
    Condition,
    Constant,
    Define,
    DefineIndex,
    Exchange,
    FillFragment,
    For,
    Guarded,
    If,
    Index,
    Load,
    LoadFragment,
    Local,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Operation,
    Piece,
    Prefetch,
    Statement,
    StoreFragment,
    Value,
)


@dataclass(frozen=True, slots=True)
class Cell:
    """A run of elements in memory, starting at an index, that a statement loads or stores."""

    buffer: Buffer
    index: Nat
    lanes: int = 1
    aligned: bool = True


def _same_cell(cell: Cell) -> Cell:
    return cell


def _same_natural(a: Nat) -> Nat:
    return a


@dataclass(frozen=True, slots=True)
class Parts:
    """The functions that replace the parts of statements. `cell` is applied to stores, fragments and matrices, and to
    loads unless `load` is given; `natural` is applied first, to all naturals; `operation` last, to operations.
    """

    natural: Callable[[Nat], Nat] = _same_natural
    cell: Callable[[Cell], Cell] = _same_cell
    load: Callable[[Load], Value] | None = None
    operation: Callable[[Operation], Value] | None = None


def substitution(values: Mapping[Atom, NatLike]) -> Parts:
    """The parts with naturals substituted for atoms."""
    free = frozenset(values)

    def substitute(a: Nat) -> Nat:
        return a if a.free.isdisjoint(free) else substitute_naturals(a, values)

    return Parts(natural=substitute)


def rewrite_block(block: Block, parts: Parts) -> Block:
    """The block with its parts replaced."""
    return Block(tuple(rewrite(statement, parts) for statement in block.statements))


def rewrite(statement: Statement, parts: Parts) -> Statement:
    """The statement and those inside it with their parts replaced. Allocated buffers keep their sizes."""
    match statement:
        case Assign(buffer, index, value, aligned):
            cell = parts.cell(Cell(buffer, parts.natural(index), run_of(buffer, value), aligned))
            value = rewrite_value(value, parts)
            return replace(statement, buffer=cell.buffer, index=cell.index, value=value, aligned=cell.aligned)
        case AtomicUpdate(_, buffer, index, value):
            cell = parts.cell(Cell(buffer, parts.natural(index)))
            value = rewrite_value(value, parts)
            return replace(statement, buffer=cell.buffer, index=cell.index, value=value)
        case Prefetch(buffer, index):
            cell = parts.cell(Cell(buffer, parts.natural(index)))
            return replace(statement, buffer=cell.buffer, index=cell.index)
        case Define(_, value):
            return replace(statement, value=rewrite_value(value, parts))
        case DefineIndex(name, value):
            return replace(statement, name=_variable(name, parts), value=rewrite_value(value, parts))
        case For(index, count, _, body):
            count, worth = parts.natural(count), statement.worth
            body = rewrite_block(body, parts)
            worth = None if worth is None else _condition(worth, parts)
            return replace(statement, index=_variable(index, parts), count=count, body=body, worth=worth)
        case If(condition, body):
            condition = _condition(condition, parts)
            return replace(statement, condition=condition, body=rewrite_block(body, parts))
        case LoadFragment(target, source):
            return replace(statement, target=_piece(target, parts), source=_matrix(source, parts))
        case StoreFragment(matrix, piece):
            return replace(statement, target=_matrix(matrix, parts), source=_piece(piece, parts))
        case FillFragment(target, value):
            return replace(statement, target=_piece(target, parts), value=rewrite_value(value, parts))
        case MultiplyAdd(target, left, right, addend, origin):
            target, left, right, addend = (_piece(piece, parts) for piece in (target, left, right, addend))
            return MultiplyAdd(target, left, right, addend, origin)
        case MapFragment(target, sources, _, body, value):
            return replace(
                statement,
                target=_piece(target, parts),
                sources=tuple(_piece(piece, parts) for piece in sources),
                body=rewrite_block(body, parts),
                value=rewrite_value(value, parts),
            )
        case Allocate() | Barrier() | AwaitCopies() | CommitCopies():
            return statement
    assert_never(statement)


def rewrite_value(value: Value, parts: Parts) -> Value:
    """The value with its parts replaced."""
    match value:
        case Load(buffer, index, lanes, aligned):
            value = replace(value, index=parts.natural(index))
            if parts.load is not None:
                return parts.load(value)
            cell = parts.cell(Cell(buffer, value.index, lanes_of(buffer, lanes), aligned))
            return replace(value, buffer=cell.buffer, index=cell.index, aligned=cell.aligned)
        case Index(a, t):
            return Index(parts.natural(a), t)
        case Operation(_, arguments):
            value = replace(value, arguments=tuple(rewrite_value(argument, parts) for argument in arguments))
            return value if parts.operation is None else parts.operation(value)
        case Guarded(condition, inner, otherwise, t):
            inner, otherwise = rewrite_value(inner, parts), rewrite_value(otherwise, parts)
            return Guarded(_condition(condition, parts), inner, otherwise, t)
        case Exchange(_, index, lane):
            return replace(value, index=parts.natural(index), lane=parts.natural(lane))
        case Constant() | Local():
            return value
    assert_never(value)


def lanes_of(buffer: Buffer, scalars: int) -> int:
    """The number of elements of a buffer that hold this number of scalars."""
    return 1 if isinstance(buffer.element, VectorType) else scalars


def run_of(buffer: Buffer, value: Value) -> int:
    """The number of elements of a buffer that a value fills."""
    lanes = value.type.size.constant if isinstance(value.type, VectorType) else 1
    assert lanes is not None, value
    return lanes_of(buffer, lanes)


def _variable(name: NatVar, parts: Parts) -> NatVar:
    """A bound variable with its range rewritten."""
    match parts.natural(nat(name)).terms:
        case ((((NatVar() as variable, 1),), 1),):
            return variable
    raise AssertionError(f"{name!r} is bound, and cannot be replaced")


def _condition(condition: Condition, parts: Parts) -> Condition:
    return Condition(tuple((parts.natural(a), parts.natural(b)) for a, b in condition.below))


def _piece(piece: Piece, parts: Parts) -> Piece:
    cell = parts.cell(Cell(piece.buffer, parts.natural(piece.index)))
    return Piece(cell.buffer, cell.index)


def _matrix(matrix: Matrix, parts: Parts) -> Matrix:
    cell = parts.cell(Cell(matrix.buffer, parts.natural(matrix.index)))
    stride = parts.natural(matrix.stride)
    return replace(matrix, buffer=cell.buffer, index=cell.index, stride=stride)
