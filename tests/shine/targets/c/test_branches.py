"""Statements with conditions in C texts: Booleans as tests, opposite conditions as `else`."""

from __future__ import annotations

import re

import numpy as np
import pytest

import rise
import shine
from rise.naturals import Nat, NatVar, const, nat, var
from rise.scalars import SCALARS
from shine.imperative.nodes import Block, Condition, Define, DefineIndex, If, Index, Local, Statement, Value
from shine.targets.c.printer import print_procedure
from tests.shine.procedures import BOOL, I64, array, assign, load, number, op, parameter, procedure
from tests.shine.targets.c.texts import body_of

n, m = var("n"), var("m")
SIZES = (NatVar("n", None), NatVar("m", None))
X, OUTPUT = parameter("x", array(n)), parameter("output", array(8))


def when(a: Nat, b: Nat, *body: Statement) -> If:
    """A body under the condition a < b."""
    return If(Condition(((a, b),)), Block(body), ())


def store(value: float) -> Statement:
    """A statement that is identified by its number."""
    return assign(OUTPUT.buffers[0], 0, number(value))


def printed(*statements: Statement) -> list[str]:
    """The lines of a kernel with these statements."""
    return body_of(print_procedure(procedure("f", SIZES, [X], OUTPUT, *statements)).text)


def test_the_opposite_condition_is_an_else() -> None:
    assert printed(when(n, m, store(1.0)), when(m, n + 1, store(2.0))) == [
        "if (n < m) {",
        "output[0] = 1.0f;",
        "} else {",
        "output[0] = 2.0f;",
        "}",
        "return 0;",
    ]


@pytest.mark.parametrize(
    "statements",
    [
        (when(n, m, store(1.0)), when(m, n, store(2.0))),
        (when(n, m, store(1.0)), when(n, m, store(2.0))),
        (when(n, m, store(1.0)), store(3.0), when(m, n + 1, store(2.0))),
    ],
)
def test_other_conditions_are_tested_separately(statements: tuple[Statement, ...]) -> None:
    lines = printed(*statements)
    assert sum(line.startswith("if (") for line in lines) == 2
    assert "} else {" not in lines


def test_several_statements_with_opposite_conditions_are_all_printed() -> None:
    """Of three statements, the first two form one `if`; the third is equal to the second, and separate."""
    opposite = when(m, n + 1, store(2.0))
    lines = printed(when(n, m, store(1.0)), opposite, opposite)
    assert [line for line in lines if "output" in line] == [
        "output[0] = 1.0f;",
        "output[0] = 2.0f;",
        "output[0] = 2.0f;",
    ]
    assert lines.count("} else {") == 1


@pytest.mark.parametrize(("first", "kept"), [(0, "1.0f"), (2, "2.0f")])
def test_branches_whose_condition_is_constant_and_false_are_not_printed(first: int, kept: str) -> None:
    a, b = const(first), const(1)
    assert printed(when(a, b, store(1.0)), when(b, a + 1, store(2.0))) == [
        "{",
        f"output[0] = {kept};",
        "}",
        "return 0;",
    ]


def positive() -> Value:
    """Whether the first element is greater than zero."""
    return op("gt", load(X.buffers[0], 0), number(0.0), type=BOOL)


def as_number(test: Value) -> tuple[DefineIndex, Nat]:
    """A Boolean as 1 or 0, as translation defines it, and its natural."""
    variable = NatVar("c", const(2))
    yes, no = Index(const(1), I64), Index(const(0), I64)
    return DefineIndex(variable, op("select", test, yes, no, type=I64), ()), nat(variable)


def test_a_boolean_is_tested_as_such() -> None:
    define, c = as_number(positive())
    lines = printed(define, when(const(0), c, store(1.0)), when(c, const(1), store(2.0)))
    assert lines[0].startswith("const bool ")
    name = lines[0].split()[2]
    assert lines[1:5] == [f"if ({name}) {{", "output[0] = 1.0f;", "} else {", "output[0] = 2.0f;"]


def test_a_named_boolean_gets_no_other_name() -> None:
    local = Local("is_hot", BOOL)
    define, c = as_number(local)
    lines = printed(Define(local, positive(), ()), define, when(c, const(1), store(2.0)))
    assert lines[:2] == ["const bool is_hot = x[0] > 0.0f;", "if (!is_hot) {"]


def test_a_number_is_not_a_boolean() -> None:
    """A natural that is 3 or 0 is compared."""
    variable = NatVar("c", const(4))
    chosen = op("select", positive(), Index(const(3), I64), Index(const(0), I64), type=I64)
    lines = printed(DefineIndex(variable, chosen, ()), when(const(0), nat(variable), store(1.0)))
    assert lines[0].startswith("const int64_t ")
    assert lines[1].startswith("if (0 < ")


def test_both_operands_of_a_logical_operation_are_evaluated() -> None:
    """By bitwise operators, since gcc does not vectorise branches."""
    program = rise.parse("fun(x: N.f32 => x |> map(fun(a: f32 => a < 2.0 && a > 1.0 || a == 0.0)))").main
    kernel = shine.compile(program, threads=1)
    assert "(a < 2.0f) & (a > 1.0f) | (a == 0.0f)" in kernel.source.replace("((", "(").replace("))", ")")
    assert not re.search(r"&&|\|\|", kernel.source)
    guarded = shine.compile(rise.parse("fun(a: i32, b: i32 => a > 0 && 1 / b > 0)").main, threads=1)
    with pytest.raises(rise.RiseError, match="division-by-zero"):
        guarded(np.int32(-1), np.int32(0))


def test_arrays_of_booleans_are_bytes() -> None:
    """Stored arrays and results, since gcc does not vectorise loops over arrays of `bool`."""
    column = "fun(c: M.i32 => c |> map(fun(a: i32 => a != 0)) |> reduce(or, false))"
    text = f"fun(x: M.N.i32 => x |> transpose |> map({column}))"
    source = shine.compile(rise.parse(text).main, threads=1).source
    assert "uint8_t *restrict output" in source
    assert re.search(r"uint8_t \w+\[128\];", source)
    assert not re.search(r"bool (\*|\w+\[)", source)


def test_conditions_have_the_width_of_the_numbers_that_they_select() -> None:
    """gcc 12 does not vectorise loops that select f32 or 64-bit numbers by bytes."""
    text = (
        "fun(x: N.{0}, m: N.bool => zip(x, m) |> map(fun(p => if snd(p) then fst(p) else cast{{{0}}}(0i32))))"
    )
    for t, wide in (("f32", "int32_t"), ("f64", "int64_t"), ("i64", "int64_t"), ("i32", None), ("u8", None)):
        kernel = shine.compile(rise.parse(text.format(t)).main, threads=1)
        assert (f"({wide} mask)" in kernel.source) == (wide is not None), t
        xs, mask = np.arange(1, 100).astype(SCALARS[t].dtype), np.arange(99) % 3 == 0
        bytes_of_any_value = (mask * 200).astype(np.uint8).view(bool)
        for given in (mask, bytes_of_any_value):
            np.testing.assert_array_equal(kernel(xs, given), np.where(mask, xs, 0))


def test_a_negated_condition_chooses_the_other_number() -> None:
    text = "fun(m: N.bool => m |> map(fun(b => if not(b) then 1.0f64 else 3.0f64)))"
    kernel = shine.compile(rise.parse(text).main, threads=1)
    mask = np.arange(99) % 3 == 0
    assert "!" not in kernel.source[kernel.source.index("int kernel(") :].replace("!=", "")
    np.testing.assert_array_equal(kernel(mask), np.where(mask, 3, 1))
