"""Numba: Python loops compiled by LLVM, with reassociation allowed. No matrix product, since it would call numpy's."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
from numba import njit, prange

from peers import Array, Peer, Prepare, Run


@njit(parallel=True, fastmath=True)
def softmax(rows, out):
    for i in prange(rows.shape[0]):
        row = rows[i]
        top = row[0]
        for x in row:
            top = max(top, x)
        total = row[0] * 0
        for j in range(len(row)):
            weight = math.exp(row[j] - top)
            out[i, j] = weight
            total += weight
        share = 1 / total
        for j in range(len(row)):
            out[i, j] *= share


@njit(parallel=True, fastmath=True)
def layer_norm(scale, shift, rows, out):
    for i in prange(rows.shape[0]):
        row = rows[i]
        n = np.float32(len(row))
        total = np.float32(0)
        for x in row:
            total += x
        mean = total / n
        total = np.float32(0)
        for x in row:
            total += (x - mean) * (x - mean)
        share = np.float32(1) / math.sqrt(total / n + np.float32(1e-5))
        for j in range(len(row)):
            out[i, j] = scale[j] * ((row[j] - mean) * share) + shift[j]


@njit(parallel=True, fastmath=True)
def dot(xs, ys):
    total = xs[0] * 0
    for i in prange(len(xs)):
        total += xs[i] * ys[i]
    return total


@njit(parallel=True, fastmath=True)
def total(xs):
    found = xs[0] * 0
    for i in prange(len(xs)):
        found += xs[i]
    return found


@njit(parallel=True, fastmath=True)
def greatest(xs):
    found = xs[0]
    for i in prange(len(xs)):
        found = max(found, xs[i])
    return found


def into_rows(function: Callable[..., Any]) -> Prepare:
    """A run that writes to an existing array with the shape of the last argument."""

    def prepare(*arguments: Array) -> Run:
        out = np.empty_like(arguments[-1])

        def run() -> Array:
            function(*arguments, out)
            return out

        return run

    return prepare


def reduced(function: Callable[..., Any]) -> Prepare:
    """A run that returns a number."""
    return lambda *arguments: lambda: function(*arguments)


def peer(threads: int) -> Peer:
    """Numba, with its threads set by `set_num_threads`."""
    numba.set_num_threads(threads)
    kernels = {
        "softmax": into_rows(softmax),
        "layer_norm": into_rows(layer_norm),
        "dot": reduced(dot),
        "sum": reduced(total),
        "max": reduced(greatest),
    }
    return Peer("numba", numba.__version__, "numba.set_num_threads", kernels)
