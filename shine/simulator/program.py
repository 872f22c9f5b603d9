"""Launches compiled CUDA code on numpy arrays, in separate processes. Independent of compilers."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable, Sequence
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, Final

import numpy as np

from rise.diagnostics import Diagnostic
from rise.hardware import Architecture
from rise.records import dataclass
from shine.simulator.arguments import Passed, pass_arguments
from shine.simulator.compiler import Compiler
from shine.simulator.explain import explain, lines_of_places
from shine.simulator.finding_messages import Context
from shine.simulator.instances import kernel_number
from shine.simulator.launch_sizes import Launch
from shine.simulator.model import (
    Buffer,
    Deferral,
    Finding,
    Index,
    Limits,
    Report,
    SharedArray,
    SimulatorError,
)
from shine.simulator.process import POOL, EndedError, Process, Signature
from shine.simulator.profile import CountRecord, Profile, occupancy, profile_of
from shine.simulator.records import AnswerHead, ArrayPlace, BufferRecord, FindingRecord, RequestHead
from shine.simulator.schedules import DEFERRING, schedule_number
from shine.simulator.shared_pointers import told_apart
from shine.simulator.symbols import (
    StaticArray,
    Variable,
    guards_of_shared_arrays,
    static_arrays,
    variables,
)
from shine.simulator.text import KernelText, device_variables

DEFAULT_BUDGET: Final = 20_000_000_000
DEFAULT_SECONDS: Final = 60.0
_MOST_SECONDS: Final = 1e9
_NEEDS_FINER: Final = 2
_NEEDS_AGAIN: Final = 3
_FINISHED: Final = 0
_GRANULE_BYTES: Final = 4
MAX_VARIABLES: Final = 50  # of a text that are checked
_MOST_FINDINGS: Final = 256
_GRID_VARIABLE: Final = "sim_grid_arrived"  # of `cooperative_groups.h`
_MOST_PRINTED: Final = 1 << 20
_MOST_COUNTS: Final = 1 << 20
#: bytes of addresses that a launch may take beyond its arrays and what the checks remember of them
DEFAULT_MEMORY: Final = 16 << 30
DEFAULT_SWITCHES: Final = 20_000_000_000
_REMEMBERED_BYTES: Final = 64  # at most, per byte of an array, in a checked launch


@dataclass(frozen=True, slots=True)
class Program:
    """A CUDA text, built. `kernels` has its kernels in order."""

    source: str
    check: bool
    profile: bool
    architecture: Architecture
    kernels: tuple[KernelText, ...]
    library: Path
    compiler: str
    signatures: tuple[Signature, ...]
    statics: tuple[StaticArray, ...]
    variables: tuple[Variable, ...]
    guards: tuple[int, ...]
    pointers: tuple[str, ...]
    dynamic_apart: bool
    restored: Callable[[], Path]
    start: Callable[[Path], Process]

    def launch(
        self,
        kernel: str,
        grid: Sequence[int],
        block: Sequence[int],
        arguments: Sequence[Any],
        dynamic_shared: int = 0,
        shared_arrays: Sequence[SharedArray] = (),
        schedule: str = "ascending",
        budget: int = DEFAULT_BUDGET,
        seconds: float = DEFAULT_SECONDS,
        limits: Limits | None = None,
        buffers: Sequence[Buffer] | None = None,
        switches: int = DEFAULT_SWITCHES,
        memory: int = DEFAULT_MEMORY,
        cluster: Sequence[int] | None = None,
        deferrals: Sequence[Deferral] | None = None,
    ) -> Report:
        """Run a kernel on arrays, which are its device memory, and scalars; report the errors found.

        `buffers` names the pointer arguments in order; without it they have the names of the text. `budget` is the
        number of steps after which a checked kernel is stopped, `seconds` the processor time after which any kernel is,
        `switches` the number of switches between threads. `memory` bounds the bytes of addresses that its process may
        take beyond the arrays. `cluster` has the blocks of a cluster, like the launch attribute; by default they are
        those of `__cluster_dims__`, if the kernel has it, or one. With `deferrals`, threads of a check build run in
        ascending order, but for the operations named there, which are deferred; `schedule` is ignored. Each order of
        the operations that synchronise (atomic and volatile ones) is that of some deferrals. What a launch did not
        finish is in the arrays, unless its process ended.
        Raises SimulatorError if the arguments do not fit the kernel.
        """
        number = kernel_number(kernel, self.kernels)
        text = self.kernels[number]
        declared = self.signatures[number].cluster
        size = Launch(
            _three("grid", grid),
            _three("block", block),
            dynamic_shared,
            tuple(shared_arrays),
            _three("cluster", cluster) if cluster is not None else declared or (1, 1, 1),
        )
        statics = self._static_arrays(text.function)
        refused = size.refused(text, statics, limits or Limits())
        refused += size.refused_cluster(text, declared, self.architecture)
        passed = pass_arguments(text, self.signatures[number], arguments, buffers)
        if refused:
            return Report(refused, finished=False)
        arrays = told_apart(size.shared_arrays, self.pointers, self.dynamic_apart)
        size = replace(size, shared_arrays=arrays)
        asked = [2 * one.operation + one.leaves_block for one in deferrals or ()]
        order = schedule_number(schedule)
        if deferrals is not None:
            order = DEFERRING, order[1]
            if not self.check:
                raise ValueError("expected a check build for deferrals, found one that does not check")
        head = self._request(number, size, order, budget, seconds, switches)
        answer = self._run(head, size, statics, passed, memory, asked)
        if isinstance(answer, str):
            return Report(
                (Finding("fault", f"the process of `{text.name}` ended: {answer}"),), finished=False
            )
        return self._report(answer, size, statics, passed)

    def _request(
        self, kernel: int, size: Launch, order: tuple[int, int], budget: int, seconds: float, switches: int
    ) -> RequestHead:
        """What the process is asked for; `order` is the number of the schedule, and its seed."""
        head = RequestHead()
        request = head.request
        request.kernel = kernel
        request.schedule, request.seed = order
        request.grid[:], request.block[:], request.cluster[:] = size.grid, size.block, size.cluster
        request.budget, request.most_switches = budget, switches
        request.seconds = min(seconds, _MOST_SECONDS)
        request.dynamic_bytes = size.dynamic_shared
        request.checking, request.granule = int(self.check), _GRANULE_BYTES
        return head

    def _run(
        self,
        head: RequestHead,
        size: Launch,
        statics: tuple[StaticArray, ...],
        passed: Passed,
        memory: int,
        deferrals: Sequence[int],
    ) -> Answer | str:
        """The answer of a process, or the reason why it ended instead."""
        process: Process | None = None
        try:
            process = POOL.take(self.library, lambda: self.start(self.restored()))
            offsets = process.segment.place(passed.regions)
            array_bytes = sum(region.bytes for region in passed.regions)
            memory += 2 * process.segment.bytes + self.check * _REMEMBERED_BYTES * array_bytes
            while True:
                process.segment.fill(passed.regions, offsets)
                seconds = head.request.seconds
                buffers = self._buffers(passed, offsets)
                places = self._places(size, statics)
                message = _message(
                    head, process.segment.bytes, buffers, places, passed, self.guards, deferrals
                )
                process.ask(message, seconds, memory)
                answer = _answer(process, seconds)
                if answer.status == _NEEDS_FINER and head.request.granule > 1:
                    head.request.granule = answer.needed_granule
                elif answer.status == _NEEDS_AGAIN and not head.request.again:
                    head.request.again, head.request.first_digest = 1, answer.digest
                else:
                    break
            process.segment.give_back(passed.regions, offsets)
        except EndedError as ended:
            return str(ended)
        except BaseException:
            if process is not None:
                process.close()
            raise
        if answer.status == _FINISHED:
            POOL.give(process)
        else:  # variables of the text are half changed: the next launch begins with new ones
            process.close()
        return answer

    def _buffers(self, passed: Passed, offsets: Sequence[int]) -> list[BufferRecord]:
        """The arrays of a launch; in a check build, also the variables of the text."""
        buffers = [
            BufferRecord(offset, one.bytes, one.read_only, 0)
            for one, offset in zip(passed.regions, offsets, strict=True)
        ]
        return buffers + [BufferRecord(one.distance % 2**64, one.bytes, 0, 1) for one in self.variables]

    def _places(
        self, size: Launch, statics: Sequence[StaticArray]
    ) -> tuple[list[ArrayPlace], list[ArrayPlace]]:
        """The arrays in static shared memory, and those in dynamic or within static shared memory."""
        numbers = {one.name: number for number, one in enumerate(statics, 1)}
        pointers = {name: number for number, name in enumerate(self.pointers, 1)}
        return [ArrayPlace(one.offset, one.bytes, 0, 0) for one in statics], [
            ArrayPlace(one.offset, one.bytes, numbers.get(one.within, 0), pointers.get(one.name, 0))
            for one in size.shared_arrays
        ]

    def _report(
        self, answer: Answer, size: Launch, statics: tuple[StaticArray, ...], passed: Passed
    ) -> Report:
        context = Context(
            self.restored() if answer.findings else self.library,
            self.compiler,
            size.grid,
            size.block,
            tuple(one.name for one in statics),
            tuple(one.name for one in size.shared_arrays),
            (*((one.name, one.item) for one in passed.regions), *((one.name, 0) for one in self.variables)),
        )
        return Report(
            explain(answer.findings, context),
            answer.status == _FINISHED,
            answer.steps if self.check else 0,
            answer.switches,
            answer.printed,
            self._profile(answer, size, statics) if answer.status == _FINISHED else None,
            synchronising=answer.reached,
            deferred=answer.deferred,
        )

    def _profile(self, answer: Answer, size: Launch, statics: tuple[StaticArray, ...]) -> Profile | None:
        if not self.profile:
            return None
        lines = lines_of_places((one.place for one in answer.counts), self.restored(), self.compiler)
        threads = size.block[0] * size.block[1] * size.block[2]
        shared = sum(one.bytes for one in statics) + size.dynamic_shared
        return profile_of(
            answer.counts, lines, occupancy(self.architecture, threads, shared), prod(size.grid)
        )

    def _static_arrays(self, kernel: str) -> tuple[StaticArray, ...]:
        """The static shared arrays of the kernel, and of functions that are not kernels."""
        other_kernels = {text.function for text in self.kernels} - {kernel}
        return tuple(array for array in self.statics if array.function not in other_kernels)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer of a process about a launch."""

    status: int
    needed_granule: int
    digest: int
    switches: int
    steps: int
    findings: tuple[FindingRecord, ...]
    printed: str
    counts: tuple[CountRecord, ...]
    reached: int
    deferred: int


