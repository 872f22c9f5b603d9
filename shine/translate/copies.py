"""Translates `globalToShared`: finds assignments that may be asynchronous copies. Independent of targets and barriers.

A number that passes through it is marked by an operation of that name. When a procedure is complete, an assignment of
a marked value becomes asynchronous, and all marks are removed.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shine.imperative.nodes import Assign, Block, Operation, Statement, Value
from shine.imperative.rewrite import Parts, rewrite_block
from shine.imperative.vectors import COPY
from shine.imperative.walk import map_statements, value_of
from shine.translate.access import holds_array
from shine.translate.core import Call, Translation, Translator, read, write
from shine.translate.trampoline import Task
from shine.translate.values import PairReader, Place, Reader, ScalarReader, half


def read_copy(tr: Translator, call: Call) -> Task[Reader]:
    """The value itself; numbers are marked. An array is not marked: it depends on how its elements are read."""
    reader: Reader = yield read(tr, call.last)
    tr.has_copies = True
    return reader if holds_array(call.type) else _marked(reader)


def _marked(reader: Reader) -> Reader:
    match reader:
        case ScalarReader(value, depth):
            return ScalarReader(Operation(COPY, (value,), value.type), depth)
        case PairReader():
            return PairReader(lambda: _marked_half(reader, 0), lambda: _marked_half(reader, 1))
        case _:
            return reader


def _marked_half(reader: Reader, which: int) -> Task[Reader]:
    found: Reader = yield half(reader, which)
    return _marked(found)


def write_copy(tr: Translator, call: Call, place: Place) -> Task[None]:
    """Fill the place by assignments that may be asynchronous."""
    tr.open()
    yield write(tr, place, call.last)
    tr.emit(*asynchronous(tr.close()).statements)


def asynchronous(block: Block) -> Block:
    """The block with all its assignments asynchronous."""
    return map_statements(block, lambda statement: (_as_copy(statement, is_copy=True),))


def _as_copy(statement: Statement, is_copy: bool) -> Statement:
    return replace(statement, asynchronous=True) if isinstance(statement, Assign) and is_copy else statement


def settle_copies(block: Block) -> Block:
    """The block without marks, with asynchronous assignments of marked values."""
    settled = map_statements(block, lambda statement: (_as_copy(statement, _stores_marked(statement)),))
    return rewrite_block(settled, Parts(operation=_without_mark))


def _stores_marked(statement: Statement) -> bool:
    value = value_of(statement)
    return isinstance(value, Operation) and value.name == COPY


def _without_mark(value: Value) -> Value:
    match value:
        case Operation(name, (argument,)) if name == COPY:
            return argument
        case _:
            return value


COPIES: Final = (Translation("globalToShared", "a -> a", read=read_copy, write=write_copy),)
