"""Variables that a text can omit: copies of temporaries, and variables that are used once."""

from __future__ import annotations

import pytest

from rise.naturals import NatVar, const, nat
from rise.types import FragmentType
from shine.imperative.nodes import (
    Allocate,
    Block,
    Buffer,
    Condition,
    Define,
    Exchange,
    Guarded,
    If,
    Load,
    Local,
    MapFragment,
    Operation,
    Piece,
    Statement,
    Value,
)
from shine.imperative.omitted_variables import MAX_PRINTED_NODES, repeats, used_once
from tests.shine.procedures import F32, array, assign, load, loop, number, op, parameter

X, Y = parameter("x", array(8)).buffers[0], parameter("y", array(8)).buffers[0]
T = Buffer("t", F32, const(1), "Local", ())
#: a variable that translation created, and one that the program names
MADE, NAMED = Local("x_3", F32), Local("width", F32)
ALLOCATED, STORED = Allocate(T, ()), assign(T, 0, number(1.0))
READ = Define(MADE, load(T, 0), ())


def when(*body: Statement) -> If:
    """A body under an unknown condition."""
    return If(Condition(((nat(NatVar("c", const(2))), const(1)),)), Block(body), ())


@pytest.mark.parametrize(
    ("statements", "is_repeated"),
    [
        ((ALLOCATED, STORED, READ), True),
        ((ALLOCATED, STORED, loop("i", 2, lambda i: [READ])), True),
        ((ALLOCATED, loop("i", 2, lambda i: [STORED]), when(READ)), True),
        ((loop("i", 2, lambda i: [ALLOCATED, STORED, READ]),), True),
        # stored to later, in the same iteration or in the next one
        ((ALLOCATED, STORED, READ, STORED), False),
        ((ALLOCATED, STORED, loop("i", 2, lambda i: [READ, STORED])), False),
        ((ALLOCATED, loop("i", 2, lambda i: [STORED, READ])), False),
        ((ALLOCATED, STORED, READ, when(STORED)), False),
        # one of two definitions of a variable has a value that changes
        ((ALLOCATED, STORED, READ, when(Define(MADE, load(X, 0), ()))), False),
        # arrays that are allocated elsewhere may change at any time
        ((STORED, READ), False),
        ((ALLOCATED, STORED, Define(MADE, op("neg", load(T, 0)), ())), False),
    ],
)
def test_a_copy_of_a_temporary_that_no_longer_changes_is_found(
    statements: tuple[Statement, ...], is_repeated: bool
) -> None:
    assert repeats(Block(statements)) == ({MADE} if is_repeated else set())


def test_a_copy_from_an_array_of_several_numbers_is_not_found() -> None:
    several = Buffer("t", F32, const(2), "Local", ())
    body = Block((Allocate(several, ()), assign(several, 0, number(1.0)), Define(MADE, load(several, 0), ())))
    assert repeats(body) == set()


def summed(terms: int) -> Value:
    """A sum of so many terms, one of which is a variable."""
    value: Value = MADE
    for _ in range(terms - 1):
        value = Operation("add", (value, number(1.0)), F32)
    return value


DEFINED = Define(MADE, load(X, 0), ())
USED = assign(Y, 0, op("neg", MADE))
OTHER = Local("b", F32)


@pytest.mark.parametrize(
    ("statements", "once"),
    [
        ((DEFINED, USED), {DEFINED}),
        ((DEFINED, Define(NAMED, op("neg", MADE), ()), assign(Y, 0, NAMED)), {DEFINED}),
        ((loop("i", 2, lambda i: [DEFINED, USED]),), {DEFINED}),
        ((DEFINED, Define(OTHER, load(X, 1), ()), USED), {DEFINED}),
        # used twice, never, or in another block
        ((DEFINED, USED, USED), set()),
        ((DEFINED, assign(Y, 0, op("mul", MADE, MADE))), set()),
        ((DEFINED,), set()),
        ((DEFINED, when(USED)), set()),
        ((DEFINED, loop("i", 2, lambda i: [USED])), set()),
        # what it loads may be overwritten in between
        ((DEFINED, assign(X, 0, number(1.0)), USED), set()),
        ((DEFINED, loop("i", 2, lambda i: [assign(X, i, number(1.0))]), USED), set()),
        # one of two equal definitions is used twice
        ((DEFINED, USED, when(DEFINED, USED, USED)), set()),
    ],
)
def test_a_variable_used_once_is_found(statements: tuple[Statement, ...], once: set[Define]) -> None:
    assert used_once(Block(statements)) == once


def test_variables_that_the_program_names_are_kept() -> None:
    define = Define(NAMED, load(X, 0), ())
    assert used_once(Block((define, assign(Y, 0, op("neg", NAMED))))) == set()


def test_exchanged_values_stay_variables() -> None:
    """All lanes take part in an exchange, even if they do not use its value."""
    define = Define(MADE, Exchange(T, const(0), const(1), F32), ())
    assert used_once(Block((define, USED))) == set()


@pytest.mark.parametrize("extra", [0, 1])
def test_long_values_are_not_made_longer(extra: int) -> None:
    terms = MAX_PRINTED_NODES // 2
    store = assign(Y, 0, op("neg", summed(terms + extra)))
    assert (used_once(Block((DEFINED, store))) == {DEFINED}) == (extra == 0)


def test_sizes_add_up_along_a_chain() -> None:
    """The size of a value that is printed inside another includes the values printed inside it."""
    first = Define(MADE, summed_load(MAX_PRINTED_NODES // 2), ())
    second = Define(OTHER, op("neg", MADE), ())
    long = Operation("add", (OTHER, summed_load(MAX_PRINTED_NODES // 2)), F32)
    assert used_once(Block((first, second, assign(Y, 0, long)))) == {first}


def summed_load(loads: int) -> Value:
    """A sum of so many loads."""
    value: Value = load(X, 0)
    for index in range(1, loads):
        value = Operation("add", (value, Load(X, const(index), 1, False, F32)), F32)
    return value


CONDITIONAL = Guarded(Condition(((nat(NatVar("k", const(2))), const(1)),)), load(X, 0), number(0.0), F32)


@pytest.mark.parametrize("value", [summed_load(MAX_PRINTED_NODES + 1), CONDITIONAL])
def test_a_value_that_is_stored_directly_may_have_any_length(value: Value) -> None:
    """A name adds nothing to `output = x`, however long the value of x is; inside another value, a long value would be
    unreadable.
    """
    define = Define(MADE, value, ())
    assert used_once(Block((define, assign(Y, 0, MADE)))) == {define}
    assert used_once(Block((define, USED))) == set()


def test_the_value_of_a_function_on_fragments_uses_its_variables() -> None:
    fragment = Buffer(
        "f", FragmentType(const(16), const(16), const(16), F32, "acc", "row"), const(1), "Local", ()
    )
    body = Block((DEFINED, USED))
    mapped = MapFragment(Piece(fragment, const(0)), (), (), body, op("neg", MADE), ())
    assert used_once(Block((mapped,))) == set()
    assert used_once(body) == {DEFINED}
