"""Open nests of loops: the size, the kind and the order of each loop are decisions, as in Telamon (Beaugnon et al.).

An axis of a program has a number of nested loops, its dimensions, whose sizes multiply to the size of the axis. What is
decided about one restricts the others, by `domains`. A nest that is not decided has a bound: all that its loops may
still become takes at least this long. Independent of programs and machines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations, permutations
from math import gcd, lcm, prod
from typing import Final

from rise.records import dataclass
from strategies.spaces.bounds import Extent, Use
from strategies.spaces.open_programs.domains import (
    Answer,
    Conflict,
    Constraint,
    Domains,
    decide,
    propagate,
    relation,
)


class LoopKind(StrEnum):
    """What runs the iterations of a loop: one after the other, as text, as a vector, or units of hardware."""

    SEQUENTIAL = "sequential"
    UNROLLED = "unrolled"
    VECTOR = "vector"
    LANE = "lane"
    THREAD = "thread"
    WARP = "warp"
    BLOCK = "block"
    CORE = "core"


#: kinds whose iterations one thread runs
WITHIN_THREAD: Final = frozenset({LoopKind.SEQUENTIAL, LoopKind.UNROLLED, LoopKind.VECTOR})
#: kinds whose iterations start first, and are outside of all others
OUTERMOST: Final = frozenset({LoopKind.BLOCK, LoopKind.CORE})
#: the units of a block
UNITS_OF_BLOCK: Final = frozenset({LoopKind.WARP, LoopKind.LANE, LoopKind.THREAD})
OUTSIDE, INSIDE = "outside", "inside"


@dataclass(frozen=True, slots=True)
class Dimension:
    """A loop over an axis: `place` counts those of the axis from 0, outermost first. A sum has the loops of an
    `is_sum` axis.
    """

    axis: str
    place: int
    is_sum: bool = False

    def __str__(self) -> str:
        return f"{self.axis}{self.place}"


def size_of(dimension: Dimension) -> str:
    """The name of the decision about its size."""
    return f"size {dimension}"


def kind_of(dimension: Dimension) -> str:
    """The name of the decision about its kind."""
    return f"kind {dimension}"


def order_of(one: Dimension, other: Dimension) -> str:
    """The name of the decision which of two loops is outside of the other one, or inside: the first by name."""
    first, second = sorted((one, other), key=_by_name)
    return f"order {first} {second}"


def if_outside(one: Dimension, other: Dimension) -> str:
    """The value of the decision about the order of two loops if `one` is outside."""
    return OUTSIDE if _by_name(one) < _by_name(other) else INSIDE


def _by_name(one: Dimension) -> tuple[str, int]:
    return one.axis, one.place


@dataclass(frozen=True, slots=True, eq=False)
class OpenNest:
    """A nest with the domains of its decisions, on which no further propagation is possible."""

    extents: Mapping[str, int]
    dimensions: tuple[Dimension, ...]
    domains: Domains
    constraints: tuple[Constraint, ...]

    def decide(self, name: str, value: Answer) -> OpenNest | Conflict:
        """The nest with one more decision."""
        found = decide(self.domains, self.constraints, name, value)
        if isinstance(found, Conflict):
            return found
        return OpenNest(self.extents, self.dimensions, found, self.constraints)

    def sizes(self, dimension: Dimension) -> tuple[int, ...]:
        """The sizes that a loop may have."""
        return tuple(int(value) for value in self.domains[size_of(dimension)])

    def kinds(self, dimension: Dimension) -> frozenset[LoopKind]:
        """The kinds that a loop may have."""
        return frozenset(LoopKind(str(value)) for value in self.domains[kind_of(dimension)])

    def is_outside(self, one: Dimension, other: Dimension) -> bool | None:
        """Whether a loop is outside of another one; None if that is open."""
        if one.axis == other.axis:
            return one.place < other.place
        values = self.domains[order_of(one, other)]
        return values[0] == if_outside(one, other) if len(values) == 1 else None

    def open_decisions(self) -> Iterator[str]:
        """The decisions that are open and matter: sizes, kinds, others, and the order of loops with more than one
        iteration.
        """
        single = {size_of(one): self.sizes(one) == (1,) for one in self.dimensions}
        ordered = {
            order_of(a, b): single[size_of(a)] or single[size_of(b)] for a, b in pairs(self.dimensions)
        }
        kinds = {kind_of(one) for one in self.dimensions}
        rest = [name for name in self.domains if name not in single and name not in kinds | ordered.keys()]
        names = (*single, *map(kind_of, self.dimensions), *rest, *ordered)
        return (name for name in names if len(self.domains[name]) > 1 and not ordered.get(name, False))

    def nest(self) -> list[Dimension]:
        """The loops with more than one iteration, outermost first, of a nest in which all that matters is decided."""
        found = [one for one in self.dimensions if self.sizes(one) != (1,)]
        depth = {
            one: sum(bool(self.is_outside(other, one)) for other in found if other != one) for one in found
        }
        return sorted(found, key=lambda one: depth[one])


def pairs(dimensions: Sequence[Dimension]) -> Iterator[tuple[Dimension, Dimension]]:
    """The pairs of dimensions of different axes, whose order is a decision."""
    return ((one, other) for one, other in combinations(dimensions, 2) if one.axis != other.axis)


def open_nest(
    extents: Mapping[str, int],
    kinds: Mapping[Dimension, Sequence[LoopKind]],
    others: Mapping[str, Sequence[Answer]],
    constraints: Sequence[Constraint],
) -> OpenNest | Conflict:
    """A nest in which everything is open: the sizes of axes, the kinds that each dimension may have, and further
    decisions with their constraints.
    """
    dimensions = tuple(kinds)
    domains: dict[str, tuple[Answer, ...]] = {}
    for one, of in kinds.items():
        domains[size_of(one)] = divisors_of(extents[one.axis])
        domains[kind_of(one)] = tuple(kind.value for kind in of)
    domains |= {order_of(one, other): (OUTSIDE, INSIDE) for one, other in pairs(dimensions)}
    domains |= {name: tuple(values) for name, values in others.items()}
    every = (*_of_sizes(dimensions, extents), *_of_order(dimensions), *constraints)
    found = propagate(domains, every)
    return found if isinstance(found, Conflict) else OpenNest(dict(extents), dimensions, found, every)


def divisors_of(size: int) -> tuple[int, ...]:
    """The divisors of a size, the least first."""
    return tuple(part for part in range(1, size + 1) if size % part == 0)


def _of_sizes(dimensions: Sequence[Dimension], extents: Mapping[str, int]) -> Iterator[Constraint]:
    for axis, extent in extents.items():
        names = tuple(size_of(one) for one in dimensions if one.axis == axis)
        yield Constraint(names, _multiplies_to(names, extent), f"the sizes of {axis} multiply to {extent}")
    for one in dimensions:
        yield relation(
            (size_of(one), kind_of(one)),
            lambda size, kind: size > 1 or kind == LoopKind.SEQUENTIAL,
            f"{one} with one iteration is sequential",
        )


def _multiplies_to(names: Sequence[str], extent: int) -> Callable[[Domains], bool]:
    def may_hold(domains: Domains) -> bool:
        reached = {1}
        for name in names:
            reached = {
                one * int(size)
                for one in reached
                for size in domains[name]
                if extent % (one * int(size)) == 0
            }
        return extent in reached

    return may_hold


def _may_contain(outer: str, inner: str) -> bool:
    """Whether a loop of one kind may be outside of a loop of another one."""
    if inner in OUTERMOST:
        return outer in OUTERMOST
    if outer == LoopKind.VECTOR or (
        outer == LoopKind.UNROLLED and inner not in (LoopKind.UNROLLED, LoopKind.VECTOR)
    ):
        return False
    if inner == LoopKind.WARP:
        return outer not in (LoopKind.LANE, LoopKind.THREAD)
    return True


def _may_contain_or_be_in(is_outside: bool, one: str, other: str) -> bool:
    return _may_contain(one, other) if is_outside else _may_contain(other, one)


def _of_order(dimensions: Sequence[Dimension]) -> Iterator[Constraint]:
    for one, other in combinations(dimensions, 2):
        kinds, why = (kind_of(one), kind_of(other)), f"what {one} and {other} may contain"
        if one.axis == other.axis:
            yield if_repeated((one, other), relation(kinds, _may_contain, why))
        else:
            yield if_nested((one, other), kinds, _may_contain_or_be_in, why)
    for triple in combinations(dimensions, 3):
        if len({one.axis for one in triple}) > 1:
            yield _transitive(triple)


def if_repeated(dimensions: Sequence[Dimension], constraint: Constraint) -> Constraint:
    """A constraint on loops that need not hold if one of them has a single iteration."""
    sizes = tuple(size_of(one) for one in dimensions)
    return Constraint(
        (*sizes, *(name for name in constraint.names if name not in sizes)),
        lambda domains: any(1 in domains[name] for name in sizes) or constraint.may_hold(domains),
        constraint.why,
        sizes,
    )


def if_nested(
    loops: tuple[Dimension, Dimension], names: Iterable[str], holds: Callable[..., bool], why: str
) -> Constraint:
    """A condition on whether the first of two repeated loops of different axes is outside, and on further decisions."""
    outside = if_outside(*loops)
    of_order = relation(
        (order_of(*loops), *names), lambda order, *values: holds(order == outside, *values), why
    )
    return if_repeated(loops, of_order)


def _transitive(triple: Sequence[Dimension]) -> Constraint:
    """Three loops are in some order, with those of one axis by their places."""
    known = [pair for pair in combinations(triple, 2) if pair[0].axis != pair[1].axis]

    def agrees(order: Sequence[Dimension], values: Sequence[Answer]) -> bool:
        place = {one: number for number, one in enumerate(order)}
        return all(
            (place[one] < place[other]) == (value == if_outside(one, other))
            for (one, other), value in zip(known, values, strict=True)
        )

    orders = [
        order
        for order in permutations(triple)
        if all(a.axis != b.axis or a.place < b.place for a, b in combinations(order, 2))
    ]
    return relation(
        (order_of(one, other) for one, other in known),
        lambda *values: any(agrees(order, values) for order in orders),
        f"the order of {', '.join(map(str, triple))}",
    )


def extent_of(nest: OpenNest, kinds: frozenset[LoopKind]) -> Extent:
    """The number of iterations that units of these kinds run in parallel: loops that are certainly of such a kind count
    in `least`, those that may be in `multiple`.
    """
    least, multiple = 1, 1
    for axis, extent in nest.extents.items():
        found = 1
        for one in (one for one in nest.dimensions if one.axis == axis):
            of, sizes = nest.kinds(one), nest.sizes(one)
            least *= min(sizes) if of <= kinds else 1
            found *= lcm(*sizes) if of & kinds else 1
        multiple *= gcd(found, extent)
    return Extent(least, multiple)


def most_of(nest: OpenNest, kinds: frozenset[LoopKind], axis: str) -> int:
    """The most iterations of an axis that loops of these kinds may run."""
    sizes = (max(nest.sizes(one)) for one in nest.dimensions if one.axis == axis and nest.kinds(one) & kinds)
    return min(prod(sizes), nest.extents[axis])


def fewest_of(nest: OpenNest, kinds: frozenset[LoopKind], axis: str) -> int:
    """The least iterations of an axis that loops of these kinds run."""
    return prod(
        min(nest.sizes(one)) for one in nest.dimensions if one.axis == axis and nest.kinds(one) <= kinds
    )


def use_of(nest: OpenNest, body: Use, step: Use) -> Use:
    """What all iterations of a nest use at least: `body` each, and `step` for each iteration of a sequential loop, as
    often as loops that are certainly outside of it repeat it.
    """
    found = body.times(prod(nest.extents.values()))
    for one in nest.dimensions:
        if nest.kinds(one) == {LoopKind.SEQUENTIAL}:
            outer = [other for other in nest.dimensions if other != one and nest.is_outside(other, one)]
            found = found.then(step.times(prod(min(nest.sizes(each)) for each in (one, *outer))))
    return found
