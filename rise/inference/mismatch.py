"""Why two types or sizes are not the same. Knows no solver, and does not say it to people."""

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
    """Why two types or sizes are not the same."""

    DIFFERENT = auto()
    #: a variable is mentioned outside of the function that binds it
    ESCAPE = auto()
    #: sizes with unknowns that nothing determines
    UNDECIDED = auto()
    #: only a negative number or a fraction would make the sizes equal
    NO_NATURAL = auto()
    #: a type would contain itself
    ENDLESS = auto()
    #: what is found is not of the classes that are expected
    CLASS = auto()
    #: what is found is yet unknown, of classes that what is expected is not of
    CLASS_OF_FOUND = auto()
    #: both are unknown, of classes that no type is in together
    NO_TYPE = auto()


class Mismatch(Exception):
    """Two types or sizes that should be the same are not, for a reason; some reasons are about classes of types."""

    def __init__(
        self, expected: Node, found: Node, reason: Reason = Reason.DIFFERENT, classes: tuple[str, ...] = ()
    ) -> None:
        super().__init__(reason)
        self.expected = expected
        self.found = found
        self.reason = reason
        self.classes = classes


def same_binder(a: DepFunType, b: DepFunType) -> bool:
    """Whether two dependent functions take the same kind of argument in the same way."""
    return a.kind == b.kind and a.implicit == b.implicit


def is_unread(t: Node) -> bool:
    """Whether nothing can be read off a type: that of an unknown family for what is no variable, or of unknown sums."""
    match t:
        case FamilyCall(TypeMeta(), _) | WideType(TypeMeta()):
            return True
    return False


def same_constructor(a: Node, b: Node) -> bool:
    """Whether two nodes are made in the same way, of parts that are to be compared."""
    if type(a) is not type(b) or isinstance(a, TypeVar | TypeMeta | ScalarType | Space | SpaceBound):
        return False
    match a, b:
        case FragmentType(), FragmentType():
            return a.role == b.role and a.family == b.family
        case DepFunType(), DepFunType():
            return False  # binds another kind
    return len(a.parts) == len(b.parts) and (bool(a.parts) or isinstance(a, FunType))
