"""Translates parallel reductions: runs of elements in parallel, then their results in order. Independent of targets."""

from __future__ import annotations

from typing import Final

from rise.naturals import Nat, const
from rise.quotients import floor_quotient
from rise.types import ArrayType
from shine.imperative.accesses import check_nesting
from shine.imperative.nodes import Condition
from shine.translate.core import Call, Known, Translation, Translator, read
from shine.translate.layout import Cells, inner_cells
from shine.translate.memory import copy, place_at, reader_at
from shine.translate.patterns import accumulator
from shine.translate.trampoline import Task
from shine.translate.updates import update
from shine.translate.values import Reader, element
from shine.translate.views import array_of

#: the number of runs; it does not depend on the number of threads, so that rounding does not either
RUN_COUNT: Final = 64


def read_reduce_parallel(tr: Translator, call: Call) -> Task[Reader]:
    """Each run starts with its own first element, so that the start value need not be neutral."""
    function, start, operand = call.operands
    t, size = call.type, array_of(call.parameters[2]).size
    length = floor_quotient(size, const(RUN_COUNT))
    xs: Reader = yield read(tr, operand)
    total: Cells = yield accumulator(tr, call, start)
    results = tr.allocate(ArrayType(const(RUN_COUNT), t), "Local", "found", call.path)

    def combine(cells: Cells, x: Reader) -> Task[None]:
        yield update(tr, function, (), t, cells, (Known(x, t),), call.path)

    def run(number: Nat) -> Task[None]:
        cells = tr.allocate(t, "Local", "acc", call.path)
        tr.mutable.update(buffer.name for buffer, _ in cells)
        first: Reader = yield element(xs, number * length)
        yield copy(tr, first, place_at(tr, t, cells, call.path), t, call.path)

        def step(k: Nat) -> Task[None]:
            x: Reader = yield element(xs, number * length + 1 + k)
            yield combine(cells, x)

        yield tr.loop("seq", length - 1, "k", call.path, step)
        target = place_at(tr, t, inner_cells(results, const(RUN_COUNT), number), call.path)
        yield copy(tr, reader_at(tr, t, cells, call.path), target, t, call.path)

    def combine_result(number: Nat) -> Task[None]:
        yield combine(total, reader_at(tr, t, inner_cells(results, const(RUN_COUNT), number), call.path))

    def runs() -> Task[None]:
        loop = yield tr.loop("parallel", const(RUN_COUNT), "run", call.path, run)
        if loop is not None:
            check_nesting(loop)
        yield tr.loop("seq", const(RUN_COUNT), "run", call.path, combine_result)

    def combine_remaining(k: Nat) -> Task[None]:
        x: Reader = yield element(xs, length * RUN_COUNT + k)
        yield combine(total, x)

    yield tr.when(Condition(((const(0), length),)), call.path, runs)
    yield tr.loop("seq", size - length * RUN_COUNT, "k", call.path, combine_remaining)
    return reader_at(tr, t, total, call.path)


PARALLEL_REDUCTIONS: Final = (
    Translation("reducePar", "(read -> read -> write) -> b -> read -> read", read=read_reduce_parallel),
)
