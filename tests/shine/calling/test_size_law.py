"""A law: whatever the sizes, a kernel computes the same as exact integers, or raises one diagnostic."""

from __future__ import annotations

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rise
import shine
from tests.examples import examples
from tests.shine.calling.size_law import PAIRS, check, term
from tests.shine.calling.size_programs import SIZES, Size, SizeProgram, columns, drop, size_programs


def low(program: SizeProgram) -> rise.Expr:
    """The term, if its sizes fit."""
    e = term(program)
    assume(e is not None)
    assert e is not None
    return e


def test_additions_to_an_index_wrap() -> None:
    """Found by the soak tests: an index below 2^63, and a sum beyond."""
    program = SizeProgram(Size("(M + 1)", lambda k, m: m + 1), True, (), 1)
    e, pairs = term(program), [(0, 2**63 - 2), (0, 2**62)]
    assert e is not None
    for target in ("interpret", "openmp", "cuda-sim"):
        found = check(program, pairs, shine.compile(e, target=target), evaluated=False)
        assert found["computed"] == 2, target


def test_quotients_have_divisors_of_at_least_one() -> None:
    """Found by the soak: in lowest terms, the number of rows was divided by its negation, which C rounds
    differently.
    """
    size = Size("K", lambda k, m: k)
    program = SizeProgram(Size("(M + 2)", lambda k, m: m + 2), False, (drop(size), columns(size)), 3)
    e, pairs = term(program), [(2, 8), (3, 7), (4, 10)]
    assert e is not None
    for target in ("interpret", "openmp", "cuda-sim"):
        found = check(program, pairs, shine.compile(e, target=target), evaluated=False)
        assert found["computed"] == 3, target


@given(size_programs(), PAIRS)
@settings(max_examples=examples(80))
def test_interpreted_kernels(program: SizeProgram, pairs: list[tuple[int, int]]) -> None:
    check(program, pairs, shine.compile(low(program), target="interpret"), evaluated=False)


@given(size_programs(), PAIRS)
@settings(max_examples=examples(50))
def test_kernels_in_c(program: SizeProgram, pairs: list[tuple[int, int]]) -> None:
    check(program, pairs, shine.compile(low(program), target="openmp"), evaluated=False)


@given(size_programs(), PAIRS)
@settings(max_examples=examples(15))
def test_simulated_kernels(program: SizeProgram, pairs: list[tuple[int, int]]) -> None:
    check(program, pairs, shine.compile(low(program), target="cuda-sim"), evaluated=False)


@given(size_programs(), st.tuples(SIZES, SIZES))
@settings(max_examples=examples(80))
def test_kernels_of_fixed_sizes(program: SizeProgram, pair: tuple[int, int]) -> None:
    def run(x: Any, sizes: dict[str, int]) -> Any:
        return shine.compile(rise.specialise(low(program), **sizes), target="interpret")(x)

    check(program, [pair], run, evaluated=False)


@given(size_programs(), PAIRS)
@settings(max_examples=examples(80))
def test_evaluation(program: SizeProgram, pairs: list[tuple[int, int]]) -> None:
    e = low(program)
    check(program, pairs, lambda x, sizes: rise.evaluate(e, x, sizes=sizes), evaluated=True)
