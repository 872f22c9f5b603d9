"""Programs with loops, branches and assignments, as people write them for numpy or in plain Python. Independent of
tests.

One subject: the programs; each is small, and there are many of them. `F` stands for the type of floats. Each program is
defined for sizes of at least `LEAST`.
"""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

import math
from typing import Final

import numpy as np


def total(x: N.F):
    s = 0.0
    for i in range(x.shape[0]):
        s += x[i]
    return s


def smoothed(x: N.F):
    y = np.zeros_like(x)
    for i in range(1, len(x) - 1):
        y[i] = (x[i - 1] + x[i] + x[i + 1]) / 3
    return y


def summed(x: N.F):
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x


def stepped(steps: nat, a: N.F, b: N.F):
    for _ in range(1, steps):
        b[1:-1] = 0.25 * (a[:-2] + 2 * a[1:-1] + a[2:])
        a[1:-1] = 0.25 * (b[:-2] + 2 * b[1:-1] + b[2:])


def swapped(x: N.F, y: N.F, steps: nat):
    for _ in range(steps):
        y = 0.5 * x + y[::-1]
        x, y = y, x
    return x, y


def shortest(a: N.N.F):
    n = a.shape[0]
    for k in range(n):
        for i in range(n):
            for j in range(n):
                a[i, j] = min(a[i, j], a[i, k] + a[k, j])
    return a


def greatest(x: N.F):
    best, at = x[0], 0
    for i, v in enumerate(x):
        if v > best:
            best, at = v, i
    return best, at


def counted(x: N.F, limit: F):
    count = 0
    for v in x:
        if v < 0:
            continue
        if v > limit:
            break
        count += 1
    else:
        count = -count
    return count


def found(x: N.F, limit: F):
    for i in range(len(x)):
        if x[i] > limit:
            return i, x[i]
    return -1, limit


def factored(a: N.N.F):
    n = len(a)
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]


def rooted(a: N.N.F):
    for i in range(a.shape[0]):
        for j in range(i):
            s = a[i, j]
            for k in range(j):
                s -= a[i, k] * a[j, k]
            a[i, j] = s / a[j, j]
        t = a[i, i]
        for k in range(i):
            t -= a[i, k] ** 2
        a[i, i] = math.sqrt(t)
    return a


def relaxed(steps: nat, a: N.N.F):
    for _ in range(steps):
        for i in range(1, len(a) - 1):
            for j in range(1, len(a) - 1):
                a[i, j] = (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1] + a[i, j]) / 5.0


def multiplied(a: N.K.F, b: K.M.F):
    c = np.zeros((a.shape[0], b.shape[1]), dtype=a.dtype)
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            for k in range(len(b)):
                c[i, j] += a[i, k] * b[k, j]
    return c


def common(a: N.i32, b: M.i32):
    n, m = len(a), len(b)
    length = np.zeros((n + 1, m + 1), dtype=np.int64)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            if a[i - 1] == b[j - 1]:
                length[i, j] = length[i - 1, j - 1] + 1
            else:
                length[i, j] = max(length[i - 1, j], length[i, j - 1])
    return length[n, m]


def turns(n: N.i64):
    out = np.zeros_like(n)
    for i in range(len(n)):
        v, k = n[i], 0
        while v != 1 and k < 50:
            v = v // 2 if v % 2 == 0 else 3 * v + 1
            k += 1
        out[i] = k
    return out


def backwards(x: N.F):
    s = 0.0
    for i in range(len(x) - 1, -1, -1):
        for j in range(i, -1, -2):
            s = s * 0.5 + x[i] * x[j]
    return s


def convolved(x: (N + K).F, w: K.F):
    y = np.zeros(len(x) - len(w), dtype=x.dtype)
    for i in range(len(y)):
        for j in range(len(w)):
            y[i] += x[i + j] * w[j]
    return y


def histogram(keys: N.i64, bins: M.i64):
    for key in keys:
        bins[key % len(bins)] += 1
    return bins


def clipped(x: N.M.F, low: F):
    for i in range(x.shape[0]):
        row = x[i]
        if row.sum() < low and not (i % 3 == 1 or i > 5):
            row[:] = low
        elif low <= row[0] < 1.0:
            scale(row, 2.0)
        else:
            row[row < 0] = 0
    return x


