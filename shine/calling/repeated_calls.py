"""Fast path for calls like a previous one: whole arrays that fit as they are, of known shapes. Knows no messages.

All other calls go through `shine.calling.boundary`, which reports what is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from rise.arguments.leaves import Leaf, leaves_of
from shine.calling.memory import HOST
from shine.imperative.nodes import Procedure

MAX_REMEMBERED_SHAPES: Final = 256


class RememberedCalls:
    """The shapes of one kernel's calls, with the sizes and the shape of the result that they determine."""

    def __init__(self, inputs: Sequence[Leaf], output: Leaf) -> None:
        self._dtypes = tuple(leaf.dtype for leaf in (*inputs, output))
        self._output = output
        self._known: dict[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], tuple[int, ...]]] = {}

    def find(self, arguments: tuple[Any, ...], out: Any) -> tuple[tuple[int, ...], list[Any]] | None:
        """The sizes, and the arrays to pass: the arguments, and `out` or a new array. None if the call is not known."""
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
        entry = self._known.get(tuple(shapes[: len(arguments)]))
        if entry is None:
            return None
        sizes, shape = entry
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
            if len(self._known) >= MAX_REMEMBERED_SHAPES:
                self._known.clear()
            self._known[tuple([array.shape for array in arguments])] = sizes, shape


def remembered_calls(procedure: Procedure) -> RememberedCalls | None:
    """An empty record of calls, for a kernel whose arguments and result are whole arrays or unchecked numbers; None for
    other kernels.
    """
    inputs = [leaf for parameter in procedure.given for leaf in leaves_of(parameter.name, parameter.type)]
    outputs = leaves_of(procedure.output.name, procedure.output.type)
    simple = len(inputs) == len(procedure.given) and len(outputs) == 1
    checked = procedure.pairs or procedure.explicit or procedure.distinct or procedure.tables
    if not simple or checked or procedure.number is not None:
        return None
    if any(leaf.end is not None or leaf.rows for leaf in inputs) or outputs[0].rows:
        return None
    return RememberedCalls(inputs, outputs[0])
