"""Scatter, reorder and scatterAdd in kernels: results on every target, and rejected programs."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import rise
import shine
from shine.translate import translate
from tests.examples import examples, in_whole
from tests.examples import some as some_of
from tests.shine.executors import ON_A_GPU, ON_A_PROCESSOR, agree, agree_lowered, compiled, in_turn
from tests.shine.translate.interpretation import program, shown

F = np.float32
AT = "(fun(i: idx[3], j: idx[3], k: idx[3] => [i, j, k]))"
ORDER = np.array([2, 0, 1])
ROWS = np.arange(12, dtype=F).reshape(3, 4)
HISTOGRAM = "fun(is: N.idx[M], xs: N.f32, ys: M.f32 => scatterAdd(is, xs, ys))"


def reordered(f: str, g: str) -> str:
    return f"reorder(fun(i => idx(i, {AT}({f}))), fun(i => idx(i, {AT}({g}))))"


LOWERED: dict[str, tuple[str, list[Any]]] = {
    "elements": (
        "fun(is: N.idx[N], xs: N.f32 => scatter(is, xs |> map(fun(x => x + 1.0))))",
        [ORDER, ROWS[:, 0]],
    ),
    "rows": ("fun(is: N.idx[N], xs: N.4.f32 => scatter(is, xs))", [ORDER, ROWS]),
    "pairs": (
        "fun(is: N.idx[N], xs: N.(f32, i32) => scatter(is, xs))",
        [ORDER, (ROWS[0, :3], ORDER.astype(np.int32))],
    ),
    "inside of rows": (
        "fun(is: K.N.idx[N], xs: K.N.f32 => zip(is, xs) |> map(fun(p => scatter(fst(p), snd(p)))))",
        [np.array([[1, 0], [0, 1]]), ROWS[:2, :2].copy()],
    ),
    "what is scattered is read": (
        "fun(is: N.idx[N], xs: N.f32 => scatter(is, xs) |> map(fun(x => x * 2.0)))",
        [ORDER, ROWS[1, :3]],
    ),
    "a literal order": (f"fun(xs: 3.f32 => scatter({AT}(2, 0, 1), xs))", [ROWS[1, :3]]),
    "backwards": ("fun(xs: N.f32 => xs |> scatter(generate(fun(i: idx[N] => fromEnd(i)))))", [ROWS[1]]),
    "rows backwards, and each": (
        "fun(xs: N.K.f32 => scatter(generate(fromEnd), xs |> map(fun(x => scatter(generate(fromEnd), x)))))",
        [ROWS],
    ),
    "one at an index that is computed": (
        "fun(xs: 1.f32, ys: 1.f32 => scatter(generate(fun(i => argmax(ys))), xs)"
        " |> reorder(fun(i => argmin(ys)), fun(i => argmax(ys))))",
        [ROWS[1, :1], ROWS[2, :1]],
    ),
    "reordered on the way in": (f"fun(xs: 3.4.f32 => xs |> {reordered('2, 0, 1', '1, 2, 0')})", [ROWS]),
    "sums": (HISTOGRAM, [np.array([2, 2, 1, 2]), ROWS[1], ROWS[2]]),
    "sums of rows that are read": (
        "fun(is: N.idx[3], xs: N.i32 => scatterAdd(is, xs, generate(fun(i: idx[3] => 1))) |> reduce(max, 0))",
        [np.array([2, 2, 1, 2]), np.arange(4, dtype=np.int32)],
    ),
    "sums of halves": (
        HISTOGRAM.replace("f32", "f16"),
        [np.array([1, 1]), np.ones(2, np.float16), np.ones(2, np.float16)],
    ),
    "sums of bytes": (
        HISTOGRAM.replace("f32", "u8"),
        [np.array([1, 1]), np.full(2, 200, np.uint8), np.ones(2, np.uint8)],
    ),
    "nothing": (HISTOGRAM, [np.zeros(0, np.int64), np.zeros(0, F), ROWS[0]]),
}


@pytest.mark.parametrize(("name", "target"), some_of(in_turn(LOWERED), 2))
def test_every_target_agrees_with_the_meaning(name: str, target: str) -> None:
    text, arguments = LOWERED[name]
    agree(text, *arguments, targets=(target,), lower=True)


@in_whole("test_the_order_of_an_array_is_known_to_be_a_permutation")
def test_sums_in_the_rows_of_an_array() -> None:
    text = "fun(is: K.N.idx[M], xs: K.N.f32, ys: M.f32 => zip(is, xs) |> map(fun(p => scatterAdd(fst(p), snd(p), ys))))"
    at = np.array([[1, 1, 0, 2], [0, 0, 0, 0], [3, 2, 1, 0]])
    agree(
        text.replace("map(", "mapPar(")
        .replace("scatterAdd", "scatterAddSeq")
        .replace("ys)", "mapSeq(id)(ys))"),
        at,
        ROWS,
        ROWS[0],
    )
    agree_lowered(text, at, ROWS, ROWS[0])


PARALLEL = {
    "elements": "fun(is: N.idx[N], xs: N.f32 => scatter(is, xs |> mapPar(fun(x => x + 1.0))))",
    "a literal order": f"fun(xs: 3.f32 => scatter({AT}(2, 0, 1), xs |> mapPar(id)))",
    "reordered on the way out": f"fun(xs: 3.f32 => xs |> mapPar(id) |> {reordered('2, 0, 1', '1, 2, 0')})",
    "backwards": "fun(xs: N.f32 => xs |> mapPar(id) |> reorder(fromEnd, fromEnd))",
    "rows backwards, and each": "fun(xs: N.K.f32 => xs |> mapPar(mapSeq(id) >> reorder(fromEnd, fromEnd))"
    " |> reorder(fromEnd, fromEnd))",
    "inside of two borders": "fun(xs: (N+2).(K+3).f32 => xs |> mapPar(mapSeq(id) >> drop(1) >> take(K))"
    " |> drop(2) |> take(N))",
    "the same place": "fun(xs: N.f32 => scatter(generate(fun(i: idx[N] => i)), xs |> mapPar(id)))",
    "tiles": "fun(is: (3*N).idx[3*N], xs: (3*N).f32 => scatter(is, xs |> split(3) |> mapPar(mapSeq(id)) |> join))",
    "rows in order, elements in parallel": "fun(is: K.3.idx[3], xs: 3.f32 =>"
    " is |> mapSeq(fun(i => scatter(i, xs |> mapPar(id)))))",
    "sums": "fun(is: N.idx[3], xs: N.f32 => scatterAddPar(is, xs, xs |> take(3) |> mapPar(id)))",
}


@pytest.mark.parametrize(("name", "target"), some_of(in_turn(PARALLEL, ON_A_PROCESSOR), 2))
def test_permutations_in_parallel_loops(name: str, target: str) -> None:
    """`interpret` shuffles the iterations and finds conflicts."""
    text = PARALLEL[name]
    xs = np.array([5, 7, 11], F)
    order = ORDER[None] if "K.3" in text else ORDER
    if "xs: N.K" in text or "xs: (N+2)" in text:
        xs = np.arange(20, dtype=F).reshape(4, 5)
    agree(text, *([order, xs] if "fun(is" in text else [xs]), targets=(target,))


@given(some.permutations(range(6)), some.integers(0, 5))
@settings(max_examples=examples(20), deadline=None)
def test_threads_of_a_gpu_scatter(order: list[int], seed: int) -> None:
    xs = np.random.default_rng(seed).integers(-9, 9, (6, 2)).astype(F)
    agree(
        "fun(is: 6.idx[6], xs: 6.2.f32 => scatter(is, xs |> mapBlock(0)(mapThreads(0)(fun(x => x * 2.0)))))",
        np.array(order),
        xs,
        targets=("interpret",),
    )


@in_whole("test_every_target_agrees_with_the_meaning")
def test_blocks_and_threads_of_a_gpu_scatter() -> None:
    text = (
        "fun(is: N.idx[N], xs: N.4.f32 => scatter(is, xs |> mapBlock(0)(mapThreads(0)(fun(x => x * 2.0)))))"
    )
    agree(text, ORDER, ROWS, targets=ON_A_GPU)
    sums = "fun(is: N.idx[4], xs: N.f32, ys: 4.f32 => scatterAddGlobal(0, is, xs, ys |> mapGlobal(0)(id)))"
    agree(sums, np.arange(300) % 4, np.ones(300, F), ROWS[0], targets=ON_A_GPU)


def test_a_vector_is_added_at_its_index() -> None:
    text = (
        "fun(is: N.idx[M], xs: N.vec[4, f32], ys: M.vec[4, f32] => scatterAddSeq(is, xs, ys |> mapSeq(id)))"
    )
    agree(text, np.array([1, 1, 0]), ROWS, ROWS)


def test_sums_are_added_in_the_result_itself() -> None:
    text = "fun(is: N.idx[M], xs: N.f32, ys: M.f32 => scatterAddSeq(is, xs, ys |> mapSeq(id)))"
    assert shown(text) == [
        "for i < M (seq)",
        "output[i] := ys[i]",
        "for i_k < N (seq)",
        "at : nat = is[i_k]",
        "output[at] := add(output[at], xs[i_k])",
    ]
    assert "#pragma omp atomic update" in compiled(PARALLEL["sums"], "openmp").source


ORDERS = {
    "an array": "fun(xs: N.f32 => xs |> scatter(argsort(xs)))",
    "a named order": "fun(xs: N.f32 => let order = argsort(xs |> map(neg)) in xs |> scatter(order))",
    "in reverse": "fun(xs: N.f32 => xs |> scatter(argsort(xs) |> reorder(fromEnd, fromEnd)))",
    "in the order of an input": "fun(is: N.idx[N], xs: N.f32 => xs |> scatter(gather(is, argsort(xs))))",
    "rows": "fun(xs: N.f32 => [xs, xs |> map(neg)] |> map(fun(row => row |> scatter(argsort(row)))))",
    "stored rows": "fun(xs: N.f32 => let orders = [xs, xs |> map(neg)] |> map(argsort)"
    " in orders |> map(fun(order => xs |> scatter(order))))",
}


@pytest.mark.parametrize(("name", "target"), some_of(in_turn(ORDERS), 3))
def test_the_order_of_an_array_is_known_to_be_a_permutation(name: str, target: str) -> None:
    arguments = [ORDER] if "is:" in ORDERS[name] else []
    xs = np.sin(np.arange(len(ORDER), dtype=F))
    agree(ORDERS[name], *arguments, xs, targets=(target,), lower=True)


#: elements of two rows, and one of two arrays
UNKNOWN_ORDERS = (
    "fun(is: 2.4.idx[4], xs: 4.f32 => xs |> scatter(join(is) |> drop(1) |> take(4)))",
    "fun(ys: 2.4.f32, xs: 4.f32 => let orders = ys |> map(argsort) in"
    " xs |> scatter(join(orders) |> drop(1) |> take(4)))",
    "fun(is: 4.idx[4], xs: 4.f32 => let order = (if idx(0, xs) > 0.0 then argsort(xs) else is |> map(fun(i => i)))"
    " in xs |> scatter(order))",
)


#: orders that consist of parts of one order, as those of rotations do; k = 2
PARTS = {
    "a rotation": "generate(fun(i: idx[k+M] => i)) |> fun(is => concat(drop(k, is), take(k, is)))",
    "a rotation backwards": "generate(fromEnd) |> fun(is => concat(drop(k, is), take(k, is)))",
    "a named rotation": "let is = generate(fun(i: idx[k+M] => i)) in let js = concat(drop(k, is), take(k, is)) in js",
    "an input": "order |> fun(is => concat(drop(k, is), take(k, is)))",
    "the order of an array": "argsort(xs) |> fun(is => concat(drop(k, is), take(k, is)))",
    "three parts": "generate(fun(i: idx[k+M] => i)) |> fun(is =>"
    " concat(drop(k, is), concat(drop(k / 2, take(k, is)), take(k / 2, is))))",
}


@pytest.mark.parametrize(("name", "target"), some_of(in_turn(PARTS), 3))
def test_parts_of_an_order_are_known_to_be_apart(name: str, target: str) -> None:
    head = "fun(k: nat, order: (k+M).idx[k+M], xs: (k+M).f32"
    e = rise.parse(f"{head} => xs |> map(fun(x => x + 1.0)) |> scatter({PARTS[name]}))").main
    xs, order = np.sin(np.arange(5, dtype=F)), np.array([4, 2, 0, 1, 3])
    kernel = shine.compile(e, target=target)
    for k in (0, 2, 5):
        assert kernel(k, order, xs).tolist() == rise.evaluate(e, k, order, xs).tolist()


def test_parts_of_an_input_are_checked_at_each_call() -> None:
    text = "fun(k: nat, is: (k+M).idx[k+M], xs: (k+M).f32 => xs |> scatter(concat(drop(k, is), take(k, is))))"
    kernel = compiled(text, "interpret", lower=True)
    with pytest.raises(rise.RiseError, match="expected distinct indices, found 0"):
        kernel(2, np.array([0, 1, 2, 0]), np.ones(4, F))


#: parts that have elements in common, or may have
OVERLAPPING_PARTS = (
    "generate(fun(i: idx[k+k] => i)) |> fun(is => concat(take(k, is), take(k, is)))",
    "generate(fun(i: idx[k+k] => i)) |> fun(is => concat(take(k, is), take(k, drop(1, is))))",
    "concat(take(k, order), drop(k, other))",
    "concat(idx(0, halves), idx(1, halves))",
)


@pytest.mark.parametrize("order", OVERLAPPING_PARTS)
def test_other_parts_are_not_known_to_be_apart(order: str) -> None:
    orders = "order: (k+k).idx[k+k], other: (k+k).idx[k+k], halves: 2.k.idx[k+k]"
    text = f"fun(k: nat, {orders}, xs: (k+k).f32 => xs |> scatter({order}))"
    with pytest.raises(rise.RiseError, match="not-distinct"):
        compiled(text, "openmp", lower=True)


@pytest.mark.parametrize("text", UNKNOWN_ORDERS)
def test_other_orders_are_not_known_to_be_permutations(text: str) -> None:
    with pytest.raises(rise.RiseError, match="not-distinct"):
        compiled(text, "openmp", lower=True)


TWICE_HINT = "hint: use distinct indices, or add up elements with the same index with `scatterAdd`"
REFUSED = {
    f"fun(xs: 3.f32 => scatter({AT}(2, 0, 2), xs |> mapSeq(id)))": f"""\