def _message(
    head: RequestHead,
    memory_bytes: int,
    buffers: Sequence[BufferRecord],
    places: tuple[Sequence[ArrayPlace], Sequence[ArrayPlace]],
    passed: Passed,
    guards: Sequence[int],
    deferrals: Sequence[int],
) -> bytes:
    """A request with its tables, as `serve.h` reads them."""
    static_places, dynamic_places = places
    request = head.request
    request.buffer_count, request.pointer_count = len(buffers), len(passed.pointers)
    request.static_count, request.dynamic_count = len(static_places), len(dynamic_places)
    head.memory_bytes = memory_bytes
    head.argument_count, head.word_count = len(passed.places), len(passed.words) // 8
    tables = (*buffers, *static_places, *dynamic_places)
    request.guard_count, request.deferral_count = len(guards), len(deferrals)
    numbers = [number for pointer in passed.pointers for number in pointer] + list(passed.places)
    numbers += [*(guard % 2**64 for guard in guards), *deferrals]
    return b"".join(
        (bytes(head), *map(bytes, tables), struct.pack(f"={len(numbers)}Q", *numbers), passed.words)
    )


def _answer(process: Process, seconds: float) -> Answer:
    """The answer to a request."""
    head = AnswerHead.from_buffer_copy(process.receive(ctypes.sizeof(AnswerHead), seconds))
    size = ctypes.sizeof(FindingRecord)
    if (
        head.finding_bytes != size
        or head.finding_count > _MOST_FINDINGS
        or head.printed_bytes > _MOST_PRINTED
    ):
        process.close()
        raise EndedError("its reply is malformed")
    records = process.receive(head.finding_count * size, seconds)
    findings = tuple(FindingRecord.from_buffer_copy(records, i * size) for i in range(head.finding_count))
    process.ran += head.processor_nanoseconds / 1e9
    printed = process.receive(head.printed_bytes, seconds).decode("utf-8", "replace")
    if head.dropped_bytes:
        printed += f"\n[{head.dropped_bytes} more bytes were printed]\n"
    size = ctypes.sizeof(CountRecord)
    if head.count_records > _MOST_COUNTS:
        process.close()
        raise EndedError("its reply is malformed")
    raw = process.receive(head.count_records * size, seconds)
    counts = tuple(CountRecord.from_buffer_copy(raw, i * size) for i in range(head.count_records))
    return Answer(
        head.status,
        head.needed_granule,
        head.digest,
        head.switches,
        head.steps,
        findings,
        printed,
        counts,
        head.reached,
        head.deferred,
    )


