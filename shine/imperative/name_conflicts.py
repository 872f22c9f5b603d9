"""Finds declarations that are visible at the same time, from the blocks that contain them.

Independent of names and statements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Generic, TypeAlias, TypeVar

from rise.records import dataclass

#: a block, as the path of the blocks around it and itself, outermost first
Blocks: TypeAlias = tuple[int, ...]
#: all blocks that declare something: declarations with the same place conflict with the same others
Place: TypeAlias = frozenset[Blocks]
T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Meetings(Generic[T]):
    """The place of each declaration that is visible at the same time as another one, and for each place all places with
    conflicting declarations, including itself.
    """

    things: Mapping[T, Place]
    around: Mapping[Place, Sequence[Place]]

    def shared(self, said: Mapping[T, Sequence[Hashable]]) -> dict[Place, Counter[Hashable]]:
        """For each place, how many conflicting declarations have each of the words in `said`."""
        by_place: dict[Place, Counter[Hashable]] = {place: Counter() for place in self.around}
        for one, place in self.things.items():
            words = by_place[place]
            for word in set(said[one]):
                words[word] += 1
        found: dict[Place, Counter[Hashable]] = {}
        for place, others in self.around.items():
            found[place] = by_place[place] if len(others) == 1 else Counter()
            for other in others if len(others) > 1 else ():
                found[place].update(by_place[other])
        return found


def meeting(declared: Mapping[T, Sequence[Blocks]]) -> Meetings[T]:
    """Those of several declarations that conflict with another one, in order. Two declarations conflict if a block with
    one of them contains, or is, a block with the other.
    """
    places = {one: frozenset(blocks) for one, blocks in declared.items()}
    counts = Counter(places.values())
    at: dict[Blocks, list[Place]] = {}
    for place in counts:
        for block in place:
            at.setdefault(block, []).append(place)
    around: dict[Place, dict[Place, None]] = {place: {place: None} for place in counts}
    for block, inside in at.items():
        for depth in range(len(block) + 1):
            for outer in at.get(block[:depth], ()):
                for inner in inside:
                    around[outer][inner] = around[inner][outer] = None
    things = {one: place for one, place in places.items() if counts[place] > 1 or len(around[place]) > 1}
    return Meetings(things, {place: list(around[place]) for place in dict.fromkeys(things.values())})
