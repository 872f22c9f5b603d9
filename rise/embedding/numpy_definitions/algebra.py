"""numpy's functions of vectors, matrices and polynomials, and its filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rise.embedding.places import refuse


def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """`np.convolve`. If lengths are symbolic, `a` is assumed to be the longer array, except in the mode `full`."""
    return _slid("convolve", a, v[::-1], mode)


def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """`np.correlate`. If lengths are symbolic, `a` is assumed to be the longer array, except in the mode `full`."""
    return _slid("correlate", a, np.conj(v) if v.dtype.kind == "c" else v, mode)


def _slid(name: str, a: Any, window: Any, mode: str) -> Any:
    n: Any = a.shape[0]
    m: Any = window.shape[0]
    if mode not in ("full", "same", "valid"):
        refuse("unsupported", f"expected a mode of `np.{name}`, found {mode!r}", "it is full, same or valid")
    if type(n) is int and type(m) is int and m > n and mode != "full":
        return _slid(name, window[::-1], a[::-1], mode)  # the longer array slides from its other end
    if mode == "full" and not (type(n) is int and type(m) is int and n >= m):
        return _beyond(a, m - 1, m - 1, window)
    whole = _windows(a, window)
    if mode == "valid" or (type(m) is int and m == 1):
        return whole
    # in parts, so that the windows in the middle promise which array is the longer one
    before, after = (m - 1, m - 1) if mode == "full" else (m // 2, (m - 1) // 2)
    first = _beyond(a[: m - 1], before, 0, window)
    if type(after) is int and after == 0:
        return np.concatenate((first, whole))
    return np.concatenate((first, whole, _beyond(a[n - m + 1 :], 0, after, window)))


def _beyond(a: Any, before: Any, after: Any, window: Any) -> Any:
    """The products of windows that reach so many places beyond the ends of `a`, where nothing is added: not 0 times an
    element of the window, which may be infinite or nan.
    """
    m = window.shape[0]
    inside = np.pad(np.ones(a.shape[0], dtype=np.float32), (before, after))
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(a, (before, after)), m)
    products = np.where(np.lib.stride_tricks.sliding_window_view(inside, m) > 0, windows * window, 0)
    return products.sum(axis=1, dtype=products.dtype)


def _windows(a: Any, window: Any) -> Any:
    return np.lib.stride_tricks.sliding_window_view(a, window.shape[0]) @ window


def kron(a: Any, b: Any) -> Any:
    """`np.kron` of arrays with the same number of axes."""
    if a.ndim != b.ndim:
        refuse("shape-mismatch", f"expected {a.ndim} axes, found {b.ndim}", "add axes: `x[None, :]`")
    left = a.reshape(*(size for one in a.shape for size in (one, 1)))
    right = b.reshape(*(size for one in b.shape for size in (1, one)))
    return (left * right).reshape(*(m * n for m, n in zip(a.shape, b.shape, strict=True)))


def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """`np.tensordot`."""
    if type(axes) is int:
        left, right = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        left, right = ([one] if type(one) is int else list(one) for one in axes)
    left, right = [one % a.ndim for one in left], [one % b.ndim for one in right]
    letters = "abcdefghijklmnopqrstuvwxyz"
    of_a = letters[: a.ndim]
    of_b = [
        of_a[left[right.index(i)]] if i in right else c
        for i, c in enumerate(letters[a.ndim : a.ndim + b.ndim])
    ]
    out = [c for i, c in enumerate(of_a) if i not in left] + [c for i, c in enumerate(of_b) if i not in right]
    return np.einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(out)}", a, b)


def cross(a: Any, b: Any) -> Any:
    """`np.cross` of vectors of three elements in the last axis."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def matrix_power(a: Any, n: Any) -> Any:
    """`np.linalg.matrix_power` with a known exponent of at least 0."""
    if type(n) is not int or n < 0:
        title = f"expected a Python number of at least 0 as the exponent, found {n!r}"
        refuse("unsupported", title, "multiply in a loop: `for _ in range(n): p = p @ a`")
    result, square = None, a
    bits = [int(digit) for digit in reversed(f"{n:b}")]
    for place, bit in enumerate(bits):
        square = square @ square if place else square
        if bit:
            result = square if result is None else result @ square
    return np.eye(a.shape[0], dtype=a.dtype) if result is None else result


