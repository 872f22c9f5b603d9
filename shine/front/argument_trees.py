"""Arguments that are trees of arrays, `{"weights": w, "bias": b}`: their leaves, and a name for each.

Independent of kernels.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from typing import Any, Final

import numpy as np

from rise.arguments.libraries import is_array
from rise.embedding.trees import NODES, filled, flattened, layout_of, leaves_of, paths_of

_NO_NAME: Final = re.compile(r"\W+")


def is_leaf(value: Any) -> bool:
    """Whether an argument is one value of a program: anything but a dictionary, and a tuple or a list with an array.

    >>> is_leaf((2, 3)), is_leaf((2, np.ones(3))), is_leaf([[np.ones(3)]]), is_leaf({"a": 1})
    (True, False, False, False)
    """
    if type(value) is np.ndarray or not isinstance(value, NODES):
        return True
    if isinstance(value, dict):
        return False
    return not any(is_array(one) or not is_leaf(one) for one in value)


def leaves_in(
    arguments: Sequence[Any], names: Sequence[str], static: Container[str]
) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The arguments with each tree replaced by its leaves, and a key for the layout of each tree, or None.

    >>> leaves_in([{"a": 1, "b": 2}, 3], ["p", "x"], ())
    ((1, 2, 3), ((<class 'dict'>, ('a', 'b'), (None, None)), None))
    """
    leaves: list[Any] = []
    keys: list[Any] = []
    for name, one in zip(names, arguments, strict=True):
        if is_leaf(one) or name in static:
            leaves.append(one)
            keys.append(None)
        else:
            keys.append(flattened(one, is_leaf, leaves))
    return tuple(leaves), tuple(keys)


def trees_of(arguments: Sequence[Any], names: Sequence[str], keys: Sequence[Any]) -> dict[str, Any]:
    """A tree of names for each argument that is a tree.

    >>> trees_of([{"w": 1, "b": (2, {"c": 3})}, 4], ["p", "x"], ["a key", None])
    {'p': {'w': 'p_w', 'b': ('p_b_0', {'c': 'p_b_1_c'})}}
    """
    taken = set(names)
    trees: dict[str, Any] = {}
    for name, argument, key in zip(names, arguments, keys, strict=True):
        if key is None:
            continue
        layout = layout_of(argument, is_leaf)
        found = []
        for path in paths_of(layout, name):
            plain = _NO_NAME.sub("_", path).strip("_")
            while plain in taken:
                plain += "_"
            taken.add(plain)
            found.append(plain)
        trees[name] = filled(layout, iter(found))
    return trees


def nested(leaves: Sequence[Any], names: Sequence[str], trees: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments by the names of the parameters, from the leaves of trees.

    >>> nested([1, 2, 3], ["p", "x"], {"p": {"a": "p_a", "b": "p_b"}})
    {'p': {'a': 1, 'b': 2}, 'x': 3}
    """
    rest = iter(leaves)
    return {name: filled(layout_of(trees.get(name, name)), rest) for name in names}


def shown(leaf: str, trees: Mapping[str, Any]) -> str:
    """A parameter in Python's notation: the leaf of a tree by its keys.

    >>> shown("p_a", {"p": {"a": "p_a"}}), shown("x", {})
    ("p['a']", 'x')
    """
    for name, tree in trees.items():
        for path, one in zip(paths_of(layout_of(tree), name), leaves_of(tree), strict=True):
            if one == leaf:
                return path
    return leaf
