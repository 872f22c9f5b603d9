"""Functions with loops as they are usually written, in place if that is safe: kernels compute the same as Python.

One subject: the functions, each with its arguments.
"""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import shine
import strategies
from rise.embedding import program
from shine.imperative.nodes import Allocate
from shine.imperative.walk import everything
from shine.translate import translate
from tests.call_counts import calls_of
from tests.examples import some


def knapsack(weights: N.i64, values: N.i64, capacity: nat):
    best = np.zeros(capacity + 1, np.int64)
    for i in range(len(weights)):
        for c in range(capacity, -1, -1):
            if weights[i] <= c:
                best[c] = max(best[c], best[c - weights[i]] + values[i])
    return best[capacity]


def levenshtein(a: N.i64, b: M.i64):
    previous = np.arange(len(b) + 1)
    for i in range(len(a)):
        current = np.zeros_like(previous)
        current[0] = i + 1
        for j in range(len(b)):
            cost = 0 if a[i] == b[j] else 1
            current[j + 1] = min(previous[j + 1] + 1, current[j] + 1, previous[j] + cost)
        previous = current
    return previous[len(b)]


def life(grid: N.M.i64, steps: nat):
    for _ in range(steps):
        count = np.zeros_like(grid)
        for dy in (-1, 0, 1):
            for dx in (-1, 0, 1):
                if dy != 0 or dx != 0:
                    count += np.roll(np.roll(grid, dy, axis=0), dx, axis=1)
        grid = ((count == 3) | ((grid == 1) & (count == 2))).astype(np.int64)
    return grid


def rule30(row: N.i64, steps: nat):
    history = np.zeros((steps, len(row)), np.int64)
    for t in range(steps):
        history[t] = row
        left = np.roll(row, 1)
        right = np.roll(row, -1)
        row = left ^ (row | right)
    return history


def markov(p: N.N.f64, start: N.f64, steps: nat):
    v = start
    for _ in range(steps):
        v = v @ p
        v = v / v.sum()
    return v


def gauss_seidel(a: N.N.f64, b: N.f64, steps: nat):
    x = np.zeros_like(b)
    for _ in range(steps):
        for i in range(len(b)):
            s = 0.0
            for j in range(len(b)):
                if j != i:
                    s += a[i, j] * x[j]
            x[i] = (b[i] - s) / a[i, i]
    return x


def walk(steps: N.i64, size: nat):
    visits = np.zeros(size, np.int64)
    position = size // 2
    for s in steps:
        position = (position + s) % size
        visits[position] += 1
    return visits


def bubble(x: N.f64):
    n = len(x)
    for _ in range(n):
        for j in range(n - 1):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    return x


def shrinking_bubble(x: N.i64):
    """The inner loop never reaches the end, so whether `x[j + 1]` exists depends on both loops."""
    n = len(x)
    for i in range(n):
        for j in range(n - 1 - i):
            if x[j] > x[j + 1]:
                x[j], x[j + 1] = x[j + 1], x[j]
    return x


def sums_above(x: N.f64):
    """`x[i + 1]` is not there in the last iterations, in which the inner loop has none."""
    for i in range(len(x)):
        for j in range(i + 2, len(x)):
            if x[j] > 0.5:
                x[i + 1] += x[j]
    return x


def breadth_first(starts: N.i64, targets: M.i64):
    """The nodes of a graph in the order of a search from node 0."""
    n = len(starts) - 1
    distance = np.full(n, -1)
    queue = np.zeros(n, np.int64)
    distance[0] = 0
    head, tail = 0, 1
    while head < tail:
        node = queue[head]
        head += 1
        for k in range(starts[node], starts[node + 1]):
            other = targets[k]
            if distance[other] < 0:
                distance[other] = distance[node] + 1
                queue[tail] = other
                tail += 1
    return distance, queue


def sieve(n: nat):
    prime = np.ones(n + 2, np.bool_)
    prime[:2] = False
    for i in range(2, n + 2):
        if prime[i]:
            j = i * i
            while j < n + 2:
                prime[j] = False
                j += i
    return prime


def components(a: M.i64, b: M.i64, n: nat):
    parent = np.arange(n)
    for e in range(len(a)):
        r = a[e]
        while parent[r] != r:
            r = parent[r]
        s = b[e]
        while parent[s] != s:
            s = parent[s]
        parent[r] = s
    return parent


