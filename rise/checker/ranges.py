"""Ranges of items of a sum: cut where a condition on the index changes, and merged if they are nested.

Independent of laws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, TypeAlias

from rise.checker.comparison import DifferentError
from rise.checker.state import State
from rise.checker.values import Choice, Condition, Less, Operation, Value
from rise.naturals import Nat, const
from rise.quotients import floor_quotient, linear_in, remainder
from rise.records import dataclass

MAX_CUTS: Final = 6  # of a range at changes of conditions on its index


@dataclass(frozen=True, slots=True, eq=False)
class Range:
    """The items at all indices below a length, in order."""

    length: Nat
    items: Callable[[Nat], list[Item]]


Item: TypeAlias = "Value | Range"


class CaseError(Exception):
    """Raised for a condition on sizes that determines where a range is cut."""

    def __init__(self, condition: Condition) -> None:
        super().__init__("cases")
        self.condition = condition


class Arrangement:
    """Arranges ranges, using the facts that a state knows."""

    def __init__(self, state: State) -> None:
        self.state = state

    def arranged(self, items: Sequence[Item], depth: int = 0) -> list[Item]:
        """The same sum, with ranges cut where a condition on their index changes, and with nested ranges merged."""
        found: list[Item] = []
        for item in items:
            found += self.parts(item, depth) if isinstance(item, Range) else [item]
        return found

    def parts(self, of: Range, depth: int) -> list[Item]:
        """A range as ranges whose steps have the same form."""
        k = self.state.fresh_index(of.length)
        found = of.items(k)
        if of.length.constant == 0 or not found:
            return []
        change = self.change(found, k, of.length, depth)
        if change is not None:
            return self.arranged(cut(of, change), depth + 1)
        if len(found) != 1 or not isinstance(found[0], Range) or not _is_free_of(found[0].length, k):
            return [of]
        inner, items = found[0], of.items
        place = self.state.fresh_index(inner.length)
        change = self.change(inner.items(place), place, inner.length, depth)
        if change is not None and _is_free_of(change, k):  # the change is the same in each row: cut the rows
            items = partial(self.row_parts, of, depth)
            found = items(k)
            if not found:
                return []
            if len(found) > 1 or not isinstance(found[0], Range) or not _is_free_of(found[0].length, k):
                return [Range(of.length, items)]
            inner = found[0]
        return self.arranged([_joined(of.length, inner.length, items)], depth + 1)

    def row_parts(self, of: Range, depth: int, index: Nat) -> list[Item]:
        """The items of a range at an index, arranged."""
        return self.arranged(of.items(index), depth + 1)

    def change(self, items: Sequence[Item], index: Nat, length: Nat, depth: int) -> Nat | None:
        """An index below a length at which a condition on it changes; None if there is none."""
        ((((variable, _),), _),) = index.terms
        for condition in _conditions(items):
            line = linear_in(condition.right - condition.left, variable)  # type: ignore[arg-type]  # an atom
            if depth == MAX_CUTS or line is None or line[0].constant != -1 or not _is_free_of(line[1], index):
                continue
            found = line[1]  # the condition is index < found
            if not self.state.is_compared(found):
                continue
            outside = Less(found, const(0)), Less(length, found)
            for one in outside:
                if self.state.decide(one) is None:
                    raise CaseError(one)
            if not any(map(self.state.decide, outside)):
                return found
        return None


def _conditions(items: Sequence[Item]) -> Iterator[Less]:
    """The conditions on indices of choices among items and among their operands."""
    for item in items:
        match item:
            case Choice(Less() as condition):
                yield condition
            case Operation(_, _, operands):
                yield from _conditions([x for x, _ in operands])


def _is_free_of(a: Nat, index: Nat) -> bool:
    ((((variable, _),), _),) = index.terms
    return variable not in a.free


def _joined(count: Nat, width: Nat, rows: Callable[[Nat], list[Item]]) -> Range:
    """A range of ranges of a width as one range. Reading an item raises DifferentError if its row has another form."""

    def items(i: Nat) -> list[Item]:
        row = rows(floor_quotient(i, width))
        if len(row) != 1 or not isinstance(row[0], Range) or row[0].length != width:
            raise DifferentError("a range of ranges", f"{len(row)} items")
        return row[0].items(remainder(i, width))

    return Range(count * width, items)


def cut(of: Range, length: Nat) -> tuple[Range, Range]:
    """A range up to a length, and its rest."""
    return Range(length, of.items), Range(of.length - length, lambda i: of.items(i + length))
