"""Exchanges between lanes where all lanes of a warp take part in them. Knows no arrays but those exchanged.

An exchange stands in a value, perhaps under control that lanes do not share: a loop over fewer lanes than a warp has, a
condition on the lane. It is computed before the statement that uses it, into a variable; the loop becomes one over all
lanes, and what is not an exchange stands under its condition. The others' exchanges give what nobody uses.

A moved exchange reads what it did where it stood: iterations over lanes are independent, so that none stores what
another one reads.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Final, NoReturn

from rise.indices import greatest
from rise.naturals import Nat, NatVar, const, nat
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
from shine.imperative.walk import everything, map_value, value_of, values
from shine.passes.gpu.ownership import IN_SHARED
from shine.passes.gpu.turns import in_turns

#: registers of a lane that are exchanged one after the other where the lanes ask for different ones
MOST_REGISTERS: Final = 32


def exchange_together(block: Block, launch: Launch, names: Names) -> Block:
    """The block with every exchange in a `Define` that all lanes of a warp reach.

    Raises TranslationError for an exchange in a loop that only some lanes run.
    """
    return Block(tuple(_together(block, _Control(launch, names))))


@dataclass(frozen=True, slots=True)
class _Control:
    """Under which condition a statement runs, whether in a loop over lanes or threads, and which naturals differ
    between the lanes of a warp.
    """

    launch: Launch
    names: Names
    guard: tuple[tuple[Nat, Nat], ...] = ()
    is_spread: bool = False
    differing: set[NatVar] = field(default_factory=set)

    def differs(self, *naturals: Nat) -> bool:
        """Whether lanes may see different values."""
        return any(not a.free.isdisjoint(self.differing) for a in naturals)

    def guarded(self, statements: Iterable[Statement]) -> list[Statement]:
        """The statements, under the condition."""
        inner = tuple(statements)
        if not self.guard or not inner:
            return list(inner)
        return [If(Condition(self.guard), Block(inner), inner[0].origin)]


def _together(block: Block, control: _Control) -> list[Statement]:
    """The statements of a block that all lanes of a warp reach."""
    made: list[Statement] = []
    waiting: list[Statement] = []  # without exchanges, and not yet put under the condition
    last = max((i for i, one in enumerate(block.statements) if _exchanges(one)), default=-1)
    for position, statement in enumerate(block.statements):
        is_seen_later = isinstance(statement, Allocate | Define | DefineIndex) and position < last
        if not _exchanges(statement) and not is_seen_later:
            waiting.append(statement)
        else:
            made += (*control.guarded(waiting), *_statement(statement, control))
            waiting = []
        if isinstance(statement, DefineIndex) and control.is_spread:
            control.differing.add(statement.name)
    return [*made, *control.guarded(waiting)]


def _statement(statement: Statement, control: _Control) -> list[Statement]:
    """A statement with exchanges, or one that defines what later statements with exchanges may use."""
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
    """A function of a fragment's numbers: what it needs of other lanes is found first."""
    before, value = _hoisted(statement.value, control, statement.origin)
    inner: list[Statement] = []
    for one in statement.body.statements:
        match one:
            case Define(value=found) | Assign(value=found):
                moved, found = _hoisted(found, control, one.origin)
                before += moved
                inner.append(replace(one, value=found))
            case _:
                if _exchanges(one):
                    _refuse("a function of a fragment's numbers", one.origin)
                inner.append(one)
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
    made: list[Statement] = []
    found: dict[Exchange, Value] = {}

    def put(one: Value) -> Value:
        if not isinstance(one, Exchange):
            return one
        if one not in found:
            found[one] = _received(one, control, origin, made)
        return found[one]

    return made, map_value(value, put) if _mentions_exchange(value) else value


def _received(one: Exchange, control: _Control, origin: Origin, made: list[Statement]) -> Value:
    """What a lane gets: where lanes ask for different registers, all that it may be, and a choice."""

    def receive(index: Nat) -> Local:
        local = Local(control.names.fresh(f"{one.buffer.name}_of_lane"), one.type)
        made.append(Define(local, replace(one, index=index), origin))
        return local

    if not control.differs(one.index):
        return receive(one.index)
    size, most = one.buffer.size.constant, greatest(one.index).constant
    known = [end for end in (size, None if most is None else most + 1) if end is not None]
    if not known or min(known) > MOST_REGISTERS:
        fail(
            "registers",
            f"expected lanes to read one register of the array {one.buffer.name} at a time, found each at "
            f"another index, {show_nat(one.index)}",
            IN_SHARED,
            origin,
        )
    *others, last = [(index, receive(const(index))) for index in range(min(known))]
    chosen: Value = last[1]
    for index, local in reversed(others):
        chosen = Guarded(Condition(((one.index, const(index + 1)),)), local, chosen, one.type)
    return chosen


def _zero(t: ValueType) -> Value:
    match t:
        case ScalarType():
            return Constant(0, t)
        case VectorType(_, ScalarType() as element):
            return Operation("broadcast", (Constant(0, element),), t)
    raise AssertionError(f"{t!r} is no type of a variable")


def _exchanges(statement: Statement) -> bool:
    """Whether lanes exchange something in a statement."""
    found = (value_of(one) for one, _ in everything(Block((statement,))))
    return any(_mentions_exchange(value) for value in found if value is not None)


def _mentions_exchange(value: Value) -> bool:
    return any(isinstance(one, Exchange) for one in values(value))


def _refuse(what: str, origin: Origin) -> NoReturn:
    fail(
        "registers",
        f"expected lanes of a warp to exchange registers together, found an exchange in {what}, which not all "
        "of them run",
        f"move it out with `toMem(Local)`, or {IN_SHARED}",
        origin,
    )