error[duplicate-index]: expected distinct indices, found 2 at 0 and at 2
{TWICE_HINT}""",
    "fun(is: N.idx[M], js: M.idx[M], xs: N.f32 => scatter(is |> map(fun(i => idx(i, js))), xs |> mapSeq(id)))": """\
error[not-distinct]: expected indices that are provably distinct, found some that are not
hint: pass them as an input, whose rows are checked at each call, or add up with `scatterAdd`""",
    "fun(is: K.N.idx[M], xs: K.f32 => scatter(is |> transpose |> idx(0), xs |> mapSeq(id)))": """\
error[not-distinct]: expected indices that are provably distinct, found some that are not
hint: pass them as an input, whose rows are checked at each call, or add up with `scatterAdd`""",
    f"fun(xs: 3.f32 => xs |> mapSeq(id) |> {reordered('2, 0, 1', '2, 0, 1')})": """\
error[not-a-bijection]: expected a function and its inverse, found that the first maps 0 to 2 and the second maps 2 \
to 1
hint: pass a permutation and its inverse""",
    "fun(f: N.idx[N], xs: N.f32 => xs |> reorder(fun(i => idx(i, f)), fun(i => idx(i, f))) |> mapSeq(id))": """\
error[not-a-bijection]: expected a function and its inverse, found a second function that is not proved to be \
the inverse
hint: fix the size with rise.specialise, or pass indices as an input to `gather` or `scatter`""",
    "fun(is: N.idx[3], xs: N.f32, ys: 3.f32 => scatterAddPar(is, xs, ys |> mapPar(id)) |> take(2))": """\
