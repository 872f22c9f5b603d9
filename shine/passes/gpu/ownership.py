"""Decides which unit of a level keeps each element of an array in registers. Independent of values.

An array that loops over threads fill is distributed: its index, read as a mixed-radix number, has a digit for each of
these loops, `index = high * (stride * count) + unit * stride + low`. The unit keeps its elements at `high * stride +
low`. If there are more iterations than units, a unit keeps the elements of several iterations: `(high * turns + unit /
extent) * stride + low`, with `turns = count / extent` rounded up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rise.indices import is_below, is_multiple, is_positive
from rise.natural_values import substitute_naturals
from rise.naturals import Atom, Nat, NatLike, NatVar, const, nat
from rise.quotients import ceiling_quotient, floor_quotient, is_nonnegative, linear_in, remainder
from rise.records import dataclass
from rise.text.nat_printer import show_nat
from shine.imperative.errors import fail
from shine.imperative.kernels import Launch
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    Block,
    Buffer,
    FillFragment,
    For,
    Level,
    LoadFragment,
    MapFragment,
    MultiplyAdd,
    Origin,
    Statement,
)
from shine.imperative.rewrite import Cell, run_of
from shine.imperative.walk import statements

#: the names of the units of levels
UNITS = {"global": "thread", "block": "block", "threads": "thread", "warp": "warp", "lane": "lane"}
IN_SHARED = "keep it in shared memory with `toMem(Shared)`"


@dataclass(frozen=True, slots=True)
class Digit:
    """A digit of an index: it selects one of `extent` units, for the `count` iterations of a loop over the level."""

    level: Level
    extent: Nat
    count: Nat
    stride: Nat

    @property
    def turns(self) -> Nat:
        """The maximum number of iterations that a unit runs."""
        return (
            const(1)
            if is_nonnegative(self.extent - self.count)
            else ceiling_quotient(self.count, self.extent)
        )


@dataclass(frozen=True, slots=True)
class Registers:
    """A distributed array, as the program declares it, and its digits in descending order of strides."""

    buffer: Buffer
    digits: tuple[Digit, ...]

    @property
    def size(self) -> Nat:
        """The number of elements that a unit keeps."""
        size = self.buffer.size
        for digit in self.digits:
            if digit.count.constant != 1:
                size = ceiling_quotient(size, digit.stride * digit.count) * digit.turns * digit.stride
        return size

    def find(self, index: Nat) -> tuple[tuple[Nat, ...], Nat]:
        """The unit that keeps an element, for each digit, and the index at which it does.

        An index is less than the array's size, so there is no higher part above a digit that reaches the size.
        """
        units: list[Nat] = []
        index, size = _without_zeros(index), self.buffer.size
        for digit in self.digits:
            if digit.count.constant == 1:
                units.append(const(0))
                continue
            stride, count, turns = digit.stride, digit.count, digit.turns
            place = floor_quotient(index, stride)
            low = index - stride * place
            is_highest = is_nonnegative(stride * count - size)
            high = const(0) if is_highest else floor_quotient(place, count)
            unit = place - count * high
            if turns.constant == 1:
                units.append(unit)
                turn = const(0)
            else:
                units.append(remainder(unit, digit.extent))
                turn = floor_quotient(unit, digit.extent)
            index = (high * turns + turn) * stride + low
            size = ceiling_quotient(size, stride * count) * turns * stride
        return tuple(units), index

    def keeps_together(self, cell: Cell) -> bool:
        """Whether a single unit keeps all elements of a run, in order."""
        return all(
            is_below(remainder(cell.index, digit.stride) + cell.lanes - 1, digit.stride)
            or (is_multiple(cell.index, const(cell.lanes)) and is_multiple(digit.stride, const(cell.lanes)))
            for digit in self.digits
            if cell.lanes > 1 and digit.count.constant != 1
        )


@dataclass(frozen=True, slots=True)
class _Store:
    cell: Cell
    loops: tuple[For, ...]
    origin: Origin


def find_registers(body: Block, launch: Launch, only: str = "") -> dict[str, Registers]:
    """The local arrays that are filled by loops over a level inside the scope of their allocation, perhaps restricted
    to `only` one array.
    """

    def is_searched(buffer: Buffer) -> bool:
        return buffer.space == "Local" and only in ("", buffer.name)

    allocation_loops: dict[str, tuple[For, ...]] = {}
    stores: dict[str, list[_Store]] = {}
    for statement, loops in statements(body):
        if isinstance(statement, Allocate) and is_searched(statement.buffer):
            allocation_loops[statement.buffer.name] = loops
            stores[statement.buffer.name] = []
        for cell in stored_by(statement):
            if cell.buffer.name in allocation_loops:
                own = tuple(
                    loop
                    for loop in crowded_loops(loops, launch)
                    if loop not in allocation_loops[cell.buffer.name]
                )
                stores[cell.buffer.name].append(_Store(cell, own, statement.origin))
    registers: dict[str, Registers] = {}
    for name, array_stores in stores.items():
        digits: dict[Level, Digit] = {}
        for store in array_stores:
            for loop in store.loops:
                _add(digits, _digit(store, loop, launch), store)
        if digits:
            ordered = sorted(digits.values(), key=_by_stride)
            registers[name] = Registers(array_stores[0].cell.buffer, tuple(ordered))
    return registers


def stored_by(statement: Statement) -> Iterator[Cell]:
    """The cells that a statement itself stores to, in buffers that may be in registers."""
    match statement:
        case Assign(buffer, index, value, aligned):
            yield Cell(buffer, index, run_of(buffer, value), aligned)
        case AtomicUpdate(buffer=buffer, index=index):
            yield Cell(buffer, index)
        case (
            LoadFragment(target=piece)
            | FillFragment(target=piece)
            | MultiplyAdd(target=piece)
            | MapFragment(target=piece)
        ):
            yield Cell(piece.buffer, piece.index)
        case _:
            pass


def crowded_loops(loops: Sequence[For], launch: Launch) -> list[For]:
    """The loops over levels of more than one unit."""
    return [loop for loop in loops if isinstance(loop.kind, Level) and launch.extent(loop.kind).constant != 1]


def running_unit(level: Level, loops: Sequence[For], launch: Launch) -> Nat | None:
    """The unit of a level that runs the body of some loops; None if all units do."""
    for loop in loops:
        if loop.kind == level:
            extent = launch.extent(level)
            return nat(loop.index) if launch.share(loop) != "many" else remainder(loop.index, extent)
    return None


def is_same(a: Nat, b: Nat) -> bool:
    """Whether two naturals are provably equal."""
    return a is b or (is_nonnegative(a - b) and is_nonnegative(b - a))


def _without_zeros(a: Nat) -> Nat:
    """The natural without loop indices that are always 0."""
    one = const(1)
    zeros: dict[Atom, NatLike] = {v: 0 for v in a.free if isinstance(v, NatVar) and v.upper is one}
    return substitute_naturals(a, zeros) if zeros else a


def _by_stride(digit: Digit) -> tuple[bool, int]:
    """A sort key: largest strides first, where symbolic strides count as larger than all numbers."""
    known = digit.stride.constant
    return known is not None, -(known or 0)


def _digit(store: _Store, loop: For, launch: Launch) -> Digit:
    """The digit of a loop's index in the index of a store."""
    assert isinstance(loop.kind, Level), loop
    index, upper = store.cell.index, loop.index.upper
    count = upper if loop.count.constant is None and upper is not None else loop.count
    extent = launch.extent(loop.kind)
    linear = linear_in(index, loop.index)
    if count.constant == 1:
        return Digit(loop.kind, extent, const(1), store.cell.buffer.size)
    if linear is None or not linear[0].terms or not is_positive(linear[0], index):
        unit, name = UNITS[loop.kind.name], store.cell.buffer.name
        fail(
            "registers",
            f"expected each {unit} to fill its own part of the array {name}, found {unit} {loop.index.name} "
            f"that stores element {show_nat(index)}",
            IN_SHARED,
            store.origin,
        )
    return Digit(loop.kind, extent, count, linear[0])


def _add(digits: dict[Level, Digit], digit: Digit, store: _Store) -> None:
    """Merge the digits of stores for a level: they must have the same stride, and the largest count is used."""
    known = digits.get(digit.level)
    if known is None or known.count.constant == 1:
        digits[digit.level] = digit
    elif digit.count.constant != 1:
        if known.stride is not digit.stride:
            unit, name = UNITS[digit.level.name], store.cell.buffer.name
            strides = [show_nat(known.stride), show_nat(digit.stride)]
            fail(
                "registers",
                f"expected all loops to distribute the array {name} the same way, found parts of different {unit}s "
                f"{strides[0]} apart and {strides[1]} apart",
                f"fill it in the same order everywhere, or {IN_SHARED}",
                store.origin,
            )
        if is_nonnegative(digit.count - known.count):
            digits[digit.level] = replace(known, count=digit.count)
