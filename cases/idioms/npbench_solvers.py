"""NPBench's factorisations, triangular systems and tables, restated as loops over whole arrays.

Does not measure time.
"""
# ruff: noqa: F821

import numpy as np

from cases.idioms.idiom import definite, diagonal, idiom
from rise.embedding import arange, fold, generate, map, zip


def counted(n):
    """The indices of an array, over which a loop runs."""
    return generate(lambda i: i, n)


def cholesky_by_rows(a):
    """The Cholesky factor, one element after the other."""
    a = a.copy()
    for i in range(len(a)):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[j, :j]) / a[j, j]
        a[i, i] = np.sqrt(a[i, i] - a[i, :i] @ a[i, :i])
    return a


def eliminated(a):
    """The Cholesky factor in the lower triangle; the upper triangle is unchanged."""
    at = arange(a.shape[0])
    lower = at[:, None] >= at[None, :]

    def step(low, k):
        place = k.astype(np.int64)
        column = np.where(at >= place, low[:, k] / np.sqrt(low[k, k]), low[:, k])
        rest = np.where(at[None, :] > place, low - column[:, None] * column[None, :], low)
        changed = np.where(at[None, :] == place, column[:, None], rest)
        return np.where(lower, changed, low)

    return fold(step, a, counted(a.shape[0]))


@idiom("NPBench cholesky", {"N": 128}, {"N": 32}, plain=cholesky_by_rows, inputs={"a": definite})
def cholesky(a: "N.N.f64"):
    """The Cholesky factor, column by column."""
    return eliminated(a)


def cholesky_of_numpy(a):
    """The Cholesky factor by LAPACK."""
    return np.linalg.cholesky(a) + np.triu(a, 1)


@idiom("NPBench cholesky2", {"N": 256}, {"N": 32}, plain=cholesky_of_numpy, inputs={"a": definite})
def cholesky_of_library(a: "N.N.f64"):
    """The same, compared with `np.linalg.cholesky`."""
    return eliminated(a)


def lu_by_rows(a):
    """The LU factors, one element after the other."""
    a = a.copy()
    for i in range(len(a)):
        for j in range(i):
            a[i, j] = (a[i, j] - a[i, :j] @ a[:j, j]) / a[j, j]
        for j in range(i, len(a)):
            a[i, j] -= a[i, :i] @ a[:i, j]
    return a


def factored(a):
    """Both LU factors in one matrix."""
    at = arange(a.shape[0])

    def step(left, k):
        place = k.astype(np.int64)
        column = np.where(at > place, left[:, k] / left[k, k], 0.0)
        rest = np.where(at[None, :] > place, left - column[:, None] * left[k], left)
        return np.where((at[None, :] == place) & (at[:, None] > place), column[:, None], rest)

    return fold(step, a, counted(a.shape[0]))


@idiom("NPBench lu", {"N": 128}, {"N": 32}, plain=lu_by_rows, inputs={"a": diagonal})
def lu(a: "N.N.f64"):
    """LU factorisation without pivots."""
    return factored(a)


def solved_by_rows(a, b):
    """LU factorisation, then both triangular systems."""
    a = lu_by_rows(a)
    x, y = np.zeros_like(b), np.zeros_like(b)
    for i in range(len(a)):
        y[i] = b[i] - a[i, :i] @ y[:i]
    for i in range(len(a) - 1, -1, -1):
        x[i] = (y[i] - a[i, i + 1 :] @ x[i + 1 :]) / a[i, i]
    return x, y


@idiom("NPBench ludcmp", {"N": 128}, {"N": 32}, plain=solved_by_rows, inputs={"a": diagonal})
def ludcmp(a: "N.N.f64", b: "N.f64"):
    """The solution of a system of equations by elimination."""
    both = factored(a)
    at = arange(a.shape[0])
    places = counted(a.shape[0])

    def down(y, k):
        return np.where(at == k.astype(np.int64), b[k] - (both[k] * y).sum(), y)

    y = fold(down, np.zeros_like(b), places)

    def up(x, k):
        return np.where(at == k.astype(np.int64), (y[k] - (both[k] * x).sum()) / both[k, k], x)

    return fold(up, np.zeros_like(b), places[::-1]), y


