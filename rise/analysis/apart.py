"""Proves that iterations of a loop write different elements, from the indices of their stores. Knows no statements.

An index is read as a number in a mixed radix, as in `rise.indices`; guards keep parts of it in a range.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from rise.indices import as_digit, digits_of, disjoint, divisor_of, greatest
from rise.naturals import Atom, Nat, NatLike, NatVar, const, nat
from rise.nodes import postorder
from rise.quotients import NatCall, is_nonnegative, substitute_naturals

#: stores to one buffer that are compared pairwise
MAX_COMPARED_STORES: Final = 64


@dataclass(frozen=True, slots=True)
class Store:
    """A store of a run of elements under guards; a guard (a, b) means that a < b."""

    index: Nat
    lanes: int = 1
    guards: tuple[tuple[Nat, Nat], ...] = ()


class Stored(Protocol):
    """The index and the guards of a store, or of a load."""

    @property
    def index(self) -> Nat:
        """The first element."""
        ...

    @property
    def guards(self) -> tuple[tuple[Nat, Nat], ...]:
        """The guards around it, as pairs (a, b) with a < b."""
        ...


@dataclass(frozen=True, slots=True)
class Position:
    """The argument at which an injective function has an index as its value; values that are read are a row that begins
    at `base`.
    """

    index: Nat
    base: Nat


def iterations_apart(parallel: NatVar, inner: list[NatVar], stores: list[Store]) -> bool:
    """Whether stores to one buffer never overlap for different values of a parallel index; `inner` are the indices of
    the loops inside, outermost first.
    """
    if len(stores) > MAX_COMPARED_STORES:
        return False
    if apart_by_digits(parallel, inner, stores):
        return True
    wider = in_wider_ranges(parallel, inner, stores)
    if wider is not None and apart_by_digits(parallel, *wider):
        return True
    return any(apart_by_sum(parallel, inner, stores, total) for total in divided_sums(parallel, stores))


def apart_by_digits(parallel: NatVar, inner: list[NatVar], stores: list[Store]) -> bool:
    """Whether stores are proved not to overlap by reading their indices as numbers in a mixed radix."""
    return all(written_apart(*way) for way in by_digits(parallel, *in_digits(inner, stores)))


def in_wider_ranges(
    parallel: NatVar, inner: list[NatVar], stores: list[Store]
) -> tuple[list[NatVar], list[Store]] | None:
    """The indices and stores with wider ranges that depend on no other loop: a tile that ends at `min(n - 32 * i, 32)`
    has at most 32 elements. None if no range ends at such a minimum.
    """
    moving = {parallel, *inner}
    values: dict[NatVar, NatVar] = {}
    for index in inner:
        if any(index in other.free for other in inner if other is not index):
            continue  # another range depends on it
        ends = index.upper.terms if index.upper is not None else ()
        match ends:
            case ((((NatCall("min", parts), 1),), 1),) if not moving.isdisjoint(index.free - {index}):
                constant_end = next((part for part in parts if moving.isdisjoint(part.free)), None)
                if constant_end is not None:
                    values[index] = NatVar(index.name, constant_end)
    if not values:
        return None
    wider = [values.get(index, index) for index in inner]
    for index, value in values.items():
        stores = [_with_index(store, index, nat(value)) for store in stores]
    return wider, stores


def divided_sums(parallel: NatVar, stores: list[Store]) -> Iterator[Nat]:
    """The sums with the parallel index that the index of a store divides: `8 * i + j` in
    `12 * floor((8 * i + j) / 8) + (8 * i + j) % 8`, rows of 8 elements that are 12 apart.
    """
    seen: dict[Nat, None] = {}
    for node in (node for store in stores for node in postorder(store.index)):
        match node:
            case NatCall("floor", (total, _)) if parallel in total.free and len(total.terms) > 1:
                seen[total] = None
    yield from seen


def apart_by_sum(parallel: NatVar, inner: list[NatVar], stores: list[Store], total: Nat) -> bool:
    """Whether different iterations have different values of a sum, and all stores are functions of that sum that do not
    overlap for different values.
    """
    summed = [i for i in (parallel, *inner) if i in total.free]
    others = [i for i in inner if i not in total.free]
    substituted = next((i for i in summed if total - i is _without(total, i)), None)
    if substituted is None or not is_nonnegative(total) or any(not i.free.isdisjoint(summed) for i in others):
        return False
    sum_index = NatVar("#sum", greatest(total) + 1)
    values: dict[Atom, NatLike] = {substituted: nat(sum_index) - _without(total, substituted)}
    by_sum = [Store(substitute_naturals(store.index, values), store.lanes) for store in stores]
    if any(not store.index.free.isdisjoint(summed) for store in by_sum):
        return False
    return disjoint(total, 1, total, 1, parallel, summed[1:]) and apart_by_digits(sum_index, others, by_sum)


def _without(total: Nat, index: NatVar) -> Nat:
    """A sum in which an index is 0."""
    return substitute_naturals(total, {index: const(0)})


def scattered_apart(
    parallel: NatVar, inner: list[NatVar], stores: list[Store], at: NatVar, position: Position
) -> bool:
    """Whether stores do not overlap because iterations have different positions, and therefore different indices."""
    moving = {parallel, *inner}
    if any(parallel in variable.index.free for variable in stores) or not moving.isdisjoint(
        position.base.free
    ):
        return False
    rest = [variable for variable in inner if variable is not at]
    if not disjoint(position.index, 1, position.index, 1, parallel, rest):
        return False
    return len(stores) <= MAX_COMPARED_STORES and written_apart(at, rest, stores)


def turned(indices: Sequence[NatVar], stores: list[Store]) -> list[Store]:
    """The stores with indices that all of them count down reversed: iteration `n - 1 - i` instead of i."""
    ends = [index.upper for index in indices if index.upper is not None]
    if any(not end.free.isdisjoint(indices) for end in ends):
        return stores
    for index in indices:
        if index.upper is not None and all(_counts_down(store.index, index) for store in stores):
            stores = [_with_index(store, index, index.upper - 1 - nat(index)) for store in stores]
    return stores


def _counts_down(place: Nat, index: NatVar) -> bool:
    """Whether an index occurs in a place only as a subtracted term."""
    containing = [
        (atoms, factor) for atoms, factor in place.terms if any(index in atom.free for atom, _ in atoms)
    ]
    return bool(containing) and all(
        isinstance(factor, int) and factor < 0 and (index, 1) in atoms for atoms, factor in containing
    )


def in_digits(inner: list[NatVar], stores: list[Store]) -> tuple[list[NatVar], list[Store]]:
    """The indices and stores with quotient and remainder for each inner index that an index or a guard divides."""
    while True:
        places = [place for store in stores for place in (store.index, *(part for part, _ in store.guards))]
        parts = ((index, divisor_of(place, index)) for index in inner for place in places)
        index, divisor = next(((i, d) for i, d in parts if d is not None), (None, None))
        if index is None or divisor is None:
            return inner, stores
        high, low, value = digits_of(index, divisor)
        inner = [digit for store in inner for digit in ((high, low) if store is index else (store,))]
        stores = [_with_index(store, index, value) for store in stores]


def by_digits(
    parallel: NatVar, inner: list[NatVar], stores: list[Store]
) -> Iterator[tuple[NatVar, list[NatVar], list[Store]]]:
    """The ways in which two iterations can differ: if an index contains `i / n`, in that quotient, with any remainder,
    or only in the remainder.
    """
    divisor = next((d for store in stores if (d := divisor_of(store.index, parallel)) is not None), None)
    if divisor is None:
        yield parallel, inner, stores
        return
    high, low, value = digits_of(parallel, divisor)
    parts = [_with_index(store, parallel, value) for store in stores]
    yield from by_digits(high, [low, *inner], parts)
    yield from by_digits(low, inner, parts)


def _with_index(store: Store, index: NatVar, value: Nat) -> Store:
    values: dict[Atom, NatLike] = {index: value}
    guards = tuple((substitute_naturals(a, values), substitute_naturals(b, values)) for a, b in store.guards)
    return replace(store, index=substitute_naturals(store.index, values), guards=guards)


def written_apart(parallel: NatVar, inner: list[NatVar], stores: list[Store]) -> bool:
    """Whether stores for different values of a parallel index never overlap, for all values of the inner indices."""
    for position, store in enumerate(stores):
        index, _ = behind_guards(store, parallel, inner)
        for other in stores[position:]:
            if kept_apart(store, other, parallel, inner):
                continue
            other_index, digits = behind_guards(other, parallel, inner)
            if not disjoint(index, store.lanes, other_index, other.lanes, parallel, [*inner, *digits]):
                return False
    return True


def behind_guards(access: Stored, parallel: NatVar, inner: Sequence[NatVar]) -> tuple[Nat, list[NatVar]]:
    """An index with a digit for each part that depends on inner loops and that a guard keeps in a range; the digits."""
    index = access.index
    digits: list[NatVar] = []
    for number, (part, end) in enumerate(kept_in_range(access, inner)):
        if parallel in part.free or part.free.isdisjoint(inner):
            continue
        digit = NatVar(f"guarded{number}", end)
        with_digit = as_digit(index, part, digit)
        if with_digit is not None:
            index = with_digit
            digits.append(digit)
    return index, digits


def kept_in_range(access: Stored, moving: Sequence[NatVar]) -> list[tuple[Nat, Nat]]:
    """The naturals that the guards keep from 0 to an end: `i - n` for `n < i + 1`, `i` for `i < n`; with the least
    known end.
    """
    ends: dict[Nat, Nat] = {}
    for part, end in access.guards:
        if not part.free.isdisjoint(moving):
            ends[part] = _lesser(ends.get(part), end)
    shifted: dict[Nat, Nat] = {}
    for low, above in access.guards:
        if low.free.isdisjoint(moving):
            part, end = above - 1 - low, _lesser(ends.get(above - 1), greatest(above)) - low
            shifted[part] = _lesser(shifted.get(part), end)
    for part, end in ends.items():
        shifted[part] = _lesser(shifted.get(part), end)
    return list(shifted.items())


def _lesser(known: Nat | None, end: Nat) -> Nat:
    """The smaller of two ends, if that can be decided; else the one known first."""
    return end if known is None or is_nonnegative(known - end) else known


def kept_apart(one: Store, other: Store, parallel: NatVar, inner: list[NatVar]) -> bool:
    """Whether guards that mention the parallel index prove that iterations store different elements.

    The guarded part is a digit of the index, since it is below its end; and different iterations give it
    different values. This is a tile that may exceed the array: `48 * block + i < n` in `row * n + 48 * block + i`.
    """
    moving = [parallel, *inner]
    first, digits = behind_guards(one, parallel, inner)
    second, other_digits = behind_guards(other, parallel, inner)
    other_parts = kept_in_range(other, moving)
    for part, end in kept_in_range(one, moving):
        digit = NatVar("kept", end)
        index = as_digit(first, part, digit)
        if parallel not in part.free or index is None or parallel in index.free:
            continue
        for other_part, other_end in other_parts:
            other_index = as_digit(second, other_part, digit) if other_end is end else None
            if parallel not in other_part.free or other_index is None or parallel in other_index.free:
                continue
            inside = [*inner, *digits, *other_digits]
            are_disjoint = disjoint(index, one.lanes, other_index, other.lanes, digit, inside)
            if are_disjoint and disjoint(part, one.lanes, other_part, other.lanes, parallel, inner):
                return True
    return False
