"""Python tuples in programs: nested pairs, unpacked by assignments and passed to the function of a fold."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from typing import Any

import numpy as np

import rise
import shine
from rise.embedding import fold, map

X = np.arange(1, 5, dtype=np.float32)


@rise.program
def weighted(p: "(f32, f32, f32)", x: "N.(f32, f32, f32)"):
    a, b, c = p
    u, v, w = x
    return u * a + v * b - w * c


@rise.program
def elements(x: "N.(f32, f32, f32)"):
    def combined(e: Any) -> Any:
        a, b, c = e
        return a - b * c

    return map(combined, x)


@rise.program
def folded(x: "N.f32"):
    def step(state: Any, v: Any) -> Any:
        a, b, c = state
        return b, c + v, a * 0.5

    a, b, c = fold(step, (0.0, 1.0, 2.0), x)
    return a + b - c


@rise.program
def by_index(x: "N.f32"):
    low, high, total = fold(
        lambda s, v: (np.minimum(s[0], v), np.maximum(s[1], v), s[2] + v), (9.0, 0.0, 0.0), x
    )
    return total / (high - low)


@rise.program
def nested(x: "N.f32"):
    state = fold(lambda s, v: ((s[0][1], s[0][0] + v), s.second + 1), ((0.0, 1.0), 2.0), x)
    return state[0][0] * state[1] + state.first[1] + (state | rise.dsl.snd)


def test_tuples_are_unpacked_as_in_python() -> None:
    p = np.float32(1), np.float32(2), np.float32(3)
    assert weighted(p, (X, X + 1, X * 2)).tolist() == weighted.python(p, (X, X + 1, X * 2)).tolist()
    assert elements((X, X, X * 2)).tolist() == (X - X * X * 2).tolist()
    assert str(weighted.type) == "{N: nat} -> (f32, (f32, f32)) -> N.(f32, (f32, f32)) -> N.f32"


def test_the_state_of_a_fold_is_a_tuple_if_its_start_value_is() -> None:
    for one in (folded, by_index):
        assert one(X) == one.python(X)
    a, b, count = 0.0, 1.0, 2.0
    for v in X.tolist():
        a, b, count = b, a + v, count + 1
    assert nested(X) == a * count + b + count


def test_a_function_that_is_compiled_returns_the_tuple_of_a_fold() -> None:
    @shine.jit
    def extremes(x: Any) -> Any:
        return fold(lambda s, v: (np.minimum(s[0], v), np.maximum(s[1], v), s[2] + v), (x[0], x[0], 0.0), x)

    low, high, total = extremes(X)
    assert (low, high, total) == (1, 4, 10)
