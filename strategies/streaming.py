"""Computes stencils in order: a loop over windows keeps what the next window needs. Uses the rules for streams."""

from __future__ import annotations

from elevate import Strategy, named, normalize, topDown, try_
from strategies.lowering.positions import Write
from strategies.parts.nests import fuse, simplify
from strategies.parts.parameters import check_sizes
from strategies.parts.schedules import allowChanges
from strategies.parts.streams import inOrder, ringsInOrder
from strategies.rules.lowering import etaAbstraction
from strategies.rules.streams import (
    bufferMap,
    rotateMap,
    slideToCircularBuffer,
    slideToRotateValues,
)
from strategies.vocabulary.traversals import argument


def _streamed(windows: Strategy, intoMemory: Strategy, borders: bool) -> Strategy:
    nest = argument(windows) >> try_(etaAbstraction)
    lower = Write((inOrder,)) >> ringsInOrder
    changes = allowChanges(borders, together=False, prefetch=False)
    return fuse >> topDown(nest) >> normalize(intoMemory | simplify) >> lower >> changes


@named
def circularBuffers(more: int = 0, borders: bool = True) -> Strategy:
    """Run over the windows of a stencil in order, and keep their elements in a ring buffer, with room for `more`."""
    check_sizes(0, more=more)
    return _streamed(slideToCircularBuffer(more), bufferMap, borders)


#: run over the windows of a stencil in order, and keep their elements in registers
rotatedValues: Strategy = named("rotatedValues", _streamed(slideToRotateValues, rotateMap, borders=True))
