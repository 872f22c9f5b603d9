"""Claims of Fireiron's schedules about barriers, shared memory and micro-kernels, confirmed or refuted by simulation.

Depends on CUDA texts.

Barriers are inferred, so a schedule need not request them. `noSync` after a load claims that no thread waits for this
copy; `sync` after a split claims that threads must wait between iterations. A claim is tested by removing its barrier
from the kernel's text. `reuseBuffer` claims that an array in shared memory lies in bytes of others. A micro-kernel
claims that it computes the specification that it declares: its results are compared with those of the same schedule
without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import lcm
from typing import Any, Final

import numpy as np

from elevate import Diagnostic, StrategyError
from elevate.argument_checks import expected
from rise.argument_checks import Termlike, term_of
from rise.programs.heads import specialise
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import DepLam, Expr
from rise.types import known_sizes_of
from shine import simulator
from shine.front.derivation import derive
from shine.imperative.errors import TranslationError
from shine.kernel import Kernel
from shine.pipeline import build
from shine.targets.cuda.module import CudaModule, PointerArgument
from strategies.fireiron.micro_kernels import MicroKernel
from strategies.fireiron.schedule import Schedule
from strategies.fireiron.specs import SH, Core, Spec
from strategies.fireiron.steps import (
    DoneStep,
    EpilogStep,
    FirstStep,
    LoadStep,
    ShareStep,
    SplitStep,
    StageStep,
    Step,
    with_inner,
)
from strategies.fireiron.tiles import TileStep

#: more bytes than any shared memory has
MEMORY: Final = 1 << 30
_BARRIERS: Final = ("__syncthreads();", "__syncwarp();")


@dataclass(frozen=True, slots=True)
class Claim:
    """The result for a claim: the step that makes it, whether it holds, and the reason, with the simulator's report."""

    step: Step
    holds: bool
    reason: str

    def __str__(self) -> str:
        return f"{'confirmed' if self.holds else 'refuted'}: .{self.step}: {self.reason}"


def check_claims(schedule: Schedule, program: Termlike) -> tuple[Claim, ...]:
    """Check the claims of a schedule for a program. A is the first parameter of the program.

    The kernel computes one block's tile in two iterations, of one element of a batch, in the simulator. Raises
    StrategyError for anything but a finished schedule, and RiseError if its kernel does not fit the target.
    """
    expected(schedule, Schedule, "a schedule", "schedule", "for example MatMul.tile(64, 64).to(Block)")
    kernel = _built(schedule, program)
    found = _memory_claims(schedule, kernel)
    for micro_kernel in schedule.kernels:
        plain = replace(schedule, steps=_without(schedule.steps, micro_kernel))
        found.append(_micro_kernel(DoneStep(micro_kernel), kernel, _built(plain, program)))
    return tuple(found)


def _without(steps: Sequence[Step], kernel: MicroKernel) -> tuple[Step, ...]:
    """Steps that end in instructions instead of a micro-kernel."""
    found: list[Step] = []
    for step in steps:
        match step:
            case FirstStep():
                found.append(replace(step, steps=_without(step.steps, kernel)))
            case LoadStep() | StageStep():
                found.append(replace(step, move=_without(step.move, kernel)))
            case EpilogStep():
                found.append(replace(step, store=_without(step.store, kernel)))
            case DoneStep(known) if known == kernel:
                found.append(DoneStep())
            case _:
                found.append(step)
    return tuple(found)


def _built(schedule: Schedule, program: Termlike) -> Kernel:
    """The kernel of a schedule for one block's tile, in the simulator, or for that of a core, in a check build."""
    given = term_of(program)
    term = derive(schedule.strategy(), given).result
    code = [kernel.code for kernel in schedule.kernels]
    target = "openmp" if runs_on_cores(schedule) else "cuda-sim"
    return build(specialise(term, **_sizes(schedule, given)), target, None, "kernel", code, check=True)


