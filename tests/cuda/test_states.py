"""Loops whose state is a fragment together with numbers of lanes, as attention on tensor cores needs it (decision
0049).
"""

import numpy as np
import pytest

import rise
import shine

#: products added to sums whose rows are scaled first, and the greatest factor of each row
SCALED = rise.parse("""
val main = fun(w: N.16.16.f16, v: N.16.16.f16, factors: N.16.f32 =>
  zip(w, zip(v, factors))
  |> reduceSeq(
    fun(acc, x =>
      generate(fun(i: idx[16] => generate(fun(j: idx[16] => idx(i, snd(snd(x)))))))
      |> mapSeq(fun(row => row |> mapLane(0, fun(y => y))))
      |> toMem(Shared)
      |> fun(repeated =>
        pair(
          tensorMatMulAdd(
            toMem(Local, asFragmentA(fst(x))),
            toMem(Local, asFragmentB(fst(snd(x)))),
            toMem(Local, zipFragment(mul, fst(acc), toMem(Local, asFragmentAcc(repeated))))),
          zip(snd(acc), snd(snd(x))) |> mapLane(0, fun(p => max(fst(p), snd(p))))))),
    pair(generateFragment(0.0), generate(fun(i: idx[16] => 0.0)) |> mapLane(0, fun(y => y))))
  |> fun(state => pair(asMatrix(fst(state)), snd(state) |> mapLane(0, fun(y => y)))))
""").main


@pytest.mark.parametrize("schedule", ["ascending", "descending", "random:1"])
def test_a_fragment_is_scaled_by_rows_in_a_loop(schedule) -> None:
    kernel = shine.compile(SCALED, target="cuda-sim", check=True, schedule=schedule)
    rng = np.random.default_rng(0)
    w, v = (rng.integers(-3, 4, (3, 16, 16)).astype(np.float16) for _ in range(2))
    factors = rng.integers(1, 3, (3, 16)).astype(np.float32)
    sums = np.zeros((16, 16), np.float32)
    for step in range(3):
        sums = sums * factors[step][:, None] + w[step].astype(np.float32) @ v[step].astype(np.float32)
    found, greatest = kernel(w, v, factors)
    np.testing.assert_array_equal(found, sums)
    np.testing.assert_array_equal(greatest, factors.max(axis=0))
