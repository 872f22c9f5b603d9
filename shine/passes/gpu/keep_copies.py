"""Keeps asynchronous copies that hardware supports; others become stores. Independent of orders and waits.

An asynchronous copy moves 4, 8 or 16 contiguous and aligned bytes from global to shared memory. Under a condition it
may read nothing and write zeros instead. All other assignments are ordinary stores.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rise.scalars import SCALARS
from rise.types import BOOL, ScalarType, VectorType
from shine.imperative.kernels import GpuKernel
from shine.imperative.nodes import (
    Assign,
    AtomicUpdate,
    Block,
    Buffer,
    CommitCopies,
    Condition,
    Constant,
    For,
    Guarded,
    If,
    Load,
    Operation,
    Origin,
    Statement,
    StoreFragment,
    Value,
)
from shine.imperative.walk import map_statements, statements

COPY_BYTES: Final = (4, 8, 16)


def keep_copies(kernel: GpuKernel) -> GpuKernel:
    """The kernel with asynchronous assignments only where hardware supports them, and with groups only of these."""
    body = kernel.body
    if copies_in(body):
        written = _written(body)
        body = _with_copies(body, lambda store: is_copy(store, written))
    grouped = _grouped(body)
    if any(isinstance(one, CommitCopies) and one.origin not in grouped for one, _ in statements(body)):
        body = map_statements(
            body, lambda one: () if isinstance(one, CommitCopies) and one.origin not in grouped else (one,)
        )
    return replace(kernel, body=body)


def _grouped(block: Block) -> frozenset[Origin]:
    """The origins of groups with copies: those that follow a copy in a block, before any other group."""
    found: set[Origin] = set()
    copies = False
    for statement in block.statements:
        match statement:
            case CommitCopies(origin):
                found |= {origin} if copies else set()
                copies = False
            case For(body=body) | If(body=body):
                found |= _grouped(body)
                copies |= bool(copies_in(body))
            case Assign():
                copies |= statement.asynchronous
            case _:
                pass
    return frozenset(found)


def copies_in(block: Block) -> list[Assign]:
    """The asynchronous assignments of a block, in order."""
    return [
        statement
        for statement, _ in statements(block)
        if isinstance(statement, Assign) and statement.asynchronous
    ]


def is_copy(store: Assign, written: frozenset[str] = frozenset()) -> bool:
    """Whether hardware supports a store as a copy: not if the kernel writes to the buffer that it loads from."""
    load = source_of(store.value)
    if load is None or load.buffer.space != "Global" or store.buffer.space != "Shared":
        return False
    if load.buffer.name in written or load.buffer.size.constant == 1:  # a scalar may be passed by value
        return False
    if not all(isinstance(buffer.element, ScalarType) for buffer in (load.buffer, store.buffer)):
        return False
    if (
        load.buffer.element == BOOL
    ):  # truth values from a caller may be arbitrary bytes, which a load converts to 0 or 1
        return False
    is_aligned = not isinstance(load.type, VectorType) or (load.aligned and store.aligned)
    return is_aligned and bytes_of(store) in COPY_BYTES


def source_of(value: Value) -> Load | None:
    """The load that a value consists of, perhaps under a condition, with 0 otherwise; None for other values."""
    match value:
        case Load():
            return value
        case Guarded(_, Load() as load, otherwise) if _is_zero(otherwise):
            return load
        case _:
            return None


def _is_zero(value: Value) -> bool:
    """Whether all bits of a value are zero."""
    match value:
        case Constant(number):
            return number == 0 and math.copysign(1.0, number) > 0
        case Operation("broadcast", (inner,)):
            return _is_zero(inner)
        case _:
            return False


def bytes_of(store: Assign) -> int:
    """The number of bytes that are stored."""
    match store.value.type:
        case ScalarType(name):
            return SCALARS[name].bits // 8
        case VectorType(size, ScalarType(name)) if size.constant is not None:
            return size.constant * SCALARS[name].bits // 8
    raise AssertionError(f"{store!r} is of no known size")


def _written(body: Block) -> frozenset[str]:
    """The buffers that a kernel writes to."""
    names: set[str] = set()
    for statement, _ in statements(body):
        match statement:
            case Assign(Buffer(name)) | AtomicUpdate(_, Buffer(name)):
                names.add(name)
            case StoreFragment(matrix):
                names.add(matrix.buffer.name)
            case _:
                pass
    return frozenset(names)


def _with_copies(block: Block, is_supported: Callable[[Assign], bool]) -> Block:
    def settle(statement: Statement) -> tuple[Statement]:
        if isinstance(statement, Assign) and statement.asynchronous:
            joined = replace(statement, value=_in_one_condition(statement.value))
            return (joined if is_supported(joined) else replace(statement, asynchronous=False),)
        return (statement,)

    return map_statements(block, settle)


def _in_one_condition(value: Value) -> Value:
    """Rewrite a value under nested conditions, zero if one does not hold, to a value under their conjunction."""
    match value:
        case Guarded(Condition(below), inner, otherwise, t) if _is_zero(otherwise):
            match _in_one_condition(inner):
                case Guarded(Condition(more), innermost, zero) if _is_zero(zero):
                    return Guarded(Condition((*below, *more)), innermost, otherwise, t)
    return value
