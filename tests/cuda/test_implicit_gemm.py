"""Convolutions and other contractions on tensor cores, compared with numpy."""

# ruff: noqa: F722, F821, UP037  # types of RISE in quotes are no Python

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import elevate
import rise
import shine
from rise.diagnostics import RiseError
from strategies.tensor_core.implicit_gemm import implicitGemm
from tests.cuda.kernels import SCHEDULES
from tests.examples import some

TILES: Final = {"rows": 32, "columns": 32, "depth": 16, "warp_rows": 16, "warp_columns": 32}
SIZES: Final = {"B": 2, "H": 5, "W": 7, "C": 8, "O": 24, "G": 2, "M": 33, "N": 17, "K": 40}
DTYPES: Final = {"f16": np.float16, "f32": np.float32}
KNOWN: Final = ("C", "O", "G")
view = np.lib.stride_tricks.sliding_window_view


def channels_last(x: "B.(H+2).(W+2).C.f16", w: "O.3.3.C.f16"):
    windows = view(x, (3, 3), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)
    return np.einsum("bhwijc,oijc->bhwo", windows.astype(np.float32), w.astype(np.float32))


def channels_first(x: "B.C.(H+2).(W+2).f16", w: "O.C.3.3.f16"):
    windows = view(x, (3, 3), axis=(2, 3)).astype(np.float32)
    return np.einsum("bchwij,ocij->bohw", windows, w.astype(np.float32))


def strided(x: "B.(2*H+1).(2*W+1).C.f16", w: "3.3.C.O.f16"):
    windows = view(x, (3, 3), axis=(1, 2))[:, ::2, ::2].astype(np.float32)
    return np.einsum("bhwcij,ijco->bhwo", windows, w.astype(np.float32))


def dilated(x: "B.(H+4).(W+4).C.f16", w: "3.3.C.O.f16"):
    windows = view(x, (5, 5), axis=(1, 2))[..., ::2, ::2].astype(np.float32)
    return np.einsum("bhwcij,ijco->bhwo", windows, w.astype(np.float32))


def grouped(x: "B.(H+2).(W+2).G.C.f16", w: "G.3.3.C.O.f16"):
    windows = view(x, (3, 3), axis=(1, 2)).astype(np.float32)
    return np.einsum("bhwgcij,gijco->bhwgo", windows, w.astype(np.float32))


def padded(x: "B.H.W.C.f16", w: "O.3.3.C.f16"):
    around = np.pad(x, ((0, 0), (1, 1), (1, 1), (0, 0)))
    windows = view(around, (3, 3), axis=(1, 2)).transpose(0, 1, 2, 4, 5, 3)
    return np.einsum("bhwijc,oijc->bhwo", windows.astype(np.float32), w.astype(np.float32))


def converted_first(x: "B.(H+2).(W+2).C.f16", w: "O.3.3.C.f16"):
    windows = view(x.astype(np.float32), (3, 3), axis=(1, 2))
    return np.einsum("bhwcij,oijc->bhwo", windows, w.astype(np.float32))


def on_a_line(x: "B.(W+4).C.f16", w: "O.5.C.f16"):
    windows = view(x, 5, axis=1).transpose(0, 1, 3, 2).astype(np.float32)
    return np.einsum("bwic,oic->bwo", windows, w.astype(np.float32))


def tensors(a: "B.K.M.f16", b: "N.B.K.f16"):
    return np.einsum("bkm,nbk->bnm", a.astype(np.float32), b.astype(np.float32))


def matrices(a: "M.K.f16", b: "K.N.f16"):
    return a.astype(np.float32) @ b.astype(np.float32)


CONVOLUTIONS: Final = (
    channels_last,
    channels_first,
    strided,
    dilated,
    grouped,
    padded,
    converted_first,
    on_a_line,
    tensors,
    matrices,
)


def given(function: Callable[..., Any], sizes: dict[str, int]) -> list[Any]:
    """Small integers of the types of a function's parameters."""
    rng = np.random.default_rng(0)
    types = [one.strip("\"'").split(".") for one in function.__annotations__.values()]
    return [
        rng.integers(-2, 3, [eval(length, {}, sizes) for length in t[:-1]]).astype(DTYPES[t[-1]])
        for t in types
    ]


def kernel_of(function: Callable[..., Any], cache: Path, **parameters: int) -> shine.Kernel:
    """The checked kernel of a function, with known numbers of channels and groups."""
    main = rise.program(function).main
    named = " ".join(function.__annotations__.values())
    known = {size: SIZES[size] for size in KNOWN if size in named}
    result = implicitGemm(**TILES | parameters)(rise.specialise(main, **known) if known else main)
    assert isinstance(result, elevate.Success), result.explain()
    return shine.compile(result.program, target="cuda-sim", check=True, cache=str(cache))


