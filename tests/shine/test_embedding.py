"""Programs that are Python functions become kernels that give what the functions give on arrays of numpy."""

from __future__ import annotations

import numpy as np
import pytest

import shine
from rise.embedding import program
from strategies.sequential import sequential
from tests.rise.embedding_programs import PROGRAMS
from tests.rise.test_embedding import arguments, same


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda one: one.__name__)
def test_a_kernel_computes_what_the_function_does_on_numpy(function) -> None:
    built = program(function)
    given = arguments(function, dict.fromkeys("ABCN", 5) | dict.fromkeys("DEIKMO", 6), 1)
    kernel = shine.compile(sequential(built.main).program, target="interpret")
    with np.errstate(all="ignore"):
        assert same(kernel(*given), function(*given))
