"""Iterations of a program of fixed sizes that access an array outside of its bounds, or store what another one stores.

Independent of values. Only the first and the last iterations of loops are tried: what is found is wrong, and if nothing
is found, nothing is known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

from rise.diagnostics import Diagnostic
from rise.natural_values import evaluate_natural
from rise.naturals import Nat, NatVar, nat
from shine.imperative.accesses import Access
from shine.imperative.nodes import Allocate, For, Procedure
from shine.imperative.walk import statements
from shine.validation.boundary import UnsupportedError
from shine.validation.owners import IN_ORDER, accesses

MAX_LOOPS: Final = (
    6  # around an access of which the first and the last iterations are tried; the first of others
)
HINT: Final = "a rule, a strategy or a pass is wrong: report the program with its strategy"


def counterexample(procedure: Procedure) -> Diagnostic | None:
    """An access outside of its buffer, or an element that two iterations of a parallel loop store, or None.

    >>> import rise
    >>> from shine.pipeline import build
    >>> low = rise.parse_expr("fun(xs: 8.f32 => xs |> mapSeq(fun(x => x * x)))")
    >>> print(counterexample(build(low, "interpret").procedure))
    None
    """
    if procedure.sizes:
        return None
    try:
        made = list(accesses(procedure.body, {}))
    except UnsupportedError:
        return None
    outside = (_outside(access) for access in made)
    return next((one for one in (*outside, *_shared(procedure, made)) if one is not None), None)


def _outside(access: Access) -> Diagnostic | None:
    size = _number(access.buffer.size, {})
    for at in _iterations(access):
        first = _number(access.index, at)
        last = first + access.lanes - 1
        if first < 0 or last >= size:
            kind, place = "store" if access.is_store else "load", first if first < 0 else last
            title = f"expected accesses to `{access.buffer.name}` below {size}, found a {kind} at {place}"
            return Diagnostic("access-outside", title, hint=HINT, notes=(_where(at),))
    return None


def _shared(procedure: Procedure, made: list[Access]) -> Iterator[Diagnostic | None]:
    """Elements that the first two iterations of a parallel loop store by the same statement."""
    for loop, _ in statements(procedure.body):
        if not isinstance(loop, For) or loop.kind in IN_ORDER:
            continue
        own = {one.buffer for one, _ in statements(loop.body) if isinstance(one, Allocate)}
        for access in made:
            if access.is_store and loop.index in access.loops and access.buffer not in own:
                yield _stored_twice(loop, access)


def _stored_twice(loop: For, access: Access) -> Diagnostic | None:
    for at in _iterations(access):
        other = {**at, loop.index: 1}
        if at[loop.index] == 0 and _holds(access, other):
            place = _number(access.index, at)
            if place == _number(access.index, other):
                title = (
                    f"expected iterations in parallel to store different elements of `{access.buffer.name}`, found that"
                    f" {loop.index.name} = 0 and 1 store element {place}"
                )
                return Diagnostic("shared-element", title, hint=HINT, notes=(_where(at),))
    return None


def _iterations(access: Access) -> Iterator[dict[NatVar, int]]:
    """Values of the indices of the loops around an access with which it is executed."""
    counts = dict(reversed(access.guards))  # of an index, the count of its loop
    for ends in product((0, 1), repeat=min(len(access.loops), MAX_LOOPS)):
        at: dict[NatVar, int] = {}
        for place, index in enumerate(access.loops):
            is_last = place < len(ends) and ends[place]
            at[index] = max(_number(counts[nat(index)], at) - 1, 0) if is_last else 0
        if _holds(access, at):
            yield at


def _holds(access: Access, at: Mapping[NatVar, int]) -> bool:
    return all(_number(left, at) < _number(right, at) for left, right in access.guards)


def _number(a: Nat, at: Mapping[Any, int]) -> int:
    return int(evaluate_natural(a, at))


def _where(at: Mapping[NatVar, int]) -> str:
    return (
        "where " + ", ".join(f"{index.name} = {number}" for index, number in at.items()) if at else "always"
    )
