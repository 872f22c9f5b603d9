"""An interpreter of kernels of the IR on Python numbers: the whole program, and thread by thread.

`as_written` runs loops over levels one iteration after the other, with one copy of every buffer: the meaning of the
program. `on_threads` runs all threads in lockstep, each with its own registers, and each block with its own shared
memory. Elements that were never stored are None, and so are numbers computed from them. A fragment is a single number
here, which is the same for all lanes of a warp.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Any

from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, NatVar
from shine.imperative.kernels import LANES, GpuKernel, Launch
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Constant,
    Define,
    DefineIndex,
    Exchange,
    FillFragment,
    For,
    Guarded,
    If,
    Index,
    Level,
    Load,
    LoadFragment,
    Local,
    MapFragment,
    MultiplyAdd,
    Operation,
    Piece,
    Statement,
    StoreFragment,
    Value,
)
from shine.passes.gpu.distribute_registers import distribute_registers

Memory = dict[tuple[str, int], Any]
FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "max": max,
    "cast": lambda a: a,
    "vector": lambda *each: list(each),
    "broadcast": lambda a: a,
}


@dataclass
class Thread:
    """One thread: its position, and its values."""

    block: tuple[int, int, int]
    place: tuple[int, int, int]
    number: int
    naturals: dict[Atom, int] = field(default_factory=dict)
    variables: dict[str, Any] = field(default_factory=dict)
    registers: Memory = field(default_factory=dict)
    shared: Memory = field(default_factory=dict)


def as_written(kernel: GpuKernel, memory: Memory) -> Memory:
    """The contents of global memory after running the program iteration by iteration."""
    run = Run(None, dict(memory))
    run.block(kernel.body, [Thread((0, 0, 0), (0, 0, 0), 0)])
    return run.memory


def on_threads(kernel: GpuKernel, memory: Memory) -> Memory:
    """The contents of global memory after all threads have run."""
    run = Run(kernel.launch, dict(memory))
    threads = []
    grid = [count.constant or 0 for count in kernel.launch.grid]
    for block in product(*map(range, grid)):
        shared: Memory = {}
        x, y, z = kernel.launch.block
        for number, (k, j, i) in enumerate(product(range(z), range(y), range(x))):
            bx, by, bz = block
            threads.append(Thread((bx, by, bz), (i, j, k), number, shared=shared))
    run.block(kernel.body, threads)
    return run.memory


def distributed(kernel: GpuKernel, memory: Memory | None = None) -> GpuKernel:
    """The kernel with its registers distributed; checks that it computes the same."""
    after = distribute_registers(kernel)
    assert on_threads(after, memory or {}) == as_written(kernel, memory or {})
    return after


def filled(**sizes: int) -> Memory:
    """Arrays of different numbers."""
    return {(name, i): (7 * i + 3 * len(name)) % 101 for name, size in sizes.items() for i in range(size)}


@lru_cache(maxsize=1 << 18)
def _number(a: Nat, values: tuple[tuple[Atom, int], ...]) -> int:
    found = evaluate_natural(a, dict(values))
    assert isinstance(found, int), (a, values)
    return found


@dataclass
class Run:
    """A run in lockstep: on the threads of a launch, or, without one, as the program is written."""

    launch: Launch | None
    memory: Memory

    def natural(self, a: Nat, thread: Thread) -> int:
        free = [one for one in a.free if isinstance(one, NatVar)]
        return _number(a, tuple((one, thread.naturals[one]) for one in free))

    def place(self, buffer: Buffer, thread: Thread) -> Memory:
        if buffer.space == "Local":
            return thread.registers
        return thread.shared if buffer.space == "Shared" else self.memory

    def block(self, block: Block, threads: Sequence[Thread]) -> None:
        for statement in block.statements:
            if threads:
                self.statement(statement, threads)

    def statement(self, statement: Statement, threads: Sequence[Thread]) -> None:
        match statement:
            case For(index, count, kind, body):
                self.loop(index, count, kind, body, threads)
            case If(condition, body):
                self.block(body, [one for one in threads if self.holds(condition, one)])
            case Allocate(buffer):
                for one in threads:
                    memory = self.place(buffer, one)
                    for key in [key for key in memory if key[0] == buffer.name]:
                        del memory[key]
            case Define(local, value):
                found = [self.value(value, one, threads) for one in threads]
                for one, result in zip(threads, found, strict=True):
                    one.variables[local.name] = result
            case DefineIndex(name, value):
                for one in threads:
                    one.naturals[name] = self.value(value, one, ())
            case Assign(buffer, index, value):
                found = [self.value(value, one, ()) for one in threads]
                for one, result in zip(threads, found, strict=True):
                    self.store(buffer, self.natural(index, one), result, one)
            case LoadFragment(target, source):
                self.fragment(target, threads, lambda one: self.read(source.buffer, source.index, one))
            case StoreFragment(matrix, piece):
                self.check_warps(threads)
                for one in threads:
                    found_number = self.read(piece.buffer, piece.index, one)
                    self.store(matrix.buffer, self.natural(matrix.index, one), found_number, one)
            case FillFragment(target, value):
                self.fragment(target, threads, lambda one: self.value(value, one, ()))
            case MultiplyAdd(target, left, right, addend):
                parts = (left, right, addend)

                def multiply(one: Thread) -> Any:
                    a, b, c = (self.read(piece.buffer, piece.index, one) for piece in parts)
                    return None if None in (a, b, c) else a * b + c

                self.fragment(target, threads, multiply)
            case MapFragment(target, sources, parameters, body, value):
                for one in threads:
                    for local, piece in zip(parameters, sources, strict=True):
                        one.variables[local.name] = self.read(piece.buffer, piece.index, one)
                self.block(body, threads)
                self.fragment(target, threads, lambda one: self.value(value, one, ()))
            case _:
                raise AssertionError(statement)

    def loop(self, index: NatVar, count: Nat, kind: object, body: Block, threads: Sequence[Thread]) -> None:
        counts = {id(one): self.natural(count, one) for one in threads}
        for turn in range(max(counts.values(), default=0)):
            active = []
            for one in threads:
                start, step = self.unit(kind, one)
                at = start + turn * step
                if at < counts[id(one)]:
                    one.naturals[index] = at
                    active.append(one)
            if not active:
                break
            self.block(body, active)

    def unit(self, kind: object, thread: Thread) -> tuple[int, int]:
        """The first iteration of a thread, and the distance between its iterations."""
        if self.launch is None or not isinstance(kind, Level):
            return 0, 1
        extent = self.launch.extent(kind).constant
        assert extent is not None
        d = kind.dimension
        match kind.name:
            case "block":
                return thread.block[d], extent
            case "threads":
                return thread.place[d], extent
            case "global":
                return thread.block[d] * self.launch.block[d] + thread.place[d], extent
            case "lane":
                return thread.number % LANES, extent
            case "warp":
                warps = self.launch.warps
                assert warps is not None
                number = thread.number // LANES
                for side in warps[:d]:
                    number //= side
                return number % warps[d], extent

    def holds(self, condition: Condition, thread: Thread) -> bool:
        return all(self.natural(a, thread) < self.natural(b, thread) for a, b in condition.below)

    def value(self, value: Value, thread: Thread, threads: Sequence[Thread]) -> Any:
        match value:
            case Load(buffer, index, lanes):
                if lanes == 1:
                    return self.read(buffer, index, thread)
                start, memory = self.natural(index, thread), self.place(buffer, thread)
                assert not (value.aligned and start % lanes), value
                return [memory.get((buffer.name, start + i)) for i in range(lanes)]
            case Constant(number):
                return number
            case Index(a):
                return self.natural(a, thread)
            case Local(name):
                return thread.variables[name]
            case Operation(name, arguments):
                found = [self.value(one, thread, threads) for one in arguments]
                return None if name != "vector" and None in found else FUNCTIONS[name](*found)
            case Guarded(condition, inner, otherwise):
                return self.value(inner if self.holds(condition, thread) else otherwise, thread, threads)
            case Exchange(buffer, _, lane):
                return self.exchange(value, buffer, self.natural(lane, thread) % LANES, thread, threads)

    def exchange(
        self, value: Exchange, buffer: Buffer, lane: int, thread: Thread, threads: Sequence[Thread]
    ) -> Any:
        """What the thread at a lane of the warp has at the index that this thread computes itself."""
        warp = [one for one in threads if is_same_warp(one, thread)]
        assert len(warp) == LANES, f"{value} is not reached by all lanes of a warp"
        source = next(one for one in warp if one.number % LANES == lane)
        return self.read(buffer, value.index, source)

    def read(self, buffer: Buffer, index: Nat, thread: Thread) -> Any:
        return self.place(buffer, thread).get((buffer.name, self.natural(index, thread)))

    def store(self, buffer: Buffer, start: int, result: Any, thread: Thread) -> None:
        if buffer.size.constant is not None:
            assert 0 <= start < buffer.size.constant, (buffer, start)
        memory = self.place(buffer, thread)
        for i, one in enumerate(result if isinstance(result, list) else [result]):
            memory[buffer.name, start + i] = one

    def fragment(self, piece: Piece, threads: Sequence[Thread], compute: Callable[[Thread], Any]) -> None:
        self.check_warps(threads)
        found = [compute(one) for one in threads]
        for one, result in zip(threads, found, strict=True):
            self.store(piece.buffer, self.natural(piece.index, one), result, one)

    def check_warps(self, threads: Iterable[Thread]) -> None:
        """Check that whole warps take part."""
        if self.launch is None:
            return
        counts: dict[tuple[object, int], int] = {}
        for one in threads:
            key = (one.block, one.number // LANES)
            counts[key] = counts.get(key, 0) + 1
        assert set(counts.values()) <= {LANES}, counts


def is_same_warp(a: Thread, b: Thread) -> bool:
    """Whether two threads are lanes of one warp."""
    return a.block == b.block and a.number // LANES == b.number // LANES
