"""The source of a function is read once, however often a program calls it."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import shine
from rise import RiseError
from rise.embedding import definitions, program, rewritten_functions


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


def test_a_file_is_parsed_once_for_all_of_its_functions() -> None:
    functions = (larger, other, lambda x: larger(x) if x < 2.0 else other(x), many_calls)
    definitions._functions_in.cache_clear()
    with patch.object(definitions.ast, "parse", side_effect=definitions.ast.parse) as parsed:
        found = [definitions.definition_of(function.__code__) for function in functions * 2]
    assert parsed.call_count == 1
    assert [one.name for one in found if one] == 2 * ["larger", "other", definitions.LAMBDA, "many_calls"]
    assert found[0] is not found[4], "a caller may change what it gets"
    for one, again in zip(found[:4], found[4:], strict=True):
        assert one and again
        assert definitions.ast.dump(one, include_attributes=True) == definitions.ast.dump(
            again, include_attributes=True
        )


def test_a_long_expression_is_read() -> None:
    """Its tree is too deep for `copy.deepcopy`."""
    source = f"def long(x):\n    return {' + '.join(['x'] * 400)}\n"
    file = "<a long expression>"
    names: dict[str, Any] = {}
    exec(compile(source, file, "exec"), names)
    with patch.dict(definitions.linecache.cache, {file: (len(source), None, source.splitlines(True), file)}):
        found = definitions.definition_of(names["long"].__code__)
    assert found
    assert sum(isinstance(node, definitions.ast.BinOp) for node in definitions.ast.walk(found)) == 399


def test_an_endless_recursion_reads_its_source_once() -> None:
    endless = shine.jit(lambda x: endless(x) + 1)

    def called() -> None:
        with pytest.raises(RiseError, match="recursion"):
            endless(np.ones(3))

    assert reads_of(called) == 1
