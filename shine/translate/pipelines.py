"""Translates `reducePipe`: a reduction whose elements are loaded ahead of the steps that use them.

What `load` stores with `toMem` is stored in slots, one for each stage: element k in slot k modulo the number of slots.
The loop is unrolled by this number, so that slots are constants in every statement, and checks for conflicting accesses
distinguish them without special treatment of pipelines. With S stages, S - 1 elements are loaded before the loop. Each
step first loads the element S - 1 ahead, into the slot that the previous step has read. The remainder of the unrolled
loop loads nothing, since all elements that it needs were loaded before.

The copies of each load form a group, which is empty if the load is skipped. So the number of later groups determines
the step to which a group belongs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from rise.naturals import Nat, NatVar, const, nat
from rise.quotients import floor_quotient, is_nonnegative, remainder
from rise.types import DepArrayType, FunType, PairType, Type, type_at
from shine.imperative.errors import fail
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    CommitCopies,
    Condition,
    Define,
    DefineIndex,
    Load,
    Local,
    Operation,
    Piece,
    Statement,
    Value,
)
from shine.imperative.vectors import COPY
from shine.imperative.walk import everything, value_of, values
from shine.translate.context import GPU_LEVELS
from shine.translate.core import Call, Known, Operand, Term, Translation, Translator, read
from shine.translate.patterns import Step, inner_name, read_reduce, write_reduce
from shine.translate.slots import Slots
from shine.translate.trampoline import Task, done
from shine.translate.values import FragmentReader, PairReader, Reader, ScalarReader, element, half, rows
from shine.translate.views import array_of, natural

MAX_STAGES: Final = 16
#: the operations on values that move numbers, and compute none
_MOVING: Final = frozenset({"lane", "vector", "broadcast", COPY})


def walk_ahead(tr: Translator, call: Call) -> Task[Callable[[Step], Task[None]]]:
    """Emit a step for each element of the array, which is loaded ahead."""
    load, step, _, operand = call.operands
    stages = natural(call, 0).constant
    if stages is None or not 1 <= stages <= MAX_STAGES:
        found = "a symbolic one" if stages is None else str(stages)
        title = f"expected a number of stages from 1 to {MAX_STAGES}, found {found}"
        fail(
            "pipeline-stages", title, "write the number: `reducePipe(3, load, step, start)`", call.path.origin
        )
    xs: Reader = yield read(tr, operand)
    pipeline = Pipeline(tr, call, load, xs, stages)
    return lambda each: pipeline.run(inner_name(step), each)


class Pipeline:
    """The state of one pipelined reduction's translation."""

    def __init__(self, tr: Translator, call: Call, load: Operand, xs: Reader, stages: int) -> None:
        function, array = call.parameters[0], array_of(call.parameters[3])
        assert isinstance(function, FunType), function
        self.tr, self.path, self.load, self.xs = tr, call.path, load, xs
        self.count, self.element, self.loaded = array.size, array.element, function.result
        self.slots = Slots(stages)
        self.is_grouped = False
        self.left_out: set[str] = set()  # variables and arrays that only what is stored is computed from

    def run(self, name: str, each: Step) -> Task[None]:
        """Emit the loads and the steps, given a function that emits a step for a loaded element."""
        tr, count, stages = self.tr, self.count, self.slots.stages
        if count.constant == 0:
            return
        scope, before = tr.scope, tr.position
        yield self.check()
        for k in range(stages - 1):
            yield self.store(const(k), k)
        rounds, rest = (count, const(0))
        if (
            stages > 1
        ):  # a count such as `n /^ 32` is whole, but its quotient by 1 would not be seen to be the same
            rounds, rest = floor_quotient(count, stages), remainder(count, stages)

        def whole_round(q: Nat) -> Task[None]:
            for slot in range(stages):
                yield self.step(q * stages + slot, slot, each, loads=True)

        yield tr.loop("seq", rounds, name, self.path, whole_round)
        first = count - rest
        if rest.constant is not None:
            for slot in range(rest.constant):
                yield self.step(first + slot, slot, each)
        elif stages == 2 or self.slots.are_in("Local"):  # registers have no addresses: slots must be numbers
            for slot in range(stages - 1):
                is_there = Condition(((first + slot, count),))
                yield tr.when(is_there, self.path, partial(self.step, first + slot, slot, each))
        else:
            yield tr.loop("seq", rest, name, self.path, lambda slot: self.step(first + slot, slot, each))
        scope.statements[before:before] = self.slots.allocations

    def step(self, k: Nat, slot: int | Nat, each: Step, loads: bool = False) -> Task[None]:
        """Emit the step for an element in a slot; if `loads`, emit the load for a later step before it."""
        ahead = self.slots.stages - 1

        def use() -> Task[None]:
            if loads:
                assert isinstance(slot, int), slot
                yield self.store(k + ahead, (slot + ahead) % self.slots.stages, is_there=slot == 0)
            x: Reader = yield self.at(k, slot, stores=False)
            yield each(Known(x, self.loaded))

        yield self.tr.assuming([(k, self.count)], use)

    def store(self, k: Nat, slot: int, is_there: bool = False) -> Task[None]:
        """Emit the load of an element into a slot, if there is such an element, as a group of copies."""
        tr, before = self.tr, self.tr.position

        def load() -> Task[None]:
            yield self.at(k, slot, stores=True)

        if is_there:
            yield tr.assuming([(k, self.count)], load)
        elif not is_nonnegative(k - self.count):  # else there is none
            yield tr.when(Condition(((k, self.count),)), self.path, load)
        on_gpu = not tr.levels.isdisjoint(GPU_LEVELS)
        self.is_grouped |= on_gpu and _copies(tr.scope.statements[before:])
        if self.is_grouped and self.slots.stages > 1:
            tr.emit(CommitCopies(self.path.origin))

    def at(self, k: Nat, slot: int | Nat, stores: bool) -> Task[Reader]:
        """An element that is loaded into a slot now, or was loaded there before."""
        tr = self.tr
        if not stores:
            tr.open()
        x: Reader = yield element(self.xs, k)
        around, tr.slots = tr.slots, self.slots
        self.slots.turn_to(slot, stores)
        loaded: Reader = yield read(tr, self.load, Known(x, self.element))
        loaded = yield _forced(loaded)
        tr.slots = around
        if not stores:  # what else is computed is for what is stored
            block = tr.close()
            for one, _ in everything(block):
                match one:
                    case Define(Local(name)) | Allocate(Buffer(name)):
                        self.left_out.add(name)
                    case _:
                        pass
            tr.emit(*filter(_reads_index, block.statements))
        return loaded

    def check(self) -> Task[None]:
        """Raise TranslationError unless `load` stores something, and only views what it stores."""
        tr = self.tr
        path = self.load.path if isinstance(self.load, Term) else self.path
        tr.open()
        k = nat(NatVar(tr.names.fresh("k"), self.count))
        loaded: Reader = yield self.at(k, 0, stores=False)
        around, tr.slots = tr.slots, None
        numbers: list[Value | Piece] = []
        yield _numbers(loaded, self.loaded, numbers)
        tr.slots = around
        emitted = [one for one in tr.close().statements if not _reads_index(one)]
        if not self.slots.cells:
            title = "expected a `load` that stores each element with `toMem`, found one that stores nothing"
            hint = (
                "store it: `fun(x => toMem(Shared, ...))`, or `toMem(Local, ...)` for each thread's registers"
            )
            fail("pipeline-load", title, hint, path.origin)
        parts = [part for one in numbers for part in ([one] if isinstance(one, Piece) else values(one))]
        computed = [part.name for part in parts if isinstance(part, Operation) and part.name not in _MOVING]
        is_later = bool(emitted) or any(_name(part) in self.left_out for part in parts)
        if computed or is_later:
            found = (
                f"one that computes with `{computed[0]}`"
                if computed
                else "one that leaves computations to its readers"
            )
            title = f"expected a `load` that only views what its `toMem` stores, found {found}"
            hint = "put `toMem` around all that `load` computes, or compute it in the step"
            fail("pipeline-load", title, hint, path.origin)


