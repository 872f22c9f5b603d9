"""Sizes and alignments of arrays in bytes. Independent of launches and targets."""

from __future__ import annotations

from math import gcd
from typing import Final

from rise.types import ScalarType, VectorType
from shine.imperative.limits import element_bytes
from shine.imperative.nodes import Block, Buffer, LoadFragment, StoreFragment
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import statements

DEFAULT_ALIGNMENT: Final = 16  # bytes: the widest access of a thread
FRAGMENT_ALIGNMENT: Final = 32  # bytes, for loads and stores of fragments


def alignments(block: Block) -> dict[str, int]:
    """The alignments in bytes of the buffers that a block uses, by name; they suffice for its aligned vectors, and for
    loads and stores of fragments.
    """
    alignment_of: dict[str, int] = {}

    def visit(cell: Cell) -> Cell:
        buffer = cell.buffer
        if cell.aligned and isinstance(buffer.element, ScalarType | VectorType):
            width = cell.lanes * element_bytes(buffer)
            alignment_of[buffer.name] = max(alignment_of.get(buffer.name, DEFAULT_ALIGNMENT), width & -width)
        return cell

    rewrite_block(block, Parts(cell=visit))
    for statement, _ in statements(block):
        match statement:
            case LoadFragment(source=matrix) | StoreFragment(target=matrix):
                name = matrix.buffer.name
                alignment_of[name] = max(alignment_of.get(name, DEFAULT_ALIGNMENT), FRAGMENT_ALIGNMENT)
            case _:
                pass
    return alignment_of


def bytes_in(buffer: Buffer) -> int:
    """The number of bytes of an array of known size."""
    assert buffer.size.constant is not None, buffer
    return buffer.size.constant * element_bytes(buffer)


def padded_size(buffer: Buffer, alignment: int) -> int:
    """The number of elements of an array, rounded up to a multiple of `alignment` bytes."""
    assert buffer.size.constant is not None, buffer
    unit = alignment // gcd(alignment, element_bytes(buffer))
    return -(-buffer.size.constant // unit) * unit
