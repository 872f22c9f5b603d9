"""Imperative programs with one mistake each: an index, a bound, a condition, an allocation, an operand, a statement.

Independent of programs and of what finds the mistakes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from rise.checker.comparison import commutes
from rise.naturals import Nat
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    Block,
    Buffer,
    Condition,
    Constant,
    Define,
    DefineIndex,
    For,
    Guarded,
    If,
    Load,
    Operation,
    Procedure,
)
from shine.imperative.walk import everything

KINDS: Final = (
    "index too high",
    "index too low",
    "one iteration more",
    "one iteration less",
    "condition too weak",
    "condition too strong",
    "allocation too small",
    "operands swapped",
    "operand instead of result",
    "number changed",
    "statement removed",
    "statements swapped",
    "branches swapped",
)


def mutants(procedure: Procedure) -> Iterator[tuple[str, Procedure]]:
    """The kind of each mistake, with the procedure that has it, in the order of the program."""
    for kind, body in _variants(procedure.body):
        yield kind, replace(procedure, body=body)
    for statement, _ in everything(procedure.body):
        if not isinstance(statement, Allocate):
            continue
        buffer = statement.buffer
        smaller = replace(buffer, size=buffer.size - 1)
        yield "allocation too small", replace(procedure, body=_with(procedure.body, buffer, smaller))


def _variants(node: Any) -> Iterator[tuple[str, Any]]:
    """The node with one mistake, in itself or in one of its parts."""
    yield from _own(node)
    if isinstance(node, tuple):
        for place, part in enumerate(node):
            for kind, other in _variants(part):
                yield kind, (*node[:place], other, *node[place + 1 :])
    elif is_dataclass(node) and not isinstance(node, Buffer | Nat):
        for field in fields(node):
            for kind, other in _variants(getattr(node, field.name)):
                yield kind, replace(node, **{field.name: other})  # type: ignore[type-var]  # a record of the IR


def _own(node: Any) -> Iterator[tuple[str, Any]]:
    match node:
        case Load() | Assign() | AtomicUpdate():
            yield "index too high", replace(node, index=node.index + 1)
            yield "index too low", replace(node, index=node.index - 1)
        case For():
            yield "one iteration more", replace(node, count=node.count + 1)
            yield "one iteration less", replace(node, count=node.count - 1)
        case Condition(below):
            for place, (left, right) in enumerate(below):
                for kind, by in (("condition too weak", 1), ("condition too strong", -1)):
                    changed = (*below[:place], (left, right + by), *below[place + 1 :])
                    yield kind, Condition(changed)
        case Operation(name, arguments):
            if len(arguments) > 1 and arguments[0] != arguments[1] and not commutes(name):
                yield (
                    "operands swapped",
                    replace(node, arguments=(arguments[1], arguments[0], *arguments[2:])),
                )
            if arguments and getattr(arguments[0], "type", None) == node.type:
                yield "operand instead of result", arguments[0]
        case Guarded(_, value, otherwise) if value != otherwise:
            yield "branches swapped", replace(node, value=otherwise, otherwise=value)
        case Constant(value):
            yield "number changed", replace(node, value=value + 1)
        case Block(statements):
            for place, statement in enumerate(statements):
                if isinstance(statement, Assign | AtomicUpdate | For | If):
                    yield "statement removed", Block((*statements[:place], *statements[place + 1 :]))
                follower = statements[place + 1 : place + 2]
                if follower and not isinstance(statement, Define | DefineIndex | Allocate):
                    others = (*statements[:place], *follower, statement, *statements[place + 2 :])
                    yield "statements swapped", Block(others)


def _with(node: Any, old: Buffer, new: Buffer) -> Any:
    """The node with one buffer replaced by another."""
    if node == old:
        return new
    if isinstance(node, tuple):
        return tuple(_with(part, old, new) for part in node)
    if is_dataclass(node) and not isinstance(node, Buffer | Nat):
        changed = {field.name: _with(getattr(node, field.name), old, new) for field in fields(node)}
        return replace(node, **changed)  # type: ignore[type-var]  # a record of the IR
    return node
