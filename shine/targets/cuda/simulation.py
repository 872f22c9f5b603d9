"""Runs a CUDA module in the simulator. Independent of CUDA compilers and devices."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn

import numpy as np

from rise.diagnostics import Diagnostic
from rise.hardware import Architecture
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, NatVar
from rise.programs.foreign import hint_of_code
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import ScalarType
from rise.values import poison
from shine import simulator
from shine.calling.storage import NO_ROOM, refuse_temporaries
from shine.imperative.errors import TranslationError
from shine.imperative.limits import Limits, element_bytes
from shine.imperative.nodes import Buffer, Origin, Procedure
from shine.simulator import Finding, Report, SimulatorError
from shine.simulator.profile import Profile
from shine.targets.c.narrow_floats import WITHOUT_ARITHMETIC
from shine.targets.c.source import FAILURE
from shine.targets.cuda.module import CudaKernel, CudaModule, PointerArgument, ScalarArgument, SizeArgument
from shine.targets.target import refuse_option

ROOT: Final[Origin] = ()
#: findings about sizes that are over the limits of devices
SIZE_FINDINGS: Final = ("launch-size", "shared-size")


@dataclass(frozen=True, slots=True)
class Simulated:
    """A module built for the simulator; an `Executable`. A finding is raised as an error at its place in the program.
    `program` is None if there is nothing to run, for a result without elements.
    """

    module: CudaModule
    procedure: Procedure
    program: simulator.Program | None
    device: simulator.Limits
    schedule: str
    seconds: float
    build_profiled: Callable[[], simulator.Program]

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

    def with_options(self, options: Mapping[str, Any]) -> Simulated:
        """The same module under another schedule and another time limit. Raises RiseError for wrong values."""
        _check_runs(options)
        return replace(self, schedule=options["schedule"], seconds=options["seconds"])

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        """Bind the arguments of a run: arrays are used in place."""
        named = dict(zip(self.procedure.sizes, sizes, strict=True))

        def run() -> None:
            self._run(named, arguments)

        return run

    def profile(
        self, sizes: Sequence[int], arguments: Sequence[Any]
    ) -> tuple[str, tuple[Origin | None, ...], list[tuple[str, Profile]]]:
        """Run it once with counts: the text, its origins, and each launch's kernel and profile."""
        program = self.build_profiled() if self.module.kernels else None
        counting = replace(self, program=program)
        return (
            self.source,
            self.origins,
            counting._run(dict(zip(self.procedure.sizes, sizes, strict=True)), arguments),
        )

    def _run(self, sizes: Mapping[NatVar, int], arguments: Sequence[Any]) -> list[tuple[str, Profile]]:
        """Launch all kernels; the profiles of those launches that have one."""
        parameters = (*self.procedure.inputs, self.procedure.output)
        buffers = [buffer for parameter in parameters for buffer in parameter.buffers]
        arrays: dict[Buffer, Any] = dict(zip(buffers, arguments, strict=True))
        for buffer in self.module.temporaries:
            arrays[buffer] = _temporary(buffer, _natural(buffer.size, sizes))
        if self.module.sites:
            arrays[FAILURE] = np.zeros_like(arrays[FAILURE])
        profiles: list[tuple[str, Profile]] = []
        for kernel in self.module.kernels:
            grid = tuple(_natural(extent, sizes) for extent in kernel.grid)
            if 0 not in grid:
                profile = self._launch(kernel, grid, arrays, sizes)
                if profile is not None:
                    profiles.append((kernel.name, profile))
        return profiles

    def _launch(
        self,
        kernel: CudaKernel,
        grid: tuple[int, ...],
        arrays: Mapping[Buffer, Any],
        sizes: Mapping[NatVar, int],
    ) -> Profile | None:
        passed: list[Any] = []
        pointers: list[simulator.Buffer] = []
        for argument in kernel.arguments:
            match argument:
                case PointerArgument(buffer, is_written):
                    passed.append(np.asarray(arrays[buffer]).reshape(-1))
                    pointers.append(simulator.Buffer(buffer.name, read_only=not is_written))
                case ScalarArgument(buffer, t):
                    number = np.asarray(arrays[buffer]).astype(SCALARS[t.name].dtype)
                    passed.append((number.view(np.uint8) if t.name in WITHOUT_ARITHMETIC else number)[()])
                case SizeArgument(size, bits):
                    passed.append((np.int64 if bits == 64 else np.int32)(sizes[size]))
        assert self.program is not None, "a module with kernels has a program"
        report = self.program.launch(
            kernel.name,
            grid,
            kernel.block,
            passed,
            kernel.shared_bytes,
            tuple(
                simulator.SharedArray(array.name, array.offset, array.bytes, array.within)
                for array in kernel.shared
            ),
            schedule=self.schedule,
            seconds=self.seconds,
            limits=self.device,
            buffers=tuple(pointers),
        )
        if self.module.sites:
            self.module.refuse_failure(arrays[FAILURE])
        if report.findings or not report.finished:
            self._refuse(kernel, report)
        return report.profile

    def _refuse(self, kernel: CudaKernel, report: Report) -> NoReturn:
        """Raise the first finding, with the place in the program that the line was translated from."""
        finding: Finding = report.findings[0]
        lines = self.module.source.splitlines()
        numbers = [line for line in finding.lines if line]
        if finding.kind == "budget":  # the line where it was stopped is arbitrary, but not the loop around it
            numbers = [loop_around(lines, line) for line in numbers]
        notes = [f"line {line} of the CUDA source: {lines[line - 1].strip()}" for line in numbers]
        more = len(report.findings) - 1
        if more:
            notes.append(f"and {more} more finding{'s' * (more > 1)}")
        origins = [self.module.origins[line - 1] for line in numbers]
        origin = next((candidate for candidate in origins if candidate), ROOT)
        title = f"expected `{kernel.name}` to run without a fault in the simulator, found {finding.phrase}"
        if finding.kind == "budget":
            title = f"expected `{kernel.name}` to end within {self.seconds:g} s in the simulator, found it running"
            hint = "raise the limit with the option `seconds`, or use smaller sizes"
        elif finding.kind in SIZE_FINDINGS:
            hint = "choose smaller tiles, fewer units of a level, or smaller sizes"
        elif self.procedure.foreign:
            hint = hint_of_code(self.procedure.foreign)
        else:
            hint = "this is a bug in rise-shine: please report it with the program"
        raise TranslationError(
            Diagnostic(f"simulator-{finding.kind}", title, hint=hint, notes=tuple(notes)), origin
        )


