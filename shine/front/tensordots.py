"""`shine.tensordot` and `shine.transpose`: with `shine.einsum`, what opt_einsum needs of a backend.

`opt_einsum.contract(spec, *arrays, backend="shine")` calls these functions for each pair of operands. Independent of
opt_einsum.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NoReturn

import numpy as np

from rise.arguments.libraries import as_numpy, given_as, library_for
from rise.diagnostics import Diagnostic, RiseError
from rise.einsum.specs import LETTERS
from rise.tracebacks import ends_at_the_users_line
from shine.front.contractions import as_array, einsum

EXAMPLE: Final = (
    "for example axes=([1], [0]), or axes=1 for the last of the first operand and the first of the other"
)


@ends_at_the_users_line
def tensordot(a: Any, b: Any, axes: Any = 2, **options: Any) -> Any:
    """The sum of products over pairs of axes, as of `numpy.tensordot`: `axes` are two lists of axes, or the number of
    last axes of `a` and first axes of `b`. Options are those of `shine.einsum`.

    >>> import numpy as np
    >>> tensordot(np.ones((2, 3), "f4"), np.ones((3, 4), "f4"), axes=1, target="interpret").shape
    (2, 4)
    """
    ranks = [as_array("", one).ndim for one in (a, b)]
    left, right = pairs_of_axes(axes, *ranks)
    first = list(LETTERS[: ranks[0]])
    second = list(LETTERS[ranks[0] : sum(ranks)])
    for one, other in zip(left, right, strict=True):
        second[other] = first[one]
    result = [c for c in first + second if (c in first) != (c in second)]
    return einsum(f"{''.join(first)},{''.join(second)}->{''.join(result)}", a, b, **options)


def pairs_of_axes(axes: Any, rank: int, other: int) -> tuple[list[int], list[int]]:
    """The axes of both operands that are summed, in pairs. Raises RiseError for axes that do not exist."""
    if isinstance(axes, int | np.integer) and not isinstance(axes, bool):
        if not 0 <= axes <= min(rank, other):
            _refuse(f"expected a number of axes from 0 to {min(rank, other)}, found {axes}")
        return list(range(rank - int(axes), rank)), list(range(int(axes)))
    if not isinstance(axes, Sequence | np.ndarray) or isinstance(axes, str) or len(axes) != 2:
        _refuse(f"expected a number of axes or two lists of axes, found {axes!r:.60}")
    left, right = (_positions(one, count) for one, count in zip(axes, (rank, other), strict=True))
    if len(left) != len(right):
        _refuse(f"expected as many axes of both operands, found {len(left)} and {len(right)}")
    return left, right


def _positions(axes: Any, rank: int) -> list[int]:
    given = np.atleast_1d(np.asarray(axes, dtype=None if np.size(axes) else np.int64))
    if given.ndim != 1 or given.dtype.kind not in "iu" or not all(-rank <= axis < rank for axis in given):
        _refuse(f"expected axes from {-rank} to {rank - 1}, found {axes!r:.60}")
    found = [int(axis) % rank for axis in given]
    if len(set(found)) < len(found):
        _refuse(f"expected each axis once, found {axes!r:.60}")
    return found


@ends_at_the_users_line
def transpose(a: Any, axes: Any = None) -> Any:
    """A view of an array with its axes in another order, as of `numpy.transpose`; no data is moved.

    >>> import numpy as np
    >>> transpose(np.ones((2, 3)), (1, 0)).shape
    (3, 2)
    """
    array = as_array("", a)
    order = list(range(array.ndim))[::-1] if axes is None else _positions(axes, array.ndim)
    if len(order) != array.ndim:
        _refuse(f"expected each of {array.ndim} axes, found {axes!r:.60}")
    library = library_for((a,), None)
    return given_as(library, np.transpose(as_numpy("operand", a), order))


def _refuse(title: str) -> NoReturn:
    """Raise RiseError for axes that do not fit."""
    raise RiseError(Diagnostic("einsum-axes", title, hint=EXAMPLE))
