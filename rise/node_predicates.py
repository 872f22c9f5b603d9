"""Predicates that hold for a node if they hold for all nodes in it. Independent of any particular node."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rise.nodes import Node


class Everywhere:
    """Whether a predicate holds for all nodes in a node. Answers are cached for other nodes with the same parts."""

    __slots__ = ("_answers", "_holds", "_roots")

    def __init__(self, holds: Callable[[Any], bool]) -> None:
        self._holds = holds
        self._answers: dict[int, bool] = {}
        self._roots: list[Node] = []  # kept alive, so that their ids stay valid

    def __call__(self, root: Node) -> bool:
        answers = self._answers
        if (known := answers.get(id(root))) is not None:
            return known
        self._roots.append(root)
        stack = [root]
        while stack:
            node, holds_inside = stack[-1], True
            for part in node.parts:
                answer = answers.get(id(part))
                if answer is None:
                    stack.append(part)
                elif not answer:
                    holds_inside = False
            if stack[-1] is node:
                stack.pop()
                answers[id(node)] = holds_inside and self._holds(node)
        return answers[id(root)]
