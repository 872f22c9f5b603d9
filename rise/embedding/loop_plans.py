"""Plans of loops: which values of names and parts of arrays the state has, as far as runs of the body have shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Any

from rise.embedding import trace as t
from rise.embedding.cells import Cell, Path
from rise.embedding.elementwise import with_elements
from rise.embedding.states import is_weak, part_of
from rise.naturals import Nat, NatVar, const
from rise.quotients import is_nonnegative, linear_in
from rise.records import dataclass
from rise.types import I64, Type


@dataclass(slots=True)
class Plan:
    """What is known about the state of a loop: the types of the values of names, and the parts of arrays.

    A value without a type is not carried: its name has the same value in each iteration. The state has the part of each
    array at a path. If all arrays have a step, iteration `i` uses only the element `i + step` of that part.
    """

    types: list[Type | None]
    cells: list[Cell] = field(default_factory=list)
    around: list[Path] = field(default_factory=list)  # the parts on which enclosing loops focus
    paths: list[Path] = field(default_factory=list)
    steps: list[Nat | None] = field(default_factory=list)
    moved: list[Cell] = field(default_factory=list)  # arrays that must not be used by other names any more
    numbers: list[Cell] = field(
        default_factory=list
    )  # arrays of indices to which iterations assign other numbers
    is_careful: bool = False  # whether an access showed that the iterations are not independent
    is_whole: bool = False  # whether an access showed that the paths are too long

    is_in_any_order: bool = False  # whether independent iterations cannot be written one after the other
    is_remembered: bool = False  # whether it was found when an enclosing loop ran its body before

    def remembered(self) -> Plan | None:
        """The plan for another run of an enclosing loop; None if it depends on more than what its last run showed."""
        if self.moved or self.numbers or self.is_careful or self.is_whole:
            return None
        types, cells, paths, steps = list(self.types), list(self.cells), list(self.paths), list(self.steps)
        return Plan(types, cells, list(self.around), paths, steps, is_remembered=True)

    def may_hold(self, values: Sequence[Any]) -> bool:
        """Whether a remembered plan may be that of a loop with these values of names before it, where enclosing loops
        may focus on other parts than before.
        """
        if len(self.types) != len(values) or not all(t.is_open(cell.now) for cell in self.cells):
            return False
        self.around = [() if cell.focus is None else cell.focus[0] for cell in self.cells]
        return all(len(path) >= len(around) for path, around in zip(self.paths, self.around, strict=True))

    def is_found(
        self, assigned: Sequence[Cell], used: Sequence[tuple[Cell, Path]], variable: NatVar, trace: t.Trace
    ) -> bool:
        """Whether an iteration that assigned to these arrays, and used these parts, would lead to the same plan."""
        paths, steps = self.paths, self.steps
        self.choose(used, variable, trace)
        return list(assigned) == self.cells and (paths, steps) == (self.paths, self.steps)

    @property
    def is_apart(self) -> bool:
        """Whether no iteration uses elements that another one assigns."""
        return bool(self.cells) and None not in self.steps and not any(self.types) and not self.is_careful

    def has_found_numbers(self, starts: Sequence[t.Part]) -> bool:
        """Whether an iteration assigned other numbers to arrays that had indices at its start."""
        found = [
            cell for cell, start in zip(self.cells, starts, strict=True) if start.element != cell.element
        ]
        self.numbers += found
        return bool(found)

    def convert_numbers(self) -> None:
        """Convert the indices in arrays to which iterations assign other numbers."""
        for cell in self.numbers:
            cell.convert(lambda indices: with_elements(indices, I64))

    def carry_numbers(self, values: Sequence[Any], trace: t.Trace) -> bool:
        """Carry all numbers without a type, whether an iteration changes them or not. Returns False if the state has
        some already.

        The first run assumes that no iteration changes a name, so that its number is the same in all iterations. An
        error that follows from this, such as for `k < n` where `k` is 0 before the loop, may not occur if `k` changes.
        """
        if any(self.types):
            return False
        self.types = [part_of(each, trace.root).type if is_weak(each) else None for each in values]
        return any(self.types)

    def choose(self, used: Sequence[tuple[Cell, Path]], variable: NatVar, trace: t.Trace) -> None:
        """Choose the parts of the arrays, given all parts that one iteration used."""
        outside = {atom for atom in trace.loops if atom != variable}
        self.paths, self.steps = [], []
        for cell, around in zip(self.cells, self.around, strict=True):
            shared = _shared([path for one, path in used if one is cell])
            fixed = 0
            while fixed < len(shared) and _in_loops(shared[fixed], trace) <= outside:
                fixed += 1
            path = around if self.is_whole or fixed < len(around) else shared[:fixed]
            linear = linear_in(shared[len(path)], variable) if len(path) < len(shared) else None
            is_step = (
                linear is not None
                and linear[0] == const(1)
                and is_nonnegative(linear[1])
                and not _in_loops(linear[1], trace)
            )
            self.paths.append(path)
            self.steps.append(linear[1] if linear is not None and is_step else None)


def _shared(paths: Sequence[Path]) -> Path:
    """The longest common prefix of some paths."""
    shared = paths[0] if paths else ()
    for path in paths[1:]:
        length = 0
        while length < min(len(path), len(shared)) and path[length] == shared[length]:
            length += 1
        shared = shared[:length]
    return shared


def _in_loops(nat: Nat, trace: t.Trace) -> set[NatVar]:
    """The loop variables in a number, which are those with a range, except sizes that data determine."""
    return {
        atom
        for atom in nat.free
        if isinstance(atom, NatVar) and atom.upper is not None and atom.name not in trace.data_sizes
    }
