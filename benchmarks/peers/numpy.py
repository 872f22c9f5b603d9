"""numpy: matrix products by the OpenBLAS in its wheel, everything else by its own loops on one thread."""

from __future__ import annotations

from functools import partial

import numpy as np
from _measure import numpys_blas

from peers import Array, Peer, Run


def mm(a: Array, b: Array) -> Run:
    """A run that writes to an existing array."""
    return partial(np.matmul, a, b, out=np.empty((len(a), b.shape[1]), a.dtype))


def einsum(spec: str, a: Array, b: Array, out: Array) -> Run:
    """A run that writes to an existing array."""
    return partial(np.einsum, spec, a, b, out=out, optimize=True)


def peer(threads: int) -> Peer:
    """OpenBLAS reads the number of threads when it is loaded; it is also set explicitly."""
    blas = numpys_blas()
    if blas.threads is not None:
        blas.threads(threads)
    kernels = {
        "mm": mm,
        "einsum": einsum,
        "dot": lambda xs, ys: partial(np.dot, xs, ys),
        "sum": lambda xs: partial(np.sum, xs),
        "max": lambda xs: partial(np.max, xs),
    }
    return Peer("numpy", f"{np.__version__}, {blas.name}", "OPENBLAS_NUM_THREADS", kernels)
