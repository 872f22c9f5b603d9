"""The limits of schedules: the sizes of a program, which tiles divide, and those of GPUs: what a schedule keeps in the
shared memory of a block and in the registers of a thread, and how many threads a block has. Depends on steps and
recognition.

Only what every kernel of the schedule needs is counted: copies that are read at the same time, the sums that a thread
holds, and its copies of factors. Where a type is not known, a number takes one byte.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import prod
from typing import Any, ClassVar, Final

from elevate import ExplainedPredicate, StrategyError
from rise.hardware import ARCHITECTURES, Architecture
from rise.records import dataclass
from rise.scalars import SCALARS
from strategies.fireiron.recognition import recognised, types_of_sums
from strategies.fireiron.specs import FR, GL, RF, SH, Lane, Size, Spec, Thread, Warp, move_of
from strategies.fireiron.steps import (
    LEGAL,
    EpilogStep,
    FirstStep,
    LoadStep,
    ShareStep,
    StageStep,
    Step,
    legal_steps,
    trail_of,
)
from strategies.fireiron.tiles import TileStep
from strategies.fireiron.units import grid_of
from strategies.parts.parameters import LANES

#: the architecture with the most shared memory, whose limits a schedule has to keep on any GPU
ANY_ARCHITECTURE: Final = max(ARCHITECTURES.values(), key=lambda one: one.shared)
#: the bytes of a register
REGISTER_BYTES: Final = 4


@dataclass(frozen=True, slots=True)
class Excess:
    """A step that needs more than there is: its number, the specification before it, and what is too much."""

    number: int
    step: Step
    spec: Spec
    title: str

    def hint(
        self,
        start: Spec,
        trail: Sequence[tuple[Step, Spec]],
        elements: Sequence[str | None] = (),
        arch: Architecture = ANY_ARCHITECTURE,
    ) -> str:
        """The steps that fit there, as text of a hint."""
        before = tuple(trail[: self.number])

        def has_room(step: Step) -> bool:
            one = (*before, (step, step.predict(self.spec)))
            return excess(start, one, elements, arch) is None

        return f"{LEGAL}{legal_steps(self.spec, has_room)}"


@dataclass(frozen=True, slots=True)
class Kept:
    """What is kept at a point of a schedule: bytes of shared memory, bytes of sums and of copies in the registers of a
    thread, and the threads of a block.
    """

    shared: int = 0
    sums: int = 0
    copies: int = 0
    threads: int = 0

    @property
    def registers(self) -> int:
        """The registers of a thread."""
        return -(-(self.sums + self.copies) // REGISTER_BYTES)


def excess(
    start: Spec,
    trail: Sequence[tuple[Step, Spec]],
    elements: Sequence[str | None] = (),
    arch: Architecture = ANY_ARCHITECTURE,
) -> Excess | None:
    """The first step of a schedule that needs more than an architecture has; None if there is none.

    `elements` are the types of the numbers of the operands, and of the sums.
    """
    of = dict(zip(start.kind.names, elements, strict=False))
    for number, (step, spec, kept) in enumerate(_kept(start, trail, of, Kept())):
        title = ""
        if kept.threads > arch.block_threads:
            title = f"expected at most {arch.block_threads:,} threads in a block, found {kept.threads:,}"
        elif kept.shared > arch.shared:
            title = f"expected at most {arch.shared:,} bytes in the shared memory of a block, found {kept.shared:,}"
        elif kept.registers > arch.thread_registers:
            title = (
                f"expected at most {arch.thread_registers} registers of a thread, found {kept.registers:,}"
            )
        elif kept.registers * kept.threads > arch.block_registers:
            title = (
                f"expected at most {arch.block_registers:,} registers of a block, found {kept.registers} of each of"
                f" {kept.threads:,} threads"
            )
        if title:
            return Excess(number, step, spec, f"{title} with `{step}`")
    return None


def most_kept(start: Spec, trail: Sequence[tuple[Step, Spec]], elements: Sequence[str | None] = ()) -> Kept:
    """The most that every kernel of a schedule keeps."""
    of = dict(zip(start.kind.names, elements, strict=False))
    return _most([kept for _, _, kept in _kept(start, trail, of, Kept())])


def _most(points: Sequence[Kept]) -> Kept:
    """The most of each at several points."""
    return Kept(
        max(one.shared for one in points),
        max(one.sums for one in points),
        max(one.copies for one in points),
        max(one.threads for one in points),
    )


def _kept(
    spec: Spec, trail: Sequence[tuple[Step, Spec]], of: dict[str, str | None], kept: Kept
) -> Iterator[tuple[Step, Spec, Kept]]:
    """The steps of a schedule, each with the specification before it, and what is kept there at most."""
    warps = 1
    for step, left in trail:
        most = kept
        match step:
            case TileStep():
                warps *= _units(step, spec) if step.unit is Warp else 1
                threads = max(kept.threads, _threads(step, spec, warps))
                kept = most = replace(kept, threads=threads, sums=_sums(step, left, of, kept.sums))
            case ShareStep():
                warps *= step.count if step.unit is Warp else 1
                threads = warps * LANES if step.unit is Warp else step.count if step.unit is Thread else 0
                kept = replace(kept, threads=max(kept.threads, threads))
                result = step.count * _bytes(spec.shape, of, spec.kind.names[-1])
                most = replace(kept, shared=max(kept.shared, result))
            case LoadStep() if step.location is SH:
                copies = warps if spec.unit is Warp else 1
                size = copies * _bytes(_padded(step, spec), of, step.operand)
                threads = max(kept.threads, _threads_of_move(step.move, step.moved(spec)))
                kept = most = replace(kept, shared=kept.shared + size, threads=threads)
            case LoadStep() if step.location is RF and spec.unit in (Thread, Lane):
                size = _bytes(spec.array(step.operand), of, step.operand)
                kept = most = replace(kept, copies=kept.copies + size)
            case EpilogStep():
                moved = move_of(spec.shape, step.location, spec.target, spec.unit)
                threads = max(kept.threads, _threads_of_move(step.store, moved))
                kept = replace(kept, threads=threads, sums=_sums(step, left, of, kept.sums))
                most = replace(kept, shared=max(kept.shared, _staged(step, spec, of)))
            case FirstStep():
                kept, most = _first(step, spec, of, kept)
                of = dict(
                    zip(left.kind.names, map(of.get, spec.kind.after_first(spec.kind.names, "")), strict=True)
                )
            case _:
                pass
        yield step, spec, most
        spec = left


def _first(step: FirstStep, spec: Spec, of: dict[str, str | None], kept: Kept) -> tuple[Kept, Kept]:
    """What is kept after the first product of a chain, and at most while it is computed."""
    start = step.start(spec)
    inside = kept if step.location is not GL else Kept()
    inner = [found for _, _, found in _kept(start, step.trail(spec), of, inside)]
    size = _bytes(start.shape, {}, "")
    after = replace(
        kept,
        shared=kept.shared + (size if step.location is SH else 0),
        copies=kept.copies + (size if step.location is RF else 0),
    )
    return after, _most([after, *inner])


def _units(step: TileStep, spec: Spec) -> int:
    """The number of tiles that units of one kind have together; 1 if it is not known."""
    grid = grid_of(step, spec)
    return 1 if grid is None else prod(grid)


def _threads(step: TileStep, spec: Spec, warps: int) -> int:
    """The threads of a block that a tile needs: those of `warps` warps, or one for each tile; 0 if it needs none."""
    return warps * LANES if step.unit is Warp else _units(step, spec) if step.unit is Thread else 0


def _threads_of_move(steps: Sequence[Step], spec: Spec) -> int:
    """The threads of a block that make a move."""
    most = 0
    for step in steps:
        if isinstance(step, TileStep):
            most = max(most, _threads(step, spec, _units(step, spec)))
        spec = step.predict(spec)
    return most


def _sums(step: Step, left: Spec, of: dict[str, str | None], before: int) -> int:
    """The bytes of the sums that a thread holds after a step; those before, if it gives them to no other units."""
    if isinstance(step, TileStep) and step.unit is None:
        return before
    size = _bytes(left.shape, of, left.kind.names[-1])
    if left.target is RF and left.unit in (Thread, Lane):
        return size
    return size // LANES if left.target is FR and left.unit is Warp else before


def _staged(step: EpilogStep, spec: Spec, of: dict[str, str | None]) -> int:
    """The bytes of sums that go through shared memory."""
    rooms = [inner.room for inner in step.store if isinstance(inner, StageStep)]
    if not rooms:
        return 0
    *outer, columns = spec.shape
    last = columns + rooms[0] if isinstance(columns, int) else columns
    return _bytes((*outer, last), of, spec.kind.names[-1])


def _padded(step: LoadStep, spec: Spec) -> tuple[Size, ...]:
    """The sizes of a copy with its padding."""
    sizes = spec.array(step.operand)
    *outer, length = reversed(sizes) if step.order == "columns" else sizes
    if isinstance(length, int):
        length = -(-(length + step.room) // step.multiple) * step.multiple
    return (*outer, length)


def _bytes(sizes: Sequence[Size], of: dict[str, str | None], name: str) -> int:
    """The bytes of an array; 0 if a size is not known."""
    if not all(isinstance(size, int) for size in sizes):
        return 0
    element = of.get(name)
    width = SCALARS[element].bits // 8 if element is not None else 1
    return prod(int(size) for size in sizes) * max(width, 1)


@dataclass(frozen=True, slots=True)
class FitsLimits(ExplainedPredicate):
    """Holds if the steps of a schedule fit the sizes of a program, and if an architecture has room for what it keeps,
    given the types of numbers.
    """

    start: Spec
    trail: tuple[tuple[Step, Spec], ...]
    arch: Architecture = ANY_ARCHITECTURE
    roots: ClassVar[None] = None
    depth: ClassVar[None] = None

    def misfit(self, term: Any) -> tuple[str, str] | None:
        """The first step that does not fit, the specification there, and the steps that fit."""
        start = self._start(term)
        try:
            trail = trail_of(start, [step for step, _ in self.trail])
        except StrategyError as error:
            diagnostic = error.diagnostic
            return "; ".join((diagnostic.title, *diagnostic.notes)), diagnostic.hint
        types = types_of_sums(term, self.start)
        found = excess(start, trail, types, self.arch)
        if found is None:
            return None
        name = "any architecture" if self.arch is ANY_ARCHITECTURE else self.arch.name
        return f"{found.title} at {found.spec}, for {name}", found.hint(start, trail, types, self.arch)

    def _start(self, term: Any) -> Spec:
        """The specification before all steps with the sizes of a program. Those of one element stay names: sums of one
        product may be split.
        """
        found = recognised(term, self.start, part="second" if self.start.kind.is_chain else "all")
        if found is None:
            return self.start
        known = (size if isinstance(size, int) and size > 1 else None for size in found.sizes)
        pairs = zip(known, self.start.sizes, strict=True)
        return replace(self.start, sizes=tuple(old if size is None else size for size, old in pairs))

    def show(self, binding: int = 0) -> str:
        return f"fitsLimits({self.arch.name})"
