"""The CUDA texts of a program: one whose indices have 32 bits, and one for sizes that need 64. Runs no compiler."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar

from rise.forks import Lock
from rise.hardware import architecture
from shine.calling.memory import Memory
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import Origin
from shine.targets.cuda.compiler import TextError
from shine.targets.cuda.module import CudaModule
from shine.targets.cuda.printer import print_program
from shine.targets.cuda.registers import kept_in_registers
from shine.targets.target import DeviceExecutable, Executable

#: what the integers of a text with 32-bit indices are below
NARROW: Final = 1 << 31
MOST_KEPT: Final = 3  # arrays in registers that an error tells
E = TypeVar("E", bound=Executable)


class ByWidth(Generic[E]):
    """What runs a program, made for the sizes of a call: with 32-bit indices where they do, else with 64-bit ones.

    The first is made at once, the second when a call needs it.
    """

    def __init__(self, program: GpuProgram, arch: str, check: bool, make: Callable[[CudaModule], E]) -> None:
        self.arch = architecture(arch)
        self.program = program
        self._check = check
        self._make = make
        self._lock = Lock()
        self._made: dict[bool, E] = {}
        narrow = self._printed(False)
        self.limits = narrow.limits
        self.first = self._of_width(self.limits.is_above(NARROW), narrow)

    def _printed(self, wide: bool) -> CudaModule:
        return print_program(self.program, self.arch.name, wide, self._check)

    def _of_width(self, wide: bool, narrow: CudaModule | None = None) -> E:
        with self._lock.held():
            if wide not in self._made:
                module = self._printed(wide) if wide or narrow is None else narrow
                try:
                    self._made[wide] = self._make(module)
                except TextError as error:
                    _add_registers(error, self.program)
                    raise
            return self._made[wide]

    def of(self, sizes: Sequence[int], read: int = 0) -> E:
        """What runs a call with these sizes; `read` is the most that it reads of tables."""
        return self._of_width(self.limits.too_large(sizes, read, NARROW) is not None)

    @property
    def source(self) -> str:
        """The text with the narrowest indices that any call may use."""
        return self.first.source

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        """For each of its lines, the path in the low-level program."""
        return self.first.origins

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Fix the arguments of a run."""
        return self.of(sizes, self.limits.most_read(arguments)).prepare(sizes, arguments)


class Printed(ByWidth[Any]):
    """The same for what has machine code as its `image`, or says why not."""

    def machine_code(self) -> bytes:
        """What a device loads, of the text that is shown."""
        image: bytes = self.first.image
        return image

    @property
    def exported(self) -> tuple[str, ...]:
        """The names of the kernels, in the order in which they are launched."""
        module: CudaModule = self.first.module
        return tuple(kernel.name for kernel in module.kernels)


class OnDevice(Printed):
    """The same for what takes arrays on a device."""

    def memory(self, arguments: Sequence[Any], out: Any, stream: Any) -> Memory:
        """Where the arrays of a call lie."""
        first: DeviceExecutable = self.first
        return first.memory(arguments, out, stream)

    def prepare_in(
        self, memory: Memory, sizes: Sequence[int], arguments: Sequence[Any], stream: Any
    ) -> Callable[[], None]:
        """Fix the arguments of a run on a stream."""
        found: DeviceExecutable = self.of(sizes, self.limits.most_read(arguments))
        return found.prepare_in(memory, sizes, arguments, stream)


def _add_registers(error: TextError, program: GpuProgram) -> None:
    """Say in an error about a text as a whole what the program keeps in registers, and where the most of it."""
    kept = kept_in_registers(program)[:MOST_KEPT]
    if error.origin is None and kept:
        notes = (*error.diagnostic.notes, *map(str, kept))
        error.diagnostic = replace(error.diagnostic, notes=notes)
        error.origin = kept[0].buffer.origin
