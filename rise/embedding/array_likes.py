"""Lists that numpy functions read as arrays. The names of their parameters say where they do, as in numpy's pages."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from rise.embedding.conversions import Symbol, WeakSymbol
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.records import dataclass

#: the names of parameters that are arrays
_ARRAYS: Final = frozenset([
    "A", "a", "a1", "a2", "a_max", "a_min", "append", "arr", "ary", "b", "bins", "condition", "element", "fp",
    "m", "p", "prepend", "test_elements", "v", "val", "values", "w", "weights",
    "x", "x1", "x2", "xp", "xs", "y", "ys", "z",
])  # fmt: skip
#: the names of parameters that take any number of arrays
_MANY_ARRAYS: Final = frozenset(("args", "choices", "operands", "spacing", "xi"))
#: the names of parameters that are sequences of arrays
_SEQUENCES: Final = frozenset(("choicelist", "choices", "condlist", "tup"))
_ANY: Final = "a"  # the name of each array among any number of them


@dataclass(frozen=True, slots=True)
class ArrayParameters:
    """Which arguments of a function are arrays: by position, all further ones, and by name."""

    names: tuple[str, ...]
    takes_many: bool

    def converted(
        self, array: Callable[[Any], Any], arguments: tuple[Any, ...], named: Mapping[str, Any]
    ) -> tuple[tuple[Any, ...], dict[str, Any]]:
        """The arguments, with `array` applied to lists that are arrays."""
        more = (_ANY,) * (len(arguments) - len(self.names)) if self.takes_many else ()
        given = [_converted(array, *one) for one in zip((*self.names, *more), arguments, strict=False)]
        rest = arguments[len(given) :]
        return (*given, *rest), {name: _converted(array, name, value) for name, value in named.items()}


@cache
def array_parameters(function: Callable[..., Any]) -> ArrayParameters:
    """Which arguments of a function are arrays; all of a numpy ufunc are."""
    if isinstance(function, np.ufunc):
        return ArrayParameters((), True)
    given = inspect.signature(function).parameters.values()
    names = tuple(one.name for one in given if one.kind is one.POSITIONAL_OR_KEYWORD)
    takes_many = any(one.kind is one.VAR_POSITIONAL and one.name in _MANY_ARRAYS for one in given)
    return ArrayParameters(names, takes_many)


def _converted(array: Callable[[Any], Any], name: str, given: Any) -> Any:
    if not isinstance(given, list | tuple):
        return given
    if name in _SEQUENCES:
        return [_converted(array, _ANY, one) for one in given]
    return array(given) if name in _ARRAYS else given


def leaves(given: Any) -> Iterator[Any]:
    """The items of a list of lists."""
    if isinstance(given, list | tuple):
        for item in given:
            yield from leaves(item)
    else:
        yield given


def is_symbolic(given: Any) -> bool:
    """Whether a value belongs to the program that is being built."""
    return isinstance(given, Symbol | SymbolicSize | WeakSymbol)


def has_symbol(given: Any) -> bool:
    """Whether a value, or one in a list of lists, is symbolic."""
    return any(map(is_symbolic, leaves(given)))
