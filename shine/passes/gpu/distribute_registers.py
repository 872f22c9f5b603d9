"""Gives each thread, warp or lane its own part of the local arrays that it fills. Independent of targets.

An array in local memory is allocated once and filled by a loop over threads. Its elements stay with the threads that
store them, at indices without the digits of these loops (`ownership`). A lane reads another lane's element by an
exchange; threads and warps cannot.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import NoReturn

from rise.indices import is_multiple
from rise.naturals import Nat, NatVar, const, nat
from rise.records import dataclass
from rise.text.nat_printer import show_nat
from rise.types import ScalarType
from shine.imperative.errors import TranslationError, fail
from shine.imperative.kernels import LANES, GpuKernel, Launch
from shine.imperative.names import Names
from shine.imperative.nodes import (
    Allocate,
    Block,
    Buffer,
    Condition,
    Exchange,
    For,
    If,
    Level,
    Load,
    Operation,
    Origin,
    Statement,
    Value,
)
from shine.imperative.rewrite import Cell, Parts, lanes_of, rewrite, rewrite_block, rewrite_value
from shine.imperative.statements import names_of
from shine.imperative.walk import statements
from shine.passes.gpu.exchange_together import exchange_together
from shine.passes.gpu.ownership import (
    IN_SHARED,
    UNITS,
    Digit,
    Registers,
    find_registers,
    is_same,
    running_unit,
    stored_by,
)
from shine.passes.gpu.turns import in_turns


def distribute_registers(kernel: GpuKernel) -> GpuKernel:
    """The kernel with local arrays reduced to the part of each thread.

    Raises TranslationError if a thread needs another thread's element, or if an array has no known size.
    """
    body = _distributed(kernel, find_registers(kernel.body, kernel.launch))
    _check_sizes(body)
    return replace(kernel, body=body)


def size_in_registers(kernel: GpuKernel, buffer: Buffer) -> Nat | None:
    """The number of elements of a local array that a unit keeps; None if the array cannot be distributed, since a unit
    would need elements of others that no exchange can provide.
    """
    try:
        registers = find_registers(kernel.body, kernel.launch, buffer.name)
        _distributed(kernel, registers)
    except TranslationError:
        return None
    return registers[buffer.name].size if registers else buffer.size


def _distributed(kernel: GpuKernel, distributed: Mapping[str, Registers]) -> Block:
    """The body with these arrays reduced to the part of each thread."""
    if not distributed:
        return kernel.body
    names = names_of(kernel.body)
    body = _block(kernel.body, _Here(kernel.launch, distributed, names))
    return exchange_together(body, kernel.launch, names)


def _check_sizes(body: Block) -> None:
    for statement, _ in statements(body):
        if isinstance(statement, Allocate) and statement.buffer.space == "Local":
            buffer = statement.buffer
            if buffer.size.constant is None:
                fail(
                    "registers-size",
                    f"expected an array of a known size in a thread's registers, found {buffer.name} of "
                    f"{show_nat(buffer.size)} elements",
                    "fix the size with rise.specialise or a tile, or keep it in memory with `toMem(Global)`",
                    statement.origin,
                )


@dataclass(frozen=True, slots=True)
class _Here:
    """The context of a statement: the enclosing loops, and the units that are known to run it."""

    launch: Launch
    distributed: Mapping[str, Registers]
    names: Names
    loops: tuple[For, ...] = ()
    chosen: Mapping[Level, Nat] = field(default_factory=dict)

    def has(self, digit: Digit, unit: Nat) -> bool:
        """Whether the given unit runs the statement."""
        running = running_unit(digit.level, self.loops, self.launch)
        chosen = self.chosen.get(digit.level)
        return (running is not None and is_same(running, unit)) or (
            chosen is not None and is_same(chosen, unit)
        )


def _block(block: Block, here: _Here) -> Block:
    rebuilt_statements: list[Statement] = []
    for statement in block.statements:
        match statement:
            case For(body=body):
                within = replace(here, loops=(*here.loops, statement))
                rebuilt = replace(statement, body=_block(body, within))
                rebuilt_statements.append(_turned(rebuilt, here) if _has_turns(statement, here) else rebuilt)
            case If(body=body):
                rebuilt_statements.append(replace(statement, body=_block(body, here)))
            case Allocate(buffer) if buffer.name in here.distributed:
                rebuilt_statements.append(
                    replace(statement, buffer=_unit_array(here.distributed[buffer.name]))
                )
            case _:
                rebuilt_statements.append(_statement(statement, here))
    return Block(tuple(rebuilt_statements))


def _has_turns(loop: For, here: _Here) -> bool:
    """Whether a unit runs several iterations of a loop, and keeps elements of an array in each."""
    if not isinstance(loop.kind, Level) or here.launch.share(loop) != "many":
        return False
    used: set[str] = set()

    def visit(cell: Cell) -> Cell:
        used.add(cell.buffer.name)
        return cell

    rewrite_block(loop.body, Parts(cell=visit))
    return any(
        digit.level == loop.kind and digit.turns.constant != 1
        for name in used & here.distributed.keys()
        for digit in here.distributed[name].digits
    )


def _turned(loop: For, here: _Here) -> For:
    """The loop split into turns, so that indices of registers are known when the turns are unrolled."""
    assert isinstance(loop.kind, Level), loop
    turns = in_turns(loop, here.launch.extent(loop.kind), UNITS[loop.kind.name], here.names)
    body = turns.body
    if turns.guard:
        body = Block((If(Condition(turns.guard), body, loop.origin),))
    return turns.around(body, loop)


def _unit_array(registers: Registers) -> Buffer:
    """A unit's part of the array."""
    return replace(registers.buffer, size=registers.size)


