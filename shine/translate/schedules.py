"""Translates the primitives that allow a pass to change loops. Passes are identified by name only.

Loops that are emitted while a value is read or written are marked with the name of the pass that may change them.
Elements that are computed on demand belong to the loop that reads them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from shine.imperative.nodes import Block, For, Statement
from shine.imperative.walk import map_statements
from shine.translate.core import Call, Translation, Translator, read, write
from shine.translate.trampoline import Task
from shine.translate.values import Place, Reader


def _translation(name: str, change: str) -> Translation:
    def read_inside(tr: Translator, call: Call) -> Task[Reader]:
        start = tr.position
        reader: Reader = yield read(tr, call.last)
        tr.revise(start, lambda block: allowing(block, change))
        return reader

    def write_inside(tr: Translator, call: Call, place: Place) -> Task[None]:
        start = tr.position
        yield write(tr, place, call.last)
        tr.revise(start, lambda block: allowing(block, change))

    return Translation(name, "a -> a", read=read_inside, write=write_inside)


def allowing(block: Block, change: str) -> Block:
    """The block with all its loops marked as allowed for a pass."""

    def marked(statement: Statement) -> tuple[Statement]:
        if isinstance(statement, For):
            return (replace(statement, allowed=statement.allowed | {change}),)
        return (statement,)

    return map_statements(block, marked)


#: the translation of each primitive, with the pass that it allows
SCHEDULES: Final = (
    _translation("peelBorders", "peel_borders"),
    _translation("unrollAndJam", "unroll_and_jam"),
    _translation("unjoinLoops", "unjoin_loops"),
    _translation("prefetchRows", "prefetch_rows"),
)
