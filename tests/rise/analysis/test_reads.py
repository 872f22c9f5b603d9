"""Counts of reads and operations equal the cost of reading on demand."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import rise
from rise.analysis.reads import numbers_in, part_at, reads_in
from rise.natural_values import evaluate_natural
from rise.naturals import Atom, Nat, const
from rise.nodes import Node, postorder
from rise.primitives import has_trait
from rise.terms import App, Expr, Lam, Primitive, spine
from rise.testing.arguments import calls
from rise.testing.user_programs import written_programs
from rise.types import ArrayType
from tests.examples import examples
from tests.rise.analysis.read_counts import METHODS, Machine, read

FOLDS = (("reduce", 3), ("reduceSeq", 3))


def opened(e: Expr) -> tuple[list[Lam], Expr]:
    """The functions around a program's result, and the result."""
    around = []
    while isinstance(e, Lam):
        around.append(e)
        e = e.body
    return around, e


def counted(e: Expr) -> tuple[list[int], int]:
    """The numbers of reads of each argument of a program of known sizes, and its operations, counted one by one."""
    machine = Machine()
    around, body = opened(e)
    scope = tuple(machine.argument(place, one.parameter) for place, one in enumerate(around))
    read(machine.value(body, scope[::-1]))
    return [machine.reads[place] for place in range(len(around))], machine.operations


def predicted(e: Expr) -> tuple[list[int], int]:
    """The same, from the analysis."""
    around, body = opened(e)
    found = reads_in(body)
    numbers = [0] * len(around)
    for (index, path), often in found.parts.items():
        place = len(around) - 1 - index
        numbers[place] += evaluate_natural(often * numbers_in(part_at(around[place].parameter, path)), {})
    return numbers, evaluate_natural(found.operations, {})


TEXTS = (
    "fun(xs: 9.f32 => xs |> map(fun(x => x * x + x)))",
    "fun(xs: 9.f32 => xs |> slide(3, 1) |> map(reduce(add, 0.0)))",
    "fun(xs: 12.f32, ys: 12.f32 => zip(xs, ys) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))",
    "fun(a: 4.5.f32, b: 5.6.f32 => a |> map(fun(row => b |> transpose |> map(fun(column =>"
    " zip(row, column) |> map(fun(p => fst(p) * snd(p))) |> reduce(add, 0.0))))))",
    "fun(xs: 3.4.f32 => xs |> transpose |> map(fun(c => c |> map(exp))) |> join)",
    "fun(xs: 8.f32 => xs |> map(exp) |> split(2) |> map(fun(p => idx(0, p) + idx(1, p))))",
    "fun(xs: 8.f32 => let(xs |> map(exp), fun(ys => zip(ys, ys |> drop(0)) |> map(fun(p => fst(p) - snd(p))))))",
    "fun(xs: 5.7.f32 => xs |> map(fun(row => let(row |> reduce(add, 0.0), fun(s => row |> map(fun(x => x / s)))))))",
    "fun(xs: 5.7.f32 => xs |> map(fun(row => let(row |> reduce(add, 0.0), fun(s => row |> map(fun(x => x / s))))))"
    " |> transpose)",
    "fun(is: 6.idx[9], xs: 9.(f32, f32) => xs |> gather(is) |> map(fun(p => fst(p))))",
    "fun(xs: 6.f32, ys: 4.f32 => concat(xs |> map(exp), ys) |> map(neg))",
    "fun(xs: 6.f32 => generate(fun(i: idx[6] => idx(i, xs) - idx(fromEnd(i), xs))))",
)


@pytest.mark.parametrize("text", TEXTS)
def test_counts_equal_the_cost_of_reading(text: str) -> None:
    e = rise.parse(text).main
    assert predicted(e) == counted(e)


def names_number(node: Node) -> bool:
    """A call or `let` that names a number."""
    if isinstance(node, App) and node.root == ("let", 2):
        return not isinstance(spine(node)[1][0].type, ArrayType)  # type: ignore[union-attr]  # a term
    return isinstance(node, App) and isinstance(node.fun, Lam) and not isinstance(node.arg.type, ArrayType)


def is_counted(e: Expr) -> bool:
    """Whether the second way to count supports all primitives of a program, folds result in numbers, and no number is
    named.

    How often such a number is computed, if its name is inside of what is read more than once or in part, differs
    between the two.
    """
    for node in postorder(e):
        if names_number(node):
            return False
        if isinstance(node, Expr) and node.root in FOLDS and isinstance(node.type, ArrayType):
            return False
        if isinstance(node, Primitive) and node.name not in METHODS and not has_trait(node.name, "lanewise"):
            return False
    return True


@settings(
    max_examples=examples(30), suppress_health_check=[HealthCheck.filter_too_much]
)  # one in six can be counted
@given(written_programs(), st.integers(0, 1 << 16))
def test_counts_of_programs_equal_the_cost_of_reading(e: Expr, seed: int) -> None:
    assume(is_counted(e))
    call = next(iter(calls(e, 1, seed, most=256)), None)
    assume(call is not None and all(size > 0 for size in call.sizes.values()))
    fixed = rise.specialise(e, **call.sizes) if call.sizes else e
    assert predicted(fixed) == counted(fixed)


def test_each_step_of_an_iteration_reads() -> None:
    text = "fun(a: f32, xs: 8.f32 => xs |> iterate(5, fun(l: nat, ys: l.f32 => ys |> map(fun(y => a * y)))))"
    _, body = opened(rise.parse(text).main)
    assert reads_in(body).of(1) == const(5 * 8)


@settings(max_examples=examples(30))
@given(written_programs())
def test_work_at_a_size_is_the_value_of_the_work(e: Expr) -> None:
    body = e
    while isinstance(body, Lam):
        body = body.body

    def at_seven(count: Nat) -> Fraction:
        return Fraction(
            evaluate_natural(count, {atom: 7 for atom in postorder(count) if isinstance(atom, Atom)})
        )

    counts = reads_in(body)
    try:
        expected = at_seven(counts.work)
    except (ArithmeticError, KeyError):  # a divisor is 0 at this size
        assume(False)
    assert counts.work_at(7, at_seven) == expected


def test_counts_are_not_multiplied_out_before_they_are_asked_for() -> None:
    """The sum over blocks of many sizes has a term for each; its value at a size does not."""
    sizes = [f"n{k}" for k in range(12)]
    text = "x"
    for size in sizes:
        text = f"(generate(fun(i : idx[{size}] => {text} + x)) |> reduce(add, 0.0f32))"
    e = rise.parse("fun(" + ", ".join(f"{{{size}: nat}}" for size in sizes) + f", x: f32 => {text})").main
    while not isinstance(e, App):
        e = e.body
    assert (
        reads_in(e).work_at(2, lambda count: Fraction(2 if count.constant is None else count.constant))
        > 2**12
    )
    assert reads_in(e).computed._totals.keys() == {2}
