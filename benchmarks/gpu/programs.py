"""The programs of `cases` as kernels for GPUs, with numpy's answers. Does not measure time; independent of devices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

import elevate
import rise
import shine
import strategies
from benchmarks.gpu.model import Case, Kernel
from cases.answers import ANSWERS, Expected, Tree
from cases.case_files import Case as Written
from cases.case_files import Numbers, Sizes, extent, read_case
from cases.inputs import Axes, Layout, layout, some_input
from rise.types import DepFunType, FunType
from shine.targets import TARGETS

FOLDER = Path(__file__).resolve().parents[2] / "cases"
WMMA = "strategies.tensor_core:wmma"
#: the largest allowed error relative to the largest number, by the narrowest floating-point type; integers are exact
TOLERANCE: Mapping[str, float] = {"f16": 4e-3, "bf16": 3e-2, "f32": 2e-5, "f64": 1e-12}
SMALL_TILES: Mapping[str, int] = {"rows": 64, "columns": 64, "warp_rows": 32, "warp_columns": 32}
#: for tensor cores: a case, parameters, sizes; all layouts of the factors, and all kinds of surrounding operations
VARIANTS: tuple[tuple[str, Mapping[str, int], Mapping[str, int]], ...] = (
    ("gemm", {}, {"M": 384, "N": 256, "K": 160}),
    ("gemm", SMALL_TILES, {"M": 192, "N": 320, "K": 96}),
    ("gemm", {"rows": 256, "warp_columns": 64}, {"M": 512, "N": 256, "K": 64}),
    ("gemm", {"m": 8, "n": 32}, {"M": 256, "N": 256, "K": 64}),
    ("gemm", {"depth": 64, "room": 16}, {"M": 256, "N": 256, "K": 192}),
    ("gemm_plain", {}, {"M": 256, "N": 384, "K": 1024}),
    ("gemm_alpha", {}, {"M": 256, "N": 128, "K": 96}),
    ("gemm_bias", {}, {"M": 128, "N": 256, "K": 96}),
    ("gemm_left_transposed", {}, {"M": 256, "N": 128, "K": 64}),
    ("gemm_bf16", {}, {"M": 256, "N": 256, "K": 128}),
)


def written() -> Iterator[Written]:
    """The cases, by name."""
    for path in sorted(FOLDER.glob("*.rise")):
        yield read_case(path.stem, path.read_text(encoding="utf-8"))


def by_default(target: str) -> Iterator[Case]:
    """Every case under the target's default strategy, at the largest of its sizes."""
    for one in written():
        sizes = max(one.sizes, key=lambda sizes: extent(dict(sizes)))
        yield case_of(one, one.name, target, TARGETS[target].strategy, {}, sizes, one.is_symbolic)


def by_tensor_cores(target: str) -> Iterator[Case]:
    """The variants, compiled for all sizes."""
    found = {one.name: one for one in written()}
    for name, parameters, sizes in VARIANTS:
        given = ", ".join(f"{key}={value}" for key, value in parameters.items())
        yield case_of(
            found[name], f"{name} wmma({given})", target, WMMA, parameters, tuple(sizes.items()), True
        )


def case_of(
    one: Written,
    name: str,
    target: str,
    strategy: str,
    parameters: Mapping[str, int],
    sizes: Sizes,
    is_symbolic: bool,
) -> Case:
    """A case under a strategy, at these sizes; compiled for all sizes if `is_symbolic`."""
    fixed = () if is_symbolic else sizes

    def build(arch: str) -> Kernel:
        low = rise.specialise(lowered(one, strategy, tuple(parameters.items())), **dict(fixed))
        kernel: Kernel = shine.compile(low, target=target, arch=arch, name=one.name)
        return kernel

    arguments, result = signature(one, sizes)
    return Case(
        name,
        build,
        partial(_inputs, one.inputs[0], arguments),
        _reference(ANSWERS[one.name]),
        _tolerance(result),
    )


def _inputs(kind: str, arguments: list[Layout], rng: np.random.Generator) -> tuple[Any, ...]:
    return tuple(some_input(kind, rng, at) for at in arguments)


def _reference(answer: Callable[..., Tree]) -> Callable[..., Any]:
    def values(tree: Tree) -> Any:
        return tree.value if isinstance(tree, Expected) else (values(tree[0]), values(tree[1]))

    return lambda *arguments: values(answer(*arguments))


def _tolerance(result: Layout) -> float:
    """The tolerance for the narrowest type in a result."""
    if isinstance(result, Axes):
        return TOLERANCE.get(result.scalar, 0.0)
    return max(map(_tolerance, result))


@cache
def program(one: Written) -> rise.Expr:
    """The program of a case."""
    return rise.parse(one.text, one.name).main


@cache
def lowered(one: Written, strategy: str, parameters: Numbers) -> rise.Expr:
    """The program that a strategy derives."""
    result = strategies.load(strategy, **dict(parameters))(program(one))
    if not isinstance(result, elevate.Success):
        raise ValueError(f"{strategy} fails: {result.explain()}")
    low: rise.Expr = result.program
    return low


def signature(one: Written, sizes: Sizes) -> tuple[list[Layout], Layout]:
    """The layout of the arguments and the result at these sizes."""
    rest: Any = rise.specialise(program(one), **dict(sizes)).type
    assert not isinstance(rest, DepFunType), rest
    arguments = []
    while isinstance(rest, FunType):
        arguments.append(layout(rest.parameter))
        rest = rest.result
    return arguments, layout(rest)
