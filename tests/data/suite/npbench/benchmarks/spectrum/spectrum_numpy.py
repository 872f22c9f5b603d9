"""A small function in the form of NPBench."""

import numpy as np


def spectrum(x):
    return np.fft.fft(x)
