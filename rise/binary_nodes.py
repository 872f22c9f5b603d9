"""A faster `rise.nodes.enter` for measured nodes with exactly two parts.

Most of the nodes that inference creates are types with two parts.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, TypeAlias

from rise.free_names import joined
from rise.node_fields import kinds_of
from rise.node_table import publish
from rise.nodes import MAX_WEIGHT, Measured, Node, opened, slot

Setter: TypeAlias = Callable[[Any, Any], None]
Classes: TypeAlias = Any  # tuples of classes; nodes have type `Any`


def enter_two(cls: type[Measured], table_key: tuple[Any, ...], first: Any, second: Any) -> Any:
    """Create a node whose fields are two nodes, and add it to the table, as `rise.nodes.enter` does."""
    open_class, set_first, set_second, first_classes, second_classes = _filling(cls)  # type: ignore[arg-type]  # a class can be hashed
    assert isinstance(first, first_classes) and isinstance(second, second_classes), cls
    node: Any = object.__new__(open_class)
    set_first(node, first)
    set_second(node, second)
    node.parts = (first, second)
    node.loose = first.loose if first.loose > second.loose else second.loose
    node.dep_loose = first.dep_loose if first.dep_loose > second.dep_loose else second.dep_loose
    node.free = first.free if first.free is second.free else joined(first.free, second.free)
    node._twin = None if first._twin is None and second._twin is None else False
    node._hash = hash((cls, first._hash, second._hash))
    weight = 1 + first.weight + second.weight
    node.weight = weight if weight < MAX_WEIGHT else MAX_WEIGHT
    node.height = 1 + (first.height if first.height > second.height else second.height)
    node.__class__ = cls
    return publish(table_key, node)


@cache
def _filling(cls: type[Node]) -> tuple[Any, Setter, Setter, Classes, Classes]:
    """The opened class (see Note [Filling] in `rise.nodes`), the setters of the two fields, and the classes of their
    values.
    """
    assert cls.BINDER == 0 and cls.settle is Node.settle, cls
    first, second = cls.FIELDS
    return opened(cls), slot(cls, first), slot(cls, second), *kinds_of(cls)  # type: ignore[return-value,arg-type]  # two; a class can be hashed
