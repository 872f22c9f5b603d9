"""Spaces of programs over the rows of a matrix, such as softmax, on CPUs."""

from __future__ import annotations

from elevate import Strategy
from rise.hardware import Processor
from strategies import openmp
from strategies.spaces.holes import choose, space


@space
def rows(machine: Processor) -> Strategy:
    """Reductions of rows, and what is computed from them: partial results, blocks, rows at once, prefetching."""
    accumulators = choose("accumulators", (None, *(machine.lanes * vectors for vectors in (1, 2, 4, 8))))
    tile = choose("tile", [machine.lanes * vectors for vectors in (1, 2, 4, 8, 16)])
    together = choose("together", (True, False))
    prefetch = choose("prefetch", (True, False))
    return openmp.parallel(
        tile=tile, together=together, prefetch=prefetch, machine=machine, accumulators=accumulators
    )
