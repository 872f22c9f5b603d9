"""Prints the imperative IR for people. Knows no target's syntax."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import starmap
from typing import assert_never

from rise.naturals import Nat
from rise.text.nat_printer import show_nat
from rise.text.type_printer import show_type
from shine.imperative.naturals_text import zero_remainder
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Condition,
    Constant,
    Define,
    DefineIndex,
    Exchange,
    FillFragment,
    For,
    Guarded,
    If,
    Index,
    Level,
    Load,
    LoadFragment,
    Local,
    LoopKind,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Operation,
    Origin,
    Piece,
    Prefetch,
    Procedure,
    StoreFragment,
    Value,
)
from shine.imperative.signature import signature_text


def write_procedure(procedure: Procedure) -> tuple[str, tuple[Origin | None, ...]]:
    """The text, with the path in the low-level program from which each line was translated."""
    lines: list[tuple[str, Origin | None]] = [
        (signature_text(procedure), None),
        *((f"  {function.text}", None) for function in procedure.foreign),
        *write_block(procedure.body, "  "),
    ]
    return "".join(f"{text}\n" for text, _ in lines), tuple(origin for _, origin in lines)


def write_block(block: Block, indent: str = "") -> Iterator[tuple[str, Origin | None]]:
    """The lines of a block, each with its origin."""
    for statement in block.statements:
        origin = statement.origin
        match statement:
            case Assign(buffer, index, value, _, _, asynchronous):
                arrow = "<~" if asynchronous else ":="
                yield f"{indent}{buffer.name}[{_nat(index)}] {arrow} {write_value(value)}", origin
            case Define(local, value):
                yield f"{indent}{local.name} : {show_type(local.type)} = {write_value(value)}", origin
            case DefineIndex(name, value):
                yield f"{indent}{name.name} : nat = {write_value(value)}", origin
            case Allocate(buffer):
                of = show_type(buffer.element)
                yield f"{indent}new {buffer.name} : {of} [{_nat(buffer.size)}] in {buffer.space}", origin
            case For(index_name, count, kind, body):
                yield f"{indent}for {index_name.name} < {_nat(count)} ({_kind(kind)})", origin
                yield from write_block(body, indent + "  ")
            case If(condition, body):
                yield f"{indent}if {_condition(condition)}", origin
                yield from write_block(body, indent + "  ")
            case AtomicUpdate(operation, buffer, index, value):
                place = f"{buffer.name}[{_nat(index)}]"
                yield f"{indent}atomic {place} := {operation}({place}, {write_value(value)})", origin
            case Barrier(scope):
                yield f"{indent}barrier ({scope})", origin
            case Prefetch(buffer, index, stores):
                yield f"{indent}prefetch {buffer.name}[{_nat(index)}]{' to store' if stores else ''}", origin
            case AwaitCopies():
                yield f"{indent}await copies", origin
            case LoadFragment(target, source):
                yield f"{indent}{_piece(target)} := load {_matrix(source)}", origin
            case StoreFragment(matrix, fragment):
                yield f"{indent}{_matrix(matrix)} := store {_piece(fragment)}", origin
            case FillFragment(target, value):
                yield f"{indent}{_piece(target)} := fill {write_value(value)}", origin
            case MultiplyAdd(target, left, right, addend):
                product = f"{_piece(left)} * {_piece(right)} + {_piece(addend)}"
                yield f"{indent}{_piece(target)} := {product}", origin
            case MapFragment(target, sources, parameters, body, value):
                names = ", ".join(parameter.name for parameter in parameters)
                of = ", ".join(map(_piece, sources))
                yield f"{indent}{_piece(target)} := map ({names}) of ({of})", origin
                yield from write_block(body, indent + "  ")
                yield f"{indent}  give {write_value(value)}", origin
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
        case Exchange(buffer, index, lane):
            return f"{buffer.name}[{_nat(index)}] of lane {_nat(lane)}"
        case _:
            assert_never(value)


def _kind(kind: LoopKind) -> str:
    return f"{kind.name} {kind.dimension}" if isinstance(kind, Level) else kind


def _piece(piece: Piece) -> str:
    return f"{piece.buffer.name}[{_nat(piece.index)}]"


def _matrix(matrix: Matrix) -> str:
    lines = "rows" if matrix.by_rows else "columns"
    return f"{matrix.buffer.name}[{_nat(matrix.index)} .. {lines} {_nat(matrix.stride)} apart]"


def _condition(condition: Condition) -> str:
    return " && ".join(starmap(_below, condition.below)) or "true"


def _below(a: Nat, b: Nat) -> str:
    remainder = zero_remainder(b - a)
    return f"{_nat(a)} < {_nat(b)}" if remainder is None else f"{_nat(remainder)} == 0"


def _nat(a: Nat) -> str:
    return show_nat(a)
