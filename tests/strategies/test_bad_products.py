"""Matrix products on processors with difficult or meaningless arguments: correct results, or one diagnostic."""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import Any

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from tests.examples import in_turns, some
from tests.strategies import corpus

SEVEN = ("baseline", "blocking", "vectorization", "loopPerm", "arrayPacking", "cacheBlocks", "parallel")
ANY_SIZE = ("baseline", "microKernel", "packed")
TILES: dict[str, dict[str, int]] = {
    "baseline": {},
    "microKernel": {"rows": 3, "columns": 16},
    "packed": {"rows": 3, "columns": 16, "height": 6},
}
SMALL = {"rows": 4, "columns": 8, "depth": 2}


@cache
def built(version: str, threads: int | None = None, **tiles: int) -> shine.Kernel:
    given = tiles or TILES.get(version, SMALL)
    result = strategies.load(f"strategies.cpu_gemm:{version}", **given)(corpus.program("mm"))
    assert isinstance(result, elevate.Success), result.explain()
    return shine.compile(result.program, target="openmp", threads=threads)


def numbers(*shape: int) -> Any:
    return np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32)


def check(kernel: shine.Kernel, a: Any, b: Any) -> None:
    np.testing.assert_allclose(kernel(a, b), a @ b, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(
    ("sizes", "version"),
    some(
        product(
            [(1, 1, 1), (2, 3, 5), (1, 41, 1), (31, 1, 37), (7, 29, 17), (3, 2, 16), (6, 5, 33)], ANY_SIZE
        ),
        2,
    ),
)
def test_sizes_below_a_tile_one_and_primes(version: str, sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    check(built(version), numbers(m, k), numbers(k, n))


@pytest.mark.parametrize(
    ("version", "sizes"),
    some(
        [
            (version, sizes)
            for turn, version in enumerate((*SEVEN, "microKernel", "packed"))
            for sizes in some([(0, 4, 8), (4, 0, 8), (4, 4, 0), (0, 0, 0)], 2, first=turn)
        ],
        2,
    ),
)
def test_empty_matrices(version: str, sizes: tuple[int, int, int]) -> None:
    m, k, n = sizes
    found = built(version)(numbers(m, k), numbers(k, n))
    np.testing.assert_array_equal(found, np.zeros((m, n), np.float32))


@pytest.mark.parametrize("version", SEVEN[1:])
def test_sizes_that_are_not_multiples_of_tiles_are_rejected(version: str) -> None:
    with pytest.raises(rise.RiseError) as refused:
        built(version)(numbers(4, 4), numbers(4, 7))
    assert refused.value.diagnostic.title == "kernel: expected sizes for which 8 divides N, found N = 7"


@pytest.mark.parametrize("version", some([*SEVEN, "microKernel", "packed"], 2))
def test_arrays_that_are_not_contiguous_or_not_aligned(version: str) -> None:
    kernel, wide = built(version), numbers(48, 48)
    for a in (wide[:16:2, :8], wide.T[3:11, 1:17:2], wide[7::-1, :8]):
        check(kernel, a, wide[:8, 5:21])
        check(kernel, wide[:8, :8], a[:8, :8])
    for offset in (1, 4, 20):
        memory = np.zeros(8 * 8 * 4 + 64, np.uint8)
        a = memory[offset : offset + 8 * 8 * 4].view(np.float32).reshape(8, 8)
        a[:] = wide[:8, :8]
        check(kernel, a, a)
        out = memory[offset : offset + 8 * 8 * 4].view(np.float32).reshape(8, 8)
        product = wide[:8, :8] @ wide[8:16, :8]
        np.testing.assert_allclose(
            kernel(wide[:8, :8], wide[8:16, :8], out=out), product, rtol=1e-4, atol=1e-5
        )
    turned = np.zeros((8, 8), np.float32).T
    kernel(wide[:8, :8], wide[8:16, :8], out=turned)
    np.testing.assert_allclose(turned, wide[:8, :8] @ wide[8:16, :8], rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("columns", "version"), in_turns([3, 6, 512], SEVEN[2:]))
def test_an_unsupported_vector_width_is_rejected(version: str, columns: int) -> None:
    with pytest.raises(rise.RiseError) as refused:
        built(version, rows=4, columns=columns, depth=2)
    found = refused.value.diagnostic
    assert found.code == "vector-size"
    assert found.title == (
        f"a vector in C has 2, 4, 8, ... lanes and at most 1024 bytes; this one has {columns} lanes of f32"
    )


@pytest.mark.parametrize("columns", some([1, 2, 128, 256], 5))
def test_supported_vector_widths(columns: int) -> None:
    for version in ("loopPerm", "parallel"):
        check(built(version, rows=2, columns=columns, depth=1), numbers(4, 3), numbers(3, 2 * columns))


@pytest.mark.parametrize(
    ("version", "tiles"),
    some(
        [
            ("microKernel", {"rows": 64, "columns": 128}),
            ("microKernel", {"rows": 1, "columns": 999}),
            ("microKernel", {"rows": 100_000, "columns": 100_000}),
            ("packed", {"rows": 64, "columns": 128, "height": 64}),
        ],
        2,
        first=1,
    ),
)
def test_a_tile_that_exceeds_the_registers_is_slow_and_correct(version: str, tiles: dict[str, int]) -> None:
    check(built(version, **tiles), numbers(65, 5), numbers(5, 130))


@pytest.mark.parametrize("version", some(["parallel", "microKernel", "packed"], 3))
def test_more_threads_than_cores(version: str) -> None:
    check(built(version, threads=67), numbers(16, 8), numbers(8, 48))


@pytest.mark.parametrize("rows", [1.5, "6", True])
def test_a_tile_that_is_not_a_number_is_rejected(rows: object) -> None:
    parameters: Any = {"rows": rows}
    with pytest.raises(elevate.StrategyError) as refused:
        strategies.load("strategies.cpu_gemm:microKernel", **parameters)
    assert refused.value.diagnostic.title == f"expected an integer >= 1 for `rows`, found {rows!r}"
