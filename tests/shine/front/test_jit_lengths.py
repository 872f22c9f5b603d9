"""`shine.jit`: lengths that follow from the function, because they must be equal."""

from __future__ import annotations

import operator
from itertools import product
from typing import Any

import numpy as np
import pytest

from rise import RiseError
from rise.embedding.symbolic_sizes import Comparison
from rise.naturals import Nat, NatVar, var
from rise.size_equations import value_at
from shine.front.jit import jit
from tests import required_tools
from tests.examples import some
from tests.shine.front.test_jit import kernels, type_of

pytestmark = required_tools.needs(required_tools.OPENMP, required_tools.has_openmp())

RGB = np.array([0.299, 0.587, 0.114])


@pytest.mark.parametrize(
    ("function", "shape", "expected"),
    some(
        [
            (lambda x: x * RGB, (4, 5, 3), "{N: nat} -> {M: nat} -> N.M.3.f64 -> N.M.3.f64"),
            (lambda x: x @ RGB, (4, 5, 3), "{N: nat} -> {M: nat} -> N.M.3.f64 -> N.M.f64"),
            (lambda x: (x * RGB).sum(axis=0) @ np.eye(3), (5, 3), "{N: nat} -> N.3.f64 -> 3.f64"),
            (lambda x: np.ones((2, 3)) * x[:, None] + RGB, (2,), "2.f64 -> 2.3.f64"),
            (lambda x: (RGB[:2, None] * x).T @ x, (2, 5), "{M: nat} -> 2.M.f64 -> M.M.f64"),
            (lambda x: x + np.ones((2, 3)), (2, 3), "2.3.f64 -> 2.3.f64"),
        ],
        2,
    ),
)
def test_lengths_that_constants_determine_are_numbers(function: Any, shape: Any, expected: str) -> None:
    x = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
    jitted = jit(function)
    assert type_of(jitted, x) == expected
    np.testing.assert_allclose(jitted(x), function(x))
    assert kernels(jitted) == 1


def test_a_call_decides_whether_a_matrix_has_more_rows_or_columns() -> None:
    diagonals = jit(lambda x: (np.trace(x), np.diagonal(x, -1)), target="interpret")
    for shape in ((5, 7), (7, 5), (6, 6), (9, 5)):
        x = np.arange(np.prod(shape), dtype=np.float64).reshape(shape)
        assert (diagonals(x)[0], *diagonals(x)[1]) == (np.trace(x), *np.diagonal(x, -1))
    assert kernels(diagonals) == 3


def unpacked(x: Any) -> Any:
    a, b, c = x / np.linalg.norm(x)
    return np.array([a * b, b - c])


def polar(x: Any) -> Any:
    total = 0.0
    for a, b in x:
        total += np.sqrt(a * a + b * b)
    return total


def gates(x: Any, h: Any) -> Any:
    n = h.shape[1]
    return x[:, :n] * h + np.tanh(x[:, n:])


def windows(x: Any, w: Any) -> Any:
    return np.einsum("nhwij,oij->nohw", np.lib.stride_tricks.sliding_window_view(x, (3, 2), (1, 2)), w)


def selected(x: Any, t: Any) -> Any:
    first = x[:4]
    first[t > 2] = 0
    return first[t < 4].sum()


def dotted(x: Any, y: Any) -> Any:
    total = 0.0
    for a, b in zip(x[1:], y, strict=True):
        total += a * b
    return total


def either(x: Any, t: Any) -> Any:
    y = x[1:] if x[0] > t[0] else t
    return y * 2


