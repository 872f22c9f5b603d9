"""Attention in tiles of queries, compared with its definition in numpy: every remainder of tiles, masks, heads, long
rows.
"""

import re

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from tests import required_tools
from tests.cuda import half_attention
from tests.cuda.test_attention import PROGRAMS, arguments, definition
from tests.examples import THOROUGH, in_whole, some

TILES = "strategies.attention_tiles:queryTiles"
SMALL = {"rows": 8, "keys": 16, "threads": 4, "thread_rows": 2}
#: queries and keys: fewer than a tile, whole tiles, and one more; more tiles than one
SIZES = ((1, 1), (8, 32), (9, 17), (21, 45))
SCHEDULES = ("ascending", "descending", *(f"random:{seed}" for seed in range(8 if THOROUGH else 4)))
#: each program under one schedule, or under all
RUNS = [
    (name, schedule)
    for number, name in enumerate(PROGRAMS)
    for place, schedule in enumerate(SCHEDULES)
    if THOROUGH or place == number % len(SCHEDULES)
]


def tiles(name, d=16, e=24, **parameters):
    result = strategies.load(TILES, **parameters)(rise.specialise(PROGRAMS[name], D=d, E=e))
    assert isinstance(result, elevate.Success), result.explain()
    assert result.float_class == elevate.FloatClass.APPROXIMATE
    return result.program


def agrees(kernel, name, sizes, d=16, e=24) -> None:
    scale = (np.float32(0.125),) if name == "example" else ()
    for m, n in sizes:
        given = arguments(name, m, n, d, e)
        np.testing.assert_allclose(kernel(*scale, *given), definition(*given, name), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("name", "schedule"), some(RUNS, 5, 1))
def test_one_kernel_computes_attention_in_tiles(name, schedule) -> None:
    kernel = shine.compile(tiles(name, **SMALL), target="cuda-sim", check=True, schedule=schedule)
    assert kernel.source.count("__global__") == 1 and "packed" not in kernel.source
    agrees(kernel, name, SIZES)


@in_whole("test_one_kernel_computes_attention_in_tiles")
def test_f16_is_copied_and_converted_when_it_is_read() -> None:
    result = strategies.load(TILES, **SMALL)(
        rise.specialise(half_attention.PROGRAMS["attention"], D=32, E=16)
    )
    assert isinstance(result, elevate.Success), result.explain()
    kernel = shine.compile(result.program, target="cuda-sim", check=True)
    assert len(re.findall(r"__half(?: \w+_tile\[|\* const \w+_tile =)", kernel.source)) == 3
    half_attention.agree(kernel, "attention", ((9, 17),))


@in_whole("test_one_kernel_computes_attention_in_tiles")
@pytest.mark.parametrize("size", [64, 256] if THOROUGH else [256])
def test_long_rows_are_distributed_over_threads(size) -> None:
    kernel = shine.compile(tiles("causal_attention", size, size, keys=32), target="cuda-sim", check=True)
    sums = 4 * size // 16  # four rows per thread, and every 16th column
    assert re.search(rf"float \w+_1st\[{sums}\];", kernel.source)
    agrees(kernel, "causal_attention", ((67, 67),), size, size)


@in_whole("test_one_kernel_computes_attention_in_tiles")
@pytest.mark.parametrize("size", [64, 128, 256] if THOROUGH else [256])
def test_sums_of_long_rows_are_in_registers(size, tmp_path) -> None:
    if not required_tools.has_cuda_compiler():
        required_tools.skip_without(required_tools.CUDA_COMPILER)
    program = tiles("attention_heads", size, size, keys=32 if size == 256 else 64)
    kernel = shine.compile(
        program, target="cuda", arch="sm_80", strict=True, cache=str(tmp_path)
    )  # spills are errors
    assert kernel.machine_code()


def test_without_keys_the_result_agrees_with_the_definition() -> None:
    given = (np.float32(1), *arguments("example", 2, 0))
    kernel = shine.compile(tiles("example", **SMALL), target="interpret")
    expected = rise.evaluate(rise.specialise(PROGRAMS["example"], D=16, E=24), *given)
    assert not expected.any()
    np.testing.assert_array_equal(kernel(*given), expected)


@pytest.mark.parametrize(
    ("parameters", "title"),
    [
        ({"threads": 12}, "expected a power of two from 1 to 32 for `threads`"),
        ({"keys": 24}, "expected `threads` to divide keys = 24"),
        ({"thread_rows": 3}, "expected `thread_rows` to divide rows = 64"),
        ({"rows": 1024}, "expected at most 1024 threads in a block"),
    ],
)
def test_tiles_that_do_not_fit_each_other_are_refused(parameters, title) -> None:
    with pytest.raises(elevate.StrategyError, match=title):
        strategies.load(TILES, **parameters)
