"""Counts the scalar operations of a procedure, and finds their precision. Independent of targets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import prod
from typing import Final, TypeAlias

from rise.arguments.mismatches import MAX_SIZE
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat
from rise.polynomials import NotComputed
from rise.primitives import SCALAR_FUNCTIONS, with_trait
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType
from shine.imperative.fragments import shape_of
from shine.imperative.nodes import (
    MultiplyAdd,
    Operation,
    Procedure,
    Value,
    ValueType,
)
from shine.imperative.walk import everything, value_of, values

#: functions whose last digits differ between libraries
LIBRARY_FUNCTIONS: Final = frozenset(record.name for record in SCALAR_FUNCTIONS if record.units)
_Counts: TypeAlias = tuple[Nat, ...]  # of the enclosing loops


#: operations whose result is one of their arguments, up to its sign
EXACT_OPERATIONS: Final = with_trait("unrounded") | {"vector", "broadcast", "lane"}


@dataclass(frozen=True, slots=True)
class Precision:
    """The floating-point types that a procedure computes in, and whether it calls library functions."""

    floats: frozenset[str]
    uses_library: bool


def computed(procedure: Procedure) -> Iterator[tuple[Value, _Counts]]:
    """Every value that is computed, with the counts of its enclosing loops."""
    for statement, loops in everything(procedure.body):
        value = value_of(statement)
        if value is not None:
            yield value, tuple(loop.count for loop in loops)


def operations(value: Value) -> Iterator[Operation]:
    """The operations inside a value."""
    return (operation for operation in values(value) if isinstance(operation, Operation))


def operation_count(procedure: Procedure, sizes: Mapping[str, int]) -> int:
    """About how many scalar operations a call takes at these sizes, including copies."""
    values: dict[Atom, int] = {size: sizes[size.name] for size in procedure.sizes}
    total = 0
    for value, counts in computed(procedure):
        each = sum(_lanes(operation.type) for operation in operations(value)) or 1
        for count in counts:
            each *= _number(count, values)
        total += each
    for statement, loops in everything(procedure.body):
        if isinstance(statement, MultiplyAdd):
            each = 2 * prod(shape_of(statement.addend.type))  # by all lanes of a warp, or by one thread
            total += each * prod(_number(loop.count, values) for loop in loops)
    return total


def float_operations(procedure: Procedure) -> int:
    """How many operations on floating-point numbers a call of a procedure with fixed sizes takes, each counted once: a
    multiply-add is one. Those of matrix instructions, and those that only move or select numbers, are not counted.
    """
    total = 0
    for value, counts in computed(procedure):
        each = sum(_lanes(one.type) for one in operations(value) if _is_arithmetic(one))
        total += each * prod(_number(count, {}) for count in counts)
    return total


def _is_arithmetic(operation: Operation) -> bool:
    of = operation.type
    element = of.element if isinstance(of, VectorType) else of
    return operation.name not in EXACT_OPERATIONS and bool(_float(element))


def precision(procedure: Procedure) -> Precision:
    """The precision in which a procedure computes; operations that only move or select numbers are ignored."""
    floats: set[str] = set()
    uses_library = False
    for statement, _ in everything(procedure.body):
        if isinstance(statement, MultiplyAdd):
            floats.update(_float(statement.addend.type.element))
    for value, _ in computed(procedure):
        for operation in operations(value):
            element = operation.type.element if isinstance(operation.type, VectorType) else operation.type
            if operation.name not in EXACT_OPERATIONS:
                floats.update(_float(element))
            uses_library = (
                uses_library or operation.name in LIBRARY_FUNCTIONS or operation.foreign is not None
            )
    return Precision(frozenset(floats), uses_library)


def _float(t: object) -> tuple[str, ...]:
    """The name of a floating-point type, and none for another type."""
    is_float = isinstance(t, ScalarType) and not SCALARS[t.name].classes.isdisjoint(("floating", "complex"))
    return (str(t),) if is_float else ()


def _lanes(t: ValueType) -> int:
    return _number(t.size, {}) if isinstance(t, VectorType) else 1


def _number(count: Nat, values: Mapping[Atom, int]) -> int:
    """The number of iterations; 1 for a loop whose bound depends on another loop."""
    try:
        number = evaluate_natural(count, values)
    except (KeyError, ZeroDivisionError):
        return 1
    except NotComputed:
        return MAX_SIZE
    return max(int(number), 1)