error[atomic-type]: expected an unguarded array of numbers for atomic updates, found parts of 3.f32, or a guard
hint: store the sums first: toMem(Global, ...), or use scatterAddSeq""",
}


@pytest.mark.parametrize("text", REFUSED)
def test_an_error_is_explained(text: str) -> None:
    with pytest.raises(rise.RiseError) as caught:
        translate(program(text))
    title, _, hint = str(caught.value).splitlines()
    assert f"{title}\n{hint}" == REFUSED[text]


def test_atomic_updates_without_hardware_support_are_rejected() -> None:
    text = "fun(is: N.idx[3], xs: N.f16, ys: 3.f16 => scatterAddPar(is, xs, ys |> mapPar(id)))"
    with pytest.raises(rise.RiseError) as caught:
        shine.compile(program(text), target="openmp")
    title, _, hint = str(caught.value).splitlines()
    assert title == "error[atomic-type]: expected a type that CPUs can add atomically, found f16"
    assert hint == "hint: add in f32, or use scatterAddSeq"


@pytest.mark.parametrize("target", ["interpret", "openmp", "cuda-sim"])
def test_each_call_checks_that_indices_differ(target: str) -> None:
    rows, _ = LOWERED["inside of rows"]
    kernel = compiled(rows, target, lower=True)
    with pytest.raises(rise.RiseError) as caught:
        kernel(np.array([[1, 0], [1, 1]]), ROWS[:2, :2].copy())
    assert str(caught.value) == (
        "error[duplicate-index]: `is`: expected distinct indices, found 1 at 0 and 1 of row (1,)\n"
        + TWICE_HINT
    )


WRAPPED = "toIndexWrapped(3i64 * indexAsInt(i) + 1i64)"
FLIPPED = "fun(i => toIndex(bitXor(indexAsInt(i), 5i64)))"
#: permutations by arithmetic on numbers, of known sizes
COMPUTED = {
    "scattered": f"val main : 7.f32 -> 7.f32 = fun(xs => xs |> scatter(generate(fun(i: idx[7] => {WRAPPED}))))",
    "flipped": f"fun(xs: 8.f32 => xs |> map(fun(x => x * 2.0)) |> reorder({FLIPPED}, {FLIPPED}))",
    "turned": "fun(xs: 5.f32 => xs |> reorder(fun(i => toIndexWrapped(indexAsInt(i) + 1i64)),"
    " fun(i => toIndexWrapped(indexAsInt(i) - 1i64))) |> map(fun(x => x * 2.0)))",
}


@pytest.mark.parametrize("name", some_of(COMPUTED, 3))
def test_permutations_by_arithmetic_are_checked_by_their_meaning(name: str) -> None:
    text = COMPUTED[name]
    (count,) = {int(number) for number in re.findall(r"(\d)\.f32", text)}
    agree_lowered(text, np.arange(count, dtype=F))


def test_numbers_that_are_no_permutation_are_refused() -> None:
    text = COMPUTED["scattered"].replace("7", "6")
    with pytest.raises(rise.RiseError, match="expected distinct indices, found 1 at 0 and at 2"):
        shine.compile(rise.parse(text))


def test_an_unknown_size_is_to_be_fixed() -> None:
    text = COMPUTED["turned"].replace("5.f32", "(N + 1).f32")
    with pytest.raises(rise.RiseError, match=r"hint: fix the size with rise\.specialise"):
        shine.compile(rise.parse(text))
    shine.compile(rise.specialise(rise.parse(text).main, N=4))
