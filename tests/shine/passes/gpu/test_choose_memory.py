"""The memory of the states of loops: registers, shared or global memory. Kernels run in the checking simulator."""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np
import pytest

import rise
import shine
import strategies
from elevate import Success
from tests.examples import some

REVERSE: Final = "val reverse = fun(xs: N.f32 => generate(fun(i: idx[N] => idx(fromEnd(i), xs))))\n"
#: loops whose steps read elements of the state that other threads have stored
ACROSS_THREADS: Final = {
    "a row and a column": """val main = fun(a: N.N.f32 => generate(fun(k: idx[N] => k)) |> reduceSeq(
        fun(m: N.N.f32, k: idx[N] => m |> map(fun(row => zip(row, m |> idx(k)) |> map(fun(x, y =>
          x - 0.125 * idx(k, row) * y))))), a))""",
    "the other end": f"""{REVERSE}val main = fun(a: N.f32 => [0..5) |> reduceSeq(
        fun(acc: N.f32, i: idx[5] => zip(acc, reverse(acc)) |> map(fun(x, y => x + 0.5 * y))), a))""",
    "the other state": f"""{REVERSE}val main = fun(a: N.f32 => [0..3) |> reduceSeq(
        fun(acc: (N.f32, N.f32), i: idx[3] => pair(
          reverse(fst(acc)) |> map(fun(x => x + 1.0)),
          zip(fst(acc), reverse(snd(acc))) |> map(fun(x, y => x * 0.5 + y)))), pair(a, a)))""",
    "the transposed": """val main = fun(a: N.N.f32 => [0..3) |> reduceSeq(
        fun(acc: N.N.f32, i: idx[3] => zip(acc, transpose(acc)) |> map(fun(p =>
          zip(fst(p), snd(p)) |> map(fun(x, y => x + 0.25 * y))))), a))""",
    "a neighbour": """val main = fun(a: N.f32 => [0..4) |> reduceSeq(
        fun(acc: N.f32, i: idx[4] => acc |> padClamp(1, 1) |> slide(3, 1) |> map(fun(w =>
          reduce(add, 0.0, w) * 0.25))), a))""",
}


def lowered(main: rise.Expr) -> rise.Expr:
    result = strategies.load(shine.TARGETS["cuda-sim"].strategy)(main)
    assert isinstance(result, Success), result.explain()
    return result.program


def is_matrix(main: rise.Expr) -> bool:
    return "N.N.f32" in str(main.type)


@pytest.mark.parametrize(("name", "size"), some(product(ACROSS_THREADS, [2, 40, None]), 25))
def test_a_state_that_threads_share_is_in_memory_that_all_can_access(name: str, size: int | None) -> None:
    """If its size was known, it used to be in registers, and each of these kernels was rejected."""
    main = rise.parse(ACROSS_THREADS[name]).main
    n = size or 9
    values = np.random.default_rng(3).random((n, n) if is_matrix(main) else n, np.float32)
    kernel = shine.compile(
        lowered(main if size is None else rise.specialise(main, N=n)), target="cuda-sim", check=True
    )
    found, wanted = kernel(values), rise.evaluate(rise.specialise(main, N=n), values)
    for one, other in zip(*(x if isinstance(x, tuple) else (x,) for x in (found, wanted)), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def source(name: str, size: int, arch: str = "sm_80") -> str:
    main = rise.specialise(rise.parse(ACROSS_THREADS[name]).main, N=size)
    return shine.compile(lowered(main), target="cuda-sim", arch=arch).source


def test_a_small_state_is_in_shared_memory_and_a_large_one_in_global_memory() -> None:
    assert source("the other end", 5000).count("__shared__ ") == 2
    # 30 KB fit into 48 KB, but not another 30 KB
    one_fits = source("the other end", 7500)
    assert one_fits.count("__shared__ ") == 1 and "__restrict__ next" in one_fits
    none_fits = source("the other end", 20_000)
    assert "__shared__ " not in none_fits and "__restrict__ acc" in none_fits


def test_a_state_that_threads_do_not_share_stays_in_registers() -> None:
    main = rise.parse("""fun(a: 64.f32 => [0..5) |> reduceSeq(
      fun(acc: 64.f32, i: idx[5] => acc |> mapThreads(0, fun(x => x * 0.5))), a |> mapThreads(0, fun(x => x)))
      |> mapThreads(0, fun(x => x)))""").main
    text = shine.compile(main, target="cuda-sim").source
    assert "__shared__ " not in text and "__restrict__ acc" not in text


def test_the_local_memory_of_a_thread_is_limited() -> None:
    """CUDA provides at most 512 KB of it per thread."""
    text = """fun(a: N.f32 => generate(fun(k: idx[N] => k)) |> reduceSeq(fun(m: N.f32, k: idx[N] =>
      generate(fun(i: idx[N] => if indexAsInt(i) == indexAsInt(k) then idx(i, m) + 1.0 else idx(i, m)))), a))"""

    def of(size: int) -> str:
        low = lowered(rise.specialise(rise.parse(text).main, N=size))
        return shine.compile(low, target="cuda-sim").source

    assert "float m[131072];" in of(131_072)
    assert "__restrict__ m," in of(131_073)


def test_memory_that_the_program_names_is_not_changed() -> None:
    """`toMem(Local)` is rejected if threads share it, as before."""
    main = rise.parse("""fun(a: 64.f32 => a |> mapThreads(0, fun(x => x)) |> toMem(Local)
      |> fun(ys: 64.f32 => generate(fun(i: idx[64] => idx(fromEnd(i), ys))) |> mapThreads(0, fun(x => x))))""").main
    with pytest.raises(rise.RiseError) as caught:
        shine.compile(main, target="cuda-sim")
    assert caught.value.diagnostic.code == "registers"


NAMED: Final = """fun(a: 64.f32 => [0..5) |> reduceSeq(fun(acc: 64.f32, i: idx[5] =>
  acc |> mapThreads(0, fun(x => x * 0.5)) |> TURNED), toMem(SPACE, a |> mapThreads(0, fun(x => x))))
  |> mapThreads(0, fun(x => x)))"""


@pytest.mark.parametrize("space", some(["Local", "Shared"], 2))
def test_a_state_is_in_the_memory_of_its_start_value(space: str) -> None:
    text = NAMED.replace("SPACE", space).replace("TURNED", "map(fun(x => x))")
    main = rise.parse(f"val main = {text}").main
    kernel = shine.compile(main, target="cuda-sim", check=True)
    assert kernel.source.count("__shared__ ") == (space == "Shared")
    values = np.random.default_rng(4).random(64, np.float32)
    np.testing.assert_array_equal(kernel(values), rise.evaluate(main, values))


def test_a_state_in_named_registers_is_not_moved() -> None:
    """Its start value is stored in `Local`, and each step reads what other threads have stored."""
    text = NAMED.replace("SPACE", "Local").replace("acc |>", "reverse(acc) |>").replace(" |> TURNED", "")
    with pytest.raises(rise.RiseError) as caught:
        shine.compile(rise.parse(f"{REVERSE}val main = {text}").main, target="cuda-sim")
    assert caught.value.diagnostic.code == "registers"
