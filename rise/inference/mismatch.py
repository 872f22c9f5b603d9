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
    #: the found type is not in the expected classes
    CLASS = auto()
    #: the found type is unknown, in classes that the expected type is not in
    CLASS_OF_FOUND = auto()
    #: both are unknown, in classes that no type is in together
    NO_TYPE = auto()


class Mismatch(Exception):
    """Two types or sizes differ that should be equal; `classes` are those of a reason that is about classes."""

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
    """Whether a type must wait: that of an unknown family at a size that is not a variable, or an unknown wide type."""
    match t:
        case FamilyCall(TypeMeta(), _) | WideType(TypeMeta()):
            return True
    return False


def same_constructor(a: Node, b: Node) -> bool:
    """Whether two nodes have the same constructor, and parts that are to be compared."""
    if type(a) is not type(b) or isinstance(a, TypeVar | TypeMeta | ScalarType | Space | SpaceBound):
        return False
    match a, b:
        case FragmentType(), FragmentType():
            return a.role == b.role and a.scope == b.scope
        case DepFunType(), DepFunType():
            return False  # binds another kind
    return len(a.parts) == len(b.parts) and (bool(a.parts) or isinstance(a, FunType))
