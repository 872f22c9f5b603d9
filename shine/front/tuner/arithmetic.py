"""The bound of a lowered program: the arithmetic that its imperative program cannot avoid. Independent of caches.

An operation counts once for each iteration of the loops that it depends on, through indices, loaded elements or names.
Compilers may move other operations out of a loop, and conditional operations may not run; neither are counted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from rise.hardware import Processor
from rise.naturals import NatVar
from rise.types import ScalarType, Type, VectorType
from shine.front.work import EXACT_OPERATIONS
from shine.imperative.nodes import (
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


def arithmetic_bound(procedure: Procedure, machine: Processor, threads: int) -> Bound:
    """A lower bound of the time of a procedure of fixed sizes; 0 if the processor's clock rate is not known."""
    if not machine.clock or procedure.sizes:
        return Bound(0.0, WHY)
    cycles = 0.0
    for name, scalar, count in counted(procedure):
        each = FUSED if name == "fma" else 1
        cycles += each * count / (FUSED * machine.fma_units * machine.lanes_of(scalar))
    return Bound(cycles / (machine.clock * threads), WHY)


def counted(procedure: Procedure) -> Iterator[tuple[str, str, int]]:
    """The operations that always run: name, type, and how often. Each lane of a vector counts."""
    depends: dict[str, frozenset[NatVar]] = {}  # names to the indices of loops that they depend on
    for statement, around in enclosed(procedure.body):
        value = value_of(statement)
        if value is None or any(isinstance(one, If) for one in around):
            continue
        if isinstance(statement, Define):
            depends[statement.local.name] = _indices(value, depends)
        # a number that depends on another loop counts once
        loops = {one.index: int(one.count.constant or 1) for one in around if isinstance(one, For)}
        yield from _operations(value, loops, depends)


def _operations(
    value: Value, loops: Mapping[NatVar, int], depends: Mapping[str, frozenset[NatVar]]
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


def _indices(value: Value, depends: Mapping[str, frozenset[NatVar]]) -> frozenset[NatVar]:
    """The indices that a value depends on."""
    found: set[NatVar] = set()
    waiting = [value]
    while waiting:
        part = waiting.pop()
        waiting += parts(part)
        match part:
            case Load(index=index) | Index(value=index):
                found |= {one for one in index.free if isinstance(one, NatVar)}
            case Local(name):
                found |= depends.get(name, frozenset())
            case _:
                pass
    return frozenset(found)
