"""Decides whether two effects on memory need a barrier between them, and which one. Independent of statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Literal, TypeAlias

from rise.indices import as_digit, disjoint, greatest, is_multiple, renamed
from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatLike, NatVar, const, nat, polynomial
from rise.quotients import is_nonnegative, linear_in
from shine.imperative.accesses import Access
from shine.imperative.kernels import LANES, Launch
from shine.imperative.nodes import Level
from shine.passes.gpu.accessing_threads import common_elements, end_of, is_enumerable, may_share, variables_in
from shine.passes.gpu.effects import Effect, replaced

#: two lanes of one warp meet, or two threads of different warps
Meeting: TypeAlias = Literal["warp", "block"]


def meet(first: Effect, second: Effect, launch: Launch) -> Meeting | None:
    """Which different threads may touch an element that at least one of two effects changes; None if there are none."""
    if first.buffer.name != second.buffer.name or first.kind == second.kind != "write":
        return None
    return _meet(_essential(first), _essential(second), launch)


@lru_cache(maxsize=1 << 14)
def _essential(effect: Effect) -> Effect:
    """The effect without everything that neither proofs nor enumeration use, so that queries about different iterations
    that differ in nothing else become the same query.

    A guard is kept if it bounds one of the effect's own variables in the index or in a unit, or if it can be evaluated.
    """
    own = frozenset(effect.own)
    moving = own & {v for a in (effect.index, *(v for _, v in effect.units)) for v in a.free}
    guards = tuple(
        pair
        for pair in effect.guards
        if not moving.isdisjoint(pair[0].free | pair[1].free) or is_enumerable(pair)
    )
    named = moving.union(*(a.free for pair in guards for a in pair))
    return replace(effect, own=tuple(v for v in effect.own if v in named), guards=guards)


@lru_cache(maxsize=1 << 14)
def _meet(first: Effect, second: Effect, launch: Launch) -> Meeting | None:
    """Like `meet`, for effects on the same buffer, one of which changes it."""
    proved = proved_apart(first, second, launch)
    if proved is None:
        return None
    common = common_elements(first, second, launch)
    if common is None:
        return proved
    threads_meet, warps_meet = common
    return "block" if warps_meet else "warp" if threads_meet else None


@lru_cache(maxsize=1 << 14)
def may_meet(first: Effect, second: Effect, launch: Launch, fixed: frozenset[NatVar] = frozenset()) -> bool:
    """Whether two effects may touch the same element, from any threads; `fixed` indices have one value for both."""
    if first.buffer.name != second.buffer.name:
        return False
    one, other = (
        independent(replace(effect, own=tuple(v for v in effect.own if v not in fixed)))
        for effect in (first, second)
    )
    return one is None or other is None or not (never_meet(one, other) or not may_share(one, other, launch))


def proved_apart(first: Effect, second: Effect, launch: Launch) -> Meeting | None:
    """Like `meet`, by proofs on ranges, for all sizes: None and "warp" are proved; "block" is the default."""
    first_effect, second_effect = independent(first), independent(second)
    if first_effect is None or second_effect is None:
        return "block"
    first, second = first_effect, second_effect
    if never_meet(first, second):
        return None
    if launch.warps is None:
        extents = {Level("threads", d): launch.block[d] for d in range(3)}
    else:
        extents = {Level("warp", d): launch.warps[d] for d in range(3)}
        extents |= {Level("lane", d): launch.lanes[d] for d in range(3)}
    unknown = [
        level for level in extents if extents[level] > 1 and not are_distinguished(first, second, level)
    ]
    if not unknown or (launch.warps is not None and are_distinguished(first, second, Level("threads", 0))):
        return None
    warps: list[Level] = []
    if launch.warps is not None:
        warps = [level for level in unknown if level.name == "warp"]
    elif prod(launch.block) > LANES:
        warps = [level for level in unknown if level.dimension > 0 or launch.block[0] != LANES]
    return "block" if warps else "warp"


def are_distinguished(first: Effect, second: Effect, level: Level) -> bool:
    """Whether units with different indices along a dimension of a level touch different elements."""
    first_index, second_index = _place(first, level), _place(second, level)
    if first_index is None or second_index is None or first_index.upper is None or second_index.upper is None:
        return False
    if first_index.upper.constant == second_index.upper.constant == 1:
        return True  # the same unit has both
    if is_nonnegative(first_index.upper - second_index.upper):
        common_index = NatVar("place", first_index.upper)
    elif is_nonnegative(second_index.upper - first_index.upper):
        common_index = NatVar("place", second_index.upper)
    else:
        return False
    inner = [
        v for v in dict.fromkeys((*first.own, *second.own)) if v is not first_index and v is not second_index
    ]
    runs: list[tuple[Nat, int]] = []
    for effect, bound in ((first, first_index), (second, second_index)):
        values: dict[Atom, NatLike] = {bound: common_index}
        own = frozenset(effect.own)
        guards = tuple(
            (substitute_naturals(a, values), substitute_naturals(b, values))
            for a, b in effect.guards
            if a.free.isdisjoint(own) or b.free.isdisjoint(own)
        )
        index = substitute_naturals(effect.index, values)
        access = Access(True, effect.buffer, index, effect.lanes, (), guards)
        index, digits = behind_guards(access, common_index, inner)
        inner += [digit for digit in digits if digit not in inner]
        runs.append((index, effect.lanes))
    (index, lanes), (other_index, other_lanes) = runs
    return disjoint(index, lanes, other_index, other_lanes, common_index, inner)


def _place(effect: Effect, level: Level) -> NatVar | None:
    """The index of the loop over a level that encloses an effect."""
    units = dict(effect.units)
    if level.name == "threads" and level not in units:
        return units.get(Level("global", level.dimension))
    return units.get(level)


def independent(effect: Effect) -> Effect | None:
    """The effect with ranges of its own variables that do not depend on each other, and may be too large."""
    own = frozenset(effect.own)
    values: dict[Atom, NatLike] = {}
    for variable in effect.own:
        if variable.upper is not None and not variable.upper.free.isdisjoint(own):
            known_end = end_of(variable)
            end = greatest(variable.upper) if known_end is None else const(known_end)
            if not end.free.isdisjoint(own):
                return None
            values[variable] = NatVar(variable.name, end)
    return replaced(effect, values) if values else effect


def never_meet(first: Effect, second: Effect) -> bool:
    """Whether two effects touch different elements, from any threads.

    The distance of the runs is a multiple of some stride plus a remainder that keeps them apart within the stride.
    """
    first, second = _within_guards(first), _within_guards(second)
    own = dict.fromkeys((*first.own, *second.own))
    apart = first.index - renamed(second.index, own)
    for distance, lanes, other_lanes in (
        (apart, first.lanes, second.lanes),
        (const(0) - apart, second.lanes, first.lanes),
    ):
        if is_nonnegative(distance - other_lanes):
            return True
        for stride in _strides(distance):
            remainder = _remainder(distance, stride)
            if is_nonnegative(remainder - other_lanes) and is_nonnegative(stride - lanes - remainder):
                return True
    return False


def _remainder(distance: Nat, stride: Nat) -> Nat:
    """The distance without parts that are multiples of a stride: of an index, such as (n + 2) i, or single terms."""
    for variable in variables_in(distance):
        linear = linear_in(distance, variable)
        if linear is not None and is_multiple(linear[0], stride):
            distance = linear[1]
    remainder = nat(0)
    for term in distance.terms:
        part = polynomial((term,))
        remainder = remainder if is_multiple(part, stride) else remainder + part
    return remainder


def _within_guards(effect: Effect) -> Effect:
    """The effect with each of its own variables counted from the least to the greatest value for which its guards hold,
    as far as these compare the variable with values that are the same for all threads.
    """
    own = frozenset(effect.own)
    values: dict[Atom, NatLike] = {}
    ranges: dict[NatVar, NatVar] = {}
    for variable in effect.own:
        low, end = const(0), variable.upper
        for less, more in effect.guards:
            bound = linear_in(more, variable)
            if less == nat(variable) and more.free.isdisjoint(own):
                end = more if end is None or more.constant is not None else _lesser(end, more)
            elif bound is not None and bound[0] == const(1) and (less + bound[1]).free.isdisjoint(own):
                low = less + 1 - bound[1]
        if end is not None and (low.terms or end is not variable.upper):
            ranges[variable] = NatVar(variable.name, end - low)
            values[variable] = low + nat(ranges[variable])
    if not values:
        return effect
    index, moving = substitute_naturals(effect.index, values), tuple(ranges.get(v, v) for v in effect.own)
    return replace(effect, index=index, own=moving)


def _strides(a: Nat) -> list[Nat]:
    """The coefficients of loop indices."""
    strides: dict[Nat, None] = {}
    for variable in variables_in(a):
        linear = linear_in(a, variable) if variable.upper is not None else None
        if linear is not None and linear[0].terms:
            strides[linear[0] if is_nonnegative(linear[0]) else const(0) - linear[0]] = None
    return list(strides)


def behind_guards(access: Access, parallel: NatVar, inner: Sequence[NatVar]) -> tuple[Nat, list[NatVar]]:
    """An index with a digit for each part that depends on inner loops and that a guard keeps in a range; and the
    digits.
    """
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


def kept_in_range(access: Access, moving: Sequence[NatVar]) -> list[tuple[Nat, Nat]]:
    """The naturals that guards keep between 0 and an end, such as `i - n` for `n < i + 1` and `i` for `i < n`, with the
    least known end.
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
    """The smaller of two ends, if that can be decided; otherwise the one that was known first."""
    return end if known is None or is_nonnegative(known - end) else known
