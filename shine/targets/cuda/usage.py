"""Collects what a kernel uses: buffers written, indexed registers, fragment layouts, products.

Independent of source text.
"""

from __future__ import annotations

from dataclasses import field

from rise.naturals import Atom
from rise.records import dataclass
from rise.types import FragmentType
from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import (
    Assign,
    AtomicUpdate,
    Buffer,
    For,
    LoadFragment,
    MultiplyAdd,
    StoreFragment,
)
from shine.imperative.rewrite import Cell, Parts, rewrite_block
from shine.imperative.walk import statements


@dataclass(slots=True)
class Usage:
    """What the statements of a kernel use.

    `counted` are the atoms in indices of registers: loops over these are unrolled, since registers have no addresses.
    `by_rows` says for each buffer of fragments whether its matrices are row-major; `products` are the matrix
    multiplications.
    """

    written: set[Buffer] = field(default_factory=set)
    counted: set[Atom] = field(default_factory=set)
    by_rows: dict[Buffer, bool] = field(default_factory=dict)
    products: list[MultiplyAdd] = field(default_factory=list)
    loops: list[For] = field(default_factory=list)


def usage(kernel: GpuKernel) -> Usage:
    """Collect what a kernel uses."""
    used = Usage()

    def note_register(cell: Cell) -> Cell:
        if cell.buffer.space == "Local" or isinstance(cell.buffer.element, FragmentType):
            used.counted |= cell.index.free
        return cell

    rewrite_block(kernel.body, Parts(cell=note_register))
    for statement, _ in statements(kernel.body):
        match statement:
            case Assign(buffer) | AtomicUpdate(_, buffer):
                used.written.add(buffer)
            case StoreFragment(target):
                used.written.add(target.buffer)
            case LoadFragment():
                _layout(statement, used)
            case MultiplyAdd():
                used.products.append(statement)
            case For():
                used.loops.append(statement)
            case _:
                pass
    return used


def _layout(load: LoadFragment, used: Usage) -> None:
    """Note the layout of a matrix: a fragment of A or B has the layout in its type."""
    piece = load.target
    if piece.type.role == "Accum":
        return
    by_rows = used.by_rows.setdefault(piece.buffer, load.source.by_rows)
    if by_rows != load.source.by_rows:
        fail(
            "fragment-layout",
            f"expected fragments of the same layout in {piece.buffer.name}, found row-major and column-major matrices",
            "load them into separate fragments, or store both matrices in the same layout",
            load.origin,
        )
