"""Expected results of the cases about rows of different lengths, by numpy. Independent of RISE."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from cases.bounds import Array, Expected, Tree, wide, within

Rows = Sequence[Array]


def by_rows(rows: Rows, terms: Callable[[int, Array], Array]) -> Expected:
    """The sum of each row's terms."""
    found = [terms(i, wide(row)) for i, row in enumerate(rows)]
    longest = max(map(len, rows), default=0)
    sums, magnitudes = ([f(one) for one in found] for f in (np.sum, lambda one: np.abs(one).sum()))
    return within(np.array(sums, np.float64), np.array(magnitudes, np.float64), longest + 2)


def csr_mv(rows: tuple[Rows, Rows], x: Array) -> Expected:
    columns, values = rows
    return by_rows(values, lambda i, row: row * wide(x)[columns[i]])


def ragged_shares(rows: Rows) -> Expected:
    shares = [wide(row) / (1 + np.abs(wide(row)).sum()) for row in rows]
    flat = np.concatenate([np.zeros(0), *shares])
    return within(flat, np.abs(flat), max(map(len, rows), default=0) + 4)


RAGGED: Final[Mapping[str, Callable[..., Tree]]] = {
    "csr_mv": csr_mv,
    "triangular_mv": lambda rows, x: by_rows(rows, lambda i, row: row * wide(x)[: i + 1]),
    "ragged_sums": lambda rows: by_rows(rows, lambda i, row: row),
    "ragged_shares": ragged_shares,
}
