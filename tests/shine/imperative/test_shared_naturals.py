"""Naturals that a block prints several times, and where they are named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rise.naturals import ZERO, Nat, NatVar, const, nat, var
from rise.quotients import floor_quotient, minimum, remainder
from shine.imperative.nodes import Block, Condition, DefineIndex, For, If, Index, Statement
from shine.imperative.shared_naturals import MAX_NAMES, MAX_USES, operators, parts, shared_naturals
from tests.shine.procedures import I64, array, assign, load, number, op, parameter

N, M = var("n"), var("m")
I, J = NatVar("i", N), NatVar("j", M)
i, j = nat(I), nat(J)
X, Y = parameter("x", array(N, M)).buffers[0], parameter("y", array(N, M)).buffers[0]
#: three operators
INNER = (i + 1) * M + j


def shared(*statements: Statement, known: Sequence[Nat] = ()) -> Mapping[int, list[Nat]]:
    """The naturals that are named before each of these statements."""
    return shared_naturals(statements, lambda a: a in known)


def copy(index: Nat, to: Nat = ZERO) -> Statement:
    """y[to] = x[index]"""
    return assign(Y, to, load(X, index))


def when(a: Nat, b: Nat, *body: Statement) -> If:
    """A body under the condition a < b."""
    return If(Condition(((a, b),)), Block(body), ())


def over(index: NatVar, *body: Statement) -> For:
    """A loop."""
    assert index.upper is not None
    return For(index, index.upper, "seq", Block(body), ())


def test_operators_are_counted_as_they_are_printed() -> None:
    assert [operators(a) for a in (i, i + 1, i * M + j, INNER, 2 * i, floor_quotient(i + j, 34))] == [
        0,
        0,
        2,
        3,
        1,
        2,
    ]


def test_naturals_that_are_printed_twice_are_named_before_their_first_use() -> None:
    assert shared(copy(j), copy(INNER), copy(i), copy(INNER)) == {1: [INNER]}
    assert shared(copy(INNER, INNER)) == {0: [INNER]}
    assert shared(copy(INNER), copy(INNER + 1)) == {}


def test_short_sums_are_named_if_printed_three_times() -> None:
    short = i * M + j
    assert shared(copy(short, short)) == {}
    assert shared(copy(short, short), copy(short)) == {0: [short]}
    assert shared(*[copy(i + j)] * 9) == {}


def test_named_naturals_get_no_other_name() -> None:
    assert shared(copy(INNER, INNER), known=[INNER]) == {}


def test_sizes_alone_are_not_named() -> None:
    only_sizes = N * M * 3 + M + 1
    assert shared(copy(only_sizes, only_sizes), copy(only_sizes)) == {}


def test_a_natural_is_named_in_the_innermost_block_that_prints_it_twice() -> None:
    """A loop is one place of the block around it, which cannot name what varies in the loop."""
    twice = copy(INNER, INNER)
    assert shared(over(NatVar("k", const(2)), twice)) == {}
    assert shared(over(NatVar("k", const(2)), copy(INNER)), copy(INNER)) == {0: [INNER]}
    assert shared(when(i, j, copy(INNER)), over(NatVar("k", const(2)), copy(INNER))) == {0: [INNER]}
    assert shared(over(J, copy(INNER)), over(J, copy(INNER))) == {}


def test_naturals_with_numbers_that_are_read_in_a_block_are_named_there() -> None:
    read = NatVar("r", N)
    index = nat(read) * M + M + j
    inside = (DefineIndex(read, Index(i, I64), ()), copy(index))
    assert shared(when(i, j, *inside), when(i, j + 2, *inside)) == {}
    assert shared(*inside, copy(index)) == {1: [index]}


def test_functions_in_different_indices_are_named() -> None:
    clamped = minimum(N - M, i + j)
    assert shared(copy(clamped * M), copy(clamped * M + j)) == {0: [clamped]}


def test_parts_of_named_naturals_are_not_named() -> None:
    clamped = minimum(N - M, i + j)
    index = clamped * M + j
    assert shared(copy(index), copy(index)) == {0: [index]}


def test_definitions_follow_those_that_they_use() -> None:
    clamped = minimum(N - M, i + j)
    index = clamped * M + j
    assert shared(copy(index), copy(index), copy(clamped * 2)) == {0: [clamped, index]}


def test_remainders_are_named_as_they_are_printed() -> None:
    cell = remainder(i * 3 + j, const(34))
    found = shared(copy(cell), copy(cell * M))
    assert [len(naturals) for naturals in found.values()] == [1]
    assert [repr(part) for part in parts(cell, lambda a: False)][:1] == ["(3 * i + j) % 34"]


def test_a_condition_and_its_opposite_are_printed_once() -> None:
    assert shared(when(INNER, N, copy(i)), when(N, INNER + 1, copy(j))) == {}
    assert shared(when(INNER, N, copy(INNER)), when(N, INNER + 1, copy(j))) == {0: [INNER]}


def test_conditions_that_are_known_are_not_printed() -> None:
    assert shared(when(INNER, INNER + 1, copy(INNER))) == {}


def test_values_of_indices_are_printed() -> None:
    value = op("add", Index(INNER, I64), Index(INNER, I64))
    assert shared(assign(Y, 0, value)) == {0: [INNER]}
    assert shared(assign(Y, 0, number(1.0))) == {}


def test_very_long_blocks_are_skipped() -> None:
    assert shared(*[copy(INNER)] * (MAX_USES + 1)) == {}


def test_only_a_few_naturals_of_a_block_are_named() -> None:
    many = [copy(INNER + k * M, INNER + k * M) for k in range(MAX_NAMES + 2)]
    assert sum(map(len, shared(*many).values())) == MAX_NAMES
