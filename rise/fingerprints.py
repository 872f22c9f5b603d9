"""Digests of terms, types and naturals: identical in every process, and for equal nodes. Independent of primitives."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, Final

from rise.nodes import Node

_SIZE: Final = 10  # bytes


def digest(node: Node, known: dict[Any, bytes]) -> bytes:
    """The digest of a node, which ignores the names of binders, as `==` does.

    `known` has the digests of nodes met before; new ones are added.
    """
    stack: list[Node] = [node]
    while stack:
        current = stack[-1]
        if current in known:
            stack.pop()
            continue
        missing = [part for part in current.parts if part not in known]
        if missing:
            stack += missing
            continue
        stack.pop()
        hasher = blake2b(type(current).__name__.encode(), digest_size=_SIZE)
        for field in current.fields[current.NAMES_BINDER :]:
            hasher.update(_field_bytes(field, known))
        known[current] = hasher.digest()
    return known[node]


def _field_bytes(field: Any, known: dict[Any, bytes]) -> bytes:
    """A field as bytes: its kind, its length, its content."""
    match field:
        case Node():
            return b"#" + known[field]
        case tuple():
            return b"(%d:" % len(field) + b"".join(_field_bytes(item, known) for item in field)
        case str():
            text = field.encode()
            return b"'%d:" % len(text) + text
        case bytes():
            return b"b%d:" % len(field) + field
    return f"{type(field).__name__}:{field!r};".encode()
