"""The schedule of a nest of loops in which all is decided: a step of `strategies.fireiron` for each loop, or for two.

Independent of how decisions are made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from strategies.fireiron.schedule import ColMajor, Schedule
from strategies.fireiron.specs import (
    CA,
    RF,
    SH,
    Lane,
    Location,
    Spec,
    Thread,
    Unit,
    Vector,
    Warp,
)
from strategies.fireiron.tiles import TileStep
from strategies.spaces.open_programs.hierarchies import (
    BOTH,
    CACHE,
    CACHE_BY_COLUMNS,
    COLUMNS,
    PADDED_COLUMNS,
    PADDED_ROWS,
    REGISTERS,
    ROWS,
    SHARED,
    SUMS,
    Hierarchy,
    layout_of,
    memory_of,
)
from strategies.spaces.open_programs.nests import (
    OUTERMOST,
    UNITS_OF_BLOCK,
    WITHIN_THREAD,
    Dimension,
    LoopKind,
    OpenNest,
)


def schedule_of(spec: Spec, nest: OpenNest, hierarchy: Hierarchy) -> Schedule:
    """The schedule of a nest in which all that matters is decided. Raises StrategyError for one that does not fit."""
    return Closing(spec, nest, hierarchy).schedule()


class Closing:
    """The steps of a schedule, made from the loops of a nest, outermost first."""

    def __init__(self, spec: Spec, nest: OpenNest, hierarchy: Hierarchy) -> None:
        self.nest, self.kind, self.unit = nest, spec.kind, hierarchy.unit
        self.made = Schedule(spec.kind)
        self.shape = [nest.extents[axis] for axis in spec.kind.result]
        self.depth = nest.extents[spec.kind.summed[0]] if spec.kind.summed else 1
        self.waiting = nest.nest()
        self.has_copies: set[str] = set()
        self.has_epilog = self.has_warps = self.has_vectors = False

    def schedule(self) -> Schedule:
        """The whole schedule."""
        outer = self._take(lambda one: self._of(one) in OUTERMOST)
        self._tile(outer, self.unit)
        self._copy(CACHE, CA)
        while self.waiting:
            one = self.waiting[0]
            if one.is_sum:
                self._split(self.waiting.pop(0))
            elif self._of(one) in UNITS_OF_BLOCK:
                self._units(self._take_units(self._of(one)))
            else:
                self._loops(self._take(lambda other: not other.is_sum and self._of(other) in WITHIN_THREAD))
        self._copy_to_registers()
        if not self.has_vectors and (set(self.shape) != {1} or not self._ends_in_numbers()):
            self.shape = [1 for _ in self.shape]
            self.made = self.made.tile(*self.shape)
        return self.made.done

    def _ends_in_numbers(self) -> bool:
        last = self.made.steps[-1]
        return isinstance(last, TileStep) and last.is_element

    def _of(self, one: Dimension) -> LoopKind:
        (kind,) = self.nest.kinds(one)
        return kind

    def _size(self, one: Dimension) -> int:
        (size,) = self.nest.sizes(one)
        return size

    def _take(self, fits: Callable[[Dimension], bool]) -> list[Dimension]:
        """Take the next loops as long as they fit."""
        found = []
        while self.waiting and fits(self.waiting[0]):
            found.append(self.waiting.pop(0))
        return found

    def _take_units(self, kind: LoopKind) -> list[Dimension]:
        return self._take(lambda one: self._of(one) == kind)

    def _axis(self, one: Dimension) -> int:
        return self.kind.result.index(one.axis)

    def _tile(self, loops: Sequence[Dimension], unit: Unit | None = None, unrolled: bool = False) -> None:
        for one in loops:
            self.shape[self._axis(one)] //= self._size(one)
        self.made = self.made.tile(*self.shape)
        if unit is not None:
            self.made = self.made.to(unit)
        if unrolled:
            self.made = self.made.unroll
        axes = [self._axis(one) for one in loops]
        if unit is not None and axes != sorted(axes):
            self.made = self.made.layout(ColMajor)

    def _units(self, loops: Sequence[Dimension]) -> None:
        """Tiles of units of a block; the first ones are preceded by the copies that they share."""
        kind = self._of(loops[0])
        if any(self._memory(one) in (SHARED, BOTH) for one in self.kind.read):
            if self.kind.summed and not self.has_epilog:
                self._sums()
                self.made = self.made.split(self.depth)
            self._copy(SHARED, SH)
        if kind is LoopKind.LANE and not self.has_warps:
            self._tile((), Warp)
        self._tile(loops, {LoopKind.WARP: Warp, LoopKind.LANE: Lane, LoopKind.THREAD: Thread}[kind])
        self.has_warps = True

    def _split(self, one: Dimension) -> None:
        if self.nest.domains[SUMS] == (REGISTERS,) and not self._ends_in_numbers():
            self._sums()
            self.depth //= self._size(one)
            self.made = self.made.split(self.depth)
            if self._of(one) is LoopKind.UNROLLED:
                self.made = self.made.unroll

    def _sums(self) -> None:
        if not self.has_epilog:
            self.made = self.made.epilog(RF)
            self.has_epilog = True

    def _loops(self, loops: list[Dimension]) -> None:
        """Loops of a thread, two at once if they are neighbours over rows and columns; vectors take those around."""
        self._copy_to_registers()
        while loops:
            group = [loops.pop(0)]
            if self._of(group[0]) is LoopKind.VECTOR:
                self._tile((), Vector)
                self.has_vectors = True
                continue
            if (
                loops
                and self._axis(loops[0]) > self._axis(group[0])
                and self._of(loops[0]) == self._of(group[0])
            ):
                group.append(loops.pop(0))
            unrolled = self._of(group[0]) is LoopKind.UNROLLED
            if [self._of(one) for one in loops] == [LoopKind.VECTOR]:
                self._tile(group, Vector, unrolled)
                self.has_vectors = True
                return
            self._tile(group, None, unrolled)

    def _copy_to_registers(self) -> None:
        """Copies of a thread, inside of all its units and of all loops over products."""
        if not any(one.is_sum or self._of(one) in UNITS_OF_BLOCK for one in self.waiting):
            self._copy(REGISTERS, RF)

    def _copy(self, memory: str, location: Location) -> None:
        """Copy the operands that are to be in this memory, once."""
        for operand in self.kind.read:
            name = f"{operand} {location}"
            if memory in self._memory(operand) and name not in self.has_copies:
                self.has_copies.add(name)
                self.made = self.made.load(operand, location)
                layout = self._layout(operand) if memory == SHARED else ROWS
                if self._memory(operand) == CACHE_BY_COLUMNS or layout in (COLUMNS, PADDED_COLUMNS):
                    self.made = self.made.toColMajor
                if layout in (PADDED_ROWS, PADDED_COLUMNS):
                    self.made = self.made.pad(1)

    def _memory(self, operand: str) -> str:
        (memory,) = self.nest.domains[memory_of(operand)]
        return str(memory)

    def _layout(self, operand: str) -> str:
        (layout,) = self.nest.domains[layout_of(operand)]
        return str(layout)
