"""Functions that numpy lacks: `map`, `reduce`, `fold`, `scan`, `generate`, `arange`, `zip`, `slide`, `split`.

On symbolic values they build terms; on numpy arrays they compute, so that a program's Python function runs on both.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from rise.dsl.printer import TypeNode
from rise.dsl.terms import Term
from rise.embedding import shapes as sh
from rise.embedding import trace as t
from rise.embedding.application import applied
from rise.embedding.conversions import as_part
from rise.embedding.elementwise import element, over
from rise.embedding.operands import Size, cast, size_of
from rise.embedding.places import refuse
from rise.embedding.symbolic_sizes import SymbolicSize
from rise.embedding.trace import Part, Scope, apply, computed, function
from rise.embedding.tuples import in_layout, layout_of
from rise.embedding.values import Value, wrap
from rise.naturals import Nat
from rise.types import I64, IndexType


def map(f: Callable[..., Any], *arrays: Any) -> Any:
    """Apply a function of one element of each array to all elements along the first axes."""
    scope = scope_in(arrays)
    if scope is None:
        return _stacked([f(*elements) for elements in _together(arrays)])
    parts = [as_part(part, scope) for part in arrays]
    for part in parts:
        _check_array(part)
        sh.zipped(parts[0], part)
    return wrap(over(lambda *elements: _called(f, elements, scope), parts))


def reduce(f: Callable[[Any, Any], Any], start: Any, xs: Any) -> Any:
    """Combine a start value and all elements with an associative function of two values."""
    return _folded("reduce", f, start, xs)


def fold(f: Callable[[Any, Any], Any], start: Any, xs: Any) -> Any:
    """`f(... f(f(start, x0), x1) ..., xn)`: from the left, with any function. The result has the type of the start
    value.
    """
    return _folded("reduceSeq", f, start, xs)


def scan(f: Callable[[Any, Any], Any], start: Any, xs: Any) -> Any:
    """The intermediate results of `fold` after each element, without the start value."""
    if scope_in([start, xs]) is None:
        return _stacked(list(accumulate(_elements(xs), f, initial=start))[1:])
    return _folded("scan", f, start, xs)


def generate(f: Callable[..., Any], *sizes: Any) -> Any:
    """The array whose element at i, j, ... is `f(i, j, ...)`."""
    if not sizes:
        refuse("size", "expected a size, found none", "write `generate(f, n)`, or `generate(f, n, m)`")
    symbolic = [size for size in sizes if isinstance(size, SymbolicSize)]
    if not symbolic:
        return _generated(f, sizes)
    trace = symbolic[0].scope.trace
    return wrap(_generate(f, [as_size(size) for size in sizes], trace))


def arange(size: Any) -> Any:
    """The integers from 0 to a size (exclusive), as i64."""
    if isinstance(size, SymbolicSize):
        trace = size.scope.trace
        return wrap(_generate(lambda i: wrap(cast(i.part, I64)), [size.nat], trace))
    return np.arange(size)


def zip(xs: Any, ys: Any) -> Any:
    """The array of pairs of two arrays; its `.first` and `.second` are the two arrays."""
    scope = scope_in([xs, ys])
    if scope is None:
        return xs, ys
    return wrap(sh.zipped(as_part(xs, scope), as_part(ys, scope)))


def slide(xs: Any, size: int, step: int = 1) -> Any:
    """Windows of `size` elements along the first axis, each `step` elements after the previous one."""
    scope = scope_in([xs])
    if scope is None:
        return np.moveaxis(np.lib.stride_tricks.sliding_window_view(xs, size, 0), -1, 1)[::step]
    return wrap(sh.windows(_array(xs, scope), as_size(size), step))


def split(xs: Any, size: int) -> Any:
    """Rows of `size` elements."""
    scope = scope_in([xs])
    if scope is None:
        return np.reshape(xs, (-1, size, *np.shape(xs)[1:]))
    return wrap(sh.split(_array(xs, scope), as_size(size)))


def call(term: Term, *arguments: Any) -> Any:
    """Apply any function built with `rise.dsl` to symbolic values."""
    scope = scope_in(arguments)
    if scope is None:
        refuse(
            "type-mismatch",
            "expected symbolic values, found none",
            "use `rise.evaluate` to run a term on arrays",
        )
    return wrap(applied(term, [as_part(argument, scope) for argument in arguments]))


def as_size(value: Any) -> Nat:
    """A size from the user."""
    return size_of(Size(value.nat, value.scope) if isinstance(value, SymbolicSize) else value)


def _folded(name: str, f: Callable[[Any, Any], Any], start: Any, xs: Any) -> Any:
    scope = scope_in([start, xs])
    if scope is None:
        return functools.reduce(f, _elements(xs), start)
    array = _array(xs, scope)
    first = as_part(start, scope, element(array) if not isinstance(start, Value | tuple) else None)
    if name == "reduce" and first.type != element(array):
        title = (
            f"`reduce` expected a start value of type {t.shown(element(array))}, found {t.shown(first.type)}"
        )
        refuse(
            "type-mismatch", title, "convert one of them, or use `fold`, whose start value may have any type"
        )

    layout = layout_of(start)

    def body(sofar: Part, x: Part) -> Part:
        return as_part(f(in_layout(wrap(sofar), layout), wrap(x)), scope, first.type)

    combine = function(first.trace, ["sofar", "x"], [first.type, element(array)], body)
    if t.result_of(combine) != first.type:
        result_type = t.shown(t.result_of(combine))
        title = (
            f"expected a function that returns {t.shown(first.type)}, found one that returns {result_type}"
        )
        refuse(
            "type-mismatch", title, "the function's result is its first argument in the next step: convert it"
        )
    is_array = name == "scan"
    result = t.array_of([array.shape[0]], first.type) if is_array else first.type
    folded = computed(result, apply(name, combine.syntax, first.syntax, array.syntax), combine, first, array)
    return wrap(folded) if is_array else in_layout(wrap(folded), layout)


def _generate(
    f: Callable[..., Any], sizes: Sequence[Nat], trace: t.Trace, done: tuple[Part, ...] = ()
) -> Part:
    def body(i: Part) -> Part:
        if len(sizes) > 1:
            return _generate(f, sizes[1:], trace, (*done, i))
        return _called(f, (*done, i), i.scope)

    index = IndexType(sizes[0])
    body_function = function(trace, ["ijkl"[len(done) % 4]], [index], body, [TypeNode(index)])
    type = t.array_of([sizes[0]], t.result_of(body_function))
    return computed(type, apply("generate", body_function.syntax), body_function)


def _generated(f: Callable[..., Any], sizes: Sequence[int], done: tuple[int, ...] = ()) -> Any:
    if len(done) == len(sizes):
        return f(*done)
    return _stacked([_generated(f, sizes, (*done, i)) for i in range(sizes[len(done)])])


def _called(f: Callable[..., Any], parts: Sequence[Part], scope: Scope, like: Any = None) -> Part:
    return as_part(f(*(wrap(part) for part in parts)), scope, like)


def _stacked(values: list[Any]) -> Any:
    if values and isinstance(values[0], tuple):
        return tuple(_stacked([value[position] for value in values]) for position in range(len(values[0])))
    if any(isinstance(value, Value) for value in values):
        return np.stack(values)
    return np.array(values) if not values or np.isscalar(values[0]) else np.stack(values)


def _together(arrays: Sequence[Any]) -> list[tuple[Any, ...]]:
    columns = [_elements(array) for array in arrays]
    return [tuple(column[position] for column in columns) for position in range(len(columns[0]))]


def _elements(xs: Any) -> list[Any]:
    if isinstance(xs, tuple):
        return _together(xs)
    return list(xs)


def scope_in(values: Sequence[Any]) -> Scope | None:
    """The scope of the first symbolic value, or None if there is none."""
    for value in values:
        match value:
            case Value():
                return value.part.scope
            case SymbolicSize(_, scope):
                return scope
            case tuple() | list() if (inner_scope := scope_in(value)) is not None:
                return inner_scope
    return None


def _array(xs: Any, scope: Scope) -> Part:
    part = as_part(xs, scope)
    _check_array(part)
    return part


def _check_array(part: Part) -> None:
    if not part.shape:
        refuse(
            "type-mismatch",
            f"expected an array, found {t.shown(part.type)}",
            "apply the function itself: `f(x)`",
        )
