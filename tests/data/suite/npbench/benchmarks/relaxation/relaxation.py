"""The arrays of a small function in the form of NPBench."""

import numpy as np


def initialize(N, datatype=np.float64):
    x = np.fromfunction(lambda i: (i % 7) / 7, (N,), dtype=datatype)
    return x, np.full((N + 1, 2), 0.25)
