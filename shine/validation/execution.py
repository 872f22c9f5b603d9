"""Executes imperative programs on values of the checker: what each element of each buffer is, for all inputs.

A buffer is an array of values by address. A loop is one of two things for a buffer that it stores to:

- Its iterations share no element (`owners`). An element is then what the iteration that owns it makes of it. Such a
  loop may run in any order, and in parallel.
- It is a fold: each iteration continues with the buffer of the previous one. Such a loop must run in order.

Values are computed when they are read, under what is known there, while owners are proved beforehand, under the facts
about sizes alone: an element that is read in one case of a comparison has the same owner in the others.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from rise.checker.evaluation import value_of
from rise.checker.state import State
from rise.checker.values import Array, Equal, Less, Number, Pair, Unspecified, Value
from rise.checker.values import Index as IndexOf
from rise.inference.schemes import instantiate_primitive, scheme_of
from rise.naturals import Nat, NatVar, const
from rise.primitives import lookup
from rise.records import dataclass
from rise.terms import make_literal
from rise.types import ArrayType, FunType, PairType, Type, TypeVar, VectorType
from shine.imperative import nodes
from shine.imperative.accesses import lanes_in
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Constant,
    Define,
    For,
    Guarded,
    If,
    Load,
    Local,
    Operation,
    Prefetch,
    Statement,
)
from shine.imperative.walk import statements
from shine.validation.boundary import UnsupportedError
from shine.validation.owners import IN_ORDER, Owner, owner, stored, with_values
from shine.validation.quotients import at_most, first_extremum


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What is known between two statements: the contents of buffers, the values of variables, and of naturals."""

    buffers: Mapping[Buffer, Array]
    variables: Mapping[str, Callable[[], Value]]
    naturals: Mapping[Any, Nat]

    def at(self, a: Nat) -> Nat:
        """A natural with the values of the indices of enclosing loops."""
        return with_values(a, self.naturals)

    def storing(self, buffers: Mapping[Buffer, Array]) -> Memory:
        """The same with other contents of some buffers."""
        return Memory({**self.buffers, **buffers}, self.variables, self.naturals)

    def defining(self, name: NatVar, value: Nat) -> Memory:
        """The same with the value of a natural."""
        return Memory(self.buffers, self.variables, {**self.naturals, name: value})