def load(
    library: Path,
    source: str,
    kernels: tuple[KernelText, ...],
    check: bool,
    profile: bool,
    architecture: Architecture,
    compiler: Compiler,
    pointers: tuple[str, ...],
    dynamic_apart: bool,
    restored: Callable[[], Path],
    start: Callable[[Path], Process],
) -> Program:
    """Load a built library in a process, which its first launch uses; `restored` rebuilds one that was deleted.

    Raises OSError if it cannot be loaded, SimulatorError if that ends the process.
    """
    try:
        process = POOL.take(library, lambda: start(library))
    except EndedError as ended:
        title = f"expected a text that can be loaded, found that the process that loads it ended: {ended}"
        hint = "initialise device variables with constants"
        raise SimulatorError(Diagnostic("cannot-load", title, hint=hint)) from None
    signatures = process.kernels
    POOL.give(process)
    statics = static_arrays(library)
    names = {*device_variables(source), _GRID_VARIABLE}
    globals_ = variables(library, names)[:MAX_VARIABLES] if check or profile else ()
    guards = guards_of_shared_arrays(library) if profile else ()
    return Program(
        source,
        check,
        profile,
        architecture,
        kernels,
        library,
        compiler.path,
        signatures,
        statics,
        globals_,
        guards,
        pointers,
        dynamic_apart,
        restored,
        start,
    )


def _three(dimension: str, sizes: Sequence[int]) -> Index:
    lengths = tuple(int(size) for size in np.atleast_1d(np.asarray(sizes)))
    if not 1 <= len(lengths) <= 3:
        title = f"expected a {dimension} of one to three sizes, found {len(lengths)}"
        raise SimulatorError(Diagnostic("launch-size", title, hint=f"for example {dimension}=(16, 16)"))
    padded = (*lengths, 1, 1)
    return padded[0], padded[1], padded[2]
