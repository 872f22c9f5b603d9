"""A law: whatever the sizes, a kernel computes what exact integers say, or refuses with one diagnostic."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rise
import shine
from tests.examples import examples
from tests.shine.calling.size_programs import SIZES, NoProgram, SizeProgram, Unspecified, size_programs

X: Final = 5
FEW: Final = 1 << 10  # elements that are stored, and below which nothing is refused
#: elements that no machine stores: numbers between are not tried where they would be
MANY: Final = 1 << 50
PAIRS: Final = st.lists(st.tuples(SIZES, SIZES), min_size=4, max_size=8)


def expected(program: SizeProgram, k: int, m: int) -> list[int] | None:
    """What a program computes; None where it makes no sense."""
    try:
        *_, (result, _) = program.arrays(k, m, X)
    except NoProgram:
        return None
    return [result.at(i) for i in range(result.length)]


def lengths(program: SizeProgram, k: int, m: int, stored: bool) -> list[int]:
    """How long the arrays on the way are, or those that are stored."""
    try:
        return [array.length for array, stores in program.arrays(k, m, X) if stores or not stored]
    except NoProgram:
        return []


def check(
    program: SizeProgram, pairs: list[tuple[int, int]], run: Callable[..., Any], evaluated: bool
) -> None:
    """Run a program at all these sizes."""
    for k, m in pairs:
        try:
            program.arrays(k, m, X)
        except Unspecified:
            continue
        except NoProgram:
            pass
        if any(FEW < one < MANY for one in lengths(program, k, m, stored=not evaluated)):
            continue
        wanted = expected(program, k, m)
        small = max([k, m, *lengths(program, k, m, stored=False)]) <= FEW
        try:
            found = run(np.int64(X), sizes={"K": k, "M": m})
        except rise.RiseError as error:
            refused = str(error)
        else:
            assert wanted is not None and found.tolist() == wanted, (program.text, k, m, found)
            continue
        assert wanted is None or not small, (program.text, k, m, refused)


def low(program: SizeProgram) -> rise.Expr:
    """The term, if its sizes fit at all."""
    try:
        return rise.parse(program.text).main
    except rise.RiseError:  # of two numbers, which fit or do not
        assume(False)
        raise


@given(size_programs(), PAIRS)
@settings(max_examples=examples(200))
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
@settings(max_examples=examples(200))
def test_kernels_of_fixed_sizes(program: SizeProgram, pair: tuple[int, int]) -> None:
    def run(x: Any, sizes: dict[str, int]) -> Any:
        return shine.compile(rise.specialise(low(program), **sizes), target="interpret")(x)

    check(program, [pair], run, evaluated=False)


@given(size_programs(), PAIRS)
@settings(max_examples=examples(200))
def test_evaluation(program: SizeProgram, pairs: list[tuple[int, int]]) -> None:
    e = low(program)
    check(program, pairs, lambda x, sizes: rise.evaluate(e, x, sizes=sizes), evaluated=True)