def scale(row, by):
    for j in range(len(row)):
        row[j] *= by


def newton(x: N.F):
    y = x.copy()
    for i in range(len(x)):
        guess, error, k = x[i] + 1.0, 1.0, 0
        while error > 1e-3 and k < 20:
            new = 0.5 * (guess + (x[i] + 1.0) / guess)
            error = abs(new - guess)
            guess = new
            k += 1
        y[i] = guess
    return y


def polynomial(x: N.F, c: M.F):
    def horner(at):
        value = 0.0
        for coefficient in reversed(c):
            value = value * at + coefficient
        return value

    y = np.empty(len(x), dtype=x.dtype)
    for i, at in enumerate(x):
        y[i] = horner(at)
    return y


def solved(low: N.N.F, b: N.F):
    x = np.zeros_like(b)
    for i in range(len(b)):
        x[i] = (b[i] - low[i, :i] @ x[:i]) / low[i, i]
    return x


def orthogonal(a: M.N.F):
    n = a.shape[1]
    q, r = np.zeros_like(a), np.zeros((n, n), dtype=a.dtype)
    for k in range(n):
        r[k, k] = np.sqrt((a[:, k] * a[:, k]).sum())
        q[:, k] = a[:, k] / r[k, k]
        r[k, k + 1 :] = q[:, k] @ a[:, k + 1 :]
        a[:, k + 1 :] -= np.outer(q[:, k], r[k])[:, k + 1 :]
    return q, r


def decomposed(a: N.N.F):
    for k in range(len(a)):
        a[k + 1 :, k] /= a[k, k]
        a[k + 1 :, k + 1 :] -= a[k + 1 :, k][:, None] * a[k, k + 1 :][None, :]
    return a


def pivoted(a: N.N.F, b: N.F):
    a[:, ::2] *= 0.01
    for k in range(len(a)):
        p = k + np.argmax(np.abs(a[k:, k]))
        first, second = a[p].copy(), a[k].copy()
        a[p], a[k] = second, first
        first, second = b[p], b[k]
        b[p], b[k] = second, first
        factors = a[k + 1 :, k] / a[k, k]
        a[k + 1 :, k:] -= np.outer(factors, a[k, k:])
        b[k + 1 :] -= factors * b[k]
    return a, b


def corners(a: N.N.F):
    n = len(a)
    found = np.zeros((n, 5), dtype=a.dtype)
    places = np.zeros((n, 2), dtype=np.int64)
    for i in range(n):
        places[i, 0], places[i, 1] = np.argmin(a[i, i:]), np.argmax(a[: i + 1, i] - a[: i + 1, 0])
        found[i, 0] = np.linalg.norm(a[:i, i:]) + np.linalg.norm(a[i:, i])
        found[i, 1] = np.where(a[i, i:] > 1, a[i, i:], -a[i:, i]).sum()
        found[i, 2] = (a[i:, :i].T @ a[i:, i]).sum() + a[i:, None, i].sum()
        found[i, 3] = np.any(a[i, :i] > 1) + 2 * np.all(a[i:, i] > 0)
        found[i, 4] = (a[:i, i][None, :] * a[i, :i][:, None] - np.outer(a[i, :i], a[:i, i])).sum()
    return found, places


def bordered(a: N.M.F):
    n = len(a)
    x = np.zeros(n, dtype=a.dtype)
    for k in range(n - 1, -1, -1):
        p = np.argmax(a[:, k])
        x[k] = 1.0 - a[p, k + 1 : n] @ x[k + 1 :] + (a[p, k:n] * x[k:]).sum()
        x[k + 1 :] += a[p, k + 1 : n]
    return x


def reversals(r: (N + 1).F):
    y = np.zeros_like(r)
    alpha, beta = -r[0], 1.0
    y[0] = alpha
    for k in range(1, len(r)):
        beta *= 1 - alpha * alpha
        alpha = -(r[k] + np.dot(r[:k][::-1], y[:k])) / (beta + 1)
        y[:k] += alpha * y[:k][::-1]
        y[k] = alpha
    return y


