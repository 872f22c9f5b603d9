"""Refuses loops and values that are nested too deep for C compilers. Independent of targets."""

from __future__ import annotations

from typing import Final, assert_never

from rise.diagnostics import Diagnostic, RiseError
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    CommitCopies,
    Define,
    DefineIndex,
    FillFragment,
    For,
    If,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Prefetch,
    Procedure,
    StoreFragment,
    Value,
)
from shine.imperative.walk import parts

MAX_NESTING: Final = 200


def refuse_deep_nests(procedure: Procedure) -> None:
    """Raise RiseError if statements, or the operations of a value, are nested more than `MAX_NESTING` deep."""
    blocks: list[tuple[Block, int]] = [(procedure.body, 0)]
    while blocks:
        block, depth = blocks.pop()
        if depth > MAX_NESTING:
            hint = "join loops, or compile an inner part separately"
            _refuse(procedure, f"expected at most {MAX_NESTING} nested loops, found more", hint)
        for statement in block.statements:
            match statement:
                case For(_, _, _, body) | If(_, body):
                    blocks.append((body, depth + 1))
                case Assign(_, _, value) | Define(_, value) | DefineIndex(_, value) | FillFragment(_, value):
                    _refuse_deep_value(procedure, value)
                case AtomicUpdate(_, _, _, value):
                    _refuse_deep_value(procedure, value)
                case MapFragment(_, _, _, body, value):
                    blocks.append((body, depth + 1))
                    _refuse_deep_value(procedure, value)
                case (
                    Allocate()
                    | Barrier()
                    | Prefetch()
                    | AwaitCopies()
                    | CommitCopies()
                    | LoadFragment()
                    | StoreFragment()
                    | MultiplyAdd()
                ):
                    pass
                case _:
                    assert_never(statement)


def _refuse_deep_value(procedure: Procedure, value: Value) -> None:
    if _is_deep(value):
        hint = "name intermediate results with `let`"
        _refuse(procedure, f"expected at most {MAX_NESTING} nested operations, found more", hint)


def _is_deep(value: Value) -> bool:
    level = [value]
    visited: set[tuple[int, int]] = set()
    for depth in range(MAX_NESTING + 1):
        next_level: list[Value] = []
        for node in level:
            unvisited = [part for part in parts(node) if (depth, id(part)) not in visited]
            visited.update((depth, id(part)) for part in unvisited)
            next_level += unvisited
        level = next_level
        if not level:
            return False
    return True


def _refuse(procedure: Procedure, title: str, hint: str) -> None:
    raise RiseError(Diagnostic("too-deep", f"{procedure.name}: {title}", hint=hint))