@pytest.mark.parametrize(
    ("function", "shapes", "expected"),
    some(
        [
            (unpacked, [(3,)], "3.f64 -> 2.f64"),
            (polar, [(4, 2)], "{N: nat} -> N.2.f64 -> f64"),
            (lambda x: x[:, :2] * x[:, 2:], [(5, 4)], "{N: nat} -> N.4.f64 -> N.2.f64"),
            (gates, [(4, 12), (4, 6)], "{N: nat} -> {K: nat} -> N.(2 * K).f64 -> N.K.f64 -> N.K.f64"),
            (lambda x, y: x[1:] * y, [(5,), (4,)], "{M: nat} -> (M + 1).f64 -> M.f64 -> M.f64"),
            (selected, [(6,), (4,)], "{N: nat} -> N.f64 -> 4.f64 -> f64"),
            (dotted, [(4,), (3,)], "{M: nat} -> (M + 1).f64 -> M.f64 -> f64"),
            (either, [(4,), (3,)], "{M: nat} -> (M + 1).f64 -> M.f64 -> M.f64"),
            (lambda x, y: np.stack([x[1:], y]), [(4,), (3,)], "{M: nat} -> (M + 1).f64 -> M.f64 -> 2.M.f64"),
            (
                lambda x, y: np.concatenate([x[:, 1:], y]),
                [(2, 8), (5, 7)],
                "{N: nat} -> {L: nat} -> {K: nat} -> N.(L + 1).f64 -> K.L.f64 -> (K + N).L.f64",
            ),
            (
                lambda x, y: np.broadcast_to(y, x[1:].shape) + 1,
                [(4,), (3,)],
                "{M: nat} -> (M + 1).f64 -> M.f64 -> M.f64",
            ),
            (lambda x: np.diagonal(x[:, 1:]), [(5, 6)], "{N: nat} -> N.(N + 1).f64 -> N.f64"),
            (lambda x, y: x[1:] * y[:-2] + x[:2], [(3,), (4,)], "3.f64 -> 4.f64 -> 2.f64"),
            (
                windows,
                [(4, 5, 6), (7, 3, 2)],
                "{N: nat} -> {M: nat} -> {K: nat} -> {L: nat} -> N.M.K.f64 -> L.3.2.f64 -> N.L.(M - 2).(K - 1).f64",
            ),
        ],
        2,
    ),
)
def test_lengths_that_must_be_equal_are(function: Any, shapes: list[Any], expected: str) -> None:
    arrays = [np.arange(1.0, 1 + np.prod(shape)).reshape(shape) for shape in shapes]
    jitted = jit(function)
    assert type_of(jitted, *arrays) == expected
    np.testing.assert_allclose(jitted(*arrays), function(*arrays))
    assert kernels(jitted) == 1


def test_short_lengths_of_later_axes_are_numbers() -> None:
    """Whatever was compiled before; lengths of first axes are numbers only if another axis has the same."""
    jitted = jit(lambda x, y: x @ y)
    for shape, other, expected in (
        ((9, 5), (5,), "{N: nat} -> {M: nat} -> N.M.f64 -> M.f64 -> N.f64"),
        ((9, 3), (3,), "{N: nat} -> N.3.f64 -> 3.f64 -> N.f64"),
        ((3, 3), (3,), "3.3.f64 -> 3.f64 -> 3.f64"),
        ((2, 3), (3,), "{N: nat} -> N.3.f64 -> 3.f64 -> N.f64"),
        ((2, 4), (4,), "{N: nat} -> N.4.f64 -> 4.f64 -> N.f64"),
        ((2, 5), (5, 2), "{N: nat} -> 2.N.f64 -> N.2.f64 -> 2.2.f64"),
    ):
        x, y = np.arange(np.prod(shape)).reshape(shape) / 4, np.arange(np.prod(other)).reshape(other) / 2
        assert type_of(jitted, x, y) == expected
        np.testing.assert_allclose(jitted(x, y), x @ y)
    assert kernels(jitted) == 5
    promised = jit(lambda x: x.sum(axis=1), where="3 divides M")
    assert type_of(promised, np.ones((5, 3))) == "{N: nat} -> {M: nat} -> N.M.f64 -> N.f64"


def test_calls_share_kernels_if_their_lengths_are_computed_alike() -> None:
    jitted = jit(gates)
    for n, k in ((4, 5), (5, 8), (3, 6)):
        x, h = np.ones((n, 2 * k)), np.full((n, k), 2.0)
        np.testing.assert_allclose(jitted(x, h), gates(x, h))
    assert kernels(jitted) == 1
    np.testing.assert_allclose(
        jitted(np.ones((4, 2)), np.ones((4, 1))), gates(np.ones((4, 2)), np.ones((4, 1)))
    )
    with pytest.raises(RiseError, match="expected arrays of the same shape"):
        jitted(np.ones((4, 11)), np.ones((4, 5)))
    with pytest.raises(RiseError, match="expected 3 elements to unpack, found N"):
        jit(unpacked)(np.ones(4))


def test_a_length_that_constants_determine_is_not_another() -> None:
    scaled = jit(lambda x: x * RGB)
    assert scaled(np.ones((2, 3))).shape == (2, 3)
    assert scaled(np.ones((5, 3))).shape == (5, 3)
    assert kernels(scaled) == 1
    np.testing.assert_allclose(scaled(np.ones((2, 1))), np.ones((2, 1)) * RGB)
    with pytest.raises(RiseError, match="found"):
        scaled(np.ones((2, 4)))