def triangles(c: N.N.F, a: N.M.F, alpha: F):
    for i in range(len(a)):
        c[i, : i + 1] *= 0.5
        for k in range(a.shape[1]):
            c[i, : i + 1] += alpha * a[i, k] * a[: i + 1, k]
    return c


def covariances(x: (N + 1).M.F):
    x -= x.mean(axis=0)
    n, m = x.shape
    cov = np.zeros((m, m), dtype=x.dtype)
    for i in range(m):
        cov[i:, i] = x[:, i] @ x[:, i:] / n
        cov[i, i:] = cov[i:, i]
    return cov


def windows(x: (N + 1).F):
    y = np.zeros_like(x)
    for i in range(1, len(x)):
        y[i] = x[:i].max() + x[i:].mean() + (x[:i] ** 2).min()
    return y


def escaping(re: N.F, im: N.F, turns: nat):
    x, y, count = np.zeros_like(re), np.zeros_like(im), np.zeros(re.shape, dtype=np.int64)
    for n in range(turns):
        near = x * x + y * y < 4.0
        count[near] = n
        x[near], y[near] = x[near] ** 2 - y[near] ** 2 + re[near], 2 * x[near] * y[near] + im[near]
    return x, y, count


def guarded(x: N.F, y: M.F):
    s = 0.0
    for i in range(len(y)):
        if i < len(x):
            s += x[i] * y[i]
        if i > 0:
            s -= y[i - 1]
    return s


def rings(values: N.F, radius: N.F, edges: (M + 1).F):
    mean = np.zeros(len(edges) - 1, dtype=values.dtype)
    for i in range(len(mean)):
        ring = (edges[i] <= radius) | (radius < edges[i + 1])
        mean[i] = values[ring].sum() + (values[ring] * radius[ring]).max()
    values[values > 1] -= 1.0
    return mean, values


def shifted(xs, by=1.0, *, times=2):
    for _ in range(times):
        xs[1:] = xs[:-1] + by
    return xs


def helped(x: N.F, y: N.F):
    rate = 0.5

    def blended(a, b):
        return a * rate if a > b else b

    shifted(x, times=ROUNDS)
    z = shifted(by=rate, xs=y.copy())
    for i in range(len(x)):
        z[i] = blended(z[i], x[i]) + i
    return z, blended(x[0], y[0]), x


def walked(x: N.F, limit: F):
    k, s = 0, 0.0
    while k < len(x) and s < limit:
        if x[k] < -1:
            break
        x[k] += s
        s += abs(x[k])
        k += 1
    return k, s, x


def viewed(x: N.F, y: N.F):
    s = 0.0
    for i in range(len(x)):
        v, w = x[i:], y[: i + 1][::-1]
        x[i] = 7.0
        y[0] += 1.0
        v += w.sum()
        v *= 0.5
        if y[i] > 0:
            x[i:] -= v * 0.25
        s += v.sum()
    return s, x, y


def from_end(x: N.F, a: N.M.F):
    s = 0.0
    for i in range(len(x)):
        s += 0.5 * x[-1 - i]
    for i in range(len(x)):
        x[i - 1] -= s
    for i in range(len(x)):
        x[-i - 1] += 0.5 * x[i - 1]
    for i in range(len(a)):
        for j in range(a.shape[1]):
            a[i - 1, -1] += a[i, j - 1]
    return s, x, a


def made(x: N.F):
    n = len(x)
    ones, flags = np.ones(n, dtype=np.int64), np.zeros((n, 2), dtype=bool)
    filled, table = np.full(n, x[0]), np.full((2, n), 3.0, dtype=x.dtype)
    for i in range(n):
        ones[i] += i * i
        flags[i, 1] = x[i] > 0 or i == n - 1
        table[1, i] = filled[i] + i / 2
    return ones, flags, table


def filtered(a: N.M.F, k: (2.2).F):
    y = np.zeros((a.shape[0] - 1, a.shape[1] - 1, 3), dtype=a.dtype)
    for i in range(y.shape[0]):
        for j in range(y.shape[1]):
            y[i, j, :] = np.sum(a[i : i + 2, j : j + 2, np.newaxis] * k[:, :, None], axis=(0, 1))
    return y


