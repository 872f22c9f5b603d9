"""A compiled CUDA module as something that runs on arrays of the host or of a device. Knows no compiler.

The device is opened at the first run: until then nothing needs one. For each set of sizes the grids are evaluated once.
"""

from __future__ import annotations

import os
import struct
import weakref
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from rise.forks import Lock, in_process
from rise.naturals import Nat, NatVar
from rise.quotients import evaluate_natural
from shine.calling.memory import HOST, Memory
from shine.imperative.limits import Limits, element_bytes
from shine.imperative.nodes import Buffer, Origin, Procedure
from shine.targets.cuda.device_arrays import DeviceArray, plain_stream
from shine.targets.cuda.device_memory import DeviceMemory, device_arrays_in
from shine.targets.cuda.driver import DEFAULT_STREAM, Driver, Extent, Stream, ordered
from shine.targets.cuda.loader import open_driver
from shine.targets.cuda.module import CudaKernel, CudaModule, PointerArgument, ScalarArgument, SizeArgument
from shine.targets.cuda.packed_arguments import format_of, number_of, size_of
from shine.targets.cuda.pool import Pool

UNASKED: Final = 48 << 10  # bytes of shared memory that a block has without being allowed more
ALIGNED: Final = 32  # bytes: what vectors and matrix instructions ask of an array's address
REMEMBERED: Final = 256  # sets of sizes


@dataclass(frozen=True, slots=True)
class Step:
    """One kernel of a plan. `slots` has for each argument a position among the arrays and temporaries, or its value;
    `numbers` those that are inputs by value.
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
        """The arguments' bytes, given where arrays and temporaries lie."""
        values: list[Any] = list(self.template)
        for at, place in self.pointers:
            values[at] = addresses[place]
        for at, place, argument in self.numbers:
            values[at] = number_of(argument, arguments[place])
        return self.layout.pack(*values)


@dataclass(frozen=True, slots=True)
class Plan:
    """What one set of sizes launches, and the bytes of its temporaries."""

    steps: tuple[Step, ...]
    temporaries: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Opened:
    """A device with the module loaded. `natives` are what has to be let go where the context is current."""

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
        inputs = [buffer for one in procedure.inputs for buffer in one.buffers]
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
        """What it computes of sizes."""
        return self.module.limits

    @cached_property
    def doing(self) -> str:
        """What runs, as messages say it."""
        names = ", ".join(f"`{kernel.name}`" for kernel in self.module.kernels)
        return f"{names} ran" if len(self.module.kernels) < 2 else f"one of {names} ran"

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Run:
        """Fix the arguments of a run: arrays of the host, or of `memory`, and numbers."""
        return Run(self, tuple(sizes), arguments, DEFAULT_STREAM, True)

    def memory(self, arguments: Sequence[Any], out: Any, stream: Any) -> Memory:
        """Where the arrays of a call lie."""
        first = next(device_arrays_in((*arguments, out)), None)
        return HOST if first is None else DeviceMemory(self.opened().driver, first, stream)

    def prepare_in(self, memory: Memory, sizes: Sequence[int], arguments: Sequence[Any], stream: Any) -> Run:
        """Fix the arguments of a run on a stream. With arrays of the host it ends when the device is done."""
        if isinstance(memory, DeviceMemory):
            return Run(self, tuple(sizes), arguments, memory.stream, memory.waits)
        if stream is None:
            return self.prepare(sizes, arguments)
        return Run(self, tuple(sizes), arguments, plain_stream(self.opened().driver, stream), True)

    def opened(self) -> Opened:
        """The device, the module loaded into it. Raises RiseError where there is none."""
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
                if kernel.shared_bytes + kernel.static_shared > UNASKED:
                    driver.allow_shared(function, kernel.shared_bytes)
        opened = Opened(driver, Pool(driver), functions, [module, *functions.values()])
        weakref.finalize(self, in_process, os.getpid(), _let_go, driver, opened.natives, functions)
        return opened

    def plan(self, sizes: tuple[int, ...]) -> Plan:
        """What these sizes launch. Raises RiseError where an integer of the kernels is too small for them."""
        plan = self._plans.get(sizes)
        if plan is None:
            if len(self._plans) >= REMEMBERED:
                self._plans.clear()
            plan = self._plans[sizes] = self._make_plan(dict(zip(self.procedure.sizes, sizes, strict=True)))
        return plan

    def _make_plan(self, sizes: Mapping[NatVar, int]) -> Plan:
        steps = []
        for kernel in self.module.kernels:
            width, height, depth = (_natural(extent, sizes) for extent in kernel.grid)
            if width * height * depth:
                steps.append(self._step(kernel, (width, height, depth), sizes))
        temporaries = tuple(_natural(one.size, sizes) * element_bytes(one) for one in self.module.temporaries)
        return Plan(tuple(steps), temporaries)

    def _step(self, kernel: CudaKernel, grid: Extent, sizes: Mapping[NatVar, int]) -> Step:
        template: list[int] = []
        pointers: list[tuple[int, int]] = []
        numbers: list[tuple[int, int, ScalarArgument]] = []
        for at, argument in enumerate(kernel.arguments):
            template.append(0)
            match argument:
                case PointerArgument(buffer):
                    pointers.append((at, self.places[buffer]))
                case ScalarArgument(buffer):
                    numbers.append((at, self.places[buffer], argument))
                case SizeArgument():
                    template[at] = size_of(argument, sizes)
        layout = format_of(kernel.arguments)
        values = (tuple(template), tuple(pointers), tuple(numbers))
        return Step(kernel.name, grid, kernel.block, kernel.shared_bytes, layout, *values)