@pytest.mark.parametrize("stages", some((1, 2, 3), 2))
@pytest.mark.parametrize("function", some(CONVOLUTIONS, 2), ids=lambda function: function.__name__)
def test_convolutions_are_products_on_tensor_cores(
    function: Callable[..., Any], stages: int, cache: Path
) -> None:
    kernel = kernel_of(function, cache, stages=stages)
    assert "mma.sync" in kernel.source and kernel.source.count("__global__") == 1
    arguments = given(function, SIZES)
    for schedule in SCHEDULES[:1] if stages == 2 else SCHEDULES:
        found = kernel.with_options(schedule=schedule)(*arguments)
        np.testing.assert_array_equal(found, function(*arguments))


@pytest.mark.parametrize(("height", "width"), [(1, 1), (4, 8), (6, 6), (3, 11)])
def test_positions_need_not_fill_tiles(height: int, width: int, cache: Path) -> None:
    arguments = given(channels_last, SIZES | {"H": height, "W": width})
    found = kernel_of(channels_last, cache, stages=3)(*arguments)
    np.testing.assert_array_equal(found, channels_last(*arguments))


def test_adjacent_channels_are_copied_together(cache: Path) -> None:
    """Windows and kernels, 16 bytes at once, without a matrix of windows in memory."""
    source = kernel_of(channels_last, cache).source
    assert "reinterpret_cast<const vec<__half, 8>*>(&x[" in source
    assert "reinterpret_cast<const vec<__half, 8>*>(&w[" in source
    assert kernel_of(channels_last, cache, stages=3).source.count("__pipeline_memcpy_async(&x_tile") > 0


@pytest.mark.parametrize(
    ("function", "parts", "stages"),
    [(matrices, 2, 1), (channels_first, 9, 1), *some([(matrices, 5, 3), (channels_last, 3, 2)], 2)],
)
def test_parts_of_sums_have_blocks_of_their_own(
    function: Callable[..., Any], parts: int, stages: int, cache: Path
) -> None:
    """Split-K: the blocks are a third dimension of the grid, and a second kernel adds their sums."""
    kernel = kernel_of(function, cache, parts=parts, stages=stages)
    assert kernel.source.count("__global__") == 2 and "blockIdx.z" in kernel.source
    arguments = given(function, SIZES)
    for schedule in SCHEDULES:
        found = kernel.with_options(schedule=schedule)(*arguments)
        np.testing.assert_array_equal(found, function(*arguments))


def test_parts_have_to_divide_sums(cache: Path) -> None:
    kernel = kernel_of(matrices, cache, parts=3)
    with pytest.raises(RiseError, match="K"):
        kernel(*given(matrices, SIZES))


def test_parts_of_batches_are_refused() -> None:
    result = implicitGemm(**TILES, parts=2)(rise.program(tensors).main)
    assert isinstance(result, elevate.Failure)
    assert "set the parameter parts=1" in str(result.explain())


def bias(x: "B.(W+2).C.f16", w: "O.3.C.f16", b: "O.f32"):
    windows = view(x, 3, axis=1).astype(np.float32)
    return np.einsum("bwci,oic->bwo", windows, w.astype(np.float32)) + b


def relu(x: "B.(H+2).(W+2).C.f16", w: "O.3.3.C.f16", b: "O.f32"):
    return np.maximum(channels_last(x, w) + b, 0).astype(np.float16)


def residual(x: "B.C.(H+2).(W+2).f16", w: "C.C.3.3.f16", b: "C.f32"):
    middle = x[:, :, 1:-1, 1:-1].astype(np.float32)
    return channels_first(x, w) * 0.5 + middle + b[:, None, None]


@pytest.mark.parametrize(
    ("function", "stages", "parts"),
    [(relu, 3, 1), *some([(bias, 1, 1), (residual, 3, 1), (residual, 1, 3)], 3)],
)
def test_functions_of_sums_are_another_kernel(
    function: Callable[..., Any], stages: int, parts: int, cache: Path
) -> None:
    kernel = kernel_of(function, cache, stages=stages, parts=parts)
    assert kernel.source.count("__global__") == (2 if parts == 1 else 3)
    assert "mma.sync" in kernel.source
    arguments = given(function, SIZES)
    np.testing.assert_array_equal(kernel(*arguments), function(*arguments))


def elementwise(x: "M.K.f16", y: "M.K.f16"):
    return x * y


def depthwise(x: "B.(W+2).C.f16", w: "3.C.f16"):
    windows = view(x, 3, axis=1).astype(np.float32)
    return np.einsum("bwci,ic->bwc", windows, w.astype(np.float32))


def unconverted(x: "B.(W+2).C.f32", w: "O.3.C.f32"):
    return np.einsum("bwci,oic->bwo", view(x, 3, axis=1), w)


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (elementwise, "not a single sum of products of two operands"),
        (depthwise, "expected subscripts of each array alone in the result"),
        (unconverted, "factors are f32; tensor cores take f16"),
    ],
)
def test_other_programs_are_refused(function: Callable[..., Any], why: str) -> None:
    result = implicitGemm(**TILES)(rise.program(function).main)
    assert isinstance(result, elevate.Failure)
    assert why in str(result.explain())
