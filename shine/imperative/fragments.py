"""The instructions that accept a fragment, by its shape and type. Independent of statements."""

from __future__ import annotations

from rise.hardware import MatrixInstruction, taking
from rise.hardware.instructions import Shape
from rise.types import FragmentType, ScalarType


def shape_of(t: FragmentType) -> Shape:
    """The m, n and k of the instructions that take a fragment."""
    rows, columns, depth = (size.constant or 0 for size in (t.rows, t.columns, t.depth))
    match t.role:
        case "AMatrix":
            return rows, depth, columns
        case "BMatrix":
            return depth, columns, rows
    return rows, columns, depth


def number_of(t: FragmentType) -> str:
    """The type of a fragment's numbers."""
    assert isinstance(t.element, ScalarType), t
    return t.element.name


def instructions_of(t: FragmentType) -> tuple[MatrixInstruction, ...]:
    """The instructions that take a fragment. All load and store it in the same way."""
    return taking(shape_of(t), t.role, number_of(t))
