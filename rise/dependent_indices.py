"""Replaces variables of dependent binders, which are indices, in any node. Independent of kinds of variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rise.nodes import Node


def replace_indices(root: Node, put: Callable[[Any, int], Any], done: dict[Any, Any] | None = None) -> Any:
    """Rebuild a node with other nodes in place of the dependent variables that are bound outside of it, iteratively.

    `put(variable, depth)` returns the replacement, where `depth` counts the dependent binders between the root and the
    variable. `done` is a memo of earlier calls with the same `put`; its nodes must be kept alive.
    """
    if root.dep_loose == 0:
        return root
    if done is None:
        done = {}
    stack: list[tuple[Any, int, bool]] = [(root, 0, False)]  # a node, its depth, whether its parts are done
    while stack:
        node, depth, is_finished = stack.pop()
        place: Any = (id(node), depth) if depth else id(node)
        if not is_finished and place in done:
            continue
        if not node.parts:
            done[place] = put(node, depth)
            continue
        below = depth + 1 if node.BINDER == 2 else depth
        parts: list[Any] = []
        waiting: list[tuple[Any, int, bool]] = []
        for part in node.parts:
            if part.dep_loose > below:
                part_place: Any = (id(part), below) if below else id(part)
                new = done.get(part_place)
                if new is None:
                    if part.parts:
                        waiting.append((part, below, False))
                    else:
                        new = done[part_place] = put(part, below)
                part = new
            parts.append(part)
        if waiting:
            stack.append((node, depth, True))
            stack += waiting
        else:
            done[place] = node.with_parts(tuple(parts))
    return done[id(root)]
