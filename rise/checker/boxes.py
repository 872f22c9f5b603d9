"""Sums as lists of single values and of boxes, each of which is the sum of its items at all indices below its lengths.

In a list in order, indices are in order, too, the first one outermost; such lists are arranged. If the operation
commutes, boxes are simplified instead, and matched with each other. For all functions f from indices to items,

- `f(i * n + j)` for i below m and j below n has the items `f(k)` for k below `m * n`, in the same order;
- `f(k)` for k below n and `f(n + k)` for k below m have the items `f(k)` for k below `n + m`, in the same order;
- if the operation commutes, items at an index may be summed separately, and indices swapped.

Which of these are used depends on the form that items have afterwards. Independent of laws.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import permutations
from math import prod
from typing import Final

from rise.checker.comparison import Comparison
from rise.checker.proposals import changes, digits_of, parts_of
from rise.checker.state import DifferentError, State
from rise.checker.values import Box, Condition, Item, Less, Value, is_free_of
from rise.naturals import Nat, const
from rise.quotients import floor_quotient, remainder

MAX_CUTS: Final = 6  # of a box in a list in order
MAX_LENGTHS: Final = 4  # of boxes whose indices are permuted


class CaseError(Exception):
    """Raised for a condition on sizes that determines where a box is cut."""

    def __init__(self, condition: Condition) -> None:
        super().__init__("cases")
        self.condition = condition


class Boxes:
    """Arranges, simplifies and compares sums. `in_order` compares two lists of items; `nothing` is neutral."""

    def __init__(
        self,
        comparison: Comparison,
        in_order: Callable[[list[Item], list[Item]], None],
        idempotent: bool,
        nothing: Value,
    ) -> None:
        self.comparison = comparison
        self.state = comparison.state
        self.in_order = in_order
        self.idempotent = idempotent
        self.nothing = nothing

    def indices(self, box: Box) -> list[Nat]:
        """Fresh indices of a box."""
        return [self.state.fresh_index(length) for length in box.lengths]

    def some(self, items: Sequence[Item]) -> list[Item]:
        """Items without neutral elements."""
        return [item for item in items if item is not self.nothing]

    def are_identical(self, xs: Sequence[Item], ys: Sequence[Item]) -> bool:
        """Whether two lists of items are equal, item by item, by computation alone."""
        return len(xs) == len(ys) and all(map(self.is_identical, xs, ys))

    def is_identical(self, x: Item, y: Item) -> bool:
        """Whether two items are equal by computation alone."""
        if not (isinstance(x, Box) and isinstance(y, Box)):
            return not isinstance(x, Box) and not isinstance(y, Box) and self.state.identical(x, y, None)
        indices = self.indices(x)
        same = _are_all_equal(self.state, x.lengths, y.lengths)
        return same and self.are_identical(x.items(*indices), y.items(*indices))

    def parts(self, box: Box) -> list[Box]:
        """A box, cut where a condition on one of its indices changes.

        Raises CaseError for a condition on sizes that determines where.
        """
        indices = self.indices(box)
        for p, change in changes(box, indices):
            if not is_free_of(change, indices):
                continue
            outside = Less(change, const(0)), Less(box.lengths[p], change)
            known = [self.state.decide(one) for one in outside]
            if known == [False, False]:
                return [part for part in cut(box, p, change) if part.lengths[p].constant != 0]
            if None in known and self.state.is_compared(change):
                raise CaseError(outside[known.index(None)])
        return [box]

    # in order

    def arranged(self, items: Sequence[Item], depth: int = 0) -> list[Item]:
        """The same list without neutral elements, with nested boxes as one, cut where a condition changes."""
        found: list[Item] = []
        for item in items:
            if isinstance(item, Box):
                parts = self.parts(item) if depth < MAX_CUTS else [item]
                found += self.flat(item, depth) if len(parts) == 1 else self.arranged(parts, depth + 1)
            elif item is not self.nothing:
                found.append(item)
        return found

    def flat(self, box: Box, depth: int) -> list[Item]:
        """A box of boxes as one box. A box of one index, arranged."""
        indices = self.indices(box)
        found = self.some(box.items(*indices))
        if box.lengths[0].constant == 0 or not found:
            return []
        if len(found) != 1 or not isinstance(found[0], Box) or not is_free_of(found[0].lengths[0], indices):
            return [box]
        rows = Box(box.lengths, lambda i: self.some(box.items(i)))
        return self.arranged([joined_at(_nested(rows, found[0]), 0, 1)], depth + 1)

    # in any order

    def simplified(self, items: Sequence[Item]) -> list[Box]:
        """A sum as few boxes."""
        waiting = self.separated(Box((), partial(list, items)))
        while True:
            boxes = self.appended([self.joined(box) for box in self.once(waiting)])
            waiting = [part for box in boxes for part in self.parts(box)]
            if len(waiting) == len(boxes):
                return boxes

    def separated(self, box: Box) -> list[Box]:
        """A box of several items and of boxes as boxes of single items.

        A box with a box whose length depends on its indices is not separated: for other facts, it may not be one.
        """
        indices = self.indices(box)
        found = box.items(*indices)
        inner = [item for item in found if isinstance(item, Box)]
        if not all(is_free_of(item.lengths[0], indices) for item in inner):
            return [box]
        boxes: list[Box] = []
        for number, item in enumerate(found):
            part = Box(box.lengths, partial(_part, box, number, len(found)))
            boxes += self.separated(_nested(part, item)) if isinstance(item, Box) else [part]
        return boxes

    def once(self, boxes: list[Box]) -> list[Box]:
        """The boxes without neutral elements, and, if `a + b + a = a + b`, without single values that occur before."""
        found: list[Box] = []
        singles: list[list[Item]] = []
        for box in sorted(boxes, key=lambda box: len(box.lengths)) if self.idempotent else boxes:
            items = box.items(*self.indices(box))
            is_empty = any(length.constant == 0 for length in box.lengths) or not self.some(items)
            if is_empty or (self.idempotent and any(self.are_identical(items, one) for one in singles)):
                continue
            if not box.lengths:
                singles.append(items)
            found.append(box)
        return found

    def joined(self, box: Box) -> Box:
        """A box with fewer indices, where its items depend on `i * n + j` instead of on two indices i and j; with more,
        where they depend on the quotient and the remainder of an index.
        """
        while (part := next(parts_of(self.state, box), None)) is not None:
            box = separated_at(box, *part)
        while (digits := digits_of(self.state, box, joined_at)) is not None:
            box = joined_at(box, *digits)
        return box

    def appended(self, boxes: list[Box]) -> list[Box]:
        """Boxes, in which those are one that continue another one."""
        for (i, a), (j, b) in permutations(enumerate(boxes), 2):
            one = self.both(a, b)
            if one is not None:
                rest = [box for place, box in enumerate(boxes) if place not in (i, j)]
                return self.appended([self.joined(one), *rest])
        return boxes

    def both(self, a: Box, b: Box) -> Box | None:
        """Two boxes as one, if the second one continues the first one at the end of one of its indices."""
        for p, length in enumerate(a.lengths if len(a.lengths) == len(b.lengths) else ()):
            one = Box((*b.lengths[:p], length, *b.lengths[p + 1 :]), b.items)
            indices = self.indices(b)
            try:
                if _are_all_equal(self.state, a.lengths, one.lengths) and self.are_identical(
                    cut(a, p, length)[1].items(*indices), b.items(*indices)
                ):
                    return Box((*a.lengths[:p], length + b.lengths[p], *a.lengths[p + 1 :]), a.items)
            except DifferentError:
                continue
        return None

    def compare(self, xs: Sequence[Item], ys: Sequence[Item]) -> None:
        """Prove that two sums are equal. Raises DifferentError and CaseError."""
        rest = self.simplified(ys)
        divisors: tuple[Nat, ...] = ()
        for x in self.simplified(xs):
            for place, y in enumerate(rest):
                try:
                    self.equal(x, y)
                except DifferentError as error:
                    divisors += error.divisors
                    continue
                del rest[place]
                break
            else:
                raise DifferentError("a sum", "a sum", divisors)
        if rest:
            raise DifferentError("a sum", "a sum", divisors)

    def equal(self, x: Box, y: Box) -> None:
        """Prove that two boxes are equal as sums. Raises DifferentError."""
        self.comparison.equal(prod(x.lengths, start=const(1)), prod(y.lengths, start=const(1)))
        is_first = len(x.lengths) > len(y.lengths)
        more = x if is_first else y
        stopped = DifferentError("a sum", "a sum")
        for order in permutations(range(len(more.lengths))) if len(more.lengths) <= MAX_LENGTHS else ():
            one = Box(tuple(more.lengths[place] for place in order), partial(_permuted, more, order))
            try:
                self.at_all(*((one, y) if is_first else (x, one)))
                return
            except DifferentError as error:
                stopped = error
        raise stopped

    def at_all(self, x: Box, y: Box) -> None:
        """Prove that two boxes have the same items at the same indices, or in the same order."""
        if not _are_all_equal(self.state, x.lengths, y.lengths):
            x, y = _in_a_row(x), _in_a_row(y)

        def below(lengths: Sequence[Nat], indices: tuple[Nat, ...]) -> None:
            if lengths:
                self.comparison.for_each_index(lengths[0], lambda k: below(lengths[1:], (*indices, k)))
            else:
                self.in_order(x.items(*indices), y.items(*indices))

        below(x.lengths, ())


def aligned(state: State, x: Item, y: Item) -> tuple[Item, Item, list[Item], list[Item]]:
    """Two items, and the rest of each: of two boxes of one index, the longer one is cut to the length of the other."""
    if isinstance(x, Box) and isinstance(y, Box) and len(x.lengths) == len(y.lengths) == 1:
        m, n = x.lengths[0], y.lengths[0]
        if not state.are_equal(m, n):
            if state.is_nonnegative(m - n):
                x, rest = cut(x, 0, n)
                return x, y, [rest], []
            if state.is_nonnegative(n - m):
                y, rest = cut(y, 0, m)
                return x, y, [], [rest]
    return x, y, [], []


def cut(box: Box, p: int, length: Nat) -> tuple[Box, Box]:
    """A box up to a length of its index at p, and its rest."""

    def after(*indices: Nat) -> list[Item]:
        return box.items(*indices[:p], indices[p] + length, *indices[p + 1 :])

    first, rest = ((*box.lengths[:p], n, *box.lengths[p + 1 :]) for n in (length, box.lengths[p] - length))
    return Box(first, box.items), Box(rest, after)


def _part(box: Box, number: int, count: int, *indices: Nat) -> list[Item]:
    """The item with this number of a box at its indices. Raises DifferentError if there are more of them, or fewer."""
    items = box.items(*indices)
    if len(items) != count:
        raise DifferentError(f"{count} items", f"{len(items)}")
    return items[number : number + 1]


def _nested(box: Box, inner: Box) -> Box:
    """A box of boxes like an inner one as one box. Reading an item raises DifferentError if there is anything else."""

    def items(*indices: Nat) -> list[Item]:
        row = box.items(*indices[:-1])
        if len(row) != 1 or not isinstance(row[0], Box) or row[0].lengths != inner.lengths:
            raise DifferentError("a box of boxes", f"{len(row)} items")
        return row[0].items(indices[-1])

    return Box((*box.lengths, *inner.lengths), items)


def joined_at(box: Box, p: int, q: int) -> Box:
    """A box with `i * n + j` as its last index, instead of the indices i and j at p and q."""
    width = box.lengths[q]
    assert p != q and min(p, q) >= 0, (p, q)

    def items(*indices: Nat) -> list[Item]:
        *rest, k = indices
        digits = {p: floor_quotient(k, width), q: remainder(k, width)}
        for place in sorted(digits):
            rest.insert(place, digits[place])
        return box.items(*rest)

    lengths = (length for place, length in enumerate(box.lengths) if place not in (p, q))
    return Box((*lengths, box.lengths[p] * width), items)


def separated_at(box: Box, p: int, rows: Nat, width: Nat) -> Box:
    """A box with two indices i and j in place of `i * width + j` at p, which is below `rows * width`."""
    assert rows * width == box.lengths[p], (rows, width)

    def items(*indices: Nat) -> list[Item]:
        return box.items(*indices[:p], indices[p] * width + indices[p + 1], *indices[p + 2 :])

    return Box((*box.lengths[:p], rows, width, *box.lengths[p + 1 :]), items)


def _in_a_row(box: Box) -> Box:
    """A box with one index, and the same items in the same order."""
    if len(box.lengths) > 1:
        return _in_a_row(joined_at(box, len(box.lengths) - 2, len(box.lengths) - 1))
    return box if box.lengths else Box((const(1),), lambda k: box.items())


def _permuted(box: Box, order: Sequence[int], *indices: Nat) -> list[Item]:
    return box.items(*(indices[order.index(place)] for place in range(len(order))))


def _are_all_equal(state: State, xs: Sequence[Nat], ys: Sequence[Nat]) -> bool:
    return len(xs) == len(ys) and all(map(state.are_equal, xs, ys))
