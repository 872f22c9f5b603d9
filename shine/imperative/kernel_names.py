"""Readable names of the arrays and variables of kernels. Independent of syntax."""

from __future__ import annotations

from shine.imperative.axes import accesses, names_for
from shine.imperative.contents import Named, Names
from shine.imperative.kernels import GpuKernel, GpuProgram
from shine.imperative.nodes import Assign, AtomicUpdate, Buffer, StoreFragment
from shine.imperative.walk import statements


def kernel_names(program: GpuProgram) -> list[Names]:
    """The names in each kernel of a program; an array between kernels is named as in the kernel that fills it first."""
    own = [_own_names(kernel, program) for kernel in program.kernels]
    between: dict[Named, str] = {}
    for kernel, names in zip(program.kernels, own, strict=True):
        filled = _filled(kernel) & set(program.temporaries) - between.keys()
        between |= {buffer: names[buffer] for buffer in program.temporaries if buffer in filled}
    return [{**names, **between} for names in own]


def _own_names(kernel: GpuKernel, program: GpuProgram) -> Names:
    shared = [buffer for buffer, _ in kernel.shared]
    used = {buffer for buffer, _ in accesses(kernel.body)}
    between = [buffer for buffer in program.temporaries if buffer in used]
    procedure = program.procedure
    return names_for(kernel.body, procedure.inputs, procedure.output, [*between, *shared])


def _filled(kernel: GpuKernel) -> set[Buffer]:
    """The arrays that a kernel stores to."""
    filled: set[Buffer] = set()
    for statement, _ in statements(kernel.body):
        match statement:
            case Assign(buffer=buffer) | AtomicUpdate(buffer=buffer):
                filled.add(buffer)
            case StoreFragment(target=matrix):
                filled.add(matrix.buffer)
            case _:
                pass
    return filled
