"""Sub-terms with names for the variables that enclosing terms bind. Prints nothing."""

from __future__ import annotations

from collections.abc import Sequence

from rise.inference.names import is_reserved
from rise.naturals import NatBound, NatVar, nat
from rise.nodes import Node, transform
from rise.records import dataclass
from rise.size_functions import SizeFunBound, SizeFunVar
from rise.terms import Bound, DepLam, Expr, Lam, Var
from rise.text.names import Names
from rise.types import Space, SpaceBound, TypeBound, TypeVar


@dataclass(frozen=True, slots=True)
class Scope:
    """The names in scope at a place, innermost last, as in the printed program."""

    ordinary: tuple[str, ...]
    dependent: tuple[str, ...]


def scope_inside(around: Sequence[Expr]) -> Scope:
    """The names in scope inside nested terms, which are given from the outermost inwards."""
    names = Names(is_reserved=is_reserved)
    for e in around:
        match e:
            case Lam(name):
                names.bind_ordinary(name)
            case DepLam(name, kind):
                names.bind_dependent(name, kind)
            case _:
                pass
    return Scope(tuple(names.ordinary), tuple(names.dependent))


def within(e: Expr, around: Sequence[Expr]) -> Expr:
    """A term with names for the variables that enclosing terms bind."""
    return named(e, scope_inside(around)) if e.loose or e.dep_loose else e


def named(e: Expr, scope: Scope) -> Expr:
    """A term with names for the variables bound outside of it."""

    def dependent(node: Node, depth: int, dep_depth: int) -> Node | None:
        match node:
            case NatBound(index) if index >= dep_depth:
                return nat(NatVar(scope.dependent[-1 - (index - dep_depth)], None))
            case TypeBound(index, kind) if index >= dep_depth:
                return TypeVar(scope.dependent[-1 - (index - dep_depth)], kind)
            case SizeFunBound(index) if index >= dep_depth:
                return SizeFunVar(scope.dependent[-1 - (index - dep_depth)])
            case SpaceBound(index) if index >= dep_depth:
                return Space(scope.dependent[-1 - (index - dep_depth)])
        return None

    def ordinary(node: Node, depth: int, dep_depth: int) -> Node | None:
        match node:
            case Bound(index, given) if index >= depth:
                return Var(scope.ordinary[-1 - (index - depth)], given)
        return None

    closed = transform(e, dependent, lambda node, depth, dep_depth: node.dep_loose <= dep_depth)
    return transform(closed, ordinary, lambda node, depth, dep_depth: node.loose <= depth)
