"""Prints atomic updates as C with OpenMP. Independent of loops."""

from __future__ import annotations

from typing import Final

from rise.types import ScalarType
from shine.imperative.errors import fail
from shine.imperative.nodes import AtomicUpdate
from shine.targets.c.expressions import Place, bounds_text, element_text, value_text

#: the types that processors update atomically
_ATOMIC_TYPES: Final = frozenset(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f32", "f64"))


def atomic_update(statement: AtomicUpdate, place: Place) -> list[str]:
    """The lines of an update, whose result is unused. Raises TranslationError for types without atomic updates."""
    assert statement.name == "add", f"OpenMP has no such update: {statement!r}"
    element = statement.value.type
    assert isinstance(element, ScalarType), f"an update of a vector: {statement!r}"
    if element.name not in _ATOMIC_TYPES:
        fail(
            "atomic-type",
            f"expected a type that CPUs can add atomically, found {element.name}",
            "add in f32, or use scatterAddSeq",
            statement.origin,
        )
    target = element_text(statement.buffer, statement.index, place)
    lines = ["#pragma omp atomic update", f"{target} += {value_text(statement.value, place).code};"]
    within = bounds_text(statement.buffer, statement.index, 1, place)
    return [f"if ({within}) {{", *(f"  {line}" for line in lines), "}"] if within else lines
