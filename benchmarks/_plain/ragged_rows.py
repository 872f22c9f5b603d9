"""Rows of different lengths in straightforward numpy, one after the other. Does not measure time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from _plain.kinds import MEGA, Array, Peer
from rise import Ragged

#: one of eight rows is empty, and one has half of the elements
LENGTHS: Final = (0, 2, 4, 6, 8, 10, 12, 42) * (MEGA // 64)
SIDE: Final = 2048


def sums(values: Array, rows: Ragged) -> Array:
    """The sums of rows, by `numpy.add.reduceat` at their starts. For an empty row it returns the next element, so these
    are set to 0.
    """
    found = np.add.reduceat(np.append(values, np.float32(0)), rows.offsets[:-1])
    return np.where(rows.lengths > 0, found, np.float32(0))


def csr_mv(rows: tuple[Ragged, Ragged], x: Array) -> Array:
    """A sparse matrix times a vector: all products, then the sums of rows."""
    columns, entries = rows
    return sums(entries.values * x[columns.values], entries)


def triangular_mv(rows: Ragged, x: Array) -> Array:
    """A triangular matrix times a vector, as a full matrix with zeros above the diagonal."""
    a = np.zeros((len(x), len(x)), np.float32)
    a[np.tril_indices(len(x))] = rows.values
    return np.asarray(a @ x)


def ragged_shares(rows: Ragged) -> list[Any]:
    """Each element divided by 1 and the sum of the magnitudes of its row; sums are repeated for the elements."""
    totals = sums(np.abs(rows.values), rows) + np.float32(1)
    return list(Ragged(rows.values / np.repeat(totals, rows.lengths), rows.lengths))


RAGGED: Final[Mapping[str, Peer]] = {
    "csr_mv": Peer({"N": len(LENGTHS), "M": MEGA, "len": LENGTHS}, csr_mv),
    "triangular_mv": Peer({"N": SIDE}, triangular_mv),
    "ragged_sums": Peer({"N": len(LENGTHS), "len": LENGTHS}, lambda rows: sums(rows.values, rows)),
    "ragged_shares": Peer({"N": len(LENGTHS), "len": LENGTHS}, ragged_shares),
}
