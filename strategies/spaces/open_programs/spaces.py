"""The spaces of all schedules of a program, for GPUs and for processors."""

from __future__ import annotations

from elevate import Strategy
from rise.terms import Expr
from strategies.spaces.holes import bounded, space
from strategies.spaces.open_programs.bounds import gpu_bound, processor_bound
from strategies.spaces.open_programs.hierarchies import OF_GPU, OF_PROCESSOR
from strategies.spaces.open_programs.programs import scheduled


@bounded(gpu_bound, prefixes=True)
@space
def gpu(program: Expr) -> Strategy:
    """All schedules of a product or a map in blocks, warps with lanes or threads, loops and memories of a GPU."""
    return scheduled(program, OF_GPU)


@bounded(processor_bound, prefixes=True)
@space
def processor(program: Expr) -> Strategy:
    """All schedules of a product or a map in tiles of cores, loops, vectors and packed copies of a processor."""
    return scheduled(program, OF_PROCESSOR)
