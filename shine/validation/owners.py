"""The iteration of a loop that an element belongs to: a function of its address, if no two iterations share elements.

Telamon calls this the semantic index of a store. It is not an annotation, which passes might carry along wrongly: it is
computed from the addresses of the program after the passes, and proved for each access. Independent of values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from dataclasses import replace
from typing import Any, Final, TypeAlias

from rise.checker.state import State
from rise.checker.values import Less
from rise.inference.schemes import substitute_names
from rise.naturals import ONE, ZERO, Nat, NatVar, Term, const, exact_quotient, nat, polynomial
from rise.quotients import is_integral, linear_in
from rise.records import dataclass
from rise.types import VectorType
from shine.imperative.accesses import Access, lanes_in
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Define,
    For,
    Guarded,
    If,
    Load,
    Prefetch,
    Value,
)
from shine.imperative.walk import parts, statements
from shine.validation.boundary import UnsupportedError
from shine.validation.quotients import at_most, quotient, remainder

Guards: TypeAlias = "tuple[tuple[Nat, Nat], ...]"
#: the kinds of loops whose iterations run one after the other
IN_ORDER: Final = ("seq", "unroll")


@dataclass(frozen=True, slots=True)
class Owner:
    """The iteration to which an address belongs: `(address % row - start) / width`; `% row` is absent if it is None."""

    row: Nat | None
    start: Nat
    width: Nat

    @property
    def free(self) -> Set[Any]:
        """The names that it depends on."""
        return self.start.free | self.width.free | (frozenset() if self.row is None else self.row.free)

    def of(self, state: State, address: Nat) -> Nat:
        """The number of the iteration, below 0 or beyond the last one if no iteration has the address."""
        if self.row is not None:
            address = remainder(state, address, self.row)
        return quotient(state, address - self.start, self.width)

    def at(self, naturals: Mapping[Any, Nat]) -> Owner:
        """The owner for these values of the indices of enclosing loops."""
        row = None if self.row is None else with_values(self.row, naturals)
        return Owner(row, with_values(self.start, naturals), with_values(self.width, naturals))


def owner(state: State, loop: For, buffer: Buffer, sizes: Mapping[Any, Nat]) -> Owner | None:
    """The owner of the elements of a buffer that a loop accesses; None if iterations may share some, or if it is not
    found. `sizes` are the values of sizes.
    """
    touched = [one for one in accesses(Block((loop,)), sizes) if one.buffer == buffer]
    inside = {loop.index, *_defined(loop.body)}
    found = (one for store in touched if store.is_store for one in _candidates(store, loop.index, inside))
    for one in dict.fromkeys(found):
        if inside.isdisjoint(one.free) and all(_owns(state, one, loop.index, each) for each in touched):
            return one
    return None


def _candidates(store: Access, index: NatVar, inside: set[NatVar]) -> Iterator[Owner]:
    linear = linear_in(store.index, index)
    if linear is None or not linear[0].terms:
        return
    width, rest = linear
    start = substitute_names(rest, {one: ZERO for one in inside if one in rest.free})
    strides = [found[0] for one in rest.free if isinstance(one, NatVar) and (found := linear_in(rest, one))]
    rows = dict.fromkeys((None, *sorted((one for one in strides if one.terms), key=lambda one: one.order)))
    for row in rows:
        first = start if row is None else start - row * _multiples(start, row)
        for each in dict.fromkeys((ZERO, _rounded(first, width), first)):
            yield Owner(row, each, width)


def _rounded(start: Nat, width: Nat) -> Nat:
    """The start of the row that contains a place."""
    by = width.constant
    return start if by is None else polynomial([(monomial, c // by * by) for monomial, c in start.terms])


def _owns(state: State, one: Owner, index: NatVar, access: Access) -> bool:
    """Whether the elements of an access belong to the iteration that makes it: shown by linear arithmetic."""
    with ExitStack() as stack:
        for left, right in access.guards:
            stack.enter_context(state.assuming(Less(left, right), True))
        place = access.index
        if access.lanes > 1:
            place = place + state.fresh_index(const(access.lanes))
        if one.row is not None:
            row = one.row
            place = place - row * _multiples(place, row)
            if not (state.is_nonnegative(place) and state.is_nonnegative(row - 1 - place)):
                return False
        place = place - one.start - one.width * nat(index)
        return state.is_nonnegative(place) and state.is_nonnegative(one.width - 1 - place)


def _multiples(a: Nat, width: Nat) -> Nat:
    """The quotient of what a width divides: of whole terms, and of a part of the number."""
    by = width.constant
    terms: list[Term] = []
    for monomial, c in a.terms:
        if by is not None and monomial is ONE:
            terms.append((monomial, c // by))
            continue
        exact = exact_quotient(Nat(((monomial, c),)), width)
        terms += exact.terms if is_integral(exact) else ()
    return polynomial(terms)


def check_places(state: State, block: Block, sizes: Mapping[Any, Nat]) -> None:
    """Show that all accesses are inside their buffers. Raises UnsupportedError."""
    for access in accesses(block, sizes):
        with ExitStack() as stack:
            possible = [stack.enter_context(state.assuming(Less(*one), True)) for one in access.guards]
            after = with_values(access.buffer.size, sizes) - access.index - access.lanes
            if all(possible) and not (
                all(state.is_nonnegative(one) for one in at_most(access.index))
                and state.is_nonnegative(after)
            ):
                raise UnsupportedError(f"an access to `{access.buffer.name}` that may be outside of it")


def check_ranges(state: State, block: Block, sizes: Mapping[Any, Nat]) -> None:
    """Show that the indices of all loops are below the ends that they state. Raises UnsupportedError."""
    for statement, loops in statements(block):
        if isinstance(statement, For) and statement.index.upper is not None:
            with ExitStack() as stack:
                for around in loops:
                    count = with_values(around.count, sizes)
                    stack.enter_context(state.assuming(Less(nat(around.index), count), True))
                upper, count = (with_values(one, sizes) for one in (statement.index.upper, statement.count))
                if not any(state.is_nonnegative(upper - one) for one in at_most(count)):
                    raise UnsupportedError(f"the loop over `{statement.index.name}`, beyond its range")


def stored(block: Block) -> tuple[Buffer, ...]:
    """The buffers that a block stores to."""
    return tuple(dict.fromkeys(one.buffer for one in _accesses(block) if one.is_store))


def _defined(block: Block) -> Iterator[NatVar]:
    """The indices of the loops of a block."""
    for statement, _ in statements(block):
        if isinstance(statement, For):
            yield statement.index


def with_values(a: Nat, values: Mapping[Any, Nat]) -> Nat:
    """A natural with values for some of its names."""
    found: Nat = substitute_names(a, values) if values else a
    return found


def accesses(block: Block, sizes: Mapping[Any, Nat]) -> Iterator[Access]:
    """The loads and stores of a block, in no particular order. Raises UnsupportedError for others."""
    for one in _accesses(block):
        guards = tuple((with_values(left, sizes), with_values(right, sizes)) for left, right in one.guards)
        yield replace(one, index=with_values(one.index, sizes), guards=guards)


def _accesses(block: Block) -> Iterator[Access]:
    """The loads and stores of a block, with the enclosing loops, and the conditions under which they are made, among
    which are that indices of loops are below their counts. Raises UnsupportedError for other statements.
    """
    waiting: list[tuple[Block, tuple[NatVar, ...], Guards]] = [(block, (), ())]
    while waiting:
        inner, loops, guards = waiting.pop()
        for statement in inner.statements:
            match statement:
                case Assign(buffer, index, value):
                    yield from _loads(value, loops, guards)
                    lanes = 1 if isinstance(buffer.element, VectorType) else lanes_in(value)
                    yield Access(True, buffer, index, lanes, loops, guards)
                case Define(_, value):
                    yield from _loads(value, loops, guards)
                case For(index=name, count=count, body=body):
                    waiting.append((body, (*loops, name), (*guards, (nat(name), count))))
                case If(condition, body):
                    waiting.append((body, loops, (*guards, *condition.below)))
                case Allocate() | Prefetch():
                    pass
                case _:
                    raise UnsupportedError(f"a statement of another kind: {type(statement).__name__}")


def _loads(value: Value, loops: Sequence[NatVar], guards: Guards) -> Iterator[Access]:
    match value:
        case Load(buffer, index, lanes):
            count = 1 if isinstance(buffer.element, VectorType) else lanes
            yield Access(False, buffer, index, count, tuple(loops), guards)
        case Guarded(condition, inner, otherwise):
            yield from _loads(inner, loops, (*guards, *condition.below))
            yield from _loads(otherwise, loops, guards)
        case _:
            for part in parts(value):
                yield from _loads(part, loops, guards)
