"""Functions inside a function read its names when they are called, as in Python: also those that a loop or a branch
assigned after they were made.
"""

# lambdas with names are what users write
# ruff: noqa: E731, B007, B023

from __future__ import annotations

import inspect

import numpy as np
import pytest

import rise
import shine


def assigned_in_a_loop(x):
    c = 2.0

    def f(v):
        return v * c

    s = 0.0
    for i in range(len(x)):
        c = c + 1
        s += f(x[i])
    return s


def assigned_in_a_branch(x):
    c = 2.0
    f = lambda v: v * c
    if x[0] > 0:
        c = 5.0
    return f(1.0)


def called_on_both_sides(x):
    c = 2.0
    f = lambda v: v * c
    if x[0] > 1:
        c = 5.0
        r = f(x[1])
    else:
        c = c + 1
        r = f(x[2]) + 1
    return r + f(x[0])


def of_the_loop_variable(x):
    f = lambda: x[i] * 2
    s = 0.0
    for i in range(len(x)):
        s += f()
    return s


def in_a_while(x):
    c = 1.0

    def g():
        return f(2.0) + c

    def f(v):
        return v * c

    k = 0
    while c < x[0] + 5:
        c = c * 2
        k += 1
        if f(1.0) > 3:
            c = c + 0.5
    return g() + k


def of_an_array(x):
    y = x
    f = lambda i: y[i] * 2
    s = 0.0
    for i in range(len(x)):
        y = y + 1
        s += f(i)
    return s


def in_nested_loops(x):
    c = 0.0
    f = lambda: c * 10
    s = 0.0
    for i in range(len(x)):
        for _ in range(3):
            c = c + x[i]
            if c > 2:
                s += f()
            else:
                s -= f()
    return s + c


def before_a_return(x):
    c = 1.0
    f = lambda v: v + c
    if x[0] > 0:
        c = 3.0
        return f(x[1])
    else:
        c = 4.0
        return f(x[2])


def with_a_generator(x):
    c = 1.0
    f = lambda: sum(v * c for v in x)
    if x[0] > 0:
        c = 3.0
    return f()


def made_in_the_loop(x):
    y = np.zeros_like(x)
    for i in range(len(x)):
        t = x[i] * 2
        h = lambda v: v * t
        y[i] = h(3.0)
    return y


def in_a_list(x):
    c = 1.0
    fs = [lambda v: v + c, lambda v: v * c]
    for i in range(len(x)):
        c = c + x[i]
    return fs[0](1.0) + fs[1](2.0)


def with_a_break(x):
    c = 0.0
    f = lambda: c + 1
    for i in range(len(x)):
        c = x[i]
        if f() > 2:
            break
    return f()


FUNCTIONS = [
    one for one in list(globals().values()) if inspect.isfunction(one) and one.__module__ == __name__
]


@pytest.mark.parametrize("x", [[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0, 7.0], [2.0, 0.0, 1.0]], ids=len)
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda one: one.__name__)
def test_names_are_read_when_a_function_is_called(function, x):
    found = rise.evaluate(rise.program(function, types={"x": "N.f64"}).main, np.array(x))
    np.testing.assert_allclose(found, function(np.array(x)))


def test_a_function_of_one_iteration_keeps_iterations_apart():
    text = rise.program(made_in_the_loop, types={"x": "N.f64"}).text
    assert "generate" in text and "reduceSeq" not in text


def test_a_call_by_jit_is_right_too():
    x = np.array([1.0, 2.0, 3.0])
    assert shine.jit(assigned_in_a_loop)(x) == assigned_in_a_loop(x) == 26.0
