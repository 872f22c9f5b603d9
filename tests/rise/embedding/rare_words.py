"""Programs of numpy's rarer functions, each with arguments: places of masks."""

from __future__ import annotations

from types import FunctionType
from typing import Any

import numpy as np

RANDOM = np.random.default_rng(8)
X = RANDOM.standard_normal((4, 6))
ROW = X[0]


def at_places(x):
    y = x.copy()
    y[np.where(x > 0.5)] = 0
    rows, columns = np.nonzero(x < -0.5)
    y[rows, columns] = y[rows, columns] * 2
    return y, x[np.nonzero(x)].sum(), x[(x > 0).nonzero()].max(), columns.mean(), rows.min()


def at_places_of_a_line(x):
    places = np.where(x > x.min())[0]
    y = x.copy()
    y[places] = -x[places]
    return y, places.max(), len(places), places.size, x[x > x.min()].shape[0] * x[0]


def slices_counted(x):
    total = 0.0
    for i in range(1, len(x)):
        total += len(x[:i]) * x[:i].sum() + x[i:].size
    return total


def alone(x):
    return (x + 1,)


CASES: list[tuple[FunctionType, tuple[Any, ...]]] = [
    (at_places, (X,)),
    (at_places_of_a_line, (ROW,)),
    (slices_counted, (ROW,)),
    (alone, (ROW,)),
]
