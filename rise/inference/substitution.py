"""What the unknowns of inference stand for, and nodes with that put in. Knows no equations.

Types share their parts: written out they may be long beyond all bounds. So what each node becomes is remembered, and
looked up again; what it became is resolved further when more is known.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from rise.inference.effort import LARGEST_TYPE, PUT_IN, Effort, check_size, type_too_large
from rise.naturals import Nat, NatMeta
from rise.nodes import Node
from rise.size_functions import SizeFunMeta
from rise.types import SpaceMeta, Type, TypeMeta


@dataclass(slots=True)
class Substitution:
    """The values of the unknowns that are known so far, which may mention others of them."""

    effort: Effort
    values: dict[Node, Any] = field(default_factory=dict)
    known: set[Node] = field(default_factory=set)
    #: by identity, a node and what it became; it keeps the node alive, so that no other has its identity
    _became: dict[int, tuple[Any, Any]] = field(default_factory=dict)

    def assign(self, unknown: Node, value: Any) -> None:
        """Say what an unknown is."""
        self.values[unknown] = value
        self.known.add(unknown)

    def resolve(self, node: Any) -> Any:
        """The node with everything that is known put in."""
        if node.free.isdisjoint(self.known):
            return node
        stack = [node]
        while stack:
            one = stack[-1]
            if self._resolved(one) is not None:
                stack.pop()
                continue
            before = self._became.get(id(one))
            if before is not None:
                inside: tuple[Any, ...] = before[1:]
            else:
                inside = (self.values[one],) if is_unknown(one) else one.parts
            found = [self._resolved(part) for part in inside]
            missing = [part for part, became in zip(inside, found, strict=True) if became is None]
            if missing:
                stack += missing
                continue
            if before is not None or is_unknown(one):
                (became,) = found
            else:
                became = self._checked(one.with_parts(tuple(found)))
            self._became[id(one)] = (one, became)
            stack.pop()
        return self._resolved(node)

    def _resolved(self, node: Any) -> Any:
        """What a node became, if that is found already."""
        if node.free.isdisjoint(self.known):
            return node
        before = self._became.get(id(node))
        return before[1] if before is not None and before[1].free.isdisjoint(self.known) else None

    def _checked(self, node: Any) -> Any:
        """A node that was made, if it is of a size to work with."""
        if isinstance(node, Nat):
            self.effort.spend(PUT_IN * node.weight)
            return check_size(node)
        self.effort.spend(1)
        if isinstance(node, Type) and node.weight > LARGEST_TYPE:
            raise type_too_large(node.weight)
        return node


def unknowns_in(root: Node, seen: set[int]) -> Iterator[Node]:
    """The unknowns in a node, in order, without what was seen before, by identity: that must be kept alive."""
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        if id(node) not in seen and node.free:
            seen.add(id(node))
            if is_unknown(node):
                yield node
            stack.extend(reversed(node.parts))


def is_unknown(node: Node) -> bool:
    """Whether inference has to find out what stands here; the spaces that functions bind are negative."""
    return isinstance(node, TypeMeta | NatMeta | SizeFunMeta) or (
        isinstance(node, SpaceMeta) and node.ident > 0
    )