def _forced(reader: Reader) -> Task[Reader]:
    """A value whose pairs are read now: each component once, from left to right."""
    if not isinstance(reader, PairReader):
        return reader
    halves: list[Reader] = []
    for which in (0, 1):
        part: Reader = yield half(reader, which)
        part = yield _forced(part)
        halves.append(part)
    return PairReader(lambda: done(halves[0]), lambda: done(halves[1]))


def _numbers(reader: Reader, t: Type, found: list[Value | Piece]) -> Task[None]:
    """Add the values of all numbers and fragments, with any index in each array."""
    shape = rows(t)
    if shape is not None:
        inner: Reader = yield element(reader, nat(NatVar("any", shape[0])))
        yield _numbers(inner, shape[1], found)
    elif isinstance(t, DepArrayType):
        any_row = nat(NatVar("any", t.size))
        inner = yield element(reader, any_row)
        yield _numbers(inner, type_at(t.family, any_row), found)
    elif isinstance(t, PairType):
        for which, part in enumerate((t.first, t.second)):
            inner = yield half(reader, which)
            yield _numbers(inner, part, found)
    elif isinstance(reader, ScalarReader):
        found.append(reader.value)
    elif isinstance(reader, FragmentReader):
        found.append(reader.piece)


def _name(part: Value | Piece) -> str:
    """The name of a value that is a variable or loaded from a buffer."""
    match part:
        case Local(name) | Load(Buffer(name)) | Piece(Buffer(name)):
            return name
    return ""


def _reads_index(statement: Statement) -> bool:
    return isinstance(statement, DefineIndex) and isinstance(statement.value, Load)


def _copies(statements: list[Statement]) -> bool:
    """Whether statements may copy asynchronously."""
    for statement, _ in everything(Block(tuple(statements))):
        value = value_of(statement)
        if isinstance(value, Operation) and value.name == COPY:
            return True
        if isinstance(statement, Assign) and statement.asynchronous:
            return True
    return False


PIPELINES: Final = (
    Translation(
        "reducePipe",
        "(read -> read) -> (read -> read -> write) -> b -> read -> a",
        read=read_reduce(walk_ahead),
        write=write_reduce(walk_ahead),
    ),
)
