"""Chooses between the CUDA texts of a program with 32-bit and with 64-bit indices. Independent of compilers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar

from rise.forks import Lock
from rise.hardware import architecture
from shine.calling.memory import Memory
from shine.imperative.kernels import GpuProgram
from shine.imperative.nodes import Origin
from shine.passes.record import Settings
from shine.simulator.profile import Profile
from shine.targets.cuda.compiler import TextError
from shine.targets.cuda.module import CudaModule
from shine.targets.cuda.printer import print_program
from shine.targets.cuda.registers import arrays_in_registers
from shine.targets.target import DeviceExecutable, Executable

#: the exclusive bound of integers in a text with 32-bit indices
NARROW_LIMIT: Final = 1 << 31
MAX_SHOWN_ARRAYS: Final = 3  # arrays in registers that an error lists
E = TypeVar("E", bound=Executable)


class ByWidth(Generic[E]):
    """An executable that chooses by the sizes of a call: 32-bit indices if they suffice, otherwise 64-bit indices.

    The first is built at once, the second when a call needs it.
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
        self.first = self._of_width(self.limits.is_above(NARROW_LIMIT), narrow)

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

    def of(self, sizes: Sequence[int], max_read: int = 0) -> E:
        """The executable for a call with these sizes; `max_read` is the greatest number that it reads from tables."""
        return self._of_width(self.limits.too_large(sizes, max_read, NARROW_LIMIT) is not None)

    @property
    def source(self) -> str:
        """The text with the narrowest indices that any call may use."""
        return self.first.source

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        """For each of its lines, the path in the low-level program."""
        return self.first.origins

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Bind the arguments of a run."""
        return self.of(sizes, self.limits.most_read(arguments)).prepare(sizes, arguments)


class Simulations(ByWidth[Any]):
    """The same for executables of the simulator, which can be profiled, and run under other options."""

    def with_options(self, options: Settings) -> Simulations:
        """The same texts and what was built from them, under other options of runs."""
        other = copy(self)
        other._lock = Lock()
        other._make = lambda module: self._make(module).with_options(options)
        other.first = self.first.with_options(options)
        with self._lock.held():
            made = dict(self._made)
        other._made = {
            wide: other.first if one is self.first else one.with_options(options)
            for wide, one in made.items()
        }
        return other

    def profile(
        self, sizes: Sequence[int], arguments: Sequence[Any]
    ) -> tuple[str, tuple[Origin | None, ...], Sequence[tuple[str, Profile]]]:
        """Run it once with counts."""
        found: tuple[str, tuple[Origin | None, ...], Sequence[tuple[str, Profile]]]
        found = self.of(sizes, self.limits.most_read(arguments)).profile(sizes, arguments)
        return found


class Printed(ByWidth[Any]):
    """The same for executables with machine code, `image`, which raises an error if there is none."""

    def machine_code(self) -> bytes:
        """The cubin of the text that `source` shows."""
        image: bytes = self.first.image
        return image

    @property
    def exported(self) -> tuple[str, ...]:
        """The names of the kernels, in the order in which they are launched."""
        module: CudaModule = self.first.module
        return tuple(kernel.name for kernel in module.kernels)


class OnDevice(Printed):
    """The same for executables that take arrays on a device."""

    def memory(self, arguments: Sequence[Any], out: Any, stream: Any) -> Memory:
        """The memory that holds the arrays of a call."""
        first: DeviceExecutable = self.first
        return first.memory(arguments, out, stream)

    def prepare_in(
        self, memory: Memory, sizes: Sequence[int], arguments: Sequence[Any], stream: Any
    ) -> Callable[[], None]:
        """Bind the arguments of a run on a stream."""
        executable: DeviceExecutable = self.of(sizes, self.limits.most_read(arguments))
        return executable.prepare_in(memory, sizes, arguments, stream)


def _add_registers(error: TextError, program: GpuProgram) -> None:
    """Add to an error about a whole text the largest arrays in registers, and the place of the largest."""
    arrays = arrays_in_registers(program)[:MAX_SHOWN_ARRAYS]
    if error.origin is None and arrays:
        notes = (*error.diagnostic.notes, *map(str, arrays))
        error.diagnostic = replace(error.diagnostic, notes=notes)
        error.origin = arrays[0].buffer.origin
