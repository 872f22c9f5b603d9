"""`check_procedure`: its claims about imperative programs; it accepts no mutant that computes something else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

import rise
from rise.naturals import Nat, const, nat
from rise.quotients import minimum
from shine.imperative.nodes import Allocate, Block, Buffer, Condition, If, Procedure, Statement
from shine.kernel import make_kernel
from shine.validation import check_procedure, counterexample
from tests.examples import some
from tests.shine.procedure_mutants import mutants
from tests.shine.procedures import (
    F32,
    array,
    assign,
    axpy,
    load,
    loop,
    parameter,
    procedure,
)
from tests.shine.validation.programs import (
    SUM,
    TURNED,
    TWICE,
    N,
    candidate,
    doubled,
    summed,
    turned,
    twice,
)

EFFORT = 5_000


def reason(program: rise.Expr, made: Procedure) -> str:
    """Why a program is not proved; empty if it is."""
    answer = check_procedure(program, made)
    assert answer.is_checked == (not answer.reason)
    return answer.reason


# each store carries the algorithm's index


def test_the_index_of_a_store_is_that_of_the_algorithm() -> None:
    assert not reason(TURNED, turned(lambda i, j: j * nat(N) + i))


def test_swapped_indices_are_refused() -> None:
    assert "outside" in reason(TURNED, turned(lambda i, j: i * nat(N) + j))
    square = rise.parse("val main = fun(xs: 8.8.f32 => transpose(xs))").main
    other = rise.parse("val main = fun(xs: 8.8.f32 => xs |> map(fun(row => row |> map(fun(x => x)))))").main
    fixed = array(8, 8)
    xs, output = parameter("xs", fixed), parameter("output", fixed)
    a, b = xs.buffers[0], output.buffers[0]
    made = loop("i", 8, lambda i: [loop("j", 8, lambda j: [assign(b, 8 * j + i, load(a, 8 * i + j))])])
    whole = procedure("square", [], [xs], output, made)
    assert not reason(square, whole)
    assert reason(other, whole).startswith("stopped at xs'1[")


# the union of the domains is the algorithm's


def test_an_element_that_is_not_stored_is_refused() -> None:
    made = twice(lambda i, xs, out: [doubled(xs, i + 1, out, i + 1)], count=nat(N) - 1)
    assert reason(TWICE, made)
    assert reason(TWICE, twice(lambda i, xs, out: []))


def test_domains_may_be_in_parts() -> None:
    def body(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
        parts = Condition(((i, const(5)),)), Condition(((const(4), i),))
        return [If(one, Block((doubled(xs, i, out, i),)), (1,)) for one in parts]

    assert not reason(TWICE, twice(body, "parallel"))

    def short(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
        parts = Condition(((i, const(5)),)), Condition(((const(5), i),))
        return [If(one, Block((doubled(xs, i, out, i),)), (1,)) for one in parts]

    assert reason(TWICE, twice(short, "parallel"))


# each definition is written once


def test_a_number_that_is_added_twice_is_refused() -> None:
    assert not reason(SUM, summed())
    assert reason(SUM, summed(each=2))
    assert reason(SUM, summed(count=nat(N) - 1))


def test_iterations_in_parallel_that_store_the_same_element_are_refused() -> None:
    def body(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
        return [doubled(xs, i, out, i), doubled(xs, 0, out, 0)]

    assert not reason(TWICE, twice(body, "seq")).startswith("stopped at a loop in parallel")
    assert reason(TWICE, twice(body, "parallel")) == (
        "stopped at a loop in parallel whose iterations may access the same elements of `output`"
    )


# reads come after it


def test_what_is_read_before_it_is_stored_is_refused() -> None:
    assert reason(SUM, summed(starts=False))
    kept = Buffer("kept", F32, const(1), "Local", (1,))

    def body(is_first: bool) -> Callable[[Nat, Buffer, Buffer], list[Statement]]:
        def made(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
            store = doubled(xs, i, kept, 0)
            read = assign(out, i, load(kept, 0))
            return [Allocate(kept, (1,)), *((store, read) if is_first else (read, store))]

        return made

    assert not reason(TWICE, twice(body(True), "parallel"))
    assert reason(TWICE, twice(body(False), "parallel"))


def test_an_iteration_that_reads_what_another_one_stores_is_refused() -> None:
    def body(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
        return [doubled(xs, i, out, i), assign(out, i, load(out, i))]

    def late(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
        before = If(Condition(((const(0), i),)), Block((assign(out, i, load(out, i - 1)),)), (1,))
        return [before, doubled(xs, i, out, i)]

    assert not reason(TWICE, twice(body, "parallel"))
    assert reason(TWICE, twice(late, "parallel"))


def test_a_loop_in_order_whose_count_may_be_below_0_is_refused() -> None:
    assert "below 0" in reason(SUM, summed(count=nat(N) - 1))


def test_an_array_that_is_allocated_in_its_own_scope_is_refused() -> None:
    kept = Buffer("kept", F32, const(1), "Local", (1,))

    def body(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
        inner = If(Condition(()), Block((Allocate(kept, (1,)), doubled(xs, i, kept, 0))), (1,))
        return [Allocate(kept, (1,)), inner, assign(out, i, load(kept, 0))]

    assert "allocated twice" in reason(TWICE, twice(body, "parallel"))


# programs of hand and of spaces


def test_programs_for_all_sizes() -> None:
    program = (
        "fun(n: nat, alpha: f32, x: n.f32, y: n.f32 => zip(x, y) |> map(fun(p => alpha * fst p + snd p)))"
    )
    assert not reason(rise.parse_expr(program), replace(axpy(), explicit=((0, axpy().sizes[0]),)))


@pytest.mark.parametrize("loops", ["own", "rows", "blocks"])
def test_candidates_of_products(loops: str) -> None:
    program, low, made = candidate(loops, 5, 12, 7)
    assert check_procedure(program, made, low, contracts=True)
    assert not check_procedure(program, made, low), "products are rounded once together with the sum"


@pytest.mark.parametrize("first", some(range(8), 4))
def test_mutants_that_are_accepted_compute_the_same(first: int) -> None:
    program, low, made = candidate("rows", 5, 12, 7)
    rng = np.random.default_rng(0)
    inputs = [rng.integers(-4, 4, shape).astype(np.float32) for shape in ((5, 7), (7, 12))]
    accepted = 0
    for _, one in list(mutants(made))[first::8]:
        if check_procedure(program, one, contracts=True, effort=EFFORT):
            accepted += 1
            assert counterexample(one) is None
            assert np.array_equal(make_kernel(one, "interpret", low)(*inputs), inputs[0] @ inputs[1])
    assert accepted <= 2  # factors that are swapped, and statements that do not depend on each other


# what comparing at small sizes misses


def many(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    """Right for the first 1,000 elements."""
    return [If(Condition(((i, const(1000)),)), Block((doubled(xs, i, out, i),)), (1,))]


def beyond(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    """Wrong beyond the first 1,000 elements, for each of which it is right."""
    return [doubled(xs, minimum(i, 999), out, i)]


def racing(i: Nat, xs: Buffer, out: Buffer) -> list[Statement]:
    """Each iteration stores the next element, too, in another order than that of threads."""
    is_inside = Condition(((i + 1, nat(N)),))
    return [doubled(xs, i, out, i), If(is_inside, Block((assign(out, i + 1, load(xs, i)),)), (1,))]


@pytest.mark.parametrize("body", [many, beyond, racing])
def test_mistakes_that_comparison_at_small_sizes_misses(
    body: Callable[[Nat, Buffer, Buffer], list[Statement]],
) -> None:
    made = twice(body, "parallel")
    kernel = make_kernel(made, "openmp", None, threads=1)
    for size in (0, 1, 2, 3, 4, 31, 32, 33, 64):
        xs = np.arange(size, dtype=np.float32)
        assert np.array_equal(kernel(xs), xs + xs)
    assert reason(TWICE, made)
