"""Prints failure trees: omits alternatives that were not tried, and shortens long lines."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from elevate import FailureTree
from rise.text.names import bounded

MAX_LINE_CHARACTERS: Final = 120
MAX_NAME_CHARACTERS: Final = 72  # of a strategy in a line
MAX_REASON_CHARACTERS: Final = 240  # of a line with the reason of a part that was not tried further
MAX_LINES: Final = 24
#: reasons for the failure of a part that does not match the program at all
NOT_TRIED_REASONS: Final = ("no rule was tried", "does not hold")
CHOICE_REASON: Final = "every alternative failed"


def tree_lines(tree: FailureTree) -> Iterator[str]:
    """A failure tree as indented lines, each shortened if it is long; at most MAX_LINES. Reasons that end a branch are
    sentences, which are longer than the terms in other lines.
    """
    near = nearest(tree)
    ends = {f"{leaf.strategy}{'' if leaf.path else ' at the root'}: {leaf.reason}" for leaf in leaves(near)}
    for number, line in enumerate(near.lines()):
        if number == MAX_LINES:
            yield "..."
            return
        yield bounded(line, MAX_REASON_CHARACTERS if line.lstrip() in ends else MAX_LINE_CHARACTERS)


def nearest(tree: FailureTree) -> FailureTree:
    """The tree with only the alternatives that got furthest, without repeated reasons. A single one replaces the
    choice.
    """
    parts = tuple(map(nearest, tree.parts))
    if tree.reason == CHOICE_REASON:
        candidates = [
            part for part in parts if any(leaf.reason not in NOT_TRIED_REASONS for leaf in leaves(part))
        ]
        distinct = {tuple(map(_reason_key, leaves(part))): part for part in candidates or parts}
        parts = tuple(distinct.values())
        if len(parts) == 1:
            return parts[0]
    return replace(tree, strategy=bounded(tree.strategy, MAX_NAME_CHARACTERS), parts=parts)


def leaves(tree: FailureTree) -> list[FailureTree]:
    """The nodes without parts, in order."""
    failed: list[FailureTree] = []
    stack = [tree]
    while stack:
        node = stack.pop()
        stack += reversed(node.parts)
        if not node.parts:
            failed.append(node)
    return failed


def _reason_key(leaf: FailureTree) -> tuple[object, ...]:
    """The key that distinguishes reasons; it ignores the strategy of parts that were not tried."""
    name = "" if leaf.reason in NOT_TRIED_REASONS else leaf.strategy
    return name, leaf.path, leaf.reason, leaf.expected, leaf.found, leaf.tried_on
