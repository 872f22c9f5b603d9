"""The text of every matrix instruction, simulated: each shape, type and layout, from shared and from global memory.

The product equals numpy's on integers, and the check build has no findings.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from rise.hardware import INSTRUCTIONS, MatrixInstruction, find
from rise.scalars import ROLES, SCALARS
from shine.simulator import build
from shine.targets.cuda.instructions import TEXTS
from tests import required_tools
from tests.examples import some

Way = tuple[bool, bool, str]  # whether A and B are stored by rows, and where
ORDERS: Final[list[Way]] = [(a, b, "Shared") for a in (True, False) for b in (True, False)]
STRIDE: Final = 64


def ways(one: MatrixInstruction) -> list[Way]:
    """The layouts and memory spaces to test, which differ between instructions. WMMA's text is the same for all
    memory.
    """
    number = list(INSTRUCTIONS).index(one.name)
    spaces = [] if one.coordinates is None else [(True, True, "Global"), (False, False, "Global")]
    return some([*ORDERS, *spaces], 3, first=number)


def kernel(one: MatrixInstruction, name: str, a_by_rows: bool, b_by_rows: bool, space: str) -> str:
    """A product of a warp added to a matrix, whose numbers are doubled; factors are first copied to shared memory.

    Every second instruction is told that matrices and their lines start at multiples of 8 numbers.
    """
    together = 8 if list(INSTRUCTIONS).index(one.name) % 2 else 1
    text = TEXTS[one.name]
    by_rows = dict(zip(ROLES, (a_by_rows, b_by_rows, b_by_rows), strict=True))
    pointers = [f"const {text.element[role]}* {role}" for role in ROLES]
    body = []
    for role in ("AMatrix", "BMatrix"):
        rows, columns = one.extent_of(role)
        lines = rows if by_rows[role] else columns
        size = lines * STRIDE
        if space == "Shared":
            body += [
                f"__shared__ __align__(32) {text.element[role]} s{role}[{size}];",
                f"for (int i = threadIdx.x; i < {size}; i += 32) s{role}[i] = {role}[i];",
            ]
    body.append("__syncthreads();")
    for role in ROLES:
        at = f"&s{role}[0]" if space == "Shared" and role != "Accum" else f"&{role}[0]"
        where = space if role != "Accum" else "Global"
        body += [
            f"{text.fragment(role, by_rows[role])} f{role}{text.registers(role)};",
            text.load(role, f"f{role}", at, str(STRIDE), by_rows[role], where, together),
        ]
    body += [
        f"{text.fragment('Accum', True)} sum{text.registers('Accum')};",
        f"for (int e = 0; e < {text.count('sum')}; e++)"
        f" {text.number('sum', 'e')} = {text.number('fAccum', 'e')} + {text.number('fAccum', 'e')};",
        text.multiply_add("sum", "fAMatrix", "fBMatrix", "sum"),
        text.store("&out[0]", "sum", str(STRIDE), b_by_rows, together),
    ]
    parameters = ", ".join([*pointers, f"{text.element['Accum']}* out"])
    return f'extern "C" __global__ void {name}({parameters}) {{\n  ' + "\n  ".join(body) + "\n}\n"


@cache
def program(family: str, cache: Path) -> Any:
    """All kernels of a family, built once."""
    headers = dict.fromkeys(header for text in TEXTS.values() for header in text.headers)
    kernels = [
        kernel(one, f"{name}_{a:d}{b:d}{space}", a, b, space)
        for name, one in INSTRUCTIONS.items()
        if one.family == family
        for a, b, space in ways(one)
    ]
    includes = "".join(f"#include <{header}>\n" for header in (*headers, "cuda_fp16.h", "cuda_bf16.h"))
    return build(includes + "\n".join(kernels), check=True, cache=cache)


def placed(matrix: Any, by_rows: bool) -> Any:
    """A matrix in memory, its rows or columns `STRIDE` numbers apart."""
    lines = matrix if by_rows else matrix.T
    padded = np.zeros((lines.shape[0], STRIDE), matrix.dtype)
    padded[:, : lines.shape[1]] = lines
    return padded


@pytest.mark.parametrize("one", some(INSTRUCTIONS.values(), 2), ids=lambda one: one.name)
def test_the_product_is_that_of_numpy(one: MatrixInstruction, cache: Path) -> None:
    if not required_tools.has_cxx():
        required_tools.skip_without(required_tools.CXX)
    random = np.random.default_rng(one.m + one.k)
    a, b, c = (
        random.integers(0 if one.a == "u8" else -4, 5, one.extent_of(role)).astype(
            SCALARS[one.stored_type_of(role)].dtype
        )
        for role in ROLES
    )
    expected = (a.astype(np.float64) @ b.astype(np.float64) + 2 * c.astype(np.float64)).astype(c.dtype)
    for a_by_rows, b_by_rows, space in ways(one):
        out = np.zeros_like(placed(expected, b_by_rows))
        arguments = [placed(a, a_by_rows), placed(b, b_by_rows), placed(c, b_by_rows), out]
        name = f"{one.name}_{a_by_rows:d}{b_by_rows:d}{space}"
        report = program(one.family, cache).launch(name, 1, 32, arguments)
        assert report.findings == (), report
        np.testing.assert_array_equal(out, placed(expected, b_by_rows))


@pytest.mark.parametrize(
    ("shape", "types", "role", "by_rows", "together", "parts"),
    [
        ((16, 16, 4), ("f16", "f16", "f32"), "AMatrix", True, 8, [4]),  # a row of A
        ((16, 16, 4), ("f16", "f16", "f32"), "AMatrix", True, 2, [2, 2]),
        ((16, 16, 4), ("f16", "f16", "f32"), "AMatrix", False, 8, [1, 1, 1, 1]),
        ((16, 16, 4), ("f16", "f16", "f32"), "BMatrix", False, 8, [4]),  # a column of B
        ((16, 16, 4), ("f16", "f16", "f16"), "Accum", True, 8, [8]),
        ((16, 16, 4), ("f16", "f16", "f32"), "Accum", True, 8, [2, 2, 2, 2]),
        ((16, 8, 16), ("f16", "f16", "f32"), "Accum", True, 8, [2, 2]),
        ((16, 8, 16), ("f16", "f16", "f32"), "Accum", True, 1, [1, 1, 1, 1]),
        ((16, 8, 16), ("f64", "f64", "f64"), "AMatrix", True, 8, [1] * 8),
    ],
)
def test_numbers_that_are_neighbours_in_memory_are_loaded_and_stored_together(
    shape: tuple[int, int, int],
    types: tuple[str, str, str],
    role: str,
    by_rows: bool,
    together: int,
    parts: list[int],
) -> None:
    one = find("mma", shape, types)
    text, size = TEXTS[one.name], SCALARS[one.stored_type_of(role)].bits // 8
    loads = text.load(role, "f", "p", "stride", by_rows, "Global", together).splitlines()
    stores = text.store("p", "f", "stride", by_rows, together).splitlines() if role == "Accum" else loads
    vectors = {4: "unsigned*", 8: "uint2*", 16: "uint4*"}
    if one.stored_type_of(role) in ("f32", "f64"):
        vectors = {8: "float2*", 16: "double2*"}
    assert len(loads) == len(stores) == len(parts)
    for count, load, store in zip(parts, loads, stores, strict=True):
        assert (
            (vectors[count * size] in load and vectors[count * size] in store)
            if count > 1
            else "*" not in load[:9]
        )
