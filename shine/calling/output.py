"""The output arrays of a kernel: new arrays, or the caller's `out`. Independent of targets and memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rise.arguments.leaves import Leaf, tree_of, values_of
from rise.arguments.mismatches import refuse
from rise.records import dataclass
from rise.types import Type
from shine.calling.memory import Memory
from shine.imperative.nodes import Update


@dataclass(frozen=True, slots=True)
class Output:
    """The arrays that are passed, those of the caller, and the copies that are copied back after the kernel has run.

    `lengths` has for each array the lengths of the rows that it is split into, and their axis, or None for a whole
    array. `number` is the number of a dependent pair.
    """

    type: Type
    memory: Memory
    passed: list[Any]
    given: Any
    back: list[tuple[Any, Any]]
    lengths: Sequence[Any] = ()
    number: Any = None
    updated: Sequence[tuple[int, Any]] = ()
    """The results that are arrays of the caller, and these arrays."""

    def finish(self) -> Any:
        """The result, once the kernel has run."""
        return self._result() if self.number is None else (self.number, self._result())

    def _result(self) -> Any:
        for target, source in self.back:
            self.memory.copy_back(target, source)
        if self.given is not None:
            return self.given
        if not self.lengths:
            arrays = [self.memory.present(array) for array in self.passed]
        else:
            arrays = [
                self.memory.present(array) if rows is None else self.memory.present_rows(array, *rows)
                for array, rows in zip(self.passed, self.lengths, strict=True)
            ]
        for place, array in self.updated:
            arrays[place] = array
        return arrays[0] if len(arrays) == 1 else tree_of(self.type, arrays)


def take_output(
    t: Type,
    leaves: Sequence[Leaf],
    shapes: Sequence[tuple[int, ...]],
    out: Any,
    inputs: Sequence[Leaf],
    values: Sequence[Any],
    memory: Memory,
    lengths: Sequence[Any] = (),
) -> Output:
    """Allocate the arrays of a result, or check those of the caller: they must have the exact type, be writable, and
    overlap neither inputs nor each other. Raises RiseError otherwise.
    """
    if out is None:
        fresh = [memory.allocate(leaf, shape) for leaf, shape in zip(leaves, shapes, strict=True)]
        return Output(t, memory, fresh, None, [], lengths)
    given = [out] if len(leaves) == 1 else values_of("out", t, out)
    given_arrays = memory.adopt([replace(leaf, parameter="out") for leaf in leaves], given)
    passed: list[Any] = []
    back: list[tuple[Any, Any]] = []
    for leaf, shape, value, whole in zip(leaves, shapes, given_arrays, given, strict=True):
        memory.check_out(leaf, shape, value, whole)
        for input_leaf, array in zip(inputs, values, strict=True):
            if memory.overlap(value, array):
                title = f"`out` overlaps the input `{input_leaf.parameter}`, which the kernel reads while it writes"
                refuse("overlap", title, "pass another array, or omit `out`")
        if passed and any(memory.overlap(value, array) for array in given_arrays[: len(passed)]):
            refuse("overlap", "two arrays of `out` overlap", "pass separate arrays")
        passable = memory.passable(leaf, value)
        if passable is not value:
            back.append((value, passable))
        passed.append(passable)
    return Output(t, memory, passed, out, back)


def take_updates(
    t: Type,
    leaves: Sequence[Leaf],
    shapes: Sequence[tuple[int, ...]],
    updates: Sequence[Update],
    inputs: Sequence[Leaf],
    values: Sequence[Any],
    passed: Sequence[Any],
    given: Sequence[Any],
    memory: Memory,
) -> Output:
    """The arrays of a result of which some are new values of inputs: the input that is passed, if it is updated in
    place, or otherwise a new array. `values` are the arrays of the caller, `given` what they were made from. Raises
    RiseError for inputs that are read-only, or share memory with others.
    """
    places = {update.output: update for update in updates}
    arrays: list[Any] = []
    back: list[tuple[Any, Any]] = []
    updated: list[tuple[int, Any]] = []
    for place, (leaf, shape) in enumerate(zip(leaves, shapes, strict=True)):
        update = places.get(place)
        if update is None:
            arrays.append(memory.allocate(leaf, shape))
            continue
        at = update.input
        memory.check_updated(inputs[at], values[at], given[at])
        for other, array in enumerate(values):
            if other != at and memory.overlap(values[at], array):
                name, names = inputs[at].parameter, f"`{inputs[other].parameter}`"
                title = f"`{name}`, which the function assigns to, shares memory with {names}"
                refuse("overlap", title, f"pass a copy: `{names[1:-1]}.copy()`")
        arrays.append(passed[at] if update.in_place else memory.allocate(leaf, shape))
        if arrays[-1] is not values[at]:
            back.append((values[at], arrays[-1]))
        updated.append((place, given[at]))
    return Output(t, memory, arrays, None, back, updated=updated)
