"""numpy's functions of vectors, matrices and polynomials, and its filters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from rise.embedding.places import refuse


def convolve(a: Any, v: Any, mode: str = "full") -> Any:
    """`np.convolve`. Where lengths are names, `a` is taken to be the longer one, except in the mode `full`."""
    return _slid(a, v[::-1], mode)


def correlate(a: Any, v: Any, mode: str = "valid") -> Any:
    """`np.correlate`. Where lengths are names, `a` is taken to be the longer one, except in the mode `full`."""
    return _slid(a, np.conj(v) if v.dtype.kind == "c" else v, mode)


def _slid(a: Any, window: Any, mode: str) -> Any:
    n: Any = a.shape[0]
    m: Any = window.shape[0]
    if mode not in ("full", "same", "valid"):
        refuse(
            "unsupported", f"expected a mode of `np.convolve`, found {mode!r}", "it is full, same or valid"
        )
    if isinstance(n, int) and isinstance(m, int) and m > n and mode != "full":
        return _slid(window[::-1], a[::-1], mode)  # the longer one slides from its other end
    if mode == "full":
        return _windows(np.pad(a, (m - 1, m - 1)), window)
    whole = _windows(a, window)
    if mode == "valid" or (isinstance(m, int) and m == 1):
        return whole
    # in parts, so that the windows between the ends state which array is the longer one
    first = _windows(np.pad(a[: m - 1], (m // 2, 0)), window)
    last = _windows(np.pad(a[n - m + 1 :], (0, (m - 1) // 2)), window)
    return np.concatenate((first, whole, last))


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
    if isinstance(axes, int):
        left, right = list(range(a.ndim - axes, a.ndim)), list(range(axes))
    else:
        left, right = ([one] if isinstance(one, int) else list(one) for one in axes)
    left, right = [one % a.ndim for one in left], [one % b.ndim for one in right]
    letters = "abcdefghijklmnopqrstuvwxyz"
    of_a = list(letters[: a.ndim])
    of_b = list(letters[a.ndim : a.ndim + b.ndim])
    for one, other in zip(left, right, strict=True):
        of_b[other] = of_a[one]
    out = [c for i, c in enumerate(of_a) if i not in left] + [c for i, c in enumerate(of_b) if i not in right]
    return np.einsum(f"{''.join(of_a)},{''.join(of_b)}->{''.join(out)}", a, b)


def cross(a: Any, b: Any) -> Any:
    """`np.cross` of vectors of three elements in the last axis."""
    x, y, z = a[..., 0], a[..., 1], a[..., 2]
    u, v, w = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((y * w - z * v, z * u - x * w, x * v - y * u), axis=-1)


def matrix_power(a: Any, n: Any) -> Any:
    """`np.linalg.matrix_power` with a known exponent of at least 0."""
    if not isinstance(n, int) or n < 0:
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
    """`np.vecdot`: the dot products of vectors along an axis, of which the first ones are conjugated."""
    a, b = (np.moveaxis(one, axis, -1) for one in (x1, x2))
    return vecmat(a, b[..., None])[..., 0]


def matvec(x1: Any, x2: Any) -> Any:
    """`np.matvec`: matrices by vectors in the last axis."""
    return (x1 @ x2[..., None])[..., 0]


def vecmat(x1: Any, x2: Any) -> Any:
    """`np.vecmat`: vectors in the last axis, conjugated, by matrices."""
    row = np.conj(x1) if x1.dtype.kind == "c" else x1
    return (row[..., None, :] @ x2)[..., 0, :]


def polyval(p: Sequence[Any], x: Any) -> Any:
    """`np.polyval`, by Horner's scheme."""
    y = np.zeros_like(x)
    for coefficient in p:
        y = y * x + coefficient
    return y


def vander(x: Any, N: int | None = None, increasing: bool = False) -> Any:
    """`np.vander` with a known number of columns."""
    columns = [np.ones_like(x)]
    for _ in range(1, x.shape[0] if N is None else N):
        columns.append(columns[-1] * x)
    made = np.stack(columns if increasing else columns[::-1], axis=1)
    return made[:, :0] if N == 0 else made
