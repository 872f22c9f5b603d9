"""Predicates that hold for a node if they hold for all nodes in it. Independent of any particular node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
        stack: list[tuple[Node, Iterator[Node]]] = [(root, iter(root.parts))]
        answer: bool | None = True  # for the part that was visited last; None if it is not known yet
        while stack:
            node, remaining = stack[-1]
            if answer is not False:
                for part in remaining:
                    answer = answers.get(id(part))
                    if not answer:
                        break
                else:
                    answer = self._holds(node)
                if answer is None:
                    stack.append((part, iter(part.parts)))
                    answer = True
                    continue
            answers[id(node)] = answer
            stack.pop()
        return answers[id(root)]
