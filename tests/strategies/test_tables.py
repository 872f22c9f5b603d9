"""Scattered sums are added to a separate table on each thread, with the same result."""

import re

import numpy as np
import pytest

import rise
import shine
from elevate import Success, topDown
from rise.hardware import DEFAULT
from strategies.openmp import parallel, tables
from strategies.parts.machine_tiles import selection_chunk

#: the number of elements that a thread adds to its table, on the processor that strategies assume
CHUNK = selection_chunk(DEFAULT)

TEXT = "val main = fun(is: N.idx[M], xs: N.i32, ys: M.i32 => scatterAdd(is, xs, ys))"
PROGRAM = rise.parse(TEXT).main


def inputs(n: int, m: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(n + m)
    indices = rng.integers(0, m, n) if m else np.zeros(0, np.int64)
    return indices, rng.integers(-9, 9, n, dtype=np.int32), rng.integers(-9, 9, m, dtype=np.int32)


@pytest.mark.parametrize(("n", "m"), [(0, 0), (0, 3), (7, 1), (25, 1), (60, 2), (61, 5)])
def test_any_number_of_blocks_is_added_up(n: int, m: int) -> None:
    result = topDown(tables(4))(PROGRAM)
    assert isinstance(result, Success)
    arguments = inputs(n, m)
    np.testing.assert_array_equal(
        rise.evaluate(result.program, *arguments), rise.evaluate(PROGRAM, *arguments)
    )


def test_by_default_each_table_is_filled_by_one_thread() -> None:
    result = parallel()(PROGRAM)
    assert isinstance(result, Success)
    kernel = shine.compile(result.program, target="openmp", threads=2, team=False)
    source = kernel.source
    filled = re.search(rf"\+ {CHUNK}; \w+\+\+\)", source)
    assert filled is not None and 0 < source.index("#pragma omp parallel") < filled.start()
    for n, m in ((2 * CHUNK + 300, 5), (CHUNK - 1, 3), (0, 2)):
        arguments = inputs(n, m)
        expected = arguments[2].copy()
        np.add.at(expected, arguments[0], arguments[1])
        np.testing.assert_array_equal(kernel(*arguments), expected)
