"""Parallel loops with little work run on one thread: what counts as little, and that results do not change."""

import re

import numpy as np
import pytest

import rise
import shine
from tests.shine.executors import text_of

PRAGMA = "#pragma omp parallel for schedule(static)"


def source(text: str, **options: object) -> str:
    return text_of(text, **options)


def test_a_loop_of_a_known_size_runs_on_one_thread_or_on_all() -> None:
    text = "fun(xs: {}.f32 => xs |> mapPar(fun(x => x + 1.0)))"
    assert "omp parallel" not in source(text.format(1000))
    assert f"{PRAGMA}\n" in source(text.format(1_000_000))
    assert f"{PRAGMA}\n" in source(text.format(1000), team=False)


def test_a_loop_of_any_size_has_a_condition() -> None:
    text = "fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))"
    assert f"{PRAGMA} if(" in source(text)
    assert f"{PRAGMA}\n" in source(text, team=False)
    assert "omp parallel" not in source(text, threads=1)


def least(text: str) -> int:
    """The smallest size at which a loop over N elements runs on several threads."""
    found = re.search(r" if\((\d+) < N\)", source(text))
    assert found is not None
    return int(found[1]) + 1


def test_expensive_functions_use_threads_at_smaller_sizes() -> None:
    sums = least("fun(xs: N.f32 => xs |> mapPar(fun(x => x + 1.0)))")
    exponentials = least("fun(xs: N.f32 => xs |> mapPar(fun(x => exp(x))))")
    assert 4 * exponentials < sums


def test_work_counts_inner_loops() -> None:
    text = source("fun(xs: N.M.f32 => xs |> mapPar(reduceSeq(fun(a, x => a + x), 0.0)))")
    assert re.search(r" if\(\d+ < .*N.*\)\n", text) and re.search(r" if\(\d+ < .*M.*\)\n", text)


def test_the_last_of_many_blocks_may_be_shorter() -> None:
    """The inner loop has at most 32 iterations."""
    blocks = "split(32) |> mapPar(mapSeq(fun(x => x + 1.0))) |> join |> take(N)"
    text = source(f"fun(xs: N.f32 => xs |> padEmpty(32 * ceil(N, 32) - N) |> {blocks})")
    assert "min_i64" in text and f"{PRAGMA} if(" in text


def test_rows_of_different_lengths_count_as_the_longest() -> None:
    rows = "partition{(i |-> i + 1)}(N) |> depMapPar(fun(i: nat, row => row |> reduceSeq(add, 0.0)))"
    text = source(f"fun(a: ((N^2 + N) /^ 2).f32 => a |> {rows})")
    assert re.search(r" if\(\d+ < .*N.*\)\n", text)


def test_a_loop_that_ends_by_data_counts_as_a_short_one() -> None:
    """Its bound, which only says that it has none, times the work of an iteration exceeds 64 bits."""
    step = "fun(s: (K.f64, i64) => pair(fst(s) |> mapSeq(fun(e => e * 2.0)), snd(s) + 1i64))"
    loop = f"iterateWhile({1 << 62}, fun(s: (K.f64, i64) => snd(s) < n), {step}, pair(x |> mapSeq(id), 0i64))"
    row = f"{loop} |> fst |> mapSeq(id)"
    text = source(f"fun(xs: N.K.f64, n: i64 => xs |> mapPar(fun(x => {row})))")
    assert re.search(r" if\(\d+ < .*N.*\)\n", text) and re.search(r" if\(\d+ < .*K.*\)\n", text)


def test_a_loop_inside_of_a_short_one_runs_on_the_same_thread() -> None:
    text = "fun(xs: 4.5.f32 => xs |> mapPar(mapPar(fun(x => x + 1.0))))"
    assert "omp parallel" not in source(text)


@pytest.mark.parametrize("size", [0, 1, 1000, 100_000])
def test_results_are_the_same(size: int) -> None:
    text = "fun(xs: N.f32 => xs |> mapPar(fun(x => x * x)))"
    xs = np.random.default_rng(size).normal(size=size).astype(np.float32)
    for team in (False, True):
        kernel = shine.compile(rise.parse(text).main, target="openmp", team=team)
        np.testing.assert_array_equal(kernel(xs), xs * xs)
