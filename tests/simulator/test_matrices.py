"""Matrix instructions: every shape, type and layout of CUDA, compared with numpy on integers."""

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from shine.simulator import Program, SimulatorError, build
from tests.examples import some
from tests.simulator.corpus import SCHEDULES

WIDE = [(16, 16, 16), (32, 8, 16), (8, 32, 16)]
KINDS = [
    *((shape, "__half", np.float16, "float", np.float32) for shape in WIDE),
    *((shape, "__half", np.float16, "__half", np.float16) for shape in WIDE),
    *((shape, "__nv_bfloat16", ml_dtypes.bfloat16, "float", np.float32) for shape in WIDE),
    *((shape, "signed char", np.int8, "int", np.int32) for shape in WIDE),
    *((shape, "unsigned char", np.uint8, "int", np.int32) for shape in WIDE),
    ((16, 16, 8), "wmma::precision::tf32", np.float32, "float", np.float32),
    ((8, 8, 4), "double", np.float64, "double", np.float64),
]
#: of both factors and the sum
LAYOUTS = [
    ("row_major",) * 3,
    ("col_major", "row_major", "col_major"),
    ("row_major", "col_major", "row_major"),
]
TEXT = """#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void f(const {stored}* A, const {stored}* B, const {sum}* C, {sum}* D) {{
  wmma::fragment<wmma::matrix_a, {m}, {n}, {k}, {t}, wmma::{a_layout}> a;
  wmma::fragment<wmma::matrix_b, {m}, {n}, {k}, {t}, wmma::{b_layout}> b;
  wmma::fragment<wmma::accumulator, {m}, {n}, {k}, {sum}> c, d;
  wmma::load_matrix_sync(a, A, {lda});
  wmma::load_matrix_sync(b, B, {ldb});
  wmma::load_matrix_sync(c, C, {ldc}, wmma::mem_{c_layout});
  for (int i = 0; i < c.num_elements; i++) c.x[i] = c.x[i] + c.x[i];
  wmma::mma_sync(d, a, b, c);
  wmma::store_matrix_sync(D, d, {ldc}, wmma::mem_{c_layout});
}}
"""


