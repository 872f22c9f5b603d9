"""Trees of the surface syntax: spans, comparison, a bounded `repr`. Knows no particular node.

A node is a frozen record of other nodes, tuples of them, and plain values. A tree may be 100,000 deep, so
nothing here recurses, and `==` on nodes is identity: `same_tree` compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeVar, dataclass_transform

LONGEST_REPR: Final = 400
DEEPEST_REPR: Final = 12


class Span(NamedTuple):
    """Offsets into the text: `text[start:end]` is what the node was read from, brackets included."""

    start: int
    end: int


@dataclass_transform(frozen_default=True, eq_default=False)
class _SyntaxClass(type):
    """Makes the fields that a class of nodes declares its slots. A dataclass would, at ten times the time to import."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _SyntaxClass:
        namespace["__slots__"] = own = tuple(namespace.get("__annotations__", ()))
        namespace["__match_args__"] = (*(field for base in bases for field in base.__match_args__), *own)  # type: ignore[attr-defined]  # a base is a Syntax
        return super().__new__(cls, name, bases, namespace)


class Syntax(metaclass=_SyntaxClass):
    """The base of all nodes."""

    span: Span
    if TYPE_CHECKING:
        __slots__: ClassVar[tuple[str, ...]]  # its own fields, in order
        __match_args__: ClassVar[tuple[str, ...]]  # all its fields, in order

    def __init__(self, *values: Any) -> None:
        for name, value in zip(self.__match_args__, values, strict=True):
            _set(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __repr__(self) -> str:
        return bounded_repr(self)


_set: Final = object.__setattr__
S = TypeVar("S", bound=Syntax)


def with_fields(node: S, **fields: Any) -> S:
    """The node with other values in some fields."""
    names = node.__match_args__
    return type(node)(*[fields[name] if name in fields else getattr(node, name) for name in names])


def same_tree(a: Syntax, b: Syntax) -> bool:
    """Whether two trees are the same but for their spans."""
    work: list[tuple[object, object]] = [(a, b)]
    while work:
        left, right = work.pop()
        if left is right:
            continue
        if type(left) is not type(right):
            return False
        if isinstance(left, Syntax) and isinstance(right, Syntax):
            work += zip(fields(left), fields(right), strict=True)
        elif isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return False
            work += zip(left, right, strict=True)
        elif left != right:
            return False
    return True


def fields(node: Syntax) -> list[object]:
    """A node's fields in order, spans left out."""
    return [getattr(node, name) for name in type(node).__slots__ if name != "name_span"]


def children(node: Syntax) -> Iterator[Syntax]:
    """The nodes right below a node, in the order of the text."""
    for value in fields(node):
        match value:
            case Syntax():
                yield value
            case tuple():
                yield from value


def bounded_repr(node: Syntax) -> str:
    """The tree as an expression of at most a few hundred characters; what is left out shows as `...`."""
    shown: list[str] = []
    length = 0
    work: list[tuple[object, int]] = [(node, 0)]
    while work and length < LONGEST_REPR:
        value, depth = work.pop()
        match value:
            case _Text(text):
                shown.append(text)
            case Syntax() if depth < DEEPEST_REPR:
                shown.append(type(value).__name__)
                work += [(_Text(")"), 0), *_separated(fields(value), depth + 1), (_Text("("), 0)]
            case tuple() if depth < DEEPEST_REPR:
                work += [(_Text("]"), 0), *_separated(value[:LONGEST_REPR], depth + 1), (_Text("["), 0)]
            case Syntax() | tuple():
                shown.append("...")
            case Fraction():
                shown.append(str(value) if value.numerator.bit_length() < LONGEST_REPR else "...")
            case _:
                shown.append(repr(value))
        length += len(shown[-1]) if shown else 0
    text = "".join(shown)
    return text if not work and len(text) <= LONGEST_REPR else text[:LONGEST_REPR] + "..."


class _Text(NamedTuple):
    text: str


def _separated(values: list[object] | tuple[object, ...], depth: int) -> list[tuple[object, int]]:
    """The values in reverse, with commas between them."""
    work: list[tuple[object, int]] = []
    for value in reversed(values):
        work += [(_Text(", "), 0), (value, depth)] if work else [(value, depth)]
    return work
