"""The arrays of a small function in the form of NPBench."""

import numpy as np


def initialize(N):
    return np.cos(np.arange(N))
