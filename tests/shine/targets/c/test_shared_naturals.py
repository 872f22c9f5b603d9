"""Names of indices that a block of C text prints several times."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from rise.naturals import Nat, NatVar, var
from rise.quotients import minimum
from shine.imperative.nodes import Block, Condition, If, Statement
from shine.targets.c.printer import print_procedure
from tests.shine.procedures import array, assign, load, loop, op, parameter, procedure
from tests.shine.targets.c.texts import body_of

n, m = var("N"), var("M")
SIZES = (NatVar("N", None), NatVar("M", None))
X, OUTPUT = parameter("x", array(n, m)), parameter("output", array(n, m))


def nest(body: Callable[[Nat, Nat], Sequence[Statement]]) -> list[str]:
    """The lines of a loop over rows and columns, whose body is computed from its indices."""

    def inner(i: Nat) -> Sequence[Statement]:
        return [loop("j", m, lambda j: body(i, j))]

    lines = body_of(print_procedure(procedure("f", SIZES, [X], OUTPUT, loop("i", n, inner))).text)
    return lines[2:-3]


def negated(to: Nat, index: Nat) -> Statement:
    """output[to] = -x[index]"""
    return assign(OUTPUT.buffers[0], to, op("neg", load(X.buffers[0], index)))


def test_an_index_is_named_by_its_axes() -> None:
    assert nest(lambda i, j: [negated(i * m + m + j, i * m + m + j)]) == [
        "const int64_t at_n_m = (n + 1) * M + m;",
        "output[at_n_m] = -x[at_n_m];",
    ]


def test_a_function_in_several_indices_is_named() -> None:
    def body(i: Nat, j: Nat) -> list[Statement]:
        clamped = minimum(n - m, i + j)
        return [negated(i * m, clamped * m), negated(j, clamped * m + j)]

    assert nest(body) == [
        "const int64_t n_m_min = min_i64(N - M, n + m);",
        "output[n * M] = -x[n_m_min * M];",
        "output[m] = -x[n_m_min * M + m];",
    ]


@pytest.mark.parametrize(
    ("distance", "name"),
    [
        (m, "at_n_m_plus_M"),
        (-1 * m, "at_n_m_minus_M"),
        (3 * n, "at_n_m_plus_3N"),
        (-3 * m, "at_n_m_minus_3M"),
    ],
)
def test_an_index_at_a_distance_of_a_size_from_another_is_named_after_both(distance: Nat, name: str) -> None:
    def body(i: Nat, j: Nat) -> list[Statement]:
        first = i * m + 2 * m + j
        second = first + distance
        return [negated(first, first), negated(second, second)]

    lines = nest(body)
    assert [line.partition(" = ")[0] for line in lines if "const" in line] == [
        "const int64_t at_n_m",
        f"const int64_t {name}",
    ]
    assert lines[-1] == f"output[{name}] = -x[{name}];"


@pytest.mark.parametrize("distance", [m * n, m * m, m + 1, n + m])
def test_no_name_gets_a_counter(distance: Nat) -> None:
    """Of two indices along the same axes that differ otherwise, the second is printed in full."""

    def body(i: Nat, j: Nat) -> list[Statement]:
        first = i * m + m + j
        second = first + distance
        return [negated(first, first), negated(second, second)]

    lines = nest(body)
    assert [line.startswith("const int64_t at_n_m = ") for line in lines] == [True, False, False]
    assert sum("at_n_m" in line for line in lines) == 2


def test_naturals_of_an_else_are_named_before_the_condition() -> None:
    def body(i: Nat, j: Nat) -> list[Statement]:
        index = i * m + m + j
        return [
            If(Condition(((i, j),)), Block((negated(i * m, j),)), ()),
            If(Condition(((j, i + 1),)), Block((negated(i * m, index),)), ()),
            negated(j, index),
        ]

    lines = nest(body)
    assert lines[0].startswith("const int64_t at_n_m = ")
    assert lines[1].startswith("if (") and "} else {" in lines
    assert sum("at_n_m" in line for line in lines) == 3


def test_numbers_of_sibling_loops_are_named_in_each() -> None:
    def twice(i: Nat) -> list[Statement]:
        return [
            loop("j", m, lambda j: [negated(i * m + m + j, i * m + m + j)]),
            loop("k", m, lambda j: [negated(i * m + m + j, i * m + m + j)]),
        ]

    lines = body_of(print_procedure(procedure("f", SIZES, [X], OUTPUT, loop("i", n, twice))).text)
    assert sum(line.startswith("const int64_t at_n_m = ") for line in lines) == 2
