"""Fireiron's schedules as values that compile to strategies (PACT 2020), for products, maps, reductions and moves."""

from strategies.fireiron.micro_kernels import MicroKernel
from strategies.fireiron.reader import read_schedule
from strategies.fireiron.schedule import (
    A,
    B,
    Chain,
    ColMajor,
    Contract,
    Map,
    MatMul,
    Move,
    Reduce,
    RowMajor,
    Schedule,
)
from strategies.fireiron.specs import CA, FR, GL, RF, SH, Block, Core, Kernel, Lane, Thread, Vector, Warp
from strategies.fireiron.tiles import Strided

__all__ = [
    "CA",
    "Core",
    "Vector",
    "FR",
    "GL",
    "RF",
    "SH",
    "A",
    "B",
    "Block",
    "Chain",
    "ColMajor",
    "Contract",
    "Kernel",
    "Lane",
    "Map",
    "MatMul",
    "MicroKernel",
    "Move",
    "Reduce",
    "RowMajor",
    "Schedule",
    "Strided",
    "Thread",
    "Warp",
    "read_schedule",
]
