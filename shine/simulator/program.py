"""Launches built CUDA texts on numpy arrays. Knows no compiler."""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from rise.diagnostics import Diagnostic, did_you_mean
from rise.forks import Lock, fork_barrier
from shine.simulator.arguments import Passed, pass_arguments
from shine.simulator.compiler import Compiler
from shine.simulator.explain import Context, explain
from shine.simulator.model import Buffer, Finding, Index, Limits, Report, SharedArray, SimulatorError
from shine.simulator.records import ArrayPlace, BufferRecord, FindingRecord, KernelRecord, Request, Stacks
from shine.simulator.symbols import StaticArray, Variable, static_arrays, variables
from shine.simulator.text import KernelText, device_variables

DEFAULT_BUDGET: Final = 20_000_000_000
DEFAULT_SECONDS: Final = 60.0
_SCHEDULE = re.compile(r"(ascending|descending)|random:(\d+)")
_NEEDS_FINER: Final = 2
_FINISHED: Final = 0
_GRANULE_BYTES: Final = 4
MAX_VARIABLES: Final = 50  # of a text that are checked
# Signal handlers belong to the process, so one kernel runs at a time.
_RUNNING: Final = Lock()
_LOADING: Final = fork_barrier()
# A process has a limited number of mappings, and a stack with its guard takes two: all kernels share these stacks.
_STACKS: Final = Stacks()


@dataclass(frozen=True, slots=True)
class Program:
    """A CUDA text, built and loaded. `kernels` has its kernels in order."""

    source: str
    check: bool
    kernels: tuple[KernelText, ...]
    library: Path
    compiler: str
    loaded: Any
    statics: tuple[StaticArray, ...]
    variables: tuple[Variable, ...]
    restored: Callable[[], Path]

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
    ) -> Report:
        """Run a kernel on arrays, which are its device memory, and scalars; report the errors found.

        `buffers` names the pointer arguments in order; without it they have the names of the text. `budget` is the
        number of steps after which a checked kernel is stopped, `seconds` the processor time after which any kernel is.
        Raises SimulatorError if the arguments do not fit the kernel.
        """
        number = self._number(kernel)
        text = self.kernels[number]
        size = Launch(_three("grid", grid), _three("block", block), dynamic_shared, tuple(shared_arrays))
        statics = self._static_arrays(text.name)
        refused = size.refused(text, statics, limits or Limits())
        record = _kernel_record(self.loaded, text.name)
        passed = pass_arguments(text, record, arguments, buffers, self.check)
        if refused:
            return Report(refused, finished=False)
        return self._run(record[0], size, statics, passed, schedule, budget, seconds)

    def _run(
        self,
        number: int,
        size: Launch,
        statics: tuple[StaticArray, ...],
        passed: Passed,
        schedule: str,
        budget: int,
        seconds: float,
    ) -> Report:
        request = Request()
        request.kernel = number
        request.schedule, request.seed = _schedule(schedule)
        request.grid[:], request.block[:] = size.grid, size.block
        request.budget, request.seconds = budget, seconds
        request.dynamic_bytes = size.dynamic_shared
        request.checking, request.granule = int(self.check), _GRANULE_BYTES
        places = [ArrayPlace(one.offset, one.bytes) for one in statics]
        dynamic = [ArrayPlace(one.offset, one.bytes) for one in size.shared_arrays]
        buffers = [BufferRecord(one.address, one.bytes, one.read_only, one.staged) for one in passed.regions]
        if self.check:
            base = ctypes.addressof(ctypes.c_int.in_dll(self.loaded, "sim_kernel_count"))
            buffers += [BufferRecord(base + one.distance, one.bytes, 0, 0) for one in self.variables]
        pointers = [(ctypes.c_uint64 * 3)(*one) for one in passed.pointers]
        request.static_count, request.static_arrays = len(places), (ArrayPlace * len(places))(*places)
        request.dynamic_count, request.dynamic_arrays = len(dynamic), (ArrayPlace * len(dynamic))(*dynamic)
        request.buffer_count, request.buffers = len(buffers), (BufferRecord * len(buffers))(*buffers)
        request.pointer_count = len(pointers)
        request.pointers = (ctypes.c_uint64 * 3 * len(pointers))(*pointers)
        request.stacks = ctypes.pointer(_STACKS)
        request.arguments = (ctypes.c_void_p * len(passed.places))(*passed.places)
        library = self.loaded
        with _RUNNING.held():
            status = library.sim_launch(ctypes.byref(request))
            while status == _NEEDS_FINER and request.granule > 1:
                request.granule = library.sim_needed_granule()
                status = library.sim_launch(ctypes.byref(request))
            count = library.sim_finding_count()
            records = [FindingRecord.from_buffer_copy(one) for one in library.sim_findings()[:count]]
            steps, switches = library.sim_steps(), library.sim_switches()
        context = Context(
            self.restored() if records else self.library,
            self.compiler,
            size.grid,
            size.block,
            tuple(one.name for one in statics),
            tuple(one.name for one in size.shared_arrays),
            (*((one.name, one.item) for one in passed.regions), *((one.name, 0) for one in self.variables)),
        )
        return Report(explain(records, context), status == _FINISHED, steps if self.check else 0, switches)

    def _number(self, kernel: str) -> int:
        names = [kernel_text.name for kernel_text in self.kernels]
        if kernel in names:
            return names.index(kernel)
        title = f"expected one of the kernels {', '.join(names)}, found `{kernel}`"
        raise SimulatorError(Diagnostic("unknown-kernel", title, hint=did_you_mean(kernel, names)))

    def _static_arrays(self, kernel: str) -> tuple[StaticArray, ...]:
        """The static shared arrays of the kernel, and of functions that are not kernels."""
        other_kernels = {text.name for text in self.kernels} - {kernel}
        return tuple(array for array in self.statics if array.function not in other_kernels)


