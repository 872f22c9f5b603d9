"""Walks over random blocks agree with their recursive definitions, and preserve what does not change."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final

from hypothesis import given
from hypothesis import strategies as st

from rise.naturals import NatVar, const, nat
from rise.types import ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Condition,
    Define,
    For,
    If,
    Load,
    Local,
    MapFragment,
    Operation,
    Piece,
    Statement,
    Value,
)
from shine.imperative.walk import (
    all_values,
    enclosed,
    everything,
    map_outermost,
    map_statements,
    statements,
    values,
)
from tests.shine.passes.gpu.kernels import fragment_type

F32: Final = ScalarType("f32")
MEMORY: Final = Buffer("xs", F32, const(8), "Global", ())
SUMS: Final = Buffer("sums", fragment_type("Accum"), const(1), "Local", ())
ENTRY: Final = Local("entry", F32)
DEEP: Final = 5_000


def loaded(at: int) -> Load:
    return Load(MEMORY, const(at), 1, True, F32)


LOADS: Final = st.builds(loaded, st.integers(0, 7))
VALUES: Final = st.one_of(LOADS, st.builds(lambda a, b: Operation("add", (a, b), F32), LOADS, LOADS))
LEAVES: Final = st.one_of(
    st.builds(lambda value: Assign(MEMORY, const(0), value, True, ()), VALUES),
    st.builds(lambda value: Define(ENTRY, value, ()), VALUES),
    st.builds(lambda: Allocate(MEMORY, ())),
)


def around(inner: st.SearchStrategy[Statement]) -> st.SearchStrategy[Statement]:
    bodies = st.builds(lambda inside: Block(tuple(inside)), st.lists(inner, max_size=3))
    index, piece = NatVar("i", const(4)), Piece(SUMS, const(0))
    return st.one_of(
        st.builds(lambda body: For(index, const(4), "seq", body, ()), bodies),
        st.builds(lambda body: If(Condition(((nat(index), const(2)),)), body, ()), bodies),
        st.builds(lambda body, value: MapFragment(piece, (), (), body, value, ()), bodies, VALUES),
    )


STATEMENTS: Final = st.recursive(LEAVES, around, max_leaves=12)
BLOCKS: Final = st.builds(lambda inside: Block(tuple(inside)), st.lists(STATEMENTS, max_size=4))


def by_definition(
    block: Block, outer: tuple[Statement, ...] = ()
) -> Iterator[tuple[Statement, tuple[Statement, ...]]]:
    for statement in block.statements:
        yield statement, outer
        if isinstance(statement, For | If | MapFragment):
            yield from by_definition(statement.body, (*outer, statement))


@given(BLOCKS)
def test_walks_find_statements_in_order_with_their_context(block: Block) -> None:
    expected = list(by_definition(block))
    loops = [(one, tuple(each for each in outer if isinstance(each, For)), outer) for one, outer in expected]
    assert list(enclosed(block)) == expected
    assert list(everything(block)) == [(one, inside) for one, inside, _ in loops]
    assert list(statements(block)) == [
        (one, inside)
        for one, inside, outer in loops
        if not any(isinstance(each, MapFragment) for each in outer)
    ]


@given(BLOCKS)
def test_all_values_are_those_of_all_statements(block: Block) -> None:
    expected: list[Value] = []
    for one, _ in by_definition(block):
        if isinstance(one, Assign | Define | MapFragment):
            expected += values(one.value)
    assert list(all_values(block)) == expected


def map_by_definition(block: Block, change: Callable[[Statement], Iterable[Statement]]) -> Block:
    changed: list[Statement] = []
    for one in block.statements:
        inner = replace(one, body=map_by_definition(one.body, change)) if isinstance(one, For | If) else one
        changed += change(inner)
    return Block(tuple(changed))


def unrolled(statement: Statement) -> tuple[Statement, ...]:
    """The statements with loop bodies repeated twice, and allocations removed."""
    match statement:
        case For(body=body):
            return body.statements * 2
        case Allocate():
            return ()
    return (statement,)


@given(BLOCKS)
def test_statements_are_replaced_after_those_inside(block: Block) -> None:
    assert map_statements(block, unrolled) == map_by_definition(block, unrolled)


@given(BLOCKS)
def test_outermost_statements_are_replaced_and_not_entered(block: Block) -> None:
    def outermost(inside: Block) -> Block:
        changed: list[Statement] = []
        for one in inside.statements:
            match one:
                case For():
                    changed += (one, one)
                case If(body=body):
                    changed.append(replace(one, body=outermost(body)))
                case _:
                    changed.append(one)
        return Block(tuple(changed))

    twice = map_outermost(block, lambda one: (one, one) if isinstance(one, For) else None)
    assert twice == outermost(block)


@given(BLOCKS)
def test_unchanged_statements_are_the_same_object(block: Block) -> None:
    assert map_statements(block, lambda one: (one,)) is block
    assert map_outermost(block, lambda one: None) is block


def test_statements_are_replaced_in_deep_nests() -> None:
    index = NatVar("i", const(4))
    block = Block((Allocate(MEMORY, ()),))
    for _ in range(DEEP):
        block = Block((For(index, const(4), "seq", block, ()),))
    emptied = map_statements(block, lambda one: () if isinstance(one, Allocate) else (one,))
    assert [isinstance(one, For) for one, _ in statements(emptied)] == [True] * DEEP
