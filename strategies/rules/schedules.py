"""Permissions for a target to change loops, and what it is not to do. Independent of targets and passes."""

from __future__ import annotations

from rise.arguments.mismatches import holds_dependent_pair
from strategies.equations.matcher import Bindings
from strategies.equations.rule import rule


def isWithoutPairs(bindings: Bindings) -> bool:
    """A value that contains no dependent pair"""
    return not holds_dependent_pair(bindings.term("e").type)


allowPeeling = rule(
    "e = peelBorders e",
    why="Let the target peel the iterations at the border, so that compilers vectorise the others.",
    where=isWithoutPairs,
)
allowJamming = rule(
    "e = unrollAndJam e",
    why="Compute adjacent sums in vectors, where compilers vectorise neither their loop nor the loop around it.",
    where=isWithoutPairs,
)
allowUnjoining = rule(
    "e = unjoinLoops e",
    why="Loop over the rows of a joined array, so that no division is needed to find an element.",
    where=isWithoutPairs,
)
allowPrefetching = rule(
    "e = prefetchRows e",
    why="Load the next row while several loops compute on this one.",
    where=isWithoutPairs,
)
omitCopyPrefetches = rule(
    "e = omitCopyPrefetches e",
    why="Leave the rows of a panel that is copied to the processor's own prefetchers.",
    where=isWithoutPairs,
)
omitResultPrefetches = rule(
    "e = omitResultPrefetches e",
    why="Leave the memory of results to the processor's own prefetchers.",
    where=isWithoutPairs,
)
omitRowPrefetches = rule(
    "e = omitRowPrefetches e",
    why="Leave the rows that the next tile reads to the processor's own prefetchers.",
    where=isWithoutPairs,
)
