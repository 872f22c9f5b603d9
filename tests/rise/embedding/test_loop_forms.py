"""The forms that the loops of a function take in its program, and the reasons that `explain` gives."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import numpy as np
import pytest

import rise
import shine


def independent(x: N.f64, y: N.f64):
    for i in range(1, len(x) - 1):
        y[i] = x[i - 1] + x[i + 1]
    return y


def accumulating(x: N.f64):
    total = 0.0
    for v in x:
        total += v * v
    return total


def ordered(x: N.f64):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


def carrying(x: N.f64):
    last = 0.0
    for i in range(len(x)):
        x[i] -= last
        last = x[i]
    return x


def on_data(x: N.f64):
    error = 1.0
    while error > 0.1:
        x = x * 0.5
        error = x.max()
    return x


def few(x: N.f64):
    for k in range(3):
        x = x + k
    return x


def nested(a: N.M.f64):
    for i in range(a.shape[0]):
        for j in range(1, a.shape[1]):
            a[i, j] += a[i, j - 1]
        a[i, 0] = sum(v for v in a[i])
    return a


def late(x: N.f64, k: i64):
    """The only loop is a statement; the slice is a loop, too."""
    for i in range(len(x)):
        x[i] += x[:k].sum()
    return x


REASONS = {
    independent: ["`generate`, since no iteration uses elements of `y` that another one assigns"],
    accumulating: [
        "`reduce`, since an iteration only combines `total` with a value that does not depend on it, by `add`"
    ],
    ordered: ["`reduceSeq`, since an iteration may use elements of `x` that another one assigns"],
    carrying: ["`reduceSeq`, since each iteration needs `last` of the one before"],
    on_data: ["`iterateWhile`, since data decide when it ends"],
    few: ["unrolled, since its iterations are known, and few or not alike"],
    nested: [
        "`generate`, since no iteration uses elements of `a` that another one assigns",
        "`reduceSeq`, since an iteration may use elements of `a` that another one assigns",
    ],
    late: ["`reduceSeq`, since an iteration may use elements of `x` that another one assigns"],
}


@pytest.mark.parametrize("function", REASONS, ids=lambda function: function.__name__)
def test_each_loop_has_a_form_and_a_reason(function: object) -> None:
    loops = rise.program(function).loops
    assert [str(form).split(": ", 1)[1] for form in loops] == REASONS[function]
    assert [form.place.line for form in loops] == sorted(form.place.line for form in loops)


@pytest.mark.parametrize("function", REASONS, ids=lambda function: function.__name__)
def test_the_form_is_in_the_program(function: object) -> None:
    built = rise.program(function)
    assert all(form.primitive in built.text for form in built.loops)


def test_explain_lists_the_loops() -> None:
    said = shine.jit(accumulating).explain(np.ones(4))
    line = accumulating.__code__.co_firstlineno + 2
    assert f"\nline {line}: `reduce`, since" in said
