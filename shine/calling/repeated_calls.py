"""Calls like one before: whole arrays that fit as they are, of shapes that were checked once. Knows no messages.

What does not fit, or was not seen, goes the long way through `shine.calling.boundary`, which says what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from shine.calling.leaves import Leaf, leaves_of
from shine.calling.memory import HOST
from shine.imperative.nodes import Procedure

KEPT: Final = 256  # shapes


class Remembered:
    """The shapes of one kernel's calls, with the sizes and the shape of the result that follow from them."""

    def __init__(self, inputs: Sequence[Leaf], output: Leaf) -> None:
        self._dtypes = tuple(leaf.dtype for leaf in (*inputs, output))
        self._output = output
        self._found: dict[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def find(self, arguments: tuple[Any, ...], out: Any) -> tuple[tuple[int, ...], list[Any]] | None:
        """The sizes, and what to pass: the arguments and `out` or a new array. None where that is not known."""
        if len(arguments) != len(self._dtypes) - 1:
            return None
        shapes: list[tuple[int, ...]] = []
        for array, dtype in zip(arguments if out is None else (*arguments, out), self._dtypes, strict=False):
            if type(array) is not np.ndarray or array.dtype != dtype:
                return None
            flags = array.flags
            if not (flags.c_contiguous and flags.aligned):
                return None
            shapes.append(array.shape)
        known = self._found.get(tuple(shapes[: len(arguments)]))
        if known is None:
            return None
        sizes, shape = known
        if out is None:
            return sizes, [*arguments, HOST.allocate(self._output, shape)]
        if shapes[-1] != shape or not out.flags.writeable:
            return None
        for array in arguments:
            if np.may_share_memory(array, out):
                return None
        return sizes, [*arguments, out]

    def keep(self, arguments: Sequence[Any], sizes: tuple[int, ...], shape: tuple[int, ...]) -> None:
        """Remember a call that was checked."""
        if all(type(array) is np.ndarray for array in arguments):
            if len(self._found) >= KEPT:
                self._found.clear()
            self._found[tuple([array.shape for array in arguments])] = sizes, shape


def remembered(procedure: Procedure) -> Remembered | None:
    """Room for the calls of a kernel: of one whose arguments and result are whole arrays or numbers, and whose numbers
    need no checks.
    """
    inputs = [leaf for one in procedure.given for leaf in leaves_of(one.name, one.type)]
    outputs = leaves_of(procedure.output.name, procedure.output.type)
    simple = len(inputs) == len(procedure.given) and len(outputs) == 1
    checked = procedure.pairs or procedure.explicit or procedure.distinct or procedure.tables
    if not simple or checked or procedure.number is not None:
        return None
    if any(leaf.end is not None or leaf.rows for leaf in inputs) or outputs[0].rows:
        return None
    return Remembered(inputs, outputs[0])
