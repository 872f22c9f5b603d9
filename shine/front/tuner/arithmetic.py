"""The bound of a lowered program: the arithmetic that its imperative program cannot avoid. Independent of caches.

An operation counts once for each iteration of the loops that it depends on, through indices, loaded elements or names,
also if an element is of a temporary buffer that each iteration fills with other values. Compilers may move other
operations out of a loop, and conditional operations may not run; neither are counted. A loop whose iterations threads
share counts as long as for the thread with the most iterations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil
from typing import Final, TypeAlias

from rise.hardware import Processor
from rise.naturals import NatVar
from rise.types import ScalarType, Type, VectorType
from shine.front.work import EXACT_OPERATIONS
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Buffer,
    Define,
    For,
    Guarded,
    If,
    Index,
    Load,
    Local,
    Operation,
    Procedure,
    Value,
)
from shine.imperative.walk import enclosed, parts, value_of
from strategies.spaces.bounds import Bound

#: a multiplication and an addition in one instruction, which is what a unit starts
FUSED: Final = 2
WHY: Final = "arithmetic"
#: the indices of loops that names and the elements of temporary buffers depend on
Depends: TypeAlias = dict[str | Buffer, frozenset[NatVar]]


def arithmetic_bound(procedure: Procedure, machine: Processor, threads: int) -> Bound:
    """A lower bound of the time of a procedure of fixed sizes; 0 if the processor's clock rate is not known."""
    if not machine.clock or procedure.sizes:
        return Bound(0.0, WHY)
    cycles = 0.0
    for name, scalar, count in counted(procedure, threads):
        each = FUSED if name == "fma" else 1
        cycles += each * count / (FUSED * machine.fma_units * machine.lanes_of(scalar))
    return Bound(cycles / machine.clock, WHY)


def counted(procedure: Procedure, threads: int = 1) -> Iterator[tuple[str, str, int]]:
    """The operations that one of the threads always runs: name, type, and how often. Each lane of a vector counts."""
    depends: Depends = {}
    allocated: dict[Buffer, frozenset[NatVar]] = {}  # temporary buffers to the indices of loops around them
    for statement, around in enclosed(procedure.body):
        loops = {one.index: _iterations(one, threads) for one in around if isinstance(one, For)}
        if isinstance(statement, Allocate):
            allocated[statement.buffer] = frozenset(loops)
        value = value_of(statement)
        if value is None:
            continue
        indices = _indices(value, depends)
        if isinstance(statement, Define):
            depends[statement.local.name] = indices
        if isinstance(statement, Assign) and (around_buffer := allocated.get(statement.buffer)):
            known = depends.get(statement.buffer, frozenset())
            depends[statement.buffer] = known | indices & around_buffer
        if not any(isinstance(one, If) for one in around):
            # a number that depends on another loop counts once
            yield from _operations(value, loops, depends)


def _iterations(loop: For, threads: int) -> int:
    """The iterations that a thread runs at least, if threads share a loop."""
    count = int(loop.count.constant or 1)
    return ceil(count / threads) if loop.kind == "parallel" else count


def _operations(
    value: Value, loops: Mapping[NatVar, int], depends: Depends
) -> Iterator[tuple[str, str, int]]:
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Guarded):
            continue
        waiting += parts(part)
        if not isinstance(part, Operation) or part.name in EXACT_OPERATIONS:
            continue
        lanes = 1
        element: Type = part.type
        if isinstance(element, VectorType):
            lanes, element = int(element.size.constant or 1), element.element
        if not isinstance(element, ScalarType):
            continue
        count = lanes
        for index in _indices(part, depends):
            count *= loops.get(index, 1)
        yield part.name, element.name, count


def _indices(value: Value, depends: Depends) -> frozenset[NatVar]:
    """The indices that a value depends on."""
    found: set[NatVar] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        waiting += parts(part)
        match part:
            case Load(buffer=buffer, index=index):
                found |= {one for one in index.free if isinstance(one, NatVar)}
                found |= depends.get(buffer, frozenset())
            case Index(value=index):
                found |= {one for one in index.free if isinstance(one, NatVar)}
            case Local(name):
                found |= depends.get(name, frozenset())
            case _:
                pass
    return frozenset(found)
