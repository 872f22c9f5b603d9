"""The CUDA texts of a program: one whose indices have 32 bits, and one for sizes that need 64. Runs no compiler."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Generic, TypeVar

from rise.forks import Lock
from rise.hardware import architecture
from rise.naturals import Atom, Nat, NatVar
from rise.quotients import evaluate_natural
from shine.gpu import GpuProgram
from shine.imperative import For, Origin
from shine.memory import Memory
from shine.passes.gpu.levels import statements
from shine.targets.cuda.compiler import TextError
from shine.targets.cuda.module import CudaModule
from shine.targets.cuda.printer import print_program
from shine.targets.cuda.registers import kept_in_registers
from shine.targets.target import DeviceExecutable, Executable

#: arrays and loops of fewer elements are indexed with 32 bits, with room for a step beyond the end
NARROW: Final = 2**30
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
        self._counted = tuple(_counted(self.program))
        self._lock = Lock()
        self._made: dict[bool, E] = {}
        self.first = self._of_width(self._needs_wide(()) if not program.procedure.sizes else False)

    def _of_width(self, wide: bool) -> E:
        with self._lock.held():
            if wide not in self._made:
                module = print_program(self.program, self.arch.name, wide, self._check)
                try:
                    self._made[wide] = self._make(module)
                except TextError as error:
                    _add_registers(error, self.program)
                    raise
            return self._made[wide]

    def _needs_wide(self, sizes: Sequence[int]) -> bool:
        values: Mapping[Atom, int] = dict(zip(self.program.procedure.sizes, sizes, strict=True))
        return any(evaluate_natural(count, values) >= NARROW for count in self._counted)

    def of(self, sizes: Sequence[int]) -> E:
        """What runs a call with these sizes."""
        return self._of_width(self._needs_wide(sizes))

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
        return self.of(sizes).prepare(sizes, arguments)


class Printed(ByWidth[Any]):
    """The same for what has machine code as its `image`, or says why not."""

    def machine_code(self) -> bytes:
        """What a device loads, of the text that is shown."""
        image: bytes = self.first.image
        return image


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
        found: DeviceExecutable = self.of(sizes)
        return found.prepare_in(memory, sizes, arguments, stream)


def _add_registers(error: TextError, program: GpuProgram) -> None:
    """Say in an error about a text as a whole what the program keeps in registers, and where the most of it."""
    kept = kept_in_registers(program)[:MOST_KEPT]
    if error.origin is None and kept:
        notes = (*error.diagnostic.notes, *map(str, kept))
        error.diagnostic = replace(error.diagnostic, notes=notes)
        error.origin = kept[0].buffer.origin


def _counted(program: GpuProgram) -> list[Nat]:
    """The lengths of arrays, and the counts of loops, that sizes determine."""
    procedure = program.procedure
    parameters = (*procedure.inputs, procedure.output)
    found = [buffer.size for one in parameters for buffer in one.buffers]
    found += [buffer.size for buffer in program.temporaries]
    known = frozenset(procedure.sizes)
    for kernel in program.kernels:
        for statement, _ in statements(kernel.body):
            if isinstance(statement, For):
                free = {one for one in statement.count.free if isinstance(one, NatVar)}
                if free <= known:
                    found.append(statement.count)
    return list(dict.fromkeys(found))
