"""Faster alternatives to `rise.nodes.enter` for the nodes of naturals. Depends on their fields, but not on arithmetic.

Inference creates more naturals than any other nodes. See Note [Filling] in `rise.nodes`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from rise.free_names import NOTHING_FREE, FreeNames, joined, union
from rise.node_table import find, publish
from rise.nodes import MAX_WEIGHT, Node, opened, slot
from rise.polynomials import MAX_NUMBER, check_size

_MANY_PARTS = 4


def enter_sum(cls: type[Node], table_key: tuple[Any, ...], terms: tuple[Any, ...]) -> Any:
    """Create a sum of terms, and add it to the table. Raises what `check_size` raises for too large a coefficient."""
    parts: list[Any] = []
    for monomial, coefficient in terms:
        if type(coefficient) is not int or not -MAX_NUMBER <= coefficient <= MAX_NUMBER:
            check_size(bits=max(coefficient.numerator.bit_length(), coefficient.denominator.bit_length()))
        for base, exponent in monomial:
            parts.append(base)
            if type(exponent) is not int:
                parts.append(exponent)
    dep_loose = height = 0
    weight = 1
    names: FreeNames = NOTHING_FREE
    is_short, has_names = len(parts) <= _MANY_PARTS, False
    for part in parts:
        weight += part.weight
        if part.height > height:
            height = part.height
        if part.dep_loose > dep_loose:
            dep_loose = part.dep_loose
        if part._twin is not None:
            has_names = True
        if is_short:
            names = joined(names, part.free) if names else part.free
    node: Any = object.__new__(_opened(cls))  # type: ignore[arg-type]  # a class can be hashed
    node.terms, node._order = terms, None
    node.parts = tuple(parts)
    node.loose, node.dep_loose = 0, dep_loose
    node.free = names if is_short else union([part.free for part in parts])
    node._twin = False if has_names else None
    node._hash = hash(terms) if has_names else hash(table_key)
    node.weight = weight if weight < MAX_WEIGHT else MAX_WEIGHT
    node.height = height + 1
    node.__class__ = cls
    return publish(table_key, node)


def enter_atom(cls: type[Node], table_key: tuple[Any, ...], atom: Any) -> Any:
    """Create the sum that is a single atom, as `enter_sum` does: these are more frequent than all other sums."""
    terms = ((((atom, 1),), 1),)
    node: Any = object.__new__(_opened(cls))  # type: ignore[arg-type]  # a class can be hashed
    node.terms, node._order = terms, None
    node.parts = (atom,)
    node.loose, node.dep_loose = 0, atom.dep_loose
    node.free = atom.free
    has_names = atom._twin is not None
    node._twin = False if has_names else None
    node._hash = hash(terms) if has_names else hash(table_key)
    weight = atom.weight
    node.weight = weight + 1 if weight < MAX_WEIGHT else weight
    node.height = atom.height + 1
    node.__class__ = cls
    return publish(table_key, node)


def unknown(cls: type[Node], ident: int) -> Any:
    """The unknown of inference with this number. Its only free name is itself."""
    table_key = (cls, ident)
    existing = find(table_key)
    return publish(table_key, new_unknown(cls, ident)) if existing is None else existing


def new_unknown(cls: type[Node], ident: int) -> Any:
    """An unknown of inference that differs from all others, also from those with this number."""
    node: Any = object.__new__(_opened(cls))  # type: ignore[arg-type]  # a class can be hashed
    node.ident, node.parts = ident, ()
    node.loose = node.dep_loose = 0
    node._twin, node._hash = None, hash((cls, ident))
    node.weight = node.height = 1
    node.__class__ = cls
    _set_free(node, frozenset((node,)))
    return node


_set_free = slot(Node, "free")
_opened = cache(opened)
