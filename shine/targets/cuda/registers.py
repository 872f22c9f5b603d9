"""Counts the registers per thread that a program's arrays take. The compiler may use others; see `resources`."""

from __future__ import annotations

from rise.records import dataclass
from rise.scalars import SCALARS
from rise.text.type_printer import brief_type
from rise.types import FragmentType, ScalarType, VectorType
from shine.imperative.fragments import instructions_of
from shine.imperative.kernels import GpuKernel, GpuProgram
from shine.imperative.nodes import Allocate, Buffer
from shine.imperative.walk import statements

REGISTER_BITS = 32


@dataclass(frozen=True, slots=True)
class ThreadArray:
    """An array that each thread has, and the registers that it takes."""

    buffer: Buffer
    registers: int

    def __str__(self) -> str:
        count = self.buffer.size.constant
        return f"{self.buffer.name} takes {self.registers} registers: {count} of {brief_type(self.buffer.element)}"


def arrays_in_registers(program: GpuProgram) -> list[ThreadArray]:
    """The arrays of threads, the largest first."""
    arrays = [
        ThreadArray(statement.buffer, registers_of(statement.buffer))
        for kernel in program.kernels
        for statement in allocations(kernel)
        if statement.buffer.space == "Local" and statement.buffer.size.constant is not None
    ]
    return sorted(arrays, key=lambda array: -array.registers)


def allocations(kernel: GpuKernel) -> list[Allocate]:
    """The allocations of a kernel, in order."""
    return [statement for statement, _ in statements(kernel.body) if isinstance(statement, Allocate)]


def registers_of(buffer: Buffer) -> int:
    """The registers that an array of a thread takes, its elements packed."""
    assert buffer.size.constant is not None, buffer
    return -(-buffer.size.constant * _bits(buffer.element) // REGISTER_BITS)


def _bits(element: object) -> int:
    match element:
        case ScalarType(name):
            return SCALARS[name].bits
        case VectorType(size, ScalarType(name)):
            return (size.constant or 0) * SCALARS[name].bits
        case FragmentType() as t:
            for instruction in instructions_of(t):
                return instruction.fragment_bytes(t.role) * 8
    return 0
