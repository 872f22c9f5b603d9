"""The imperative IR as text for people. Knows no target's syntax."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from rise.naturals import Nat
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from shine.imperative import (
    Allocate,
    Assign,
    Block,
    Condition,
    Constant,
    Define,
    DefineIndex,
    For,
    Guarded,
    If,
    Index,
    Load,
    Local,
    Operation,
    Origin,
    Procedure,
    Value,
)
from shine.signature import signature_text


def write_procedure(procedure: Procedure) -> tuple[str, tuple[Origin | None, ...]]:
    """The text, and for each of its lines the path in the low-level program that it was translated from."""
    lines: list[tuple[str, Origin | None]] = [
        (signature_text(procedure), None),
        *_block(procedure.body, "  "),
    ]
    return "".join(f"{text}\n" for text, _ in lines), tuple(origin for _, origin in lines)


def _block(block: Block, indent: str) -> Iterator[tuple[str, Origin | None]]:
    for statement in block.statements:
        origin = statement.origin
        match statement:
            case Assign(buffer, index, value):
                yield f"{indent}{buffer.name}[{_nat(index)}] := {write_value(value)}", origin
            case Define(local, value):
                yield f"{indent}{local.name} : {show_type(local.type)} = {write_value(value)}", origin
            case DefineIndex(name, value):
                yield f"{indent}{name.name} : nat = {write_value(value)}", origin
            case Allocate(buffer):
                of = show_type(buffer.element)
                yield f"{indent}new {buffer.name} : {of} [{_nat(buffer.size)}] in {buffer.space}", origin
            case For(index_name, count, kind, body):
                yield f"{indent}for {index_name.name} < {_nat(count)} ({kind})", origin
                yield from _block(body, indent + "  ")
            case If(condition, body):
                yield f"{indent}if {_condition(condition)}", origin
                yield from _block(body, indent + "  ")
            case _:
                assert_never(statement)


def write_value(value: Value) -> str:
    """The text of a value."""
    match value:
        case Load(buffer, index, lanes):
            wide = f" .. {lanes} lanes" if lanes > 1 else ""
            return f"{buffer.name}[{_nat(index)}{wide}]"
        case Constant(number, t):
            return f"{number}{t.name}"
        case Index(a, t):
            return f"({_nat(a)} : {t.name})"
        case Local(name):
            return name
        case Operation("cast", (argument,), t):
            return f"cast{{{show_type(t)}}}({write_value(argument)})"
        case Operation(name, arguments):
            return f"{name}({', '.join(map(write_value, arguments))})"
        case Guarded(condition, inner, otherwise):
            return f"({_condition(condition)} ? {write_value(inner)} : {write_value(otherwise)})"
        case _:
            assert_never(value)


def _condition(condition: Condition) -> str:
    return " && ".join(f"{_nat(a)} < {_nat(b)}" for a, b in condition.below) or "true"


def _nat(a: Nat) -> str:
    return show_nat(a, brackets="()")
