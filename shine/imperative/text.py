"""Prints the imperative IR for people. Independent of the syntax of targets."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import assert_never

from rise.naturals import Nat
from rise.text.type_printer import show_type
from shine.imperative.axes import names_for
from shine.imperative.naturals_text import zero_remainder
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    CommitCopies,
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
from shine.imperative.visibility import AS_MADE, Visible, visible_in
from shine.imperative.walk import constants


def write_procedure(procedure: Procedure) -> tuple[str, tuple[Origin | None, ...]]:
    """The text, with the path in the low-level program from which each line was translated."""
    called = names_for(procedure.body, procedure.inputs, procedure.output)
    page = visible_in(procedure.body, called, procedure.inputs)
    page.bind_all(procedure.sizes)
    page.bind_all(buffer for one in (*procedure.inputs, procedure.output) for buffer in one.buffers)
    lines: list[tuple[str, Origin | None]] = [
        (signature_text(procedure), None),
        *((f"  {function.text}", None) for function in procedure.foreign),
        *write_constants(procedure.body, "  ", page),
        *write_block(procedure.body, "  ", page),
    ]
    return "".join(f"{text}\n" for text, _ in lines), tuple(origin for _, origin in lines)


def write_constants(
    block: Block, indent: str = "", page: Visible = AS_MADE
) -> Iterator[tuple[str, Origin | None]]:
    """The lines that declare the constants of a block, each with its origin."""
    return ((f"{indent}{_constant(buffer, page)}", buffer.origin) for buffer in constants(block))


def _constant(buffer: Buffer, page: Visible) -> str:
    numbers = ", ".join(write_value(number, page) for number in buffer.contents)
    name, of, size = page.bind(buffer), show_type(buffer.element), page.nat(buffer.size)
    return f"constants {name} : {of} [{size}] = [{numbers}]"


def write_block(
    block: Block, indent: str = "", page: Visible = AS_MADE
) -> Iterator[tuple[str, Origin | None]]:
    """The lines of a block, each with its origin."""
    name, nat = page.name, page.nat
    value_text = partial(write_value, page=page)
    for statement in block.statements:
        origin = statement.origin
        match statement:
            case Assign(buffer, index, value, _, _, asynchronous):
                arrow = "<~" if asynchronous else ":="
                yield f"{indent}{name(buffer)}[{nat(index)}] {arrow} {value_text(value)}", origin
            case Define(local, value) if page.omits(statement):
                page.alias(local, value_text(value))
            case Define(local, value):
                text = value_text(value)
                yield f"{indent}{page.bind(local)} : {show_type(local.type)} = {text}", origin
            case DefineIndex(index, Operation("select", (Local() as test, Index(), Index()))) if (
                page.renames and name(test).removesuffix("[0]").isidentifier()
            ):
                page.alias(index, name(test))
            case DefineIndex(index, value):
                text = value_text(value)
                yield f"{indent}{page.bind(index)} : nat = {text}", origin
            case Allocate(buffer):
                of, size = show_type(buffer.element), nat(buffer.size)
                yield f"{indent}new {page.bind(buffer)} : {of} [{size}] in {buffer.space}", origin
            case For(index, count, kind, body):
                inside, end = page.loop(statement), nat(count)
                when = "" if statement.worth is None else f" if {_condition(statement.worth, page)}"
                by = f" by {statement.code.name}" if statement.code is not None else ""
                yield f"{indent}for {inside.name(index)} < {end} ({_kind(kind)}{when}){by}", origin
                yield from write_block(body, indent + "  ", inside)
            case If(condition, body):
                yield f"{indent}if {_condition(condition, page)}", origin
                yield from write_block(body, indent + "  ", page.inside())
            case AtomicUpdate(operation, buffer, index, value):
                place = f"{name(buffer)}[{nat(index)}]"
                yield f"{indent}atomic {place} := {operation}({place}, {value_text(value)})", origin
            case Barrier(scope):
                yield f"{indent}barrier ({scope})", origin
            case Prefetch(buffer, index, stores):
                yield f"{indent}prefetch {name(buffer)}[{nat(index)}]{' to store' if stores else ''}", origin
            case CommitCopies():
                yield f"{indent}group copies", origin
            case AwaitCopies(_, prior):
                latest = f" but the latest {prior} groups" if prior else ""
                yield f"{indent}await copies{latest}", origin
            case LoadFragment(target, source):
                yield f"{indent}{_piece(target, page)} := load {_matrix(source, page)}", origin
            case StoreFragment(matrix, fragment):
                yield f"{indent}{_matrix(matrix, page)} := store {_piece(fragment, page)}", origin
            case FillFragment(target, value):
                yield f"{indent}{_piece(target, page)} := fill {value_text(value)}", origin
            case MultiplyAdd(target):
                yield f"{indent}{_piece(target, page)} := {_product(statement, page)}", origin
            case MapFragment(target, sources, parameters, body, value):
                of, inside = ", ".join(_piece(one, page) for one in sources), page.inside()
                names = ", ".join(map(inside.bind, parameters))
                yield f"{indent}{_piece(target, page)} := map ({names}) of ({of})", origin
                yield from write_block(body, indent + "  ", inside)
                yield f"{indent}  give {write_value(value, inside)}", origin
            case _:
                assert_never(statement)


def write_value(value: Value, page: Visible = AS_MADE) -> str:
    """The text of a value."""
    match value:
        case Load(buffer, index, lanes):
            wide = f" .. {lanes} lanes" if lanes > 1 else ""
            return f"{page.name(buffer)}[{page.nat(index)}{wide}]"
        case Constant(number, t):
            return f"{number}{t.name}"
        case Index(a, t):
            return f"({page.nat(a)} : {t.name})"
        case Local():
            return page.name(value)
        case Operation("cast", (argument,), t):
            return f"cast{{{show_type(t)}}}({write_value(argument, page)})"
        case Operation(name, arguments):
            return f"{name}({', '.join(write_value(one, page) for one in arguments)})"
        case Guarded(condition, inner, otherwise):
            return f"({_condition(condition, page)} ? {write_value(inner, page)} : {write_value(otherwise, page)})"
        case Exchange(buffer, index, lane):
            return f"{page.name(buffer)}[{page.nat(index)}] of lane {page.nat(lane)}"
        case _:
            assert_never(value)


def _kind(kind: LoopKind) -> str:
    return f"{kind.name} {kind.dimension}" if isinstance(kind, Level) else kind


def _product(statement: MultiplyAdd, page: Visible) -> str:
    left, right, addend = (
        _piece(piece, page) for piece in (statement.left, statement.right, statement.addend)
    )
    by = f" by {statement.foreign.name}" if statement.foreign is not None else ""
    return f"{left} * {right} + {addend}{by}"


def _piece(piece: Piece, page: Visible) -> str:
    return f"{page.name(piece.buffer)}[{page.nat(piece.index)}]"


def _matrix(matrix: Matrix, page: Visible) -> str:
    lines = "rows" if matrix.by_rows else "columns"
    return f"{page.name(matrix.buffer)}[{page.nat(matrix.index)} .. {lines} {page.nat(matrix.stride)} apart]"


def _condition(condition: Condition, page: Visible) -> str:
    return " && ".join(_below(a, b, page) for a, b in condition.below) or "true"


def _below(a: Nat, b: Nat, page: Visible) -> str:
    remainder = zero_remainder(b - a)
    return f"{page.nat(a)} < {page.nat(b)}" if remainder is None else f"{page.nat(remainder)} == 0"
