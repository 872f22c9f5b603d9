"""Performance models: lower bounds on the time of a candidate, from its decisions, a program with its sizes, and a
processor.

All models are optimistic: they assume no cache misses except those that no program avoids, perfect instruction
schedules, and the highest clock rate. Independent of imperative programs; nothing is measured.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Final

import rise
from rise.analysis.reads import numbers_in, reads_in
from rise.hardware import Device, Processor
from rise.naturals import ZERO
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.terms import DepLam, Expr, Lam
from rise.types import ArrayType, DepArrayType, PairType, ScalarType, Type, VectorType, type_at
from strategies.costs.decisions import typical
from strategies.spaces.bounds import Bound, Use

BYTE_BITS: Final = 8
FMA_OPERATIONS: Final = 2  # of a multiply-add: a multiplication and an addition
#: instructions in flight if the record does not say: no processor is known to have more
MOST_AHEAD: Final = 1024
UNKNOWN: Final = Bound(0.0, "the clock rate of this processor is not known")


@dataclass(frozen=True)
class Setting:
    """The setting of a bound: a program with sizes, run by a number of threads of a processor, or by a GPU.

    `compiler` is the one that builds it, with its major version and the processor that it optimises for, such as `gcc
    12 for znver3`; empty if it is not known.
    """

    program: Expr
    sizes: Mapping[str, int]
    machine: Processor
    threads: int = 1
    device: Device | None = None
    compiler: str = ""
    term: Expr = field(init=False)
    """The program with its sizes fixed."""
    operations: float = field(init=False)
    """The number of operations on numbers in the program as written, in units of additions."""
    depth: float = field(init=False)
    """The number of multiply-adds for each number of the result, at least one."""
    scalar: str = field(init=False)
    """The type with the most bits among those of inputs and result."""
    input_bytes: float = field(init=False)
    """The size of all inputs."""
    bytes: float = field(init=False)
    """The size of all inputs and of the result."""

    def __post_init__(self) -> None:
        """Compute the facts that bounds need repeatedly."""
        term = rise.specialise(self.program, **self.sizes)
        body = _body(term)
        operations = float(typical(reads_in(body).operations))
        results = float(typical(numbers_in(body.type)))
        input_bytes = sum(_bytes(t) for t in _parameters(term))
        counted = {
            "term": term,
            "operations": operations,
            "depth": max(1.0, operations / FMA_OPERATIONS / max(results, 1.0)),
            "scalar": max(_scalars(term), key=lambda name: SCALARS[name].bits, default="f32"),
            "input_bytes": input_bytes,
            "bytes": input_bytes + _bytes(body.type),
        }
        for name, value in counted.items():
            object.__setattr__(self, name, value)

    @property
    def clock(self) -> float | None:
        """Cycles of the processor in a second; None if it is not known, and for a GPU, whose time no bound of
        processors limits.
        """
        return None if self.device is not None else self.machine.clock

    @property
    def window(self) -> int:
        """The number of instructions that a core looks ahead."""
        return MOST_AHEAD if self.machine.window is None else self.machine.window

    @property
    def lanes(self) -> int:
        """The number of the program's numbers in a vector."""
        return self.machine.lanes_of(self.scalar)

    def seconds(self, cycles: float) -> float:
        """The time of this many cycles of one core, divided among all threads; 0 if the clock rate is not known."""
        return cycles / (self.clock * self.threads) if self.clock else 0.0


def program_bound(at: Setting) -> Bound:
    """The bound of every candidate: all inputs are loaded once, and what does not fit into caches from memory."""
    machine = at.machine
    bound = UNKNOWN
    if at.device is not None:
        return Bound(0.0, "the program")
    if machine.clock and machine.l1_load:
        bound = Bound(at.seconds(at.input_bytes / machine.l1_load), "loading the inputs once")
    if machine.memory_bandwidth:
        kept = machine.l3 or (machine.l2 or machine.l1) * at.threads
        missing = max(0.0, at.bytes - kept)
        bound = bound.at_least(Bound(missing / machine.memory_bandwidth, "memory bandwidth"))
    return bound


def register_tiles_bound(at: Setting, rows: int, vectors: int) -> Bound:
    """The bound of a matrix product in tiles of `rows` x `vectors` vectors that stay in registers.

    A step adds one product to each number of a tile: it takes rows x vectors multiply-adds, loads a number for each row
    and each vector, and cannot start before the previous step has finished its additions. Processors begin the next
    tiles before the last steps of a tile end, as far as they look ahead. Tiles at the edges count in proportion to
    their size.
    """
    machine = at.machine
    if not at.clock:
        return UNKNOWN
    steps = at.operations / FMA_OPERATIONS / (rows * vectors * at.lanes)
    number = SCALARS[at.scalar].bits
    bits = max(machine.vector_bits, number)
    together = 1 + at.window / (at.depth * rows * vectors)
    step = Use(
        machine.fma_latency / together,
        {
            "multiply-add units": rows * vectors,
            "loads from L1": (vectors * bits + rows * number) / BYTE_BITS,
            "load instructions": rows + vectors,
        },
    )
    each = (("loads from L1", machine.l1_load), ("load instructions", machine.vector_loads))
    has = {"multiply-add units": machine.fma_units, **{name: count for name, count in each if count}}
    one = step.bound(has)
    why = "the latency of sums" if one.why == "latency" else one.why
    return Bound(at.seconds(steps * float(one.time)), why)


def _body(term: Expr) -> Expr:
    while isinstance(term, Lam | DepLam):
        term = term.children[0]
    return term


def _parameters(term: Expr) -> list[Type]:
    found: list[Type] = []
    while isinstance(term, Lam | DepLam):
        if isinstance(term, Lam):
            found.append(term.parameter)
        term = term.children[0]
    return found


def _scalars(term: Expr) -> list[str]:
    found: list[str] = []
    waiting = [*_parameters(term), _body(term).type]
    while waiting:
        match waiting.pop():
            case ScalarType(name):
                found.append(name)
            case ArrayType(_, element) | VectorType(_, element):
                waiting.append(element)
            case PairType(first, second):
                waiting += [first, second]
            case DepArrayType(_, family):
                waiting.append(type_at(family, ZERO))
            case _:
                pass
    return found


def _bytes(t: Type) -> float:
    """The size of a value in bytes; 0 for other types than numbers, pairs and regular arrays, so that bounds stay below
    times.
    """
    match t:
        case ArrayType(size, element) | VectorType(size, element):
            return float(size.constant or 0) * _bytes(element)
        case PairType(first, second):
            return _bytes(first) + _bytes(second)
        case ScalarType(name):
            return SCALARS[name].bits / BYTE_BITS
        case _:
            return 0.0