def placed(matrix: Any, layout: str) -> tuple[Any, int]:
    """A matrix in memory, its rows (or columns) padded by 16 bytes, and its leading dimension."""
    lines = matrix if layout == "row_major" else matrix.T
    padded = np.zeros((lines.shape[0], lines.shape[1] + 16 // matrix.itemsize), matrix.dtype)
    padded[:, : lines.shape[1]] = lines
    return padded, padded.shape[1]


@pytest.mark.parametrize(
    ("shape", "t", "dtype", "total", "total_dtype", "layouts"),
    some(
        [
            (*kind, layouts)
            for number, kind in enumerate(KINDS)
            for layouts in some(LAYOUTS, len(LAYOUTS), first=number + number // len(WIDE))
        ],
        2,
    ),
)
def test_products_of_integers_are_exact(
    shape: tuple[int, int, int],
    t: str,
    dtype: Any,
    total: str,
    total_dtype: Any,
    layouts: tuple[str, str, str],
    programs: Callable[..., Program],
) -> None:
    m, n, k = shape
    random = np.random.default_rng(m + n)
    low = 0 if dtype is np.uint8 else -4
    a, b = random.integers(low, 5, (m, k)), random.integers(low, 5, (k, n))
    c = random.integers(-9, 10, (m, n))
    (A, lda), (B, ldb) = placed(a.astype(dtype), layouts[0]), placed(b.astype(dtype), layouts[1])
    C, ldc = placed(c.astype(total_dtype), layouts[2])
    D = np.zeros_like(C)
    stored = "float" if "tf32" in t else t
    text = TEXT.format(
        m=m, n=n, k=k, t=t, stored=stored, sum=total, lda=lda, ldb=ldb, ldc=ldc,
        a_layout=layouts[0], b_layout=layouts[1], c_layout=layouts[2],
    )  # fmt: skip
    program = programs(text, True)
    for schedule in SCHEDULES:
        D[...] = 0
        report = program.launch("f", 1, 32, [A, B, C, D], schedule=schedule)
        assert report.findings == ()
        expected, _ = placed((a @ b + 2 * c).astype(total_dtype), layouts[2])
        np.testing.assert_array_equal(D.astype(np.float64), expected.astype(np.float64))


# Counted in NVIDIA's crt/mma.h of CUDA 13.0.
COUNTS = {
    ("matrix_a", "16, 16, 16", "__half"): 16,
    ("matrix_b", "16, 16, 16", "__half"): 16,
    ("matrix_a", "32, 8, 16", "__half"): 16,
    ("matrix_b", "32, 8, 16", "__half"): 16,
    ("matrix_a", "8, 32, 16", "__half"): 16,
    ("accumulator", "16, 16, 16", "__half"): 8,
    ("accumulator", "32, 8, 16", "float"): 8,
    ("matrix_a", "16, 16, 16", "__nv_bfloat16"): 8,
    ("matrix_a", "32, 8, 16", "__nv_bfloat16"): 16,
    ("matrix_b", "32, 8, 16", "__nv_bfloat16"): 4,
    ("matrix_a", "8, 32, 16", "signed char"): 4,
    ("matrix_b", "8, 32, 16", "unsigned char"): 16,
    ("accumulator", "8, 32, 16", "int"): 8,
    ("matrix_a", "16, 16, 8", "wmma::precision::tf32"): 4,
    ("accumulator", "16, 16, 8", "float"): 8,
    ("matrix_b", "8, 8, 4", "double"): 1,
    ("accumulator", "8, 8, 4", "double"): 2,
}


def test_fragments_have_as_many_elements_as_those_of_nvidia(programs: Callable[..., Program]) -> None:
    rows = []
    for i, (role, shape, t) in enumerate(COUNTS):
        layout = "" if role == "accumulator" else ", wmma::row_major"
        rows.append(f"  y[{i}] = wmma::fragment<wmma::{role}, {shape}, {t}{layout}>::num_elements;")
    text = '#include <mma.h>\nusing namespace nvcuda;\nextern "C" __global__ void f(int* y) {\n'
    y = np.zeros(len(COUNTS), np.int32)
    assert programs(text + "\n".join(rows) + "\n}").launch("f", 1, 1, [y]).findings == ()
    assert y.tolist() == list(COUNTS.values())


def elements(role: str, layout: str, programs: Callable[..., Program]) -> Any:
    """The position in a 16 x 16 matrix of each element that a lane holds."""
    order = f", wmma::{layout}" if role != "accumulator" else ""
    memory = ", wmma::mem_row_major" if role == "accumulator" else ""
    t, dtype = ("float", np.float32) if role == "accumulator" else ("__half", np.float16)
    text = f"""#include <mma.h>
using namespace nvcuda;
extern "C" __global__ void f(const {t}* x, float* y) {{
  wmma::fragment<wmma::{role}, 16, 16, 16, {t}{order}> held;
  wmma::load_matrix_sync(held, x, 16{memory});
  for (int i = 0; i < held.num_elements; i++) y[threadIdx.x * held.num_elements + i] = (float)held.x[i];
}}"""
    count = 8 if role == "accumulator" else 16
    y = np.zeros((32, count), np.float32)
    assert programs(text).launch("f", 1, 32, [np.arange(256).astype(dtype), y]).findings == ()
    return y


def test_layouts_are_scrambled_but_complete(programs: Callable[..., Program]) -> None:
    roles = [
        ("accumulator", ""),
        ("matrix_a", "row_major"),
        ("matrix_b", "row_major"),
        ("matrix_b", "col_major"),
    ]
    held = [elements(role, layout, programs) for role, layout in roles]
    for one in held:
        places, counts = np.unique(one, return_counts=True)
        assert places.tolist() == list(range(256))
        assert set(counts) == {one.size // 256}
        # No lane holds consecutive elements of a row; neither do adjacent lanes.
        assert np.count_nonzero(np.diff(one, axis=1) == 1) < one.size // 4
    assert all(not np.array_equal(one, other) for i, one in enumerate(held[1:]) for other in held[1:][:i])


@pytest.mark.parametrize(
    "declaration",
    [
        "wmma::fragment<wmma::matrix_a, 16, 16, 8, __half, wmma::row_major>",
        "wmma::fragment<wmma::accumulator, 8, 32, 16, double>",
        "wmma::fragment<wmma::matrix_a, 16, 16, 16, float, wmma::row_major>",
        "wmma::fragment<wmma::matrix_a, 16, 16, 16, __half>",
    ],
)
def test_fragments_that_cuda_lacks_do_not_compile(declaration: str, tmp_path: Any) -> None:
    head = '#include <mma.h>\nusing namespace nvcuda;\nextern "C" __global__ void f() {\n'
    text = f"{head}  {declaration} a;\n  a.x[0] = a.x[0];\n}}"
    with pytest.raises(SimulatorError):
        build(text, cache=tmp_path)
