"""The default strategy of GPUs lowers ordinary programs, whose results in the checked simulator are those of numpy."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from tests.examples import some
from tests.strategies.ordinary_programs import PROGRAMS, SIZES, STEPS

DEFAULT: Final = "strategies.gpu:blocksAndThreads"
SCHEDULES: Final = ("ascending", "descending", "random:1")

#: barriers of the block in each program of STEPS; without one of them, the simulator finds a race, except for the
#: second one of `power_steps`, before a warp's lanes read what threads with the same number stored
BARRIERS: Final = {
    "heat_steps": 2,
    "heat_steps_of_grids": 2,
    "recurrence": 2,
    "power_steps": 3,
    "conjugate_gradients": 5,
    "averages_with_neighbours": 2,
}


def argument(type_text: str, rng: np.random.Generator) -> Any:
    """Random numbers of a type, all of them positive."""
    *lengths, element = type_text.split(".")
    shape = [eval(length, {}, dict(SIZES)) for length in lengths]
    if element.startswith("idx["):
        return rng.integers(0, eval(element[4:-1], {}, dict(SIZES)), shape)
    if element == "i32":
        return rng.integers(0, 2, shape).astype(np.int32)
    return (rng.random(shape) + 0.25).astype(np.float32)


def flat(result: Any) -> list[Any]:
    """The components of a result."""
    return (
        [part for component in result for part in flat(component)] if isinstance(result, tuple) else [result]
    )


def checked(function: Callable[..., Any]) -> str:
    """Compare the kernels of a program with numpy under several schedules; returns their text."""
    kernel = shine.compile(rise.program(function).main, target="cuda-sim", check=True, strategy=DEFAULT)
    rng = np.random.default_rng(0)
    types = [found for name, found in function.__annotations__.items() if name != "return"]
    given = [argument(one.strip("\"'"), rng) for one in types]
    expected = flat(function(*given))
    for schedule in SCHEDULES:
        found = flat(kernel.with_options(schedule=schedule)(*given))
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            np.testing.assert_allclose(one, other, rtol=2e-3, atol=2e-3)
    return str(kernel.source)


@pytest.mark.parametrize("function", some(PROGRAMS, 5), ids=lambda function: function.__name__)
def test_ordinary_programs_run(function: Callable[..., Any]) -> None:
    checked(function)


@pytest.mark.parametrize("function", some(STEPS, 2), ids=lambda function: function.__name__)
def test_steps_run_on_all_threads_of_a_block(function: Callable[..., Any]) -> None:
    """One thread once computed steps with reductions, and copied the state of all others."""
    source = checked(function)
    assert "__launch_bounds__(1)" not in source
    assert source.count("__syncthreads();") == BARRIERS[function.__name__]
    assert not re.search(r"for \(int (\w+) = 0; [^)]*\) \{\n *\w+\[\1\] = \w+\[\1\];", source)
