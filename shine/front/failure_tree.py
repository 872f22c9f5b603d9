"""Failure trees for people: alternatives that were no candidates are left out, and long lines are cut."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from elevate import FailureTree
from rise.text.names import bounded

LONGEST_LINE: Final = 120  # characters
LONGEST_NAME: Final = 72  # characters of a strategy in a line
MOST_LINES: Final = 24
#: what is said of a part that asked for another program
NO_CANDIDATE: Final = ("no rule was tried", "does not hold")
CHOICE: Final = "every alternative failed"


def tree_lines(tree: FailureTree) -> Iterator[str]:
    """A failure tree as indented lines, each cut where it is long; of many the first."""
    for number, line in enumerate(nearest(tree).lines()):
        if number == MOST_LINES:
            yield "..."
            return
        yield bounded(line, LONGEST_LINE)


def nearest(tree: FailureTree) -> FailureTree:
    """The tree with only those alternatives that came furthest, each reason once; an only one without the choice."""
    parts = tuple(map(nearest, tree.parts))
    if tree.reason == CHOICE:
        candidates = [part for part in parts if any(one.reason not in NO_CANDIDATE for one in leaves(part))]
        distinct = {tuple(map(_said, leaves(part))): part for part in candidates or parts}
        parts = tuple(distinct.values())
        if len(parts) == 1:
            return parts[0]
    return replace(tree, strategy=bounded(tree.strategy, LONGEST_NAME), parts=parts)


def leaves(tree: FailureTree) -> list[FailureTree]:
    """What failed without parts of its own."""
    found: list[FailureTree] = []
    waiting = [tree]
    while waiting:
        one = waiting.pop()
        waiting += reversed(one.parts)
        if not one.parts:
            found.append(one)
    return found


def _said(leaf: FailureTree) -> tuple[object, ...]:
    """What tells reasons apart; of parts that were no candidates only what stood there."""
    name = "" if leaf.reason in NO_CANDIDATE else leaf.strategy
    return name, leaf.path, leaf.reason, leaf.expected, leaf.found, leaf.tried_on
