"""Shapes of terms: tree patterns of bounded depth. Know roots and children, and no language and no strategy.

A list of shapes stands for every term that fits one of them. Some lists promise to hold at least the terms they
speak of, others at most these; what cuts a list short therefore comes twice, as `widened` and `narrowed`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, Protocol, TypeAlias, runtime_checkable

from elevate.term import Term

DEEPEST: Final = 16
"""How many levels a shape has."""
MOST: Final = 16
"""How many shapes a list has."""


@dataclass(frozen=True, slots=True)
class Hole:
    """Any term. Holes of one name stand for one term; those without a name are unrelated.

    `parts` may say what the term is made of: each at most once, and one node besides.
    """

    name: str = ""
    parts: tuple[Shape, ...] = ()

    def __str__(self) -> str:
        return show(self)


@dataclass(frozen=True, slots=True)
class Built:
    """A term with a root (None: with any) and children (None: any number of any)."""

    root: Hashable
    children: tuple[Shape, ...] | None = None

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
    """What a rule makes of which terms: a left and a right shape that share the names of their holes."""

    left: Shape
    right: Shape
    exact: bool = False
    """Whether the rule fires on every term of the left shape."""


@runtime_checkable
class Shaped(Protocol):
    """What a rule may give besides, so that its place in a strategy can be checked."""

    def shapes(self) -> tuple[Rewrite, ...] | None:
        """Rewrites of which each firing is one; None where nothing is known."""
        ...


def built(root: Hashable, children: tuple[Shape, ...] | None = None) -> Shape:
    """A shape with this root and these children."""
    return ANY if root is None and children is None else Built(root, children)


def fits(shape: Shape, term: Term) -> bool:
    """Whether a term has a shape; that holes of one name are one term is not asked."""
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


def meet(one: Shape, other: Shape) -> Shape | None:
    """The shape of the terms that have both shapes; None where there are none."""
    match one, other:
        case Hole(), _:
            return other
        case _, Hole():
            return one
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
                both = meet(x, y)
                if both is None:
                    return None
                children.append(both)
            return Built(root, tuple(children))
    raise AssertionError((one, other))


def covers(wide: Shape, narrow: Shape) -> bool:
    """Whether every term of the narrow shape has the wide one, holes of one name taken for unrelated."""
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


def meets(some: Shapes, others: Shapes) -> list[Shape]:
    """The shapes of the terms that have one of each."""
    found = (meet(one, other) for one in some for other in others)
    return [shape for shape in found if shape is not None]


def bound(pattern: Shape, shape: Shape, known: dict[str, Shape]) -> bool:
    """Note what the holes of a pattern are where a term has both shapes; False where none has."""
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
            return len(xs) == len(ys) and all(bound(x, y, known) for x, y in zip(xs, ys, strict=True))
    raise AssertionError((pattern, shape))


def bound_surely(pattern: Shape, shape: Shape, known: dict[str, Shape]) -> bool:
    """Note what the holes of a pattern must be so that each of its terms has the shape; False where nothing helps."""
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
            return all(bound_surely(x, y, known) for x, y in zip(xs, ys, strict=True))
    raise AssertionError((pattern, shape))


def filled(pattern: Shape, known: Known) -> Shape:
    """A pattern with what is known of its holes put in; the holes keep no name."""
    match pattern:
        case Hole(name):
            return known.get(name, ANY) if name else ANY
        case Built(_, None):
            return pattern
        case Built(root, children):
            assert children is not None
            return Built(root, tuple(filled(child, known) for child in children))
    raise AssertionError(pattern)


def anonymous(shape: Shape) -> Shape:
    """A shape without the names of its holes."""
    return filled(shape, {})


def forward(rewrite: Rewrite, given: Shape) -> Shape | None:
    """The shape of what a rewrite makes of terms of a shape; None where it makes nothing of them."""
    known: dict[str, Shape] = {}
    return filled(rewrite.right, known) if bound(rewrite.left, given, known) else None


def backward(rewrite: Rewrite, wanted: Shape) -> Shape | None:
    """The shape of the terms of which a rewrite may make a term of a wanted shape."""
    known: dict[str, Shape] = {}
    return filled(rewrite.left, known) if bound(rewrite.right, wanted, known) else None


def backward_surely(rewrite: Rewrite, wanted: Shape) -> Shape | None:
    """A shape of terms of which an exact rewrite always makes a term of a wanted shape."""
    known: dict[str, Shape] = {}
    return filled(rewrite.left, known) if bound_surely(rewrite.right, wanted, known) else None


def unify(left: Shape, right: Shape) -> bool:
    """Whether terms for the named holes may make both sides equal."""
    known: dict[str, Shape] = {}
    waiting: list[tuple[Shape, Shape]] = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        while isinstance(one, Hole) and one.name in known:
            one = known[one.name]
        while isinstance(other, Hole) and other.name in known:
            other = known[other.name]
        match one, other:
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
    """Whether a named hole stands properly inside a shape, so that nothing is both."""
    waiting = [shape]
    seen: set[str] = set()
    while waiting:
        match waiting.pop():
            case Hole(found):
                if found == name:
                    return True
                if found in known and found not in seen:
                    seen.add(found)
                    waiting.append(known[found])
            case Built(_, children):
                waiting.extend(children or ())
    return False


def cut(shape: Shape, levels: int = DEEPEST) -> Shape:
    """A shape without what stands below some levels."""
    match shape:
        case Built(root, children) if children is not None:
            if not levels:
                return built(root)
            return Built(root, tuple(cut(child, levels - 1) for child in children))
    return shape


def is_cut(shape: Shape) -> bool:
    """Whether a shape has more levels than shapes have."""
    return cut(shape) != shape


def widened(shapes: Iterable[Shape]) -> Shapes:
    """A short list that holds at least the terms of these shapes."""
    found = _without_covered(map(cut, map(anonymous, shapes)))
    if len(found) > MOST:
        roots = {shape.root if isinstance(shape, Built) else None for shape in found}
        found = _without_covered(map(built, sorted(roots, key=repr)))
    return tuple(found) if len(found) <= MOST else ALL


def narrowed(shapes: Iterable[Shape]) -> Shapes:
    """A short list that holds at most the terms of these shapes."""
    return tuple(_without_covered(anonymous(shape) for shape in shapes if not is_cut(shape))[:MOST])


def _without_covered(shapes: Iterable[Shape]) -> list[Shape]:
    found: list[Shape] = []
    for shape in shapes:
        if not any(covers(other, shape) for other in found):
            found = [other for other in found if not covers(shape, other)] + [shape]
    return found


def parts_of(shape: Shape) -> Iterator[Shape]:
    """A shape and all shapes inside it."""
    waiting = [shape]
    while waiting:
        one = waiting.pop()
        yield one
        waiting.extend(reversed((one.children if isinstance(one, Built) else one.parts) or ()))


def show(shape: Shape, tight: bool = False) -> str:
    """A shape as people read it: an applied name as `map _ (map _ _)`, `_` for any term.

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
    """The arguments of an applied name, of which each but the last may stand inside its function."""
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
