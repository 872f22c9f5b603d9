"""The programs on which strategies are tested: all cases, at small sizes, and what is derived from them.

Depends on the location of cases, but not on rules.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import elevate
import rise
import strategies
from cases.case_files import extent, read_case
from rise.types import DepFunType

CASES = Path(__file__).resolve().parents[2] / "cases"
NAMES = sorted(path.stem for path in CASES.glob("*.rise"))
STRATEGIES: tuple[tuple[str, dict[str, int]], ...] = (
    ("strategies.sequential:sequential", {}),
    ("strategies.openmp:parallel", {"tile": 4}),
    ("strategies.openmp:parallel", {"tile": 16}),
    ("strategies.openmp:parallel", {"tile": 48}),
)
MOST = 1000
"""The size of the largest program that is run in a test: the product of its sizes."""


@cache
def program(name: str) -> Any:
    """The program of a case, with symbolic sizes."""
    return rise.parse((CASES / f"{name}.rise").read_text(encoding="utf-8"), name).main


@cache
def sizes(name: str) -> dict[str, int | tuple[int, ...]]:
    """The largest of the small sizes of a case: each step of a derivation is run at them."""
    text = (CASES / f"{name}.rise").read_text(encoding="utf-8")
    options = [dict(each) for each in read_case(name, text).sizes]
    small = [each for each in options if extent(each) <= MOST]
    return max(small, key=extent)


def at(e: rise.Expr, **numbers: int | tuple[int, ...]) -> rise.Expr:
    """A program at given sizes."""
    return rise.specialise(e, **numbers)


@cache
def derived(name: str, number: int) -> elevate.Success[Any]:
    """The program that a strategy derives from a case."""
    address, parameters = STRATEGIES[number]
    result = strategies.load(address, **parameters)(program(name))
    assert isinstance(result, elevate.Success), f"{address} fails on {name}:\n{result.explain()}"
    return result


def derivation(name: str, number: int) -> Iterator[tuple[elevate.Step, rise.Expr, rise.Expr]]:
    """Each step, with the programs before and after it."""
    result = derived(name, number)
    programs = list(elevate.replay(program(name), result.steps))
    yield from zip(result.steps, programs[:-1], programs[1:], strict=True)  # type: ignore[misc]  # a step keeps the language


Sizes = dict[str, int]


def fragments() -> Iterator[tuple[elevate.Step, Any, Sizes]]:
    """The steps from a product to the fragments of two warps, each with the program before it, and the smallest
    sizes.
    """
    tile = {"rows": 32, "columns": 32, "depth": 32, "warp_rows": 32, "warp_columns": 16}
    result = strategies.load("strategies.tensor_core:wmma", **tile)(program("gemm"))
    assert isinstance(result, elevate.Success), result.explain()
    programs = list(elevate.replay(program("gemm"), result.steps))
    for step, before in zip(result.steps, programs[:-1], strict=True):
        yield step, before, {"M": 32, "N": 32, "K": 32}


def on_blocks() -> Iterator[tuple[elevate.Step, Any, Sizes]]:
    """The steps from sequential reductions and scans to blocks of one warp, each with the program before it, at
    sizes.
    """
    for name in ("argmax", "rolling_hash"):
        result = strategies.load("strategies.gpu_reductions:reduceOnBlocks", threads=32, items=1)(
            program(name)
        )
        assert isinstance(result, elevate.Success), result.explain()
        programs = list(elevate.replay(program(name), result.steps))
        for step, before in zip(result.steps, programs[:-1], strict=True):
            yield step, before, {"N": 37}


def on_vectors() -> Iterator[tuple[elevate.Step, Any, Sizes]]:
    """The steps from a product to loops over vectors of four numbers, each with the program before it, at sizes."""
    result = strategies.load("strategies.cpu_gemm:vectorization", rows=2, columns=4, depth=2)(program("mm"))
    assert isinstance(result, elevate.Success), result.explain()
    programs = list(elevate.replay(program("mm"), result.steps))
    for step, before in zip(result.steps, programs[:-1], strict=True):
        yield step, before, {"M": 2, "N": 4, "K": 4}


def size_names(e: rise.Expr) -> list[str]:
    """The symbolic sizes of a program."""
    rest: Any = e.type
    names = []
    while isinstance(rest, DepFunType):
        names.append(rest.name)
        rest = rest.result
    return names
