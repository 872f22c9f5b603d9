"""Copies operands to the shared memory of a block, by all of its threads, several numbers at a time, in padded rows.

Depends on patterns and levels of threads, but not on instructions.
"""

from __future__ import annotations

from elevate import Strategy, named, sometd, where
from rise.records import dataclass
from rise.terms import App, DepApp, Expr, Primitive
from rise.types import ArrayType, Space
from strategies.parts.parameters import check_sizes, check_switches
from strategies.rules.gpu import mapToMapThreads
from strategies.rules.lowering import copy
from strategies.rules.movement import splitJoin
from strategies.rules.staging import (
    copyAsynchronously,
    padRows,
    splitOfJoin,
    toMemShared,
    transposeTwice,
    vectorsOf,
)
from strategies.rules.stencils import splitJoinEmpty
from strategies.vocabulary.traversals import argument, body, mapped


def hasHigherRank(e: Expr) -> bool:
    """An array of matrices."""
    t = e.type
    return (
        isinstance(t, ArrayType)
        and isinstance(t.element, ArrayType)
        and isinstance(t.element.element, ArrayType)
    )


def isMatrixOfNumbers(e: Expr) -> bool:
    """An array of arrays of numbers."""
    return isinstance(e.type, ArrayType) and isinstance(e.type.element, ArrayType) and not hasHigherRank(e)


@dataclass(frozen=True, slots=True)
class InRows(Strategy):
    """View an array of any rank as a matrix of its innermost rows, and apply a strategy to that."""

    inner: Strategy

    def unfold(self) -> Strategy:
        return where(isMatrixOfNumbers) >> self.inner | where(hasHigherRank) >> splitOfJoin >> argument(self)


@named
def copyByThreads(width: int) -> Strategy:
    """Copy an array by all threads of the block, each copying one element at a time, in rows of `width` elements unless
    that is 0.
    """
    check_sizes(0, width=width)
    inRows = argument(mapToMapThreads(1) >> mapped(body(mapToMapThreads(0))))
    whole, overrunning = splitJoin(width) >> inRows, splitJoinEmpty(width) >> argument(inRows)
    return copy >> (whole | overrunning) if width else copy >> mapToMapThreads(0)


def isStoredShared(e: Expr) -> bool:
    """`toMem(Shared, xs)`."""
    match e:
        case App(DepApp(Primitive("toMem"), Space("Shared"))):
            return True
    return False


#: make the copies of a lowered program to shared memory asynchronous, of numbers or vectors of 4, 8 or 16 bytes
asynchronousCopies: Strategy = named(
    "asynchronousCopies", sometd(where(isStoredShared) >> argument(sometd(copyAsynchronously)))
)


@named
def stageMatrix(vector: int, room: int, width: int = 0) -> Strategy:
    """Store a matrix in shared memory: copied `vector` numbers at a time, each row padded by `room` numbers.

    `width` is the extent of the block's first dimension if it has two.
    """
    check_sizes(vector=vector)
    check_sizes(0, room=room, width=width)
    flat = splitOfJoin >> argument(copyByThreads(width))
    inside = vectorsOf(vector) >> argument(flat) if vector > 1 else flat
    return toMemShared >> (
        padRows(room) >> argument(argument(argument(inside))) if room else argument(inside)
    )


@named
def stageAcross(vector: int, room: int, width: int = 0) -> Strategy:
    """Store an operand in shared memory by the next outer dimension, as `stage` does by columns, but copy it along its
    innermost one, `vector` numbers at a time, each of which is stored in another row, padded by `room` numbers.
    """
    check_sizes(vector=vector)
    check_sizes(0, room=room, width=width)
    flat = splitOfJoin >> argument(copyByThreads(width))
    inside = argument(vectorsOf(vector) >> argument(flat) if vector > 1 else flat)
    inRows = padRows(room) >> argument(argument(argument(inside))) if room else argument(inside)
    return InRows(transposeTwice >> argument(toMemShared >> inRows))


@named
def stage(by_columns: bool, vector: int, room: int, width: int = 0) -> Strategy:
    """Store an operand in shared memory by rows of its innermost dimension or, `by_columns`, of the next outer one."""
    check_switches(by_columns=by_columns)
    matrix = stageMatrix(vector, room, width)
    return InRows(transposeTwice >> argument(matrix) if by_columns else matrix)