def forwards(low, b):
    """The solution of a lower triangular system, row by row."""
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - low[i, :i] @ x[:i]) / low[i, i]
    return x


@idiom("NPBench trisolv", {"N": 1024}, {"N": 32}, plain=forwards, inputs={"low": diagonal})
def trisolv(low: "N.N.f64", b: "N.f64"):
    """The solution of a lower triangular system, row by row."""
    at = arange(b.shape[0])

    def step(x, k):
        return np.where(at == k.astype(np.int64), (b[k] - (low[k] * x).sum()) / low[k, k], x)

    return fold(step, np.zeros_like(b), counted(b.shape[0]))


def orthogonal(a):
    """Gram-Schmidt orthogonalisation, column by column."""
    n, a = a.shape[1], a.copy()
    q, r = np.zeros_like(a), np.zeros((n, n))
    for k in range(n):
        r[k, k] = np.sqrt(a[:, k] @ a[:, k])
        q[:, k] = a[:, k] / r[k, k]
        r[k, k + 1 :] = q[:, k] @ a[:, k + 1 :]
        a[:, k + 1 :] -= np.outer(q[:, k], r[k, k + 1 :])
    return q, r


@idiom("NPBench gramschmidt", {"M": 256, "N": 128}, {"M": 32, "N": 16}, {"M": 5, "N": 3}, plain=orthogonal)
def gramschmidt(a: "M.N.f64"):
    """An orthonormal basis of the columns, and the columns in that basis."""
    at = arange(a.shape[1])

    def step(left, k):
        place = k.astype(np.int64)
        norm = np.sqrt((left[:, k] * left[:, k]).sum())
        column = left[:, k] / norm
        row = column @ left
        rest = np.where(at > place, left - np.outer(column, row), left)
        return np.where(at == place, column[:, None], rest)

    q = fold(step, a, counted(a.shape[1]))
    return q, np.where(at[:, None] <= at[None, :], q.T @ a, 0.0)


def by_reversals(r):
    """Durbin's algorithm on growing parts of two vectors."""
    y = np.zeros_like(r)
    y[0] = alpha = -r[0]
    beta = 1.0
    for k in range(1, len(r)):
        beta *= 1 - alpha * alpha
        alpha = -(r[k] + r[:k][::-1] @ y[:k]) / beta
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y


@idiom(
    "NPBench durbin",
    {"N": 1024},
    {"N": 32},
    {"N": 4},
    plain=by_reversals,
    inputs={"r": lambda rng, shape: rng.uniform(-1, 1, shape) / shape[0]},
)
def durbin(r: "(N+1).f64"):
    """The solution of a Toeplitz system; the partial solution is stored in both orders."""
    at = arange(r.shape[0])

    def step(state, item):
        (y, backwards), (alpha, beta) = state
        place, value = item.first, item.second
        beta = beta * (1 - alpha * alpha)
        alpha = -(value + (r * backwards).sum()) / beta
        longer = np.where(at == place, alpha, y + alpha * backwards)
        first = np.zeros_like(r[:1]) + alpha
        return (longer, np.concatenate([first, (backwards + alpha * y)[:-1]])), (alpha, beta)

    start = np.where(at == 0, -r[0], 0.0)
    state = ((start, start), (-r[0], np.ones_like(r[0])))
    return fold(step, state, zip(at[1:], r[1:])).first.first


def through_all(ways):
    """Shortest paths, through one node after the other."""
    for k in range(len(ways)):
        ways = np.minimum(ways, np.add.outer(ways[:, k], ways[k]))
    return ways


@idiom(
    "NPBench floyd_warshall",
    {"N": 128},
    {"N": 32},
    plain=through_all,
    inputs={"ways": lambda rng, shape: rng.uniform(1, 9, shape)},
)
def floyd_warshall(ways: "N.N.f64"):
    """The lengths of the shortest paths between all nodes."""
    return fold(lambda ways, k: np.minimum(ways, ways[:, k][:, None] + ways[k]), ways, counted(ways.shape[0]))


