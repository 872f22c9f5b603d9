"""Gives each lane its own elements of the matrices in local memory that fragments are stored to.

Independent of targets.

The record of an instruction says which lane holds which number of an accumulator, so a matrix in `Local` stays in the
registers where it is: storing it moves no data, and a lane may read the numbers that it holds. An array may contain
many such matrices; each lane keeps its parts of them one after the other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rise.hardware import Coordinates
from rise.indices import is_multiple
from rise.naturals import Nat, const
from rise.quotients import ceiling_quotient, floor_quotient, remainder
from rise.records import dataclass
from rise.text.nat_printer import show_nat
from rise.text.type_printer import brief_type
from rise.types import FragmentType, ScalarType
from shine.imperative.errors import fail
from shine.imperative.fragments import instructions_of
from shine.imperative.kernels import LANES, GpuKernel
from shine.imperative.nodes import (
    Allocate,
    Block,
    Buffer,
    For,
    If,
    Level,
    Load,
    Matrix,
    Operation,
    Origin,
    Statement,
    StoreFragment,
    Value,
)
from shine.imperative.rewrite import Cell, Parts, rewrite
from shine.imperative.walk import statements
from shine.passes.gpu.ownership import IN_SHARED, is_same, running_unit

_LANE: Final = Level("lane", 0)


@dataclass(frozen=True, slots=True)
class Layout:
    """An array of matrices of `rows` x `columns`, in lines of `stride` numbers, and which lane holds which number."""

    buffer: Buffer
    rows: int
    columns: int
    stride: Nat
    coordinates: Coordinates

    @property
    def held(self) -> int:
        """The count of numbers of a matrix that a lane holds."""
        return len(self.coordinates.offsets)

    @property
    def own(self) -> Buffer:
        """A lane's own part of the array."""
        matrices = ceiling_quotient(self.buffer.size, const(self.rows * self.columns))
        return replace(self.buffer, size=matrices * self.held)

    def first(self, index: Nat) -> Nat:
        """The index at which a lane keeps the first number of the matrix that contains the element at an index."""
        row, column = floor_quotient(index, self.stride), remainder(index, self.stride)
        across = floor_quotient(self.stride, const(self.columns))
        matrix = floor_quotient(row, const(self.rows)) * across + floor_quotient(column, const(self.columns))
        return matrix * self.held

    def find(self, index: Nat) -> tuple[Nat, Nat]:
        """The lane that holds an element, and the index at which it does."""
        row = remainder(floor_quotient(index, self.stride), const(self.rows))
        column = remainder(remainder(index, self.stride), const(self.columns))
        of_number = [self.coordinates.offsets[1 << bit] for bit in range(self.held.bit_length() - 1)]
        lane = _placed(row, column, (self.rows, self.columns), self.coordinates.bits)
        return lane, self.first(index) + _placed(row, column, (self.rows, self.columns), of_number)


def _placed(row: Nat, column: Nat, extent: tuple[int, int], bits: Sequence[tuple[int, int]]) -> Nat:
    """The number each of whose bits is a bit of a row or of a column: `bits` has the place of each, lowest first.

    Neighbouring bits are moved together.
    """
    found: Nat = const(0)
    low = 0
    while low < len(bits):
        axis = 0 if bits[low][0] else 1
        source, place, end = (row, column)[axis], bits[low][axis], low + 1
        while end < len(bits) and bits[end] == tuple(one << end - low for one in bits[low]):
            end += 1
        part = floor_quotient(source, const(place)) if place > 1 else source
        if place << end - low < extent[axis]:
            part = remainder(part, const(1 << end - low))
        found, low = found + part * (1 << low), end
    return found


