"""Temporaries in C texts: on the stack or the heap, their number, and that they are freed. Compiles nothing."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from rise.diagnostics import RiseError
from rise.naturals import Nat, NatVar, const, nat, var
from rise.types import ScalarType
from shine.imperative.nodes import Allocate, Buffer, Constant, DefineIndex, Statement
from shine.targets.c.printer import print_procedure
from tests.shine.procedures import (
    F32,
    array,
    assign,
    load,
    number,
    parameter,
    procedure,
    rows_through_temporary,
)
from tests.shine.targets.c.texts import body_of

n = var("n")


def test_a_temporary_of_symbolic_size_is_freed_on_every_path() -> None:
    assert body_of(print_procedure(rows_through_temporary()).text) == [
        "int status = 0;",
        "#pragma omp parallel for schedule(static)",
        "for (int64_t i_n = 0; i_n < n; i_n++) {",
        "_Alignas(64) float t_near[1024];",
        "float *const t = m <= 1024 ? t_near : allocate(m, sizeof(float));",
        "if (t != NULL) {",
        "for (int64_t i_m = 0; i_m < m; i_m++) {",
        "t[i_m] = x[i_n * m + i_m] + x[i_n * m + i_m];",
        "}",
        "for (int64_t i_m = 0; i_m < m; i_m++) {",
        "output[i_n * m + i_m] = t[m - i_m - 1];",
        "}",
        "} else {",
        "report(&status, 1);",
        "}",
        "if (t != t_near) give_memory(t);",
        "}",
        "return status;",
    ]


def stored(count: int, sizes: Callable[[int], Nat], *between: Callable[[int], Statement]) -> str:
    """A kernel that stores this number of arrays, each computed from the previous one."""
    x, output = parameter("x", array(1)), parameter("output", array(1))
    statements: list[Statement] = []
    last = x.buffers[0]
    for number_ in range(count):
        t = Buffer(f"t{number_}", F32, sizes(number_), "Local", (1,))
        statements += [one(number_) for one in between]
        statements += [Allocate(t, (1,)), assign(t, 0, load(last, 0))]
        last = t
    made = procedure(
        "stored", [NatVar("n", None)], [x], output, *statements, assign(output.buffers[0], 0, load(last, 0))
    )
    return print_procedure(made).text


def test_temporaries_of_a_block_are_allocated_together() -> None:
    text = body_of(stored(3, lambda _: n))
    assert [line for line in text if "allocate" in line or line.startswith(("if", "give"))] == [
        "float *const x_tile = allocate(n, sizeof(float));",
        "float *const x_tile_1 = allocate(n, sizeof(float));",
        "float *const x_tile_2 = allocate(n, sizeof(float));",
        "if (x_tile != NULL && x_tile_1 != NULL && x_tile_2 != NULL) {",
        "give_memory(x_tile_2);",
        "give_memory(x_tile_1);",
        "give_memory(x_tile);",
    ]
    assert stored(1000, lambda _: n).count("allocate(n,") == 1000


def test_temporaries_whose_sizes_are_read_are_allocated_after_that() -> None:
    at = [NatVar(f"m{number_}", None) for number_ in range(300)]

    def read(number_: int) -> Statement:
        return DefineIndex(at[number_], Constant(3, ScalarType("i64")), (1,))

    text = body_of(stored(2, lambda number_: nat(at[number_]), read))
    assert [line for line in text if re.match(r"const int64_t m|float \*|if", line)] == [
        "const int64_t m0 = 3LL;",
        "float *const x_tile = allocate(m0, sizeof(float));",
        "if (x_tile != NULL) {",
        "const int64_t m1 = 3LL;",
        "float *const x_tile_1 = allocate(m1, sizeof(float));",
        "if (x_tile_1 != NULL) {",
    ]
    with pytest.raises(RiseError, match="at most 200 blocks nested") as caught:
        stored(300, lambda number_: nat(at[number_]), read)
    assert caught.value.diagnostic.code == "too-deep"


def test_large_temporaries_are_on_the_heap() -> None:
    output = parameter("output", array(1))
    for count, on_heap in ((1024, False), (1024 + 1, True)):
        t = Buffer("t", F32, const(count), "Local", (1,))
        statements: list[Statement] = [Allocate(t, (1,)), assign(t, 5, number(1.0))]
        text = print_procedure(procedure("big", [], [], output, *statements)).text
        assert ("allocate(" in text) is on_heap