def percolation(a: M.i64, b: M.i64, n: nat):
    """Two loops after each other change one array, and branches change it, too."""
    parent, size = np.arange(n), np.ones(n, np.int64)
    for e in range(len(a)):
        i, j = a[e], b[e]
        while i != parent[i]:
            parent[i] = parent[parent[i]]
            i = parent[i]
        while j != parent[j]:
            parent[j] = parent[parent[j]]
            j = parent[j]
        if i != j:
            if size[i] < size[j]:
                parent[i] = j
                size[j] += size[i]
            else:
                parent[j] = i
                size[i] += size[j]
    return parent, size


def transposed_product(starts: N.i64, columns: M.i64, values: M.f64, x: N.f64):
    """Two arrays that an inner loop changes."""
    y, count = np.zeros(len(x)), np.zeros(len(x), np.int64)
    for i in range(len(starts) - 1):
        for k in range(starts[i], starts[i + 1]):
            y[columns[k]] += values[k] * x[i]
            count[columns[k]] += 1
    return y, count


def run_lengths(x: N.i64):
    """The inner `while` counts to a size, from a number that depends on data."""
    values, lengths = np.zeros_like(x), np.zeros_like(x)
    count, i = 0, 0
    while i < len(x):
        j = i
        while j < len(x) and x[j] == x[i]:
            j += 1
        values[count], lengths[count] = x[i], j - i
        count += 1
        i = j
    return values, lengths


def merge_sort(x: N.i64):
    """A range whose step depends on data."""
    a, b, width = x.copy(), np.empty_like(x), 1
    while width < len(x):
        for low in range(0, len(x), 2 * width):
            middle, high = min(low + width, len(x)), min(low + 2 * width, len(x))
            i, j = low, middle
            for k in range(low, high):
                if i < middle and (j >= high or a[i] <= a[j]):
                    b[k] = a[i]
                    i += 1
                else:
                    b[k] = a[j]
                    j += 1
        a[:] = b
        width *= 2
    return a


