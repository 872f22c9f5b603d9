"""Programs written as Python functions give the same results as kernels as on numpy arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import shine
import strategies
from rise import dsl
from rise.embedding import PythonProgram, program
from rise.terms import Expr
from strategies.sequential import sequential
from tests.examples import some
from tests.rise.embedding.programs import PROGRAMS
from tests.rise.embedding.test_embedding import arguments, same

COMPILED = some(PROGRAMS, 17)
SIMULATED = some(PROGRAMS, 25, first=5)


def agrees(function: Callable[..., Any], lowered: Callable[[PythonProgram], Expr], target: str) -> bool:
    """Whether a kernel computes the same as the function does on numpy arrays."""
    given = arguments(function, dict.fromkeys("ABCN", 5) | dict.fromkeys("DEIKMO", 6), 1)
    kernel = shine.compile(lowered(program(function)), target=target)
    with np.errstate(all="ignore"):
        return same(kernel(*given), function(*given))


def by_default(target: str) -> Callable[[PythonProgram], Expr]:
    strategy = strategies.load(shine.TARGETS[target].strategy)
    return lambda built: strategy(built.main).program


@pytest.mark.parametrize("function", some(PROGRAMS, 9), ids=lambda one: one.__name__)
def test_an_interpreted_kernel_agrees_with_numpy(function) -> None:
    assert agrees(function, lambda built: sequential(built.main).program, "interpret")


@pytest.mark.parametrize("function", some(COMPILED, 2), ids=lambda one: one.__name__)
def test_a_compiled_kernel_agrees_with_numpy(function) -> None:
    assert agrees(function, by_default("openmp"), "openmp")


@pytest.mark.parametrize("function", SIMULATED, ids=lambda one: one.__name__)
def test_a_kernel_for_gpus_agrees_with_numpy(function) -> None:
    assert agrees(function, by_default("cuda-sim"), "cuda-sim")


def test_a_low_level_program_is_compiled_unchanged() -> None:
    @program
    def doubled(x: N.f32):  # noqa: F821  # a type of RISE
        return x | dsl.mapSeq(lambda v: v + v)

    kernel = shine.compile(doubled, target="interpret")
    assert kernel(np.arange(3, dtype=np.float32)).tolist() == [0, 2, 4]