def test_numbers_in_annotations_are_numbers() -> None:
    """Where arguments have these lengths; other annotations, and other types, mean nothing."""

    @jit
    def halves(x: "8.f64", y: "N.6.f32", z: np.ndarray, k: int = 2):  # noqa: F722  # types of RISE
        while x.shape[0] > 1:
            x = x[::2] + x[1::2]
        return x[0] * k, y[:, 2] + z

    x, y, z = np.arange(8.0), np.ones((4, 6), np.float32), np.ones(4, np.float32)
    assert type_of(halves, x, y, z) == "{M: nat} -> 8.f64 -> M.6.f32 -> M.f32 -> (k: nat) -> (f64, M.f32)"
    assert halves(x, y, z)[0] == 56.0
    wide = np.ones((5, 7), np.float32), np.ones(5, np.float32)
    assert type_of(halves, x, *wide).startswith("{M: nat} -> {K: nat} -> 8.f64 -> M.K.f32 -> M.f32")


def steps(x: Any) -> Any:
    n = len(x)
    if not n:
        return -1.0
    if n <= 3 or n == 5:
        return x.sum()
    return x[:-1].max() if n % 2 else x.max()


def joined(x: Any, y: Any) -> Any:
    if x.shape == y.shape:
        return x @ y
    return np.convolve(x, y).sum() if len(x) >= len(y) else np.convolve(y, x).max()


def checked(x: Any, y: Any) -> Any:
    if len(x) != len(y):
        raise ValueError("expected as many weights as values")
    return (x * y).sum()


def test_a_branch_on_lengths_is_decided_by_the_lengths_of_a_call() -> None:
    """Other lengths have another kernel only if the branch is taken otherwise."""
    jitted = jit(steps)
    for n in (4, 0, 2, 3, 5, 6, 7, 8, 9, 60):
        x = np.arange(n) + 0.5
        assert jitted(x) == steps(x)
    assert kernels(jitted) == 6  # for 0, 2 and 3, 4, 5, and for even and odd lengths above 5
    both = jit(joined)
    for n, m in ((4, 4), (4, 3), (3, 4), (5, 5), (6, 2), (2, 6)):
        x, y = np.arange(n) + 0.5, np.arange(m) + 1.0
        np.testing.assert_allclose(both(x, y), joined(x, y))
    assert kernels(both) == 3


def scaled(x: Any, N: int, mode: str) -> Any:
    """The parameter has the name that an axis would have; each end returns or raises."""
    if mode == "sum":
        if N < 2:
            return x.sum() + N
        elif len(x) < N:
            return x.sum() * N
        else:
            return x[:N].sum()
    if mode == "mean":
        return x.mean() * N
    raise ValueError(mode)


def test_a_branch_on_a_number_is_decided_by_the_number_of_a_call() -> None:
    jitted = jit(scaled)
    x = np.arange(4) + 0.5
    for n in (0, 3, 1, 2, 9, 4, 5, 5, 0, 3):
        assert jitted(x, n, "sum") == scaled(x, n, "sum")
    assert kernels(jitted) == 3
    assert jitted(x[:2], 3, "sum") == scaled(x[:2], 3, "sum")
    assert jitted(x, 3, "mean") == scaled(x, 3, "mean")
    with pytest.raises(ValueError, match="median"):
        jitted(x, 3, "median")


@pytest.mark.parametrize(
    "function",
    some(
        [
            lambda x, n: x[:n].size,
            lambda x, n: x[n:].shape[0],
            lambda x, n: len(x[1:][:n]),
            lambda x, n: x[:n] * 2,
            lambda x, n: x[-n:].sum() if n else 0.0,
            lambda x, n: x[n:].sum(),
            lambda x, n: x.reshape(2, 3)[:, :n],
        ],
        2,
    ),
)
def test_slices_end_with_the_array_as_in_numpy(function: Any) -> None:
    """A number beyond the length has a kernel of its own; numbers up to it share one."""
    jitted, x = jit(function), np.arange(6.0)
    for n in (1, 9, 3, 7, 2, 9):
        np.testing.assert_array_equal(jitted(x, n), function(x, n))
    for n in (1, 3, 2):
        np.testing.assert_array_equal(jitted(x[::-1], n), function(x[::-1], n))


def test_elements_beyond_the_array_are_refused() -> None:
    x = np.arange(6.0)
    functions = (
        lambda x, n: x[n],
        lambda x, n: x[-n - 1],
        lambda x, n: np.delete(x, n),
        lambda x, n: x[:3][n],
    )
    for function in functions:
        jitted = jit(function)
        for n in (2, 6, 1, 9):
            if n < 6:
                np.testing.assert_array_equal(jitted(x, n), function(x, n))
                continue
            with pytest.raises(RiseError, match=r"expected|found"):
                jitted(x, n)


