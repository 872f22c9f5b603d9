"""Which assignments of a kernel are asynchronous copies: those that hardware can do. Knows no order and no wait.

An asynchronous copy moves 4, 8 or 16 bytes that lie together, at a multiple of as many, from global to shared memory.
Where a condition says so, nothing is read and zeros are written. All other assignments are ordinary stores.
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
    Constant,
    Guarded,
    Load,
    Operation,
    Statement,
    StoreFragment,
    Value,
)
from shine.imperative.walk import map_statements, statements

SIZES: Final = (4, 8, 16)  # bytes


def keep_copies(kernel: GpuKernel) -> GpuKernel:
    """The kernel where only what can be copied asynchronously is assigned so."""
    if not copies_in(kernel.body):
        return kernel
    changed = _changed(kernel.body)
    return replace(kernel, body=_kept(kernel.body, lambda one: is_copy(one, changed)))


def copies_in(block: Block) -> list[Assign]:
    """The asynchronous assignments of a block, in order."""
    return [one for one, _ in statements(block) if isinstance(one, Assign) and one.asynchronous]


def is_copy(store: Assign, changed: frozenset[str] = frozenset()) -> bool:
    """Whether hardware can copy what a store stores; not where the kernel changes the buffer that it loads from."""
    load = source_of(store.value)
    if load is None or load.buffer.space != "Global" or store.buffer.space != "Shared":
        return False
    if load.buffer.name in changed or load.buffer.size.constant == 1:  # one number may be no array
        return False
    if not all(isinstance(one.element, ScalarType) for one in (load.buffer, store.buffer)):
        return False
    if (
        load.buffer.element == BOOL
    ):  # a caller's truth values may be any bytes, which become 0 or 1 as they are read
        return False
    is_aligned = not isinstance(load.type, VectorType) or (load.aligned and store.aligned)
    return is_aligned and bytes_of(store) in SIZES


def source_of(value: Value) -> Load | None:
    """The load that a value is, or that it is where a condition holds, and zero elsewhere."""
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
    """How many bytes are stored."""
    match store.value.type:
        case ScalarType(name):
            return SCALARS[name].bits // 8
        case VectorType(size, ScalarType(name)) if size.constant is not None:
            return size.constant * SCALARS[name].bits // 8
    raise AssertionError(f"{store!r} is of no known size")


def _changed(body: Block) -> frozenset[str]:
    """The buffers that a kernel writes to."""
    found: set[str] = set()
    for statement, _ in statements(body):
        match statement:
            case Assign(Buffer(name)) | AtomicUpdate(_, Buffer(name)):
                found.add(name)
            case StoreFragment(matrix):
                found.add(matrix.buffer.name)
            case _:
                pass
    return frozenset(found)


def _kept(block: Block, may_be: Callable[[Assign], bool]) -> Block:
    def keep(statement: Statement) -> tuple[Statement]:
        if isinstance(statement, Assign) and statement.asynchronous:
            return (replace(statement, asynchronous=may_be(statement)),)
        return (statement,)

    return map_statements(block, keep)
