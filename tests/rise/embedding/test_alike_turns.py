"""Loops over known ranges become loops of the term if their iterations are alike, and are unrolled otherwise."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import rise
import shine
from rise.embedding import f64
from tests.examples import in_whole, some

TURNS = 5


def smoothed(x: N.M.f64):
    y = np.zeros_like(x)
    for _ in range(TURNS):
        before = y.copy()
        y[1:-1, 1:-1] = (before[1:-1, 2:] + before[:-2, 1:-1] - 0.3 * x[1:-1, 1:-1]) / 4
        y[:, 0] = y[:, 1]
        y[:, -1] = 0
    return y


def advected(x: N.M.f64):
    """The name that is first assigned in the loop has a value after it; numbers change, too."""
    total = 0
    for _step in range(TURNS):
        x[0, 1:] -= 0.5 * np.diff(x[0])
        last = borders(x)
        total = total + last.sum()
    return x, last, total


def borders(x):
    x[-1] = x[0]
    return x[:, -1] * 2


def nested(x: N.M.f64):
    for k in range(2):
        for _ in range(TURNS):
            x[k, 1:] = x[k, :-1] + x[1 - k, 1:]
    return x


def refilled(x: N.M.f64):
    """Each iteration begins with an array of zeros, which a function written in C returns."""
    for _ in range(TURNS):
        y = np.zeros(len(x))
        y[1:] = 0.5 * x[:-1, 0]
        x[:, 0] = 0.1 + y
    return x


def exchanged(x: N.M.f64):
    """The iterations use their number, but assign only to elements: unrolled, each copies the array."""
    for i in range(2, 2 + 2 * TURNS):
        j = i % 2
        kept = x[0, j]
        x[0, j] = x[1, 1 - j] + i
        x[1, 1 - j] = kept
    return x


def of_integers(x: N.M.f64):
    counts = np.zeros(len(x), dtype=np.int64)
    for _ in range(TURNS):
        counts[1:] = counts[:-1] + 1
        counts[0] = counts[-1]
    return counts


def counted(x: N.M.f64):
    k = 0
    for _ in range(TURNS):
        x[0, 1:] += k * x[0, :-1]
        k += 1
    return x[:k]


def decayed(x: N.M.f64):
    rate = 0.1
    for _ in range(TURNS):
        x[0, 1:] += rate * x[0, :-1]
        rate *= 0.7
    return x


def from_an_iterator(x: N.M.f64):
    weights = iter([1.0, -2.0, 3.0, -4.0, 5.0])
    for _ in range(TURNS):
        x[0, 1:] += next(weights) * x[0, :-1]
    return x


def over_an_iterator(x: N.M.f64):
    weights = iter([1.0, -2.0, 3.0])
    for _ in range(TURNS):
        for weight in weights:
            x[0, 1:] += weight * x[0, :-1]
    return x


def random(x: N.M.f64):
    generator = np.random.default_rng(3)
    for _ in range(TURNS):
        x[0, 1:] += generator.normal() * x[0, :-1]
    return x


def swapped(x: N.M.f64):
    new, old = np.zeros_like(x), x.copy()
    for _ in range(TURNS):
        new[1:] = old[:-1] + x[1:]
        new, old = old, new
    return new, old


def known(x: N.M.f64):
    values = np.arange(3.0)
    for _ in range(TURNS):
        x[0, 0] += values[1]
        values = values * 2
    return x, values


def listed(x: N.M.f64):
    sums: list[Any] = []
    for _ in range(TURNS):
        x[0, 1:] += x[0, :-1]
        sums.append(x[0].sum())
    return x, np.array(sums)


def widened(x: N.M.f64):
    y = x[0] > 0.5
    for _ in range(TURNS):
        x[0, 1:] += x[0, :-1]
        y = y + x[1]
    return x, y


def read_later(x: N.M.f64):
    for k in range(TURNS):  # noqa: B007  # it is read after the loop
        x[0, 1:] += x[0, :-1]
    return x * k


def descended(a: N.N.f64, b: N.f64):
    """Conjugate gradients: no element is assigned to, and each iteration sums what the one before computed."""
    x, p, r = np.zeros_like(b), b, b
    square = r @ r
    for _ in range(25):
        q = a @ p
        step = square / (p @ q)
        x = x + step * p
        r = r - step * q
        square, before = r @ r, square
        p = r + square / before * p
    return x


def shifted(a: N.N.f64, b: N.f64):
    for _ in range(40):
        b = b + 0.1 * (np.roll(b, 1) - b)
    return b


def bisected(a: N.N.f64, b: N.f64):
    """Names that have no value before the loop: one is computed from numbers that are known in its first iteration, and
    the other is the same number in each.
    """
    low, high = -1.5, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        digits = 2
        if np.sum(b * middle) > a[0, 0]:
            high = middle
        else:
            low = middle
    return b * middle + digits


def damped(a: N.N.f64, b: N.f64):
    """The elements are computed one after the other, and the array is changed."""
    for _ in range(60):
        b *= 0.9
        b += a[0]
    return b


def damped_long(a: N.N.f64, b: N.f64):
    for _ in range(1000):
        b = b * 0.9 + a[0]
    return b


LOOPS = (smoothed, advected, nested, refilled, exchanged, of_integers)
UNROLLED = (
    counted,
    decayed,
    from_an_iterator,
    over_an_iterator,
    random,
    swapped,
    known,
    listed,
    widened,
    read_later,
)


@pytest.mark.parametrize("function", some([*LOOPS, *some(UNROLLED, 2)], 2), ids=lambda one: one.__name__)
def test_loops_over_known_ranges_agree_with_numpy(function: Any) -> None:
    """Of those that are unrolled, a sample takes every second, and the test below the others."""
    given = np.random.default_rng(2).random((7, 8))
    wanted = function(given.copy())
    built = rise.program(function, unroll=4)
    kernel = shine.compile(built, target="interpret")
    for found in (built(given), kernel(given)):
        flat, right = flattened(found), flattened(wanted)
        assert [one.shape for one in flat] == [one.shape for one in right]
        for one, other in zip(flat, right, strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize(
    "function", some([*LOOPS, *some(UNROLLED, 2, first=1)], 2), ids=lambda one: one.__name__
)
def test_a_loop_is_in_the_term_if_the_iterations_are_alike(function: Any) -> None:
    """What is tried in vain leaves nothing behind."""
    unrolled, tried = rise.program(function).text, rise.program(function, unroll=TURNS - 1).text
    if function in some([*LOOPS, *UNROLLED], 3):
        assert rise.program(function, unroll=2 * TURNS).text == unrolled
    assert "reduceSeq" not in unrolled
    assert ("reduceSeq" in tried) == (function in LOOPS)
    assert tried == unrolled or function in LOOPS


@pytest.mark.parametrize(
    ("function", "is_loop"),
    some([(descended, True), (shifted, True), (bisected, True), (damped, False), (damped_long, True)], 5),
)
def test_iterations_that_read_other_elements_are_a_loop_if_they_are_many(
    function: Any, is_loop: bool
) -> None:
    random = np.random.default_rng(4)
    a, b = random.random((9, 9)), random.random(9)
    a = a @ a.T + 9 * np.eye(9)
    built = rise.program(function, unroll=4)
    assert ("reduceSeq" in built.text) == is_loop
    kernel = shine.compile(built, target="interpret")
    np.testing.assert_allclose(kernel(a, b), function(a, b.copy()), rtol=1e-10, atol=1e-12)


WEIGHTS = {number: float(number) for number in range(5000)}


def weighed(a: N.N.f64, b: N.f64):
    for k in range(5000):
        b = b * WEIGHTS[k] + a[0]
    return b


def numbered(a: N.N.f64, b: N.f64):
    """The first of 2,000 iterations change other elements than the last ones; a number is carried."""
    total = 0.0
    for k in range(2, 4002, 2):
        b[k % 9] = 0.5 * b[k % 9] + k
        total += b[(k + 1) % 9]
    return b, total


def of_rows(a: f64[2000, 2], b: f64[9]):
    """The iterations over an array of a known length that is too long."""
    for number, row in enumerate(a):
        b[number % 9] += row[0] * row[1] - number
        b[0] *= 0.5
    return b


def added_at(a: f64[3000, 2], b: f64[9]):
    """Ours is a loop over the indices, of which there are too many."""
    out = np.zeros((7, 2))
    np.add.at(out, np.floor(9 * a[:, 0]).astype(int) % 7, a)
    return out, b


def best_cut(a: N.N.f64, b: N.f64):
    """Otsu's threshold: lengths of slices and of ranges of numbers change in the loop."""
    best, cut = -1.0, 0
    for k in range(1, 256):
        below = b[:k].sum()
        mean = (np.arange(k) * b[:k]).sum() / below
        if mean * a[0, k % 9] > best:
            best, cut = mean * a[0, k % 9], k
    return best, cut


