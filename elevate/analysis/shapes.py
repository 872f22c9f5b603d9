"""Shapes of terms: tree patterns of bounded depth. Depends on roots and children, but not on languages or strategies.

A list of shapes denotes all terms that have one of them. Some lists over-approximate a set of terms, and others
under-approximate it, so lists are shortened in two ways, by `widened` and `narrowed`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Protocol, TypeAlias, runtime_checkable

from elevate.term import Term

MAX_LEVELS: Final = 16
"""How many levels a shape may have."""
MAX_SHAPES: Final = 16
"""How many shapes a list may have."""
MAX_COMPARED: Final = 1 << 12
"""How many results of `without_covered` are cached."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Any term. Holes with the same name denote the same term; those without a name are unrelated.

    `parts` may say what the term is built from: each at most once, and one more node.
    """

    name: str = ""
    parts: tuple[Shape, ...] = ()

    def __str__(self) -> str:
        return show(self)


@dataclass(frozen=True, slots=True)
class Built:
    """A term with a root (None: any) and children (None: any)."""

    root: Hashable
    children: tuple[Shape, ...] | None = None
    #: levels of children, whether a hole has a name or parts, and the hash: cached, since they are needed often
    levels: int = field(init=False, compare=False, repr=False)
    has_names: bool = field(init=False, compare=False, repr=False)
    _hash: int = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        below = [child for child in self.children or () if isinstance(child, Built)]
        holes = [child for child in self.children or () if isinstance(child, Hole)]
        levels = 0 if self.children is None else 1 + max((child.levels for child in below), default=0)
        has_names = any(child.has_names for child in below) or any(hole.name or hole.parts for hole in holes)
        object.__setattr__(self, "levels", levels)
        object.__setattr__(self, "has_names", has_names)
        object.__setattr__(self, "_hash", hash((self.root, self.children)))

    def __hash__(self) -> int:
        return self._hash

    def __str__(self) -> str:
        return show(self)


Shape: TypeAlias = Hole | Built
Shapes: TypeAlias = tuple[Shape, ...]
Known: TypeAlias = Mapping[str, Shape]

ANY: Final = Hole()
ALL: Final[Shapes] = (ANY,)
NONE: Final[Shapes] = ()
LEAF: Final = Built(None, ())


@dataclass(frozen=True, slots=True)
class Rewrite:
    """The shapes of redexes and contracta of a rule, which share the names of their holes."""

    left: Shape
    right: Shape
    exact: bool = False
    """Whether the rule fires on every term of the left shape."""


@runtime_checkable
class Shaped(Protocol):
    """What a rule may also provide, so that its use in a strategy can be checked."""

    def shapes(self) -> tuple[Rewrite, ...] | None:
        """Rewrites that cover all firings; None if nothing is known."""
        ...


def built(root: Hashable, children: tuple[Shape, ...] | None = None) -> Shape:
    """A shape with this root and these children."""
    return ANY if root is None and children is None else Built(root, children)


def fits(shape: Shape, term: Term) -> bool:
    """Whether a term has a shape; holes with the same name are not compared."""
    match shape:
        case Hole():
            return True
        case Built(root, children):
            if root is not None and term.root != root:
                return False
            if children is None:
                return True
            below = term.children
            return len(below) == len(children) and all(map(fits, children, below))


def meet(left: Shape, right: Shape) -> Shape | None:
    """The shape of the terms that have both shapes; None if there are none."""
    match left, right:
        case Hole(), _:
            return right
        case _, Hole():
            return left
        case Built(a, xs), Built(b, ys):
            if a is not None and b is not None and a != b:
                return None
            root = b if a is None else a
            if xs is None or ys is None:
                return Built(root, ys if xs is None else xs)
            if len(xs) != len(ys):
                return None
            children: list[Shape] = []
            for x, y in zip(xs, ys, strict=True):
                child = meet(x, y)
                if child is None:
                    return None
                children.append(child)
            return Built(root, tuple(children))
    raise AssertionError((left, right))


def covers(wide: Shape, narrow: Shape) -> bool:
    """Whether every term of the narrow shape has the wide one, holes with the same name treated as unrelated."""
    if wide is narrow:
        return True
    match wide, narrow:
        case Hole(), _:
            return True
        case Built(), Hole():
            return False
        case Built(a, xs), Built(b, ys):
            if a is not None and a != b:
                return False
            if xs is None:
                return True
            return ys is not None and len(xs) == len(ys) and all(map(covers, xs, ys))
    raise AssertionError((wide, narrow))


def meets(left_shapes: Shapes, right_shapes: Shapes) -> list[Shape]:
    """The shapes of the terms that have a shape of each list."""
    shapes = (meet(left, right) for left in left_shapes for right in right_shapes)
    return [shape for shape in shapes if shape is not None]


def bind(pattern: Shape, shape: Shape, known: dict[str, Shape]) -> bool:
    """Add what the holes of a pattern are if a term has both shapes; False if no term has both."""
    match pattern, shape:
        case Hole(""), _:
            return True
        case Hole(name), _:
            both = meet(known.get(name, ANY), anonymous(shape))
            if both is None:
                return False
            known[name] = both
            return True
        case Built(), Hole():
            return True
        case Built(a, xs), Built(b, ys):
            if a is not None and b is not None and a != b:
                return False
            if xs is None or ys is None:
                return True
            return len(xs) == len(ys) and all(bind(x, y, known) for x, y in zip(xs, ys, strict=True))
    raise AssertionError((pattern, shape))


def bind_sufficient(pattern: Shape, shape: Shape, known: dict[str, Shape]) -> bool:
    """Add what suffices of the holes for every term of the pattern to have the shape; False if nothing does."""
    match pattern, shape:
        case _, Hole():
            return True
        case Hole(""), _:
            return False
        case Hole(name), _:
            both = meet(known.get(name, ANY), anonymous(shape))
            if both is None:
                return False
            known[name] = both
            return True
        case Built(a, xs), Built(b, ys):
            if b is not None and a != b:
                return False
            if ys is None:
                return True
            if xs is None or len(xs) != len(ys):
                return False
            return all(bind_sufficient(x, y, known) for x, y in zip(xs, ys, strict=True))
    raise AssertionError((pattern, shape))


def filled(pattern: Shape, known: Known) -> Shape:
    """A pattern with its known holes filled in; the other holes lose their names."""
    match pattern:
        case Hole(name):
            return known.get(name, ANY) if name else ANY
        case Built(_, None):
            return pattern
        case Built() if not pattern.has_names:
            return pattern
        case Built(root, children):
            assert children is not None
            return Built(root, tuple(filled(child, known) for child in children))
    raise AssertionError(pattern)


def anonymous(shape: Shape) -> Shape:
    """A shape without the names of its holes."""
    return filled(shape, {})


def forward(rewrite: Rewrite, given: Shape) -> Shape | None:
    """The shape of the results of a rewrite on terms of a shape; None if it matches none of them."""
    known: dict[str, Shape] = {}
    return filled(rewrite.right, known) if bind(rewrite.left, given, known) else None


def backward(rewrite: Rewrite, wanted: Shape) -> Shape | None:
    """The shape of the terms that a rewrite may turn into a term of a wanted shape."""
    known: dict[str, Shape] = {}
    return filled(rewrite.left, known) if bind(rewrite.right, wanted, known) else None


def backward_sufficient(rewrite: Rewrite, wanted: Shape) -> Shape | None:
    """A shape of terms that an exact rewrite always turns into a term of a wanted shape."""
    known: dict[str, Shape] = {}
    return filled(rewrite.left, known) if bind_sufficient(rewrite.right, wanted, known) else None


def unify(left: Shape, right: Shape) -> bool:
    """Whether some terms for the named holes make both sides equal."""
    known: dict[str, Shape] = {}
    waiting: list[tuple[Shape, Shape]] = [(left, right)]
    while waiting:
        first, second = waiting.pop()
        while isinstance(first, Hole) and first.name in known:
            first = known[first.name]
        while isinstance(second, Hole) and second.name in known:
            second = known[second.name]
        match first, second:
            case (Hole(""), _) | (_, Hole("")):
                continue
            case Hole(name), Hole(same) if name == same:
                continue
            case Hole(name), shape:
                if occurs(name, shape, known):
                    return False
                known[name] = shape
            case shape, Hole(name):
                if occurs(name, shape, known):
                    return False
                known[name] = shape
            case Built(a, xs), Built(b, ys):
                if a is not None and b is not None and a != b:
                    return False
                if xs is not None and ys is not None:
                    if len(xs) != len(ys):
                        return False
                    waiting.extend(zip(xs, ys, strict=True))
    return True


def occurs(name: str, shape: Shape, known: Known) -> bool:
    """Whether a named hole occurs in a shape, so that they have no common instance."""
    waiting = [shape]
    seen: set[str] = set()
    while waiting:
        match waiting.pop():
            case Hole(other):
                if other == name:
                    return True
                if other in known and other not in seen:
                    seen.add(other)
                    waiting.append(known[other])
            case Built(_, children):
                waiting.extend(children or ())
    return False


def cut(shape: Shape, levels: int = MAX_LEVELS) -> Shape:
    """A shape with everything below some levels removed."""
    match shape:
        case Built(root, children) if children is not None and shape.levels > levels:
            if not levels:
                return built(root)
            return Built(root, tuple(cut(child, levels - 1) for child in children))
    return shape


def is_cut(shape: Shape) -> bool:
    """Whether a shape has more levels than the limit."""
    return isinstance(shape, Built) and shape.levels > MAX_LEVELS


def widened(shapes: Iterable[Shape]) -> Shapes:
    """A short list that denotes at least the terms of these shapes."""
    widest = without_covered(map(cut, map(anonymous, shapes)))
    if len(widest) > MAX_SHAPES:
        roots = {shape.root if isinstance(shape, Built) else None for shape in widest}
        widest = without_covered(map(built, sorted(roots, key=repr)))
    return tuple(widest) if len(widest) <= MAX_SHAPES else ALL


def narrowed(shapes: Iterable[Shape]) -> Shapes:
    """A short list that denotes at most the terms of these shapes."""
    return tuple(without_covered(anonymous(shape) for shape in shapes if not is_cut(shape))[:MAX_SHAPES])


def without_covered(shapes: Iterable[Shape]) -> list[Shape]:
    """The shapes without those that another one covers."""
    distinct = tuple(dict.fromkeys(shapes))
    return list(distinct if len(distinct) < 2 else _without_covered(distinct))


@lru_cache(maxsize=MAX_COMPARED)
def _without_covered(shapes: Shapes) -> Shapes:
    widest: list[Shape] = []
    for shape in shapes:
        if not any(covers(other, shape) for other in widest):
            widest = [other for other in widest if not covers(shape, other)] + [shape]
    return tuple(widest)


def parts_of(shape: Shape) -> Iterator[Shape]:
    """A shape and all its parts."""
    waiting = [shape]
    while waiting:
        part = waiting.pop()
        yield part
        waiting.extend(reversed((part.children if isinstance(part, Built) else part.parts) or ()))


def show(shape: Shape, tight: bool = False) -> str:
    """A shape as text: an applied name as `map _ (map _ _)`, `_` for any term.

    >>> show(Built(("map", 2), (Built(("map", 1), (Built(("map", 0), ()), ANY)), Built(("map", 2)))))
    'map _ (map _ _)'
    """
    match shape:
        case Hole():
            return "_"
        case Built((str() as name, int() as count), children):
            words = [show(part, tight=True) for part in _arguments(name, count, children)]
            text = " ".join([name, *words])
            return f"({text})" if tight and words else text
        case Built(None, (Built(None | (str(), int())) as function, *arguments)) if arguments:
            words = [show(function), *(show(part, tight=True) for part in arguments)]
            return f"({' '.join(words)})" if tight else " ".join(words)
        case Built(root, children):
            name = "_" if root is None else str(root)
            if children is None:
                return f"{name}(...)"
            return f"{name}({', '.join(map(show, children))})" if children or root is None else name
    raise AssertionError(shape)


def _arguments(name: str, count: int, children: tuple[Shape, ...] | None) -> list[Shape]:
    """The arguments of an applied name; all but the last may be inside its function child."""
    if children is None:
        return [ANY] * count
    last: list[Shape] = []
    while children and len(children) == 2 and _applies(children[0], name, count - 1):
        function, argument = children
        last.append(argument)
        count -= 1
        children = function.children if isinstance(function, Built) else None
        if children is None:
            return [*[ANY] * count, *reversed(last)]
    while count == 0 and children and len(children) == 1 and _applies(children[0], name, count):
        (function,) = children
        children = function.children if isinstance(function, Built) else None
    return [*(children or ()), *reversed(last)]


def _applies(shape: Shape, name: str, count: int) -> bool:
    return isinstance(shape, Built) and shape.root == (name, count)
