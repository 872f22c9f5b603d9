"""Kernels with shared memory, built by hand and at random, and traces of the accesses of their threads.

Independent of the placement of barriers: threads are run, and the trace shows where two of them race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Any

import numpy as np
from hypothesis import strategies as some

from rise.naturals import Nat, NatLike, NatVar, const, nat
from rise.quotients import NatCall, floor_quotient, remainder
from shine.imperative.kernels import LANES, GpuKernel, Launch
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    AwaitCopies,
    Barrier,
    Block,
    Buffer,
    Define,
    For,
    If,
    Level,
    LevelName,
    Load,
    LoadFragment,
    MultiplyAdd,
    Operation,
    Statement,
    StoreFragment,
    Value,
)
from tests.shine.procedures import F32, assign, load, loop, number

ONE = const(1)


def shared(name: str, size: int = 512) -> Buffer:
    """An array in shared memory."""
    return Buffer(name, F32, const(size), "Shared", (1,))


def array(name: str, size: NatLike = 4096) -> Buffer:
    """A parameter."""
    return Buffer(name, F32, nat(size), "Global", ())


def over(
    level: LevelName, name: str, end: NatLike, body: Callable[[Nat], Sequence[Statement]], dimension: int = 0
) -> For:
    """A loop over a level."""
    return loop(name, end, body, Level(level, dimension))


def launch(*block: int, warps: tuple[int, int, int] | None = None, grid: NatLike = 1) -> Launch:
    """A launch of blocks with this number of threads, or these warps."""
    if warps is not None:
        block = (LANES * warps[0] * warps[1] * warps[2],)
    x, y, z = (*block, 1, 1)[:3]
    return Launch((nat(grid), ONE, ONE), (x, y, z), warps)


def kernel(how: Launch, *statements: Statement) -> GpuKernel:
    """A kernel."""
    return GpuKernel("kernel", how, Block(statements))


def copy(to: Buffer, index: NatLike, source: Buffer, at: NatLike) -> Assign:
    """A copy of an element."""
    return assign(to, index, load(source, at))


def fill(to: Buffer, index: NatLike) -> Assign:
    """A store of a constant to an element."""
    return assign(to, index, number(1.0))


# traces


@dataclass(slots=True)
class Trace:
    """Accesses of all threads: buffer, element, numbers of the phases between barriers of the block and of the warp,
    kind, thread.

    Kinds are read, write, update, copy (asynchronous); wait (for copies), without a buffer; and allocate, without an
    element.
    """

    accesses: list[tuple[str, int, int, int, str, int]] = field(default_factory=list)


@dataclass(slots=True)
class _Run:
    launch: Launch
    watched: frozenset[str]
    trace: Trace
    block_phase: int
    warp_phase: Any  # of each thread

    @property
    def threads(self) -> int:
        x, y, z = self.launch.block
        return x * y * z


def run(made: GpuKernel, *buffers: Buffer, sizes: dict[NatVar, int] | None = None) -> Trace:
    """The trace of the threads of block 0 for some buffers."""
    x, y, z = made.launch.block
    threads = x * y * z
    one = _Run(made.launch, frozenset(b.name for b in buffers), Trace(), 0, np.zeros(threads, int))
    at = {size: np.full(threads, value) for size, value in (sizes or {}).items()}
    _run(one, made.body.statements, at, np.ones(threads, bool))
    return one.trace


def _run(one: _Run, statements: Iterable[Statement], at: dict[NatVar, Any], active: Any) -> None:
    for statement in statements:
        match statement:
            case Assign(buffer, index, value):
                _read(one, value, at, active)
                _touch(one, "copy" if statement.asynchronous else "write", buffer, index, at, active)
            case AwaitCopies():
                for thread in np.flatnonzero(active).tolist():
                    phase = int(one.warp_phase[thread])
                    one.trace.accesses.append(("", 0, one.block_phase, phase, "wait", thread))
            case AtomicUpdate(_, buffer, index, value):
                _read(one, value, at, active)
                _touch(one, "update", buffer, index, at, active)
            case Define(_, value):
                _read(one, value, at, active)
            case LoadFragment(target, matrix) | StoreFragment(matrix, target):
                kind = "read" if isinstance(statement, LoadFragment) else "write"
                rows, columns = target.type.rows.constant, target.type.columns.constant
                assert rows and columns and matrix.by_rows
                for i in range(rows):
                    for j in range(columns):  # it is unspecified which lane has which number
                        lane = (i + j + 7 * (kind == "read")) % LANES
                        mine = active & (np.arange(one.threads) % LANES == lane)
                        _touch(one, kind, matrix.buffer, matrix.index + i * matrix.stride + j, at, mine)
            case Barrier("block"):
                assert active.all(), "a barrier of the block that not all threads reach"
                one.block_phase += 1
            case Barrier("warp"):
                warps = active.reshape(-1, LANES)
                assert (warps.all(1) | ~warps.any(1)).all(), "a barrier of a warp that not all lanes reach"
                one.warp_phase = one.warp_phase + active
            case If(condition, body):
                holds = active
                for a, b in condition.below:
                    holds = holds & (evaluated(a, at, one.threads) < evaluated(b, at, one.threads))
                if holds.any():
                    _run(one, body.statements, at, holds)
            case For():
                _loop(one, statement, at, active)
            case Allocate(buffer):
                if buffer.name in one.watched:
                    one.trace.accesses.append((buffer.name, -1, one.block_phase, 0, "allocate", 0))
            case MultiplyAdd():
                pass
            case _:
                raise AssertionError(statement)


def _loop(one: _Run, made: For, at: dict[NatVar, Any], active: Any) -> None:
    end = evaluated(made.count, at, one.threads)
    start, step = np.zeros(one.threads, int), 1
    if isinstance(made.kind, Level):
        start, step = _place(one.launch, made.kind, one.threads)
    while (active & (start < end)).any():
        _run(one, made.body.statements, at | {made.index: start}, active & (start < end))
        start = start + step


def _place(how: Launch, level: Level, threads: int) -> tuple[Any, int]:
    """The position of each thread along a level, and the number of units."""
    number_of, d = np.arange(threads), level.dimension
    extent = how.extent(level).constant
    assert extent is not None, level
    match level.name:
        case "threads" | "global":
            x, y, _ = how.block
            return number_of // (1, x, x * y)[d] % how.block[d], extent
        case "block":
            return np.zeros(threads, int), extent
        case "lane":
            return number_of % LANES, extent
        case "warp":
            assert how.warps is not None
            x, y, _ = how.warps
            return number_of // LANES // (1, x, x * y)[d] % how.warps[d], extent


def _read(one: _Run, value: Value, at: dict[NatVar, Any], active: Any) -> None:
    match value:
        case Load(buffer, index):
            _touch(one, "read", buffer, index, at, active)
        case Operation(_, arguments):
            for argument in arguments:
                _read(one, argument, at, active)
        case _:
            pass


def _touch(one: _Run, kind: str, buffer: Buffer, index: Nat, at: dict[NatVar, Any], active: Any) -> None:
    if buffer.name in one.watched:
        elements = evaluated(index, at, one.threads)
        for thread in np.flatnonzero(active).tolist():
            element, phase = int(elements[thread]), int(one.warp_phase[thread])
            one.trace.accesses.append((buffer.name, element, one.block_phase, phase, kind, thread))


def evaluated(a: Nat, at: dict[NatVar, Any], threads: int) -> Any:
    """The value of a natural for each thread."""
    total = np.zeros(threads, int)
    for monomial, coefficient in a.terms:
        product = np.full(threads, coefficient)
        for base, exponent in monomial:
            assert isinstance(exponent, int) and exponent > 0
            match base:
                case NatVar():
                    product = product * at[base] ** exponent
                case NatCall("floor", (b, c)):
                    product = product * (evaluated(b, at, threads) // evaluated(c, at, threads)) ** exponent
                case NatCall("ceil", (b, c)):
                    product = product * -(
                        (-evaluated(b, at, threads) // evaluated(c, at, threads)) ** exponent
                    )
                case NatCall("min", (b, c)):
                    product = product * np.minimum(evaluated(b, at, threads), evaluated(c, at, threads))
                case _:
                    raise AssertionError(base)
        total = total + product
    return total


def race(trace: Trace) -> tuple[str, int] | None:
    """An element that two threads access without a barrier in between, one of them to change it; None if there is
    none.
    """
    touched: dict[tuple[str, int, int], set[tuple[str, int, int]]] = {}
    for buffer, element, block_phase, warp_phase, kind, thread in trace.accesses:
        touched.setdefault((buffer, element, block_phase), set()).add((kind, thread, warp_phase))
    for (buffer, element, _), found in touched.items():
        for kind, thread, phase in found:
            if kind in ("read", "wait", "allocate"):
                continue
            for other_kind, other, other_phase in found:
                if other == thread or (kind == other_kind == "update"):
                    continue
                if other // LANES != thread // LANES or phase == other_phase:
                    return buffer, element
    return None


# barriers


def barriers(block: Block) -> Iterator[Barrier]:
    """The barriers in a block, in order."""
    for statement in block.statements:
        match statement:
            case Barrier():
                yield statement
            case For(body=body) | If(body=body):
                yield from barriers(body)
            case _:
                pass


def scopes(made: GpuKernel) -> list[str]:
    """The scopes of all barriers, in order."""
    return [one.scope for one in barriers(made.body)]


def changed(block: Block, barrier: Barrier, to: Barrier | None) -> Block:
    """The block with this barrier, compared by identity, replaced by another one, or removed."""
    statements: list[Statement] = []
    for statement in block.statements:
        if statement is barrier:
            statements += [to] if to is not None else []
        elif isinstance(statement, For | If):
            statements.append(replace(statement, body=changed(statement.body, barrier, to)))
        else:
            statements.append(statement)
    return Block(tuple(statements))


def everywhere(made: GpuKernel) -> GpuKernel:
    """The kernel with a barrier of the block before each statement that all threads reach."""

    def put(block: Block) -> Block:
        statements: list[Statement] = []
        for statement in block.statements:
            if isinstance(statement, For) and (
                not isinstance(statement.kind, Level) or made.launch.share(statement) == "one"
            ):
                statement = replace(statement, body=put(statement.body))
            statements += [Barrier("block", ()), statement]
        return Block(tuple(statements))

    return replace(made, body=put(made.body))


# random kernels


@dataclass(frozen=True, slots=True)
class Shape:
    """The parts of random kernels: a launch, and the loops over threads that they may contain."""

    launch: Launch
    loops: tuple[tuple[tuple[LevelName, int, int], ...], ...]


FLAT = Shape(launch(64), tuple((("threads", 0, end),) for end in (64, 64, 64, 16, 40, 96, 128)))
SQUARE = Shape(
    launch(8, 8),
    tuple((("threads", 1, rows), ("threads", 0, columns)) for rows in (8, 8, 4) for columns in (8, 8, 3, 12)),
)
WARPS = Shape(
    launch(warps=(2, 1, 1)),
    (
        (("threads", 0, 64),),
        *((("warp", 0, warps), ("lane", 0, lanes)) for warps in (2, 2, 1, 4) for lanes in (32, 32, 16, 40)),
    ),
)
BUFFERS = (shared("s"), shared("t"))


@some.composite
def kernels(draw: Any, shape: Shape) -> GpuKernel:
    """Kernels in which each store by itself writes different elements from different threads."""
    names = (f"i{n}" for n in count())
    return kernel(shape.launch, *_statements(draw, shape, names, (), 3))


def _statements(
    draw: Any, shape: Shape, names: Iterator[str], around: tuple[NatVar, ...], depth: int
) -> list[Statement]:
    made: list[Statement] = []
    for _ in range(draw(some.integers(1, 3))):
        if depth > 1 and len(around) < 2 and draw(some.integers(0, 2)) == 0:
            index = NatVar(next(names), const(draw(some.integers(2, 3))))
            body = _statements(draw, shape, names, (*around, index), depth - 1)
            assert index.upper is not None
            made.append(For(index, index.upper, "seq", Block(tuple(body)), ()))
        else:
            made.append(_phase(draw, shape, names, around))
    return made


def _phase(draw: Any, shape: Shape, names: Iterator[str], around: tuple[NatVar, ...]) -> Statement:
    """A loop over threads with one or two copies; or loops over two levels, with one or two such loops inside."""
    *outer, (level, dimension, end) = draw(some.sampled_from(shape.loops))
    place, size = nat(0), 1
    indices = [NatVar(next(names), const(length)) for _, _, length in outer]
    for index, (_, _, length) in zip(indices, outer, strict=True):
        place, size = place * length + index, size * length
    body: list[Statement] = []
    for _ in range(draw(some.integers(1, 2 if outer else 1))):
        inner = NatVar(next(names), const(end))
        copies = _copies(draw, place * end + inner, size * end, around)
        body.append(For(inner, const(end), Level(level, dimension), Block(tuple(copies)), ()))
    for index, (level, dimension, length) in zip(indices, outer, strict=True):
        body = [For(index, const(length), Level(level, dimension), Block(tuple(body)), ())]
    return body[0]


def _copies(draw: Any, place: Nat, size: int, around: tuple[NatVar, ...]) -> list[Statement]:
    made: list[Statement] = []
    for _ in range(draw(some.integers(1, 2))):
        to, source = draw(some.permutations(BUFFERS))
        written = draw(some.sampled_from(_injective(place, size)))
        offset = draw(some.sampled_from([nat(0), nat(0), *(128 * remainder(k, 2) for k in around)]))
        if draw(some.booleans()):
            made.append(fill(to, written + offset))
        else:
            read = draw(some.sampled_from([*_injective(place, size), floor_quotient(place, 2), const(5)]))
            others = [128 * remainder(nat(k) + 1, 2) for k in around]
            made.append(
                copy(to, written + offset, source, read + draw(some.sampled_from([nat(0), offset, *others])))
            )
    return made


def _injective(place: Nat, size: int) -> list[Nat]:
    found = [place, place, place + 1, place + 128, size - 1 - place, remainder(place + 3, size)]
    return [*found, remainder(place, 8) * (size // 8) + floor_quotient(place, 8)] if size % 8 == 0 else found