@pytest.mark.parametrize(
    ("function", "shape"),
    some([(numbered, (9, 9)), (of_rows, (2000, 2)), (added_at, (3000, 2)), (best_cut, (300, 300))], 4),
)
def test_a_loop_that_is_too_long_to_be_unrolled_stays_a_loop(function: Any, shape: tuple[int, ...]) -> None:
    a, b = np.random.default_rng(5).random(shape), np.random.default_rng(6).random(max(9, shape[1]))
    built = rise.program(function, unroll=4)
    assert "reduceSeq" in built.text
    found = shine.compile(built, target="interpret")(a, b)
    wanted = function(a, b.copy())
    for one, other in zip(
        *((each if isinstance(each, tuple) else (each,)) for each in (found, wanted)), strict=True
    ):
        np.testing.assert_allclose(one, other, rtol=1e-10)


def test_a_loop_that_is_too_long_to_be_unrolled_is_refused_at_its_line() -> None:
    """Its iterations read a dictionary of Python. The program is measured while it is built, so this takes no time."""
    with pytest.raises(rise.RiseError) as caught:
        rise.program(weighed, unroll=4)
    said = str(caught.value)
    assert caught.value.diagnostic.code == "long-loop"
    assert re.search(r"expected at most [\d,]+ variables .* found more after \d+ of 5,000 iterations", said)
    assert "for k in range(5000):" in said and "hint: make the number of iterations a parameter" in said


