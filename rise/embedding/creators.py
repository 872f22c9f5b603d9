"""numpy's functions that create arrays from sizes and numbers. Does not convert existing arrays.

The functions take sizes and values of this package, and return a part of the term.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from rise.embedding import scalars as op
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.elementwise import elementwise, select, with_elements
from rise.embedding.matrices import below, counting
from rise.embedding.numpy_functions import type_of
from rise.embedding.operands import Operand, Size, Weak, converted, size_of
from rise.embedding.places import refuse
from rise.embedding.python_numbers import number
from rise.embedding.trace import Part, Trace
from rise.naturals import ZERO, Nat, const
from rise.quotients import ceiling_quotient
from rise.types import BOOL, I64

Shape = Any
"""A size, or a tuple or list of them."""


def filled(value: int) -> Callable[..., Part]:
    """`np.zeros` and similar functions."""

    def made(trace: Trace, shape: Shape, dtype: object = None) -> Part:
        wanted = trace.floating if dtype is None else type_of(dtype)
        given = bool(value) if t.scalar_name(wanted) == "bool" else value
        return sh.repeated(number(given, wanted, trace.root), _sizes(shape))

    return made


def full(trace: Trace, shape: Shape, fill_value: Operand, dtype: object = None) -> Part:
    """`np.full`."""
    root = trace.root
    if dtype is None:
        element = fill_value if isinstance(fill_value, Part) else _weak(fill_value, trace)
    else:
        wanted = type_of(dtype)
        if not isinstance(fill_value, Part) and t.scalar_name(wanted) == "bool":
            fill_value = bool(fill_value)
        element = with_elements(converted(fill_value, wanted, root), wanted)
    return sh.repeated(element, _sizes(shape))


def eye(trace: Trace, N: Operand, M: Operand | None = None, k: Operand = 0, dtype: object = None) -> Part:
    """`np.eye`."""
    return _by_places(trace, op.EQ, N, M, k, dtype)


def identity(trace: Trace, n: Operand, dtype: object = None) -> Part:
    """`np.identity`."""
    return _by_places(trace, op.EQ, n, None, 0, dtype)


def tri(trace: Trace, N: Operand, M: Operand | None = None, k: Operand = 0, dtype: object = None) -> Part:
    """`np.tri`."""
    return _by_places(trace, op.LE, N, M, k, dtype)


def arange(
    trace: Trace, start: Operand, stop: Operand | None = None, step: int = 1, dtype: object = None
) -> Part:
    """`np.arange` of sizes."""
    first, last = (0, start) if stop is None else (start, stop)
    if type(step) is not int or step < 1:  # any value from the user
        found = repr(step) if type(step) in (int, float) else "a number that is not known yet"
        title = f"expected a number of at least 1 as the step of `np.arange`, found {found}"
        refuse("size", title, "reverse the array: `np.arange(n)[::-1]`")
    low, high = _nat(first), _nat(last)
    count = ceiling_quotient(high - low, step)
    numbers = counting(count, trace)
    if step != 1:
        numbers = elementwise(op.MUL, numbers, step)
    if low is not ZERO:
        numbers = elementwise(op.ADD, numbers, Size(low, trace.root))
    return numbers if dtype is None else with_elements(numbers, type_of(dtype))


def linspace(
    trace: Trace,
    start: Operand,
    stop: Operand,
    num: Operand = 50,
    endpoint: bool = True,
    dtype: object = None,
) -> Part:
    """`np.linspace`, whose last element is exactly `stop`."""
    wanted = trace.floating if dtype is None else type_of(dtype)
    count, root = _nat(num), trace.root
    ends = [converted(end, wanted, root) for end in (start, stop)]
    places = with_elements(counting(count, trace), wanted)
    gaps: Operand = Size(count - 1 if endpoint else count, root)
    if endpoint:  # an array of one element has no distance
        gaps = elementwise(op.MAX, converted(gaps, wanted, root), number(1, wanted, root))
    step = elementwise(op.DIV, elementwise(op.SUB, ends[1], ends[0]), gaps)
    result = elementwise(op.ADD, elementwise(op.MUL, places, step), ends[0])
    if not endpoint:
        return result
    is_last = elementwise(op.EQ, places, number(0, wanted, root) if count == const(1) else gaps)
    return result if count == const(1) else select(is_last, ends[1], result)


def _by_places(
    trace: Trace, operation: Any, rows: Operand, columns: Operand | None, k: Operand, dtype: object
) -> Part:
    height = _nat(rows)
    width = height if columns is None else _nat(columns)
    wanted = trace.floating if dtype is None else type_of(dtype)
    return with_elements(below(trace, height, width, k, operation), wanted)


def _nat(size: Operand) -> Nat:
    return size_of(size)


def _sizes(shape: Shape) -> list[Nat]:
    return [size_of(size) for size in (shape if isinstance(shape, tuple | list) else (shape,))]


def _weak(value: Operand, trace: Trace) -> Part:
    """A number without a type, with the type that numpy gives it."""
    if isinstance(value, bool):
        return number(value, BOOL, trace.root)
    is_float = isinstance(value, float | Weak)
    return converted(value, trace.floating if is_float else I64, trace.root)


#: the functions that always return an array of the program, whose elements can be assigned
ALWAYS: Final = frozenset({np.zeros, np.empty, np.ones, np.full, np.ndarray, np.eye, np.identity, np.tri})
CREATORS: Final[Mapping[Any, Callable[..., Part]]] = MappingProxyType(
    {
        np.zeros: filled(0),
        np.empty: filled(0),
        np.ndarray: filled(0),
        np.ones: filled(1),
        np.full: full,
        np.eye: eye,
        np.identity: identity,
        np.tri: tri,
        np.arange: arange,
        np.linspace: linspace,
    }
)


def created(creator: Any, trace: Trace, arguments: tuple[Any, ...], named: Mapping[str, Any]) -> Part:
    """The array that a numpy function creates."""
    function = CREATORS[creator]
    check_arguments(function, f"np.{creator.__name__}", (trace, *arguments), named, 1)
    part = function(trace, *arguments, **named)
    trace.lengths.update(dict.fromkeys(part.shape))
    return part


def check_arguments(
    function: Callable[..., Any],
    name: str,
    arguments: tuple[Any, ...],
    named: Mapping[str, Any],
    skipped: int = 0,
) -> None:
    """Refuse arguments of a numpy function that its replacement does not accept."""
    signature = inspect.signature(function)
    try:
        signature.bind(*arguments, **named)
    except TypeError:
        takes = ", ".join(list(signature.parameters)[skipped:])
        refuse(
            "unsupported",
            f"programs do not support `{name}` with these arguments",
            f"its parameters are {takes}",
        )


def by_numpys_names(
    function: Callable[..., Any],
    replacement: Callable[..., Any],
    arguments: tuple[Any, ...],
    named: Mapping[str, Any],
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments of a numpy function for its replacement, whose parameters may have other places: by name, from the
    first argument on that numpy takes for another parameter. An absent `out` is omitted.
    """
    numpys, own = _places(function), _places(replacement)
    if not numpys or any(one.kind is one.VAR_POSITIONAL for one in own.values()):
        return arguments, dict(named)
    places = [name for name, one in own.items() if one.kind is one.POSITIONAL_OR_KEYWORD]
    for place, name in enumerate(numpys):
        has_place = place < len(places)
        is_other = not has_place or (places[place] != name and (name in own or places[place] in numpys))
        if 0 < place < len(arguments) and is_other:
            rest = dict(zip(list(numpys)[place:], arguments[place:], strict=False))
            if "out" in rest and rest["out"] is None:
                del rest["out"]
            return arguments[:place] + arguments[len(numpys) :], {**rest, **named}
    return arguments, dict(named)


@lru_cache(maxsize=1 << 10)
def _places(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The parameters of a function by name; none for those without a signature, such as functions of two arrays."""
    try:
        return inspect.signature(function).parameters
    except (TypeError, ValueError):
        return {}
