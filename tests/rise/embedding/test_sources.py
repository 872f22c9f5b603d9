"""The source of a function is read once, however often a program calls it."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import shine
from rise import RiseError
from rise.embedding import program, rewritten_functions


def larger(x: Any) -> Any:
    return x + 1.0 if x < 0.0 else x


def other(x: Any) -> Any:
    return larger(x) * 2.0 if x < 1.0 else x


def reads_of(function: Callable[[], object]) -> int:
    """The number of times that the sources of functions are looked up while a function runs."""
    with patch.object(
        rewritten_functions, "definition_of", side_effect=rewritten_functions.definition_of
    ) as looked_up:
        function()
    return looked_up.call_count


def many_calls(x: "f64") -> "f64":  # type: ignore[name-defined]  # noqa: F821  # a type of RISE
    for _ in range(20):
        x = other(x)
    return x


def test_functions_that_are_called_often_are_read_once() -> None:
    assert reads_of(lambda: program(many_calls)) == 3


def test_an_endless_recursion_reads_its_source_once() -> None:
    endless = shine.jit(lambda x: endless(x) + 1)

    def called() -> None:
        with pytest.raises(RiseError, match="recursion"):
            endless(np.ones(3))

    assert reads_of(called) == 1
