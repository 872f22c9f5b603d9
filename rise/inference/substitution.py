"""Holds the values of inference's unknowns, and replaces unknowns in nodes. Knows no equations.

Types share their parts, and may be arbitrarily large when written out. So the result for each node is cached; a cached
result is resolved further when more is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from rise.free_names import MAX_COPIED_NAMES, ManyNames
from rise.inference.effort import (
    COST_PER_RESOLVED_PART,
    COST_PER_TYPE,
    MAX_TYPE_WEIGHT,
    Effort,
    check_size,
    type_too_large,
)
from rise.naturals import Nat, NatMeta
from rise.nodes import Node
from rise.size_functions import SizeFunMeta
from rise.types import SpaceMeta, Type, TypeMeta

_SHARES: Final = -1


@dataclass(slots=True)
class Substitution:
    """The values of the unknowns that are known so far, which may contain other unknowns."""

    effort: Effort
    values: dict[Node, Any] = field(default_factory=dict)
    known: set[Node] = field(default_factory=set)
    #: in the order in which they became known
    _order: list[Node] = field(default_factory=list)
    #: by identity, a large set of names, which is kept alive, and how many unknowns were known when none was in it;
    #: or `_SHARES` if one is in it
    _apart: dict[int, tuple[frozenset[Any], int]] = field(default_factory=dict)
    #: by identity, a node and its result; it keeps the node alive, so that no other node gets its identity
    _results: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def assign(self, unknown: Node, value: Any) -> None:
        """Set the value of an unknown."""
        self.values[unknown] = value
        self.known.add(unknown)
        self._order.append(unknown)

    def resolve(self, node: Any) -> Any:
        """The node with all known unknowns replaced."""
        if self._is_resolved(node):
            return node
        stack = [node]
        while stack:
            current = stack[-1]
            if self._resolved(current) is not None:
                stack.pop()
                continue
            cached = self._results.get(id(current))
            if cached is not None:
                parts: tuple[Any, ...] = cached[1:]
            else:
                parts = (self.values[current],) if is_unknown(current) else current.parts
            resolved = [self._resolved(part) for part in parts]
            missing = [part for part, result in zip(parts, resolved, strict=True) if result is None]
            if missing:
                stack += missing
                continue
            if cached is not None or is_unknown(current):
                (result,) = resolved
            else:
                result = self._checked(current.with_parts(tuple(resolved)))
            self._results[id(current)] = (current, result)
            stack.pop()
        return self._resolved(node)

    def _resolved(self, node: Any) -> Any:
        """The cached result for a node, if it is up to date."""
        if self._is_resolved(node):
            return node
        cached = self._results.get(id(node))
        return cached[1] if cached is not None and self._is_resolved(cached[1]) else None

    def _is_resolved(self, node: Any) -> bool:
        """Whether no known unknown is in a node."""
        names = node.free
        if type(names) is frozenset and len(names) <= MAX_COPIED_NAMES:
            return names.isdisjoint(self.known)
        return all(map(self._is_apart, names.parts if isinstance(names, ManyNames) else (names,)))

    def _is_apart(self, names: frozenset[Any]) -> bool:
        """Whether no known unknown is in a set. A large set is compared only with those that became known since the
        last time.
        """
        if len(names) <= MAX_COPIED_NAMES:
            return names.isdisjoint(self.known)
        _, compared = self._apart.get(id(names), (names, 0))
        now = len(self._order)
        if 0 <= compared < now:
            is_apart = names.isdisjoint(self._order[compared:] if compared else self.known)
            compared = now if is_apart else _SHARES
            self._apart[id(names)] = names, compared
        return compared >= 0

    def _checked(self, node: Any) -> Any:
        """A node that was built. Raises RiseError if it is too large to work with."""
        if isinstance(node, Nat):
            self.effort.spend(COST_PER_RESOLVED_PART * node.weight)
            return check_size(node)
        self.effort.spend(COST_PER_TYPE)
        if isinstance(node, Type) and node.weight > MAX_TYPE_WEIGHT:
            raise type_too_large(node.weight)
        return node


def unknowns_in(root: Node, seen: set[int]) -> Iterator[Node]:
    """The unknowns in a node, in order. Skips nodes whose identity is in `seen`; they must be kept alive."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if id(node) not in seen and node.free:
            seen.add(id(node))
            if is_unknown(node):
                yield node
            stack.extend(reversed(node.parts))


def is_unknown(node: Node) -> bool:
    """Whether a node is an unknown of inference. Spaces that functions bind have negative numbers."""
    return isinstance(node, TypeMeta | NatMeta | SizeFunMeta) or (
        isinstance(node, SpaceMeta) and node.ident > 0
    )
