"""Matrices from which fragments are loaded: what must be known about their layout. Prints nothing."""

from __future__ import annotations

from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as some

import rise
from shine.imperative.errors import TranslationError
from shine.imperative.kernels import GpuProgram
from shine.passes.gpu import make_kernels
from shine.translate import GPU_LEVELS, translate


def kernels(rows: str, part: str, facts: str = "") -> GpuProgram:
    """A product of a part of each row of a matrix."""
    e = rise.parse(
        f"val product : {rows}.f16 -> 16.16.f16 -> 16.16.f32 {facts} = fun(A, B =>"
        f"  let(toMem(Local, asFragmentA(A |> map({part}))), fun(a =>"
        "  let(toMem(Local, asFragmentB(B)), fun(b =>"
        "  let(toMem(Local, generateFragment(0.0)), fun(c =>"
        "    asMatrix(toMem(Local, tensorMatMulAdd(a, b, c))))))))))"
    ).main
    return make_kernels(translate(e, "product", GPU_LEVELS), "sm_80")


@given(some.integers(0, 40), some.integers(0, 40))
def test_the_stride_and_the_offset_of_rows_are_multiples(before: int, behind: int) -> None:
    """A row is 16 numbers with some before and after: the distance of rows is a multiple of 16 bytes, and the offset
    one of 32.
    """
    width = before + 16 + behind
    fits = width % 8 == 0 and before % 16 == 0
    part = f"fun(row => take(16, drop({before}, row)))"
    with nullcontext() if fits else pytest.raises(TranslationError, match="matrix-alignment"):
        kernels(f"16.{width}", part)


def test_promises_about_sizes_are_used() -> None:
    part = "fun(row => take(16, row))"
    with pytest.raises(TranslationError, match="promise it: `where 8 divides K`"):
        kernels("16.K", part)
    kernels("16.K", part, "where 8 divides K")
    with pytest.raises(TranslationError, match="fix the sizes in it"):
        kernels("16.(K + 4)", part, "where 8 divides K")


@given(some.integers(0, 24))
def test_rows_do_not_overlap(stride: int) -> None:
    """The distance of rows of 16 numbers for WMMA, as windows of a vector, is at least 16; a stride of 0 repeats one
    row.
    """
    rows = f"slide(16, {stride}, V)" if stride else "generate(fun(i : idx[16] => take(16, V)))"
    e = rise.parse(
        f"val sums : {15 * stride + 16}.f32 -> 16.16.f32 = fun(V =>"
        f" let(toMem(Local, asFragmentAcc{{k = 16}}({rows})), fun(c =>"
        " asMatrix(toMem(Local, mapFragment(fun(x => x + x), c))))))"
    ).main
    accepted = stride >= 16 and stride % 4 == 0
    what = (
        f"16 numbers do not overlap, found a stride of {stride}" if stride < 16 else "a multiple of 4 numbers"
    )
    with nullcontext() if accepted else pytest.raises(TranslationError, match=what):
        make_kernels(translate(e, "sums", GPU_LEVELS), "sm_80")
