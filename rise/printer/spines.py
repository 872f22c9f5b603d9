"""Decomposes applications for printing: heads with their items, and stages of pipelines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from rise.naturals import Nat, nat
from rise.primitives.schedules import SCHEDULES
from rise.printer.operators import is_array_literal
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, DepLam, Expr, Lam, Literal, Primitive
from rise.types import Argument, ArrayType, DepFunType, FragmentType, FunType, IndexType, Type

#: primitives that control how the loops of their argument run
_SCHEDULES: Final = frozenset(record.name for record in SCHEDULES)


@dataclass(frozen=True, slots=True)
class Implicit:
    """An argument for an implicit dependent parameter, printed in braces."""

    argument: Argument


#: the arguments of a head
Item: TypeAlias = Expr | Argument | Implicit


def applied(e: Expr) -> tuple[Expr, list[Item]]:
    """The head of nested applications, and its arguments, in order."""
    applications: list[App | DepApp] = []
    while isinstance(e, App | DepApp):
        applications.append(e)
        e = e.fun
    items: list[Item] = []
    t: Type | None = e.type
    for application in reversed(applications):
        if isinstance(application, App):
            items.append(application.arg)
        else:  # the type of a head has the binders of the types in between, which need not be made
            fun_type = t if isinstance(t, DepFunType) else application.fun.type
            is_implicit = isinstance(fun_type, DepFunType) and fun_type.implicit
            items.append(Implicit(application.argument) if is_implicit else application.argument)
        t = t.result if isinstance(t, FunType | DepFunType) else None
    return e, items


def is_stage(head: Expr, items: Sequence[Item]) -> bool:
    """Whether an application is printed after `|>`: if its only array is the last argument, if it is a pattern, or if
    it controls the loops of its argument.

    `zip(xs, ys)` and `[xs, ys]` treat their arrays alike, so they start a pipeline; `map(f, xs)` and
    `reduceSeq(f, init, xs)` iterate over the last one.
    """
    values = [item for item in items if isinstance(item, Expr)]
    if not values or values[-1] is not items[-1] or literal_of(head, items) is not None:
        return False
    if isinstance(head, Lam) and len(items) == 1:
        return True
    if isinstance(head, Primitive) and head.name in _SCHEDULES:
        return True
    if not is_array(values[-1].type) or (
        isinstance(head, Primitive) and is_array_literal(head.name, len(items))
    ):
        return False
    return isinstance(values[0].type, FunType) or not any(is_array(value.type) for value in values[:-1])


@dataclass(frozen=True, slots=True)
class VectorLiteral:
    """`vec[a, b]`, which is `idx(0, asVector(2, [a, b]))`."""

    maker: Primitive
    elements: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Range:
    """`[start..end)`, which is `drop(start, generate(fun(i: idx[end] => i)))`."""

    start: Nat
    end: Nat


def literal_of(head: Expr, items: Sequence[Item]) -> VectorLiteral | Range | None:
    """The vector literal or range as which an application is printed; None if there is none."""
    match head, items:
        case Primitive("idx"), (Literal(0), App(DepApp(Primitive("asVector"), size), array)):
            maker, elements = applied(array)
            if isinstance(maker, Primitive) and is_array_literal(maker.name, len(elements)):
                if size == nat(len(elements)):
                    return VectorLiteral(
                        maker, tuple(element for element in elements if isinstance(element, Expr))
                    )
        case Primitive("generate"), (Lam(_, IndexType(end), Bound(0)),):
            return Range(nat(0), end)
        case Primitive("drop"), (
            Nat() as start,
            App(Primitive("generate"), Lam(_, IndexType(end), Bound(0))),
        ):
            return Range(start, end) if start != nat(0) else None
    return None


def plain_indices(head: Expr, items: Sequence[Item]) -> tuple[Literal, ...]:
    """The indices of `idx(1, xs)` and `gather([1, 2], xs)`, whose type the array determines."""
    match head, items:
        case Primitive("idx"), (Literal() as index, Expr()):
            return (index,)
        case Primitive("gather"), (App() as array, Expr()):
            maker, elements = applied(array)
            indices = tuple(element for element in elements if isinstance(element, Literal))
            if isinstance(maker, Primitive) and is_array_literal(maker.name, len(indices)):
                return indices
    return ()


def takes_function(items: Sequence[Item]) -> bool:
    """Whether one of the items is a `fun`."""
    return any(isinstance(item, Lam | DepLam) for item in items)


def is_array(t: Type) -> bool:
    """Whether values of the type are iterated over."""
    return isinstance(t, ArrayType | FragmentType)
