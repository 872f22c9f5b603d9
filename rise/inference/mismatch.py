"""Reasons why two types or sizes differ, as data. Independent of solvers and messages."""

from __future__ import annotations

from enum import Enum, auto

from rise.nodes import Node
from rise.types import (
    DepFunType,
    FamilyCall,
    FragmentType,
    FunType,
    ScalarType,
    Space,
    SpaceBound,
    TypeMeta,
    TypeVar,
    WideType,
)


class Reason(Enum):
    """Why two types or sizes differ."""

    DIFFERENT = auto()
    #: a variable is used outside the function that binds it
    ESCAPE = auto()
    #: sizes with unknowns that cannot be inferred
    UNDECIDED = auto()
    #: only a negative number or a fraction would make the sizes equal
    NO_NATURAL = auto()
    #: a type would contain itself
    ENDLESS = auto()
    #: the found type does not belong to the expected classes
    CLASS = auto()
    #: the found type is unknown, and the expected type does not belong to its classes
    CLASS_OF_FOUND = auto()
    #: both types are unknown, and their classes are disjoint
    NO_TYPE = auto()


class Mismatch(Exception):
    """Raised if two types or sizes differ that should be equal; `classes` are given if the reason is about classes."""

    def __init__(
        self, expected: Node, found: Node, reason: Reason = Reason.DIFFERENT, classes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.expected = expected
        self.found = found
        self.reason = reason
        self.classes = classes


def same_binder(a: DepFunType, b: DepFunType) -> bool:
    """Whether two dependent functions take the same kind of argument, both implicitly or both explicitly."""
    return a.kind == b.kind and a.implicit == b.implicit


def is_unread(t: Node) -> bool:
    """Whether comparing a type may have to wait, as it is an unknown family at some size, or an unknown wide type."""
    match t:
        case FamilyCall(TypeMeta(), _) | WideType(TypeMeta()):
            return True
    return False


def same_constructor(a: Node, b: Node) -> bool:
    """Whether two nodes have the same constructor, so that their parts are compared next."""
    if type(a) is not type(b) or isinstance(a, TypeVar | TypeMeta | ScalarType | Space | SpaceBound):
        return False
    match a, b:
        case FragmentType(), FragmentType():
            return a.role == b.role and a.scope == b.scope
        case DepFunType(), DepFunType():
            return False  # they bind different kinds
    return len(a.parts) == len(b.parts) and (bool(a.parts) or isinstance(a, FunType))
