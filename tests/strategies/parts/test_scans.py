"""Scans in blocks agree with scans, and by default the blocks run on different threads."""

import numpy as np
import pytest

import rise
import shine
from elevate import Success, topDown
from rise.hardware import DEFAULT
from strategies.openmp import blockedScan, parallel
from strategies.parts.machine_tiles import scan_chunk
from strategies.rules.gpu_reductions import scanRest

SUMS = rise.parse("val main = fun(xs: N.i32 => scan(add, 0, xs))").main
FROM = rise.parse("val main = fun(a: f32 => fun(xs: N.f32 => scan(fun(y, x => y * 0.5 + x), a, xs)))").main
GREATEST = rise.parse("val main = fun(xs: N.f32 => xs |> map(fun(x => x * x)) |> scan(max, 0.0))").main
#: the number of elements that a thread scans, on the processor that strategies assume
CHUNK = scan_chunk(DEFAULT)
SIZES = (0, 1, 3, 4, 5, 8, 23)


@pytest.mark.parametrize("size", SIZES)
def test_any_number_of_blocks_is_scanned_correctly(size: int) -> None:
    xs = np.arange(size, dtype=np.int32) * 7 % 11 - 4
    result = blockedScan(4, 2)(SUMS)
    assert isinstance(result, Success)
    np.testing.assert_array_equal(rise.evaluate(result.program, xs), rise.evaluate(SUMS, xs))


@pytest.mark.parametrize("size", SIZES)
def test_the_rule_needs_no_law_of_the_operation(size: int) -> None:
    """The remainder continues where whole parts ended, in the same order."""
    xs = np.linspace(-1, 2, size, dtype=np.float32)
    result = topDown(scanRest(4))(FROM)
    assert isinstance(result, Success)
    start = np.float32(3)
    np.testing.assert_array_equal(rise.evaluate(result.program, start, xs), rise.evaluate(FROM, start, xs))


@pytest.mark.parametrize("program", [SUMS, GREATEST], ids=["sums", "greatest"])
def test_by_default_threads_scan_blocks(program: rise.Expr) -> None:
    result = parallel()(program)
    assert isinstance(result, Success)
    kernel = shine.compile(result.program, target="openmp", threads=2, team=False)
    assert kernel.source.count("#pragma omp parallel for") == 2
    for size in (0, 5, CHUNK - 1, CHUNK, 3 * CHUNK + 17):
        xs = np.random.default_rng(size).integers(-9, 9, size).astype("i4" if program is SUMS else "f4")
        np.testing.assert_array_equal(kernel(xs), rise.evaluate(program, xs))


def test_operations_without_laws_are_scanned_in_order() -> None:
    result = parallel()(FROM)
    assert isinstance(result, Success)
    assert "split(16384)" not in rise.show(result.program)