def pairs_by_loops(bases):
    """The table interval by interval, from the last row to the first."""
    n = len(bases)
    table = np.zeros((n, n), np.int32)
    for i in range(n - 2, -1, -1):
        for j in range(i + 1, n):
            best = max(table[i, j - 1], table[i + 1, j], np.max(table[i, i:j] + table[i + 1 : j + 1, j]))
            matches = j > i + 1 and bases[i] + bases[j] == 3
            table[i, j] = max(best, table[i + 1, j - 1] + matches)
    return table


@idiom(
    "NPBench nussinov",
    {"N": 100},
    {"N": 20},
    {"N": 6},
    plain=pairs_by_loops,
    inputs={"bases": lambda rng, shape: rng.integers(0, 4, shape)},
)
def nussinov(bases: "N.i32"):
    """The maximum number of pairs of bases that do not cross, for each interval."""
    n = bases.shape[0]
    at = arange(n)
    zeros = np.zeros_like(bases)

    def one_row(table, i):
        place = i.astype(np.int64)
        below = np.concatenate([table[1:], np.zeros_like(table[:1])])
        next_row = np.where(at == place + 1, 1, 0)
        under = (table * next_row[:, None].astype(np.int32)).sum(axis=0, dtype=np.int32)

        def one_cell(row, j):
            column = j.astype(np.int64)
            inside = (at >= place) & (at < column)
            split = np.where(inside, row + below[:, j], 0).max()
            before = np.where(at == column - 1, under, 0).max()
            pair = np.where((bases[i] + bases[j] == 3) & (column > place + 1), 1, 0).astype(np.int32)
            best = np.maximum(split, before + pair)
            return np.where((at == column) & (column > place), best, row)

        row = fold(one_cell, zeros, counted(n))
        return np.where((at == place)[:, None], row, table)

    return fold(one_row, np.zeros_like(bases[:, None] + bases), counted(n)[::-1])


def crc_by_bytes(data):
    """The checksum on Python integers, bit by bit."""
    crc = 0xFFFF
    for byte in data.tolist():
        crc ^= byte & 0xFF
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    crc = ~crc & 0xFFFF
    return np.int32((crc << 8 | crc >> 8) & 0xFFFF)


@idiom(
    "NPBench crc16",
    {"N": 2**16},
    {"N": 1024},
    {"N": 9},
    plain=crc_by_bytes,
    inputs={"data": lambda rng, shape: rng.integers(0, 256, shape)},
)
def crc16(data: "N.i32"):
    """A checksum of bytes, bit by bit."""

    def step(crc, byte):
        crc = crc ^ (byte & 0xFF)
        for _ in range(8):
            crc = np.where((crc & 1) == 1, (crc >> 1) ^ 0x8408, crc >> 1)
        return crc

    crc = ~fold(step, np.int32(0xFFFF), data) & 0xFFFF
    return ((crc << 8) | (crc >> 8)) & 0xFFFF


def mean_of_rings(values, radius, edges):
    """The means, ring by ring."""
    found = np.zeros(len(edges) - 1)
    for i, (low, high) in enumerate(np.stack([edges[:-1], edges[1:]], axis=1)):
        found[i] = values[(low <= radius) & (radius < high)].mean()
    return found


@idiom(
    "NPBench azimint_naive",
    {"N": 2**14, "R": 64},
    {"N": 128, "R": 8},
    {"N": 40, "R": 3},
    plain=mean_of_rings,
    inputs={
        "radius": lambda rng, shape: (np.arange(shape[0]) + 0.5) / shape[0],
        "edges": lambda rng, shape: np.linspace(0, 1, shape[0]),
    },
)
def azimint_naive(values: "N.f64", radius: "N.f64", edges: "(R+1).f64"):
    """The mean of the values whose radius is between two edges."""

    def ring(low, high):
        inside = (low <= radius) & (radius < high)
        return np.where(inside, values, 0.0).sum() / inside.astype(np.float64).sum()

    return map(ring, edges[:-1], edges[1:])