def _statement(statement: Statement, here: _Here) -> Statement:
    """A statement, run by the units that own the elements that it stores."""
    choices: list[tuple[Digit, Nat]] = []
    for cell in stored_by(statement):
        registers = here.distributed.get(cell.buffer.name)
        if registers is None:
            continue
        units, _ = registers.find(cell.index)
        choices += [
            (digit, unit)
            for digit, unit in zip(registers.digits, units, strict=True)
            if not here.has(digit, unit)
        ]
        for digit, unit in choices:
            running = running_unit(digit.level, here.loops, here.launch)
            if running is not None:
                _refuse("fill", digit, registers.buffer, running, unit, statement.origin)
    chosen = {**here.chosen, **{digit.level: unit for digit, unit in choices}}
    result = rewrite(statement, _parts(replace(here, chosen=chosen), statement.origin))
    for digit, unit in reversed(choices):
        result = _by_owner(result, digit, unit, here.names)
    return result


def _by_owner(statement: Statement, digit: Digit, unit: Nat, names: Names) -> For:
    """A statement that all units of a level would run, restricted to the owner of the element that it stores."""
    index = NatVar(names.fresh(UNITS[digit.level.name]), digit.extent)
    condition = Condition(((nat(index), unit + 1), (unit, index + const(1))))
    guarded = If(condition, Block((statement,)), statement.origin)
    return For(index, digit.extent, digit.level, Block((guarded,)), statement.origin)


def _parts(here: _Here, origin: Origin) -> Parts:
    """Rewrites elements of distributed arrays to registers and exchanges."""

    def replace_cell(cell: Cell) -> Cell:
        registers = here.distributed.get(cell.buffer.name)
        if registers is None:
            return cell
        units, index = registers.find(cell.index)
        for digit, unit in zip(registers.digits, units, strict=True):
            if not here.has(digit, unit):
                running = running_unit(digit.level, here.loops, here.launch)
                _refuse("read", digit, registers.buffer, running, unit, origin)
        if not registers.keeps_together(cell):
            _refuse_vector(registers, cell, origin)
        return _moved(cell, registers, index)

    def load(value: Load) -> Value:
        registers = here.distributed.get(value.buffer.name)
        if registers is None:
            return value
        cell = Cell(value.buffer, value.index, lanes_of(value.buffer, value.lanes), value.aligned)
        units, index = registers.find(cell.index)
        lane: Nat | None = None
        for digit, unit in zip(registers.digits, units, strict=True):
            if here.has(digit, unit):
                continue
            if digit.level.name != "lane" or here.launch.lanes[0] != LANES:
                running = running_unit(digit.level, here.loops, here.launch)
                _refuse("read", digit, registers.buffer, running, unit, origin)
            lane = unit
        if lane is None and registers.keeps_together(cell):
            moved = _moved(cell, registers, index)
            return replace(value, buffer=moved.buffer, index=moved.index, aligned=moved.aligned)
        if cell.lanes == 1:
            assert lane is not None
            return Exchange(_unit_array(registers), index, lane, value.type)
        scalar = value.buffer.element
        assert isinstance(scalar, ScalarType), value
        lane_loads = [Load(value.buffer, value.index + i, 1, True, scalar) for i in range(cell.lanes)]
        return Operation(
            "vector", tuple(rewrite_value(lane_load, parts) for lane_load in lane_loads), value.type
        )

    parts = Parts(cell=replace_cell, load=load)
    return parts


def _moved(cell: Cell, registers: Registers, index: Nat) -> Cell:
    is_aligned = cell.aligned and (cell.lanes == 1 or is_multiple(index, const(cell.lanes)))
    return Cell(_unit_array(registers), index, cell.lanes, is_aligned)


def _refuse(
    verb: str, digit: Digit, buffer: Buffer, running: Nat | None, unit: Nat, origin: Origin
) -> NoReturn:
    unit_name = UNITS[digit.level.name]
    runner = f"all {unit_name}s" if running is None else f"{unit_name} {show_nat(running)}"
    action = verb if running is None else verb + "s"
    fail(
        "registers",
        f"expected each {unit_name} to {verb} its own registers of the array {buffer.name}, "
        f"found that {runner} {action} those of {unit_name} {show_nat(unit)}",
        IN_SHARED,
        origin,
    )


def _refuse_vector(registers: Registers, cell: Cell, origin: Origin) -> NoReturn:
    unit_name = UNITS[registers.digits[-1].level.name]
    fail(
        "registers",
        f"expected vectors in the registers of one {unit_name}, found one of {cell.lanes} elements of the array "
        f"{registers.buffer.name} that {unit_name}s would share",
        f"give each {unit_name} whole vectors, or {IN_SHARED}",
        origin,
    )
