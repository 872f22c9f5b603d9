"""`shine.jit`: arrays that a function computes with without being given them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise import RiseError
from rise.embedding.conversions import LONGEST_LITERAL
from rise.embedding.programs import PythonProgram
from tests import required_tools
from tests.examples import some

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

RANDOM = np.random.default_rng(3)
WEIGHTS = RANDOM.standard_normal((30, 20))
TABLE = RANDOM.integers(0, 100, 1000)
X, K = RANDOM.standard_normal((5, 30)), RANDOM.integers(0, 1000, 8)


def grid(n: Any) -> Any:
    x = np.linspace(0, 1, 300)
    a, b = np.meshgrid(x, x)
    return np.sin(a) * b * n


def of_module(x: Any) -> Any:
    return np.tanh(x @ WEIGHTS) @ WEIGHTS.T


def looked_up(k: Any) -> Any:
    return TABLE[k] * 2


def of_other_types(x: Any) -> Any:
    mask, phase = np.arange(600) % 3 == 0, np.exp(1j * np.linspace(0, 3, 600))
    return np.where(mask, x[0, 0], phase), np.float32(2) * x.astype(np.float32)


def changed(x: Any) -> Any:
    table = np.linspace(0.0, 1.0, 400)
    first = table * x[0, 0]
    table[3] = 7
    return first, table * x[0, 0], table[::-1] + x[0, 1]


def returned(x: Any) -> Any:
    return WEIGHTS, x.sum(), WEIGHTS.T


def helped(x: Any) -> Any:
    return INNER(x).sum() + INNER(x * 2)


INNER = shine.jit(of_module)
FUNCTIONS: dict[Any, tuple[Any, ...]] = {
    grid: (3,),
    of_module: (X,),
    looked_up: (K,),
    of_other_types: (X,),
    changed: (X,),
    returned: (X,),
    helped: (X,),
}


@pytest.mark.parametrize("function", some(FUNCTIONS, 5), ids=lambda one: one.__name__)
def test_long_arrays_of_a_function_are_computed_with(function: Any) -> None:
    given = FUNCTIONS[function]
    jitted, expected = shine.jit(function), function(*given)
    for _ in range(2):  # the second call repeats the first
        found = jitted(*given)
        several = isinstance(expected, tuple)
        for one, other in zip(
            found if several else [found], expected if several else [expected], strict=True
        ):
            np.testing.assert_allclose(one, other)
            assert one.dtype == other.dtype


def test_long_arrays_are_parameters_and_short_ones_literals() -> None:
    short, long = np.arange(LONGEST_LITERAL) / 7, np.arange(LONGEST_LITERAL + 1) / 7
    lowered = shine.jit(lambda x: (x + short, x * short)).lower(X[0, 0])
    assert str(lowered.program.type) == "f64 -> (256.f64, 256.f64)" and lowered.constants == ()
    lowered = shine.jit(lambda x: (x + long, x * long, x * long[::-1])).lower(X[0, 0])
    assert str(lowered.program.type) == "f64 -> 257.f64 -> 257.f64 -> (257.f64, (257.f64, 257.f64))"
    assert len(lowered.constants) == 2
    assert "constant[" in lowered.source and "constant_1[" in lowered.source


def test_programs_have_the_constants_and_other_targets_take_them() -> None:
    lowered = shine.jit(of_module, target="interpret").lower(X)
    np.testing.assert_allclose(lowered.kernel(X, *lowered.constants), of_module(X))
    assert isinstance(lowered.program, PythonProgram)
    np.testing.assert_allclose(lowered.program(X), of_module(X))
    assert "constant: 30.20.f64" in lowered.explain()


def test_a_function_without_parameters_is_refused() -> None:
    with pytest.raises(RiseError, match="expected a function with parameters") as caught:
        shine.jit(lambda: WEIGHTS)()
    assert not caught.value.diagnostic.notes


def test_a_program_whose_parameters_are_written_has_literals() -> None:
    """A kernel of it takes what is written, and nothing else."""
    long = np.arange(300.0)
    written = rise.program(lambda x: x * long, types={"x": "f64"})
    assert str(written.type) == "f64 -> 300.f64" and written.constants == ()
