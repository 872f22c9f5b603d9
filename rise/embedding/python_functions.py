"""Python functions that do not accept symbolic values, and their replacements in rewritten functions."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from functools import partial, reduce
from typing import Any, Final

import numpy as np

from rise.embedding import ranges
from rise.embedding.array_likes import is_symbolic
from rise.embedding.comprehensions import Generated, is_long, is_unknown
from rise.embedding.conversions import WeakSymbol
from rise.embedding.numpy_definitions import MATH_DEFINITIONS
from rise.embedding.symbolic_sizes import SymbolicSize, nat_of, size
from rise.embedding.trace import Part
from rise.embedding.unknown_lengths import SpannedSymbol
from rise.embedding.values import Value, erf
from rise.naturals import Nat
from rise.quotients import maximum, minimum
from rise.types import PairType

#: the classes of values that Python's methods and operators change in place
CONTAINERS: Final = list | dict | set
#: the methods of these that do not change them
_READING: Final = frozenset({"copy", "count", "get", "index", "items", "keys", "union", "values"})


def changes_owner(given: Any) -> bool:
    """Whether a function is a method that may change a list, a dictionary or a set."""
    owner = getattr(given, "__self__", None)
    return isinstance(owner, CONTAINERS) and given.__name__ not in _READING


def _least(function: Any, ufunc: Any) -> Callable[..., Any]:
    def call(*given: Any, **named: Any) -> Any:
        if len(given) == 1 and isinstance(given[0], Generated):
            given = (given[0].listed(),)
        values = list(given[0]) if len(given) == 1 and isinstance(given[0], tuple | list) else list(given)
        if named or not any(is_symbolic(each) or isinstance(each, SpannedSymbol) for each in values):
            return function(*given, **named)
        if len(values) == 1:
            return values[0].max() if ufunc is np.maximum else values[0].min()
        if (found := _of_sizes(maximum if ufunc is np.maximum else minimum, values)) is not None:
            return found
        result = values[0]
        for each in values[1:]:
            result = ufunc(result, each)
        return result

    return call


def _of_sizes(extremum: Callable[[Nat, Nat], Nat], values: list[Any]) -> Any:
    """The maximum or minimum of sizes and Python numbers as a size; None for other values."""
    nats = [nat for each in values if (nat := nat_of(each)) is not None]
    if len(nats) < len(values):
        return None
    return size(reduce(extremum, nats), next(each.scope for each in values if isinstance(each, SymbolicSize)))


def _fold(
    function: Any, of_generator: Callable[..., Any], of_array: Callable[..., Any], of_list: Callable[..., Any]
) -> Callable[..., Any]:
    """A function of iterables, which is a loop for a generator over symbolic values, and a reduction for an array."""

    def call(*given: Any, **named: Any) -> Any:
        first = given[0] if given else None
        if isinstance(first, Generated) and (is_unknown(first) or (function is sum and is_long(first))):
            return of_generator(*given, **named)
        if isinstance(first, list | tuple) and any(isinstance(each, Value) for each in first):
            return of_list(*given, **named)
        return (of_array if isinstance(first, Value | SpannedSymbol) else function)(*given, **named)

    return call


def _summed(xs: Any, start: Any = 0) -> Any:
    """`sum` of an array: of its elements, or of its rows."""
    total = xs.sum(axis=0)
    return start + (total if xs.dtype.kind == "b" else total.astype(xs.dtype))


def _converting(function: Any, name: str) -> Callable[..., Any]:
    def call(given: Any = 0) -> Any:
        if isinstance(given, Value):
            return given.astype(name or given.part.trace.floating)
        if isinstance(given, SymbolicSize):
            return given if name else given.number()
        if isinstance(given, WeakSymbol):
            return math.trunc(given) if name else given
        return function(given)

    return call


def _of_numpy(function: Any, ufunc: Any) -> Callable[..., Any]:
    def call(*given: Any) -> Any:
        is_any = any(is_symbolic(each) for each in given)
        return ufunc(*map(_as_float, given)) if is_any else function(*given)

    return call


def _as_float(given: Any) -> Any:
    """A number as functions of `math` read it: integers are converted."""
    if isinstance(given, SymbolicSize):
        return given.number()
    return given.astype("f64") if isinstance(given, Value) and given.dtype.kind in "biu" else given


def _complex(real: Any = 0, imag: Any = 0) -> Any:
    """`complex`."""
    if not is_symbolic(real) and not is_symbolic(imag):
        return complex(real, imag)
    parts = [one.astype("c128") if isinstance(one, Value) else one for one in (real, imag)]
    return parts[0] + parts[1] * 1j


def _sorted(given: Any, *, key: Any = None, reverse: bool = False) -> list[Any]:
    """`sorted`, of a known number of values."""
    items = list(given)
    if key is not None or not any(map(is_symbolic, items)):
        return sorted(items, key=key, reverse=reverse)
    ascending = list(np.sort(np.stack(items)))
    return ascending[::-1] if reverse else ascending


def _isinstance(given: Any, kinds: Any) -> bool:
    """`isinstance`, which regards symbolic values as what they represent."""
    match given:
        case Value(part=Part(type=PairType())):
            return issubclass(tuple, kinds)
        case Value():
            return issubclass(np.ndarray if given.ndim else given.dtype.type, kinds)
        case SymbolicSize():
            return issubclass(int, kinds)
        case WeakSymbol():
            return issubclass(float, kinds)
    return isinstance(given, kinds)


#: the functions of `math` that round to integers; they call methods of symbolic values
ROUNDING: Final = (math.floor, math.ceil, math.trunc)
#: the functions of `math` that compute the same as numpy's of the same name
_SHARED: Final = [
    name
    for name in dir(math)
    if isinstance(getattr(np, name, None), np.ufunc)
    and getattr(math, name) not in (*ROUNDING, *MATH_DEFINITIONS)
]
#: functions that do not accept symbolic values, and their replacements
REPLACED: Final[dict[Any, Any]] = {
    range: ranges.counted,
    len: ranges.length,
    enumerate: ranges.enumerated,
    zip: ranges.zipped,
    reversed: ranges.backwards,
    builtins.min: _least(min, np.minimum),
    builtins.max: _least(max, np.maximum),
    sum: _fold(sum, Generated.summed, _summed, sum),
    any: _fold(any, Generated.any, lambda xs: xs.any(), partial(reduce, np.logical_or)),
    all: _fold(all, Generated.all, lambda xs: xs.all(), partial(reduce, np.logical_and)),
    isinstance: _isinstance,
    sorted: _sorted,
    np.isscalar: lambda given: not np.ndim(given) if is_symbolic(given) else np.isscalar(given),
    complex: _complex,
    int: _converting(int, "i64"),
    float: _converting(float, ""),
    math.erf: _of_numpy(math.erf, erf),
    **{getattr(math, name): _of_numpy(getattr(math, name), getattr(np, name)) for name in _SHARED},
}
