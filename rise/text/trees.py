"""Trees of surface syntax: spans, comparison, a bounded `repr`. Independent of any particular node.

A node is a frozen record of other nodes, tuples of them, and plain values. A tree may be 100,000 deep, so
nothing here recurses, and `==` on nodes is identity: `same_tree` compares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, TypeVar, dataclass_transform

MAX_REPR_CHARACTERS: Final = 400
MAX_REPR_DEPTH: Final = 12


class Span(NamedTuple):
    """Offsets into the text: `text[start:end]` is the source of the node, including brackets."""

    start: int
    end: int


@dataclass_transform(frozen_default=True, eq_default=False)
class _SyntaxClass(type):
    """Turns the fields that a class of nodes declares into slots. Dataclasses take ten times as long to import."""

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _SyntaxClass:
        namespace["__slots__"] = own = tuple(namespace.get("__annotations__", ()))
        namespace["__match_args__"] = (*(field for base in bases for field in base.__match_args__), *own)  # type: ignore[attr-defined]  # a base is a Syntax
        made = super().__new__(cls, name, bases, namespace)
        inherited = tuple(setter for base in bases for setter in base._setters)  # type: ignore[attr-defined]  # as above
        made._setters = (*inherited, *(made.__dict__[field].__set__ for field in own))  # type: ignore[attr-defined]  # as Syntax declares
        return made


class Syntax(metaclass=_SyntaxClass):
    """The base of all nodes."""

    span: Span
    if TYPE_CHECKING:
        __slots__: ClassVar[tuple[str, ...]]  # the fields of the class itself, in order
        __match_args__: ClassVar[tuple[str, ...]]  # all fields, in order
        _setters: ClassVar[tuple[Callable[[Any, Any], None], ...]]  # for all fields, in order

    def __init__(self, *values: Any) -> None:
        for set_field, value in zip(self._setters, values, strict=True):
            set_field(self, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be set")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__} is frozen: {name} cannot be deleted")

    def __repr__(self) -> str:
        return bounded_repr(self)


S = TypeVar("S", bound=Syntax)


def with_fields(node: S, **fields: Any) -> S:
    """The node with other values in some fields."""
    names = node.__match_args__
    return type(node)(*[fields[name] if name in fields else getattr(node, name) for name in names])


def same_tree(a: Syntax, b: Syntax) -> bool:
    """Whether two trees are equal, ignoring their spans."""
    stack: list[tuple[object, object]] = [(a, b)]
    while stack:
        left, right = stack.pop()
        if left is right:
            continue
        if type(left) is not type(right):
            return False
        if isinstance(left, Syntax) and isinstance(right, Syntax):
            stack += zip(fields(left), fields(right), strict=True)
        elif isinstance(left, tuple) and isinstance(right, tuple):
            if len(left) != len(right):
                return False
            stack += zip(left, right, strict=True)
        elif left != right:
            return False
    return True


def fields(node: Syntax) -> list[object]:
    """A node's fields in order, without spans."""
    return [getattr(node, name) for name in type(node).__slots__ if name != "name_span"]


def children(node: Syntax) -> Iterator[Syntax]:
    """The child nodes, in the order of the text."""
    for value in fields(node):
        match value:
            case Syntax():
                yield value
            case tuple():
                yield from value


def height(node: Syntax) -> int:
    """The number of nodes on the longest way from a node to a leaf.

    >>> from rise.text.reader import read_expression
    >>> height(read_expression("f (g x)"))
    3
    """
    level, count = [node], 0
    while level:
        level = [child for one in level for child in children(one)]
        count += 1
    return count


def bounded_repr(node: Syntax) -> str:
    """The tree as a Python expression of at most a few hundred characters; `...` marks omitted parts."""
    pieces: list[str] = []
    length = 0
    stack: list[tuple[object, int]] = [(node, 0)]
    while stack and length < MAX_REPR_CHARACTERS:
        value, depth = stack.pop()
        match value:
            case _Text(text):
                pieces.append(text)
            case Syntax() if depth < MAX_REPR_DEPTH:
                pieces.append(type(value).__name__)
                stack += [(_Text(")"), 0), *_separated(fields(value), depth + 1), (_Text("("), 0)]
            case tuple() if depth < MAX_REPR_DEPTH:
                stack += [
                    (_Text("]"), 0),
                    *_separated(value[:MAX_REPR_CHARACTERS], depth + 1),
                    (_Text("["), 0),
                ]
            case Syntax() | tuple():
                pieces.append("...")
            case Fraction():
                pieces.append(str(value) if value.numerator.bit_length() < MAX_REPR_CHARACTERS else "...")
            case _:
                pieces.append(repr(value))
        length += len(pieces[-1]) if pieces else 0
    text = "".join(pieces)
    return text if not stack and len(text) <= MAX_REPR_CHARACTERS else text[:MAX_REPR_CHARACTERS] + "..."


class _Text(NamedTuple):
    text: str


def _separated(values: list[object] | tuple[object, ...], depth: int) -> list[tuple[object, int]]:
    """The values in reverse, with commas between them."""
    items: list[tuple[object, int]] = []
    for value in reversed(values):
        items += [(_Text(", "), 0), (value, depth)] if items else [(value, depth)]
    return items