def simulate(
    module: CudaModule, procedure: Procedure, arch: Architecture, options: Mapping[str, Any]
) -> Simulated:
    """Build a module for the simulator. Raises RiseError if there is no C++ compiler, and for wrong options."""
    _check_runs(options)
    cache = None if options["cache"] is None else Path(options["cache"])
    program: simulator.Program | None = None
    build = partial(simulator.build, module.source, cxx=options["cxx"], cache=cache, arch=arch)
    try:
        if module.kernels:
            program = build(check=options["check"])
    except SimulatorError as error:
        if not error.lines:
            raise
        first = error.lines[0][0]
        origin = module.origins[first - 1] if 1 <= first <= len(module.origins) else None
        hint = "this is a bug in rise-shine: please report it with the program"
        raise TranslationError(replace(error.diagnostic, hint=hint), origin or ROOT) from None
    device = simulator.Limits(arch.block_threads, arch.static_shared, arch.shared, arch.block, arch.grid)
    build_profiled = partial(build, profile=True)
    return Simulated(
        module, procedure, program, device, options["schedule"], options["seconds"], build_profiled
    )


def _check_runs(options: Mapping[str, Any]) -> None:
    if not simulator.is_schedule(options["schedule"]):
        expected = "ascending, descending or random:NUMBER"
        refuse_option("schedule", expected, f"`{options['schedule']}`", "omit it for ascending")
    if not options["seconds"] > 0:
        refuse_option("seconds", "more than 0", str(options["seconds"]), "omit it for 60")


def loop_around(lines: Sequence[str], line: int) -> int:
    """The first line, counted from 1, of the innermost loop around a line; the line itself if there is none.

    >>> loop_around(["for (;;) {", "  x++;", "}", "y++;"], 2), loop_around(["for (;;) {", "  x++;", "}", "y++;"], 4)
    (1, 4)
    """
    indent = len(lines[line - 1])
    for number in range(line, 0, -1):
        text = lines[number - 1].lstrip()
        text_indent = len(lines[number - 1]) - len(text)
        if text and text_indent < indent:
            indent = text_indent
            if text.startswith("for ("):
                return number
    return line


def _temporary(buffer: Buffer, count: int) -> Any:
    """An array in global memory. Raises TranslationError if there is no memory for it."""
    assert isinstance(buffer.element, ScalarType), buffer
    try:
        return poison((count,), SCALARS[buffer.element.name].dtype)
    except NO_ROOM:
        refuse_temporaries([(buffer.name, count * element_bytes(buffer))], buffer.origin)


def _natural(a: Any, sizes: Mapping[NatVar, int]) -> int:
    values: Mapping[Atom, int] = dict(sizes.items())
    value = evaluate_natural(a, values)
    assert isinstance(value, int), f"{a!r} is {value} where {sizes}"
    return value
