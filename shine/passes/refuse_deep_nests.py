"""Rejects loops and values that are nested too deeply for C compilers. Independent of targets."""

from __future__ import annotations

from typing import Final

from rise.diagnostics import Diagnostic, RiseError
from shine.imperative.nodes import (
    Procedure,
    Value,
)
from shine.imperative.walk import enclosed, parts, value_of

MAX_NESTING: Final = 200


def refuse_deep_nests(procedure: Procedure) -> None:
    """Raise RiseError if statements, or the operations of a value, are nested more than `MAX_NESTING` deep."""
    for statement, around in enclosed(procedure.body):
        if len(around) > MAX_NESTING:
            hint = "join loops, or compile an inner part separately"
            _refuse(procedure, f"expected at most {MAX_NESTING} nested loops and branches, found more", hint)
        value = value_of(statement)
        if value is not None:
            _refuse_deep_value(procedure, value)


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