def quicksort(x: N.i64):
    """Elements are exchanged in a branch, after other loops, by three assignments."""
    low, high = np.zeros(64, np.int64), np.zeros(64, np.int64)
    high[0] = len(x) - 1
    top = 1
    while top > 0:
        top -= 1
        start, end = low[top], high[top]
        if start < end:
            pivot = x[(start + end) // 2]
            i, j = start, end
            while i <= j:
                while x[i] < pivot:
                    i += 1
                while x[j] > pivot:
                    j -= 1
                if i <= j:
                    kept = x[i]
                    x[i] = x[j]
                    x[j] = kept
                    i += 1
                    j -= 1
            low[top], high[top] = start, j
            low[top + 1], high[top + 1] = i, end
            top += 2
    return x


def is_sorted(x: N.f64):
    """The loop returns a truth value."""
    for k in range(1, len(x)):  # noqa: SIM110  # the loop is what is tested
        if x[k] < x[k - 1]:
            return False
    return True


def weighted_prefixes(x: N.f64):
    """Arrays of numbers between bounds that change in the loop; arrays without elements."""
    sums, ends, square = np.zeros_like(x), np.array([]), np.zeros((len(x), len(x)))
    for k in range(len(x)):
        sums[k] = (np.arange(k + 1) * x[: k + 1]).sum() + np.arange(k, len(x)).mean()
        square[k, :k] = np.arange(k) * 2.0
    return sums, np.append(ends, x[0]), square


def shares_of_blocks(x: N.f64, width: nat):
    """A range whose step is a size, and one whose bounds are products of sizes and the variable of a loop."""
    y = np.zeros_like(x)
    for low in range(0, len(x), width):
        total = 0.0
        for k in range(low, min(low + width, len(x))):
            total += x[k]
        for k in range(low, min(low + width, len(x))):
            y[k] = x[k] / total
    return y


def strided(x: N.f64, steps: M.i64):
    """Ranges in both directions."""
    total, count = 0.0, 0
    for step in steps:
        for k in range(0 if step > 0 else len(x) - 1, len(x) if step > 0 else -1, step):
            total = 0.5 * total + x[k]
            count += 1
    for i in range(len(x)):
        for k in range(i, len(x), len(steps)):
            total += x[k]
    return total, count


def shortest_paths(a: M.i64, b: M.i64, w: M.f64, n: nat):
    """The loop around another one ends once an iteration changes nothing."""
    distance = np.full(n, 1e9)
    distance[0] = 0
    for _ in range(n):
        changed = False
        for e in range(len(a)):
            if distance[a[e]] + w[e] < distance[b[e]]:
                distance[b[e]] = distance[a[e]] + w[e]
                changed = True
        if not changed:
            break
    return distance


def first_above(x: N.f64, limit: f64):
    for i in range(len(x)):
        if x[i] > limit:
            return i
    return -1


def first_row_above(x: N.M.f64, limit: f64):
    """A `return` from two loops, and the number of the loop, after it."""
    for i in range(x.shape[0]):
        total = 0.0
        for j in range(x.shape[1]):
            total += x[i, j]
            if total > limit:
                return i, j
    return -1, -1


def stopped(x: N.f64, rows: M.i64):
    for row in rows:
        for k in range(row, len(x)):
            x[k] += 1.0
        if row == 1:
            break
    else:
        x[0] = 9.0
    return x


def above_float(x: N.f64):
    """Numbers of a loop are compared with floats of Python."""
    total, limit = 0.0, 2.5
    for i in range(len(x)):
        if i < limit:
            total += x[i]
        if i >= 1.5 or i == 1.0:
            total *= 0.5
        if i != 3.0 and not i <= 3.5:
            total -= 1.0
    return total


def smooth(x: N.f64):
    """Windows that are cut off at both ends."""
    out = np.zeros_like(x)
    for i in range(len(x)):
        out[i] = x[max(0, i - 2) : min(len(x), i + 3)].mean() + x[max(i - 1, 0)] * abs(i - 3)
    return out


def moving_average(x: N.f64, w: nat):
    n = len(x) - w + 1
    out = np.zeros(n)
    total = x[:w].sum()
    out[0] = total / w
    for i in range(1, n):
        total += x[i + w - 1] - x[i - 1]
        out[i] = total / w
    return out


def power_iteration(a: N.N.f64, steps: nat):
    v = np.ones(a.shape[0])
    for _ in range(steps):
        w = a @ v
        v = w / np.sqrt((w * w).sum())
    return v, v @ a @ v


def histogram(x: N.f64, bins: nat):
    counts = np.zeros(bins, np.int64)
    for v in x:
        k = int(v * bins)
        if 0 <= k < bins:
            counts[k] += 1
    return counts


def dot_rows(a: N.M.f64):
    out = np.zeros((a.shape[0], a.shape[0]))
    for i, row in enumerate(a):
        for j in range(i + 1):
            out[i, j] = row @ a[j]
            out[j, i] = out[i, j]
    return out


def collatz(starts: N.i64):
    lengths = np.zeros_like(starts)
    for i in range(len(starts)):
        n = starts[i]
        k = 0
        while n != 1 and k < 200:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            k += 1
        lengths[i] = k
    return lengths


def greatest_divisor(x: N.i64):
    """A `while` that divides by its state, which is 0 when it ends."""
    found = x[0]
    for value in x:
        while value != 0:
            found, value = value, found % value
    return found


def roots(x: N.f64):
    """A `while` in a branch, which would never end where the branch is not taken."""
    total = 0.0
    for i in range(len(x)):
        if x[i] > 0:
            guess = 1.0
            while abs(guess * guess - x[i]) > 1e-10:
                guess = (guess + x[i] / guess) / 2
            total += guess
    return total


def until_break(x: N.f64):
    out = np.zeros_like(x)
    for i in range(len(x)):
        k = 0
        while True:
            if k > 3 or x[i] > k:
                break
            k += 1
        out[i] = k
    return out


def pairwise_sum(x: "8.f64"):
    """A `while` whose test is known: each iteration has arrays of another length."""
    while len(x) > 1:
        x = x[::2] + x[1::2]
    return x[0]


def grown(x: N.f64):
    """A `while` whose test is known before its first iteration only."""
    total, k = 1.0, 0
    while total < 10:
        total += 1 + x[k % len(x)]
        k += 1
    return total, k


def insertion_sort(x: N.i64):
    for i in range(1, len(x)):
        value, j = x[i], i - 1
        while j >= 0 and x[j] > value:
            x[j + 1] = x[j]
            j -= 1
        x[j + 1] = value
    return x


def searched(x: N.f64, wanted: M.f64):
    out = np.zeros(len(wanted), dtype=np.int64)
    for k, value in enumerate(wanted):
        low, high = 0, len(x)
        while low < high:
            middle = (low + high) // 2
            if x[middle] < value:
                low = middle + 1
            else:
                high = middle
        out[k] = low
    return out


def sparse_product(starts: (N + 1).i64, columns: K.i64, values: K.f64, x: N.f64):
    out = np.zeros_like(x)
    for i in range(len(x)):
        for k in range(starts[i], starts[i + 1]):
            if values[k] > 2:
                continue
            out[i] += values[k] * x[columns[k]]
    return out


def steps_down(x: N.i64):
    total = 0
    for value in x:
        for k in range(value, 0, -3):
            total += k
    return total


def quotients(x: N.i64, y: N.i64):
    out = np.zeros_like(x)
    for i in range(len(x)):
        if y[i] != 0:
            out[i] = x[i] // y[i] + x[i] % y[i] + np.fmod(x[i], y[i])
    return out


def jacobi_until(a: N.N.f64, b: N.f64, tol: f64):
    x = np.zeros_like(b)
    d = np.diagonal(a)
    k = 0
    error = 1.0
    while error > tol and k < 100:
        new = (b - a @ x + d * x) / d
        error = np.abs(new - x).max()
        x = new
        k += 1
    return x, k


def correlation(image: N.M.f64, kernel: K.L.f64):
    height, width = image.shape[0] - kernel.shape[0] + 1, image.shape[1] - kernel.shape[1] + 1
    out = np.zeros((height, width))
    for i in range(kernel.shape[0]):
        for j in range(kernel.shape[1]):
            out += kernel[i, j] * image[i : i + height, j : j + width]
    return out


def fourier(x: N.f64):
    """Complex numbers of the variables of loops."""
    n = len(x)
    y = x.astype(np.complex128)
    for i in range(n):
        y[i] = sum(x[k] * np.exp(-2j * np.pi * i * k / n) for k in range(n)) + 1j * i
    return y, (n - 1j) * x


def found_first(x: N.f64, y: N.f64):
    """The variables of loops that end early, after the loops."""
    for i in range(len(x)):
        if x[i] > 0.5:
            break
    else:
        i = -1
    for j, v in enumerate(y):
        if v > 0.5 and j >= 0:
            break
        v = 3.0
    for k in range(len(x)):
        for m in range(len(y)):
            if x[k] + y[m] > 1.2:
                break
        if m > 0:
            break
    for at in range(int(5 * x[0]), 8):
        if y[at % len(y)] > 0.3:
            break
        at = 9
    return i, j, v, k, m, at


def crc32(data: N.u8):
    table = np.zeros(256, np.uint32)
    for i in range(256):
        c = np.uint32(i)
        for _ in range(8):
            c = np.where(c & 1, (c >> 1) ^ np.uint32(0xEDB88320), c >> 1)
        table[i] = c
    crc = np.uint32(0xFFFFFFFF)
    for i in range(len(data)):
        crc = table[(crc ^ data[i]) & 0xFF] ^ (crc >> 8)
    return crc ^ np.uint32(0xFFFFFFFF)


def last_rows(x: N.M.f64):
    """Arrays whose names have no value before the loop."""
    for i in range(len(x)):
        row, pair = x[i] * 2, (x[i : i + 1] + 1, x[i, 0])
    return row + pair[1], pair[0]


RNG = np.random.default_rng(7)


def whole(low: int, high: int, *shape: int) -> Any:
    return RNG.integers(low, high, shape)


def dominant(n: int) -> Any:
    return RNG.random((n, n)) + n * np.eye(n)


#: the arguments of each function for a size
GIVEN: dict[Any, Any] = {
    knapsack: lambda n: (whole(1, 5, n), whole(0, 9, n), 7),
    levenshtein: lambda n: (whole(0, 3, n), whole(0, 3, n + 2)),
    fourier: lambda n: (RNG.random(n),),
    found_first: lambda n: (RNG.random(n), RNG.random(n)),
    life: lambda n: (whole(0, 2, n, n + 1), 3),
    rule30: lambda n: (whole(0, 2, n), 4),
    markov: lambda n: (RNG.random((n, n)), RNG.random(n), 4),
    gauss_seidel: lambda n: (dominant(n), RNG.random(n), 3),
    walk: lambda n: (whole(-2, 3, n), 6),
    histogram: lambda n: (RNG.random(n) * 1.2 - 0.1, 4),
    collatz: lambda n: (whole(1, 60, n),),
    greatest_divisor: lambda n: (6 * whole(1, 9, n),),
    roots: lambda n: (RNG.random(n) - 0.3,),
    until_break: lambda n: (5 * RNG.random(n),),
    pairwise_sum: lambda n: (RNG.random(8),),
    grown: lambda n: (RNG.random(n),),
    insertion_sort: lambda n: (whole(0, 9, n),),
    searched: lambda n: (np.sort(RNG.random(n)), RNG.random(n + 1)),
    sparse_product: lambda n: (
        np.arange(n + 1) * 2,
        whole(0, n, 2 * n),
        3 * RNG.random(2 * n),
        RNG.random(n),
    ),
    breadth_first: lambda n: (np.arange(n + 1) * 2, whole(0, n, 2 * n)),
    sieve: lambda n: (10 * n,),
    components: lambda n: (whole(0, n, 2 * n), whole(0, n, 2 * n), n),
    percolation: lambda n: (whole(0, n, 2 * n), whole(0, n, 2 * n), n),
    transposed_product: lambda n: (
        np.arange(n + 1) * 2,
        whole(0, n, 2 * n),
        RNG.random(2 * n),
        RNG.random(n + 1),
    ),
    run_lengths: lambda n: (whole(0, 2, 3 * n),),
    quicksort: lambda n: (whole(0, 50, 3 * n),),
    shortest_paths: lambda n: (whole(0, n, 3 * n), whole(0, n, 3 * n), RNG.random(3 * n), n),
    first_above: lambda n: (RNG.random(n), 0.6),
    first_row_above: lambda n: (RNG.random((n, 5)), 3.2),
    stopped: lambda n: (RNG.random(n), np.array([n - 1, 0, 1, 0]) if n % 2 else np.array([0, 0])),
    above_float: lambda n: (RNG.random(n),),
    merge_sort: lambda n: (whole(0, 50, 2 * n + 1),),
    is_sorted: lambda n: (np.arange(n) % 5 + 0.5,),
    weighted_prefixes: lambda n: (RNG.random(n),),
    shares_of_blocks: lambda n: (RNG.random(2 * n), 3),
    strided: lambda n: (RNG.random(n), np.array([1, -2, 3, 9, -1])),
    steps_down: lambda n: (whole(-2, 9, n),),
    quotients: lambda n: (whole(-9, 9, n), whole(-1, 2, n)),
    jacobi_until: lambda n: (dominant(n), RNG.random(n), 1e-9),
    moving_average: lambda n: (RNG.random(n + 3), 3),
    dot_rows: lambda n: (RNG.random((n, n + 1)),),
    power_iteration: lambda n: (dominant(n), 4),
    bubble: lambda n: (RNG.random(n),),
    shrinking_bubble: lambda n: (whole(0, 9, n),),
    sums_above: lambda n: (RNG.random(n),),
    smooth: lambda n: (RNG.random(n),),
    last_rows: lambda n: (RNG.random((n, 3)),),
    correlation: lambda n: (RNG.random((n + 2, n + 3)), RNG.random((3, n))),
}


def leaves(result: Any) -> Iterator[Any]:
    if isinstance(result, tuple):
        for part in result:
            yield from leaves(part)
    else:
        yield np.asarray(result)


@pytest.mark.parametrize("function", some(GIVEN, 5), ids=lambda one: one.__name__)
def test_kernels_agree_with_python(function: Any) -> None:
    kernel = shine.compile(program(function), target="interpret")
    for size in (1, 2, 7):
        given = GIVEN[function](size)
        wanted = function(*(each.copy() if isinstance(each, np.ndarray) else each for each in given))
        for found, right in zip(leaves(kernel(*given)), leaves(wanted), strict=True):
            assert found.shape == right.shape and found.dtype == right.dtype
            np.testing.assert_allclose(found, right, rtol=1e-9)


@pytest.mark.parametrize(
    "function",
    some([breadth_first, sieve, components, percolation, transposed_product, merge_sort, quicksort], 6),
)
def test_inner_loops_change_the_arrays_of_outer_ones_in_place(function: Any) -> None:
    lowered = strategies.load("strategies.sequential:sequential")(program(function).main).program
    found = everything(translate(lowered, "kernel").body)
    arrays = [one for one, loops in found if isinstance(one, Allocate) and loops]
    assert all(one.buffer.size.constant is not None for one in arrays)


def test_a_table_is_computed_by_a_loop() -> None:
    kernel = shine.compile(program(crc32, unroll=4), target="interpret")
    data = np.frombuffer(b"123456789", np.uint8)
    assert kernel(data) == crc32(data) == 0xCBF43926


def test_a_while_that_counts_from_data_ends_with_its_condition() -> None:
    """The work for runs of one element is linear in their number."""
    kernel = shine.compile(program(run_lengths), target="interpret")

    def work(count: int) -> int:
        x = np.arange(count)
        return calls_of(lambda: kernel(x))

    work(1)
    assert work(40) < 2.5 * work(20)


def test_a_loop_around_others_ends_with_its_break() -> None:
    """The inner loops of later iterations would run, although their results are not used."""
    assert "iterateWhile" in program(shortest_paths).text
    assert "iterateWhile" in program(first_row_above).text
    assert "iterateWhile" not in program(first_above).text


def test_only_a_while_whose_test_stays_known_is_unrolled() -> None:
    assert "iterateWhile" not in program(pairwise_sum).text
    assert program(grown).text.count("1.0f64 + (x") == 1  # the body once
