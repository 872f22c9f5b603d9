"""Sorting on every target: by ranks and by digits, in rows, columns and pipelines."""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from rise.scalars import SCALARS
from rise.values import leaves
from shine.translate.orders import LONGEST_RANKED
from shine.translate.sorting_networks import FEWEST_IN_NETWORK, LONGEST_IN_NETWORK
from tests.examples import in_whole, some
from tests.shine.executors import compiled

BOTH: Final = "fun(xs: N.{t} => pair(sort(xs), argsort(xs)))"


def numbers(t: str, n: int) -> Any:
    """Numbers many of which are equal; floats include both zeros, infinities, and NaN of both signs."""
    random = np.random.default_rng(n)
    dtype = SCALARS[t].dtype
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        some = random.integers(limits.min, limits.max, n, dtype, endpoint=True)
        return np.where(random.random(n) < 0.5, some, some // dtype.type(100))
    found = random.standard_normal(n).round(1)
    special = [0.0, -0.0, np.inf, -np.inf, np.nan, -np.nan, float(np.finfo(np.float16).smallest_subnormal)]
    return np.where(random.random(n) < 0.5, found, random.choice(special, n)).astype(dtype)


def same_bits(found: Any, expected: Any) -> None:
    """Assert equality, including the signs of zeros."""
    assert found.dtype == expected.dtype and found.tobytes() == expected.tobytes()


def check(kernel: Any, t: str, lengths: tuple[int, ...]) -> None:
    for n in lengths:
        xs = numbers(t, n)
        values, order = kernel(xs)
        expected = np.argsort(xs.astype(np.float32) if t == "bf16" else xs, kind="stable")
        np.testing.assert_array_equal(order, expected)
        same_bits(values, xs[order])


@pytest.mark.parametrize("t", some((t for t, facts in SCALARS.items() if "ord" in facts.classes), 5))
def test_numbers_of_every_type_are_sorted_as_by_numpy(t: str) -> None:
    check(compiled(BOTH.format(t=t), "interpret", lower=True), t, (7, LONGEST_RANKED + 1))


@pytest.mark.parametrize("t", some(["bf16", "f64", "i8"], 3))
def test_kernels_for_processors_sort_all_lengths(t: str) -> None:
    lengths = (0, 1, 7, LONGEST_RANKED, LONGEST_RANKED + 1, 1000)
    check(compiled(BOTH.format(t=t), "openmp", lower=True), t, lengths)


#: types that are sorted by networks
NETWORKS: Final = ("f64", "u32")


@in_whole("test_networks_order_indices_of_equal_numbers")
def test_networks_sort_numbers_without_special_values_and_leave_others() -> None:
    """Numbers without NaN and -0, and then with one of these, at lengths that fill their matrix and others."""
    parameters = ", ".join(f"x{k}: N.{t}" for k, t in enumerate(NETWORKS))
    body = "".join(f"pair(sort(x{k}), " for k in range(len(NETWORKS))) + "x0" + ")" * len(NETWORKS)
    kernel = compiled(f"fun({parameters} => {body})", "openmp", lower=True)
    assert kernel.source.count("omp simd") > len(NETWORKS)
    edges = (FEWEST_IN_NETWORK - 1, FEWEST_IN_NETWORK, 65, 1000, LONGEST_IN_NETWORK, LONGEST_IN_NETWORK + 1)
    for n in edges:
        plain = [np.sort(numbers(t, n))[::-1] for t in NETWORKS]
        plain = [np.where(np.isnan(x) | (x == 0), x.dtype.type(3), x) for x in plain]
        for special in (3.0, -0.0, np.nan, -np.nan):
            for x in plain[:1]:
                x[n // 3 :: 7], x[n // 5] = special, 0.0
            found = leaves(kernel(*plain))
            for values, x in zip(found[:-1], plain, strict=True):
                same_bits(values, x[np.argsort(x, kind="stable")])


@pytest.mark.parametrize("t", some(["f32", "u8"], 2))
def test_networks_order_indices_of_equal_numbers(t: str) -> None:
    """With NaN and both zeros: each index occurs once, in order if numbers are equal."""
    kernel = compiled(f"fun(xs: N.{t} => argsort(xs))", "openmp", lower=True)
    assert "omp simd" in kernel.source
    for n in (FEWEST_IN_NETWORK, 65, 1000, LONGEST_IN_NETWORK):
        xs = numbers(t, n)
        np.testing.assert_array_equal(kernel(xs), np.argsort(xs, kind="stable"))


@in_whole("test_networks_order_indices_of_equal_numbers")
def test_networks_sort_arrays_of_a_known_length() -> None:
    text = "fun(xs: M.100.f32 => xs |> map(sort))"
    xs = np.random.default_rng(0).standard_normal((5, 100)).astype(np.float32)
    xs[3, 7], xs[3, 2] = -0.0, 0.0
    same_bits(compiled(text, "openmp", lower=True)(xs), np.sort(xs, axis=1, kind="stable"))


def test_kernels_for_gpus_sort() -> None:
    check(compiled(BOTH.format(t="f32"), "cuda-sim", lower=True), "f32", (0, 7, LONGEST_RANKED + 1))


#: the first of the programs, since building a text for the simulator takes seconds for each sort
SIMULATED: Final = 3
#: programs of a: 3.5.4.f32, b: 5.4.f32, c: 4.3.i32, and their results by numpy
PROGRAMS: Final[dict[str, Any]] = {
    "a |> map(map(sort))": lambda a, b, c: np.sort(a, axis=2, kind="stable"),
    "b |> transpose |> map(argsort) |> transpose": lambda a, b, c: np.argsort(b, axis=0, kind="stable"),
    "b |> transpose |> map(sort) |> transpose |> map(map(fun(x => x + 1.0)))": lambda a, b, c: (
        np.sort(b, axis=0, kind="stable") + 1
    ),
    "join(b) |> map(fun(x => x * 2.0)) |> sort": lambda a, b, c: np.sort(b.reshape(-1) * 2, kind="stable"),
    "c |> map(reduce(add, 0)) |> argsort": lambda a, b, c: np.argsort(
        c.sum(axis=1, dtype=np.int32), kind="stable"
    ),
    "join(c) |> sort |> take(2)": lambda a, b, c: np.sort(c, axis=None)[:2],
    "c |> map(fun(row => sort(row) |> idx(1)))": lambda a, b, c: np.median(c, axis=1),
    "gather(argsort(join(c)), join(take(3, b)))": lambda a, b, c: b[:3].reshape(-1)[np.argsort(c, axis=None)],
    "let y = sort(join(c)) in zip(drop(1, y), take(11, y)) |> map(sub)": lambda a, b, c: np.diff(
        np.sort(c, axis=None)
    ),
    "join(c) |> sort |> map(neg) |> sort": lambda a, b, c: np.sort(-c, axis=None),
}


@pytest.mark.parametrize("target", some(["interpret", "openmp", "cuda-sim"], 2))
def test_every_target_sorts_rows_columns_and_computed_arrays(target: str) -> None:
    """Rows, columns, computed arrays, and computations with the result, in one kernel."""
    programs = list(PROGRAMS)[:SIMULATED] if target == "cuda-sim" else list(PROGRAMS)
    *first, last = programs
    body = "".join(f"pair({one}, " for one in first) + last + ")" * len(first)
    kernel = compiled(f"fun(a: 3.5.4.f32, b: 5.4.f32, c: 4.3.i32 => {body})", target, lower=True)
    given = (
        numbers("f32", 60).reshape(3, 5, 4),
        numbers("f32", 20).reshape(5, 4),
        numbers("i32", 12).reshape(4, 3),
    )
    for found, one in zip(leaves(kernel(*given)), programs, strict=True):
        np.testing.assert_array_equal(found, PROGRAMS[one](*given))


@pytest.mark.parametrize("target", ["interpret", "openmp", "cuda-sim"])
def test_a_binary_search_takes_the_steps_of_its_meaning(target: str) -> None:
    """At all small lengths; also if the function breaks its promise, and in an array of pairs."""
    text = (
        "fun(xs: N.f32, ys: N.i32, vs: M.f32 => vs |> map(fun(v => pair("
        "partitionPoint(fun(x => x < v), xs),"
        " partitionPoint(fun(p => fst(p) <= v && snd(p) < 2), zip(xs, ys))))))"
    )
    kernel, program = compiled(text, target, lower=True), rise.parse(text).main
    for n in (*range(10), 33):
        mixed, vs = numbers("f32", n), numbers("f32", 6)
        ordered, ys = np.sort(mixed), np.arange(n, dtype=np.int32)
        for xs in (mixed, ordered):
            for found, expected in zip(kernel(xs, ys, vs), rise.evaluate(program, xs, ys, vs), strict=True):
                np.testing.assert_array_equal(found, expected)
        less = [np.count_nonzero(ordered < v) for v in vs]
        assert kernel(ordered, ys, vs)[0].tolist() == less


def test_rows_are_sorted_in_parallel_and_a_single_row_is_stored_first() -> None:
    """What a long row is computed from also uses all threads."""
    lower = strategies.load(shine.TARGETS["openmp"].strategy)
    rows = lower(rise.parse("fun(xs: M.N.f32 => xs |> map(sort))").main).program
    assert "mapPar(fun(x: N.f32 => sortSeq(x)))" in rise.show(rows)
    sums = lower(rise.parse("fun(xs: M.N.f32 => xs |> map(reduce(add, 0.0)) |> sort)").main).program
    assert "mapPar" in rise.show(sums) and "toMem" in rise.show(sums) and "sortSeq" in rise.show(sums)


#: types that are sorted by the digits of their keys
RADIX: Final = ("f32", "f64", "i32", "i64", "u64")


def spread(t: str, n: int) -> dict[str, Any]:
    """Numbers that differ in different bits, by what is special about them."""
    random, dtype = np.random.default_rng(n), SCALARS[t].dtype
    plain = (random.standard_normal(n) * 1e6).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        plain = random.integers(limits.min, limits.max, n, dtype, endpoint=True)
    outlier, near = random.integers(0, 50, n).astype(dtype), np.arange(n)[::-1].astype(dtype)
    outlier[n // 2] = np.iinfo(dtype).max if dtype.kind in "iu" else np.finfo(dtype).max
    few = np.where(random.random(n) < 0.5, 7, 3).astype(dtype)
    found = {
        "plain": plain,
        "an outlier": outlier,
        "descending": near,
        "few": few,
        "equal": np.full(n, few[0]),
        "ascending": np.sort(plain),
        "ascending with equal ones": np.sort(few),
    }
    for at in (0, 100, n - 2):
        found[f"ascending but at {at}"] = np.sort(plain)
        found[f"ascending but at {at}"][[at, at + 1]] = found[f"ascending but at {at}"][[at + 1, at]]
    if dtype.kind == "f":
        found |= {"dense": 1 + random.random(n).astype(dtype) * dtype.type(1e-6)}
        found |= {str(one): np.where(few == 7, plain, dtype.type(one)) for one in (np.nan, -0.0, -np.inf)}
    if dtype.kind == "i":
        found |= {"negative": -outlier}
    return found


@pytest.mark.parametrize("t", some(RADIX, 2))
def test_long_arrays_are_sorted_by_digits_of_their_keys(t: str) -> None:
    """Also if keys with the same leading bits are many, or are all neighbours of others."""
    kernel = compiled(BOTH.format(t=t), "openmp", lower=True)
    for n in (LONGEST_IN_NETWORK + 1, 20000):
        for what, xs in spread(t, n).items():
            values, order = kernel(xs)
            np.testing.assert_array_equal(order, np.argsort(xs, kind="stable"), err_msg=what)
            same_bits(values, xs[order])


def test_keys_in_order_are_not_moved() -> None:
    """The result is stored twice: at once if no key is greater than the next one, and after all passes."""
    source = compiled("fun(xs: N.f64 => argsort(xs))", "openmp", lower=True).source
    compared, first, moved = (
        next(re.finditer(text, source)).start()
        for text in (r"keys\w*\[n \+ 1\]", r"output\[n\] =", r"counts\[at")
    )
    assert compared < first < moved < source.rindex("output[n] =")
