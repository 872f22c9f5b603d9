"""`iterateWhile`: numbers and arrays that change until a condition fails, on every target, and `while` in programs."""

# The programs are annotated with RISE types.
# ruff: noqa: F821

from typing import Any

import numpy as np
import pytest

import rise
import shine
from tests.examples import in_whole, some
from tests.shine.executors import LOWERINGS, agree_lowered, compiled, text_of

#: a smoothing step of a pair of an array and the amount of its change, which is repeated while this is above a limit
SMOOTHED = """fun(k: nat, u: (N+2).f32, limit: f32 => iterateWhile(k, fun(s => snd(s) > limit), fun(s =>
  let inner = fst(s) |> slide(3, 1) |> map(fun(w => 0.5 * ((w |> idx(0)) + (w |> idx(2)))))
  let new = concat(concat(fst(s) |> take(1), inner), fst(s) |> drop(N+1))
  in pair(new, zip(new, fst(s)) |> map(fun(p => abs(fst(p) - snd(p)))) |> reduce(add, 0.0))), pair(u, 9.0)))"""


def smoothed(k: int, u: Any, limit: float) -> tuple[Any, int]:
    change, turns = np.float32(9), 0
    while change > limit and turns < k:
        new = np.concatenate((u[:1], np.float32(0.5) * (u[:-2] + u[2:]), u[-1:]))
        change, u, turns = np.add.accumulate(np.abs(new - u))[-1], new, turns + 1
    return u, turns


@pytest.mark.parametrize("target", some([None, *LOWERINGS], 2))
def test_an_array_is_changed_until_it_converges(target: str | None) -> None:
    """In as many iterations as numpy takes, and no more than allowed."""
    u = np.zeros(9, np.float32)
    u[0] = 1
    kernel = None if target is None else compiled(SMOOTHED, target, lower=True)
    for k, limit in ((0, 0.1), (3, 0.1), (5000, 0.05), (5000, 10.0)):
        expected, turns = smoothed(k, u, limit)
        run = kernel or (lambda *given: rise.evaluate(rise.parse(SMOOTHED).main, *given))
        np.testing.assert_array_equal(run(k, u, np.float32(limit))[0], expected)
        assert turns == {5000: 22, 3: 3}.get(k, 0) or limit == 10


@in_whole("test_an_array_is_changed_until_it_converges")
def test_each_number_of_an_array_has_its_own_iterations() -> None:
    """Inside loops, around arrays, and with functions that are not lambdas."""
    xs = np.array([0, 1, 5, 100, 200, -3], np.int32)
    agree_lowered(
        "fun(xs: N.i32 => xs |> map(fun(x => iterateWhile(9, fun(y => y < 100), fun(y => 3 * y + 1), x))))",
        xs,
    )
    agree_lowered("fun(xs: N.i32, n: nat => xs |> map(iterateWhile(n, gt(50), mul(3))))", xs, 4)
    agree_lowered(
        "fun(xs: N.i32 => xs |> map(fun(x => iterateWhile(6, fun(ys => reduce(add, 0, ys) < x),"
        " fun(ys => ys |> map(add(1))), [1, 2, 3]) |> reduce(add, 0))))",
        xs,
    )


def test_the_loop_of_a_text_ends() -> None:
    """It has no iteration after the one in which the condition fails, and the state is changed in place."""
    text = (
        "fun(xs: 64.i32 => iterateWhile(99, fun(s => reduce(add, 0, s) < 9), fun(s => s |> map(add(1))), xs))"
    )
    for target in ("openmp", "cuda"):
        source = text_of(text, target)
        (loop,) = [line for line in source.splitlines() if "< 99" in line]
        assert loop.strip().endswith("< 99 && goes_on; i_step++) {"), loop
        assert "next" not in source


@rise.program
def collatz(k: "i64", most: "nat"):
    turns = 0
    while k != 1 and turns < most:
        k = k // 2 if k % 2 == 0 else 3 * k + 1
        turns += 1
        if k == 5:
            break
    else:
        turns += 100
    return turns


@rise.program
def relaxed(u: "N.f64", limit: "f64", most: "nat"):
    change, turns = 9.0, 0
    while turns < most:
        old = u.copy()
        for i in range(1, len(u) - 1):
            u[i] = 0.5 * (u[i - 1] + u[i + 1])
        change = np.abs(u - old).max()
        if change < limit:
            break
        turns += 1
    else:
        turns = -1
    return u, turns


@rise.program
def doubled(x: "f64", most: "nat"):
    turns = 0
    total = 0.0
    while total < 9.0 and turns < most:  # the second condition bounds it: the first counts with floats
        total += 1.0
        turns += 1
        x = 2.0 * x
    return x


@rise.program
def nested(x: "N.i64", most: "nat"):
    total = 0
    i = 0
    while i < most:
        j = 0
        while j < most and total < 50:
            j += 1
            if x[j % len(x)] > 3:
                break
            total += j
        if total > 40:
            return total
        i += 1
        total += 1
    return -total


def test_a_while_loop_in_python() -> None:
    for program in (collatz, relaxed, nested):
        assert "iterateWhile(" in program.text and "reduceSeq(fun(state: (i64, bool)" not in program.text
    run = shine.compile(relaxed)
    for limit, most in ((0.1, 40), (1e-3, 40), (1e-3, 10**12), (0.0, 2)):
        expected, turns = relaxed.python(np.arange(5.0) ** 2, limit, min(most, 500))
        for found in (relaxed(np.arange(5.0) ** 2, limit, most), run(np.arange(5.0) ** 2, limit, most)):
            np.testing.assert_array_equal(found[0], expected)
            assert found[1] == turns
    for k, most in ((1, 9), (6, 99), (7, 99), (16, 99), (16, 2), (27, 3)):
        assert collatz(k, most) == collatz.python(k, most), k  # `else` runs after loops without a `break`
    assert doubled(1.0, 3) == 8 and doubled(1.0, 99) == 512
    for seed in range(6):
        x = np.random.default_rng(seed).integers(0, 5, 4)
        assert nested(x, 7) == nested.python(x, 7)