def runs_on_cores(schedule: Schedule) -> bool:
    """Whether a schedule is for processors."""
    return any(spec.unit is Core for _, spec in schedule.trail)


def _memory_claims(schedule: Schedule, kernel: Kernel) -> list[Claim]:
    """The results for the claims about barriers and about shared memory."""
    steps = list(_with_inputs(schedule.start, schedule.trail, len(schedule.kind.operands)))
    if not any(makes_claim(step) for step, _ in steps):
        return []
    run = _Run(kernel)
    loads = [(step, given) for step, given in steps if isinstance(step, LoadStep) and step.location is SH]
    found: list[Claim] = []
    for step, given in steps:
        if isinstance(step, LoadStep) and not step.waits:
            found.append(_no_sync(run, step, loads))
        if isinstance(step, SplitStep) and step.waits:
            inside = _after(schedule.steps, step)
            copied = [
                line
                for load, given in loads
                if any(load is one for one in inside)
                for line in run.copies(given)
            ]
            found.append(_sync(run, step, copied))
        if isinstance(step, LoadStep) and step.reuses:
            found.append(_reuse(run, step, run.copies(given)))
        if isinstance(step, StageStep) and step.reuses:
            found.append(_reuse(run, step, run.stores()))
    return found


def _after(steps: Sequence[Step], split: SplitStep) -> Sequence[Step]:
    """The steps after a split of a product, with those of moves and first products: what its iterations consist of."""
    for place, step in enumerate(steps):
        if step is split:
            return list(with_inner(steps[place + 1 :]))
        if isinstance(step, FirstStep) and (inside := _after(step.steps, split)):
            return inside
    return ()


def makes_claim(step: Step) -> bool:
    """Whether a step makes a claim about barriers or about shared memory."""
    match step:
        case LoadStep():
            return step.reuses or not step.waits
        case SplitStep():
            return step.waits
        case StageStep():
            return step.reuses
    return False


def _with_inputs(spec: Spec, trail: Sequence[tuple[Step, Spec]], count: int) -> Iterator[tuple[Step, int]]:
    """The steps of a schedule of a program with `count` operands, of its moves of sums, and of its first product.

    Each load comes with the number of the parameter that it copies: after the first product of a chain, B is the last.
    """
    for step, left in trail:
        match step:
            case LoadStep():
                yield step, spec.kind.names.index(step.operand) + count - len(spec.kind.operands)
            case FirstStep():
                yield from _with_inputs(
                    step.start(spec), step.trail(spec), len(step.start(spec).kind.operands)
                )
            case EpilogStep():
                yield from ((inner, 0) for inner in step.store)
                yield step, 0
            case _:
                yield step, 0
        spec = left


def _sizes(schedule: Schedule, program: Expr) -> dict[str, int]:
    """The sizes of one block's tile and two iterations, and of one element of a batch, by their names in a program;
    without those that are known.
    """
    tile = next(step for step in schedule.steps if isinstance(step, TileStep))
    first = next((step.steps for step in schedule.steps if isinstance(step, FirstStep)), ())
    depths = [_depth(first)] if schedule.kind.is_chain else []
    found: dict[str, int] = {}
    names = schedule.start_and_types(program)[0].sizes
    for name, size in zip(names, (*tile.sizes, *depths, _depth(schedule.steps)), strict=False):
        if isinstance(name, str):
            first_factor, *others = name.split("*")  # of an axis that stands for a group
            found |= {first_factor.strip(): size, **{other.strip(): 1 for other in others}}
    while isinstance(program, DepLam):
        found.setdefault(str(program.name), 1)
        program = program.body
    return found


def _depth(steps: Sequence[Step]) -> int:
    """The number of products of two iterations, of each of the units that share a sum."""
    depth = next((2 * step.depth for step in steps if isinstance(step, SplitStep)), 1)
    shared = next((step for step in steps if isinstance(step, ShareStep)), None)
    return depth if shared is None else lcm(depth * shared.count, shared.every)


