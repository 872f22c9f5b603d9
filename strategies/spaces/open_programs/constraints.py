"""Constraints between the decisions of an open program: units of a GPU or a processor, vectors, sums and copies.

They exclude what no schedule can be, and schedules that differ from others in name only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from math import prod
from typing import Final, TypeAlias

from strategies.fireiron.limits import ANY_ARCHITECTURE, REGISTER_BYTES
from strategies.fireiron.specs import Block, Spec
from strategies.fireiron.tiles import LENGTHS
from strategies.parts.parameters import LANES, MAX_BLOCK_THREADS
from strategies.spaces.open_programs.domains import Answer, Constraint, Domains, relation
from strategies.spaces.open_programs.hierarchies import (
    BOTH,
    GLOBAL,
    REGISTERS,
    ROWS,
    SHARED,
    SUMS,
    Hierarchy,
    layout_of,
    memory_of,
)
from strategies.spaces.open_programs.nests import (
    UNITS_OF_BLOCK,
    WITHIN_THREAD,
    Dimension,
    LoopKind,
    if_nested,
    if_outside,
    if_repeated,
    kind_of,
    order_of,
    pairs,
    size_of,
)

#: the names of the decisions about the size and the kind of each loop
Loops: TypeAlias = tuple[tuple[str, str], ...]
#: iterations that are unrolled, as in Telamon
MAX_UNROLLED: Final = 512


def constraints_of(
    dimensions: Sequence[Dimension], spec: Spec, sizes: Sequence[int], hierarchy: Hierarchy
) -> Iterator[Constraint]:
    """The constraints of a specification on a kind of machine; `sizes` are the bytes of a number of each operand and of
    the result.
    """
    result = [one for one in dimensions if not one.is_sum]
    sums = [one for one in dimensions if one.is_sum]
    yield from _of_vectors(result, hierarchy)
    yield _of_unrolled(dimensions)
    if sums:
        yield from _of_sums(result, sums, spec)
    if hierarchy.unit is Block:
        yield from _of_units(dimensions)
        yield from _of_copies(result, sums, spec)
        yield from _of_room(result, sums, spec, sizes)
    else:
        yield from _of_cores(result)


def _of_units(dimensions: Sequence[Dimension]) -> Iterator[Constraint]:
    """Units of one kind are next to each other; a block has threads, or warps of lanes, as many as fit."""
    result = [one for one in dimensions if not one.is_sum]
    one_thread = frozenset(LoopKind) - {LoopKind.WARP, LoopKind.LANE}
    for one, other in combinations(result, 2):
        yield relation(
            (kind_of(one), kind_of(other)),
            lambda a, b: LoopKind.THREAD not in (a, b) or (a in one_thread and b in one_thread),
            "a block has threads, or warps of lanes",
        )
    for one, other in pairs(result):
        for third in (each for each in dimensions if each not in (one, other)):
            yield _neighbours(one, other, third)
    loops, lanes = _loops(result), frozenset({LoopKind.LANE})
    names = tuple(name for loop in loops for name in loop)

    def lanes_fit(domains: Domains) -> bool:
        if not any({LoopKind.WARP, LoopKind.LANE}.issuperset(domains[kind]) for _, kind in loops):
            return True
        return LANES in _products(domains, loops, lanes, LANES)

    def threads_fit(domains: Domains) -> bool:
        found = _products(domains, loops, UNITS_OF_BLOCK, MAX_BLOCK_THREADS)
        return any(count >= LANES for count in found)

    yield Constraint(names, lanes_fit, f"a warp has {LANES} lanes")
    yield Constraint(names, threads_fit, f"a block has {LANES} to {MAX_BLOCK_THREADS} threads")


def _of_cores(result: Sequence[Dimension]) -> Iterator[Constraint]:
    """Cores have one dimension: their tiles are numbered by rows."""
    for one, other in pairs([each for each in result if each.place == 0]):
        yield if_nested(
            (one, other),
            (kind_of(one), kind_of(other)),
            lambda is_outside, a, b: is_outside or a != b or a != LoopKind.CORE,
            "tiles of cores are numbered by rows",
        )


def _products(domains: Domains, loops: Loops, kinds: frozenset[LoopKind], most: int) -> set[int]:
    """The numbers of iterations, up to `most`, that the loops of these kinds may have together."""
    found = {1}
    for of_size, of_kind in loops:
        of = domains[of_kind]
        sizes = {int(size) for size in domains[of_size]} if kinds.intersection(of) else set()
        if not kinds.issuperset(of):
            sizes.add(1)
        if sizes != {1}:
            found = {before * size for before in found for size in sizes if before * size <= most}
    return found


def _loops(dimensions: Sequence[Dimension]) -> Loops:
    return tuple((size_of(one), kind_of(one)) for one in dimensions)


def _neighbours(one: Dimension, other: Dimension, third: Dimension) -> Constraint:
    """No third loop is between two loops of units of one kind."""
    orders = [(each, order_of(each, third)) for each in (one, other) if each.axis != third.axis]

    def holds(a: Answer, b: Answer, *values: Answer) -> bool:
        if a != b or a in WITHIN_THREAD:
            return True
        outside = {each.place < third.place for each in (one, other) if each.axis == third.axis}
        outside |= {value == if_outside(each, third) for (each, _), value in zip(orders, values, strict=True)}
        return len(outside) == 1

    names = (kind_of(one), kind_of(other), *(name for _, name in orders))
    constraint = relation(names, holds, f"{one} and {other} are next to each other")
    return if_repeated((one, other, third), constraint)


def _of_vectors(result: Sequence[Dimension], hierarchy: Hierarchy) -> Iterator[Constraint]:
    for one in result:
        if LoopKind.VECTOR in hierarchy.result[one.place]:
            yield relation(
                (size_of(one), kind_of(one)),
                lambda size, kind: kind != LoopKind.VECTOR or size in LENGTHS,
                f"vectors of {one} have a length",
            )


def _of_unrolled(dimensions: Sequence[Dimension]) -> Constraint:
    loops, unrolled = _loops(dimensions), frozenset({LoopKind.UNROLLED})

    def may_hold(domains: Domains) -> bool:
        return bool(_products(domains, loops, unrolled, MAX_UNROLLED))

    names = tuple(name for loop in loops for name in loop)
    return Constraint(names, may_hold, f"loops are unrolled {MAX_UNROLLED} times at most")


def _of_sums(result: Sequence[Dimension], sums: Sequence[Dimension], spec: Spec) -> Iterator[Constraint]:
    """Sums are in registers if loops over results are inside of a loop over products, or numbers are vectors."""
    for one in sums:
        for other in result:
            yield if_nested(
                (one, other),
                (SUMS,),
                lambda is_outside, place: not is_outside or place == REGISTERS,
                f"sums of {other} inside of {one} are in registers",
            )
    for other in result:
        yield relation(
            (kind_of(other), SUMS),
            lambda kind, place: kind != LoopKind.VECTOR or place == REGISTERS,
            "sums of vectors are in registers",
        )
    for one in sums[:-1]:
        yield relation(
            (size_of(one), SUMS),
            lambda size, place: size == 1 or place == REGISTERS,
            "sums in parts are in registers",
        )
    for one in sums:
        yield _contains(
            one, result, kind_of(one), {LoopKind.UNROLLED}, f"{one} is unrolled around other loops"
        )
        for operand in spec.kind.read:
            name = memory_of(operand)
            yield _contains(one, result, name, {REGISTERS, BOTH}, f"{operand} in registers is read in loops")


def _contains(
    one: Dimension, result: Sequence[Dimension], name: str, values: Collection[Answer], why: str
) -> Constraint:
    """With these values of a decision, a loop that is repeated contains a loop over results that is repeated."""
    orders = {size_of(other): (order_of(one, other), if_outside(one, other)) for other in result}

    def may_hold(domains: Domains) -> bool:
        if 1 in domains[size_of(one)] or not set(domains[name]) <= set(values):
            return True
        return any(
            domains[size] != (1,) and outside in domains[order] for size, (order, outside) in orders.items()
        )

    names = (name, size_of(one), *orders, *(order for order, _ in orders.values()))
    return Constraint(tuple(dict.fromkeys(names)), may_hold, why)


def _of_copies(result: Sequence[Dimension], sums: Sequence[Dimension], spec: Spec) -> Iterator[Constraint]:
    """Copies for the units of a block are made outside of these; those of a thread have single products of sums in
    registers.
    """
    kind = spec.kind
    for operand in kind.read:
        name = memory_of(operand)
        yield relation(
            (name, layout_of(operand)),
            lambda place, layout: layout == ROWS or place in (SHARED, BOTH),
            f"copies of {operand} that units share have a layout",
        )
        if sums:
            yield relation(
                (name, SUMS),
                lambda place, of_sums: place == GLOBAL or of_sums == REGISTERS,
                f"{operand} is copied for sums in registers",
            )
            yield relation(
                (size_of(sums[0]), layout_of(operand)),
                lambda size, layout: size != spec.depth or layout == ROWS,
                f"rows of {operand} are copied as they are",
            )
            for other in result:
                yield if_nested(
                    (sums[-1], other),
                    (kind_of(other), layout_of(operand)),
                    lambda is_outside, kind, layout: (
                        not is_outside or kind not in UNITS_OF_BLOCK or layout == ROWS
                    ),
                    f"rows of {operand} are copied as they are",
                )
                yield if_nested(
                    (sums[0], other),
                    (name, kind_of(other)),
                    lambda is_outside, place, kind: (
                        is_outside or place not in (SHARED, BOTH) or kind not in UNITS_OF_BLOCK
                    ),
                    f"{operand} is shared inside of {sums[0]}",
                )


def _of_room(
    result: Sequence[Dimension], sums: Sequence[Dimension], spec: Spec, sizes: Sequence[int]
) -> Iterator[Constraint]:
    """Copies fit into the memory of a block, and sums into the registers of a thread."""
    kind = spec.kind
    memories = tuple(memory_of(one) for one in kind.read)
    outer = tuple(size_of(one) for one in (*result, *sums) if one.place == 0)

    whole = [
        (axis, int(size), size_of(Dimension(axis, 0)))
        for axis, size in zip(kind.axes, spec.sizes, strict=True)
    ]

    def copies_fit(domains: Domains) -> bool:
        least = {axis: size // max(map(int, domains[outermost])) for axis, size, outermost in whole}
        copied = sum(
            prod(least[axis] for axis in axes) * size
            for name, axes, size in zip(memories, kind.operands, sizes, strict=False)
            if {SHARED, BOTH}.issuperset(domains[name])
        )
        return copied <= ANY_ARCHITECTURE.shared

    yield Constraint((*memories, *outer), copies_fit, "copies fit into the shared memory of a block")
    if sums:
        most = ANY_ARCHITECTURE.thread_registers * REGISTER_BYTES // sizes[-1]

        loops = _loops(result)

        def sums_fit(domains: Domains) -> bool:
            return GLOBAL in domains[SUMS] or bool(_products(domains, loops, WITHIN_THREAD, most))

        of = tuple(name for loop in loops for name in loop)
        yield Constraint((*of, SUMS), sums_fit, "sums fit into the registers of a thread")
