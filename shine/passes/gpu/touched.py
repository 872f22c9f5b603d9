"""Which threads touch one element, found by trying all values where there are not too many. Knows neither order nor
proofs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, Final, TypeAlias

import numpy as np

from rise.indices import greatest
from rise.naturals import Nat, NatVar, Term, nat, polynomial
from rise.nodes import Node
from rise.quotients import NatCall
from shine.imperative.kernels import LANES, Launch
from shine.imperative.nodes import Level
from shine.passes.gpu.effects import Effect

Array: TypeAlias = Any  # of int64
#: variables, and the ends of their ranges
Axes: TypeAlias = dict[NatVar, int]

#: how many values of all variables together are tried for one effect
MOST_POINTS: Final = 1 << 18


def common_elements(first: Effect, second: Effect, launch: Launch) -> tuple[bool, bool] | None:
    """Whether two effects touch one element from different threads, and from threads of different warps.

    None where ranges are not known, or too large to try. Guards that cannot be evaluated are taken to hold.
    """
    one, other = _without_common_part(first, second)
    own = {*first.own, *second.own}
    shared: Axes = {}
    units = dict.fromkeys(v for _, v in (*first.units, *second.units))
    for variable in {**variables_in(one), **variables_in(other), **units}:
        end = end_of(variable)
        if end is None:
            return None
        if variable not in own:
            shared[variable] = end
    guarded = {v: end for effect in (first, second) for v, end in _guarding(effect).items() if v not in own}
    for axes in (shared | guarded, shared):
        found, others = _touched(first, one, axes, launch), _touched(second, other, axes, launch)
        if found is not None and others is not None:
            return _in_common(found, others)
    return None


def _in_common(found: tuple[Array, Array], others: tuple[Array, Array]) -> tuple[bool, bool] | None:
    """Whether one element is touched by different threads, and warps; from elements and the threads touching them."""
    low = min((keys.min() for keys, _ in (found, others) if keys.size), default=0)
    size = 1 + max((int(keys.max() - low) for keys, _ in (found, others) if keys.size), default=0)
    if size > 8 * MOST_POINTS:
        return None
    ends_of_threads = [*_extremes(*found, low, size), *_extremes(*others, low, size)]
    both = (ends_of_threads[1] >= 0) & (ends_of_threads[3] >= 0)
    threads = np.stack([end[both] for end in ends_of_threads])
    return bool((threads != threads[0]).any()), bool((threads // LANES != threads[0] // LANES).any())


def _extremes(keys: Array, threads: Array, low: int, size: int) -> tuple[Array, Array]:
    """The first and the last thread that touches each element; the last is -1 where none does."""
    least, most = np.full(size, np.iinfo(np.int64).max), np.full(size, -1, dtype=np.int64)
    np.minimum.at(least, keys - low, threads)
    np.maximum.at(most, keys - low, threads)
    return least, most


def _without_common_part(first: Effect, second: Effect) -> tuple[Nat, Nat]:
    """Two indices, without summands of fixed variables that are the same in both."""
    own = frozenset((*first.own, *second.own))
    fixed, moving = [], []
    for effect in (first, second):
        terms = [polynomial((term,)) for term in effect.index.terms]
        kept = sum((one for one in terms if one.free.isdisjoint(own)), nat(0))
        fixed.append(kept)
        moving.append(effect.index - kept)
    return (moving[0], moving[1]) if fixed[0] is fixed[1] else (first.index, second.index)


def _touched(effect: Effect, index: Nat, shared: Axes, launch: Launch) -> tuple[Array, Array] | None:
    """The elements, each numbered together with the values of the shared variables, and the threads that touch them."""
    places = _places(effect, launch)
    axes: Axes = dict(shared)
    for variable in (*variables_in(index), *(bound for bound, _, _ in places if bound is not None)):
        end = end_of(variable)
        if end is None:
            return None
        axes[variable] = end
    rest = [extent if bound is None else 1 for bound, extent, _ in places]
    wider = axes | {v: end for v, end in _guarding(effect).items() if v in effect.own}
    if prod(wider.values()) * prod(rest) * effect.lanes <= MOST_POINTS:
        axes = wider
    elif prod(axes.values()) * prod(rest) * effect.lanes > MOST_POINTS:
        return None
    grid = np.ogrid[tuple(slice(extent) for extent in (*axes.values(), *rest, effect.lanes))]
    at = dict(zip(axes, grid, strict=False))
    element = numbers(index, at)
    if element is None:
        return None
    thread: Array = np.int64(0)
    for (bound, extent, factor), free in zip(places, grid[len(axes) : -1], strict=True):
        thread = thread + factor * (free if bound is None else at[bound] % extent)
    key: Array = element + grid[-1]
    for variable, end in shared.items():
        key = key * end + at[variable]
    holds: Array = np.bool_(True)
    for a, b in effect.guards:
        less, more = numbers(a, at), numbers(b, at)
        if less is not None and more is not None:
            holds = holds & (less < more)
    key, thread, holds, _ = np.broadcast_arrays(key, thread, holds, sum(grid))
    return key[holds], thread[holds]


def _places(effect: Effect, launch: Launch) -> list[tuple[NatVar | None, int, int]]:
    """How the number of a thread is the sum of its place along each dimension times a factor: what has the place (if
    nothing, it is anything), how many places there are, and the factor.
    """
    units = dict(effect.units)
    flat = [units.get(Level("threads", 0)), units.get(Level("global", 0))]
    bounds: list[NatVar | None]
    if launch.warps is None:
        bounds = [units.get(Level("threads", d), units.get(Level("global", d))) for d in range(3)]
        extents = list(launch.block)
    elif any(flat):
        bounds, extents = [flat[0] or flat[1]], [launch.block[0]]
    else:
        bounds = [units.get(Level("lane", 0)), *(units.get(Level("warp", d)) for d in range(3))]
        extents = [LANES, *launch.warps]
    return [(bound, extents[d], prod(extents[:d])) for d, bound in enumerate(bounds)]


def _guarding(effect: Effect) -> Axes:
    """The variables that guards speak of, where these can be tried."""
    found: Axes = {}
    for pair in effect.guards:
        ends = {v: end_of(v) for a in pair for v in variables_in(a)}
        if None not in ends.values():
            found |= {v: end for v, end in ends.items() if end is not None}
    return found


def variables_in(a: Nat) -> dict[NatVar, None]:
    """The variables that a natural is computed from, in order; not those that only their ranges mention."""
    return {node: None for node in _values_in(a) if isinstance(node, NatVar)}


def _values_in(a: Nat) -> list[Node]:
    """What a natural is computed from, parts first."""
    found: dict[Node, None] = {}
    waiting: list[tuple[Node, bool]] = [(a, False)]
    while waiting:
        node, is_ready = waiting.pop()
        if is_ready:
            found[node] = None
        elif node not in found:
            waiting.append((node, True))
            if not isinstance(node, NatVar):
                waiting += ((part, False) for part in reversed(node.parts))
    return list(found)


def end_of(variable: NatVar) -> int | None:
    """A number that a variable is always below."""
    return None if variable.upper is None else _most(variable.upper)


def _most(a: Nat) -> int | None:
    known = greatest(a).constant
    match a.terms:
        case ((((NatCall("min", args), 1),), 1),) if known is None:
            return min((most for one in args if (most := _most(one)) is not None), default=None)
    return known


def numbers(a: Nat, at: Mapping[NatVar, Array]) -> Array | None:
    """The values of a natural for all values of its variables; None if they are not given, or a quotient is exact."""
    known: dict[Node, Array] = {}
    for node in _values_in(a):
        found: Array | None = None
        match node:
            case NatVar():
                found = at.get(node)
            case NatCall(function, args) if function in _FUNCTIONS:
                found = _FUNCTIONS[function](*(known[one] for one in args))
            case Nat(terms):
                found = _sum(terms, known)
            case _:
                pass
        if found is None:
            return None
        known[node] = found
    return known[a]


def _sum(terms: tuple[Term, ...], known: Mapping[Node, Array]) -> Array | None:
    total: Array = np.int64(0)
    for monomial, coefficient in terms:
        product: Array = coefficient
        for base, exponent in monomial:
            if not isinstance(exponent, int) or exponent < 0:
                return None
            product = product * known[base] ** exponent
        if not isinstance(coefficient, int):
            return None
        total = total + product
    return total


_FUNCTIONS: Final[Mapping[str, Callable[..., Array]]] = {
    "floor": lambda a, b: a // b,
    "ceil": lambda a, b: -(-a // b),
    "min": np.minimum,
    "max": np.maximum,
    "xor": np.bitwise_xor,
}
