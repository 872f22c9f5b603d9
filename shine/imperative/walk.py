"""Traverses and rebuilds statements and values. Independent of passes and targets.

All traversals use these functions, so that a new kind of node has to be added here only. Traversals of values do not
recurse; blocks are rebuilt by recursion on loops, whose nesting is bounded.
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
    CommitCopies,
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
    """The values that a value is computed from, including both values of a conditional one."""
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
        part = waiting.pop()
        yield part
        waiting += reversed(parts(part))


def loads(value: Value) -> Iterator[Load]:
    """All loads in a value."""
    return (part for part in values(value) if isinstance(part, Load))


def value_of(statement: Statement) -> Value | None:
    """The value that a statement itself computes, or None."""
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
        case For() | If() | Allocate() | Barrier() | Prefetch() | AwaitCopies() | CommitCopies():
            return None
        case LoadFragment() | StoreFragment() | MultiplyAdd():
            return None
    assert_never(statement)


def body_of(statement: Statement) -> Block | None:
    """The block inside a loop, a condition, or a function on fragments, or None."""
    match statement:
        case For(body=body) | If(body=body) | MapFragment(body=body):
            return body
        case Assign() | AtomicUpdate() | Define() | DefineIndex() | Allocate():
            return None
        case Barrier() | Prefetch() | AwaitCopies() | CommitCopies():
            return None
        case LoadFragment() | StoreFragment() | FillFragment() | MultiplyAdd():
            return None
    assert_never(statement)


def everything(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    """All statements of a block in order, each with the loops around it from the outside in; including those in
    functions on fragments.
    """
    waiting: list[tuple[Statement, tuple[For, ...]]] = [(inner, ()) for inner in reversed(block.statements)]
    while waiting:
        statement, loops = waiting.pop()
        yield statement, loops
        body = body_of(statement)
        if body is not None:
            inner_loops = (*loops, statement) if isinstance(statement, For) else loops
            waiting += [(inner, inner_loops) for inner in reversed(body.statements)]


def statements(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    """All statements that run in order, each with the loops around it from the outside in. A function on
    fragments is one statement: its body runs for each number of a fragment, in no order.
    """
    waiting: list[tuple[Statement, tuple[For, ...]]] = [(inner, ()) for inner in reversed(block.statements)]
    while waiting:
        statement, loops = waiting.pop()
        yield statement, loops
        match statement:
            case For(body=body):
                waiting += [(inner, (*loops, statement)) for inner in reversed(body.statements)]
            case If(body=body):
                waiting += [(inner, loops) for inner in reversed(body.statements)]
            case _:
                pass


def map_statements(block: Block, change: Callable[[Statement], Iterable[Statement]]) -> Block:
    """The block with each statement replaced by those that `change` gives; inner statements are replaced first."""
    result: list[Statement] = []
    for statement in block.statements:
        match statement:
            case For(body=body) | If(body=body):
                result += change(replace(statement, body=map_statements(body, change)))
            case _:
                result += change(statement)
    return Block(tuple(result))


def map_value(value: Value, change: Callable[[Value], Value]) -> Value:
    """The value with each value inside it replaced by what `change` gives, its parts first.

    Recursion follows the nesting of values, which translation bounds.
    """
    match value:
        case Operation(arguments=arguments):
            return change(
                replace(value, arguments=tuple(map_value(argument, change) for argument in arguments))
            )
        case Guarded(_, inner, otherwise):
            inner, otherwise = map_value(inner, change), map_value(otherwise, change)
            return change(replace(value, value=inner, otherwise=otherwise))
        case _:
            return change(value)
