"""Check that fragments have known sizes and that their matrices lie as matrix instructions need them.

Where a matrix begins, and how far its rows or columns lie apart, must be multiples of some bytes. That all instructions
of a family that take a fragment want the same is known here; no architecture is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from rise.hardware import legal
from rise.indices import divisors_of, is_multiple
from rise.naturals import Nat, NatVar, const
from rise.scalars import SCALARS
from rise.text.nat_printer import show_nat
from rise.text.type_printer import brief_type
from rise.types import FragmentType, ScalarType
from shine.imperative.errors import fail
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import Allocate, Buffer, LoadFragment, Matrix, Origin, Procedure, StoreFragment
from shine.imperative.walk import statements


def check_matrices(kernel: GpuKernel, procedure: Procedure) -> None:
    """Raise a diagnostic unless all matrices of a kernel are known to lie right, at all sizes that it accepts."""
    divisors = divisors_of(one.subject for one in procedure.checks if one.relation == "divides")
    for statement, _ in statements(kernel.body):
        match statement:
            case LoadFragment(piece, matrix) | StoreFragment(matrix, piece):
                _check(matrix, piece.type, divisors, statement.origin)
            case _:
                pass


def check_fragments(procedure: Procedure) -> None:
    """Raise a diagnostic unless the sizes of all fragments are numbers: instructions have fixed shapes."""
    for statement, _ in statements(procedure.body):
        match statement:
            case Allocate(Buffer(element=FragmentType() as t)):
                if any(size.constant is None for size in (t.rows, t.columns, t.depth)):
                    title = f"expected a fragment whose sizes are numbers, found {brief_type(t)}"
                    do = "cut the matrices into tiles, as `strategies.tensor_core:tensorCore` does, or fix the sizes"
                    fail("open-fragment", title, do, statement.origin)
            case _:
                pass


def _check(matrix: Matrix, t: FragmentType, divisors: Mapping[NatVar, int], origin: Origin) -> None:
    assert isinstance(t.element, ScalarType), t
    name = t.element.name
    for one in legal(t.family):
        if (
            one.extent_of(t.role) == (t.rows.constant, t.columns.constant)
            and one.stored_type_of(t.role) == name
        ):
            lines = "rows" if matrix.by_rows else "columns"
            for what, found, needed in (
                (f"whose {lines} lie apart by", matrix.stride, one.stride_alignment),
                ("that starts at", matrix.index, one.alignment),
            ):
                unit = max(needed * 8 // SCALARS[name].bits, 1)
                if not is_multiple(found, const(unit), divisors):
                    _refuse(what, found, unit, f"{needed} bytes of {name}", matrix, origin)
            return


def _is_loop_index(free: object) -> bool:
    return isinstance(free, NatVar) and free.upper is not None


def _refuse(what: str, found: Nat, unit: int, space: str, matrix: Matrix, origin: Origin) -> NoReturn:
    title = (
        f"expected a matrix in {matrix.buffer.name} {what} a multiple of {unit} numbers ({space}),"
        f" found {show_nat(found)}"
    )
    known = found.constant
    if known is None and matrix.buffer.space == "Shared" and all(_is_loop_index(one) for one in found.free):
        tiles = f"choose tiles whose parts begin at multiples of {unit} numbers"
        fail("matrix-alignment", title, f"{tiles}, or store the matrix by its other dimension", origin)
    if known is None:
        is_size = len(found.terms) == 1 and found.terms[0][1] == 1 and len(found.terms[0][0]) == 1
        do = f"promise it: `where {unit} divides {show_nat(found)}`" if is_size else "fix the sizes in it"
    else:
        below = known // unit * unit
        do = f"choose {below} or {below + unit}" if below else f"choose {below + unit}"
    fail("matrix-alignment", title, f"{do}; or copy the matrix first: toMem(Shared, ...)", origin)
