"""Open programs: a product of two matrices or a map with all its decisions open, and these decided one after the other.

Independent of bounds and measurements.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NoReturn

from elevate import Strategy, Success
from rise.diagnostics import Diagnostic
from rise.scalars import SCALARS
from rise.terms import Expr
from strategies.fireiron.programs import specification
from strategies.fireiron.recognition import element_types
from strategies.fireiron.specs import Spec
from strategies.spaces.holes import Decisions, Unfit, choose
from strategies.spaces.models import BYTE_BITS
from strategies.spaces.open_programs.constraints import constraints_of
from strategies.spaces.open_programs.domains import Answer, Conflict
from strategies.spaces.open_programs.hierarchies import (
    GLOBAL,
    REGISTERS,
    SUMS,
    Hierarchy,
    layout_of,
    memory_of,
)
from strategies.spaces.open_programs.nests import Dimension, LoopKind, OpenNest, open_nest
from strategies.spaces.open_programs.schedules import schedule_of


@lru_cache(maxsize=64)
def opened(program: Expr, hierarchy: Hierarchy) -> OpenNest:
    """The open nest of a program with fixed sizes. Raises Unfit for one that is no product or map of arrays."""
    spec = spec_of(program)
    kind = spec.kind
    if not kind.result or kind.reduces or kind.is_chain or not all(isinstance(n, int) for n in spec.sizes):
        _refuse(f"expected a product of two matrices or a map with known sizes, found {spec}")
    extents = {axis: int(size) for axis, size in zip(kind.axes, spec.sizes, strict=True)}
    kinds: dict[Dimension, tuple[LoopKind, ...]] = {}
    for axis in kind.axes:
        is_sum = axis in kind.summed
        for place, of in enumerate(hierarchy.sums if is_sum else hierarchy.result):
            is_last = axis == kind.result[-1]
            kinds[Dimension(axis, place, is_sum)] = tuple(
                one for one in of if is_last or one is not LoopKind.VECTOR
            )
    others: dict[str, Sequence[Answer]] = {memory_of(one): hierarchy.memories for one in kind.read}
    others |= {layout_of(one): hierarchy.layouts for one in kind.read if hierarchy.layouts}
    if kind.summed:
        others[SUMS] = (GLOBAL, REGISTERS)
    dimensions = tuple(kinds)
    constraints = list(constraints_of(dimensions, spec, bytes_of(program), hierarchy))
    found = open_nest(extents, kinds, others, constraints)
    if isinstance(found, Conflict):
        _refuse(f"no loops fit {spec}: {found.why}")
    return found


@lru_cache(maxsize=1 << 16)
def after(start: OpenNest, made: tuple[tuple[str, Answer], ...]) -> OpenNest | Conflict:
    """A nest after some decisions."""
    if not made:
        return start
    before = after(start, made[:-1])
    return before if isinstance(before, Conflict) else before.decide(*made[-1])


def scheduled(program: Expr, hierarchy: Hierarchy) -> Strategy:
    """A strategy for a program with fixed sizes, with a hole for each decision that is open and matters."""
    start = nest = opened(program, hierarchy)
    made: tuple[tuple[str, Answer], ...] = ()
    while (name := next(nest.open_decisions(), None)) is not None:
        options = {value: after(start, (*made, (name, value))) for value in nest.domains[name]}
        fitting = {value for value, one in options.items() if isinstance(one, OpenNest)}
        value = choose(name, options, where=fitting.__contains__)
        found = options[value]
        assert isinstance(found, OpenNest), found
        nest, made = found, (*made, (name, value))
    return schedule_of(spec_of(program), nest, hierarchy).strategy()


def decided(program: Expr, hierarchy: Hierarchy, decisions: Decisions) -> OpenNest:
    """The nest of a program after the decisions of a prefix."""
    start = opened(program, hierarchy)
    found = after(
        start, tuple((name, value) for name, value in decisions.items() if isinstance(value, Answer))
    )
    assert isinstance(found, OpenNest), (decisions, found)
    return found


@lru_cache(maxsize=64)
def spec_of(program: Expr) -> Spec:
    """The specification of a program with fixed sizes. Raises Unfit for a program of no kind."""
    found = specification(program)
    if found is None:
        _refuse("expected a product of two matrices or a map, found another program")
    return found


@lru_cache(maxsize=64)
def bytes_of(program: Expr) -> tuple[int, ...]:
    """The bytes of a number of each operand and of the result; one byte where the types are not known."""
    spec = spec_of(program)
    prepared = spec.kind.prepare(program)
    found = element_types(prepared.program, spec) if isinstance(prepared, Success) else None
    if found is None:
        return tuple(1 for _ in spec.kind.names)
    return tuple(max(1, SCALARS[name].bits // BYTE_BITS) for name in found)


def _refuse(title: str) -> NoReturn:
    raise Unfit(Diagnostic("no-open-program", title, hint="search one of the spaces of its subject"))
