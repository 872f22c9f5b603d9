"""Spaces of stencils on CPUs: blocks or vectors of lines, and permissions for the target."""

from __future__ import annotations

from elevate import Strategy
from rise.hardware import Processor
from strategies import images, openmp
from strategies.spaces.holes import choose, space

LINES = "lines"


@space
def stencil(machine: Processor) -> Strategy:
    """A stencil: loops over numbers in blocks, or over lines of separable filters as vectors, in strips for threads."""
    kind = choose("kind", ("blocks", "dependent", LINES))
    if kind == LINES:
        lanes = choose("lanes", [machine.lanes * vectors for vectors in (1, 2, 4)])
        return images.parallel(lanes=lanes, size=choose("strip", (8, 16, 32, 64)))
    tile = choose("tile", [machine.lanes * vectors for vectors in (1, 2, 4, 8, 16)])
    borders = choose("borders", (True, False))
    if kind == "dependent":
        return openmp.depTiled(tile, borders=borders)
    together = choose("together", (True, False))
    return openmp.parallel(tile=tile, borders=borders, together=together, machine=machine)
