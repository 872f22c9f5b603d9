"""Bounds: the least time that work can take, from what it uses of each resource. Independent of programs and machines.

After Telamon (Beaugnon et al.): the bound of a level is the greatest, over its resources, of what is used in all over
what the level has. Work that several units run side by side is bounded by `in_waves`, also where it is still open how
much of it there is.
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

#: a number of cycles, seconds or uses; a fraction where it must be exact
Quantity: TypeAlias = int | float | Fraction


@dataclass(frozen=True, slots=True)
class Bound:
    """A time that nothing can beat, and what limits it."""

    time: Quantity
    why: str

    def at_least(self, other: Bound) -> Bound:
        """The greater of both, as of a candidate and of the prefix that it completes."""
        return other if other.time > self.time else self


def least_of(bounds: Iterable[Bound]) -> Bound | None:
    """The least bound: that of a choice between these. None if there are none."""
    return min(bounds, key=lambda one: one.time, default=None)


@dataclass(frozen=True, slots=True)
class Use:
    """What work uses: `latency`, the time of its longest chain of operations, and uses of resources by their names.

    A choice takes the least of both, each for itself: the result is no more than either has.
    """

    latency: Quantity = 0
    of: Mapping[str, Quantity] = field(default_factory=lambda: MappingProxyType({}))

    def beside(self, other: Use) -> Use:
        """Both, independent of each other."""
        return Use(max(self.latency, other.latency), _summed(self.of, other.of))

    def then(self, other: Use) -> Use:
        """One after the other."""
        return Use(self.latency + other.latency, _summed(self.of, other.of))

    def or_else(self, other: Use) -> Use:
        """One of both."""
        names = self.of.keys() | other.of.keys()
        least = {name: min(self.of.get(name, 0), other.of.get(name, 0)) for name in names}
        return Use(min(self.latency, other.latency), least)

    def times(self, count: Quantity, is_chain: bool = False) -> Use:
        """So many times, each waiting for the one before if it is a chain."""
        latency = self.latency * count if is_chain else self.latency
        return Use(latency, {name: amount * count for name, amount in self.of.items()})

    def bound(self, has: Mapping[str, Quantity]) -> Bound:
        """The least time on a level that does so much of each resource in a unit of time.

        >>> Use(0, {"issue": 84, "alu": 212}).bound({"issue": 1, "alu": 8})
        Bound(time=Fraction(84, 1), why='issue')
        """
        each = [Bound(Fraction(self.of.get(name, 0)) / Fraction(much), name) for name, much in has.items()]
        return reduce(Bound.at_least, each, Bound(self.latency, "latency"))


@dataclass(frozen=True, slots=True)
class Extent:
    """How often a loop runs, as far as that is decided: at least `least` times, and a divisor of `multiple` times."""

    least: int
    multiple: int

    @staticmethod
    def of(counts: Iterable[int]) -> Extent:
        """The extent of one of these counts: the multiple is their least common one, not the greatest of them.

        >>> Extent.of((2, 3))
        Extent(least=2, multiple=6)
        """
        every = list(counts)
        return Extent(min(every), lcm(*every))

    def beside(self, other: Extent) -> Extent:
        """The extent of one loop in the other."""
        return Extent(self.least * other.least, self.multiple * other.multiple)


def in_waves(inside: Quantity, extent: Extent, width: int) -> Fraction:
    """The time of `extent` pieces of work, `width` at a time, each of which takes `inside` if it is one of `least`.

    Where the extent is decided this is `inside * ceil(extent / width)`. Where it is not, it is no more than that of any
    count that divides `multiple`, among which the same work is divided.

    >>> in_waves(64, Extent(1, 64), 32)
    Fraction(2, 1)
    """
    return Fraction(inside) * Fraction(extent.least, extent.multiple) * ceil(Fraction(extent.multiple, width))


def _summed(first: Mapping[str, Quantity], second: Mapping[str, Quantity]) -> dict[str, Quantity]:
    return {name: first.get(name, 0) + second.get(name, 0) for name in first.keys() | second.keys()}
