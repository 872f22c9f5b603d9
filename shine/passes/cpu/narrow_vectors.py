"""Splits stores of vectors that are wider than registers into parts. Independent of targets.

C compilers keep such a vector in memory between two operations, whereas parts stay in registers: each part is computed
and stored separately, in the same way, and none reads what another one stores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from rise.hardware import DEFAULT, Processor
from rise.naturals import const
from rise.primitives import with_trait
from rise.types import ScalarType, VectorType
from shine.imperative.nodes import (
    Assign,
    Load,
    Operation,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.rewrite import run_of
from shine.imperative.walk import map_statements, values

MAX_PARTS: Final = 16
#: operations whose lanes are computed from the same lanes of their arguments
LANEWISE: Final = with_trait("lanewise")


def narrow_vectors(procedure: Procedure, machine: Processor = DEFAULT) -> Procedure:
    """The procedure with stores of wide vectors split into parts, each as wide as a register of the processor;
    unchanged if there are no vector registers.
    """
    if not machine.vector_bits:
        return procedure

    def in_parts(statement: Statement) -> Iterable[Statement]:
        if isinstance(statement, Assign) and _has_parts(statement, machine):
            return _parts(statement, machine)
        return (statement,)

    return replace(procedure, body=map_statements(procedure.body, in_parts))


def _lanes(t: VectorType, machine: Processor) -> int:
    """The number of lanes of a vector that a register holds."""
    assert isinstance(t.element, ScalarType), t
    return machine.lanes_of(t.element.name)


def _has_parts(store: Assign, machine: Processor) -> bool:
    """Whether a store of a wide vector can be split into a few parts."""
    t = store.value.type
    if not isinstance(t, VectorType) or not isinstance(store.buffer.element, ScalarType):
        return False
    count, lanes = run_of(store.buffer, store.value), _lanes(t, machine)
    is_wide = lanes < count <= MAX_PARTS * lanes and count % lanes == 0
    return is_wide and all(_can_split(value, store) for value in values(store.value))


def _can_split(value: Value, store: Assign) -> bool:
    """Whether a value is a scalar or can be split, and reads nothing that the store of another part overwrites."""
    match value:
        case Load(buffer, index):
            is_same = value.type == store.value.type and index == store.index
            return isinstance(buffer.element, ScalarType) and (buffer != store.buffer or is_same)
        case Operation(name, _, VectorType() as t):
            return name == "broadcast" or (name in LANEWISE and t == store.value.type)
        case _:
            return isinstance(value.type, ScalarType)


def _parts(store: Assign, machine: Processor) -> Iterator[Assign]:
    """The store of each part."""
    assert isinstance(store.value.type, VectorType), store
    lanes = _lanes(store.value.type, machine)
    for first in range(0, run_of(store.buffer, store.value), lanes):
        yield replace(store, index=store.index + first, value=_part(store.value, first, lanes))


def _part(value: Value, first: int, lanes: int) -> Value:
    """`lanes` lanes of a vector, starting at `first`; a single number is the same for all parts."""
    if not isinstance(value.type, VectorType):
        return value
    t = VectorType(const(lanes), value.type.element)
    match value:
        case Load(_, index):
            return replace(value, index=index + first, lanes=lanes, type=t)
        case Operation(_, arguments):
            return replace(
                value, arguments=tuple(_part(argument, first, lanes) for argument in arguments), type=t
            )
    raise AssertionError(f"{value!r} has no parts")
