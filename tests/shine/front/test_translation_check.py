"""Kernels equal their low-level programs at all small sizes, and kernels with a mistake do not."""

from __future__ import annotations

import random
import re
import zlib
from typing import Any

import numpy as np
import pytest

import rise
import strategies
from cases.case_files import Case
from elevate import Success
from rise.terms import Expr
from shine.front.translation_check import Comparable, check_translation, comparable, compare_kernel
from shine.kernel import make_kernel
from shine.targets import find_target
from shine.translate import translate
from tests.cases.stages import CASES, lowered, program
from tests.cuda.entries import ENTRIES, Entry, derive
from tests.cuda.kernels import architecture_for
from tests.examples import SAMPLED, in_turns, some
from tests.shine.procedure_mutants import mutants

#: numbers of rows for programs whose rows have lengths that a call determines
LENGTHS = "(i |-> i + 1)"
DOT = "val main = fun(xs: N.f32, ys: N.f32 => zip(xs, ys) |> map(fun(x, y => x * y)) |> reduce(add, 0.0))"
#: mistakes per case
MISTAKES = 3 if SAMPLED else 10


def low_level(case: Case, target: str) -> Expr:
    """A case lowered for a target, with known lengths of rows."""
    low = lowered(case, target)
    return rise.specialise(low, len=LENGTHS) if "len" in dict(case.sizes[0]) else low


RUNS = [(case, "openmp") for case in some(CASES, 30, first=3)] + [
    (case, "cuda-sim") for case in some(CASES, 60, first=11)
]


@pytest.mark.parametrize(("case", "target"), RUNS, ids=str)
def test_a_kernel_equals_its_program(case: Case, target: str) -> None:
    options = {"check": True} if target == "cuda-sim" else {}
    found = check_translation(low_level(case, target), target, 3, **options)
    assert found.sizes and found.is_all and found.numbers


@pytest.mark.parametrize(("name", "tile"), in_turns(["mm", "gemm", "gemv", "axpy"], [1, 2, 3, 4]))
def test_all_small_tiles(name: str, tile: int) -> None:
    case = next(one for one in CASES if one.name == name)
    result = strategies.load("strategies.openmp:parallel", tile=tile)(program(case))
    assert isinstance(result, Success)
    assert check_translation(result.program, count=3 if SAMPLED else 5).is_all


@pytest.mark.parametrize("entry", some(ENTRIES, 20, first=2), ids=str)
def test_products_in_fragments_are_exact_on_small_integers(entry: Entry) -> None:
    arch = architecture_for(entry)
    found = check_translation(derive(entry), "cuda-sim", 2, check=True, arch=arch)
    assert found.numbers


def pair_of(case: Case) -> Comparable:
    return comparable(low_level(case, "openmp"))


@pytest.mark.parametrize("case", some(CASES, 30, first=14), ids=str)
def test_mistakes_are_found(case: Case) -> None:
    """Of a few mistakes, at least half; benchmarks/translation_mutants.py says which of all remain."""
    pair = pair_of(case)
    procedure = translate(pair.program, "kernel", find_target("interpret").levels)
    found = list(mutants(procedure))
    random.Random(zlib.crc32(case.name.encode())).shuffle(found)
    unchanged = [kind for kind, one in found[:MISTAKES] if not is_found(pair, one)]
    assert 2 * len(unchanged) <= min(len(found), MISTAKES), unchanged


def is_found(pair: Comparable, procedure: Any) -> bool:
    try:
        compare_kernel(pair, make_kernel(procedure, "interpret", pair.program), 3)
    except AssertionError:  # the interpreter checks accesses
        return True
    except rise.RiseError as error:
        return error.diagnostic.code == "wrong-translation"
    return False


def test_a_mistake_is_reported_with_sizes_and_place() -> None:
    result = strategies.load("strategies.sequential:sequential")(rise.parse(DOT).main)
    assert isinstance(result, Success)
    low = result.program
    pair = comparable(low)
    procedure = translate(pair.program, "kernel", find_target("interpret").levels)
    (wrong,) = (one for kind, one in mutants(procedure) if kind == "one iteration less")
    with pytest.raises(rise.RiseError) as caught:
        compare_kernel(pair, make_kernel(wrong, "interpret", low))
    diagnostic = caught.value.diagnostic
    assert diagnostic.code == "wrong-translation"
    assert re.fullmatch(r"expected -?\d+ of the result, found -?\d+, where N=[1-4]", diagnostic.title)
    assert diagnostic.notes == ("1 of 1 numbers differ, on interpret",)


def test_sizes_are_those_that_the_program_allows() -> None:
    low = rise.parse_expr("fun(n: nat, xs: (8*n).f32 => xs |> split(8) |> mapSeq(mapSeq(neg)) |> join)")
    assert check_translation(low, count=2).sizes == 2 + len((5, 6, 11))
    eighths = rise.assume(rise.parse("val main = fun(xs: N.f32 => xs |> mapSeq(neg))").main, "8 divides N")
    assert check_translation(eighths, count=3).numbers == 10 * (0 + 8 + 16)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("val main = fun(xs: N.c64 => xs |> mapSeq(neg))", "no-integers"),
        ("val main = fun(xs: N.f32 => xs |> map(neg))", "not-lowered"),
        ("val main = fun(xs: (N - 5000).f32 => xs |> mapSeq(neg))", "no-sizes"),
        ("val main = fun(xs: (1 + N).i32 => xs |> mapSeq(fun(x => x / 0)))", "no-sizes"),
    ],
)
def test_programs_that_cannot_be_compared(text: str, code: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        check_translation(rise.parse(text).main)
    assert caught.value.diagnostic.code == code


def test_the_number_of_sizes_is_checked() -> None:
    with pytest.raises(rise.RiseError, match="expected a number of sizes"):
        check_translation(rise.parse_expr("fun(x: f32 => x)"), count=0)


def test_numbers_are_the_same_each_time() -> None:
    low = rise.parse_expr("fun(n: nat, xs: n.f32 => xs |> mapSeq(neg))")
    assert check_translation(low, seed=3) == check_translation(low, seed=3)
    assert np.random.default_rng((3, 0)).integers(9) == np.random.default_rng((3, 0)).integers(9)
