"""Programs of `python -m benchmarks.gpu` give correct results in the simulator. Times nothing."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.gpu.cases import cases, products
from benchmarks.gpu.check import differences
from benchmarks.gpu.model import Case
from benchmarks.gpu.programs import by_default, by_tensor_cores
from benchmarks.gpu.reference_product import SHARED, THREADS, TILE, module_for
from shine.simulator import build
from tests.examples import some

CASES = Path(__file__).resolve().parents[1] / "cases"
#: an exact result, rows, a pair of results, one in half precision; an epilogue, and factors read by columns
SAMPLE = ("divide", "ragged_shares", "argmax", "axpy_f16", "gemm_bias wmma()", "gemm_left_transposed wmma()")


def test_every_case_is_run_on_a_device_and_no_name_is_used_twice() -> None:
    names = [one.name for one in cases()]
    assert len(set(names)) == len(names)
    assert {path.stem for path in CASES.glob("*.rise")} <= set(names)


@cache
def simulated() -> dict[str, Case]:
    return {one.name: one for one in (*by_default("cuda-sim"), *by_tensor_cores("cuda-sim"))}


@pytest.mark.parametrize("name", some(SAMPLE, 2))
def test_a_case_agrees_with_its_reference(name: str) -> None:
    case = simulated()[name]
    given = case.inputs(np.random.default_rng(1))
    found = case.build("sm_80")(*given)
    expected = case.reference(*given)
    assert differences(found, expected, case.tolerance) == []
    assert differences(found, off(expected), case.tolerance) != []


def off(expected: Any) -> Any:
    """A result with one wrong number."""
    if isinstance(expected, tuple):
        return off(expected[0]), expected[1]
    wrong = np.array(expected, np.float64)
    wrong.reshape(-1)[-1] += 1 + np.abs(wrong).max() / 10
    return wrong


def test_the_product_by_hand_is_correct() -> None:
    m, k, n = TILE, 128, 2 * TILE
    module, _ = module_for((m, k, n))
    rng = np.random.default_rng(2)
    a, b = (rng.integers(-4, 5, shape).astype(np.float16) for shape in ((m, k), (k, n)))
    c = np.full((m, n), np.nan, np.float32)
    program = build(module.source, check=True)
    report = program.launch("by_hand", (2, 1, 1), (THREADS, 1, 1), [a, b, c], dynamic_shared=SHARED)
    assert report.findings == () and (c == a.astype(np.float32) @ b.astype(np.float32)).all()


def test_products_have_different_names_and_sizes() -> None:
    found = [(one.name, one.shape) for one in products()]
    assert len(set(found)) == len(found)
    sides = {size for _, shape in found for size in shape}
    assert {1024, 2048, 4096, 8192} <= sides
    assert any(len(set(shape)) > 1 for _, shape in found)
