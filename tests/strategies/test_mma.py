"""Products by `mma.sync`: their text, shared memory without bank conflicts, and rejected programs."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from rise.diagnostics import RiseError
from tests.examples import in_whole, some
from tests.strategies.corpus import program

GOLDEN: Final = Path(__file__).parents[1] / "golden" / "gemm_mma.cu"
SMALL: Final = {"rows": 32, "columns": 32, "depth": 32, "warp_rows": 16, "warp_columns": 16}
BANKS: Final = 32
BANK_BYTES: Final = 4


def source(name: str, arch: str = "sm_80", **parameters: int) -> str:
    """The CUDA text of a case."""
    result = strategies.load("strategies.tensor_core:mmaSync", **parameters)(program(name))
    assert isinstance(result, elevate.Success), result.explain()
    return shine.compile(result.program, target="cuda-sim", arch=arch).source


def test_the_text_of_a_product_is_the_golden_one() -> None:
    assert source("gemm_plain") == GOLDEN.read_text(encoding="utf-8")


_LOAD = re.compile(
    r"ldmatrix\.sync\.aligned\.m8n8\.x(\d)[^;]*;.*?__cvta_generic_to_shared\(&(\w+)\[.*?\] \+ (.*?)\)\) : \"memory\""
)


def rows_of(text: str) -> list[tuple[int, str, list[int]]]:
    """For each `ldmatrix`: the number of matrices that it loads, from which array, and the offset in numbers for each
    lane.
    """
    found = []
    for count, array, offset in _LOAD.findall(text):
        python = offset.replace("threadIdx.x", "t").replace("/", "//")
        found.append((int(count), array, [eval(python, {"t": lane}) for lane in range(32)]))
    return found


@pytest.mark.parametrize(
    ("name", "depth"), some(itertools.product(("gemm_plain", "gemm_left_transposed"), (16, 32, 64)), 9)
)
def test_loads_have_no_bank_conflicts(name: str, depth: int) -> None:
    """The 8 rows of 16 bytes that are read at once are in different banks."""
    found = rows_of(source(name, depth=depth, columns=64, warp_columns=32))
    assert len(found) == 2
    for count, array, offsets in found:
        for matrix in range(count):
            starts = [offset * 2 // BANK_BYTES for offset in offsets[8 * matrix : 8 * matrix + 8]]
            banks = {(start + word) % BANKS for start in starts for word in range(4)}
            assert len(banks) == BANKS, (array, starts)


@in_whole("test_loads_have_no_bank_conflicts")
def test_rows_that_are_not_padded_have_conflicts() -> None:
    """So the test above can fail."""
    _, _, offsets = rows_of(source("gemm_plain", room=0, depth=64))[1]
    assert len({offset * 2 // BANK_BYTES % BANKS for offset in offsets[:8]}) < 8


REFUSED: Final[list[tuple[dict[str, Any], str, str]]] = [
    ({"k": 5}, "found 16 x 8 x 5", "16 x 8 x 8 for f16, bf16 and f64"),
    ({"m": 32}, "expected a shape m x n x k that mma has, found 32 x 8 x 16", "16 x 8 x 32 for i8 and u8"),
    ({"warp_rows": 24}, "expected `warp_rows` to be a multiple of m = 16, found 24", "16 or 32 would work"),
    ({"depth": 24}, "expected `depth` to be a multiple of k = 16, found 24", "16 or 32 would work"),
    ({"columns": 96}, "expected `warp_columns` to divide columns = 96, found 64", "would work"),
    ({"room": 4}, "expected `room` to be a multiple of 16 bytes of factors = 8, found 4", "8 would work"),
    ({"rows": 1024, "columns": 1024}, "expected at most 32 warps in a block, found 256", "larger"),
]  # fmt: skip


@pytest.mark.parametrize(("parameters", "title", "hint"), REFUSED)
def test_tiles_that_do_not_fit_are_refused(parameters: dict[str, int], title: str, hint: str) -> None:
    with pytest.raises(elevate.StrategyError) as caught:
        strategies.load("strategies.tensor_core:mmaSync", **parameters)
    assert title in caught.value.diagnostic.title and hint in (caught.value.diagnostic.hint or "")


def test_types_without_an_instruction_are_refused() -> None:
    result = strategies.load("strategies.tensor_core:mmaSync")(program("mm"))
    assert isinstance(result, elevate.Failure)
    assert "factors are f32; tensor cores take f16, bf16, i8, u8 and f64 in 16 x 8 x 16" in str(
        result.explain()
    )


def test_factors_of_f32_are_rounded_on_request() -> None:
    """The class of the derivation shows it; errors are those of 11 significant bits, but the range is not that of
    f16.
    """
    rounded = strategies.load("strategies.tensor_core:mmaSync", k=8, vector=4, tf32=1, **SMALL)
    result = rounded(program("mm"))
    assert isinstance(result, elevate.Success) and result.float_class == elevate.FloatClass.APPROXIMATE
    kernel = shine.compile(result.program, target="cuda-sim", check=True)
    rng = np.random.default_rng(0)
    a, b = (rng.uniform(1e6, 2e6, (32, 32)).astype(np.float32) for _ in range(2))
    found, exact = kernel(a, b), a.astype(np.float64) @ b.astype(np.float64)
    error = np.abs(found - exact).max() / exact.max()
    assert 2**-24 < error < 2**-10
    assert "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" in kernel.source


def test_types_and_shapes_of_another_kind_are_refused_with_the_parameter() -> None:
    plain = strategies.load("strategies.tensor_core:mmaSync", **SMALL)(program("mm"))
    assert isinstance(plain, elevate.Failure)
    assert "set the parameters tf32=1, m=16, n=8, k=8" in [leaf.hint for leaf in plain.explain().leaves()][-1]
    rounded = strategies.load("strategies.tensor_core:mmaSync", k=8, tf32=1, **SMALL)(program("gemm"))
    assert isinstance(rounded, elevate.Failure)
    assert "omit tf32=1, which is for factors of f32" in [leaf.hint for leaf in rounded.explain().leaves()]
    with pytest.raises(elevate.StrategyError) as caught:
        strategies.load("strategies.tensor_core:mmaSync", tf32=1)
    assert "it has 16 x 8 x 8 and 16 x 8 x 4 for f32" in (caught.value.diagnostic.hint or "")


@pytest.mark.parametrize(
    ("name", "title", "hint"),
    [
        ("gemm_plain", "expected sm_80 or newer for f16 * f16 + f32 by mma in 16 x 8 x 16, found sm_75",
         "build for sm_80, or use what sm_75 has: 16 x 16 x 16 of wmma, 32 x 8 x 16 of wmma, 8 x 32 x 16 of wmma and"
         " 16 x 8 x 8 of mma"),
        ("gemm_bf16", "expected sm_80 or newer for bf16 * bf16 + f32 by mma", "f16 * f16 + f32"),
    ],
)  # fmt: skip
def test_an_architecture_without_the_instruction_is_refused(name: str, title: str, hint: str) -> None:
    with pytest.raises(RiseError) as caught:
        source(name, "sm_75", **SMALL)
    assert title in caught.value.diagnostic.title and hint in (caught.value.diagnostic.hint or "")


@in_whole("test_the_text_of_a_product_is_the_golden_one")
def test_a_smaller_shape_works_on_older_architectures() -> None:
    assert "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32" in source("gemm_plain", "sm_75", **SMALL, k=8)


def test_rows_that_are_misaligned_are_refused() -> None:
    """16 bytes are 16 numbers of 8 bits: rows padded by 8 are misaligned, and the message suggests a padding."""
    text = """val main = fun(a: M.K.i8, bt: N.K.i8 => a |> map(fun(row => bt |> map(fun(column =>
      zip(row, column) |> map(fun(x, y => cast{i32}(x) * cast{i32}(y))) |> reduce(add, 0))))))"""
    result = strategies.load("strategies.tensor_core:mmaSync", k=32, **SMALL)(rise.parse(text).main)
    assert isinstance(result, elevate.Success)
    with pytest.raises(RiseError) as caught:
        shine.compile(result.program, target="cuda-sim")
    assert "a stride of a multiple of 16 numbers (16 bytes of i8), found 40" in caught.value.diagnostic.title
    assert "choose 32 or 48, by `room` or by the tiles" in (caught.value.diagnostic.hint or "")


if __name__ == "__main__":
    GOLDEN.write_text(source("gemm_plain"), encoding="utf-8")
