"""The target interpret as a record: turns a procedure into a Python function."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final

import numpy as np

from rise.arguments.mismatches import refuse
from rise.records import dataclass
from rise.values import poison, truth
from shine.imperative.limits import Limits, limits_of, note_bytes
from shine.imperative.nodes import Buffer, Origin, Procedure
from shine.imperative.text import write_procedure
from shine.passes.cpu.expand_fragments import expand_fragments
from shine.passes.record import Settings, changing, checking
from shine.passes.refuse_deep_nests import refuse_deep_nests
from shine.targets.interpreter.memory import Memory, output_memory
from shine.targets.interpreter.statements import Slots, Step, block
from shine.targets.outlines import outline_procedure
from shine.targets.target import Option, Target
from shine.translate import CPU_LEVELS, GPU_LEVELS


@dataclass(frozen=True, slots=True)
class Interpreted:
    """A procedure as a function of frames, whose first slots are those of the sizes, the inputs and the outputs."""

    source: str
    origins: tuple[Origin | None, ...]
    run: Step
    frame_size: int
    inputs: tuple[Buffer, ...]
    outputs: tuple[Buffer, ...]
    limits: Limits

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Bind the arguments; every run starts from a new frame."""

        def run() -> None:
            frame: list[Any] = [None] * self.frame_size
            frame[0] = []
            first = 1 + len(sizes)
            frame[1:first] = sizes
            for slot, (buffer, argument) in enumerate(zip(self.inputs, arguments, strict=False)):
                frame[first + slot] = Memory(buffer, truth(np.asarray(argument)).reshape(-1), None, 0)
            first += len(self.inputs)
            for slot, (buffer, argument) in enumerate(
                zip(self.outputs, arguments[len(self.inputs) :], strict=True)
            ):
                frame[first + slot] = output_memory(buffer, argument.reshape(-1))
            with np.errstate(all="ignore"):
                self.run(frame)
            for memory in frame[first : first + len(self.outputs)]:
                unwritten = np.frombuffer(memory.written, np.uint8) == 0
                memory.array[unwritten] = poison((int(unwritten.sum()),), memory.array.dtype)

        def run_within_memory() -> None:
            try:
                run()
            except MemoryError:
                title = "the interpreter has no memory left to track the program's accesses"
                refuse("out-of-memory", title, "use smaller sizes, or another target")

        return run_within_memory


def build_procedure(procedure: Procedure, options: Settings) -> Interpreted:
    """Turn a procedure into Python functions."""
    slots = Slots(procedure.is_specified)
    inputs = tuple(buffer for parameter in procedure.inputs for buffer in parameter.buffers)
    outputs = procedure.output.buffers
    visible: dict[Hashable, int] = {name: slots.fresh() for name in (*procedure.sizes, *inputs, *outputs)}
    run = block(procedure.body, visible, slots)
    note_bytes(slots.noted, outputs)
    limits = limits_of(procedure, slots.noted)
    text, origins = write_procedure(procedure)
    return Interpreted(text, origins, run, slots.count, inputs, outputs, limits)


INTERPRET: Final = Target(
    "interpret",
    "the imperative program, interpreted on numpy with every access checked; needs no compiler",
    "strategies.openmp:parallel",
    (Option("arch", str, None, "ignored"),),
    (
        checking(
            refuse_deep_nests,
            "Python functions cannot call each other hundreds deep, so deep nests are rejected.",
        ),
        changing(
            expand_fragments,
            "There are no tensor cores, so operations on fragments become loops over elements.",
        ),
    ),
    build_procedure,
    CPU_LEVELS | GPU_LEVELS,
    outline_procedure,
    source_suffix=".txt",
)
