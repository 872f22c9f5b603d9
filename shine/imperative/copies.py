"""Copies of elements in temporary buffers, and stores of these elements to the places that they were copied from.

The next value of a block of an array is computed in a buffer before it is assigned. Where a mask leaves the block as it
is, the buffer is a copy, and the assignment changes nothing. Depends on statements only.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, const
from rise.quotients import floor_quotient, is_nonnegative, linear_in
from rise.records import dataclass
from shine.imperative.nodes import Allocate, Assign, Block, DefineIndex, For, Load, Value
from shine.imperative.walk import everything


@dataclass(frozen=True, slots=True)
class _Source:
    """An element that is copied: the index that it is stored at, its load, and the loops around the store."""

    index: Nat
    load: Load
    loops: tuple[For, ...]


@dataclass(frozen=True, slots=True)
class Copy:
    """A buffer to which only elements of other buffers are stored, and the loops around its allocation."""

    loops: tuple[For, ...]
    sources: list[_Source]


def copies_in(block: Block, own: Collection[str], resolved: Callable[[Value], Value]) -> dict[str, Copy]:
    """The block's own buffers of several elements that are copies of elements of other buffers, by name. `resolved`
    replaces variables by their values.
    """
    read = {one.name for one, _ in everything(block) if isinstance(one, DefineIndex)}
    found: dict[str, Copy] = {}
    refused: set[str] = set()
    for statement, loops in everything(block):
        match statement:
            case Allocate(buffer) if buffer.size.constant != 1:
                found[buffer.name] = Copy(loops, [])
            case Assign(buffer, index) if buffer.name in found:
                value = resolved(statement.value)
                if (
                    isinstance(value, Load)
                    and value.lanes == 1
                    and value.buffer.name not in own
                    and read.isdisjoint(index.free | value.index.free)
                ):
                    found[buffer.name].sources.append(_Source(index, value, loops))
                else:
                    refused.add(buffer.name)
    return {name: each for name, each in found.items() if name not in refused}


def is_copied_back(statement: Assign, load: Load, loops: tuple[For, ...], copy: Copy) -> bool:
    """Whether an assignment in some loops stores an element of a copy where it was copied from, in the same iteration
    of the loops around the copy. An index such as `64 * i + j`, j < 64, is that of one pair (i, j), so the place of the
    store follows from it.
    """
    if load.index == statement.index and all(
        each.index == each.load.index and each.load.buffer.name == statement.buffer.name
        for each in copy.sources
    ):
        return load.lanes == 1  # the copy has the order of the array
    depth = len(copy.loops)
    inner = [one.index for one in loops[depth:]]
    strides = _strides(load.index, inner)
    if load.lanes != 1 or loops[:depth] != copy.loops or strides is None:
        return False
    start = substitute_naturals(load.index, {index: const(0) for index in inner})
    for source in copy.sources:
        rest, indices = source.index - start, dict[NatVar, Nat]()
        for stride, index in strides:
            indices[index] = floor_quotient(rest, stride)
            rest -= stride * indices[index]
        if (
            rest != const(0)
            or source.loops[:depth] != copy.loops
            or source.load.buffer.name != statement.buffer.name
            or source.load.index != substitute_naturals(statement.index, indices)
        ):
            return False
    return True


def _strides(place: Nat, indices: list[NatVar]) -> list[tuple[int, NatVar]] | None:
    """The factor of each index in a place, greatest first, if different indices are different places."""
    found: list[tuple[int, NatVar]] = []
    for index in indices:
        linear = linear_in(place, index)
        stride = None if linear is None else linear[0].constant
        if not isinstance(stride, int) or stride < 1 or index.upper is None:
            return None
        found.append((stride, index))
    found.sort(key=lambda each: -each[0])
    below = const(0)  # the maximum of what smaller strides add
    for stride, index in reversed(found):
        if not is_nonnegative(stride - 1 - below):
            return None
        below += stride * ((index.upper or const(1)) - 1)
    return found
