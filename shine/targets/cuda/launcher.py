"""Launches a compiled CUDA module on host or device arrays. Independent of compilers.

The device is opened at the first run. The grids are evaluated once for each set of sizes.
"""

from __future__ import annotations

import os
import struct
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Final

import numpy as np

from rise.forks import Lock, in_process
from rise.natural_values import evaluate_natural
from rise.naturals import Nat, NatVar
from rise.records import dataclass
from shine.calling.memory import Memory, host_memory
from shine.imperative.limits import Limits, element_bytes
from shine.imperative.nodes import Buffer, Origin, Procedure
from shine.targets.c.source import FAILURE
from shine.targets.cuda.device_arrays import DeviceArray, plain_stream
from shine.targets.cuda.device_memory import DeviceMemory, device_arrays_in
from shine.targets.cuda.driver import DEFAULT_STREAM, Driver, Extent, Stream, ordered
from shine.targets.cuda.loader import open_driver
from shine.targets.cuda.module import CudaKernel, CudaModule, PointerArgument, ScalarArgument, SizeArgument
from shine.targets.cuda.packed_arguments import format_of, number_of, size_of
from shine.targets.cuda.pool import Pool

DEFAULT_SHARED_BYTES: Final = 48 << 10  # of a block; more shared memory must be requested
ALIGNMENT: Final = 32  # bytes; of an array's address, for vectors and matrix instructions
MAX_REMEMBERED_PLANS: Final = 256
FAILURE_NUMBERS: Final = 3  # of i64


@dataclass(frozen=True, slots=True)
class Step:
    """One kernel of a plan. `template` has the sizes among its arguments, and 0 for the others: `pointers` pairs the
    position of an argument with one among arrays and temporaries, `numbers` with one among the inputs passed by value.
    """

    name: str
    grid: Extent
    block: Extent
    shared_bytes: int
    layout: struct.Struct
    template: tuple[int, ...]
    pointers: tuple[tuple[int, int], ...]
    numbers: tuple[tuple[int, int, ScalarArgument], ...]

    def packed(self, addresses: Sequence[int], arguments: Sequence[Any]) -> bytes:
        """The arguments' bytes, given the addresses of arrays and temporaries."""
        values: list[Any] = list(self.template)
        for slot, position in self.pointers:
            values[slot] = addresses[position]
        for slot, position, argument in self.numbers:
            values[slot] = number_of(argument, arguments[position])
        return self.layout.pack(*values)


