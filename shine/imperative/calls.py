"""Calls of foreign functions that do what a loop does: the matrices in memory that they are passed.

Independent of the syntax of targets. The loop says what is read and stored; a function is passed a pointer to the first
element of each matrix, and the distance of its rows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NoReturn

from rise.naturals import Nat, NatVar, const
from rise.quotients import linear_in
from rise.types import ArrayType, Type
from shine.imperative.errors import fail
from shine.imperative.nodes import Allocate, Assign, AtomicUpdate, Buffer, DefineIndex, For, Matrix
from shine.imperative.walk import loads, statements, value_of

STORED: Final = "let the schedule end in single numbers, or store the array by rows before"


def matrices_of(loop: For) -> tuple[Matrix, ...]:
    """The matrix that a foreign function stores instead of a loop, and those that it reads, in the order in which the
    loop reads them. Raises TranslationError for others than the function declares.
    """
    function = loop.code
    assert function is not None and function.array is not None, loop
    counts: dict[NatVar, int] = {loop.index: 1}
    own: set[Buffer] = set()
    stored: list[tuple[Buffer, Nat]] = []
    read: list[tuple[Buffer, Nat]] = []
    for statement, _ in statements(loop.body):
        match statement:
            case For(index, count, "seq" | "unroll" | "simd") if count.constant is not None:
                counts[index] = count.constant
            case Allocate(buffer):
                own.add(buffer)
            case Assign(buffer, index):
                stored.append((buffer, index))
            case For() | AtomicUpdate() | DefineIndex():
                _refuse(loop, "loops with known numbers of iterations", "others")
            case _:
                pass
        value = value_of(statement)
        read += [(load.buffer, load.index) for load in (() if value is None else loads(value))]
    targets = _apart(stored, own)
    sources = _apart(read, own | {buffer for buffer, _ in targets})
    if len(targets) != 1 or len(sources) != len(function.arrays_read):
        wanted = f"one array to store and {len(function.arrays_read)} to read"
        _refuse(loop, wanted, f"{len(targets)} to store and {len(sources)} to read")
    (result,) = targets
    rows, columns = _axes(loop, result, function.array, counts)
    matrices = [_matrix(loop, result, function.array, counts)]
    for one, t in zip(sources, function.arrays_read, strict=True):
        down, across = _axes(loop, one, t, counts)
        if (rows is not None and rows is across) or (columns is not None and columns is down):
            _refuse(loop, f"rows of {one[0].name} whose numbers are neighbours", "columns of neighbours")
        matrices.append(_matrix(loop, one, t, counts))
    return tuple(matrices)


def _apart(cells: list[tuple[Buffer, Nat]], own: set[Buffer]) -> list[tuple[Buffer, Nat]]:
    """The different elements in buffers that are not the loop's own."""
    return list(dict.fromkeys(cell for cell in cells if cell[0] not in own))


def _extents(t: Type) -> tuple[int, int]:
    """The rows and columns of a matrix; a row is a matrix of one row."""
    extents: list[int] = []
    while isinstance(t, ArrayType):
        assert t.size.constant is not None, t
        extents.append(t.size.constant)
        t = t.element
    rows, columns = (1, *extents)[-2:]
    return rows, columns


def _linear(
    loop: For, cell: tuple[Buffer, Nat], counts: Mapping[NatVar, int]
) -> tuple[dict[NatVar, Nat], Nat]:
    """How far apart the elements of consecutive iterations of each loop are, and the index of the first element."""
    buffer, start = cell
    strides: dict[NatVar, Nat] = {}
    for variable, count in counts.items():
        parts = linear_in(start, variable)
        if parts is None:
            _refuse(loop, f"elements of {buffer.name} at fixed distances", "others")
        stride, start = parts
        if stride.terms and count > 1:
            strides[variable] = stride
    if any(not one.free.isdisjoint(counts) for one in (start, *strides.values())):
        _refuse(loop, f"elements of {buffer.name} at fixed distances", "others")
    return strides, start


def _axes(
    loop: For, cell: tuple[Buffer, Nat], t: Type, counts: Mapping[NatVar, int]
) -> tuple[NatVar | None, NatVar | None]:
    """The loops over the rows and over the columns of a matrix; None for an axis of one element."""
    strides, _ = _linear(loop, cell, counts)
    rows, columns = _extents(t)
    of_column = next((one for one, stride in strides.items() if stride.constant == 1), None)
    if columns == 1:
        of_column = None
    of_row = next((one for one in strides if one is not of_column), None)
    found = tuple(1 if one is None else counts[one] for one in (of_row, of_column))
    if found == (columns, rows) != (rows, columns):
        _refuse(loop, f"rows of {cell[0].name} whose numbers are neighbours", "columns of neighbours")
    if found != (rows, columns) or len(strides) > 2:
        shape = " x ".join(map(str, sorted(counts[one] for one in strides))) or "1"
        _refuse(
            loop, f"{rows} x {columns} numbers of {cell[0].name} in rows of neighbours", f"{shape} numbers"
        )
    return of_row, of_column


def _matrix(loop: For, cell: tuple[Buffer, Nat], t: Type, counts: Mapping[NatVar, int]) -> Matrix:
    """A matrix in memory; the distance of the rows is that of its columns if it has one row."""
    strides, start = _linear(loop, cell, counts)
    of_row, _ = _axes(loop, cell, t, counts)
    stride = strides[of_row] if of_row is not None else const(_extents(t)[1])
    return Matrix(cell[0], start, stride, True)


def _refuse(loop: For, wanted: str, found: str) -> NoReturn:
    assert loop.code is not None, loop
    fail("foreign-array", f"expected {wanted} in `{loop.code.name}`, found {found}", STORED, loop.origin)