class _Run:
    """A kernel's text and its arguments, to be run with lines removed."""

    def __init__(self, kernel: Kernel) -> None:
        module: CudaModule = kernel._executable.of(()).module  # type: ignore[attr-defined]  # of a CUDA target
        self.lines = module.source.splitlines()
        if len(module.kernels) != 1:
            title = f"expected the claims of one kernel, found {len(module.kernels)} kernels"
            hint = "make claims about barriers and shared memory in schedules of one kernel"
            raise StrategyError(Diagnostic("schedule", title, hint=hint))
        (self.kernel,) = module.kernels
        self.procedure = kernel.procedure

    def copies(self, number: int) -> list[int]:
        """The lines that copy the factor that is this parameter from global memory, or that read it if none does."""
        name = self.procedure.inputs[number].buffers[0].name
        found = [i for i, line in enumerate(self.lines) if f"= {name}[" in line or f"&{name}[" in line]
        found = found or [i for i, line in enumerate(self.lines) if re.search(rf"\b{name}\[", line)]
        assert found, f"no line reads {name}"
        return found

    def stores(self) -> list[int]:
        """The lines that store the result."""
        (buffer,) = self.procedure.output.buffers
        return [i for i, line in enumerate(self.lines) if re.search(rf"\b{buffer.name}\[", line)]

    def begin(self, name: str) -> int:
        """The first line that accesses an array."""
        lines = (i for i, line in enumerate(self.lines) if "__shared__" not in line)
        return next((i for i in lines if re.search(rf"\b{name}\[", self.lines[i])), len(self.lines))

    @property
    def places(self) -> dict[str, tuple[str, int, int]]:
        """Where arrays in shared memory are: the memory that they lie in, and their first byte and their last one."""
        found = {
            array.name: (array.within, array.offset, array.offset + array.bytes - 1)
            for array in self.kernel.shared
        }
        declared = (line for line in self.lines if "unsigned char" not in line)
        alone = (re.search(r"__shared__ .*\b(\w+)\[\d+\];", line) for line in declared)
        return {match[1]: (match[1], 0, MEMORY) for match in alone if match} | found

    def barriers(self) -> list[int]:
        """The lines in which threads wait for each other."""
        return [i for i, line in enumerate(self.lines) if line.strip() in _BARRIERS]

    def without(self, barriers: list[int]) -> str:
        """The findings of the simulator without these lines; empty if there are none."""
        text = "\n".join("" if i in barriers else line for i, line in enumerate(self.lines))
        passed: list[Any] = []
        random = np.random.default_rng(0)
        for argument in self.kernel.arguments:
            assert isinstance(argument, PointerArgument), "all sizes are numbers"
            buffer = argument.buffer
            count, dtype = buffer.size.constant, buffer.element.name  # type: ignore[union-attr]  # of numbers
            passed.append(_numbers(random, count, dtype))
        report = simulator.build(text, check=True).launch(
            self.kernel.name,
            tuple(extent.constant or 1 for extent in self.kernel.grid),
            self.kernel.block,
            passed,
            self.kernel.shared_bytes,
            tuple(
                simulator.SharedArray(array.name, array.offset, array.bytes, array.within)
                for array in self.kernel.shared
            ),
        )
        return "" if not report.findings else report.findings[0].phrase


