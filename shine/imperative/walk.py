"""Walks over statements and values: what stands inside, in order, and blocks built again. Knows no pass and no target.

Whoever looks through a block or a value does it by these functions, so that a new node is met everywhere once it is
named here. Nothing recurses on values; blocks are built again by recursion on loops, whose nesting is bounded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Constant,
    Define,
    DefineIndex,
    Exchange,
    FillFragment,
    For,
    Guarded,
    If,
    Index,
    Load,
    LoadFragment,
    Local,
    MapFragment,
    MultiplyAdd,
    Operation,
    Prefetch,
    Statement,
    StoreFragment,
    Value,
)


def parts(value: Value) -> tuple[Value, ...]:
    """The values that a value is computed from; those that a condition chooses among are."""
    match value:
        case Operation(arguments=arguments):
            return arguments
        case Guarded(_, inner, otherwise):
            return (inner, otherwise)
        case Load() | Constant() | Index() | Local() | Exchange():
            return ()
    assert_never(value)


def values(value: Value) -> Iterator[Value]:
    """A value and all values inside it, a value before its parts, from left to right."""
    waiting = [value]
    while waiting:
        one = waiting.pop()
        yield one
        waiting += reversed(parts(one))


def loads(value: Value) -> Iterator[Load]:
    """All loads in a value."""
    return (one for one in values(value) if isinstance(one, Load))


def value_of(statement: Statement) -> Value | None:
    """The value that a statement itself computes; None where it computes none."""
    match statement:
        case (
            Assign(value=value)
            | Define(value=value)
            | DefineIndex(value=value)
            | AtomicUpdate(value=value)
            | FillFragment(value=value)
            | MapFragment(value=value)
        ):
            return value
        case For() | If() | Allocate() | Barrier() | Prefetch() | AwaitCopies():
            return None
        case LoadFragment() | StoreFragment() | MultiplyAdd():
            return None
    assert_never(statement)


def body_of(statement: Statement) -> Block | None:
    """The block inside a loop, a condition, or a function on fragments; None where there is none."""
    match statement:
        case For(body=body) | If(body=body) | MapFragment(body=body):
            return body
        case Assign() | AtomicUpdate() | Define() | DefineIndex() | Allocate():
            return None
        case Barrier() | Prefetch() | AwaitCopies():
            return None
        case LoadFragment() | StoreFragment() | FillFragment() | MultiplyAdd():
            return None
    assert_never(statement)


def everything(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    """All statements of a block in order, each with the loops around it from the outside in; those of functions on
    fragments too.
    """
    waiting: list[tuple[Statement, tuple[For, ...]]] = [(one, ()) for one in reversed(block.statements)]
    while waiting:
        statement, loops = waiting.pop()
        yield statement, loops
        body = body_of(statement)
        if body is not None:
            inside = (*loops, statement) if isinstance(statement, For) else loops
            waiting += [(one, inside) for one in reversed(body.statements)]


def statements(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    """All statements that run in order, each with the loops around it from the outside in. A function on fragments is
    one statement: what is inside runs for each number of a fragment, in no order.
    """
    waiting: list[tuple[Statement, tuple[For, ...]]] = [(one, ()) for one in reversed(block.statements)]
    while waiting:
        statement, loops = waiting.pop()
        yield statement, loops
        match statement:
            case For(body=body):
                waiting += [(one, (*loops, statement)) for one in reversed(body.statements)]
            case If(body=body):
                waiting += [(one, loops) for one in reversed(body.statements)]
            case _:
                pass


def map_statements(block: Block, change: Callable[[Statement], Iterable[Statement]]) -> Block:
    """The block with what `change` gives for each statement; loops and conditions are changed after what is in them."""
    found: list[Statement] = []
    for statement in block.statements:
        match statement:
            case For(body=body) | If(body=body):
                found += change(replace(statement, body=map_statements(body, change)))
            case _:
                found += change(statement)
    return Block(tuple(found))


def map_value(value: Value, change: Callable[[Value], Value]) -> Value:
    """The value with what `change` gives for each value inside it, the parts of a value first.

    Recursion follows the nesting of values, which translation bounds.
    """
    match value:
        case Operation(arguments=arguments):
            return change(replace(value, arguments=tuple(map_value(one, change) for one in arguments)))
        case Guarded(_, inner, otherwise):
            inner, otherwise = map_value(inner, change), map_value(otherwise, change)
            return change(replace(value, value=inner, otherwise=otherwise))
        case _:
            return change(value)
