"""The objects that rewritten functions subscript: those of `np.c_[x, y]` and the like, arrays whose elements are
assigned at arrays of indices, `x[i] = y`, and known arrays indexed by values of the program. The first two are defined
as functions in `rise.embedding.numpy_definitions`.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import Any, Final

import numpy as np

from rise.embedding.array_likes import has_symbol
from rise.embedding.conversions import constant
from rise.embedding.numpy_definitions import GRIDS, JOINED, PUT
from rise.embedding.places import refuse
from rise.embedding.rewritten_functions import rewritten
from rise.embedding.trace import Trace
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import Value, array_of_list, wrap
from rise.records import dataclass

#: up to how many known indices elements are assigned in turn; for more, the indices are an array of the program, since
#: each assignment adds to the term of the array
MOST_IN_TURN: Final = 8


@dataclass(frozen=True, slots=True)
class Joining:
    """`np.c_`, `np.r_`, `np.mgrid` or `np.ogrid` for symbolic values."""

    given: Any
    runtime: Any

    def __getitem__(self, items: Any) -> Any:
        if self.given in GRIDS:
            if not any(map(_has_symbol, items if isinstance(items, tuple) else (items,))):
                return self.given[items]
            grid = _run(GRIDS[self.given], self.runtime, items if isinstance(items, tuple) else (items,))
            return grid if isinstance(items, tuple) else grid[0]
        return _run(JOINED[self.given], self.runtime, items if isinstance(items, tuple) else (items,))


@dataclass(frozen=True, slots=True)
class Places:
    """An array whose elements are assigned."""

    array: Value
    runtime: Any

    def __getitem__(self, items: Any) -> Any:
        return self.array[items]

    def __setitem__(self, items: Any, value: Any) -> None:
        given = items if isinstance(items, tuple) else (items,)
        if any(map(_is_places, given)) and not isinstance(value, SpannedSymbol):
            if isinstance(value, Value) and value.cell.root is self.array.cell.root:
                value = value.copy()  # all elements are read before any is assigned
            root = self.array.part.trace.root
            items = tuple([wrap(constant(np.asarray(one), root)) if _is_long(one) else one for one in given])
            _run(PUT, self.runtime, self.array, items, value)
        else:
            self.array[items] = value


@dataclass(frozen=True, slots=True)
class Table:
    """A known array, or a list or tuple; values of the program choose elements of it."""

    array: np.ndarray[Any, Any] | list[Any] | tuple[Any, ...]
    trace: Trace

    def __getitem__(self, items: Any) -> Any:
        if any(map(_has_symbol, items if isinstance(items, tuple) else (items,))):
            array = array_of_list(self.array) if isinstance(self.array, list | tuple) else self.array
            return (wrap(constant(array, self.trace.root)) if isinstance(array, np.ndarray) else array)[items]
        return self.array[items]

    def __setitem__(self, items: Any, value: Any) -> None:
        assert isinstance(self.array, np.ndarray), self.array
        if any(map(_has_symbol, (value, *(items if isinstance(items, tuple) else (items,))))):
            self.trace.change_known(self.array)
            shape = ", ".join(map(str, self.array.shape))
            title = "expected an array of the program, found one whose elements are known while the program is built"
            hint = (
                f"assign to a copy that is of the program: `y = np.zeros(({shape},), dtype=x.dtype); y += x`"
            )
            refuse("assignment", title, hint)
        self.array[items] = value


def _has_symbol(item: Any) -> bool:
    """Whether an item in brackets depends on the program."""
    if isinstance(item, slice):
        return any(map(has_symbol, (item.start, item.stop, item.step)))
    return isinstance(item, SpannedSymbol) or has_symbol(item)


def _run(function: Callable[..., Any], runtime: Any, *arguments: Any) -> Any:
    """Run a function that is rewritten as the user's functions are."""
    assert isinstance(function, FunctionType)
    return (rewritten(function, runtime) or function)(*arguments)


def _is_long(item: Any) -> bool:
    """Whether an item is a known array or list of more indices than are assigned one after the other."""
    if isinstance(item, list):
        return len(item) > MOST_IN_TURN and all(type(one) is int for one in item)
    return isinstance(item, np.ndarray) and item.ndim > 0 and item.size > MOST_IN_TURN


def _is_places(item: Any) -> bool:
    """Whether an item in brackets is an array of indices or a list of indices."""
    if isinstance(item, list):
        return bool(item) and not any(isinstance(one, bool) for one in item)
    return isinstance(item, np.ndarray | Value) and item.ndim > 0 and item.dtype.kind in "iu"
