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
    """By `numpy.add.reduceat` at the starts; it gives an empty row the element after it."""
    found = np.add.reduceat(np.append(values, np.float32(0)), rows.offsets[:-1])
    return np.where(rows.lengths > 0, found, np.float32(0))


def csr_mv(rows: tuple[Ragged, Ragged], x: Array) -> Array:
    """All products, then the sums of rows."""
    columns, entries = rows
    return sums(entries.values * x[columns.values], entries)


def triangular_mv(rows: Ragged, x: Array) -> Array:
    """In a matrix with zeros above the diagonal."""
    a = np.zeros((len(x), len(x)), np.float32)
    a[np.tril_indices(len(x))] = rows.values
    return np.asarray(a @ x)


def ragged_shares(rows: Ragged) -> list[Any]:
    """Each total, repeated for the elements of its row."""
    totals = sums(np.abs(rows.values), rows) + np.float32(1)
    return list(Ragged(rows.values / np.repeat(totals, rows.lengths), rows.lengths))


RAGGED: Final[Mapping[str, Peer]] = {
    "csr_mv": Peer({"N": len(LENGTHS), "M": MEGA, "len": LENGTHS}, csr_mv),
    "triangular_mv": Peer({"N": SIDE}, triangular_mv),
    "ragged_sums": Peer({"N": len(LENGTHS), "len": LENGTHS}, lambda rows: sums(rows.values, rows)),
    "ragged_shares": Peer({"N": len(LENGTHS), "len": LENGTHS}, ragged_shares),
}
