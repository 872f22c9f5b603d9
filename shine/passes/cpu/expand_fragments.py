"""Expands fragments for targets without tensor cores: matrices in temporaries, products as loops.

Independent of targets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rise.naturals import Nat, NatVar, const, nat
from rise.types import FragmentType, ScalarType
from shine.imperative.errors import fail
from shine.imperative.names import Names
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    FillFragment,
    For,
    Load,
    LoadFragment,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Operation,
    Origin,
    Piece,
    Procedure,
    Statement,
    StoreFragment,
    Value,
    scalar_of,
)
from shine.imperative.statements import names_of
from shine.imperative.walk import map_statements


def expand_fragments(procedure: Procedure) -> Procedure:
    """The procedure without fragments: each is a row-major matrix in memory; sums of products run in the order of k,
    in the accumulator's type.
    """
    parameters = (*procedure.inputs, procedure.output)
    buffers = (buffer.name for parameter in parameters for buffer in parameter.buffers)
    names = names_of(procedure.body, (*(size.name for size in procedure.sizes), *buffers))
    body = map_statements(procedure.body, lambda statement: _without_fragments(statement, names))
    return replace(procedure, body=body)


def _without_fragments(statement: Statement, names: Names) -> list[Statement]:
    match statement:
        case Allocate(buffer) if isinstance(buffer.element, FragmentType):
            return [replace(statement, buffer=_matrices(buffer))]
        case LoadFragment() | StoreFragment() | FillFragment() | MultiplyAdd() | MapFragment():
            return _expanded(statement, names)
        case _:
            return [statement]


def _matrices(buffer: Buffer) -> Buffer:
    t = buffer.element
    assert isinstance(t, FragmentType), buffer
    return replace(buffer, element=scalar_of(t.element), size=buffer.size * t.rows * t.columns)


def _number(piece: Piece, i: Nat, j: Nat) -> Load:
    """A number of a fragment."""
    t = piece.type
    buffer = _matrices(piece.buffer)
    return Load(buffer, (piece.index * t.rows + i) * t.columns + j, 1, True, scalar_of(t.element))


def _element(matrix: Matrix, i: Nat, j: Nat) -> Load:
    """An element of a matrix in memory."""
    step = i * matrix.stride + j if matrix.by_rows else i + j * matrix.stride
    assert isinstance(matrix.buffer.element, ScalarType), matrix.buffer
    return Load(matrix.buffer, matrix.index + step, 1, True, matrix.buffer.element)


def _expanded(
    statement: LoadFragment | StoreFragment | FillFragment | MultiplyAdd | MapFragment, names: Names
) -> list[Statement]:
    origin = statement.origin
    match statement:
        case LoadFragment(target, source):
            return _loops(
                target,
                names,
                origin,
                lambda i, j: [_set(_number(target, i, j), _element(source, i, j), origin)],
            )
        case StoreFragment(matrix, piece):
            return _loops(
                piece,
                names,
                origin,
                lambda i, j: [_set(_element(matrix, i, j), _number(piece, i, j), origin)],
            )
        case FillFragment(target, value):
            return _loops(target, names, origin, lambda i, j: [_set(_number(target, i, j), value, origin)])
        case MapFragment(target, sources, parameters, body, value):

            def compute(i: Nat, j: Nat) -> list[Statement]:
                numbers = zip(parameters, sources, strict=True)
                read = [Define(local, _number(source, i, j), origin) for local, source in numbers]
                return [*read, *body.statements, _set(_number(target, i, j), value, origin)]

            return _loops(target, names, origin, compute)
        case MultiplyAdd():
            return _product(statement, names)


def _product(statement: MultiplyAdd, names: Names) -> list[Statement]:
    origin, t = statement.origin, statement.target.type
    if statement.foreign is not None:
        title = f"expected a GPU for fragments in `{statement.foreign.name}`, found a processor"
        fail("foreign-text", title, "omit the foreign function, or build for a GPU target", origin)
    scalar = scalar_of(t.element)

    def factor(number: Load) -> Value:
        return number if number.type == scalar else Operation("cast", (number,), scalar)

    def sum_up(i: Nat, j: Nat) -> list[Statement]:
        total = Buffer(names.fresh("sum"), scalar, const(1), "Local", origin)
        current = Load(total, const(0), 1, True, scalar)
        k = NatVar(names.fresh("i_k"), t.depth)
        factors = (_number(statement.left, i, nat(k)), _number(statement.right, nat(k), j))
        product = Operation("mul", tuple(map(factor, factors)), scalar)
        step = _set(current, Operation("add", (current, product), scalar), origin)
        return [
            Allocate(total, origin),
            _set(current, _number(statement.addend, i, j), origin),
            For(k, t.depth, "seq", Block((step,)), origin),
            _set(_number(statement.target, i, j), current, origin),
        ]

    return _loops(statement.target, names, origin, sum_up)


def _set(place: Load, value: Value, origin: Origin) -> Assign:
    return Assign(place.buffer, place.index, value, place.aligned, origin)


def _loops(
    piece: Piece, names: Names, origin: Origin, compute: Callable[[Nat, Nat], list[Statement]]
) -> list[Statement]:
    """Loops that run statements for every number of a fragment."""
    t = piece.type
    i, j = NatVar(names.fresh("i_row"), t.rows), NatVar(names.fresh("i_column"), t.columns)
    inner = For(j, t.columns, "seq", Block(tuple(compute(nat(i), nat(j)))), origin)
    return [For(i, t.rows, "seq", Block((inner,)), origin)]