def distribute_matrices(kernel: GpuKernel) -> GpuKernel:
    """The kernel with matrices in local memory reduced to the part of each lane.

    Raises TranslationError if it is unknown which lanes hold the numbers of a matrix, or if a lane reads a number of
    another lane.
    """
    layouts: dict[str, Layout] = {}
    for statement, _ in statements(kernel.body):
        match statement:
            case StoreFragment(Matrix(Buffer(space="Local")) as matrix, piece, origin):
                layout = _layout(matrix, piece.type, origin)
                if layouts.setdefault(matrix.buffer.name, layout) != layout:
                    title = f"expected matrices of one shape in the registers {matrix.buffer.name}, found two"
                    fail("registers", title, "store each in a separate array", origin)
            case _:
                pass
    return replace(kernel, body=_block(kernel.body, layouts, kernel, ())) if layouts else kernel


def _layout(matrix: Matrix, t: FragmentType, origin: Origin) -> Layout:
    for instruction in instructions_of(t)[:1]:  # all that take a fragment agree
        coordinates = instruction.coordinates_of(t.role)
        rows, columns = instruction.extent_of(t.role)
        row, column = floor_quotient(matrix.index, matrix.stride), remainder(matrix.index, matrix.stride)
        if (
            coordinates is not None
            and matrix.by_rows
            and is_multiple(row, const(rows))
            and all(is_multiple(one, const(columns)) for one in (column, matrix.stride))
        ):
            return Layout(matrix.buffer, rows, columns, matrix.stride, coordinates)
    title = (
        f"expected a fragment whose lanes hold known numbers, to keep it in registers, found {brief_type(t)}"
    )
    hint = f"choose the shape of an `mma.sync`, such as 16 x 8 x 16, or {IN_SHARED}"
    fail("registers", title, hint, origin)


def _block(block: Block, layouts: dict[str, Layout], kernel: GpuKernel, loops: tuple[For, ...]) -> Block:
    rebuilt: list[Statement] = []
    for statement in block.statements:
        match statement:
            case For(body=body):
                rebuilt.append(replace(statement, body=_block(body, layouts, kernel, (*loops, statement))))
            case If(body=body):
                rebuilt.append(replace(statement, body=_block(body, layouts, kernel, loops)))
            case Allocate(buffer) if buffer.name in layouts:
                rebuilt.append(replace(statement, buffer=layouts[buffer.name].own))
            case StoreFragment(matrix) if matrix.buffer.name in layouts:
                layout = layouts[matrix.buffer.name]
                kept = replace(matrix, buffer=layout.own, index=layout.first(matrix.index))
                rebuilt.append(replace(statement, target=kept))
            case _:
                running = running_unit(_LANE, loops, kernel.launch)
                is_lane = kernel.launch.lanes[0] == LANES
                rebuilt.append(_read(statement, layouts, running if is_lane else None))
    return Block(tuple(rebuilt))


def _read(statement: Statement, layouts: dict[str, Layout], running: Nat | None) -> Statement:
    """The statement with its loads from matrices replaced by registers of the lane that runs it."""

    def load(value: Load) -> Value:
        layout = layouts.get(value.buffer.name)
        if layout is None:
            return value
        scalar = value.buffer.element
        assert isinstance(scalar, ScalarType), value
        found: list[Value] = []
        for i in range(value.lanes):
            lane, index = layout.find(value.index + i)
            if running is None or not is_same(lane, running):
                who = "all lanes read" if running is None else f"lane {show_nat(running)} reads"
                fail(
                    "registers",
                    f"expected each lane to read its own numbers of the matrix {value.buffer.name}, found that {who}"
                    f" what lane {show_nat(lane)} holds",
                    f"read them as `inLanes` orders them, or {IN_SHARED}",
                    statement.origin,
                )
            found.append(Load(layout.own, index, 1, True, scalar))
        return found[0] if value.lanes == 1 else Operation("vector", tuple(found), value.type)

    def stored(cell: Cell) -> Cell:
        if cell.buffer.name in layouts:
            title = f"expected fragments to be all that is stored in the registers {cell.buffer.name}"
            fail(
                "registers",
                f"{title}, found a number",
                f"copy the fragment's matrix, or {IN_SHARED}",
                statement.origin,
            )
        return cell

    return rewrite(statement, Parts(cell=stored, load=load))
