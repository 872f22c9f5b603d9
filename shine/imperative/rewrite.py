"""Rebuilds statements with other naturals, buffers and values. Independent of passes, levels and launches.

Recursion follows the nesting of loops and of values, which translation bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from operator import is_
from typing import Any, TypeVar, assert_never

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

_N = TypeVar("_N", bound=Any)  # a record of these nodes
_T = TypeVar("_T", bound=tuple[Any, ...])


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


def _with(node: _N, **fields: Any) -> _N:
    """The node with these fields; the node itself if they are the same objects, so that what is known of it stays."""
    for name, value in fields.items():
        if getattr(node, name) is not value:
            return replace(node, **fields)
    return node


def _each(parts: _T, function: Callable[[Any], Any]) -> _T:
    """The results of a function for some parts; the parts themselves if they are the same objects."""
    results: Any = tuple(map(function, parts))
    return parts if all(map(is_, results, parts)) else results


def rewrite_block(block: Block, parts: Parts) -> Block:
    """The block with its parts replaced."""
    return _with(block, statements=_each(block.statements, lambda statement: rewrite(statement, parts)))


def rewrite(statement: Statement, parts: Parts) -> Statement:
    """The statement and those inside it with their parts replaced. Allocated buffers keep their sizes."""
    match statement:
        case Assign(buffer, index, value, aligned):
            cell = parts.cell(Cell(buffer, parts.natural(index), run_of(buffer, value), aligned))
            value = rewrite_value(value, parts)
            return _with(statement, buffer=cell.buffer, index=cell.index, value=value, aligned=cell.aligned)
        case AtomicUpdate(_, buffer, index, value):
            cell = parts.cell(Cell(buffer, parts.natural(index)))
            value = rewrite_value(value, parts)
            return _with(statement, buffer=cell.buffer, index=cell.index, value=value)
        case Prefetch(buffer, index):
            cell = parts.cell(Cell(buffer, parts.natural(index)))
            return _with(statement, buffer=cell.buffer, index=cell.index)
        case Define(_, value):
            return _with(statement, value=rewrite_value(value, parts))
        case DefineIndex(name, value):
            return _with(statement, name=_variable(name, parts), value=rewrite_value(value, parts))
        case For(index, count, _, body):
            count, worth = parts.natural(count), statement.worth
            body = rewrite_block(body, parts)
            worth = None if worth is None else _condition(worth, parts)
            return _with(statement, index=_variable(index, parts), count=count, body=body, worth=worth)
        case If(condition, body):
            condition = _condition(condition, parts)
            return _with(statement, condition=condition, body=rewrite_block(body, parts))
        case LoadFragment(target, source):
            return _with(statement, target=_piece(target, parts), source=_matrix(source, parts))
        case StoreFragment(matrix, piece):
            return _with(statement, target=_matrix(matrix, parts), source=_piece(piece, parts))
        case FillFragment(target, value):
            return _with(statement, target=_piece(target, parts), value=rewrite_value(value, parts))
        case MultiplyAdd(target, left, right, addend):
            target, left, right, addend = (_piece(piece, parts) for piece in (target, left, right, addend))
            return _with(statement, target=target, left=left, right=right, addend=addend)
        case MapFragment(target, sources, _, body, value):
            return _with(
                statement,
                target=_piece(target, parts),
                sources=_each(sources, lambda piece: _piece(piece, parts)),
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
            value = _with(value, index=parts.natural(index))
            if parts.load is not None:
                return parts.load(value)
            cell = parts.cell(Cell(buffer, value.index, lanes_of(buffer, lanes), aligned))
            return _with(value, buffer=cell.buffer, index=cell.index, aligned=cell.aligned)
        case Index(a):
            return _with(value, value=parts.natural(a))
        case Operation(_, arguments):
            value = _with(value, arguments=_each(arguments, lambda argument: rewrite_value(argument, parts)))
            return value if parts.operation is None else parts.operation(value)
        case Guarded(condition, inner, otherwise):
            inner, otherwise = rewrite_value(inner, parts), rewrite_value(otherwise, parts)
            return _with(value, condition=_condition(condition, parts), value=inner, otherwise=otherwise)
        case Exchange(_, index, lane):
            return _with(value, index=parts.natural(index), lane=parts.natural(lane))
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
    return _with(condition, below=_each(condition.below, lambda pair: _each(pair, parts.natural)))


def _piece(piece: Piece, parts: Parts) -> Piece:
    cell = parts.cell(Cell(piece.buffer, parts.natural(piece.index)))
    return _with(piece, buffer=cell.buffer, index=cell.index)


def _matrix(matrix: Matrix, parts: Parts) -> Matrix:
    cell = parts.cell(Cell(matrix.buffer, parts.natural(matrix.index)))
    stride = parts.natural(matrix.stride)
    return _with(matrix, buffer=cell.buffer, index=cell.index, stride=stride)
