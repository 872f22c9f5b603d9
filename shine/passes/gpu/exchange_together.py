"""Moves exchanges between lanes to places that all lanes of a warp reach.

Independent of arrays other than those exchanged.

An exchange is part of a value, perhaps under divergent control: a loop over fewer lanes than a warp has, or a condition
on the lane. It is moved into a variable before the statement that uses it; the loop becomes one over all lanes, and all
other statements are moved under its condition. The results of exchanges of the other lanes are not used.

A moved exchange reads the same values as before, since iterations over lanes are independent, so that none stores what
another one reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field, replace
from typing import Final, NoReturn

from rise.indices import greatest
from rise.naturals import Nat, NatVar, const, nat
from rise.records import dataclass
from rise.text.nat_printer import show_nat
from rise.types import ScalarType, VectorType
from shine.imperative.errors import fail
from shine.imperative.kernels import LANES, Launch
from shine.imperative.names import Names
from shine.imperative.nodes import (
    Allocate,
    Assign,
    AtomicUpdate,
    Block,
    Condition,
    Constant,
    Define,
    DefineIndex,
    Exchange,
    FillFragment,
    For,
    Guarded,
    If,
    Level,
    Local,
    MapFragment,
    Operation,
    Origin,
    Statement,
    Value,
    ValueType,
)
from shine.imperative.walk import all_values, map_value, values
from shine.passes.gpu.ownership import IN_SHARED
from shine.passes.gpu.turns import in_turns

#: the largest number of registers that are exchanged one by one if lanes read different ones
MAX_EXCHANGED_REGISTERS: Final = 32


def exchange_together(block: Block, launch: Launch, names: Names) -> Block:
    """The block with every exchange in a `Define` that all lanes of a warp reach.

    Raises TranslationError for an exchange in a loop that only some lanes run.
    """
    return Block(tuple(_together(block, _Control(launch, names))))


@dataclass(frozen=True, slots=True)
class _Control:
    """The condition under which a statement runs, whether it is in a loop over lanes or threads, and the variables that
    differ between the lanes of a warp.
    """

    launch: Launch
    names: Names
    guard: tuple[tuple[Nat, Nat], ...] = ()
    is_spread: bool = False
    differing: set[NatVar] = field(default_factory=set)

    def differs(self, *naturals: Nat) -> bool:
        """Whether the values may differ between lanes."""
        return any(not a.free.isdisjoint(self.differing) for a in naturals)

    def guarded(self, statements: Iterable[Statement]) -> list[Statement]:
        """The statements under the condition."""
        inner = tuple(statements)
        if not self.guard or not inner:
            return list(inner)
        return [If(Condition(self.guard), Block(inner), inner[0].origin)]


def _together(block: Block, control: _Control) -> list[Statement]:
    """The statements of a block that all lanes of a warp reach."""
    result: list[Statement] = []
    unguarded: list[Statement] = []  # statements without exchanges, to be put under the condition
    last = max((i for i, statement in enumerate(block.statements) if _exchanges(statement)), default=-1)
    for position, statement in enumerate(block.statements):
        is_seen_later = isinstance(statement, Allocate | Define | DefineIndex) and position < last
        if not _exchanges(statement) and not is_seen_later:
            unguarded.append(statement)
        else:
            result += (*control.guarded(unguarded), *_statement(statement, control))
            unguarded = []
        if isinstance(statement, DefineIndex) and control.is_spread:
            control.differing.add(statement.name)
    return [*result, *control.guarded(unguarded)]


def _statement(statement: Statement, control: _Control) -> list[Statement]:
    """A statement with exchanges, or a definition that later statements with exchanges may use."""
    match statement:
        case For(kind=Level()):
            return _level(statement, control)
        case For(index, count, _, body):
            if control.differs(count):
                count = index.upper or count
                if control.differs(count):
                    _refuse(f"a loop of {show_nat(count)} iterations", statement.origin)
                control = replace(control, guard=(*control.guard, (nat(index), statement.count)))
            return [replace(statement, count=count, body=Block(tuple(_together(body, control))))]
        case If(condition, body):
            if control.differs(*(side for pair in condition.below for side in pair)):
                return _together(body, replace(control, guard=(*control.guard, *condition.below)))
            return [replace(statement, body=Block(tuple(_together(body, control))))]
        case Define(value=value) | DefineIndex(value=value):
            before, value = _hoisted(value, control, statement.origin)
            if control.guard:
                t = value.type
                value = Guarded(Condition(control.guard), value, _zero(t), t)
            return [*before, replace(statement, value=value)]
        case Assign(value=value) | AtomicUpdate(value=value) | FillFragment(value=value):
            before, value = _hoisted(value, control, statement.origin)
            return [*before, *control.guarded([replace(statement, value=value)])]
        case MapFragment():
            return _map(statement, control)
        case _:
            return [statement]


def _map(statement: MapFragment, control: _Control) -> list[Statement]:
    """A function of a fragment's numbers, with its exchanges before it."""
    before, value = _hoisted(statement.value, control, statement.origin)
    inner: list[Statement] = []
    for part in statement.body.statements:
        match part:
            case Define(value=part_value) | Assign(value=part_value):
                exchanges, part_value = _hoisted(part_value, control, part.origin)
                before += exchanges
                inner.append(replace(part, value=part_value))
            case _:
                if _exchanges(part):
                    _refuse("a function of a fragment's numbers", part.origin)
                inner.append(part)
    return [*before, replace(statement, body=Block(tuple(inner)), value=value)]


