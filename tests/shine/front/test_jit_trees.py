"""`shine.jit` of functions that take and return tuples, lists and dictionaries of arrays."""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rise import RiseError
from shine.front.jit import jit
from tests import required_tools
from tests.examples import some

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

Layer = namedtuple("Layer", "weights bias")
RANDOM = np.random.default_rng(5)
X = RANDOM.random((4, 7))
W, B = RANDOM.random((7, 5)), RANDOM.random(5)
PARAMETERS = {"weights": W, "bias": B}


def dense(p: Any, x: Any) -> Any:
    return np.maximum(x @ p["weights"] + p["bias"], 0)


def layers(parameters: Any, x: Any) -> Any:
    for p in parameters:
        x = np.tanh(x @ p["weights"] + p["bias"])
    return x


def moved(p: Any, gradient: Any, rate: Any) -> Any:
    return {name: p[name] - rate * gradient[name] for name in p}


def named(p: Any, x: Any) -> Any:
    return Layer(p.weights * 2, p.bias + x.sum())


def parts(x: Any) -> Any:
    return x.sum(), {"rows": [x.sum(axis=1), x.T], "one": (x[0],), "none": {}, "nothing": [()]}


def chosen(x: Any, options: Any) -> Any:
    return x * options["scale"] + options["count"] if options["on"] else x


def in_pairs(pair: Any) -> Any:
    (a, b), c = pair
    return a + b * c


CASES: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (dense, (PARAMETERS, X)),
    (layers, ([PARAMETERS, {"weights": W[:5], "bias": B}], X)),
    (moved, (PARAMETERS, {"weights": W[::-1], "bias": B[::-1]}, 0.1)),
    (named, (Layer(W, B), X)),
    (parts, (X,)),
    (chosen, (X, {"scale": 2.0, "count": 3, "on": True})),
    (in_pairs, (((X, X[::-1]), X.mean()),)),
]


def same(found: Any, expected: Any) -> bool:
    """Whether two trees are equal: the classes and keys of the nodes, the types and elements of the leaves."""
    if not isinstance(expected, tuple | list | dict):
        one, other = np.asarray(found), np.asarray(expected)
        return one.dtype == other.dtype and one.shape == other.shape and np.allclose(one, other)
    if isinstance(expected, dict):
        return list(found) == list(expected) and all(same(found[key], expected[key]) for key in expected)
    return type(found) is type(expected) and all(map(same, found, expected)) and len(found) == len(expected)


@pytest.mark.parametrize(
    ("function", "arguments"), some(CASES, 5), ids=lambda one: getattr(one, "__name__", "")
)
def test_trees_are_accepted_and_returned(function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    compiled = jit(function)
    for _ in range(2):  # the second call repeats the first
        assert same(compiled(*arguments), function(*arguments))


def test_calls_with_trees_of_one_layout_share_a_kernel() -> None:
    compiled = jit(dense)
    first = compiled.lower(PARAMETERS, X).kernel
    assert (
        compiled.lower(p={"weights": W[:, :1], "bias": B[:1]}, x=X[:2]).kernel is not first
    )  # an axis of length 1
    assert compiled.lower({"weights": np.tile(W, 2), "bias": np.tile(B, 2)}, X[:2]).kernel is first
    assert str(first.signature).startswith("dense(p_weights: N.M.f64, p_bias: M.f64, x: K.N.f64)")


def test_in_another_program_it_is_called_as_a_function() -> None:
    inner = jit(dense)
    outer = jit(lambda p, x: inner(p, x).sum())
    assert np.allclose(outer(PARAMETERS, X), dense(PARAMETERS, X).sum())
    by_name = jit(lambda p, x: inner(x=x, p=p).sum())
    assert np.allclose(by_name(PARAMETERS, X), dense(PARAMETERS, X).sum())


def test_a_dictionary_that_is_changed_is_a_copy() -> None:
    def changed(p: Any) -> Any:
        p["bias"] = p["bias"] + 1
        return p

    given = dict(PARAMETERS)
    assert jit(changed)(given)["bias"].tolist() == (B + 1).tolist()
    assert given["bias"] is B


def test_names_of_leaves_differ_from_other_parameters() -> None:
    compiled = jit(lambda p, p_a: p["a"] + p_a * p["a "])
    assert compiled({"a": X, "a ": X + 1}, X).tolist() == (X + X * (X + 1)).tolist()


def test_tuples_without_arrays_are_part_of_the_program() -> None:
    shaped = jit(lambda x, shape: np.zeros(shape) + x.sum())
    assert shaped(X, (2, 3)).shape == (2, 3)


def test_an_error_is_shown_with_the_keys() -> None:
    with pytest.raises(
        RiseError, match=r"called with p\['weights'\]: N.M.f64, p\['bias'\]: M.f64, x: K.N.f64"
    ):
        jit(lambda p, x: p["weights"] @ x)(PARAMETERS, X)
