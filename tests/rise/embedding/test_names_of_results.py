"""Numbers that a Python function computes twice are computed once, and the parts of a long state have names."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine


def scaled(x: N.f64, dt: f64, k: i64):
    first = x[1:] / (2 * dt) + dt * dt
    second = x[:-1] / (2 * dt) - dt * dt
    return first * second + x[k] * dt + x[k] * dt


def of_parts(x: N.f64, y: N.f64, k: i64):
    """The number that depends on the length of `x[:k]` is of a function of that length, and is computed again."""
    a, b = x[:k], y[:k]
    return (a * (len(a) * 2.0)).sum() + (b * (len(b) * 2.0)).sum() + float(k) * 2.0


def branches(x: N.f64, k: i64):
    """A number of an array that changes: `x[k]` is another one after the assignment."""
    before = x[k] * 3.0
    x[k] = before + 1.0
    return before + x[k] * 3.0


def damped(u: N.f64, v: N.f64, w: N.f64, steps: nat):
    """The state has a number and three arrays."""
    change = 1.0
    for _ in range(steps):
        old = u.copy()
        u[1:] += v[1:] * w[:-1]
        v[1:] -= old[:-1] * w[1:]
        w[1:] *= 0.5
        change = abs(u - old).sum()
    return change


X, Y, W = np.arange(8.0), np.arange(8.0) ** 2, np.linspace(0.0, 1.0, 8)


@pytest.mark.parametrize(
    ("function", "arguments"),
    [
        (scaled, (X, 0.25, 3)),
        (of_parts, (X, Y, 5)),
        (branches, (X, 2)),
        (damped, (X, Y, W, 3)),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_results(function, arguments):
    wanted = function(*(one.copy() if isinstance(one, np.ndarray) else one for one in arguments))
    found = shine.jit(function)(*(one.copy() if isinstance(one, np.ndarray) else one for one in arguments))
    np.testing.assert_allclose(found, wanted)


def test_equal_numbers_are_computed_once():
    text = rise.program(scaled).text
    assert text.count("dt * dt") == text.count("2.0f64 * dt") == 1


def test_the_names_of_a_long_state_are_those_of_the_function():
    text = rise.program(damped).text
    for name in "uvw":
        assert f"let {name}1 = " in text
    assert text.count("snd(snd(snd(") <= 2  # one name, and the result


def test_a_short_state_has_no_names():
    def total(x: N.f64, steps: nat):
        a, b = 0.0, 1.0
        for _ in range(steps):
            a, b = b + x[0] * a, a
        return a

    assert "let" not in rise.program(total).text


def test_a_slice_with_known_bounds_is_made_once():
    """Also after its array has changed: a view shows the new elements."""
    parts = []

    def ends(x: N.f64):
        view = x[1:-1]
        parts.append((view.part, x[1:-1].part))
        x[1] = 7.0
        parts.append((view.part, x[1:-1].part))
        return view + x[1:-1] * x[:-2]

    function = rise.program(ends)
    (first, again), (changed, changed_again) = parts
    assert first is again and changed is changed_again and first is not changed
    np.testing.assert_array_equal(rise.evaluate(function.main, np.arange(5.0)), [7.0, 16.0, 9.0])
