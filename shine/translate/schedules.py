"""Translates the primitives that allow a pass to change loops. Passes are identified by name only.

Loops that are emitted while a value is read or written are marked with the name of the pass that may change them.
Elements that are computed on demand belong to the loop that reads them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from shine.imperative.nodes import Block, For, Statement, omission
from shine.imperative.walk import map_statements
from shine.translate.core import Call, Translation, Translator, read, write
from shine.translate.trampoline import Task
from shine.translate.values import PairReader, Place, Reader


def _translation(name: str, change: str) -> Translation:
    def read_inside(tr: Translator, call: Call) -> Task[Reader]:
        return _inside(tr, change, lambda: read(tr, call.last))

    def write_inside(tr: Translator, call: Call, place: Place) -> Task[None]:
        start = tr.position
        yield write(tr, place, call.last)
        tr.revise(start, lambda block: allowing(block, change))

    return Translation(name, "a -> a", read=read_inside, write=write_inside)


def _inside(tr: Translator, change: str, found: Callable[[], Task[Reader]]) -> Task[Reader]:
    """A value, all of whose loops may be changed, those of the parts of a pair too, which are found on demand."""
    start = tr.position
    reader: Reader = yield found()
    tr.revise(start, lambda block: allowing(block, change))
    if isinstance(reader, PairReader):
        first, second = reader.first, reader.second
        return PairReader(lambda: _inside(tr, change, first), lambda: _inside(tr, change, second))
    return reader


def allowing(block: Block, change: str) -> Block:
    """The block with all its loops marked as allowed for a pass."""

    def marked(statement: Statement) -> tuple[Statement]:
        if isinstance(statement, For):
            return (replace(statement, allowed=statement.allowed | {change}),)
        return (statement,)

    return map_statements(block, marked)


#: the translation of each primitive, with the pass that it allows, or the prefetches that it forbids
SCHEDULES: Final = (
    _translation("peelBorders", "peel_borders"),
    _translation("unrollAndJam", "unroll_and_jam"),
    _translation("unjoinLoops", "unjoin_loops"),
    _translation("prefetchRows", "prefetch_rows"),
    _translation("omitCopyPrefetches", omission("copies")),
    _translation("omitResultPrefetches", omission("results")),
    _translation("omitRowPrefetches", omission("rows")),
)
