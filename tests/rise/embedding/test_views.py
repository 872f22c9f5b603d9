"""Results of numpy functions are views or copies as in numpy: later assignments show in views only."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import rise
from rise.embedding import program
from shine import jit
from tests.examples import some
from tests.rise.embedding.test_random_loops import function_of

#: views of a matrix `x`, and itself
VIEWS: Final = (
    "np.asarray(x), np.asarray(x, np.float64), np.asanyarray(x), np.ascontiguousarray(x), np.array(x, copy=False)",
    "np.asarray(x.T), np.asarray(x[0]), np.array(x.T, copy=None), np.asarray(x[0], order='F'), np.asarray(x[0, ::2])",
    "x.astype(np.float64, copy=False), x.conj(), x.conjugate(), x.view(), x.view(np.int64), x.view(np.float64)",
    "np.diagonal(x), x.diagonal(), np.diag(x), np.diag(x, 1), np.einsum('ij->ji', x), np.einsum('ii->i', x)",
    "np.einsum('ij', x), np.einsum('ji', x), np.expand_dims(x[0], (0, 2)), np.expand_dims(x, (0, -1))",
    "x.ravel(), x[1:].ravel(), x[1].ravel(), x.reshape(2, -1), x[1:].reshape(-1), x[None].reshape(-1)",
    "x[:, 1:].reshape(1, x.shape[0], -1), x[:, ::2].reshape(x.shape[0], 1, -1), x[:, 0].reshape(2, -1)",
    "x.T.reshape(1, x.shape[0], -1), np.split(x, 2, axis=1)[1], np.split(x, [1, 3])[1], np.squeeze(x[:, None])",
)
#: copies of it
COPIES: Final = (
    "x.flatten(), x.T.flatten(), x[:, 1:].flatten(), np.array(x), np.array(x.T), np.asarray(x, np.float32)",
    "np.ascontiguousarray(x.T), np.ascontiguousarray(x[:, 1:]), np.asarray(x, order='F'), x.astype(np.float64)",
    "np.tile(x, 1), np.tile(x[0], 2), *np.meshgrid(x[0], x[1]), *np.meshgrid(x[0], x[1], sparse=True)",
    "np.nan_to_num(x), np.nan_to_num(x.view(np.int64)), np.conj(x), np.einsum('ij->i', x), np.full_like(x, x[0])",
)
#: views and copies of a matrix of two rows
ROWS: Final = ("p, q = x", "p, q = [*x]", "p, q = [row for row in x]", "p, q = [row + 0.0 for row in x]")


def results(function: Any, array: Any) -> list[Any]:
    result = function(array)
    return (
        [result]
        if isinstance(result, np.ndarray)
        else [one for part in result for one in results(lambda a: a, part)]
    )


def check(text: str, type: str, shape: tuple[int, ...]) -> None:
    """Compare a function with its program, and what it does to its argument with what its kernel does."""
    function = function_of(f"import numpy as np\n{text}")
    array = np.random.default_rng(1).random(shape)
    theirs, mine = array.copy(), array.copy()
    wanted = results(function, theirs)
    function.__annotations__ = {"x": type}
    found = results(program(function), array), results(jit(function, target="interpret"), mine)
    for each in found:
        for one, other in zip(each, wanted, strict=True):
            assert one.dtype == other.dtype
            np.testing.assert_allclose(one, other, rtol=1e-14)
    assert np.array_equal(mine, theirs)


@pytest.mark.parametrize("made", some([*VIEWS, *COPIES], 3))
def test_later_assignments_show_in_views_only(made: str) -> None:
    check(f"def f(x):\n    y = {made},\n    x[0, 0] = 4\n    x[1:] += 1\n    return y\n", "N.N.f64", (6, 6))


@pytest.mark.parametrize(
    "made",
    ["np.asarray(x)", "np.ascontiguousarray(x)", "x.astype(float, copy=False)", "x.conj()", "x.view()"],
)
def test_arrays_that_are_returned_as_they_are_can_be_assigned_to(made: str) -> None:
    check(f"def f(x):\n    y = {made}\n    y[0] = 4\n    y += 1\n    return x\n", "N.M.f64", (3, 4))


@pytest.mark.parametrize("made", ["x.flatten()", "np.tile(x, 1)", "np.ascontiguousarray(x.T)", "np.array(x)"])
def test_copies_are_assigned_to_alone(made: str) -> None:
    check(f"def f(x):\n    y = {made}\n    y[0] = 4\n    return x, y\n", "N.N.f64", (4, 4))


@pytest.mark.parametrize("assigned", ROWS)
def test_rows_of_a_known_number_are_views(assigned: str) -> None:
    check(
        f"def f(x):\n    {assigned}\n    x[0] = 4\n    p[1] = 3\n    q += p\n    return x, p, q\n",
        "2.N.f64",
        (2, 5),
    )


@pytest.mark.parametrize(
    "made", ["x.T.reshape(-1)", "x[:, 1:].ravel()", "x[::2].reshape(-1)", "[row for row in x]"]
)
def test_what_may_be_a_view_or_a_copy_cannot_be_used_after_a_change(made: str) -> None:
    check(
        f"def f(x):\n    y = {made}\n    z = sum(y)\n    x[0, 0] = z.sum()\n    return x\n", "N.M.f64", (3, 4)
    )
    with pytest.raises(rise.RiseError, match=r"error\[alias\]: expected no change of an array"):
        check(f"def f(x):\n    y = {made}\n    x[0, 0] = 4\n    return y\n", "N.M.f64", (3, 4))