def _reuse(run: _Run, step: LoadStep | StageStep, lines: list[int]) -> Claim:
    """Whether the array of a step lies in bytes of earlier arrays, and nothing in them is read too late."""
    places = run.places
    name = next((word for i in lines for word in re.findall(r"\w+", run.lines[i]) if word in places), None)
    if name is None:
        return Claim(step, False, "the copy is not in shared memory")
    memory, first, last = places[name]
    others = [
        other
        for other, (within, start, end) in places.items()
        if within == memory and start <= last and first <= end and run.begin(other) < run.begin(name)
    ]
    if not others:
        reason = "earlier copies are still needed, or it would need another barrier to share their bytes"
        return Claim(step, False, f"{name} has bytes of its own: {reason}")
    finding = run.without([])
    if finding:
        return Claim(step, False, f"{name} lies in bytes of {' and '.join(others)}: there is {finding}")
    return Claim(
        step, True, f"{name} lies in bytes of {' and '.join(others)}, and the simulator finds nothing"
    )


def _micro_kernel(step: DoneStep, own: Kernel, plain: Kernel) -> Claim:
    """Whether kernels with and without a micro-kernel compute the same numbers, and the simulator finds no mistake."""
    random = np.random.default_rng(0)
    given = []
    for parameter in own.procedure.inputs:
        element: Any = parameter.buffers[0].element
        given.append(_numbers(random, known_sizes_of(parameter.type), element.name, 4))
    wanted = plain(*given)
    try:
        found = own(*given)
    except TranslationError as error:
        return Claim(step, False, "; ".join((error.diagnostic.title, *error.diagnostic.notes[-1:])))
    wide = np.float64 if wanted.dtype.kind == "V" else wanted.dtype  # what numpy lacks is compared as f64
    is_close = np.isclose(found.astype(wide), wanted.astype(wide), rtol=_tolerance(wanted.dtype))
    differ = np.argwhere(~is_close)
    if len(differ) == 0:
        runs = "the simulator" if own.target == "cuda-sim" else f"the kernel for {own.target}"
        return Claim(step, True, f"{runs} computes the same numbers as without it")
    place = tuple(map(int, differ[0]))
    return Claim(step, False, f"expected {wanted[place]} at {list(place)}, found {found[place]}")


def _numbers(random: np.random.Generator, shape: Any, name: str, parts: int = 1) -> Any:
    """Small numbers of a scalar type; fractions with this denominator, if the type has them."""
    facts = SCALARS[name]
    least = 0 if facts.dtype.kind == "u" else -3
    return (random.integers(least, 4, shape) / (parts if facts.is_float else 1)).astype(facts.dtype)


def _tolerance(dtype: np.dtype[Any]) -> float:
    """The relative difference of sums that are added in another order."""
    is_short = dtype.kind in "fV" and dtype.itemsize <= np.float16().itemsize
    return float(np.spacing(np.ones((), dtype))) if is_short else 1e-5


def _no_sync(run: _Run, step: LoadStep, loads: list[tuple[LoadStep, int]]) -> Claim:
    """Whether threads need not wait between a copy and what follows: the next copy, or the product."""
    place = next(place for place, (load, _) in enumerate(loads) if load is step)
    numbers = [number for _, number in loads]
    own = run.copies(numbers[place])
    if place + 1 < len(loads):
        first, last = sorted((max(own), max(run.copies(numbers[place + 1]))))
        between = [line for line in run.barriers() if first < line < last]
        if not between:
            return Claim(step, True, "no thread waits between this copy and the next one")
    else:
        end = max(max(run.copies(number)) for number in numbers)
        between = [line for line in run.barriers() if line > end][:1]
    finding = run.without(between)
    if finding:
        return Claim(step, False, f"without a barrier after it there is {finding}")
    return Claim(step, True, "without a barrier after it the simulator finds nothing")


def _sync(run: _Run, step: SplitStep, copies: Sequence[int]) -> Claim:
    """Whether threads must wait between iterations, in which these lines copy to shared memory."""
    around = [line for line in run.barriers() if copies and line < min(copies)][-1:]
    if not around:
        return Claim(step, False, "no thread waits between iterations, and the simulator finds nothing")
    finding = run.without(around)
    if finding:
        return Claim(step, True, f"without a barrier between iterations there is {finding}")
    return Claim(step, False, "without a barrier between iterations the simulator finds nothing")
