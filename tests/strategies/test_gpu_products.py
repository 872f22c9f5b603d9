"""Products in large tiles: their copies run ahead, accesses move 16 bytes, and any sizes give numpy's results."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from shine.passes.gpu import make_kernels
from shine.targets.cuda.printer import print_program
from shine.translate import GPU_LEVELS, translate
from tests.examples import in_whole, some
from tests.shine.targets.cuda.simulation import simulate
from tests.strategies.product_programs import PROGRAMS, product

TILES: Final = "strategies.gpu_products:largeProductTiles"
DEFAULT: Final = "strategies.gpu:blocksAndThreads"
SCHEDULES: Final = ("ascending", "descending", "random:1")
#: every remainder by the three stages, tiles that overrun, rows that begin at multiples of 16, 8 and 4 bytes
SIZES: Final = (
    {"M": 128, "N": 128, "K": 16},
    {"M": 256, "N": 128, "K": 96},
    {"M": 130, "N": 140, "K": 37},
    {"M": 97, "N": 251, "K": 64},
    {"M": 132, "N": 130, "K": 52},
    {"M": 1, "N": 300, "K": 5},
)
#: sizes whose tiles are enough for the default
LARGE: Final = (
    {"M": 1408, "N": 1280, "K": 48},
    {"M": 1400, "N": 1300, "K": 13},
    {"M": 1403, "N": 1301, "K": 12},
)


def lowered(function: Callable[..., Any], strategy: str, sizes: dict[str, int]) -> rise.Expr:
    """A program of known sizes after a strategy."""
    program = rise.specialise(rise.program(function).main, **sizes)
    return strategies.load(strategy)(program).program  # type: ignore[no-any-return]  # of a strategy by name


def check(function: Callable[..., Any], strategy: str, sizes: dict[str, int], *schedules: str) -> str:
    """Compare the kernel of a program with numpy, exactly; returns its text."""
    kernel = shine.compile(lowered(function, strategy, sizes), target="cuda-sim", check=True)
    rng = np.random.default_rng(0)
    lengths = {"B": 2, **sizes}
    given = [
        rng.integers(-3, 4, [lengths[axis] for axis in text.strip("\"'").split(".")[:-1]]).astype(np.float32)
        for text in function.__annotations__.values()
    ]
    expected = function(*given)
    for schedule in schedules:
        np.testing.assert_array_equal(kernel.with_options(schedule=schedule)(*given), expected)
    return str(kernel.source)


@pytest.mark.parametrize("sizes", SIZES, ids=str)
def test_products_of_any_size(sizes: dict[str, int]) -> None:
    source = check(product, TILES, sizes, *SCHEDULES)
    assert source.count("__syncthreads();") <= 3 and "__pipeline_memcpy_async" in source


@pytest.mark.parametrize("function", some(PROGRAMS, 3), ids=lambda function: function.__name__)
def test_the_default_computes_large_products_in_large_tiles(function: Callable[..., Any]) -> None:
    source = check(function, DEFAULT, LARGE[0], "random:1")
    assert re.search(r"float \w+\[64\];", source) and ", 16);" in source
    assert "reinterpret_cast<vec<float, 4>*>(&output[" in source


@in_whole("test_the_default_computes_large_products_in_large_tiles")
@pytest.mark.parametrize("sizes", LARGE, ids=str)
@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_the_default_computes_large_products_of_any_size(
    function: Callable[..., Any], sizes: dict[str, int]
) -> None:
    check(function, DEFAULT, sizes, *SCHEDULES)


@pytest.mark.parametrize(
    "sizes",
    [
        {"M": 1024, "N": 1024, "K": 64},  # 64 tiles, fewer than multiprocessors
        {"M": 100_000, "N": 8, "K": 64},  # tiles of which most is outside of the result
        {},
    ],
    ids=str,
)
def test_other_products_have_smaller_tiles(sizes: dict[str, int]) -> None:
    source = shine.compile(lowered(product, DEFAULT, sizes), target="cuda-sim").source
    assert re.search(r"float \w+\[16\];", source)


def test_each_wait_and_barrier_is_needed(cache: Path) -> None:
    """Without one of them, a thread reads what is being copied, or is copied over what another thread reads."""
    low = lowered(product, TILES, {"M": 128, "N": 128, "K": 112})  # 7 steps in 3 stages
    made = make_kernels(translate(low, "kernel", GPU_LEVELS), "sm_80")
    module = print_program(made, "sm_80", wide=False)
    lines = module.source.split("\n")
    places = [at for at, line in enumerate(lines) if "__pipeline_wait" in line or "__syncthreads" in line]
    assert len(places) == 8
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, shape).astype(np.float32) for shape in ((128, 112), (112, 128)))

    def is_right(text: str) -> bool:
        changed = replace(module, source=text)
        (found,), findings = simulate(changed, made, {}, [a, b], cache, check=True, schedule="descending")
        return not findings and np.array_equal(found.reshape(128, 128), a @ b)

    assert is_right(module.source)
    kept = [at for at in places if is_right("\n".join([*lines[:at], *lines[at + 1 :]]))]
    assert kept == [places[-2], places[-1]]  # for copies of the last step, which is awaited in the loop
