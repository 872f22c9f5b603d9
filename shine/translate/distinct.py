"""Whether indices differ from each other: proved, counted out, or left to be checked at entry. Knows no primitive.

A function of indices whose value is a natural is decided by the naturals alone: symbolically, or value by value where
the number of values is known and not large. An array of indices that is an input is checked at each call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from rise.indices import disjoint
from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import substitute_naturals
from shine.imperative.errors import fail
from shine.imperative.nodes import DefineIndex, Load
from shine.translate.context import Context
from shine.translate.paths import Path
from shine.translate.trampoline import Task
from shine.translate.values import Reader, as_index

#: how many values are counted out
MOST_COUNTED: Final = 4096

Function: TypeAlias = Callable[[Nat], Task[Reader]]


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """The value of a function at an index; `load` is what it is read from, if it is one element of an array, and
    `is_natural` says that it is known without running anything.
    """

    value: Nat
    is_natural: bool
    load: Load | None


def value_at(cx: Context, function: Function, index: Nat) -> Task[Found]:
    """What a function gives; nothing is emitted."""
    cx.open()
    reader: Reader = yield function(index)
    statements = cx.close().statements
    value = as_index(reader)
    load: Load | None = None
    match statements:
        case (DefineIndex(name, Load() as element),) if value is nat(name):
            load = element
    return Found(value, not statements, load)


def values_of(cx: Context, function: Function, size: Nat) -> Task[list[int] | None]:
    """All values of a function; None if they are not known before it runs, or too many."""
    count = size.constant
    if count is None or count > MOST_COUNTED:
        return None
    values: list[int] = []
    for index in range(count):
        found: Found = yield value_at(cx, function, const(index))
        known = found.value.constant
        if known is None or not found.is_natural:
            return None
        values.append(known)
    return values


def require_distinct(cx: Context, function: Function, size: Nat, path: Path) -> Task[Nat]:
    """Make sure that a function of indices below `size` has different values, and give where its row of an input
    begins (0 for what is none). A diagnostic where it has not, and where nobody can tell before it runs.
    """
    if _is_one(size):
        return const(0)
    index = NatVar("position", size)
    found: Found = yield value_at(cx, function, nat(index))
    if found.is_natural and disjoint(found.value, 1, found.value, 1, index, ()):
        return const(0)
    if found.load is not None:
        shape = cx.inputs.get(found.load.buffer.name)
        base = found.load.index - nat(index)
        if shape and shape[-1] == size and index not in base.free:
            cx.distinct[found.load.buffer.name] = found.load.buffer
            return base
    values: list[int] | None = yield values_of(cx, function, size)
    if values is None:
        title = "expected indices that are proved to differ from each other, found some that are not"
        hint = "give them as an input, whose rows are checked at each call, or add up with `scatterAdd`"
        fail("not-distinct", title, hint, path.origin)
    seen: dict[int, int] = {}
    for position, value in enumerate(values):
        if value in seen:
            title = f"expected indices that differ from each other, found {value} at {seen[value]} and at {position}"
            hint = "give each element a place of its own, or add up what meets in one with `scatterAdd`"
            fail("duplicate-index", title, hint, path.origin)
        seen[value] = position
    return const(0)


def _is_one(size: Nat) -> bool:
    """Whether there is one index at most: whatever is done to it, it differs from no other."""
    return size.constant in (0, 1)


def require_inverse(cx: Context, f: Function, inverse: Function, size: Nat, path: Path) -> Task[None]:
    """Make sure that a function of indices below `size` is a bijection that the other one undoes."""
    if _is_one(size):
        return
    index = NatVar("position", size)
    there: Found = yield value_at(cx, f, nat(index))
    back: Found = yield value_at(cx, inverse, nat(NatVar("position", size)))
    if there.is_natural and back.is_natural:
        if substitute_naturals(back.value, {index: there.value}) is nat(index):
            return
    values: list[int] | None = yield values_of(cx, f, size)
    undone: list[int] | None = yield values_of(cx, inverse, size)
    if values is None or undone is None:
        title = "expected functions of which the second is proved to undo the first, found some that are not"
        hint = "fix the size with rise.specialise, or give indices as an input to `gather` or `scatter`"
        fail("not-a-bijection", title, hint, path.origin)
    for position, value in enumerate(values):
        if undone[value] != position:
            title = (
                f"expected functions of which the second undoes the first, found that {position} goes to {value}"
                f" and that {value} comes back to {undone[value]}"
            )
            fail("not-a-bijection", title, "give a permutation and its inverse", path.origin)
