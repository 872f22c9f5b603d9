"""Runs of elements that belong to one iteration of a loop. Knows no statements."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rise.naturals import Atom, Nat, NatVar, nat, polynomial
from rise.quotients import is_nonnegative, substitute_naturals

#: guards around a store: a < b for each pair
Guards: TypeAlias = Sequence[tuple[Nat, Nat]]
#: exclusive limit of the equal parts of a row that are tried
MAX_PARTS: Final = 5


@dataclass(frozen=True, slots=True)
class Run:
    """A run of elements of one iteration: after those of earlier iterations, of `total` elements.

    `gaps` has pairs of row starts that are read at run time; the first is not less than the second.
    """

    start: Nat
    length: Nat
    total: Nat
    gaps: tuple[tuple[NatVar, NatVar], ...] = ()

    def holds(self, index: Nat, lanes: int, guards: Guards = ()) -> bool:
        """Whether `lanes` elements from an index on are in the run where the guards hold, at all inner indices."""
        distance_before, distance_after = index - self.start, self.start + self.length - index - lanes
        if is_nonnegative(distance_before) and is_nonnegative(distance_after):
            return True
        values = _by_gaps(index, self.gaps)
        ends = [v.upper for v in index.free if isinstance(v, NatVar) and v.upper is not None]
        nonnegative = [*(end - 1 for end in ends), *(above - below - 1 for below, above in guards)]
        nonnegative = [substitute_naturals(a, values) for a in nonnegative if a.constant is None]
        return all(
            _follows(substitute_naturals(a, values), nonnegative) for a in (distance_before, distance_after)
        )

    def holds_all(self, stores: Sequence[tuple[Nat, int, Guards]], moving: Collection[NatVar]) -> bool:
        """Whether the run, or one that starts at a fixed offset from it, holds all stores where their guards hold."""
        if all(self.holds(*store) for store in stores):
            return True
        offsets = [_fixed(index - self.start, moving) for index, _, _ in stores]
        return all(offset is offsets[0] for offset in offsets) and all(
            self.holds(index - offsets[0], lanes, guards) for index, lanes, guards in stores
        )


def _by_gaps(index: Nat, gaps: Sequence[tuple[NatVar, NatVar]]) -> dict[Atom, Nat]:
    """The greater starts of pairs as the lesser ones plus naturals, and the inner loop indices of an index with their
    ends rewritten so.
    """
    values: dict[Atom, Nat] = {
        end: nat(start) + nat(NatVar(f"behind {start.name}", None)) for end, start in gaps
    }
    inner = {v: v.upper for v in index.free if isinstance(v, NatVar) and v.upper is not None}
    ends = {v: substitute_naturals(end, values) for v, end in inner.items()}
    return {**values, **{v: nat(NatVar(v.name, end)) for v, end in ends.items() if end is not inner[v]}}


def gap_of(length: Nat) -> tuple[NatVar, NatVar] | None:
    """The two starts whose difference a length is, or None."""
    match sorted(length.terms, key=lambda term: term[1]):
        case [(((NatVar() as start, 1),), -1), (((NatVar() as end, 1),), 1)]:
            return end, start
    return None


def _follows(a: Nat, known: Sequence[Nat]) -> bool:
    """Whether a natural is >= 0, by itself or because a known natural is: a loop's end minus 1, or a guard."""
    return is_nonnegative(a) or any(
        is_nonnegative(a - times * other) for other in known for times in range(1, MAX_PARTS)
    )


def in_rows(
    index: Nat, lanes: int, inner: Sequence[NatVar], rows: Mapping[NatVar, Sequence[Run]]
) -> tuple[Nat, list[NatVar]]:
    """An index with a new variable for its position in a row of an inner dependent array, and the variable."""
    for position, row in enumerate(inner):
        for run in rows.get(row, ()):
            start = _fixed(index - run.start, inner[position:])
            if run.holds(index - start, lanes):
                digit = NatVar(f"place behind {row.name}", run.total - lanes + 1)
                return start + digit, [digit]
    return index, []


def _fixed(a: Nat, moving: Collection[NatVar]) -> Nat:
    """The terms of a natural that mention indices, but no moving ones."""
    return polynomial(
        tuple(
            term
            for term in a.terms
            if any(isinstance(b, NatVar) and b.upper is not None for b, _ in term[0])
            and not any(index in polynomial((term,)).free for index in moving)
        )
    )
