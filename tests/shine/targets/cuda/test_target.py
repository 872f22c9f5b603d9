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


SUM = """
val total = fun(xs: N.f32 => xs |> split(32) |> map(fun(row => row |> reduceThreadsAtomic(0, add, 0.0)))
  |> reduceBlockAtomic(0, add, 0.0))
"""


def test_a_kernel_runs_under_another_schedule_without_being_built_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The order of threads determines the order of the additions, and so how the sum is rounded."""
    total = rise.parse(SUM).main
    xs = np.concatenate([[1e8], np.ones(63)]).astype(np.float32)
    of_each = {
        schedule: shine.compile(total, target="cuda-sim", schedule=schedule)
        for schedule in ("ascending", "descending", "random:1")
    }

    def built(*_: object) -> object:
        raise AssertionError("expected the kernel that was built before")

    monkeypatch.setattr(cuda, "simulate", built)
    monkeypatch.setattr("shine.targets.cuda.text.print_program", built)
    for first in of_each.values():
        for schedule, kernel in of_each.items():
            other = first.with_options(schedule=schedule)
            assert other(xs) == kernel(xs)
            assert other.options["schedule"] == schedule and other.source == kernel.source
    assert of_each["ascending"](xs) != of_each["descending"](xs)


def test_a_text_that_is_built_later_runs_under_the_new_options(monkeypatch: pytest.MonkeyPatch) -> None:
    """A time limit holds for the text with 64-bit indices too, which is built when a call needs it."""
    xs, ys = np.ones(9, np.float32), np.ones(9, np.float32)
    kernel = shine.compile(rise.parse(AXPY).main, target="cuda-sim").with_options(
        seconds=7, schedule="random:3"
    )
    kernel(2.0, xs, ys)
    monkeypatch.setattr("shine.targets.cuda.text.NARROW_LIMIT", 0)
    kernel(2.0, xs, ys)
    (narrow, wide) = kernel._executable._made.values()  # type: ignore[attr-defined]  # as cuda-sim has it
    assert "long long" in wide.source and "long long" not in narrow.source
    assert {(one.schedule, one.seconds) for one in (narrow, wide)} == {("random:3", 7)}


@pytest.mark.parametrize(
    ("target", "options", "message"),
    [
        (
            "cuda-sim",
            {"schedule": "descending", "arch": "sm_90"},
            "expected an option of cuda-sim that only affects runs, found `arch`\nhint: "
            "compile the program again with `arch`, or change schedule or seconds",
        ),
        (
            "interpret",
            {"arch": "x"},
            "expected an option of interpret that only affects runs, found `arch`\nhint: "
            "compile the program again with `arch`",
        ),
        ("cuda-sim", {"shedule": "descending"}, "has no option `shedule`"),
        ("cuda-sim", {"schedule": "backwards"}, "expected ascending, descending or random:NUMBER"),
        ("cuda-sim", {"seconds": 0.0}, "expected more than 0"),
        ("cuda-sim", {"seconds": "long"}, "expected"),
    ],
)
def test_only_options_of_runs_are_changed(target: str, options: dict[str, Any], message: str) -> None:
    kernel = shine.compile(rise.parse(AXPY).main, target=target, strategy=None)
    assert kernel.with_options() is kernel
    with pytest.raises(rise.RiseError) as refused:
        kernel.with_options(**options)
    assert message in str(refused.value)
