"""Functions with loops, branches and assignments compute the same as programs as on numpy arrays."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.embedding import program
from rise.scalars import SCALARS
from tests.examples import THOROUGH, some
from tests.rise.embedding.loop_programs import LEAST, LOOPS

FUNCTIONS = {function.__name__: function for function in LOOPS}
SIZES = (0, 1, 2, 5)
COMPILED = list(FUNCTIONS) if THOROUGH else ["factored", "common", "clipped"]


def typed(function: Callable[..., Any], floating: str) -> dict[str, str]:
    """The types of a function's parameters; `F` stands for a type of floats."""
    return {name: re.sub(r"\bF\b", floating, t) for name, t in function.__annotations__.items()}


@cache
def traced(name: str, floating: str) -> Any:
    function = FUNCTIONS[name]
    annotations = function.__annotations__
    function.__annotations__ = typed(function, floating)
    try:
        return program(function)
    finally:
        function.__annotations__ = annotations


def arguments(name: str, floating: str, n: int) -> list[Any]:
    rng = np.random.default_rng(n)
    sizes = {"N": n, "M": n + 1, "K": n + 2}
    found: list[Any] = []
    for t in typed(FUNCTIONS[name], floating).values():
        if t == "nat":
            found.append(3)
            continue
        *axes, element = t.split(".")
        shape = tuple(eval(axis, sizes) for axis in axes)
        values = rng.integers(1, 9, shape) if element.startswith("i") else rng.standard_normal(shape)
        if len(shape) == 2 and shape[0] == shape[1]:
            values = values @ values.T + 8 * np.eye(len(values))
        found.append(np.asarray(values, SCALARS[element].dtype)[()])
    return found


def leaves(result: Any) -> list[Any]:
    return [leaf for part in result for leaf in leaves(part)] if isinstance(result, tuple) else [result]


def expected(name: str, given: list[Any]) -> list[Any]:
    """The results by numpy, or else the arrays that the function assigns to."""
    copies = [each.copy() if isinstance(each, np.ndarray) else each for each in given]
    result = FUNCTIONS[name](*copies)
    return leaves(
        tuple(each for each in copies if isinstance(each, np.ndarray)) if result is None else result
    )


def agrees(found: Any, wanted: list[Any], floating: str) -> bool:
    close = 1e-3 if floating == "f32" else 1e-9
    mine = leaves(found)
    return len(mine) == len(wanted) and all(
        np.shape(a) == np.shape(b) and np.allclose(a, b, rtol=close, atol=close)
        for a, b in zip(mine, wanted, strict=True)
    )


@pytest.mark.parametrize(
    ("name", "floating"),
    some(
        some([*((name, "f64") for name in FUNCTIONS), *((name, "f32") for name in some(FUNCTIONS, 9))], 2), 2
    ),
)
def test_a_program_agrees_with_its_function_on_numpy(name: str, floating: str) -> None:
    built = traced(name, floating)
    for n in SIZES if floating == "f64" else (3,):
        if n >= LEAST.get(name, 0):
            given = arguments(name, floating, n)
            assert agrees(built(*given), expected(name, given), floating), (n, built.text)


@pytest.mark.parametrize("name", some(FUNCTIONS, 3))
def test_the_printed_term_can_be_parsed(name: str) -> None:
    built = traced(name, "f64")
    assert rise.parse(built.text).main == built.main


@pytest.mark.parametrize("name", some(FUNCTIONS, 8))
def test_a_kernel_agrees_with_numpy(name: str) -> None:
    given = arguments(name, "f64", 3)
    kernel = shine.compile(traced(name, "f64"), target="interpret")
    assert agrees(kernel(*given), expected(name, given), "f64")


@pytest.mark.parametrize("name", some(COMPILED, 2))
def test_a_compiled_kernel_agrees_with_numpy(name: str) -> None:
    given = arguments(name, "f64", 4)
    kernel = shine.compile(traced(name, "f64"), target="openmp")
    assert agrees(kernel(*given), expected(name, given), "f64")


def patterns(name: str) -> set[str]:
    """The reductions and loops of a program's term."""
    return set(re.findall(r"\b(?:reduceSeq|reduce|iterateWhile)\b", traced(name, "f64").text))


def test_loops_with_independent_iterations_have_no_state() -> None:
    assert patterns("smoothed") == set()
    assert patterns("turns") == {"iterateWhile"}  # the inner loop
    assert "N.f64" not in traced("polynomial", "f64").text.split("=>", 1)[1]