def product_of_each(v: f64[10, 3, 3], w: f64[10, 3, 3]):
    total = 0
    for i in range(10):
        total = total + v[i] @ w[i]
    return total


def sum_of_products(v: f64[10, 3, 3], w: f64[10, 3, 3]):
    return sum(v[i] @ w[i] for i in range(10))


def few_products(v: f64[10, 3, 3], w: f64[10, 3, 3]):
    return sum(v[i] @ w[i] for i in range(3))


@pytest.mark.parametrize(
    ("function", "is_loop"), [(product_of_each, True), (sum_of_products, True), (few_products, False)]
)
def test_many_matrix_products_stay_in_a_loop(function: Any, is_loop: bool) -> None:
    """Each of them takes a second to compile."""
    built = rise.program(function, unroll=4)
    assert ("reduceSeq" in built.text) is is_loop
    v, w = np.random.default_rng(2).standard_normal((2, 10, 3, 3))
    np.testing.assert_allclose(built(v, w), function(v, w), rtol=1e-12, atol=1e-12)


def averaged(x: N.M.f64):
    """The rows of the new array consist of parts that different threads write."""
    for _ in range(TURNS):
        new = x.copy()
        new[1:-1, 1:-1] = 0.25 * (x[1:-1, 2:] + x[1:-1, :-2] + x[2:, 1:-1] + x[:-2, 1:-1])
        x = new
    return x


@pytest.mark.parametrize("shape", some([(7, 8), (2, 2), (40, 50)], 3))
def test_the_threads_of_a_block_run_such_a_loop(shape: tuple[int, ...]) -> None:
    given = np.random.default_rng(3).random(shape)
    built = rise.program(averaged, where=("N >= 2", "M >= 2"), unroll=4)
    kernel = shine.compile(built, target="cuda-sim")
    assert "reduceSeq" in built.text and "__syncthreads" in kernel.source
    np.testing.assert_allclose(kernel(given), averaged(given.copy()), rtol=1e-12)


@in_whole("test_the_threads_of_a_block_run_such_a_loop")
def test_kernels_for_gpus_keep_loops_that_are_too_long_to_be_unrolled() -> None:
    a, b = np.full((5, 5), 0.5), np.ones(5)
    jitted = shine.jit(damped_long, target="cuda-sim")
    assert "reduceSeq" in jitted.lower(a, b).program.text
    np.testing.assert_allclose(jitted(a, b), damped_long(a, b), rtol=1e-10)


@in_whole("test_the_threads_of_a_block_run_such_a_loop")
def test_kernels_for_one_processor_keep_such_loops() -> None:
    x = np.ones((4, 5))
    for target, is_loop in (("openmp", True), ("cuda-sim", False)):
        text = shine.jit(nested, target=target).lower(x).program.text
        assert ("reduceSeq" in text) == is_loop


def flattened(result: Any) -> list[Any]:
    return (
        [leaf for part in result for leaf in flattened(part)]
        if isinstance(result, tuple)
        else [np.asarray(result)]
    )
