"""Products for schedules: programs, derived and run in the checked simulator."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np

import rise
import shine
from elevate import Success
from examples.fireiron.listings import listing4
from rise.terms import Expr
from shine.passes.gpu import make_kernels
from shine.targets.cuda.printer import print_program
from shine.translate import GPU_LEVELS, translate
from strategies.fireiron import Schedule

ARCH: Final = "sm_80"
SINGLE: Final = rise.parse_file("examples/mm.rise").main
HALF: Final = rise.parse("""
val main = fun(A: M.K.f16, B: K.N.f16 => A |> map(fun(row => transpose(B) |> map(fun(column =>
  zip(row, column) |> map(fun(ab => cast{f32}(fst(ab)) * cast{f32}(snd(ab)))) |> reduce(add, 0.0))))))
""").main

#: products in half precision throughout, with A by columns
TRANSPOSED: Final = rise.parse("""
val main = fun(A: K.M.f16, B: K.N.f16 => transpose(A) |> map(fun(row => transpose(B) |> map(fun(column =>
  zip(row, column) |> map(fun(ab => fst(ab) * snd(ab))) |> reduce(add, 0.0))))))
""").main


def program_for(schedule: Schedule) -> Expr:
    """The product for a schedule: in half precision with fragments, and with the schedule's own depth if it states
    one.
    """
    if schedule == listing4:
        return TRANSPOSED
    product = HALF if "FR" in str(schedule) else SINGLE
    sizes = {name: size for name, size in schedule.sizes if isinstance(size, int)}
    return rise.specialise(product, **sizes)


def derived(schedule: Schedule) -> Expr:
    """The lowered program of a schedule."""
    result = schedule.strategy()(program_for(schedule))
    assert isinstance(result, Success), result.explain()
    return result.program


def simulated(schedule: Schedule, m: int, n: int, k: int, cache: Path) -> shine.Kernel:
    """The kernel of a schedule at these sizes, in the simulator's check build."""
    program = derived(schedule)
    sizes = {name: size for name, size in zip("MNK", (m, n, k), strict=True) if name not in _fixed(schedule)}
    return shine.compile(rise.specialise(program, **sizes), target="cuda-sim", check=True, cache=str(cache))


def _fixed(schedule: Schedule) -> set[str]:
    return {name for name, size in schedule.sizes if isinstance(size, int)}


@lru_cache
def printed(schedule: Schedule, m: int = 256, n: int = 256, k: int = 64) -> str:
    """The CUDA text of a schedule at these sizes, without machine code."""
    sizes = {name: size for name, size in zip("MNK", (m, n, k), strict=True) if name not in _fixed(schedule)}
    return text_of(derived(schedule), **sizes)


def text_of(program: Expr, foreign: Sequence[rise.Foreign] = (), /, **sizes: int) -> str:
    """The CUDA text of a lowered program at these sizes."""
    procedure = translate(rise.specialise(program, **sizes), "kernel", GPU_LEVELS, foreign)
    return print_program(make_kernels(procedure, ARCH), ARCH, wide=False).source


def assert_product(
    kernel: shine.Kernel, m: int, n: int, k: int, dtype: str, by_columns: bool = False
) -> None:
    """Assert that a kernel multiplies small integers exactly; A is stored by columns if `by_columns`."""
    random = np.random.default_rng(m + n + k)
    a, b = (random.integers(-3, 4, shape).astype(dtype) for shape in ((m, k), (k, n)))
    result = kernel(a.T.copy() if by_columns else a, b)
    np.testing.assert_array_equal(result, a.astype(np.float32) @ b.astype(np.float32))
