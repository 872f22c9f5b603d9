"""How many bytes arrays have, and at which multiples of bytes they start. Knows no launch and no target."""

from __future__ import annotations

from math import gcd
from typing import Final

from rise.types import ScalarType, VectorType
from shine.imperative.limits import element_bytes
from shine.imperative.nodes import Block, Buffer, LoadFragment, StoreFragment
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import statements

USUAL: Final = 16  # bytes: the widest access of a thread
OF_FRAGMENTS: Final = 32  # what loads and stores of fragments need


def alignments(block: Block) -> dict[str, int]:
    """At which multiples of bytes the buffers start that a block uses, by name: so that vectors that count as
    aligned are, and that fragments can be loaded and stored.
    """
    found: dict[str, int] = {}

    def see(cell: Cell) -> Cell:
        buffer = cell.buffer
        if cell.aligned and isinstance(buffer.element, ScalarType | VectorType):
            width = cell.lanes * element_bytes(buffer)
            found[buffer.name] = max(found.get(buffer.name, USUAL), width & -width)
        return cell

    rewrite_block(block, Parts(cell=see))
    for statement, _ in statements(block):
        match statement:
            case LoadFragment(source=matrix) | StoreFragment(target=matrix):
                name = matrix.buffer.name
                found[name] = max(found.get(name, USUAL), OF_FRAGMENTS)
            case _:
                pass
    return found


def bytes_in(buffer: Buffer) -> int:
    """How many bytes an array of a known size has."""
    assert buffer.size.constant is not None, buffer
    return buffer.size.constant * element_bytes(buffer)


def padded_size(buffer: Buffer, alignment: int) -> int:
    """The least number of elements, not less than an array has, that are a multiple of so many bytes."""
    assert buffer.size.constant is not None, buffer
    unit = alignment // gcd(alignment, element_bytes(buffer))
    return -(-buffer.size.constant // unit) * unit