@dataclass(frozen=True, slots=True)
class Plan:
    """The launches for one set of sizes, and the bytes of its temporaries."""

    steps: tuple[Step, ...]
    temporaries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A device with the module loaded. `natives` are objects that must be released while the context is current."""

    driver: Driver
    pool: Pool
    functions: Mapping[str, Any]
    natives: list[Any]


class Launcher:
    """A module with its cubin, for one device; an `Executable`, of host arrays and of device arrays."""

    def __init__(
        self,
        module: CudaModule,
        procedure: Procedure,
        image: bytes,
        device: int = 0,
        opener: Callable[[int], Driver] = open_driver,
    ) -> None:
        self.module = module
        self.procedure = procedure
        self.image = image
        self.device = device
        self._opener = opener
        self._lock = Lock()
        self._plans: dict[tuple[int, ...], Plan] = {}
        inputs = [buffer for parameter in procedure.inputs for buffer in parameter.buffers]
        buffers = (*inputs, *procedure.output.buffers, *module.temporaries)
        self.arrays = len(inputs) + len(procedure.output.buffers)
        self.places: Mapping[Buffer, int] = {buffer: place for place, buffer in enumerate(buffers)}
        used = {
            (self.places[argument.buffer], argument.is_written)
            for kernel in module.kernels
            for argument in kernel.arguments
            if isinstance(argument, PointerArgument)
        }
        #: of the arrays: those that kernels get, and those that they write
        self.pointed = tuple(sorted({place for place, _ in used if place < self.arrays}))
        self.written = tuple(sorted({place for place, is_written in used if is_written} & {*self.pointed}))

    @property
    def source(self) -> str:
        """The CUDA text."""
        return self.module.source

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        """For each of its lines, the path in the low-level program."""
        return self.module.origins

    @property
    def limits(self) -> Limits:
        """Bounds on what it computes from sizes."""
        return self.module.limits

    @property
    def doing(self) -> str:
        """A description of what runs, for messages."""
        names = ", ".join(f"`{kernel.name}`" for kernel in self.module.kernels)
        return f"{names} ran" if len(self.module.kernels) < 2 else f"one of {names} ran"

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Run:
        """Bind the arguments of a run: arrays of the host, or of `memory`, and numbers."""
        return Run(self, tuple(sizes), arguments, DEFAULT_STREAM, True)

    def memory(self, arguments: Sequence[Any], out: Any, stream: Any) -> Memory:
        """The memory that holds the arrays of a call."""
        first = next(device_arrays_in((*arguments, out)), None)
        if first is None:
            return host_memory(arguments, out)
        return DeviceMemory(self.opened().driver, first, stream)

    def prepare_in(self, memory: Memory, sizes: Sequence[int], arguments: Sequence[Any], stream: Any) -> Run:
        """Bind the arguments of a run on a stream. With host arrays the run waits for the device."""
        if isinstance(memory, DeviceMemory):
            return Run(self, tuple(sizes), arguments, memory.stream, memory.waits)
        if stream is None:
            return self.prepare(sizes, arguments)
        return Run(self, tuple(sizes), arguments, plain_stream(self.opened().driver, stream), True)

    def opened(self) -> Opened:
        """The device with the module loaded. Raises RiseError if there is no device."""
        with self._lock.held():
            if self._opened is None:
                self._opened = self._open()
            return self._opened

    _opened: Opened | None = None

    def _open(self) -> Opened:
        driver = self._opener(self.device)
        functions: dict[str, Any] = {}
        with driver.current("the kernels were loaded"):
            module = driver.load(self.image)
            for kernel in self.module.kernels:
                function = functions[kernel.name] = driver.function(module, kernel.name)
                if kernel.shared_bytes + kernel.static_shared > DEFAULT_SHARED_BYTES:
                    driver.allow_shared(function, kernel.shared_bytes)
        opened = Opened(driver, Pool(driver), functions, [module, *functions.values()])
        weakref.finalize(self, in_process, os.getpid(), _unload, driver, opened.natives, functions)
        return opened

    def plan(self, sizes: tuple[int, ...]) -> Plan:
        """The launches for these sizes. Raises RiseError if they are too large for an integer of the kernels."""
        plan = self._plans.get(sizes)
        if plan is None:
            if len(self._plans) >= MAX_REMEMBERED_PLANS:
                self._plans.clear()
            plan = self._plans[sizes] = self._make_plan(dict(zip(self.procedure.sizes, sizes, strict=True)))
        return plan

    def _make_plan(self, sizes: Mapping[NatVar, int]) -> Plan:
        steps = []
        for kernel in self.module.kernels:
            width, height, depth = (_natural(extent, sizes) for extent in kernel.grid)
            if width * height * depth:
                steps.append(self._step(kernel, (width, height, depth), sizes))
        temporaries = tuple(
            _natural(buffer.size, sizes) * element_bytes(buffer) for buffer in self.module.temporaries
        )
        return Plan(tuple(steps), temporaries)

    def _step(self, kernel: CudaKernel, grid: Extent, sizes: Mapping[NatVar, int]) -> Step:
        template: list[int] = []
        pointers: list[tuple[int, int]] = []
        numbers: list[tuple[int, int, ScalarArgument]] = []
        for slot, argument in enumerate(kernel.arguments):
            template.append(0)
            match argument:
                case PointerArgument(buffer):
                    pointers.append((slot, self.places[buffer]))
                case ScalarArgument(buffer):
                    numbers.append((slot, self.places[buffer], argument))
                case SizeArgument():
                    template[slot] = size_of(argument, sizes)
        layout = format_of(kernel.arguments)
        return Step(
            kernel.name,
            grid,
            kernel.block,
            kernel.shared_bytes,
            layout,
            tuple(template),
            tuple(pointers),
            tuple(numbers),
        )


class Run:
    """One call's kernels with their arguments: calling it copies arrays where needed, and launches the kernels."""

    __slots__ = ("arguments", "launcher", "sizes", "stream", "waits")

    def __init__(
        self,
        launcher: Launcher,
        sizes: tuple[int, ...],
        arguments: Sequence[Any],
        stream: Stream,
        waits: bool,
    ) -> None:
        self.launcher = launcher
        self.sizes = sizes
        self.arguments = arguments
        self.stream = stream
        self.waits = waits

    def __call__(self) -> None:
        with self._on_device() as (driver, launch, addresses):
            launch()
            self._copy_out(driver, addresses)
            if self.launcher.module.sites:
                self._refuse_failure(driver, addresses)
            elif self.waits:
                driver.synchronize(self.stream)

    def _refuse_failure(self, driver: Driver, addresses: Sequence[int]) -> None:
        """Wait for the kernels, and raise TranslationError if one failed."""
        failure = np.zeros(FAILURE_NUMBERS, np.int64)
        driver.download(failure, addresses[self.launcher.places[FAILURE]], self.stream)
        driver.synchronize(self.stream)
        self.launcher.module.refuse_failure(failure)

    @contextmanager
    def clock(self) -> Iterator[Callable[[int], float]]:
        """A function from a number of runs to the device's seconds per run, measured with events, without copies."""
        with self._on_device() as (driver, launch, _):

            def seconds_per_run(times: int) -> float:
                start_event = driver.record(self.stream)
                for _ in range(times):
                    launch()
                return driver.seconds(start_event, driver.record(self.stream)) / times

            yield seconds_per_run

    @contextmanager
    def _on_device(self) -> Iterator[tuple[Driver, Callable[[], None], list[int]]]:
        """Put the arrays on the device; yields the driver, a function that launches the kernels, and the addresses."""
        launcher = self.launcher
        opened = launcher.opened()
        driver, stream = opened.driver, self.stream
        plan = launcher.plan(self.sizes)
        copied = [place for place in launcher.pointed if self._needs_copy(place)]
        block_sizes = [*(self.arguments[place].nbytes for place in copied), *plan.temporaries]
        pool: AbstractContextManager[list[Any]] = nullcontext([])
        if block_sizes:
            pool = opened.pool.blocks(block_sizes, stream)
        with driver.current(launcher.doing), ordered(driver, stream), pool as blocks:
            addresses = [getattr(argument, "address", 0) for argument in self.arguments]
            addresses += [int(block) for block in blocks[len(copied) :]]
            for place, block in zip(copied, blocks, strict=False):
                addresses[place] = int(block)
                self._copy_in(driver, self.arguments[place], addresses[place])
            if launcher.module.sites:
                driver.fill(addresses[launcher.places[FAILURE]], 0, FAILURE_NUMBERS * 8, stream)
            launches = [
                (opened.functions[step.name], step, step.packed(addresses, self.arguments))
                for step in plan.steps
            ]

            def launch() -> None:
                for function, step, packed in launches:
                    driver.launch(function, step.grid, step.block, step.shared_bytes, packed, stream)

            yield driver, launch, addresses

    def _needs_copy(self, place: int) -> bool:
        argument = self.arguments[place]
        return not isinstance(argument, DeviceArray) or bool(argument.address % ALIGNMENT)

    def _copy_in(self, driver: Driver, argument: Any, address: int) -> None:
        """Copy an array to the device; outputs too, since elements that kernels do not write keep their values."""
        if isinstance(argument, DeviceArray):
            driver.copy(address, argument.address, argument.nbytes, self.stream)
        else:
            driver.upload(address, np.asarray(argument), self.stream)

    def _copy_out(self, driver: Driver, addresses: Sequence[int]) -> None:
        for place in self.launcher.written:
            argument, address = self.arguments[place], addresses[place]
            if not isinstance(argument, DeviceArray):
                driver.download(argument, address, self.stream)
            elif argument.address != address:
                driver.copy(argument.address, address, argument.nbytes, self.stream)


def _unload(driver: Driver, natives: list[Any], functions: dict[str, Any]) -> None:
    with driver.current("kernels were unloaded"):
        functions.clear()
        natives.clear()


def _natural(a: Nat, sizes: Mapping[NatVar, int]) -> int:
    values: Mapping[Any, int] = sizes
    value = evaluate_natural(a, values)
    assert isinstance(value, int) and value >= 0, (a, value)
    return value
