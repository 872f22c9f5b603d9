"""Holds the values of inference's unknowns, and replaces unknowns in nodes. Independent of equations.

Types share their parts, and may be arbitrarily large when written out. So the result for each node is cached, and a
cached result is resolved further once more unknowns are known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any, Final

from rise.free_names import MAX_COPIED_NAMES
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
from rise.records import dataclass
from rise.size_functions import SizeFunMeta
from rise.types import FamilyCall, SpaceMeta, Type, TypeMeta, WideType

_SHARES: Final = -1
_ALWAYS_UNKNOWN: Final = frozenset((TypeMeta, NatMeta, SizeFunMeta))


@dataclass(slots=True)
class Substitution:
    """The values of the unknowns that are known so far, which may contain other unknowns."""

    effort: Effort
    values: dict[Node, Any] = field(default_factory=dict)
    known: set[Node] = field(default_factory=set)
    #: for each class of unknowns, a byte for each number: whether the unknown with this number is known
    _known_numbers: dict[type[Any], bytearray] = field(default_factory=dict)
    #: the known unknowns, in the order in which they became known
    _order: list[Node] = field(default_factory=list)
    #: by its identity, a large set of names, which is kept alive, and the number of unknowns known when it last
    #: contained none of them; or `_SHARES` if it contains one
    _apart: dict[int, tuple[frozenset[Any], int]] = field(default_factory=dict)
    #: by its identity, a node and its result; this keeps the node alive, so that no other node gets its identity
    _results: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def assign(self, unknown: Node, value: Any) -> None:
        """Set the value of an unknown."""
        self.values[unknown] = value
        self.known.add(unknown)
        number = abs(unknown.ident)  # type: ignore[attr-defined]  # every unknown has a number
        numbers = self._known_numbers.get(type(unknown))
        if numbers is None:
            numbers = self._known_numbers[type(unknown)] = bytearray()
        if number >= len(numbers):
            numbers.extend(bytes(number + 1))
        numbers[number] = 1
        self._order.append(unknown)

    def resolve(self, node: Any) -> Any:
        """The node with all known unknowns replaced."""
        done = self._resolved(node)
        if done is not None:
            return done
        results, values, is_resolved = self._results, self.values, self._is_resolved
        stack = [node]
        while stack:
            current = stack[-1]
            cached = results.get(id(current))
            if cached is not None:
                if is_resolved(cached[1]):
                    stack.pop()
                    continue
                parts: tuple[Any, ...] = cached[1:]
            else:
                parts = (values[current],) if is_unknown(current) else current.parts
            resolved: list[Any] = []
            for part in parts:
                end = values.get(part, part) if is_unknown(part) else part
                if not end.free or is_resolved(end):
                    resolved.append(end)
                elif (earlier := results.get(id(part))) is not None and is_resolved(earlier[1]):
                    resolved.append(earlier[1])
                else:
                    stack.append(part)
            if stack[-1] is not current:
                continue
            if cached is not None or is_unknown(current):
                (result,) = resolved
            else:
                result = self.checked(current.with_parts(tuple(resolved)))
            results[id(current)] = (current, result)
            stack.pop()
        return results[id(node)][1]

    def unknowns_in(self, root: Node, seen: set[int]) -> Iterator[Node]:
        """The unsolved unknowns in a node, in their order in the resolved node. Skips nodes whose identity is in
        `seen`; these must be kept alive.
        """
        stack: list[Node] = [root]
        while stack:
            node = stack.pop()
            if id(node) in seen or not node.free:
                continue
            seen.add(id(node))
            if is_unknown(node):
                if node not in self.known:
                    yield node
                    continue
                parts: tuple[Node, ...] = (self.values[node],)
            elif isinstance(node, Type) and not isinstance(node, FamilyCall | WideType):
                parts = node.parts
            else:  # the order of its parts may change when it is resolved
                resolved = self.resolve(node)
                parts = resolved.parts if resolved is node else (resolved,)
            stack.extend(reversed(parts))

    def _resolved(self, node: Any) -> Any:
        """The cached result for a node, if it is up to date."""
        if self._is_resolved(node):
            return node
        cached = self._results.get(id(node))
        return cached[1] if cached is not None and self._is_resolved(cached[1]) else None

    def _is_resolved(self, node: Any) -> bool:
        """Whether a node contains no known unknown."""
        names = node.free
        if type(names) is frozenset:
            return names.isdisjoint(self.known) if len(names) <= MAX_COPIED_NAMES else self._is_apart(names)
        for kind, (least, greatest) in names.ranges.items():
            numbers = self._known_numbers.get(kind)
            if numbers is not None and numbers.find(1, least, greatest + 1) >= 0:
                return all(map(self._is_apart, names.parts))
        return True

    def _is_apart(self, names: frozenset[Any]) -> bool:
        """Whether a set contains no known unknown. A large set is only compared with those that became known since the
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

    def checked(self, node: Any) -> Any:
        """Return a node that was built. Raises RiseError if it is too large."""
        if isinstance(node, Nat):
            self.effort.spend(COST_PER_RESOLVED_PART * node.weight)
            return check_size(node)
        self.effort.spend(COST_PER_TYPE)
        if isinstance(node, Type) and node.weight > MAX_TYPE_WEIGHT:
            raise type_too_large(node.weight)
        return node


def is_unknown(node: Node) -> bool:
    """Whether a node is an unknown of inference. Spaces that functions bind have negative numbers."""
    kind = type(node)
    return kind in _ALWAYS_UNKNOWN or (kind is SpaceMeta and node.ident > 0)  # type: ignore[attr-defined]  # a SpaceMeta
