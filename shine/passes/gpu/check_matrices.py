"""Checks that fragments have known sizes, and that matrix instructions can load and store their matrices.

The start of a matrix and the stride of its rows or columns must be multiples of a number of bytes, which is the same
for all instructions that take a fragment. If it is not known which lane holds which numbers, the stride must also be at
least the length of a row or column (PTX ISA, `wmma.load` and `wmma.store`). Independent of architectures.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from rise.indices import divisors_of, is_below, is_multiple
from rise.naturals import Nat, NatVar, const
from rise.scalars import SCALARS
from rise.text.nat_printer import show_nat
from rise.text.type_printer import brief_type
from rise.types import FragmentType
from shine.imperative.errors import fail
from shine.imperative.fragments import instructions_of, number_of
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import Allocate, Buffer, LoadFragment, Matrix, Origin, Procedure, StoreFragment
from shine.imperative.walk import statements


def check_matrices(kernel: GpuKernel, procedure: Procedure) -> None:
    """Raise TranslationError unless all matrices of a kernel are aligned at all sizes that it accepts."""
    divisors = divisors_of(check.subject for check in procedure.checks if check.relation == "divides")
    for statement, _ in statements(kernel.body):
        match statement:
            case StoreFragment(Matrix(Buffer(space="Local"))):
                pass
            case LoadFragment(piece, matrix) | StoreFragment(matrix, piece):
                _check(matrix, piece.type, divisors, statement.origin)
            case _:
                pass


def check_fragments(procedure: Procedure) -> None:
    """Raise TranslationError unless the sizes of all fragments are numbers: instructions have fixed shapes."""
    for statement, _ in statements(procedure.body):
        match statement:
            case Allocate(Buffer(element=FragmentType() as t)):
                if any(size.constant is None for size in (t.rows, t.columns, t.depth)):
                    title = f"expected a fragment whose sizes are numbers, found {brief_type(t)}"
                    hint = "cut the matrices into tiles, as `strategies.tensor_core:tensorCore` does, or fix the sizes"
                    fail("open-fragment", title, hint, statement.origin)
            case _:
                pass


def _check(matrix: Matrix, t: FragmentType, divisors: Mapping[NatVar, int], origin: Origin) -> None:
    name = number_of(t)
    for instruction in instructions_of(t)[:1]:  # all that take a fragment agree
        start, step = instruction.alignments(t.role, matrix.buffer.space, matrix.by_rows)
        lines = "rows" if matrix.by_rows else "columns"
        length = instruction.extent_of(t.role)[1 if matrix.by_rows else 0]
        if instruction.coordinates is None and is_below(matrix.stride, const(length)):
            _refuse_overlap(matrix, lines, length, origin)
        for quantity, natural, alignment in (
            (f"whose {lines} have a stride of", matrix.stride, step),
            ("that starts at", matrix.index, start),
        ):
            unit = max(alignment * 8 // SCALARS[name].bits, 1)
            if not is_multiple(natural, const(unit), divisors):
                _refuse(quantity, natural, unit, f"{alignment} bytes of {name}", matrix, origin)


def _refuse_overlap(matrix: Matrix, lines: str, length: int, origin: Origin) -> NoReturn:
    title = (
        f"expected a matrix in {matrix.buffer.name} whose {lines} of {length} numbers do not overlap,"
        f" found a stride of {show_nat(matrix.stride)}"
    )
    hint = (
        "combine repeated numbers with the sums after the product, or store them as a matrix first: toMem(Shared, ...);"
        " or choose the shape of an `mma.sync`, such as 16 x 8 x 16"
    )
    fail("matrix-overlap", title, hint, origin)


def _is_loop_index(free: object) -> bool:
    return isinstance(free, NatVar) and free.upper is not None


def _refuse(quantity: str, natural: Nat, unit: int, space: str, matrix: Matrix, origin: Origin) -> NoReturn:
    title = (
        f"expected a matrix in {matrix.buffer.name} {quantity} a multiple of {unit} numbers ({space}),"
        f" found {show_nat(natural)}"
    )
    constant = natural.constant
    if (
        constant is None
        and matrix.buffer.space == "Shared"
        and all(_is_loop_index(atom) for atom in natural.free)
    ):
        tiles = f"choose tiles whose parts begin at multiples of {unit} numbers"
        fail("matrix-alignment", title, f"{tiles}, or store the matrix transposed", origin)
    if constant is None:
        is_size = len(natural.terms) == 1 and natural.terms[0][1] == 1 and len(natural.terms[0][0]) == 1
        action = (
            f"promise it: `where {unit} divides {show_nat(natural)}`" if is_size else "fix the sizes in it"
        )
    else:
        lower = constant // unit * unit
        action = f"choose {lower} or {lower + unit}" if lower else f"choose {lower + unit}"
        if matrix.buffer.space == "Shared":
            action += ", by `room` or by the tiles, if a strategy chose it"
    fail("matrix-alignment", title, f"{action}; or copy the matrix first: toMem(Shared, ...)", origin)
