"""Whether two effects on memory must be kept in order by a barrier, and by which. Knows nothing of statements."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from typing import Literal, TypeAlias

from rise.analysis.apart import behind_guards
from rise.indices import disjoint, greatest, is_multiple, renamed
from rise.naturals import Atom, Nat, NatLike, NatVar, const, nat, polynomial
from rise.quotients import is_nonnegative, linear_in, substitute_naturals
from shine.imperative.accesses import Access
from shine.imperative.kernels import LANES, Launch
from shine.imperative.nodes import Level
from shine.passes.gpu.effects import Effect, replaced
from shine.passes.gpu.touched import common_elements, end_of, variables_in

#: lanes of one warp do, or threads of different warps
Meeting: TypeAlias = Literal["warp", "block"]


@lru_cache(maxsize=1 << 14)
def meet(first: Effect, second: Effect, launch: Launch) -> Meeting | None:
    """Who may touch one element that one of two effects changes: different threads, not one alone. None: nobody."""
    if first.buffer.name != second.buffer.name or {first.kind, second.kind} in ({"read"}, {"update"}):
        return None
    proved = proved_apart(first, second, launch)
    if proved is None:
        return None
    found = common_elements(first, second, launch)
    if found is None:
        return proved
    anyone, across = found
    return "block" if across else "warp" if anyone else None


def proved_apart(first: Effect, second: Effect, launch: Launch) -> Meeting | None:
    """The same from proofs on ranges, for all sizes: None is proved, and so is that only lanes of one warp meet."""
    one, other = independent(first), independent(second)
    if one is None or other is None:
        return "block"
    first, second = one, other
    if never_meet(first, second):
        return None
    if launch.warps is None:
        extents = {Level("threads", d): launch.block[d] for d in range(3)}
    else:
        extents = {Level("warp", d): launch.warps[d] for d in range(3)} | {Level("lane", 0): LANES}
    unknown = [one for one in extents if extents[one] > 1 and not is_told_apart(first, second, one)]
    if not unknown or (launch.warps is not None and is_told_apart(first, second, Level("threads", 0))):
        return None
    warps: list[Level] = []
    if launch.warps is not None:
        warps = [one for one in unknown if one.name == "warp"]
    elif prod(launch.block) > LANES:
        warps = [one for one in unknown if one.dimension > 0 or launch.block[0] != LANES]
    return "block" if warps else "warp"


def is_told_apart(first: Effect, second: Effect, level: Level) -> bool:
    """Whether threads, or blocks, at different places along a dimension touch different elements."""
    one, other = _place(first, level), _place(second, level)
    if one is None or other is None or one.upper is None or other.upper is None:
        return False
    if is_nonnegative(one.upper - other.upper):
        place = NatVar("place", one.upper)
    elif is_nonnegative(other.upper - one.upper):
        place = NatVar("place", other.upper)
    else:
        return False
    inner = [v for v in dict.fromkeys((*first.own, *second.own)) if v is not one and v is not other]
    found: list[tuple[Nat, int]] = []
    for effect, bound in ((first, one), (second, other)):
        values: dict[Atom, NatLike] = {bound: place}
        own = frozenset(effect.own)
        guards = tuple(
            (substitute_naturals(a, values), substitute_naturals(b, values))
            for a, b in effect.guards
            if a.free.isdisjoint(own) or b.free.isdisjoint(own)
        )
        index = substitute_naturals(effect.index, values)
        access = Access(True, effect.buffer, index, effect.lanes, (), guards)
        index, digits = behind_guards(access, place, inner)
        inner += [digit for digit in digits if digit not in inner]
        found.append((index, effect.lanes))
    (index, lanes), (other_index, other_lanes) = found
    return disjoint(index, lanes, other_index, other_lanes, place, inner)


def _place(effect: Effect, level: Level) -> NatVar | None:
    """The index of the loop over a level around an effect."""
    units = dict(effect.units)
    if level.name == "threads" and level not in units:
        return units.get(Level("global", level.dimension))
    return units.get(level)


def independent(effect: Effect) -> Effect | None:
    """The effect where ranges of its own variables are known without the others, if perhaps too large."""
    own = frozenset(effect.own)
    values: dict[Atom, NatLike] = {}
    for variable in effect.own:
        if variable.upper is not None and not variable.upper.free.isdisjoint(own):
            known = end_of(variable)
            end = greatest(variable.upper) if known is None else const(known)
            if not end.free.isdisjoint(own):
                return None
            values[variable] = NatVar(variable.name, end)
    return replaced(effect, values) if values else effect


def never_meet(first: Effect, second: Effect) -> bool:
    """Whether two effects touch different elements, whichever threads have them.

    The distance of the runs is a multiple of some stride and a rest that is more than nothing, and less than a stride.
    """
    own = dict.fromkeys((*first.own, *second.own))
    apart = first.index - renamed(second.index, own)
    for distance, lanes, others in (
        (apart, first.lanes, second.lanes),
        (const(0) - apart, second.lanes, first.lanes),
    ):
        if is_nonnegative(distance - others):
            return True
        for stride in _strides(distance):
            rest = nat(0)
            for term in distance.terms:
                part = polynomial((term,))
                rest = rest if is_multiple(part, stride) else rest + part
            if is_nonnegative(rest - others) and is_nonnegative(stride - lanes - rest):
                return True
    return False


def _strides(a: Nat) -> list[Nat]:
    """What loop indices are multiplied by."""
    found: dict[Nat, None] = {}
    for variable in variables_in(a):
        linear = linear_in(a, variable) if variable.upper is not None else None
        if linear is not None and linear[0].terms:
            found[linear[0] if is_nonnegative(linear[0]) else const(0) - linear[0]] = None
    return list(found)
