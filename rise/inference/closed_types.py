"""Resolves types below the head of a definition: the definition's sizes and types become indices. Independent of terms.

In a definition without dependent functions inside, every type is directly below the head. So one walk inserts the
values of unknowns and the indices, and terms are built from the result without being rebuilt.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from rise.dependent_binders import Done, abstraction, bound_for
from rise.free_names import surely_apart
from rise.inference.effort import COST_PER_NODE
from rise.inference.substitution import Substitution, is_unknown
from rise.naturals import Nat, variable_of
from rise.nodes import Node
from rise.types import OF_TWO, IndexType

#: nodes that can be rebuilt from any parts
_OF_PARTS: Final = OF_TWO | {IndexType}


class ClosedTypes:
    """The types and sizes of one definition, with these variables replaced by indices, the last one by the innermost
    index.
    """

    __slots__ = ("_abstract", "_done", "_indices", "_kept_alive", "_names", "_results", "_solver")

    def __init__(self, solver: Substitution, variables: Sequence[Node]) -> None:
        self._solver, self._abstract = solver, abstraction(variables)
        self._names = frozenset(variables)
        self._indices = {variable: index for index, variable in enumerate(reversed(variables))}
        self._done: Done = {}
        self._kept_alive: list[Any] = []
        #: nodes and their results, by the identity of the node
        self._results: dict[int, tuple[Any, Any]] = {}

    def __call__(self, node: Any) -> Any:
        """A node without loose indices, resolved, and with the variables replaced by indices."""
        if not node.free:
            return node
        results, values = self._results, self._solver.values
        stack = [node]
        while stack:
            current = stack[-1]
            if id(current) in results:
                stack.pop()
                continue
            is_value = is_unknown(current) and current in values
            if not is_value and type(current) not in _OF_PARTS:
                results[id(current)] = (current, self._closed(self._solver.resolve(current)))
                stack.pop()
                continue
            parts = (values[current],) if is_value else current.parts
            made: list[Any] = []
            for part in parts:
                if not part.free:
                    made.append(part)
                elif (result := results.get(id(part))) is not None:
                    made.append(result[1])
                else:
                    stack.append(part)
            if stack[-1] is current:
                stack.pop()
                result = made[0] if is_value else self._solver.checked(current.with_parts(tuple(made)))
                results[id(current)] = (current, result)
        return results[id(node)][1]

    def _closed(self, node: Any) -> Any:
        if not node.free or surely_apart(node.free, self._names):
            return node
        variable = variable_of(node) if type(node) is Nat else node
        index = self._indices.get(variable)  # type: ignore[arg-type]  # None is no variable
        if index is not None:  # the most frequent case: a single variable
            self._solver.effort.spend(COST_PER_NODE * node.weight)
            return bound_for(variable, index)  # type: ignore[arg-type]  # a variable, since it has an index
        before = len(self._done)
        self._kept_alive.append(node)
        closed = self._abstract(node, self._done)
        self._solver.effort.spend(COST_PER_NODE * (len(self._done) - before))
        return closed
