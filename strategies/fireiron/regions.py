"""The regions into which a schedule cuts arrays: a tree of tiles on the hierarchy of units, with the moves of each.

Depends on steps and specifications, but not on terms.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from rise.records import dataclass
from rise.scalars import SCALARS
from strategies.fireiron.specs import GL, MOVE, Location, Size, Spec, move_of, shown_sizes
from strategies.fireiron.steps import (
    DoneStep,
    EpilogStep,
    FirstStep,
    LoadStep,
    MmaStep,
    PartsStep,
    ShareStep,
    SplitStep,
    StageStep,
    Step,
    instruction,
)
from strategies.fireiron.tiles import TileStep
from strategies.fireiron.units import grid_of

#: the location from which the initial values of sums come
ZEROS: Final = Location("zeros")


@dataclass(frozen=True, slots=True)
class Matrix:
    """An array of a region, or the part of it that a move copies. `room` and `multiple` are those of its copy."""

    name: str
    axes: tuple[str, ...]
    sizes: tuple[Size, ...]
    location: Location
    element: str | None = None
    room: int = 0
    multiple: int = 1
    by_columns: bool = False

    @property
    def rows(self) -> Size:
        """Its number of rows: 1 for a row or a number."""
        return self.sizes[0] if len(self.sizes) > 1 else 1

    @property
    def columns(self) -> Size:
        """Its number of columns: 1 for a number."""
        return self.sizes[-1] if self.sizes else 1

    @property
    def bytes(self) -> int | None:
        """Its size in bytes, with padding; None if a size or the type of its elements is not known."""
        if self.element is None or not isinstance(self.rows, int) or not isinstance(self.columns, int):
            return None
        lines, length = (self.columns, self.rows) if self.by_columns else (self.rows, self.columns)
        padded = -(-(length + self.room) // self.multiple) * self.multiple
        return lines * padded * SCALARS[self.element].bits // 8

    def __str__(self) -> str:
        text = f"{self.name}: {shown_sizes(self.sizes) or 1} in {self.location}"
        return text if self.bytes is None else f"{text}, {self.bytes:,} bytes"


@dataclass(frozen=True, slots=True)
class Piece:
    """How one axis is cut: the size of a part; pieces of a tile begin at multiples of `stride`, unless it is None."""

    axis: str
    size: Size
    stride: int | None = None


@dataclass(frozen=True, slots=True)
class Region:
    """What one unit computes or moves: the steps that lead to it, its matrices, how it is cut, and its moves."""

    steps: tuple[str, ...]
    spec: Spec
    matrices: tuple[Matrix, ...]
    count: str = ""
    cut: tuple[Piece, ...] | None = None
    moves: tuple[tuple[str, tuple[Region, ...]], ...] = ()
    executed: str = ""

    def __str__(self) -> str:
        head = " ".join((*self.steps, *([f"({self.count})"] if self.count else ())))
        return f"{head}  {'; '.join(map(str, self.matrices))}"


def regions_of(
    start: Spec, steps: Sequence[Step], elements: tuple[str | None, ...] = ()
) -> tuple[Region, ...]:
    """The regions of a schedule, outermost first. A copy belongs to the region that reads it.

    `elements` are the scalar types of the elements of the operands and of the result; None if they are not known.
    """
    if start.kind is MOVE:
        return _regions_of_move(start.kind.name, start, steps, "", None)
    spec = start
    found = [Region((spec.head + spec.each,), spec, _matrices(spec, elements or (None,) * len(spec.places)))]
    for step in steps:
        left = step.predict(spec)
        last = found[-1]
        match step:
            case TileStep() | SplitStep() | PartsStep() | ShareStep() | MmaStep():
                cut, count = _cut(step, spec, left)
                found[-1] = replace(last, cut=cut)
                inside = _matrices(left, tuple(matrix.element for matrix in last.matrices))
                found.append(Region((f".{step}",), left, inside, count))
            case LoadStep():
                name = f"load {step.operand}"
                (element,) = (one.element for one in last.matrices if one.name == step.operand)
                moved = _regions_of_move(name, step.moved(spec), step.move, step.operand, element)
                found[-1] = replace(
                    last,
                    steps=(*last.steps, f".load({step.operand}, {step.location}){_refinements(step)}"),
                    spec=left,
                    matrices=tuple(
                        _copied(matrix, step) if matrix.name == step.operand else matrix
                        for matrix in last.matrices
                    ),
                    moves=(*last.moves, (name, moved)) if step.move else last.moves,
                )
            case EpilogStep():
                *operands, result = last.matrices
                moves = tuple(
                    (name, _regions_of_move(name, move, inner, result.name, result.element))
                    for name, move, inner in _moves_of_sums(step, spec)
                    if inner
                )
                found[-1] = replace(
                    last,
                    steps=(*last.steps, f".epilog({step.location})"),
                    spec=left,
                    matrices=(*operands, replace(result, location=step.location)),
                    moves=(*last.moves, *moves),
                )
            case FirstStep():
                product, read = _first_product(step, spec, [matrix.element for matrix in last.matrices])
                found[-1] = replace(
                    last,
                    steps=(*last.steps, f".first({step.location})"),
                    spec=left,
                    matrices=_matrices(left, read),
                    moves=(*last.moves, ("first", product)),
                )
            case DoneStep():
                found[-1] = replace(
                    last, steps=(*last.steps, ".done"), executed=str(step.kernel or instruction(spec) or "")
                )
            case _:
                raise AssertionError(step)  # a step of moves, which others reject
        spec = left
    return tuple(found)


def _first_product(
    step: FirstStep, spec: Spec, elements: Sequence[str | None]
) -> tuple[tuple[Region, ...], tuple[str | None, ...]]:
    """The regions of the first product of a chain, and the types of the elements that the second product reads."""
    computed = elements[-1] if len(set(elements)) == 1 else None
    read = (*spec.kind.operands_of_first(elements), computed)
    start, *others = regions_of(step.start(spec), step.steps, read)
    named = replace(start, steps=(f"first: {start.steps[0]}", *start.steps[1:]))
    return (named, *others), spec.kind.after_first(elements, computed)


def _moves_of_sums(step: EpilogStep, spec: Spec) -> Iterator[tuple[str, Spec, tuple[Step, ...]]]:
    """The moves of zeros to sums and of sums to the result, with their steps; of a staged move both parts."""
    sums = move_of(spec.shape, step.location, GL, spec.unit)
    yield "init", move_of(spec.shape, ZEROS, step.location, spec.unit), step.init
    for inner in step.store[:1]:
        if isinstance(inner, StageStep):
            yield "stage", inner.moved(sums), inner.move
    yield "store", sums, step.store


def _regions_of_move(
    head: str, start: Spec, steps: Sequence[Step], name: str, element: str | None
) -> tuple[Region, ...]:
    source, target = start.places
    matrix = Matrix(name or "matrix", start.kind.result, start.shape, target, element)
    found = [Region((f"{head}: {source} to {target}",), start, (matrix,))]
    spec = start
    for step in steps:
        left = step.predict(spec)
        last = found[-1]
        if isinstance(step, DoneStep):
            found[-1] = replace(last, steps=(*last.steps, f".{step}"), executed=str(step.kernel))
        elif isinstance(step, StageStep):
            staged = replace(last.matrices[0], location=step.location, room=step.room)
            steps_shown = (*last.steps, f".{replace(step, move=())}")
            found[-1] = replace(last, steps=steps_shown, spec=left, matrices=(staged,))
        else:
            assert isinstance(step, TileStep)
            cut, count = _cut(step, spec, left)
            found[-1] = replace(last, cut=cut)
            tile = replace(last.matrices[0], sizes=left.shape, room=0, multiple=1)
            found.append(Region((f".{step}",), left, (tile,), count))
        spec = left
    return tuple(found)


def _matrices(spec: Spec, elements: Sequence[str | None]) -> tuple[Matrix, ...]:
    """The arrays of a specification, without padding, which belongs to the whole copy."""
    kind = spec.kind
    return tuple(
        Matrix(name, axes, spec.extents(axes), place, element)
        for name, axes, place, element in zip(
            kind.names, (*kind.operands, kind.result), spec.places, elements, strict=True
        )
    )


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


def _cut(step: Step, spec: Spec, left: Spec) -> tuple[tuple[Piece, ...], str]:
    """How a step cuts a region, and the number of parts as text."""
    match step:
        case TileStep():
            grid = grid_of(step, spec)
            count = ""
            if grid is not None:
                unit = str(step.unit) if step.unit is not None else "tile"
                count = f"{shown_sizes(grid)} {unit}{'s' if set(grid) != {1} else ''}"
            strides = step.strides or (None,) * len(step.sizes)
            return tuple(map(Piece, spec.kind.result, step.sizes, strides)), count
        case SplitStep() | PartsStep():
            whole, runner = spec.depth, step.unit if isinstance(step, PartsStep) else None
            parts = f"{runner}s" if runner is not None else "iterations"
            number = whole // step.depth if isinstance(whole, int) else 0
            count = f"{number} {parts}" if number else "a loop" if runner is None else parts
            stride = number if isinstance(step, PartsStep) and step.order == "columns" else None
            return (Piece(spec.kind.axes[-1], 1 if stride else step.depth, stride),), count
        case ShareStep():
            holder = step.unit or "part"
            return (Piece(spec.kind.axes[-1], step.depth, step.every),), f"{step.count} {holder}s"
    counts = [int(whole) // int(piece) for whole, piece in zip(spec.sizes, left.sizes, strict=True)]
    return tuple(map(Piece, spec.kind.axes, left.sizes)), f"{shown_sizes(counts)} instructions"
