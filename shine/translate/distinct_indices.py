"""Checks that indices are distinct: by proof, by enumeration, or at entry. Independent of primitives.

A function of indices whose value is a natural is decided at compile time: symbolically, or by enumeration where the
number of values is known and small. An input array of indices is checked at each call. A function that decides by its
argument, as the parts of a `concat` do, is decided for the indices of each part.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Final, TypeAlias

from rise.indices import disjoint, is_below, is_multiple
from rise.natural_values import substitute_naturals
from rise.naturals import Nat, NatVar, const, nat
from rise.primitives import applied, with_trait
from rise.quotients import is_nonnegative
from rise.records import dataclass
from rise.terms import Expr, Lam
from rise.types import ArrayType, IndexType
from shine.imperative.errors import fail
from shine.imperative.nodes import Allocate, Buffer, Condition, DefineIndex, Guarded, If, Load
from shine.translate.context import Context
from shine.translate.paths import Path
from shine.translate.trampoline import Task
from shine.translate.values import Reader, as_index

#: applied primitives that sort an array, and maps
_SORTS: Final = applied(with_trait("sorts"))
_MAPS: Final = applied(with_trait("maps"))
#: the most values of a function that are enumerated
MAX_ENUMERATED_VALUES: Final = 4096
#: the most parts of indices for which a function is decided separately
MAX_PARTS: Final = 16

Function: TypeAlias = Callable[[Nat], Task[Reader]]
#: the values of a function for the indices below a number, if its text alone determines them
Meaning: TypeAlias = Callable[[int], "list[int] | None"]


@dataclass(frozen=True, slots=True, eq=False)
class IndexValue:
    """The value of a function at an index.

    - `is_natural`: whether it is known without emitting statements.
    - `loads`: the array elements from which it is read, each with the variable that is defined by it, if there is
      nothing else: each but the first is at the index that the one before contains.
    - `condition`: what decides which of several values it is, if it is decided first.
    """

    value: Nat
    is_natural: bool
    loads: tuple[tuple[NatVar, Load], ...]
    condition: Condition | None = None


def value_at(cx: Context, function: Function, index: Nat) -> Task[IndexValue]:
    """The value of a function at an index, without emitting statements."""
    cx.open()
    reader: Reader = yield function(index)
    statements = cx.close().statements
    value = as_index(reader)
    loads: list[tuple[NatVar, Load]] = []
    for statement in statements:  # a chosen value is stored in memory that is allocated before
        match statement:
            case DefineIndex(name, Load() as element):
                loads.append((name, element))
            case DefineIndex(_, Guarded(condition)) | If(condition) if not loads:
                return IndexValue(value, False, (), condition)
            case Allocate():
                pass
            case _:
                return IndexValue(value, False, ())
    is_last = bool(loads) and value is nat(loads[-1][0])
    return IndexValue(value, not statements, tuple(loads) if is_last else ())


def values_of(cx: Context, function: Function, size: Nat, meaning: Meaning) -> Task[list[int] | None]:
    """All values of a function; None if they are not known at compile time, or too many."""
    count = size.constant
    if count is None or count > MAX_ENUMERATED_VALUES:
        return None
    values: list[int] = []
    for index in range(count):
        result: IndexValue = yield value_at(cx, function, const(index))
        constant = result.value.constant
        if constant is None or not result.is_natural:
            return meaning(count)
        values.append(constant)
    return values


def require_distinct(cx: Context, function: Function, size: Nat, path: Path, meaning: Meaning) -> Task[None]:
    """Require that a function of indices below `size` has distinct values. Raises TranslationError if they are not
    distinct, or if that is not known at compile time.
    """
    if _has_one_index(size):
        return
    parts: list[tuple[NatVar, IndexValue]] = yield parts_of(cx, function, size)
    checked = _distinct_parts(cx, parts)
    if checked is not None:
        cx.distinct.update((buffer.name, buffer) for buffer in checked)
        return
    values: list[int] | None = yield values_of(cx, function, size, meaning)
    if values is None:
        title = "expected indices that are provably distinct, found some that are not"
        hint = "pass them as an input, whose rows are checked at each call, or add up with `scatterAdd`"
        fail("not-distinct", title, hint, path.origin)
    seen: dict[int, int] = {}
    for position, value in enumerate(values):
        if value in seen:
            title = f"expected distinct indices, found {value} at {seen[value]} and at {position}"
            hint = "use distinct indices, or add up elements with the same index with `scatterAdd`"
            fail("duplicate-index", title, hint, path.origin)
        seen[value] = position


def parts_of(cx: Context, function: Function, size: Nat) -> Task[list[tuple[NatVar, IndexValue]]]:
    """The values of a function for the indices below `size`: one part for each way in which it decides by its argument,
    with the variable that counts the part's indices.
    """
    parts: list[tuple[NatVar, IndexValue]] = []
    waiting = [(const(0), size)]
    while waiting:
        start, count = waiting.pop()
        index = NatVar(f"position{len(parts)}", count)
        result: IndexValue = yield value_at(cx, function, start + nat(index))
        cut = None if result.condition is None else _cut(result.condition, index)
        if cut is None or len(parts) + len(waiting) >= MAX_PARTS:
            parts.append((index, result))
        else:
            waiting += [(start, cut), (start + cut, count - cut)]
    return parts


def _cut(condition: Condition, index: NatVar) -> Nat | None:
    """The number of values of an index for which a condition holds, if it holds for the first ones and not for the
    others.
    """
    count = index.upper
    if len(condition.below) != 1 or count is None:
        return None
    value, limit = condition.below[0]
    first = limit - (value - nat(index))
    is_inside = is_nonnegative(first) and is_nonnegative(count - first)
    return first if is_inside and index not in first.free else None


def _distinct_parts(cx: Context, parts: list[tuple[NatVar, IndexValue]]) -> tuple[Buffer, ...] | None:
    """The inputs in which rows must have distinct indices so that all values of all parts differ; None if some may be
    equal.
    """
    inputs: list[Buffer] = []
    for index, part in parts:
        if part.is_natural and disjoint(part.value, 1, part.value, 1, index, ()):
            continue
        elements = _distinct_elements(cx, part.loads, index)
        if elements is None:
            return None
        inputs += elements
    is_apart = all(_are_apart(cx, one, other) for (_, one), (_, other) in combinations(parts, 2))
    return tuple(inputs) if is_apart else None


def _are_apart(cx: Context, one: IndexValue, other: IndexValue) -> bool:
    """Whether two values are different: by their ranges, or as elements of one row of distinct indices."""
    if not (one.is_natural and other.is_natural):
        buffers = [[load.buffer for _, load in each.loads] for each in (one, other)]
        is_one_row = all(load.buffer.size is _row_size(cx, name, load) for name, load in one.loads)
        if buffers[0] != buffers[1] or not buffers[0] or not is_one_row:
            return False
    first, second = (each.value if each.is_natural else each.loads[0][1].index for each in (one, other))
    return is_below(first, second) or is_below(second, first)


def has_permutations(e: Expr) -> bool:
    """Whether each row of an array that a term computes contains each index once."""
    while e.root in _MAPS:
        function = e.children[0].children[1]
        if not isinstance(function, Lam):
            return False
        e = function.body
    return e.root in _SORTS and isinstance(e.type, ArrayType) and isinstance(e.type.element, IndexType)


def _distinct_elements(
    cx: Context, loads: tuple[tuple[NatVar, Load], ...], index: NatVar
) -> tuple[Buffer, ...] | None:
    """The inputs in which rows must have distinct indices so that the elements read for different indices differ; None
    if they may be equal.
    """
    inputs: list[Buffer] = []
    position = index
    for name, load in loads:
        row_size = _row_size(cx, name, load)
        if load.buffer.name not in cx.permutations:
            row_size = row_size if position is index else None
            inputs.append(load.buffer)
        if row_size is None or not _in_one_row(load, position, row_size):
            return None
        position = name
    return tuple(inputs) if loads else None


def _row_size(cx: Context, name: NatVar, load: Load) -> Nat | None:
    """The number of indices in each row of the array that an index is read from; None if it is not known."""
    if load.buffer.name in cx.permutations:
        return name.upper
    shape = cx.inputs.get(load.buffer.name, ())
    return shape[-1] if shape else None


def _in_one_row(load: Load, position: NatVar, row_size: Nat) -> bool:
    """Whether different positions are at different places of one row of an array."""
    if load.buffer.size is row_size:
        return disjoint(load.index, 1, load.index, 1, position, ())
    start = load.index - nat(position)
    is_within = position.upper is row_size and is_multiple(start, row_size)
    return is_within and position not in start.free


def _has_one_index(size: Nat) -> bool:
    """Whether there is at most one index, so that all values are distinct."""
    return size.constant in (0, 1)


def require_inverse(
    cx: Context, f: Function, inverse: Function, size: Nat, path: Path, meanings: tuple[Meaning, Meaning]
) -> Task[None]:
    """Require that a function of indices below `size` is a bijection, and that `inverse` is its inverse."""
    if _has_one_index(size):
        return
    index = NatVar("position", size)
    forward: IndexValue = yield value_at(cx, f, nat(index))
    backward: IndexValue = yield value_at(cx, inverse, nat(NatVar("position", size)))
    if forward.is_natural and backward.is_natural:
        if substitute_naturals(backward.value, {index: forward.value}) is nat(index):
            return
    values: list[int] | None = yield values_of(cx, f, size, meanings[0])
    inverse_values: list[int] | None = yield values_of(cx, inverse, size, meanings[1])
    if values is None or inverse_values is None:
        title = "expected a function and its inverse, found a second function that is not proved to be the inverse"
        hint = "pass indices as an input to `gather` or `scatter`"
        if size.constant is None:
            hint = f"fix the size with rise.specialise, or {hint}"
        fail("not-a-bijection", title, hint, path.origin)
    for position, value in enumerate(values):
        if inverse_values[value] != position:
            title = (
                f"expected a function and its inverse, found that the first maps {position} to {value}"
                f" and the second maps {value} to {inverse_values[value]}"
            )
            fail("not-a-bijection", title, "pass a permutation and its inverse", path.origin)