def test_a_negative_number_is_raised_to_a_size() -> None:
    alternating = jit(lambda x, n: (-1) ** n * x[0] + (-2) ** n)
    assert [alternating(np.ones(2), n) for n in (0, 1, 2, 3)] == [2, -3, 5, -9]


@pytest.mark.parametrize("n", some([0, 1, 5, 6, 13], 2))
def test_arrays_are_rolled_by_sizes(n: int) -> None:
    def rolled(x: Any, n: int) -> Any:
        rows = x.reshape(2, 3)
        return np.roll(x, n), np.roll(x, -n), np.roll(rows, (n, 1), axis=(0, 1)), np.roll(rows, n)

    x = np.arange(6.0)
    for found, wanted in zip(jit(rolled)(x, n), rolled(x, n), strict=True):
        np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("name", ["lt", "le", "gt", "ge", "eq", "ne"])
def test_a_decision_holds_for_the_sizes_that_its_facts_allow(name: str) -> None:
    """For all of them, except that those below a size are apart from those above it."""
    compare = getattr(operator, name)
    for left, right in product(range(3), repeat=2):
        holds, facts = Comparison(name, var("N"), var("M")).decision(left, right)
        allowed = [
            (n, m)
            for n, m in product(range(4), repeat=2)
            if all(at(less, n, m) <= at(more, n, m) for less, more in facts)
        ]
        alike = [(n, m) for n, m in product(range(4), repeat=2) if compare(n, m) == holds]
        if left != right and name in ("eq", "ne"):
            alike = [(n, m) for n, m in alike if (n < m) == (left < right)]
        assert holds == compare(left, right) and allowed == alike


def at(size: Nat, n: int, m: int) -> int:
    value = value_at(size, {NatVar("N", None): n, NatVar("M", None): m})
    assert value is not None
    return value


def test_a_check_of_lengths_raises_the_error_of_the_function() -> None:
    jitted = jit(checked)
    assert jitted(np.ones(4), np.ones(4)) == 4
    with pytest.raises(ValueError, match="as many weights as values"):
        jitted(np.ones(4), np.ones(3))
    assert jitted(np.ones(5), np.ones(5)) == 5 and kernels(jitted) == 1


def test_a_loop_that_compares_lengths_stays_a_loop() -> None:
    """Only a comparison without which there is no program is decided."""

    def powers(x: Any) -> Any:
        h = 1
        while h < len(x):
            h *= 2
        return h

    jitted = jit(powers)
    assert [int(jitted(np.ones(n))) for n in (2, 3, 5, 100)] == [2, 4, 8, 128]
    assert kernels(jitted) == 1


def test_a_function_with_too_many_branches_on_lengths_is_refused() -> None:
    def counted(x: Any) -> Any:
        total = 0.0
        for k in range(40):
            if len(x) > 2 * k:
                total += k
        return total + x.sum()

    with pytest.raises(RiseError, match="how N compares with"):
        jit(counted)(np.ones(7))


def test_an_error_after_lengths_are_found_to_be_equal_is_reported() -> None:
    """Once, also if the lengths of the arguments are first related by their names, and then by the function."""

    def fitted(p: Any, x: Any) -> Any:
        b = (p[1:] ** 2).sum(axis=1) - x[1:6]
        return np.linalg.matrix_rank(b[:, None] * b)

    p, x = np.ones((6, 2)), np.ones(9)
    with pytest.raises(RiseError, match="matrix_rank"):
        jit(fitted)(p, x)


def test_a_number_whose_high_power_is_a_length_is_part_of_the_program() -> None:
    def butterflies(x, r, k):
        for i in range(k):
            x = np.transpose(x.reshape(r**i, r, r ** (k - i - 1)), (1, 0, 2)).reshape(-1) * 0.5
        return x

    def squares(x, n):
        return x[: n**2] * n**3

    powers, cubes = jit(butterflies), jit(squares)
    x = np.arange(64.0)
    np.testing.assert_array_equal(powers(x, 2, 6), butterflies(x, 2, 6))
    np.testing.assert_array_equal(powers(x, 4, 3), butterflies(x, 4, 3))
    np.testing.assert_array_equal(cubes(x, 7), squares(x, 7))
    assert powers.static == {"r", "k"}
    assert not cubes.static
