"""Digests of terms, types and naturals: the same in every process, equal for equal nodes. Knows no primitive."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

from rise.nodes import Node

_SIZE: Final = 10  # bytes


def digest(node: Node, known: dict[Any, bytes]) -> bytes:
    """What tells a node from all that are not equal to it. Names of binders do not count, as for `==`.

    `known` holds the digests of nodes met before; what is new is added.
    """
    waiting: list[Node] = [node]
    while waiting:
        one = waiting[-1]
        if one in known:
            waiting.pop()
            continue
        missing = [part for part in one.parts if part not in known]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        hashed = blake2b(type(one).__name__.encode(), digest_size=_SIZE)
        for field in one.fields[one.NAMES_BINDER :]:
            hashed.update(_written(field, known))
        known[one] = hashed.digest()
    return known[node]


def _written(field: Any, known: dict[Any, bytes]) -> bytes:
    """A field as bytes: its kind, its length, what it holds."""
    match field:
        case Node():
            return b"#" + known[field]
        case tuple():
            return b"(%d:" % len(field) + b"".join(_written(one, known) for one in field)
        case str():
            text = field.encode()
            return b"'%d:" % len(text) + text
        case bytes():
            return b"b%d:" % len(field) + field
    return f"{type(field).__name__}:{field!r};".encode()
