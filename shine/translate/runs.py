"""Runs of elements that iterations of a loop have for themselves. Knows no statements."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from rise.naturals import Nat, NatVar, polynomial
from rise.quotients import is_nonnegative


@dataclass(frozen=True, slots=True)
class Run:
    """A run of elements that no other iteration has: behind those of all iterations before, of so many in total."""

    start: Nat
    length: Nat
    total: Nat

    def holds(self, index: Nat, lanes: int) -> bool:
        """Whether so many elements from an index on, whatever the inner loop indices are, are in the run."""
        rest = index - self.start
        return is_nonnegative(rest) and is_nonnegative(self.length - rest - lanes)

    def holds_all(self, stores: Sequence[tuple[Nat, int]], moving: Collection[NatVar]) -> bool:
        """Whether the run holds so many elements from each index on, or one run does that starts elsewhere: by what
        does not move, the same for all.
        """
        if all(self.holds(index, lanes) for index, lanes in stores):
            return True
        offsets = [_fixed(index - self.start, moving) for index, _ in stores]
        return all(one is offsets[0] for one in offsets) and all(
            self.holds(index - offsets[0], lanes) for index, lanes in stores
        )


def in_rows(
    index: Nat, lanes: int, inner: Sequence[NatVar], rows: Mapping[NatVar, Sequence[Run]]
) -> tuple[Nat, list[NatVar]]:
    """An index with a digit for its place in an inner dependent array, where it is in a row of one; and the digit."""
    for position, row in enumerate(inner):
        for run in rows.get(row, ()):
            start = _fixed(index - run.start, inner[position:])
            if run.holds(index - start, lanes):
                digit = NatVar(f"place behind {row.name}", run.total - lanes + 1)
                return start + digit, [digit]
    return index, []


def _fixed(a: Nat, moving: Collection[NatVar]) -> Nat:
    """The terms of a natural that mention indices, but none that moves."""
    return polynomial(
        tuple(
            term
            for term in a.terms
            if any(isinstance(b, NatVar) and b.upper is not None for b, _ in term[0])
            and not any(one in polynomial((term,)).free for one in moving)
        )
    )