def pooled(x: N.F):
    y = np.empty(x.shape[0] // 2, dtype=x.dtype)
    for i in range(y.shape[0]):
        y[i] = np.max(x[2 * i : 2 * i + 2])
    return y


def slid(x: M.F, y: M.F):
    n = len(x) - 1
    for i in range(n):
        v = y[i : i + 2] * 0.5
        x[i : i + 2] += v[::-1]
        w = y[n - 1 - i : n + 1 - i]
        w -= x[i : i + 2]
        if x[i] > 0:
            y[i : i + 2] = x[i : i + 2]
    for i in range(n):
        for j in range(i):
            x[i - j : i + 2 - j] += 0.25 * y[:2]
    return x, y


def weighted(x: N.M.F):
    w = x * x
    w[w > 1] = w[w > 1] ** -1.5 + x[w > 1]
    for i in range(len(x)):
        w[i][x[i] > 0] = 1.0 / w[i][x[i] > 0]
    return w


def series(t: M.F, c: N.F):
    s = 0
    for k in range(len(c)):
        s = s + c[k] * np.sin(k * t)
    return s + sum(a * t for a in c)


def evaluated(t: M.F, c: N.F):
    y, count, least = 0.0, 0, np.inf
    for a in c[::-1]:
        y, count, least = y * t + a, count + 1, np.minimum(least, y)
    return y / count, least


def ended(x: N.M.F):
    s = 0
    for row in x:
        s = s + row
        if s.sum() > 3:
            break
    return s


def reflected(a: N.N.F):
    for k in range(len(a) - 1):
        v = a[k:, k].copy()
        v[0] += np.copysign(np.linalg.norm(v), v[0])
        v /= np.linalg.norm(v) + 1e-3
        a[k:, k:] -= 2 * np.outer(v, v @ a[k:, k:])
        a[:, k:] -= 2 * np.outer(a[:, k:] @ v, v)
    return a


def marked(a: N.N.F, x: N.F):
    y = np.zeros_like(x)
    for i in range(1, len(x)):
        s, column = x[:i] * 2, a[i:, i]
        t = s
        t[-1] = 7
        column[0] = y[i - 1]
        if x[i] > 0:
            s[0] -= x[i]
        for j in range(i):
            s[j] += j
        y[i] = s.sum() + (x[:i] + 1)[0]
    return a, y


def sieved(x: N.F):
    prime = x > -9.0
    for i in range(2, len(x)):
        if prime[i]:
            prime[2 * i :: i] = False
    return prime


def polyphase(x: N.F, y: N.F):
    for i in range(len(y)):
        x[i::3] *= y[i]
        y[i::-2] += x[i]
    return x, y


def rooted_until(x: N.M.F):
    """Ends early without a result."""
    for i in range(x.shape[0]):
        for j in range(x.shape[1]):
            if x[i, j] > 1.5:
                return
            x[i, j] = x[i, j] * 2 + 1
    x[:] = x - 1


def first_negative(x: N.F):
    i = 0
    while True:
        if i == len(x):
            return -1
        if x[i] < 0:
            return i
        i += 1


ROUNDS: Final = 2
LOOPS: Final = (
    reflected, marked, sieved, polyphase, rooted_until, first_negative,
    series, evaluated, ended,
    helped, made, walked, viewed, from_end, filtered, pooled, slid, weighted,
    escaping, guarded, rings,
    solved, orthogonal, decomposed, pivoted, corners, bordered, reversals, triangles, covariances, windows,
    total, smoothed, summed, stepped, swapped, shortest, greatest, counted, found, factored, rooted, relaxed,
    multiplied, common, turns, backwards, convolved, histogram, clipped, newton, polynomial,
)  # fmt: skip
#: the smallest size for programs that are undefined on empty arrays, or whose terms have N - 1 or N - 2 elements
LEAST: Final = {
    "sieved": 2,
    "reflected": 1,
    "marked": 1,
    "series": 1,
    "evaluated": 2,
    "ended": 1,
    "pivoted": 1,
    "bordered": 1,
    "corners": 1,
    "summed": 1,
    "greatest": 1,
    "smoothed": 2,
    "stepped": 2,
    "relaxed": 2,
    "helped": 1,
    "viewed": 1,
    "made": 1,
    "clipped": 1,
    "histogram": 1,
    "rings": 1,
    "filtered": 1,
    "slid": 1,
}
