"""The libraries as kernels: every definition, compiled with a target's own strategy, passes the libraries' tests.

Depends on the table of these tests. In `whole` and `soak` all definitions are compiled for every target,
otherwise a sample.
"""

from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
import strategies
from rise.terms import Expr
from tests.examples import SAMPLED, some
from tests.rise.test_libraries import LIBRARIES, NAMES, SIZES, same

CASES: Final = {name: cases(*SIZES[0]) for name, cases in LIBRARIES.items()}
COMPILED: Final = some(NAMES, 19)
#: stencils of stencils, whose borders or weights are functions, and a sample of the others
OF_STENCILS: Final = [one for one in NAMES if one[1] in ("harris", "edges", "boxBlur", "stencilMirrored")]
SIMULATED: Final = [*some(NAMES, 50, first=3), *some(OF_STENCILS, 3)] if SAMPLED else NAMES


def applied(name: str, definition: str) -> tuple[Expr, tuple[Any, ...]]:
    """A definition applied to the arrays of its case, as a program of their types, and the arrays."""
    text, inputs, _ = CASES[name][definition]
    types = [".".join([*map(str, np.shape(one)), "f64"]) for one in inputs]
    parameters = ", ".join(f"x{position}: {t}" for position, t in enumerate(types))
    given = ", ".join(f"x{position}" for position in range(len(inputs)))
    main = f"fun({parameters} => ({text})({given}))" if inputs else text
    return rise.parse(f"import {name}\nval main = {main}").main, inputs


def agrees(name: str, definition: str, target: str) -> bool:
    """Whether a kernel agrees with the meaning of its program."""
    main, inputs = applied(name, definition)
    lowered = strategies.load(shine.TARGETS[target].strategy)(main).program
    options = {"check": True} if target == "cuda-sim" else {}
    return same(shine.compile(lowered, target=target, **options)(*inputs), rise.evaluate(main, *inputs))


@pytest.mark.parametrize(("name", "definition"), some(NAMES, 9))
def test_a_definition_is_interpreted(name: str, definition: str) -> None:
    assert agrees(name, definition, "interpret")


@pytest.mark.parametrize(("name", "definition"), COMPILED)
def test_a_definition_is_compiled(name: str, definition: str) -> None:
    assert agrees(name, definition, "openmp")


@pytest.mark.parametrize(("name", "definition"), some(SIMULATED, 2))
def test_a_definition_runs_on_simulated_threads(name: str, definition: str) -> None:
    assert agrees(name, definition, "cuda-sim")