def _level(loop: For, control: _Control) -> list[Statement]:
    """A loop over a level, run by all lanes of the warps that run it."""
    assert isinstance(loop.kind, Level), loop
    share = control.launch.share(loop)
    if loop.kind.name == "lane" and share != "one":
        return _all_lanes(loop, control)
    if loop.kind.name in ("warp", "block"):
        return [replace(loop, body=Block(tuple(_together(loop.body, control))))]
    if share != "one":
        _refuse(f"a loop over {show_nat(loop.count)} threads", loop.origin)
    control.differing.add(loop.index)
    return [replace(loop, body=Block(tuple(_together(loop.body, replace(control, is_spread=True)))))]


def _all_lanes(loop: For, control: _Control) -> list[Statement]:
    """A loop over fewer or more iterations than a warp has lanes, as one or several over all lanes."""
    turns = in_turns(loop, const(LANES), "lane", control.names)
    if turns.turn is not None and control.differs(loop.count):
        _refuse(f"a loop of {show_nat(loop.count)} iterations", loop.origin)
    control.differing.add(turns.unit)
    within = replace(control, guard=(*control.guard, *turns.guard), is_spread=True)
    return [turns.around(Block(tuple(_together(turns.body, within))), loop)]


def _hoisted(value: Value, control: _Control, origin: Origin) -> tuple[list[Statement], Value]:
    """The exchanges of a value as definitions, and the value with their variables."""
    definitions: list[Statement] = []
    variables: dict[Exchange, Value] = {}

    def replace_exchange(part: Value) -> Value:
        if not isinstance(part, Exchange):
            return part
        if part not in variables:
            variables[part] = _received(part, control, origin, definitions)
        return variables[part]

    return definitions, map_value(value, replace_exchange) if _mentions_exchange(value) else value


def _received(exchange: Exchange, control: _Control, origin: Origin, definitions: list[Statement]) -> Value:
    """The value that a lane receives: if lanes read different registers, all candidates and a choice between them."""

    def receive(index: Nat) -> Local:
        local = Local(control.names.fresh(f"{exchange.buffer.name}_of_lane"), exchange.type)
        definitions.append(Define(local, replace(exchange, index=index), origin))
        return local

    if not control.differs(exchange.index):
        return receive(exchange.index)
    size, greatest_index = exchange.buffer.size.constant, greatest(exchange.index).constant
    ends = [end for end in (size, None if greatest_index is None else greatest_index + 1) if end is not None]
    if not ends or min(ends) > MAX_EXCHANGED_REGISTERS:
        fail(
            "registers",
            f"expected lanes to read one register of the array {exchange.buffer.name} at a time, found each at "
            f"another index, {show_nat(exchange.index)}",
            IN_SHARED,
            origin,
        )
    *candidates, last = [(index, receive(const(index))) for index in range(min(ends))]
    chosen: Value = last[1]
    for index, local in reversed(candidates):
        chosen = Guarded(Condition(((exchange.index, const(index + 1)),)), local, chosen, exchange.type)
    return chosen


def _zero(t: ValueType) -> Value:
    match t:
        case ScalarType():
            return Constant(0, t)
        case VectorType(_, ScalarType() as element):
            return Operation("broadcast", (Constant(0, element),), t)
    raise AssertionError(f"{t!r} is no type of a variable")


def _exchanges(statement: Statement) -> bool:
    """Whether a statement contains an exchange."""
    return any(isinstance(part, Exchange) for part in all_values(Block((statement,))))


def _mentions_exchange(value: Value) -> bool:
    return any(isinstance(part, Exchange) for part in values(value))


def _refuse(what: str, origin: Origin) -> NoReturn:
    fail(
        "registers",
        f"expected lanes of a warp to exchange registers together, found an exchange in {what}, which not all "
        "of them run",
        f"move it out with `toMem(Local)`, or {IN_SHARED}",
        origin,
    )
