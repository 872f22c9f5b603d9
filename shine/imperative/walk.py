"""Traverses and rebuilds statements and values. Independent of passes and targets.

Traversals that do the same for each statement or value use these functions, so that a new kind of node must be added
only here. They are not recursive, except `map_outermost` and `map_value`. A node that is rebuilt without a change is
the same object.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from operator import is_
from typing import TypeAlias, TypeVar, assert_never

from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
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

#: the statements that contain others
Enclosing: TypeAlias = For | If | MapFragment
#: those of them whose statements run in order, unlike those of a function on fragments
Nested: TypeAlias = For | If
_N = TypeVar("_N", For, If, For | If)


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
    """A value and all values inside it, each before its parts, from left to right."""
    waiting = [value]
    while waiting:
        part = waiting.pop()
        yield part
        waiting += reversed(parts(part))


def loads(value: Value) -> Iterator[Load]:
    """All loads in a value."""
    return (part for part in values(value) if isinstance(part, Load))


def constants(block: Block) -> tuple[Buffer, ...]:
    """The buffers with known contents that a block loads, in the order of their first loads."""
    found: dict[Buffer, None] = {}
    for statement, _ in everything(block):
        value = value_of(statement)
        for load in () if value is None else loads(value):
            if load.buffer.contents:
                found[load.buffer] = None
    return tuple(found)


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


def enclosed(block: Block) -> Iterator[tuple[Statement, tuple[Enclosing, ...]]]:
    """All statements of a block in order, each with the enclosing loops, conditions and functions on fragments,
    outermost first.
    """
    waiting: list[tuple[Statement, tuple[Enclosing, ...]]] = [
        (inner, ()) for inner in reversed(block.statements)
    ]
    while waiting:
        statement, around = waiting.pop()
        yield statement, around
        if isinstance(statement, Enclosing):
            inside = (*around, statement)
            waiting += [(inner, inside) for inner in reversed(statement.body.statements)]


def everything(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    """All statements of a block in order, including those in functions on fragments, each with the enclosing loops,
    outermost first.
    """
    return _with_loops(block, body_of)


def statements(block: Block) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    """All statements that run in order, each with the enclosing loops, outermost first. A function on fragments is one
    statement, since its body runs for each number of a fragment, in no particular order.
    """
    return _with_loops(block, lambda statement: statement.body if isinstance(statement, Nested) else None)


def _with_loops(
    block: Block, inside: Callable[[Statement], Block | None]
) -> Iterator[tuple[Statement, tuple[For, ...]]]:
    waiting: list[tuple[Statement, tuple[For, ...]]] = [(inner, ()) for inner in reversed(block.statements)]
    while waiting:
        statement, loops = waiting.pop()
        yield statement, loops
        body = inside(statement)
        if body is not None:
            inner_loops = (*loops, statement) if isinstance(statement, For) else loops
            waiting += [(inner, inner_loops) for inner in reversed(body.statements)]


def all_values(block: Block) -> Iterator[Value]:
    """All values in the statements of a block, including those in functions on fragments."""
    for statement, _ in everything(block):
        value = value_of(statement)
        if value is not None:
            yield from values(value)


def definitions(block: Block) -> dict[Local, Value]:
    """The values of the variables that a block defines, including those inside its statements."""
    return {one.local: one.value for one, _ in everything(block) if isinstance(one, Define)}


def rebuilt(block: Block, new: Sequence[Statement]) -> Block:
    """A block with new statements; the same object if the statements are unchanged."""
    is_same = len(new) == len(block.statements) and all(map(is_, new, block.statements))
    return block if is_same else Block(tuple(new))


def with_body(statement: _N, body: Block) -> _N:
    """A loop or condition with a new body; the same object if the body is unchanged."""
    return statement if body is statement.body else replace(statement, body=body)


def map_statements(block: Block, change: Callable[[Statement], Iterable[Statement]]) -> Block:
    """The block with each statement replaced by those that `change` returns; inner statements are replaced first."""
    outer: list[tuple[Nested, Block, Iterator[Statement], list[Statement]]] = []
    waiting, result = iter(block.statements), list[Statement]()
    while True:
        for statement in waiting:
            if isinstance(statement, Nested):
                outer.append((statement, block, waiting, result))
                block, waiting, result = statement.body, iter(statement.body.statements), []
                break
            result += change(statement)
        else:
            body = rebuilt(block, result)
            if not outer:
                return body
            around, block, waiting, result = outer.pop()
            result += change(with_body(around, body))


def map_outermost(block: Block, change: Callable[[Statement], Iterable[Statement] | None]) -> Block:
    """The block with statements replaced by those that `change` returns. If it returns None, the statement is kept, and
    `change` is applied to the statements inside it. The recursion depth is the nesting depth of loops, which is
    bounded.
    """
    result: list[Statement] = []
    for statement in block.statements:
        changed = change(statement)
        if changed is not None:
            result += changed
        elif isinstance(statement, Nested):
            result.append(with_body(statement, map_outermost(statement.body, change)))
        else:
            result.append(statement)
    return rebuilt(block, result)


def map_value(value: Value, change: Callable[[Value], Value]) -> Value:
    """The value with each value inside it replaced by what `change` returns, parts first.

    The recursion depth is the nesting depth of values, which translation bounds.
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