def test_loops_that_only_accumulate_are_reductions() -> None:
    assert patterns("total") == {"reduce"}
    assert patterns("multiplied") == patterns("convolved") == {"reduce"}


def test_loops_with_dependent_iterations_stay_loops() -> None:
    for name in ("summed", "shortest", "relaxed", "factored", "counted", "histogram", "stepped"):
        assert patterns(name) == {"reduceSeq"}, name


def test_a_loop_without_a_source_is_refused_with_the_reason() -> None:
    names: dict[str, Any] = {}
    exec("def f(x):\n    for i in range(len(x)):\n        x[i] += i\n    return x\n", names)
    names["f"].__annotations__ = {"x": "N.f64"}
    with pytest.raises(rise.RiseError, match="define the function in a file"):
        program(names["f"])


def test_a_function_without_a_source_runs_and_its_errors_say_so() -> None:
    names: dict[str, Any] = {"np": np}
    exec(
        "def f(x: 'N.f32'):\n    return np.exp(x)\ndef g(x: 'N.f32'):\n    for v in x:\n        pass\n", names
    )
    assert str(program(names["f"]).type) == "{N: nat} -> N.f32 -> N.f32"
    with pytest.raises(rise.RiseError) as error:
        program(names["g"])
    assert "define the function in a file" in error.value.diagnostic.hint


def test_decorated_functions_are_read_too() -> None:
    def twice(function: Callable[..., Any]) -> Callable[..., Any]:
        def wrapper(x: N.f64) -> Any:
            return function(x) * 2

        return wrapper

    @program
    @twice
    def doubled(x: N.f64):
        s = 0.0
        for v in x:
            s += v
        return s

    assert doubled(np.arange(4.0)) == 12


@pytest.mark.parametrize("decorator", [cache, lru_cache(maxsize=3)])
def test_functions_with_a_cache_are_read_without_it(decorator: Callable[..., Any]) -> None:
    @decorator
    def last_above(x: Any, limit: float) -> Any:
        found = limit
        for v in x:
            if v > limit:
                found = v
        return found

    @program
    @decorator
    def f(x: N.f64):
        return last_above(x, 1.0)

    @program
    def g(x: N.f64):
        return last_above(x, 1.0)

    for one in (f, g):
        assert one(np.array([1.0, 3.0, 2.0, 0.5])) == 2


def test_python_values_may_change_if_everything_is_known() -> None:
    @program
    def f(x: N.f64, n: f64):
        ends = {"first": 0.0}
        found = []
        for i in range(2):
            ends["first"] = x[i]
            found += [x[i]]
        if len(x.shape) > 1:
            raise ValueError("more than one axis")
        assert len(found) == 2
        return ends["first"] + found[0] + n

    assert f(np.array([1.0, 2.0]), 4.0) == 7


def test_random_numbers_of_a_seed_are_part_of_the_program() -> None:
    def noisy(x: Any) -> Any:
        rng = np.random.default_rng(3)
        return x + rng.standard_normal(4)

    x = np.arange(4.0)
    np.testing.assert_array_equal(rise.evaluate(program(noisy, types={"x": "4.f64"}), x), noisy(x))


def test_lambdas_are_read_as_functions_are() -> None:
    x, y = np.arange(1.0, 7.0), -np.arange(3.0)
    halves, both = lambda x: x[: len(x) - 1] + x[1:], lambda x: np.ones(len(x)) if x.sum() > 0 else x  # fmt: skip
    inner = lambda x: (lambda row: row[: len(row) - 2])(x) * (lambda row: row[2:])(x)  # noqa: E731
    for function in (halves, both, inner):
        made = program(function, types={"x": "N.f64"})
        for given in (x, y):
            np.testing.assert_array_equal(rise.evaluate(made, given), function(given))


def test_the_negative_of_a_size_counts_from_the_end() -> None:
    def function(x: Any, k: int) -> Any:
        return x[k:] - x[:-k] + x[-k:].sum() + x[-k], x[k:-k]

    made = program(function, types={"x": "N.f64", "k": "nat"})
    x = np.arange(7.0) ** 2
    for k in (1, 2, 3):
        for found, wanted in zip(rise.evaluate(made, x, k), function(x, k), strict=True):
            np.testing.assert_array_equal(found, wanted)
    with pytest.raises(rise.RiseError, match="the program promises"):
        rise.evaluate(made, x, 0)