class Run:
    """One call's kernels with their arguments: calling it copies what has to be copied, and launches them."""

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
        with self._placed() as (driver, launch, addresses):
            launch()
            self._bring_back(driver, addresses)
            if self.waits:
                driver.synchronize(self.stream)

    @contextmanager
    def clock(self) -> Iterator[Callable[[int], float]]:
        """Seconds that the device takes for a run, measured by events over several in a row, arrays copied before."""
        with self._placed() as (driver, launch, _):

            def clocked(times: int) -> float:
                start = driver.record(self.stream)
                for _ in range(times):
                    launch()
                return driver.seconds(start, driver.record(self.stream)) / times

            yield clocked

    @contextmanager
    def _placed(self) -> Iterator[tuple[Driver, Callable[[], None], list[int]]]:
        """The arrays on the device, and what launches the kernels there."""
        launcher = self.launcher
        opened = launcher.opened()
        driver, stream = opened.driver, self.stream
        plan = launcher.plan(self.sizes)
        moved = [place for place in launcher.pointed if self._must_move(place)]
        wanted = [*(self.arguments[place].nbytes for place in moved), *plan.temporaries]
        pool: AbstractContextManager[list[Any]] = nullcontext([])
        if wanted:
            pool = opened.pool.blocks(wanted, stream)
        with driver.current(launcher.doing), ordered(driver, stream), pool as blocks:
            addresses = [getattr(argument, "address", 0) for argument in self.arguments]
            addresses += [int(block) for block in blocks[len(moved) :]]
            for place, block in zip(moved, blocks, strict=False):
                addresses[place] = int(block)
                self._bring(driver, self.arguments[place], addresses[place])
            ready = [
                (opened.functions[step.name], step, step.packed(addresses, self.arguments))
                for step in plan.steps
            ]

            def launch() -> None:
                for function, step, packed in ready:
                    driver.launch(function, step.grid, step.block, step.shared_bytes, packed, stream)

            yield driver, launch, addresses

    def _must_move(self, place: int) -> bool:
        argument = self.arguments[place]
        return not isinstance(argument, DeviceArray) or bool(argument.address % ALIGNED)

    def _bring(self, driver: Driver, argument: Any, address: int) -> None:
        """Copy an array to where the kernels find it; outputs too: what they leave alone keeps its value."""
        if isinstance(argument, DeviceArray):
            driver.copy(address, argument.address, argument.nbytes, self.stream)
        else:
            driver.upload(address, np.asarray(argument), self.stream)

    def _bring_back(self, driver: Driver, addresses: Sequence[int]) -> None:
        for place in self.launcher.written:
            argument, address = self.arguments[place], addresses[place]
            if not isinstance(argument, DeviceArray):
                driver.download(argument, address, self.stream)
            elif argument.address != address:
                driver.copy(argument.address, address, argument.nbytes, self.stream)


def _let_go(driver: Driver, natives: list[Any], functions: dict[str, Any]) -> None:
    with driver.current("kernels were unloaded"):
        functions.clear()
        natives.clear()


def _natural(a: Nat, sizes: Mapping[NatVar, int]) -> int:
    known: Mapping[Any, int] = sizes
    value = evaluate_natural(a, known)
    assert isinstance(value, int) and value >= 0, (a, value)
    return value
