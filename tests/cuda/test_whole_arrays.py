"""Products of whole arrays, written with numpy, on tensor cores: conversions, epilogues, and several products."""

# ruff: noqa: F821, UP037  # types of RISE in quotes are no Python

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import elevate
import rise
import shine
import strategies
from tests.cuda.kernels import SCHEDULES
from tests.examples import some

FAMILIES: Final = ("mmaSync", "wmma")
SMALL: Final = {"rows": 32, "columns": 32, "depth": 16, "warp_rows": 16, "warp_columns": 16}
SIZES: Final = {"M": 64, "N": 32, "K": 48, "L": 32, "P": 2}
TYPES: Final = {"f16": np.float16, "f32": np.float32}


@rise.program
def cast(a: "M.K.f16", b: "K.N.f16"):
    return (a.astype(np.float32) @ b.astype(np.float32)).astype(np.float16)


@rise.program
def linear(x: "M.K.f16", w: "N.K.f16", bias: "N.f16"):
    sums = x.astype(np.float32) @ w.T.astype(np.float32)
    return np.maximum(sums + bias.astype(np.float32), 0).astype(np.float16)


@rise.program
def gelu(x: "M.K.f16", w: "K.N.f16", bias: "N.f32"):
    y = x.astype(np.float32) @ w.astype(np.float32) + bias
    return (0.5 * y * (1 + np.tanh(0.79788456 * (y + 0.044715 * y * y * y)))).astype(np.float16)


@rise.program
def residual(c: "M.N.f16", x: "M.K.f16", w: "K.N.f16"):
    return c * 2 + (x.astype(np.float32) @ w.astype(np.float32)).astype(np.float16)


@rise.program
def rows(s: "M.f32", x: "M.K.f16", w: "K.N.f16"):
    return (s[:, None] * (x.astype(np.float32) @ w.astype(np.float32))).astype(np.float16)


@rise.program
def half(x: "M.K.f16", w: "K.N.f16", b: "N.f16"):
    return x @ w + b


@rise.program
def batched(x: "P.M.K.f16", w: "P.K.N.f16", b: "N.f16"):
    return (x.astype(np.float32) @ w.astype(np.float32) + b.astype(np.float32)).astype(np.float16)


@rise.program
def two(x: "M.K.f16", w: "K.N.f16", v: "K.N.f16"):
    x32 = x.astype(np.float32)
    return (x32 @ w.astype(np.float32) + x32 @ v.astype(np.float32)).astype(np.float16)


@rise.program
def gated(x: "M.K.f16", w: "K.N.f16", y: "M.L.f16", v: "L.N.f16"):
    return (x.astype(np.float32) @ w.astype(np.float32)) * (y.astype(np.float32) @ v.astype(np.float32))


@rise.program
def chain(x: "M.K.f16", w: "K.N.f16", v: "N.L.f16"):
    inner = (x.astype(np.float32) @ w.astype(np.float32)).astype(np.float16)
    return inner.astype(np.float32) @ v.astype(np.float32)


ONE: Final = (cast, linear, gelu, residual, rows, half, batched)
#: the number of products on tensor cores: the second product of a chain reads f32, as which the first one is stored
SEVERAL: Final = ((two, 2), (gated, 2), (chain, 1))


def name_of(value: Any) -> str:
    """The name of a program; the text of anything else."""
    return getattr(getattr(value, "python", None), "__name__", str(value))


def arguments(program: Any) -> list[Any]:
    """Small integers of the types of a program's parameters."""
    rng = np.random.default_rng(0)
    types = [part for part in str(program.type).split(" -> ")[:-1] if "{" not in part]
    arrays = []
    for *sizes, name in (t.split(".") for t in types):
        arrays.append(rng.integers(-2, 3, [SIZES[size] for size in sizes]).astype(TYPES[name]))
    return arrays


def check(program: Any, family: str, schedule: str, cache: Path, **parameters: int) -> str:
    """Compare the lowered program with numpy; returns the text of the kernels."""
    made = strategies.load(f"strategies.tensor_core:{family}", **SMALL | parameters)
    result = made(program.main)
    assert isinstance(result, elevate.Success), result.explain()
    kernel = shine.compile(result.program, target="cuda-sim", check=True, schedule=schedule, cache=str(cache))
    given = arguments(program)
    found, expected = kernel(*given), program.python(*given)
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-3)
    return kernel.source


@pytest.mark.parametrize(
    ("program", "family"),
    some(
        [
            (program, family)
            for at, program in some(enumerate(ONE), 3)
            for family in some(FAMILIES, 2, at // 3)
        ],
        2,
    ),
    ids=name_of,
)
def test_one_product_is_one_kernel(program: Any, family: str, cache: Path) -> None:
    at = ONE.index(program)
    schedule, edges = SCHEDULES[at % len(SCHEDULES)], (at + FAMILIES.index(family)) % 2
    text = check(program, family, schedule, cache, edges=edges)
    assert text.count("__global__") == 1


@pytest.mark.parametrize(
    ("program", "on_tensor_cores", "family"),
    some([(*one, family) for at, one in enumerate(SEVERAL) for family in some(FAMILIES, 2, at)], 3),
    ids=name_of,
)
def test_each_of_several_products_is_a_kernel(
    program: Any, on_tensor_cores: int, family: str, cache: Path
) -> None:
    text = check(program, family, SCHEDULES[0], cache)
    instruction = "mma.sync.aligned" if family == "mmaSync" else "wmma::mma_sync"
    assert (text.count("__global__"), text.count(instruction)) == (2, on_tensor_cores)
