"""What a kernel uses: what it writes, registers with an index, layouts of fragments, products. Knows no text."""

from __future__ import annotations

from dataclasses import dataclass, field

from rise.naturals import Atom
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
    """What the statements of a kernel name.

    `counted` are the atoms in indices of registers: loops over these are unrolled, since registers have no addresses.
    `by_rows` has for each buffer of fragments how its matrices lie in memory; `products` the statements that multiply.
    """

    written: set[Buffer] = field(default_factory=set)
    counted: set[Atom] = field(default_factory=set)
    by_rows: dict[Buffer, bool] = field(default_factory=dict)
    products: list[MultiplyAdd] = field(default_factory=list)
    loops: list[For] = field(default_factory=list)


def usage(kernel: GpuKernel) -> Usage:
    """What a kernel uses."""
    found = Usage()

    def see(cell: Cell) -> Cell:
        if cell.buffer.space == "Local" or isinstance(cell.buffer.element, FragmentType):
            found.counted |= cell.index.free
        return cell

    rewrite_block(kernel.body, Parts(cell=see))
    for statement, _ in statements(kernel.body):
        match statement:
            case Assign(buffer) | AtomicUpdate(_, buffer):
                found.written.add(buffer)
            case StoreFragment(target):
                found.written.add(target.buffer)
            case LoadFragment():
                _layout(statement, found)
            case MultiplyAdd():
                found.products.append(statement)
            case For():
                found.loops.append(statement)
            case _:
                pass
    return found


def _layout(load: LoadFragment, found: Usage) -> None:
    """Note how a matrix lies: a fragment of A or B has the layout in its type."""
    piece = load.target
    if piece.type.role == "Accum":
        return
    known = found.by_rows.setdefault(piece.buffer, load.source.by_rows)
    if known != load.source.by_rows:
        fail(
            "fragment-layout",
            f"expected fragments of one layout in {piece.buffer.name}, found matrices by rows and by columns",
            "load them into fragments of their own, or store both matrices the same way",
            load.origin,
        )
