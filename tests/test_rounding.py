"""Numbers with bounds of their errors: the error of f32 never exceeds the bound, and that of a wrong result always
does.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cases.bounds import wide
from cases.rounding import (
    Rounded,
    exp,
    greatest,
    log,
    matmul,
    maximum,
    rounded,
    sqrt,
    stack,
    tanh,
)
from tests.examples import examples

Array = Any
#: functions of two arrays of positive numbers: of numbers with bounds, and by numpy in f32
OPERATIONS: dict[str, tuple[Callable[[Rounded, Rounded], Rounded], Callable[[Array, Array], Array]]] = {
    "add": (lambda a, b: a + b, lambda a, b: a + b),
    "sub": (lambda a, b: a - b, lambda a, b: a - b),
    "mul": (lambda a, b: a * b, lambda a, b: a * b),
    "div": (lambda a, b: a / b, lambda a, b: a / b),
    "reciprocal": (lambda a, b: 1.0 / (a + b), lambda a, b: np.float32(1) / (a + b)),
    "negative": (lambda a, b: 2.0 - a * -b, lambda a, b: np.float32(2) - a * -b),
    "sqrt": (lambda a, b: sqrt(a * b), lambda a, b: np.sqrt(a * b)),
    "exp": (lambda a, b: exp(a - b), lambda a, b: np.exp(a - b)),
    "log": (lambda a, b: log(a * b), lambda a, b: np.log(a * b)),
    "tanh": (lambda a, b: tanh(a - b), lambda a, b: np.tanh(a - b)),
    "max": (lambda a, b: maximum(a * b, a + b), lambda a, b: np.maximum(a * b, a + b)),
    "sum": (lambda a, b: (a * b).sum(0), lambda a, b: (a * b).sum(axis=0, dtype=np.float32)),
    "greatest": (lambda a, b: greatest(a * b, 0), lambda a, b: (a * b).max(axis=0)),
    "matmul": (lambda a, b: matmul(a, b.apply(np.transpose)), lambda a, b: a @ b.T),
    "stack": (lambda a, b: stack([a, a * b])[1] / b, lambda a, b: a * b / b),
}


@pytest.mark.parametrize("name", OPERATIONS)
@settings(max_examples=examples(20), deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_the_error_of_f32_never_exceeds_the_bound(name: str, seed: int) -> None:
    """Applied twice, so that operands have errors too; an error of 1 in 1000 exceeds the bound."""
    rng = np.random.default_rng(seed)
    a, b = (rng.uniform(0.5, 2.0, (3, 4)).astype(np.float32) for _ in range(2))
    ours, numpys = OPERATIONS[name]
    third = np.float32(1) / np.float32(3) + a * a
    answer = ours(rounded(1.0) / 3 + rounded(a) * a, rounded(b))
    found = wide(numpys(third, b))
    assert (np.abs(found - answer.value) <= answer.error).all()
    assert (answer.error < 1e-4 * np.maximum(np.abs(answer.value), 1)).all()


def test_exact_results_have_no_error() -> None:
    assert (rounded(np.float32([1, 2])).error == 0).all()


def test_a_quotient_needs_a_divisor_that_is_not_0() -> None:
    with pytest.raises(AssertionError, match="a divisor may be 0"):
        rounded(1.0) / Rounded(np.array(1e-9), np.array(1e-8))


def test_a_logarithm_needs_a_number_above_0() -> None:
    with pytest.raises(AssertionError, match="a logarithm may be of 0"):
        log(rounded(0.0))
