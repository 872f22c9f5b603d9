"""Sizes made numbers: dependent functions at their arguments, sizes checked. Knows no values.

Everything here is iterative.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from operator import index
from typing import Any, NoReturn

import numpy as np

from rise.arguments.mismatches import GREATEST, refuse_not_computed, refuse_pair_in_array
from rise.diagnostics import Diagnostic, RiseError, number_text
from rise.naturals import Nat, NatBound, nat
from rise.nodes import N, Node, postorder, transform
from rise.polynomials import NotComputed
from rise.quotients import evaluate_natural
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
    """A size that Python code gives: any integer >= 0, numpy's too; None for what is none.

    >>> as_size(np.int64(3)), as_size(-1), as_size(True), as_size(2.0)
    (3, None, None, None)
    """
    try:
        number = index(value)  # type: ignore[arg-type]  # what has no __index__ raises TypeError
    except TypeError:
        return None
    return number if number >= 0 and not isinstance(value, bool | np.bool_) else None


def instance(body: Expr, arguments: Sequence[Any], names: Sequence[str]) -> Expr:
    """The body of nested dependent functions at their arguments, outermost first.

    Raises RiseError for a size that is then no natural number below 2^63, told by the names of the parameters.
    """
    try:
        term = instantiate_all(body, arguments)
        _check(term)
    except (ZeroDivisionError, _NoNatural):
        _explain(body, arguments, names)
    except NotComputed as shown:
        refuse_not_computed(shown)
    except OverflowError as error:  # a literal index that is past the end of a short array
        hint = "give arrays of other sizes, or pad them"
        notes = _given(arguments, names)
        raise RiseError(Diagnostic("index-out-of-range", str(error), hint=hint, notes=notes)) from None
    return term


def instantiate_all(body: N, arguments: Sequence[Any]) -> N:
    """The body of nested dependent functions, outermost argument first, in one pass."""
    if body.dep_loose == 0:
        return body
    count = len(arguments)

    def visit(node: Node, depth: int, dep_depth: int) -> Any:
        match node:
            case NatBound(index) | TypeBound(index, _) | SpaceBound(index) | SizeFunBound(index) if (
                index >= dep_depth
            ):
                outwards = index - dep_depth
                if outwards < count:
                    return shift_dependent(arguments[count - 1 - outwards], dep_depth)
                return _shallower(node, count)
        return None

    return transform(body, visit, lambda node, depth, dep_depth: node.dep_loose <= dep_depth)


def size_value(size: Nat) -> int:
    """The number that a closed size is, which has been checked to be a natural."""
    known = size.constant
    if known is None:
        found = evaluate_natural(size, {})
        if isinstance(found, Fraction):
            raise _NoNatural
        known = found
    if known < 0:
        raise _NoNatural
    return known


class _NoNatural(Exception):
    """A size is negative, a fraction or too large."""


def _shallower(node: Node, by: int) -> Node:
    """A dependent variable that is bound outside, moved out of `by` binders."""
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
    """The sizes that a node itself has, among other things."""
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
    ranks: dict[Node, int] = {}
    pairs: set[Node] = set()  # types with dependent pairs in them
    for node in postorder(term):
        if type(node) is DepPairType or (
            pairs and isinstance(node, Type) and not pairs.isdisjoint(node.parts)
        ):
            pairs.add(node)
            if isinstance(node, ArrayType | DepArrayType):
                refuse_pair_in_array(node)
        for size in _sizes_in(node):
            if isinstance(size, Nat) and size.dep_loose == 0 and size_value(size) > GREATEST:
                raise _NoNatural
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


def _explain(body: Expr, arguments: Sequence[Any], names: Sequence[str]) -> NoReturn:
    """Say which size is no natural number, or too large a one."""
    hint = "give sizes that the program's divisions divide, and that its subtractions do not exceed"
    notes = _given(arguments, names)
    for size in (size for node in postorder(body) for size in _sizes_in(node) if isinstance(size, Nat)):
        if size.dep_loose > len(arguments):
            continue
        try:
            found = evaluate_natural(instantiate_all(size, arguments), {})
            if found > GREATEST:
                title = (
                    f"expected the size `{show_nat(size, names)}` below 2^63, found {number_text(int(found))}"
                )
                raise RiseError(Diagnostic("size-too-large", title, hint="give smaller sizes", notes=notes))
            shown = number_text(found) if isinstance(found, int) else found
            fact = "" if isinstance(found, int) and found >= 0 else f"found {shown}"
        except ZeroDivisionError:
            fact = "it divides by zero"
        if fact:
            title = f"expected the size `{show_nat(size, names)}` to be a natural number, {fact}"
            raise RiseError(Diagnostic("size-not-natural", title, hint=hint, notes=notes))
    raise AssertionError("every size is a natural number")


def _given(arguments: Sequence[Any], names: Sequence[str]) -> tuple[str, ...]:
    """A note of the sizes that are given."""
    given = [f"{n} = {size_value(a)}" for n, a in zip(names, arguments, strict=True) if isinstance(a, Nat)]
    return (", ".join(given),) if given else ()


def dtype_of(element: Type) -> np.dtype[Any]:
    """What numpy calls the numbers of a scalar, a vector, an index."""
    match element:
        case ScalarType(name):
            return SCALARS[name].dtype
        case VectorType(_, inner):
            return dtype_of(inner)
        case _:
            assert isinstance(element, IndexType), f"{element!r} has no numbers of its own"
            return np.dtype(np.int64)


def empty(array: Type, depth: int) -> Data:
    """An array without elements, of a type."""
    done: list[Data] = []
    work: list[tuple[Type, tuple[int, ...] | None] | None] = [(array, ())]
    while work:
        item = work.pop()
        if item is None:
            second, first = done.pop(), done.pop()
            done.append((first, second))
            continue
        t, shape = item
        match t:
            case ArrayType(size, element) | VectorType(size, element):
                work.append((element, None if shape is None else (*shape, size_value(size))))
            case DepArrayType(_, TypeFamily(_, body)):
                work.append((body, None))
            case PairType(first_type, second_type):
                work += [None, (second_type, shape), (first_type, shape)]
            case _:
                done.append(Rows(()) if shape is None else np.empty((*shape, *(1,) * depth), dtype_of(t)))
    return done[0]
