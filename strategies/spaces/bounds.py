"""Bounds: the least time that work can take, from what it uses of each resource. Independent of programs and machines.

As in Telamon (Beaugnon et al.), the bound of a level is the maximum, over its resources, of the total use divided by
what the level provides. Work that several units run in parallel is bounded by `in_waves`, even if its amount is not
decided yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field
from fractions import Fraction
from functools import reduce
from math import ceil, lcm
from types import MappingProxyType
from typing import TypeAlias

from rise.records import dataclass

#: a number of cycles, seconds or uses; a fraction if it must be exact
Quantity: TypeAlias = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Bound:
    """A time that nothing can beat, and what limits it."""

    time: Quantity
    why: str

    def at_least(self, other: Bound) -> Bound:
        """The greater of both bounds, such as those of a candidate and of a prefix that it completes."""
        return other if other.time > self.time else self


def least_of(bounds: Iterable[Bound]) -> Bound | None:
    """The least bound, which is that of a choice between several; None if there are none."""
    return min(bounds, key=lambda one: one.time, default=None)


@dataclass(frozen=True, slots=True)
class Use:
    """The resources that work uses: `latency`, the time of its longest chain of operations, and uses of resources by
    name.
    """

    latency: Quantity = 0
    of: Mapping[str, Quantity] = field(default_factory=lambda: MappingProxyType({}))

    def beside(self, other: Use) -> Use:
        """The use of both, if they are independent of each other."""
        return Use(max(self.latency, other.latency), _summed(self.of, other.of))

    def then(self, other: Use) -> Use:
        """The use of both, if one waits for the other."""
        return Use(self.latency + other.latency, _summed(self.of, other.of))

    def or_else(self, other: Use) -> Use:
        """A lower bound for either of both: the minimum for each resource separately."""
        names = self.of.keys() | other.of.keys()
        least = {name: min(self.of.get(name, 0), other.of.get(name, 0)) for name in names}
        return Use(min(self.latency, other.latency), least)

    def times(self, count: Quantity, is_chain: bool = False) -> Use:
        """The use of `count` repetitions; in a chain, each waits for the previous one."""
        latency = self.latency * count if is_chain else self.latency
        return Use(latency, {name: amount * count for name, amount in self.of.items()})

    def bound(self, has: Mapping[str, Quantity]) -> Bound:
        """The least time on a level that provides this much of each resource per unit of time.

        >>> Use(0, {"issue": 84, "alu": 212}).bound({"issue": 1, "alu": 8})
        Bound(time=Fraction(84, 1), why='issue')
        """
        each = [Bound(Fraction(self.of.get(name, 0)) / Fraction(much), name) for name, much in has.items()]
        return reduce(Bound.at_least, each, Bound(self.latency, "latency"))


@dataclass(frozen=True, slots=True)
class Extent:
    """The number of iterations of a loop, as far as it is decided: at least `least`, and a divisor of `multiple`."""

    least: int
    multiple: int

    @staticmethod
    def of(counts: Iterable[int]) -> Extent:
        """The extent that includes all of these counts: `multiple` is their least common multiple, not their maximum.

        >>> Extent.of((2, 3))
        Extent(least=2, multiple=6)
        """
        every = list(counts)
        return Extent(min(every), lcm(*every))

    def beside(self, other: Extent) -> Extent:
        """The extent of both loops together, one nested in the other."""
        return Extent(self.least * other.least, self.multiple * other.multiple)


def in_waves(inside: Quantity, extent: Extent, width: int) -> Fraction:
    """The time of `extent` pieces of work, `width` at a time, each of which takes `inside` if there are `least` of
    them.

    If the extent is decided, this is `inside * ceil(extent / width)`. Otherwise it is a lower bound for every divisor
    of `multiple` as the number of pieces into which the same work is divided.

    >>> in_waves(64, Extent(1, 64), 32)
    Fraction(2, 1)
    """
    return Fraction(inside) * Fraction(extent.least, extent.multiple) * ceil(Fraction(extent.multiple, width))


def _summed(first: Mapping[str, Quantity], second: Mapping[str, Quantity]) -> dict[str, Quantity]:
    return {name: first.get(name, 0) + second.get(name, 0) for name in first.keys() | second.keys()}