def vecdot(x1: Any, x2: Any, axis: int = -1) -> Any:
    """`np.vecdot`: the dot products of vectors along an axis; those of `x1` are conjugated."""
    a, b = (np.moveaxis(one, axis, -1) for one in (x1, x2))
    return vecmat(a, b[..., None])[..., 0]


def matvec(x1: Any, x2: Any) -> Any:
    """`np.matvec`: products of matrices and the vectors in the last axis."""
    return (x1 @ x2[..., None])[..., 0]


def vecmat(x1: Any, x2: Any) -> Any:
    """`np.vecmat`: products of the conjugated vectors in the last axis and matrices."""
    row = np.conj(x1) if x1.dtype.kind == "c" else x1
    return (row[..., None, :] @ x2)[..., 0, :]


def polyval(p: Sequence[Any], x: Any) -> Any:
    """`np.polyval`, by Horner's scheme."""
    y = np.zeros_like(x)
    for coefficient in p:
        y = y * x + coefficient
    return y


def polyadd(a1: Any, a2: Any) -> Any:
    """`np.polyadd` of coefficients. If their numbers are symbolic, `a1` is assumed to have at least as many."""
    n, m = a1.shape[0], a2.shape[0]
    if type(n) is int and type(m) is int and n < m:
        a1, a2, n, m = a2, a1, m, n
    return a1 + np.pad(a2, (n - m, 0))


def polymul(a1: Any, a2: Any) -> Any:
    """`np.polymul` of coefficients. Unlike numpy, it does not drop leading zeros."""
    return convolve(a1, a2)


def polyder(p: Any, m: int = 1) -> Any:
    """`np.polyder`: the coefficients of a derivative."""
    for _ in range(m):
        n = p.shape[0]
        p = p[:-1] * (n - 1 - np.arange(n - 1))
    return p


def polyint(p: Any, m: int = 1, k: float = 0.0) -> Any:
    """`np.polyint`: the coefficients of an integral, with a constant."""
    for _ in range(m):
        n = p.shape[0]
        p = np.append(p / (n - np.arange(n)), k)
    return p


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """`np.vander` with a known number of columns."""
    if x.dtype.kind in "biufc":
        x = x.astype(np.promote_types(x.dtype, np.int64))
    columns = [np.ones_like(x)]
    for _ in range(1, x.shape[0] if N is None else N):
        columns = [*columns, columns[-1] * x]
    made = np.stack(columns if increasing else columns[::-1], axis=1)
    return made[:, :0] if N == 0 else made


def polyfit(x: Any, y: Any, deg: Any, *, w: Any = None) -> Any:
    """`np.polyfit` of a known degree: the coefficients of the least-squares fit, the highest power first.

    Uses the modified Gram-Schmidt method on the columns and `y` together, which is as accurate as Householder
    reflections (Bjorck, BIT 7, 1967). If there are fewer distinct x than coefficients, the results are not finite.
    """
    if type(deg) is not int or deg < 0:
        title = f"expected a Python number of at least 0 as the degree, found {deg!r}"
        refuse("unsupported", title, "with `shine.jit`, make it part of the program: `static=`")
    if x.ndim != 1 or y.ndim not in (1, 2):
        title = f"expected points of one axis and values of one or two, found {x.ndim} and {y.ndim}"
        refuse("shape-mismatch", title, "fit each line of points by itself")
    x, y = x.astype(np.float64), y.astype(np.float64)
    right = y if y.ndim == 2 else y[:, None]
    columns = vander(x, deg + 1, increasing=True)
    if w is not None:
        columns, right = columns * w[:, None], right * w[:, None]
    scale = np.sqrt((columns * columns).sum(axis=0))
    columns = columns / np.where(scale == 0, 1.0, scale)
    factors: list[Any] = []
    parts: list[Any] = []
    for k in range(deg + 1):
        length = np.sqrt((columns[:, k] ** 2).sum())
        unit = columns[:, k] / length
        row = unit @ columns
        part = unit @ right
        columns = columns - unit[:, None] * row
        right = right - unit[:, None] * part
        factors, parts = [*factors, (row, length)], [*parts, part]
    found: list[Any] = []  # the coefficients from the highest power down
    for k in range(deg, -1, -1):
        row, length = factors[k]
        rest = parts[k]
        for place, coefficient in enumerate(found):
            rest = rest - row[deg - place] * coefficient
        found = [*found, rest / length]
    coefficients = np.stack(found) / scale[::-1][:, None]
    return coefficients if y.ndim == 2 else coefficients[:, 0]
