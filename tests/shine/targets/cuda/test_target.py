"""The targets cuda and cuda-sim: which text the sizes of a call need, and messages for missing tools."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import rise
import shine
from shine.imperative.nodes import Origin
from shine.passes.gpu import make_kernels
from shine.targets.cuda import target as cuda
from shine.targets.cuda.module import CudaModule, SizeArgument
from shine.targets.cuda.text import ByWidth
from shine.translate import GPU_LEVELS, translate

AXPY = """
val axpy = fun(a: f32, xs: N.f32, ys: N.f32 => zip(xs, ys) |> mapGlobal(0, fun(p => a * fst(p) + snd(p))))
"""


@dataclass(frozen=True)
class Shown:
    """An executable that runs nothing."""

    module: CudaModule

    @property
    def source(self) -> str:
        return self.module.source

    @property
    def origins(self) -> tuple[Origin | None, ...]:
        return self.module.origins

    def prepare(self, sizes: Sequence[int], arguments: Sequence[Any]) -> Callable[[], None]:
        raise AssertionError("nothing runs here")


def widths(e: rise.Expr) -> tuple[ByWidth[Shown], list[CudaModule]]:
    """A program by width of indices, and the list of modules that are created for it."""
    made: list[CudaModule] = []

    def make(module: CudaModule) -> Shown:
        made.append(module)
        return Shown(module)

    return ByWidth(make_kernels(translate(e, "axpy", GPU_LEVELS), "sm_80"), "sm_80", False, make), made


def bits(module: CudaModule) -> set[int]:
    """The widths of the sizes that kernels take."""
    return {
        one.bits for kernel in module.kernels for one in kernel.arguments if isinstance(one, SizeArgument)
    }


def test_indices_are_narrow_if_sizes_allow_it() -> None:
    found, made = widths(rise.parse(AXPY).main)
    assert bits(found.of((1000,)).module) == {32}
    assert bits(found.of((2**30 - 1,)).module) == {32}
    assert len(made) == 1


def test_indices_are_wide_if_sizes_require_it_and_the_text_is_printed_once() -> None:
    found, made = widths(rise.parse(AXPY).main)
    wide = found.of((2**30,)).module
    assert bits(wide) == {64} and "long long" in wide.source
    assert found.of((2**33,)).module is wide
    assert len(made) == 2
    assert found.source == made[0].source


def test_fixed_sizes_determine_the_width_at_once() -> None:
    found, made = widths(rise.specialise(rise.parse(AXPY).main, N=2**31))
    assert len(made) == 1 and "long long" in made[0].source
    assert found.of(()) is found.first


def test_both_widths_compute_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    xs, ys = np.arange(77, dtype=np.float32), np.ones(77, np.float32)
    low = rise.parse(AXPY).main
    narrow = shine.compile(low, target="cuda-sim", check=True)
    monkeypatch.setattr("shine.targets.cuda.text.NARROW_LIMIT", 0)
    wide = shine.compile(rise.specialise(low, N=77), target="cuda-sim", check=True)
    assert "long long" in wide.source and "long long" not in narrow.source
    np.testing.assert_array_equal(narrow(2.0, xs, ys), 2 * xs + 1)
    np.testing.assert_array_equal(wide(2.0, xs, ys), 2 * xs + 1)


def test_without_a_compiler_there_is_a_text_and_calls_say_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def none(name: str | None) -> None:
        raise rise.RiseError(
            rise.diagnostics.Diagnostic("no-compiler", "nothing compiles CUDA", hint="install it")
        )

    monkeypatch.setattr(cuda, "find_compiler", none)
    kernel = shine.compile(rise.parse(AXPY).main, target="cuda", arch="sm_90")
    assert "__global__" in kernel.source and "sm_90" in kernel.source
    with pytest.raises(rise.RiseError, match="no-compiler"):
        kernel(2.0, np.ones(3, np.float32), np.ones(3, np.float32))
    with pytest.raises(rise.RiseError, match="no-compiler"):
        shine.compile(rise.parse(AXPY).main, target="cuda", arch="sm_90", compiler="nvcc")


def test_an_empty_grid_launches_nothing() -> None:
    kernel = shine.compile(rise.parse(AXPY).main, target="cuda-sim", check=True)
    assert kernel(2.0, np.ones(0, np.float32), np.ones(0, np.float32)).shape == (0,)
