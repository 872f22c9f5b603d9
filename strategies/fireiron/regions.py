"""The regions into which a schedule cuts a product: a tree of tiles on the hierarchy of units, with the moves of each.

Depends on steps and specifications, but not on terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from rise.records import dataclass
from rise.scalars import SCALARS
from strategies.fireiron.specs import GL, Location, MatMulSpec, MoveSpec, Size, Spec
from strategies.fireiron.steps import (
    DoneStep,
    EpilogStep,
    LoadStep,
    MmaStep,
    SplitStep,
    StageStep,
    Step,
    TileStep,
    instruction,
)
from strategies.fireiron.units import grid_of

#: the location from which the initial values of sums come
ZEROS: Final = Location("zeros")


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix of a region, or the part of it that a move copies. `room` and `multiple` are those of its copy."""

    name: str
    rows: Size
    columns: Size
    location: Location
    element: str | None = None
    room: int = 0
    multiple: int = 1
    by_columns: bool = False

    @property
    def bytes(self) -> int | None:
        """Its size in bytes, with padding; None if a size or the type of its elements is not known."""
        if self.element is None or not isinstance(self.rows, int) or not isinstance(self.columns, int):
            return None
        lines, length = (self.columns, self.rows) if self.by_columns else (self.rows, self.columns)
        padded = -(-(length + self.room) // self.multiple) * self.multiple
        return lines * padded * SCALARS[self.element].bits // 8

    def __str__(self) -> str:
        text = f"{self.name}: {self.rows} x {self.columns} in {self.location}"
        return text if self.bytes is None else f"{text}, {self.bytes:,} bytes"


@dataclass(frozen=True, slots=True)
class Cut:
    """How the next region cuts a region: the rows and columns of a tile, or the number of products in a part of the
    sum. The pieces of a tile begin at multiples of `strides`.
    """

    rows: Size | None = None
    columns: Size | None = None
    depth: Size | None = None
    strides: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """What one unit computes or moves: the steps that lead to it, its matrices, how it is cut, and its moves."""

    steps: tuple[str, ...]
    spec: Spec
    matrices: tuple[Matrix, ...]
    count: str = ""
    cut: Cut | None = None
    moves: tuple[tuple[str, tuple[Region, ...]], ...] = ()
    executed: str = ""

    def __str__(self) -> str:
        head = " ".join((*self.steps, *([f"({self.count})"] if self.count else ())))
        return f"{head}  {'; '.join(map(str, self.matrices))}"


@dataclass(frozen=True, slots=True)
class Elements:
    """The scalar types of the elements of A, B and C; None if they are not known."""

    a: str | None = None
    b: str | None = None
    c: str | None = None


UNKNOWN_ELEMENTS: Final = Elements()


def regions_of(
    head: str, start: Spec, steps: Sequence[Step], elements: Elements = UNKNOWN_ELEMENTS
) -> tuple[Region, ...]:
    """The regions of a schedule, outermost first. A copy belongs to the region that reads it."""
    if isinstance(start, MoveSpec):
        return _regions_of_move(head, start, steps, "", None)
    spec = start
    found = [Region((head,), spec, _matrices(spec, elements))]
    for step in steps:
        left = step.predict(spec)
        assert isinstance(left, MatMulSpec)
        last = found[-1]
        match step:
            case TileStep() | SplitStep() | MmaStep():
                cut, count = _cut(step, spec, left)
                found[-1] = replace(last, cut=cut)
                found.append(Region((f".{step}",), left, _inside(last.matrices, left), count))
            case LoadStep():
                moved = _regions_of_move(
                    f"load {step.operand}",
                    step.moved(spec),
                    step.move,
                    step.operand,
                    _element(elements, step.operand),
                )
                found[-1] = replace(
                    last,
                    steps=(*last.steps, f".load({step.operand}, {step.location}){_refinements(step)}"),
                    spec=left,
                    matrices=tuple(
                        _copied(matrix, step) if matrix.name == step.operand else matrix
                        for matrix in last.matrices
                    ),
                    moves=(*last.moves, (f"load {step.operand}", moved)) if step.move else last.moves,
                )
            case EpilogStep():
                zeros = MoveSpec(spec.m, spec.n, ZEROS, step.location, spec.unit)
                sums = MoveSpec(spec.m, spec.n, step.location, GL, spec.unit)
                moves = tuple(
                    (name, _regions_of_move(name, move, inner, "C", elements.c))
                    for name, move, inner in (("init", zeros, step.init), ("store", sums, step.store))
                    if inner
                )
                found[-1] = replace(
                    last,
                    steps=(*last.steps, f".epilog({step.location})"),
                    spec=left,
                    matrices=tuple(
                        replace(matrix, location=step.location) if matrix.name == "C" else matrix
                        for matrix in last.matrices
                    ),
                    moves=(*last.moves, *moves),
                )
            case DoneStep():
                found[-1] = replace(last, steps=(*last.steps, ".done"), executed=instruction(spec) or "")
            case _:
                raise AssertionError(step)  # a step of moves, which products reject
        spec = left
    return tuple(found)


def _regions_of_move(
    head: str, start: MoveSpec, steps: Sequence[Step], name: str, element: str | None
) -> tuple[Region, ...]:
    matrix = Matrix(name or "matrix", start.rows, start.columns, start.target, element)
    found = [Region((f"{head}: {start.source} to {start.target}",), start, (matrix,))]
    spec: Spec = start
    for step in steps:
        left = step.predict(spec)
        last = found[-1]
        if isinstance(step, StageStep):
            staged = replace(last.matrices[0], location=step.location, room=step.room)
            found[-1] = replace(last, steps=(*last.steps, f".{step}"), spec=left, matrices=(staged,))
        else:
            assert isinstance(step, TileStep) and isinstance(left, MoveSpec)
            cut, count = _cut(step, spec, left)
            found[-1] = replace(last, cut=cut)
            tile = replace(last.matrices[0], rows=left.rows, columns=left.columns, room=0, multiple=1)
            found.append(Region((f".{step}",), left, (tile,), count))
        spec = left
    return tuple(found)


def _matrices(spec: MatMulSpec, elements: Elements) -> tuple[Matrix, ...]:
    return (
        Matrix("A", spec.m, spec.k, spec.a, elements.a),
        Matrix("B", spec.k, spec.n, spec.b, elements.b),
        Matrix("C", spec.m, spec.n, spec.c, elements.c),
    )


def _inside(matrices: tuple[Matrix, ...], left: MatMulSpec) -> tuple[Matrix, ...]:
    """The parts of the matrices that a tile has; padding belongs to the whole copy."""
    names = _matrices(left, UNKNOWN_ELEMENTS)
    return tuple(replace(new, element=old.element) for old, new in zip(matrices, names, strict=True))


def _element(elements: Elements, operand: str) -> str | None:
    return elements.a if operand == "A" else elements.b


def _copied(matrix: Matrix, step: LoadStep) -> Matrix:
    return replace(
        matrix,
        location=step.location,
        room=step.room,
        multiple=step.multiple,
        by_columns=step.order == "columns",
    )


def _refinements(step: LoadStep) -> str:
    """The refinements of a load, which its text has after the move."""
    return str(replace(step, move=())).removeprefix(f"load({step.operand}, {step.location})")


def _cut(step: Step, spec: Spec, left: Spec) -> tuple[Cut, str]:
    """How a step cuts a region, and the number of parts as text."""
    match step:
        case TileStep():
            grid = grid_of(step, spec)
            unit = str(step.unit) if step.unit is not None else "tile"
            count = "" if grid is None else f"{grid[0]} x {grid[1]} {unit}{'s' if grid != (1, 1) else ''}"
            return Cut(step.rows, step.columns, strides=step.strides), count
        case SplitStep():
            assert isinstance(spec, MatMulSpec)
            known = isinstance(spec.k, int)
            return Cut(depth=step.depth), f"{int(spec.k) // step.depth} iterations" if known else "a loop"
    assert isinstance(spec, MatMulSpec) and isinstance(left, MatMulSpec)
    wholes, pieces = (spec.m, spec.n, spec.k), (left.m, left.n, left.k)
    counts = [int(whole) // int(piece) for whole, piece in zip(wholes, pieces, strict=True)]
    return Cut(left.m, left.n, left.k), f"{' x '.join(map(str, counts))} instructions"
