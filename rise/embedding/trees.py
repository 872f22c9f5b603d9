"""Trees of values: tuples, named tuples, lists and dictionaries, nested in each other. Independent of their leaves.

The layout of a tree is the tree with None at its leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

#: the classes whose instances may be inner nodes
NODES: Final = (tuple, list, dict)


def is_no_node(value: Any) -> bool:
    """Whether a value is a leaf, if all instances of the classes of inner nodes are inner nodes."""
    return not isinstance(value, NODES)


def layout_of(tree: Any, is_leaf: Callable[[Any], bool] = is_no_node) -> Any:
    """The layout of a tree.

    >>> layout_of({"a": 1, "b": (2, [3])})
    {'a': None, 'b': (None, [None])}
    """
    return (
        None if is_leaf(tree) else rebuilt(tree, [layout_of(child, is_leaf) for child in children_of(tree)])
    )


def children_of(node: Any) -> list[Any]:
    """The children of a node, in order."""
    return list(node.values() if isinstance(node, dict) else node)


def leaves_of(tree: Any) -> list[Any]:
    """The leaves, in order.

    >>> leaves_of({"a": 1, "b": (2, [3])})
    [1, 2, 3]
    """
    return (
        [leaf for child in children_of(tree) for leaf in leaves_of(child)]
        if isinstance(tree, NODES)
        else [tree]
    )


def rebuilt(node: Any, children: Any) -> Any:
    """A node of the same class and with the same keys, but with other children."""
    if isinstance(node, dict):
        return dict(zip(node, children, strict=True))
    if hasattr(node, "_fields"):
        return type(node)(*children)
    return list(children) if isinstance(node, list) else tuple(children)


def as_tuples(tree: Any) -> Any:
    """The tree with each node replaced by a tuple, without nodes that have no leaves.

    >>> as_tuples({"a": 1, "b": [2, 3], "c": {}})
    (1, (2, 3))
    """
    if not isinstance(tree, NODES):
        return tree
    return tuple([as_tuples(child) for child in children_of(tree) if leaves_of(child)])


def filled(layout: Any, leaves: Iterator[Any]) -> Any:
    """The tree of a layout with these leaves.

    >>> filled({"a": None, "b": (None, None)}, iter("xyz"))
    {'a': 'x', 'b': ('y', 'z')}
    """
    if layout is None:
        return next(leaves)
    return rebuilt(layout, [filled(child, leaves) for child in children_of(layout)])


def paths_of(layout: Any, name: str) -> list[str]:
    """The Python expression for each leaf of the tree with this name.

    >>> paths_of({"a": None, "b": (None, None)}, "p")
    ["p['a']", "p['b'][0]", "p['b'][1]"]
    """
    if layout is None:
        return [name]
    if hasattr(layout, "_fields"):
        named = [(f"{name}.{field}", child) for field, child in zip(layout._fields, layout, strict=True)]
    else:
        keys = layout if isinstance(layout, dict) else range(len(layout))
        named = [(f"{name}[{key!r}]", child) for key, child in zip(keys, children_of(layout), strict=True)]
    return [path for shown, child in named for path in paths_of(child, shown)]


def flattened(tree: Any, is_leaf: Callable[[Any], bool], leaves: list[Any]) -> Any:
    """Append the leaves of a tree to a list. Returns a hashable value that identifies the layout.

    >>> leaves = []
    >>> key = flattened({"a": 1, "b": (2, 3)}, lambda value: isinstance(value, int), leaves)
    >>> leaves, key == flattened({"a": 4, "b": (5, 6)}, lambda value: isinstance(value, int), [])
    ([1, 2, 3], True)
    """
    if is_leaf(tree):
        leaves.append(tree)
        return None
    children = tree.values() if isinstance(tree, dict) else tree
    keys = tuple(tree) if isinstance(tree, dict) else ()
    return type(tree), keys, tuple([flattened(child, is_leaf, leaves) for child in children])
