"""Finds threads that touch the same element by enumeration, if that is feasible. Independent of proofs."""

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
#: variables with the ends of their ranges
Axes: TypeAlias = dict[NatVar, int]

#: the maximum number of combinations of values that are enumerated for one effect
MAX_POINTS: Final = 1 << 18


def common_elements(first: Effect, second: Effect, launch: Launch) -> tuple[bool, bool] | None:
    """Whether two effects touch the same element from different threads, and from threads of different warps.

    None if ranges are unknown or too large to enumerate. Guards that cannot be evaluated are assumed to hold.
    """
    touched = _both_touched(first, second, launch)
    return None if touched is None else _in_common(*touched)


def may_share(first: Effect, second: Effect, launch: Launch) -> bool:
    """Whether two effects may touch the same element, from any threads; True if that cannot be enumerated."""
    touched = _both_touched(first, second, launch)
    return touched is None or bool(np.intersect1d(touched[0][0], touched[1][0]).size)


def _both_touched(
    first: Effect, second: Effect, launch: Launch
) -> tuple[tuple[Array, Array], tuple[Array, Array]] | None:
    """The elements that each of two effects touches and the threads that do, as far as they can be enumerated."""
    first_index, second_index = _without_common_part(first, second)
    own = {*first.own, *second.own}
    shared: Axes = {}
    units = dict.fromkeys(v for _, v in (*first.units, *second.units))
    for variable in {**variables_in(first_index), **variables_in(second_index), **units}:
        end = end_of(variable)
        if end is None:
            return None
        if variable not in own:
            shared[variable] = end
    guarded = {v: end for effect in (first, second) for v, end in _guarding(effect).items() if v not in own}
    for axes in (shared | guarded, shared):
        first_touched, second_touched = (
            _touched(first, first_index, axes, launch),
            _touched(second, second_index, axes, launch),
        )
        if first_touched is not None and second_touched is not None:
            return first_touched, second_touched
    return None


def _in_common(first: tuple[Array, Array], second: tuple[Array, Array]) -> tuple[bool, bool] | None:
    """Whether different threads, and different warps, touch an element, given elements with their threads."""
    low = min((keys.min() for keys, _ in (first, second) if keys.size), default=0)
    size = 1 + max((int(keys.max() - low) for keys, _ in (first, second) if keys.size), default=0)
    if size > 8 * MAX_POINTS:
        return None
    ends_of_threads = [*_extremes(*first, low, size), *_extremes(*second, low, size)]
    in_both = (ends_of_threads[1] >= 0) & (ends_of_threads[3] >= 0)
    threads = np.stack([end[in_both] for end in ends_of_threads])
    return bool((threads != threads[0]).any()), bool((threads // LANES != threads[0] // LANES).any())


def _extremes(keys: Array, threads: Array, low: int, size: int) -> tuple[Array, Array]:
    """The first and the last thread that touches each element; the last is -1 if none does."""
    first, last = np.full(size, np.iinfo(np.int64).max), np.full(size, -1, dtype=np.int64)
    np.minimum.at(first, keys - low, threads)
    np.maximum.at(last, keys - low, threads)
    return first, last


def _without_common_part(first: Effect, second: Effect) -> tuple[Nat, Nat]:
    """Two indices without their common summands of fixed variables."""
    own = frozenset((*first.own, *second.own))
    fixed, moving = [], []
    for effect in (first, second):
        terms = [polynomial((term,)) for term in effect.index.terms]
        fixed_part = sum((term for term in terms if term.free.isdisjoint(own)), nat(0))
        fixed.append(fixed_part)
        moving.append(effect.index - fixed_part)
    return (moving[0], moving[1]) if fixed[0] is fixed[1] else (first.index, second.index)


def _touched(effect: Effect, index: Nat, shared: Axes, launch: Launch) -> tuple[Array, Array] | None:
    """The elements, each encoded with the values of the shared variables, and the threads that touch them."""
    places = _places(effect, launch)
    axes: Axes = dict(shared)
    for variable in (*variables_in(index), *(bound for bound, _, _ in places if bound is not None)):
        end = end_of(variable)
        if end is None:
            return None
        axes[variable] = end
    free_extents = [extent if bound is None else 1 for bound, extent, _ in places]
    axes_with_guards = axes | {v: end for v, end in _guarding(effect).items() if v in effect.own}
    if prod(axes_with_guards.values()) * prod(free_extents) * effect.lanes <= MAX_POINTS:
        axes = axes_with_guards
    elif prod(axes.values()) * prod(free_extents) * effect.lanes > MAX_POINTS:
        return None
    grid = np.ogrid[tuple(slice(extent) for extent in (*axes.values(), *free_extents, effect.lanes))]
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
    """The number of a thread as a sum over dimensions: for each, the variable that is the index (None: any), its
    extent, and its factor.
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
        bounds = [units.get(Level(name, d)) for name in ("lane", "warp") for d in range(3)]
        extents = [*launch.lanes, *launch.warps]
    return [(bound, extents[d], prod(extents[:d])) for d, bound in enumerate(bounds)]


def _guarding(effect: Effect) -> Axes:
    """The variables of guards that can be enumerated, with the ends of their ranges."""
    pairs = (pair for pair in effect.guards if is_enumerable(pair))
    ends = {v: end_of(v) for pair in pairs for a in pair for v in variables_in(a)}
    return {v: end for v, end in ends.items() if end is not None}


def is_enumerable(guard: tuple[Nat, Nat]) -> bool:
    """Whether the ranges of all variables of a guard have known ends."""
    return all(end_of(v) is not None for a in guard for v in variables_in(a))


def variables_in(a: Nat) -> dict[NatVar, None]:
    """The variables that a natural is computed from, in order, without those that occur only in ranges."""
    return {node: None for node in _values_in(a) if isinstance(node, NatVar)}


def _values_in(a: Nat) -> list[Node]:
    """The nodes that a natural is computed from, parts first."""
    nodes: dict[Node, None] = {}
    waiting: list[tuple[Node, bool]] = [(a, False)]
    while waiting:
        node, is_ready = waiting.pop()
        if is_ready:
            nodes[node] = None
        elif node not in nodes:
            waiting.append((node, True))
            if not isinstance(node, NatVar):
                waiting += ((part, False) for part in reversed(node.parts))
    return list(nodes)


def end_of(variable: NatVar) -> int | None:
    """The exclusive upper bound of a variable as a number; None if it is not known."""
    return None if variable.upper is None else _most(variable.upper)


def _most(a: Nat) -> int | None:
    known = greatest(a).constant
    match a.terms:
        case ((((NatCall("min", args), 1),), 1),) if known is None:
            return min((most for one in args if (most := _most(one)) is not None), default=None)
    return known


def numbers(a: Nat, at: Mapping[NatVar, Array]) -> Array | None:
    """The values of a natural for all values of its variables; None if one is missing, or a quotient is exact."""
    value_of: dict[Node, Array] = {}
    for node in _values_in(a):
        value: Array | None = None
        match node:
            case NatVar():
                value = at.get(node)
            case NatCall(function, args) if function in _FUNCTIONS:
                value = _FUNCTIONS[function](*(value_of[argument] for argument in args))
            case Nat(terms):
                value = _sum(terms, value_of)
            case _:
                pass
        if value is None:
            return None
        value_of[node] = value
    return value_of[a]


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
