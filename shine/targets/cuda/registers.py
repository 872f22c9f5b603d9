"""What a thread keeps in registers, as a program says it. Knows no compiler, which needs more of them, or fewer."""

from __future__ import annotations

from dataclasses import dataclass

from rise.hardware import legal
from rise.scalars import SCALARS
from rise.text.type_printer import brief_type
from rise.types import FragmentType, ScalarType, VectorType
from shine.imperative.kernels import GpuKernel, GpuProgram
from shine.imperative.nodes import Allocate, Buffer
from shine.imperative.walk import statements
from shine.targets.cuda.fragments import shape_of

BITS = 32  # of a register


@dataclass(frozen=True, slots=True)
class Kept:
    """An array of a thread, and the registers that it takes."""

    buffer: Buffer
    registers: int

    def __str__(self) -> str:
        count = self.buffer.size.constant
        return f"{self.buffer.name} takes {self.registers} registers: {count} of {brief_type(self.buffer.element)}"


def kept_in_registers(program: GpuProgram) -> list[Kept]:
    """The arrays of threads, the largest first."""
    found = [
        Kept(statement.buffer, registers_of(statement.buffer))
        for kernel in program.kernels
        for statement in allocations(kernel)
        if statement.buffer.space == "Local" and statement.buffer.size.constant is not None
    ]
    return sorted(found, key=lambda one: -one.registers)


def allocations(kernel: GpuKernel) -> list[Allocate]:
    """The allocations of a kernel, in order."""
    return [statement for statement, _ in statements(kernel.body) if isinstance(statement, Allocate)]


def registers_of(buffer: Buffer) -> int:
    """The registers that an array of a thread takes, its elements packed."""
    assert buffer.size.constant is not None, buffer
    return -(-buffer.size.constant * _bits(buffer.element) // BITS)


def _bits(element: object) -> int:
    match element:
        case ScalarType(name):
            return SCALARS[name].bits
        case VectorType(size, ScalarType(name)):
            return (size.constant or 0) * SCALARS[name].bits
        case FragmentType(element=ScalarType(name)) as t:
            for one in legal(t.family):
                if one.shape == shape_of(t) and one.type_of(t.role) == name:
                    return one.fragment_bytes(t.role) * 8
    return 0
