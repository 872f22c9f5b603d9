"""Runs of elements that iterations of a loop have for themselves. Knows no statements."""

from __future__ import annotations

from dataclasses import dataclass

from rise.naturals import Nat
from rise.quotients import is_nonnegative


@dataclass(frozen=True, slots=True)
class Run:
    """A run of elements that no other iteration has: behind those of all iterations before."""

    start: Nat
    length: Nat

    def holds(self, index: Nat, lanes: int) -> bool:
        """Whether so many elements from an index on, whatever the inner loop indices are, are in the run."""
        rest = index - self.start
        return is_nonnegative(rest) and is_nonnegative(self.length - rest - lanes)
