"""Applies dependent functions to sizes, and checks the resulting sizes. Independent of values.

Everything here is iterative.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from operator import index
from typing import Any, NoReturn

import numpy as np

from rise.arguments.mismatches import MAX_SIZE, refuse_not_computed, refuse_pair_in_array
from rise.arguments.ragged_arrays import halves_of
from rise.diagnostics import Diagnostic, RiseError, number_text
from rise.natural_values import evaluate_natural
from rise.naturals import Nat, NatBound, nat
from rise.nodes import N, Node, postorder, transform
from rise.polynomials import NotComputed
from rise.rounding import NumberRangeError
from rise.scalars import SCALARS
from rise.size_functions import SizeFunBound
from rise.terms import DepApp, Expr, Primitive
from rise.text.nat_printer import show_nat
from rise.types import (
    ArrayType,
    DepArrayType,
    DepPairType,
    FragmentType,
    IndexType,
    PairType,
    ScalarType,
    SpaceBound,
    Type,
    TypeBound,
    TypeFamily,
    VectorType,
    shift_dependent,
)
from rise.values import Data, Rows, refuse_rank


def as_size(value: object) -> int | None:
    """A size from Python code: any integer >= 0, including numpy's; None for other values.

    >>> as_size(np.int64(3)), as_size(-1), as_size(True), as_size(2.0)
    (3, None, None, None)
    """
    try:
        number = index(value)  # type: ignore[arg-type]  # without __index__ it raises TypeError
    except TypeError:
        return None
    return number if number >= 0 and not isinstance(value, bool | np.bool_) else None


def instance(body: Expr, arguments: Sequence[Any], names: Sequence[str]) -> Expr:
    """The body of nested dependent functions at their arguments, outermost first.

    Raises RiseError for a size that is then not a natural number below 2^63, with the names of the parameters.
    """
    try:
        term = instantiate_all(body, arguments)
        _check(term)
    except (ZeroDivisionError, _NotNatural):
        _explain(body, arguments, names)
    except NotComputed as shown:
        refuse_not_computed(shown)
    except NumberRangeError as error:  # a literal index past the end of an array
        hint = "pass arrays of other sizes, or pad them"
        notes = _given(arguments, names)
        raise RiseError(Diagnostic("index-out-of-range", error.why, hint=hint, notes=notes)) from None
    return term


def instantiate_all(body: N, arguments: Sequence[Any]) -> N:
    """The body of nested dependent functions at their arguments, outermost first, in one pass."""
    if body.dep_loose == 0:
        return body
    count = len(arguments)

    def visit(node: Node, depth: int, dep_depth: int) -> Any:
        match node:
            case NatBound(index) | TypeBound(index, _) | SpaceBound(index) | SizeFunBound(index) if (
                index >= dep_depth
            ):
                level = index - dep_depth
                if level < count:
                    return shift_dependent(arguments[count - 1 - level], dep_depth)
                return _moved_out(node, count)
        return None

    return transform(body, visit, lambda node, depth, dep_depth: node.dep_loose <= dep_depth)


def size_value(size: Nat) -> int:
    """The value of a closed size, which has been checked to be a natural number."""
    value = size.constant
    if value is None:
        evaluated = evaluate_natural(size, {})
        if isinstance(evaluated, Fraction):
            raise _NotNatural
        value = evaluated
    if value < 0:
        raise _NotNatural
    return value


class _NotNatural(Exception):
    """A size is negative, a fraction or too large."""


def _moved_out(node: Node, by: int) -> Node:
    """A dependent variable bound outside, moved out of `by` binders."""
    match node:
        case NatBound(index):
            return nat(NatBound(index - by))
        case TypeBound(index, kind):
            return TypeBound(index - by, kind)
        case SizeFunBound(index):
            return SizeFunBound(index - by)
        case _:
            assert isinstance(node, SpaceBound)
            return SpaceBound(node.index - by)


def _sizes_in(node: Node) -> tuple[Any, ...]:
    """The sizes among the fields of a node, possibly with other arguments."""
    match node:
        case ArrayType(size, _) | DepArrayType(size, _) | VectorType(size, _) | IndexType(size):
            return (size,)
        case FragmentType(rows, columns, depth):
            return (rows, columns, depth)
        case Primitive(_, implicits):
            return implicits
        case DepApp(_, argument):
            return (argument,)
        case _:
            return ()


def _check(term: Expr) -> None:
    """Check that all closed sizes in a term are natural numbers, and that its ranks are within limits."""
    seen: set[int] = set()
    waiting: list[Node] = [term]
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Primitive | DepApp):
            _check_sizes(node)
        for part in node.parts:
            if isinstance(part, Expr):
                waiting.append(part)
            elif isinstance(part, Type):
                _check_type(part)


@lru_cache(maxsize=1 << 14)
def _check_type(t: Type) -> None:
    """The same for a type, cached: programs mention each of their types, and those of other programs, many times."""
    ranks: dict[Node, int] = {}
    pairs: set[Node] = set()  # types that contain dependent pairs
    for node in postorder(t):
        if type(node) is DepPairType or (
            pairs and isinstance(node, Type) and not pairs.isdisjoint(node.parts)
        ):
            pairs.add(node)
            if isinstance(node, ArrayType | DepArrayType):
                refuse_pair_in_array(node)
        _check_sizes(node)
        match node:
            case ArrayType(_, element):
                ranks[node] = ranks.get(element, 0) + 1
                refuse_rank(ranks[node])
            case TypeFamily(_, body):
                ranks[node] = ranks.get(body, 0) + 1
            case DepArrayType(_, family):
                ranks[node] = ranks.get(family, 0)
            case PairType(first, second):
                ranks[node] = max(ranks.get(first, 0), ranks.get(second, 0))
            case VectorType():
                ranks[node] = 1
            case FragmentType():
                ranks[node] = 2


def _check_sizes(node: Node) -> None:
    for size in _sizes_in(node):
        if isinstance(size, Nat) and size.dep_loose == 0 and size_value(size) > MAX_SIZE:
            raise _NotNatural


def _explain(body: Expr, arguments: Sequence[Any], names: Sequence[str]) -> NoReturn:
    """Raise RiseError that names the size that is not a natural number, or is too large."""
    hint = "use sizes for which the program's divisions are exact and its subtractions are not negative"
    notes = _given(arguments, names)
    for size in _outer_sizes(body):
        try:
            value = evaluate_natural(instantiate_all(size, arguments), {})
            if value > MAX_SIZE:
                title = (
                    f"expected the size `{show_nat(size, names)}` below 2^63, found {number_text(int(value))}"
                )
                raise RiseError(Diagnostic("size-too-large", title, hint="use smaller sizes", notes=notes))
            value_text = number_text(value) if isinstance(value, int) else value
            fact = "" if isinstance(value, int) and value >= 0 else f"found {value_text}"
        except ZeroDivisionError:
            fact = "it divides by zero"
        if fact:
            title = f"expected the size `{show_nat(size, names)}` to be a natural number, {fact}"
            raise RiseError(Diagnostic("size-not-natural", title, hint=hint, notes=notes))
    raise AssertionError("every size is a natural number")


def _outer_sizes(body: Expr) -> Iterator[Nat]:
    """The sizes in a term that mention no variable of a function inside it, as sizes outside of these functions."""
    waiting: list[tuple[Node, int]] = []

    def visit(node: Node, depth: int, dep_depth: int) -> None:
        waiting.append((node, dep_depth))

    transform(body, visit, lambda node, depth, dep_depth: False)
    for node, depth in sorted(waiting, key=lambda each: each[1]):
        for size in _sizes_in(node):
            if isinstance(size, Nat) and not any(
                isinstance(part, NatBound) and part.index < depth for part in postorder(size)
            ):
                yield shift_dependent(size, -depth)


def _given(arguments: Sequence[Any], names: Sequence[str]) -> tuple[str, ...]:
    """A note with the given sizes."""
    given = [f"{n} = {size_value(a)}" for n, a in zip(names, arguments, strict=True) if isinstance(a, Nat)]
    return (", ".join(given),) if given else ()


def dtype_of(element: Type) -> np.dtype[Any]:
    """The numpy type of the numbers of a scalar, a vector or an index."""
    match element:
        case ScalarType(name):
            return SCALARS[name].dtype
        case VectorType(_, inner):
            return dtype_of(inner)
        case _:
            assert isinstance(element, IndexType), f"{element!r} has no numbers of its own"
            return np.dtype(np.int64)


def empty(array: Type, depth: int) -> Data:
    """An array of a type, without elements."""
    arrays: list[Data] = []
    stack: list[tuple[Type, tuple[int, ...] | None] | None] = [(array, ())]
    while stack:
        item = stack.pop()
        if item is None:
            second, first = arrays.pop(), arrays.pop()
            arrays.append((first, second))
            continue
        t, shape = item
        match t:
            case ArrayType(size, element) | VectorType(size, element):
                stack.append((element, None if shape is None else (*shape, size_value(size))))
            case DepArrayType(_, TypeFamily(_, body)):
                halves = halves_of(t)
                if halves is None:
                    stack.append((body, None))
                else:
                    stack += [None, (halves[1], shape), (halves[0], shape)]
            case PairType(first_type, second_type):
                stack += [None, (second_type, shape), (first_type, shape)]
            case _:
                arrays.append(Rows(()) if shape is None else np.empty((*shape, *(1,) * depth), dtype_of(t)))
    return arrays[0]
