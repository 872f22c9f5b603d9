"""Runs of elements that iterations of a loop have for themselves. Knows no statements."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rise.naturals import Atom, Nat, NatVar, nat, polynomial
from rise.quotients import is_nonnegative, substitute_naturals

#: what guards around a store say: that the first of each two is less than the second
Guards: TypeAlias = Sequence[tuple[Nat, Nat]]
#: parts of one length that a row is looked for to be made of
MOST_PARTS: Final = 5


@dataclass(frozen=True, slots=True)
class Run:
    """A run of elements that no other iteration has: behind those of all iterations before, of so many in total.

    `gaps` has pairs of starts that are read, of which the first is not less than the second.
    """

    start: Nat
    length: Nat
    total: Nat
    gaps: tuple[tuple[NatVar, NatVar], ...] = ()

    def holds(self, index: Nat, lanes: int, guards: Guards = ()) -> bool:
        """Whether so many elements from an index on, whatever the inner loop indices are, are in the run where the
        guards hold.
        """
        before, behind = index - self.start, self.start + self.length - index - lanes
        if is_nonnegative(before) and is_nonnegative(behind):
            return True
        values = _by_gaps(index, self.gaps)
        ends = [v.upper for v in index.free if isinstance(v, NatVar) and v.upper is not None]
        known = [*(end - 1 for end in ends), *(above - below - 1 for below, above in guards)]
        known = [substitute_naturals(a, values) for a in known if a.constant is None]
        return all(_follows(substitute_naturals(a, values), known) for a in (before, behind))

    def holds_all(self, stores: Sequence[tuple[Nat, int, Guards]], moving: Collection[NatVar]) -> bool:
        """Whether the run holds so many elements from each index on where its guards hold, or one run does that starts
        elsewhere: by what does not move, the same for all.
        """
        if all(self.holds(*store) for store in stores):
            return True
        offsets = [_fixed(index - self.start, moving) for index, _, _ in stores]
        return all(one is offsets[0] for one in offsets) and all(
            self.holds(index - offsets[0], lanes, guards) for index, lanes, guards in stores
        )


def _by_gaps(index: Nat, gaps: Sequence[tuple[NatVar, NatVar]]) -> dict[Atom, Nat]:
    """Values for the greater ones of pairs, as the lesser ones and naturals; and for the inner loop indices of an index
    that end there.
    """
    values: dict[Atom, Nat] = {
        end: nat(start) + nat(NatVar(f"behind {start.name}", None)) for end, start in gaps
    }
    inner = {v: v.upper for v in index.free if isinstance(v, NatVar) and v.upper is not None}
    ends = {v: substitute_naturals(end, values) for v, end in inner.items()}
    return {**values, **{v: nat(NatVar(v.name, end)) for v, end in ends.items() if end is not inner[v]}}


def gap_of(length: Nat) -> tuple[NatVar, NatVar] | None:
    """The two starts that a length is the difference of."""
    match sorted(length.terms, key=lambda term: term[1]):
        case [(((NatVar() as start, 1),), -1), (((NatVar() as end, 1),), 1)]:
            return end, start
    return None


def _follows(a: Nat, known: Sequence[Nat]) -> bool:
    """Whether a natural is >= 0 by itself, or since a known one is: the ends of loops that run, less 1, and what guards
    say.
    """
    return is_nonnegative(a) or any(
        is_nonnegative(a - times * one) for one in known for times in range(1, MOST_PARTS)
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
