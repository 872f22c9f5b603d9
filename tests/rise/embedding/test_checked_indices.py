"""Indices from data in Python programs: read, assigned and rejected as in numpy, and reported at the line."""

# Parameters are annotated with RISE types, and programs are small functions of arrays.
# ruff: noqa: F722, F821

import copy
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from tests.examples import in_turns

X: Final = np.arange(4.0)
A: Final = np.arange(8.0).reshape(4, 2)
#: within an axis of 4, at its ends, beyond each end, and no indices
PLACES: Final = ([0, 2, 1], [3, -4, -1], [1, 4, 0], [0, -5, 2], [])


@rise.program
def gathered(x: "N.f64", a: "N.2.f64", k: "M.i64"):
    return x[k], np.take(a, k, axis=0), a[k, k % 2]


@rise.program
def from_tables(x: "N.f64", a: "N.2.f64", k: "M.i64"):
    """Known arrays, of the module and of the function, indexed by values of the program."""
    squares = np.arange(4) ** 2
    table = np.stack([squares, X])
    return X[k], squares[k], table[1, k], table[:, k], table[k % 2, 2:], table[0][1], X[: len(x)] * x


@rise.program
def only_a_table(x: "N.f64", a: "N.2.f64", k: "M.i64"):
    return X[k]


@rise.program
def counted(x: "N.f64", a: "N.2.f64", k: "M.i64"):
    for i in range(len(k)):
        x[k[i]] += 1.0
        a[k[i] - 1, 1] = x[k[i]]
    return x, a


@rise.program
def in_branches(x: "N.f64", a: "N.2.f64", k: "M.i64"):
    y = np.zeros(len(k))
    for i in range(len(k)):
        if k[i] >= len(x):
            continue
        if k[i] < 0:
            y[i] = -1.0
        else:
            y[i] = x[k[i]] * x[k[i]] + a[k[i]].sum()
            x[k[i]] = 7.0
    return y, x


@rise.program
def after_tests(x: "N.f64", a: "N.2.f64", k: "M.i64"):
    found = 0
    for i in range(len(k)):
        if (0 <= k[i] < len(x) and x[k[i]] > 1) or k[i] < -4:
            found += 1
        elif k[i] >= len(x) or not (k[i] < 0 or a[k[i], 0] > 0):
            found += 10
    return found


@rise.program
def until_found(x: "N.f64", a: "N.2.f64", k: "M.i64"):
    i = 0
    while i < len(k) and k[i] >= 0 and x[k[i]] != 2.0:
        i += 1
    return i, x


PROGRAMS: Final = (gathered, from_tables, only_a_table, counted, in_branches, after_tests, until_found)


def outcome(run: Any, *given: Any) -> Any:
    """The result of a function as a flat list, or the message that an index is out of range."""
    try:
        result = run(*copy.deepcopy(given))
    except IndexError:
        return "out of range"
    except rise.RiseError as error:
        return "out of range" if error.diagnostic.code == "index-out-of-range" else error
    flat, waiting = [], [result]
    while waiting:
        one = waiting.pop()
        if isinstance(one, tuple):
            waiting += reversed(one)
        else:
            flat.append(np.asarray(one).tolist())
    return flat


@pytest.mark.parametrize(("target", "program"), in_turns([None, "openmp"], PROGRAMS))
def test_numpy_and_programs_reject_the_same_indices(
    program: rise.embedding.programs.PythonProgram, target: Any
) -> None:
    run = program if target is None else shine.compile(program, target=target)
    outcomes = [outcome(program.python, X, A, np.array(places, int)) for places in PLACES]
    assert "out of range" in outcomes or program not in PROGRAMS[:4]
    for places, expected in zip(PLACES, outcomes, strict=True):
        assert outcome(run, X, A, np.array(places, int)) == expected, places


@rise.program
def invariant(x: "N.f64", k: "i64", y: "M.f64"):
    for i in range(len(y)):
        y[i] += x[k]
    return y


def test_loops_without_iterations_check_nothing() -> None:
    assert invariant(X, 9, X[:0]).tolist() == [] == shine.compile(invariant)(X[:0], 0, X[:0]).tolist()
    assert invariant(X, -1, np.ones(2)).tolist() == [4, 4]
    assert outcome(invariant, X, 4, np.ones(2)) == "out of range"


def test_arrays_without_elements_have_no_indices() -> None:
    """But none is needed if there are no elements to read."""
    none = np.zeros(0, int)
    assert outcome(gathered, X[:0], A[:0], none) == outcome(gathered.python, X[:0], A[:0], none)
    assert outcome(gathered, X[:0], A[:0], np.array([0])) == "out of range"


@rise.program
def twice(x: "N.f64", k: "M.i64"):
    first = x[k]
    return first * x[k + 1]


def lines(run: Any, *given: Any) -> list[str]:
    with pytest.raises(rise.RiseError) as caught:
        run(*given)
    return str(caught.value).splitlines()


def test_an_error_is_at_the_line_of_the_function() -> None:
    """If several lines are possible, all are listed; a kernel reports the same, with the part of the program."""
    said = lines(invariant, X, 4, np.ones(1))
    assert said[0] == "error[index-out-of-range]: expected an index from -4 to 3, found 4"
    assert "test_checked_indices.py:" in said[1] and said[2].strip().endswith("y[i] += x[k]")
    assert said[-1] == 'hint: fix the index, or choose a mode: `np.take(x, i, mode="clip")` or `mode="wrap"`'
    of_kernel = lines(shine.compile(invariant), X, 4, np.ones(1))
    assert [*of_kernel[:4], of_kernel[-1]] == said and of_kernel[4].startswith(
        "note: in toIndexFromEitherEnd"
    )
    listed = lines(twice, X, np.array([3]))[1]
    assert listed.startswith("note: at one of test_checked_indices.py:")
    assert listed.endswith("`x[k + 1]`") and "`x[k]`" in listed
    assert lines(shine.jit(twice.python), X, np.array([3]))[1] == listed
