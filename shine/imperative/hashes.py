"""The base class of nodes that are looked up often: their hash is computed once. Independent of nodes."""

from __future__ import annotations

from dataclasses import fields
from functools import cache
from typing import Any


class HashedOnce:
    """The base class of frozen dataclasses; it replaces the `__hash__` that they would generate."""

    __slots__ = ("_hash",)
    _hash: int

    def __init_subclass__(cls) -> None:
        cls.__hash__ = HashedOnce.__hash__  # type: ignore[method-assign]  # so that @dataclass does not add its own

    def __hash__(self) -> int:
        try:
            return self._hash
        except AttributeError:
            value = hash((type(self), *[getattr(self, name) for name in _compared(type(self))]))  # type: ignore[arg-type]  # a class can be hashed
            object.__setattr__(self, "_hash", value)
            return value


@cache
def _compared(cls: Any) -> tuple[str, ...]:
    """The fields of a dataclass that `==` compares."""
    return tuple(field.name for field in fields(cls) if field.compare)