@dataclass(frozen=True, slots=True)
class Launch:
    """The sizes of a launch."""

    grid: Index
    block: Index
    dynamic_shared: int
    shared_arrays: tuple[SharedArray, ...]

    def refused(
        self, kernel: KernelText, statics: Sequence[StaticArray], limits: Limits
    ) -> tuple[Finding, ...]:
        """Findings for sizes that are over the limits; a device would refuse the launch."""
        launch_errors: list[str] = []
        threads = self.block[0] * self.block[1] * self.block[2]
        max_threads = min(limits.threads, kernel.most_threads or limits.threads)
        if not 1 <= threads <= max_threads:
            launch_errors.append(f"expected 1 to {max_threads} threads in a block, found {threads}")
        for dimension, sizes, allowed in (
            ("block", self.block, limits.block),
            ("grid", self.grid, limits.grid),
        ):
            if any(not 1 <= size <= bound for size, bound in zip(sizes, allowed, strict=True)):
                launch_errors.append(
                    f"expected a {dimension} of at least 1 and at most {allowed}, found {sizes}"
                )
        launch = [Finding("launch-size", f"{error}, launching {kernel.name}") for error in launch_errors]
        static = sum(array.bytes for array in statics)
        shared_errors: list[str] = []
        if static > limits.static_shared:
            shared_errors.append(
                f"expected at most {limits.static_shared} bytes of static shared memory, found {static}"
            )
        if static + self.dynamic_shared > limits.shared:
            shared_errors.append(
                f"expected at most {limits.shared} bytes of shared memory, found {static} static and "
                f"{self.dynamic_shared} dynamic"
            )
        for array in self.shared_arrays:
            if array.offset < 0 or array.bytes < 0 or array.offset + array.bytes > self.dynamic_shared:
                shared_errors.append(
                    f"expected `{array.name}` in {self.dynamic_shared} bytes of dynamic shared memory, "
                    f"found it at {array.offset} with {array.bytes} bytes"
                )
        return (
            *launch,
            *(Finding("shared-size", f"{error}, launching {kernel.name}") for error in shared_errors),
        )


def load(
    library: Path,
    source: str,
    kernels: tuple[KernelText, ...],
    check: bool,
    compiler: Compiler,
    restored: Callable[[], Path],
) -> Program:
    """Load a built library; `restored` rebuilds it if it was deleted meanwhile."""
    with _LOADING:
        loaded = ctypes.CDLL(str(library))
    loaded.sim_launch.argtypes = [ctypes.POINTER(Request)]
    loaded.sim_launch.restype = ctypes.c_int
    loaded.sim_findings.restype = ctypes.POINTER(FindingRecord)
    for counter in (loaded.sim_finding_count, loaded.sim_needed_granule):
        counter.restype = ctypes.c_uint
    for counter in (loaded.sim_switches, loaded.sim_steps):
        counter.restype = ctypes.c_uint64
    statics = static_arrays(library)
    globals_ = variables(library, device_variables(source))[:MAX_VARIABLES] if check else ()
    return Program(source, check, kernels, library, compiler.path, loaded, statics, globals_, restored)


def _kernel_record(library: Any, name: str) -> tuple[int, KernelRecord]:
    count = ctypes.c_int.in_dll(library, "sim_kernel_count").value
    table = (KernelRecord * count).in_dll(library, "sim_kernels")
    return next((i, record) for i, record in enumerate(table) if record.name == name.encode())


def _three(dimension: str, sizes: Sequence[int]) -> Index:
    lengths = tuple(int(size) for size in np.atleast_1d(np.asarray(sizes)))
    if not 1 <= len(lengths) <= 3:
        title = f"expected a {dimension} of one to three sizes, found {len(lengths)}"
        raise SimulatorError(Diagnostic("launch-size", title))
    padded = (*lengths, 1, 1)
    return padded[0], padded[1], padded[2]


def is_schedule(schedule: str) -> bool:
    """Whether a text is an order of threads: `ascending`, `descending`, or `random:SEED`."""
    return _SCHEDULE.fullmatch(schedule) is not None


def _schedule(schedule: str) -> tuple[int, int]:
    match = _SCHEDULE.fullmatch(schedule)
    if match is None:
        title = f"expected the schedule `ascending`, `descending` or `random:SEED`, found `{schedule}`"
        raise SimulatorError(Diagnostic("unknown-schedule", title))
    if match[2] is not None:
        return 2, int(match[2]) % 2**64
    return ("ascending", "descending").index(match[1]), 0