class Execution:
    """One execution: its state, the values of sizes, and the owners that it found."""

    def __init__(self, state: State, block: Block, sizes: Mapping[Any, Nat]) -> None:
        """Raises UnsupportedError."""
        self.state, self.sizes = state, sizes
        self._owners: dict[tuple[For, Buffer], Owner | None] = {
            (loop, buffer): owner(state, loop, buffer, sizes)
            for loop, _ in statements(block)
            if isinstance(loop, For)
            for buffer in stored(loop.body)
        }

    def run(self, block: Block, memory: Memory) -> Memory:
        """The memory after a block. Raises UnsupportedError."""
        for statement in block.statements:
            memory = self._after(statement, memory)
        return memory

    def _after(self, statement: Statement, memory: Memory) -> Memory:
        self.state.spend()
        match statement:
            case Allocate(buffer):
                if buffer in memory.buffers:
                    raise UnsupportedError(f"`{buffer.name}`, which is allocated twice")
                return memory.storing({buffer: unspecified(self.state, buffer, self.sizes)})
            case Define(local, value):
                variables = {**memory.variables, local.name: lambda: self._value(value, memory)}
                return Memory(memory.buffers, variables, memory.naturals)
            case Assign():
                return memory.storing({statement.buffer: self._assigned(statement, memory)})
            case If(condition, body):
                after = self.run(body, memory)
                changed = [one for one in stored(body) if one in memory.buffers]
                return memory.storing({one: self._chosen(condition, one, after, memory) for one in changed})
            case For():
                return self._loop(statement, memory)
            case Prefetch():
                return memory
        raise UnsupportedError(f"a statement of another kind: {type(statement).__name__}")

    def _assigned(self, statement: Assign, memory: Memory) -> Array:
        state, buffer = self.state, statement.buffer
        old, at = memory.buffers[buffer], memory.at(statement.index)
        lanes = 1 if isinstance(buffer.element, VectorType) else lanes_in(statement.value)

        def element(address: Nat) -> Value:
            def new() -> Value:
                value = self._value(statement.value, memory)
                return value if lanes == 1 else state.element(value, address - at)

            def kept() -> Value:
                return state.element(old, address)

            if lanes == 1:
                return state.choose(Equal(address, at), new, kept, buffer.element)
            return self._all_of([(at - 1, address), (address, at + lanes)], new, kept, buffer.element)

        return Array(old.length, element)

    def _chosen(self, condition: Condition, buffer: Buffer, after: Memory, before: Memory) -> Array:
        def element(address: Nat) -> Value:
            return self._if(
                condition,
                before,
                lambda: self.state.element(after.buffers[buffer], address),
                lambda: self.state.element(before.buffers[buffer], address),
                buffer.element,
            )

        return Array(before.buffers[buffer].length, element)

    def _if(
        self,
        condition: Condition,
        memory: Memory,
        yes: Callable[[], Value],
        no: Callable[[], Value],
        t: Type,
    ) -> Value:
        return self._all_of(
            [
                (memory.at(left), part)
                for left, right in condition.below
                for part in at_most(memory.at(right))
            ],
            yes,
            no,
            t,
        )

    def _all_of(
        self, below: Sequence[tuple[Nat, Nat]], yes: Callable[[], Value], no: Callable[[], Value], t: Type
    ) -> Value:
        """One of two values: the first if each first natural of a pair is less than the second."""
        if not below:
            return yes()
        return self.state.choose(Less(*below[0]), lambda: self._all_of(below[1:], yes, no, t), no, t)

    # loops

    def _loop(self, loop: For, memory: Memory) -> Memory:
        if loop.code is not None:
            raise UnsupportedError(f"the foreign function `{loop.code.name}`")
        state, count = self.state, memory.at(loop.count)
        changed = [one for one in stored(loop.body) if one in memory.buffers]
        owners = {one: found for one in changed if (found := self._owners[loop, one]) is not None}
        folded = [one for one in changed if one not in owners]
        if folded and loop.kind not in IN_ORDER:
            title = f"a loop in parallel whose iterations may access the same elements of `{folded[0].name}`"
            raise UnsupportedError(title)
        if folded and not all(state.is_nonnegative(one) for one in at_most(count)):
            raise UnsupportedError(f"the loop over `{loop.index.name}`, whose count may be below 0")

        def iteration(k: Nat, before: Mapping[Buffer, Array]) -> Memory:
            return self.run(loop.body, memory.storing(before).defining(loop.index, k))

        def before(k: Nat) -> Mapping[Buffer, Array]:
            """The folded buffers after k iterations."""
            if not folded:
                return {}

            def step(contents: Value, number: Nat) -> Value:
                after = iteration(number, _by_name(folded, contents))
                return _together([after.buffers[one] for one in folded])

            start = _together([memory.buffers[one] for one in folded])
            return _by_name(folded, state.fold(k, step, start, _type_of(folded, self.sizes)))

        def merged(buffer: Buffer) -> Array:
            old, owns = memory.buffers[buffer], owners[buffer].at(memory.naturals)

            def element(address: Nat) -> Value:
                k = owns.of(state, address)
                return self._all_of(
                    [(const(-1), k), *((k, one) for one in at_most(count))],
                    lambda: state.element(iteration(k, before(k)).buffers[buffer], address),
                    lambda: state.element(old, address),
                    buffer.element,
                )

            return Array(old.length, element)

        return memory.storing({**before(count), **{one: merged(one) for one in owners}})

    # values

    def _value(self, value: nodes.Value, memory: Memory) -> Value:
        match value:
            case Load(buffer, index, lanes):
                array, at = memory.buffers.get(buffer), memory.at(index)
                if array is None:
                    raise UnsupportedError(f"the contents of `{buffer.name}`")
                if lanes > 1 and not isinstance(buffer.element, VectorType):
                    return Array(const(lanes), lambda i: self._read(array, at + i, buffer.element))
                return self._read(array, at, buffer.element)
            case Constant(number, t):
                return Number(make_literal(number, t).bits, t)
            case Local(name):
                return memory.variables[name]()
            case nodes.Index(natural):
                return IndexOf(memory.at(natural))
            case Guarded(condition, inner, otherwise, t):
                return self._if(
                    condition,
                    memory,
                    lambda: self._value(inner, memory),
                    lambda: self._value(otherwise, memory),
                    t,
                )
            case Operation("broadcast", (scalar,), VectorType(size)):
                return Array(size, lambda i: self._value(scalar, memory))
            case Operation(foreign=None):
                return self._operation(value, memory)
        raise UnsupportedError(f"a value of another kind: {type(value).__name__}")

    def _read(self, array: Array, at: Nat, t: Type) -> Value:
        """An element; if its address is a minimum or a maximum, in both cases."""
        found = first_extremum(at)
        if found is None:
            return self.state.element(array, at)
        first, second, at_first, at_second = found
        return self.state.choose(
            Less(first, second),
            lambda: self._read(array, at_first, t),
            lambda: self._read(array, at_second, t),
            t,
        )

    def _operation(self, value: Operation, memory: Memory) -> Value:
        """An operation is the primitive with its name, for the types of its arguments."""
        record = lookup(value.name)
        if record is None:
            raise UnsupportedError(f"the operation `{value.name}`")
        scheme = scheme_of(record.scheme)
        given: dict[Any, Type] = {}
        t = scheme.body
        for argument in value.arguments:
            if not isinstance(t, FunType):
                raise UnsupportedError(f"the operation `{value.name}`")
            if isinstance(t.parameter, TypeVar):
                given[t.parameter] = argument.type
            t = t.result
        if isinstance(t, TypeVar):
            given[t] = value.type
        if not all(one in given for one in scheme.variables):
            raise UnsupportedError(f"the operation `{value.name}`")
        primitive = instantiate_primitive(record, tuple(given[one] for one in scheme.variables))
        arguments = (self._value(one, memory) for one in value.arguments)
        return self.state.call(value_of(self.state, primitive), *arguments)


def unspecified(state: State, buffer: Buffer, sizes: Mapping[Any, Nat]) -> Array:
    """The contents of a buffer to which nothing was stored."""
    contents = state.reflect(Unspecified(), _contents_type(buffer, sizes))
    assert isinstance(contents, Array), buffer
    return contents


def _contents_type(buffer: Buffer, sizes: Mapping[Any, Nat]) -> Type:
    return ArrayType(with_values(buffer.size, sizes), buffer.element)


def _type_of(buffers: Sequence[Buffer], sizes: Mapping[Any, Nat]) -> Type:
    """The type of what `_together` returns for the contents of buffers."""
    types = [_contents_type(one, sizes) for one in buffers]
    return reduce(lambda second, first: PairType(first, second), types[-2::-1], types[-1])


def _together(contents: Sequence[Value]) -> Value:
    return reduce(lambda second, first: Pair(first, second), contents[-2::-1], contents[-1])


def _by_name(buffers: Sequence[Buffer], contents: Value) -> dict[Buffer, Array]:
    """The buffers with their contents, which `_together` combined."""
    found = {}
    for one in buffers[:-1]:
        found[one], contents = contents.first, contents.second
    return {**found, buffers[-1]: contents}
