"""Conditions on terms: a shape at the root, somewhere, at a child; and, or, not. Know no strategy but predicates.

What a strategy needs of a program is said in them, for people to read and to be decided on a program.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, TypeAlias

from elevate.analysis.shapes import (
    ALL,
    ANY,
    LEAF,
    Built,
    Shape,
    Shapes,
    covers,
    fits,
    meet,
    meets,
    narrowed,
    show,
    widened,
)
from elevate.rules import Predicate
from elevate.term import Term

LARGEST: Final = 150
"""How many parts a condition has; a larger one is left open."""


@dataclass(frozen=True, slots=True)
class Is:
    """The term has a shape."""

    shape: Shape

    def __str__(self) -> str:
        return "any term" if self.shape == ANY else "a leaf" if self.shape == LEAF else show(self.shape)


@dataclass(frozen=True, slots=True)
class Holds:
    """A predicate holds."""

    predicate: Predicate

    def __str__(self) -> str:
        return str(self.predicate)


@dataclass(frozen=True, slots=True)
class Either:
    """One of the conditions holds."""

    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return " or ".join(map(_tight, self.conditions)) or "no term"


@dataclass(frozen=True, slots=True)
class Both:
    """All conditions hold."""

    conditions: tuple[Condition, ...]

    def __str__(self) -> str:
        return " and ".join(map(_tight, self.conditions))


@dataclass(frozen=True, slots=True)
class Unlike:
    """The condition does not hold."""

    condition: Condition

    def __str__(self) -> str:
        return f"not {_tight(self.condition)}"


@dataclass(frozen=True, slots=True)
class AtChild:
    """The condition holds of the child of one index."""

    index: int
    condition: Condition

    def __str__(self) -> str:
        return f"child {self.index} is {_tight(self.condition)}"


@dataclass(frozen=True, slots=True)
class SomeChild:
    """The condition holds of a child."""

    condition: Condition

    def __str__(self) -> str:
        return f"a child is {_tight(self.condition)}"


@dataclass(frozen=True, slots=True)
class EachChild:
    """The condition holds of every child."""

    condition: Condition

    def __str__(self) -> str:
        return f"each child is {_tight(self.condition)}"


@dataclass(frozen=True, slots=True)
class Somewhere:
    """The condition holds of the term or of a term inside it."""

    condition: Condition

    def __str__(self) -> str:
        return f"somewhere {_tight(self.condition)}"


Condition: TypeAlias = Is | Holds | Either | Both | Unlike | AtChild | SomeChild | EachChild | Somewhere
TRUE: Final = Is(ANY)
FALSE: Final = Either(())


def _tight(condition: Condition) -> str:
    several = isinstance(condition, Either | Both) and len(condition.conditions) > 1
    return f"({condition})" if several else str(condition)


def either(conditions: Iterable[Condition]) -> Condition:
    """One of these holds."""
    flat: dict[Condition, None] = {}
    for one in conditions:
        flat.update(dict.fromkeys(one.conditions if isinstance(one, Either) else [one]))
    shapes = _only_widest([one.shape for one in flat if isinstance(one, Is)])
    rest = [one for one in flat if not isinstance(one, Is) and not _implied(one, shapes)]
    found = [*map(Is, shapes), *rest]
    return TRUE if TRUE in found else found[0] if len(found) == 1 else Either(tuple(found))


def both(*conditions: Condition) -> Condition:
    """All of these hold."""
    flat: dict[Condition, None] = {}
    for one in conditions:
        flat.update(dict.fromkeys(one.conditions if isinstance(one, Both) else [one]))
    shapes: list[Shape] = [ANY]
    rest: list[Condition] = []
    for one in flat:
        if isinstance(one, Is):
            shapes = meets(tuple(shapes), (one.shape,))
        elif isinstance(one, Either) and all(isinstance(each, Is) for each in one.conditions):
            shapes = meets(
                tuple(shapes), tuple(each.shape for each in one.conditions if isinstance(each, Is))
            )
        else:
            rest.append(one)
    for one in rest[:]:
        if isinstance(one, AtChild) and isinstance(one.condition, Is):
            inside = [_with_child(shape, one.index, one.condition.shape) for shape in shapes]
            if None not in inside:
                shapes = [shape for shape in inside if isinstance(shape, Built)]
                rest.remove(one)
    here = either(map(Is, shapes))
    found = [*([] if here == TRUE else [here]), *rest]
    if here == FALSE:
        return FALSE
    return TRUE if not found else found[0] if len(found) == 1 else Both(tuple(found))


def unlike(condition: Condition) -> Condition:
    """This does not hold."""
    if condition in (TRUE, FALSE):
        return FALSE if condition == TRUE else TRUE
    return condition.condition if isinstance(condition, Unlike) else Unlike(condition)


def at_child(index: int, condition: Condition) -> Condition:
    """This holds of the child of an index."""
    return FALSE if condition == FALSE else AtChild(index, condition)


def some_child(condition: Condition) -> Condition:
    """This holds of a child."""
    return FALSE if condition == FALSE else SomeChild(condition)


def each_child(condition: Condition) -> Condition:
    """This holds of every child, so of a leaf."""
    return TRUE if condition == TRUE else Is(LEAF) if condition == FALSE else EachChild(condition)


def somewhere(condition: Condition) -> Condition:
    """This holds of the term, or of one inside it."""
    return (
        condition if condition in (TRUE, FALSE) or isinstance(condition, Somewhere) else Somewhere(condition)
    )


def size(condition: Condition) -> int:
    """How many parts a condition has, as far as it matters."""
    count, waiting = 0, [condition]
    while waiting and count <= LARGEST:
        count += 1
        match waiting.pop():
            case Either(several) | Both(several):
                waiting += several
            case Unlike(one) | AtChild(_, one) | SomeChild(one) | EachChild(one) | Somewhere(one):
                waiting.append(one)
            case _:
                pass
    return count


def shapes_at_most(condition: Condition, within: Shape = ANY) -> Shapes:
    """A list of shapes that holds all terms of a shape of which a condition holds."""
    match condition:
        case Is(shape):
            return tuple(meets((within,), (shape,)))
        case Holds(predicate):
            roots = ALL if predicate.roots is None else tuple(map(Built, predicate.roots))
            return widened(meets((within,), roots))
        case Either(several):
            return widened(shape for one in several for shape in shapes_at_most(one, within))
        case Both(several):
            found: Shapes = (within,)
            for one in several:
                found = widened(shape for before in found for shape in shapes_at_most(one, before))
            return found
        case AtChild(index, one):
            return _at_child(index, one, within)
        case SomeChild(one) if isinstance(within, Built) and within.children is not None:
            count = len(within.children)
            return widened(shape for index in range(count) for shape in _at_child(index, one, within))
        case _:
            return (within,)


def _at_child(index: int, condition: Condition, within: Shape) -> Shapes:
    if not isinstance(within, Built) or within.children is None:
        return (within,)
    if not 0 <= index < len(within.children):
        return ()
    before, after = within.children[:index], within.children[index + 1 :]
    found = shapes_at_most(condition, within.children[index])
    return tuple(Built(within.root, (*before, child, *after)) for child in found)


def shapes_at_least(condition: Condition) -> Shapes:
    """A list of shapes of which a condition holds, whatever else the terms are."""
    match condition:
        case Is(shape):
            return (shape,)
        case Either(several):
            return narrowed(shape for one in several for shape in shapes_at_least(one))
        case Both(several):
            found: Shapes = ALL
            for one in several:
                found = narrowed(meets(found, shapes_at_least(one)))
            return found
        case Somewhere(one):
            return shapes_at_least(one)
        case _:
            return ()


def holds(condition: Condition, term: Term) -> bool:
    """Whether a condition holds of a term."""
    return Decision().holds(condition, term)


class Decision:
    """Decides conditions on the terms of one program, each once."""

    def __init__(self) -> None:
        self.somewhere: dict[tuple[Condition, Term], bool] = {}

    def holds(self, condition: Condition, term: Term) -> bool:
        """Whether a condition holds of a term."""
        match condition:
            case Is(shape):
                return fits(shape, term)
            case Holds(predicate):
                return predicate.holds(term)
            case Either(several):
                return any(self.holds(one, term) for one in several)
            case Both(several):
                return all(self.holds(one, term) for one in several)
            case Unlike(one):
                return not self.holds(one, term)
            case AtChild(index, one):
                return 0 <= index < len(term.children) and self.holds(one, term.children[index])
            case SomeChild(one):
                return any(self.holds(one, child) for child in term.children)
            case EachChild(one):
                return all(self.holds(one, child) for child in term.children)
            case Somewhere(one):
                return self.anywhere(one, term)
        raise AssertionError(condition)

    def anywhere(self, condition: Condition, term: Term) -> bool:
        """Whether a condition holds of a term or of one inside it."""
        key = (condition, term)
        known = self.somewhere.get(key)
        if known is None:
            known = any(self.holds(condition, part) for part in distinct(term))
            self.somewhere[key] = known
        return known


def distinct(term: Term) -> Iterable[Term]:
    """A term and all terms inside it, each once."""
    met: set[Term] = set()
    waiting = [term]
    while waiting:
        one = waiting.pop()
        if one not in met:
            met.add(one)
            yield one
            waiting.extend(reversed(one.children))


def _with_child(shape: Shape, index: int, child: Shape) -> Shape | bool | None:
    """A shape whose child of an index has another shape too; False where none has, None where it is not told."""
    if not isinstance(shape, Built) or shape.children is None:
        return None
    if not 0 <= index < len(shape.children):
        return False
    new = meet(shape.children[index], child)
    return new is not None and Built(shape.root, (*shape.children[:index], new, *shape.children[index + 1 :]))


def _only_widest(shapes: list[Shape]) -> list[Shape]:
    found: list[Shape] = []
    for shape in shapes:
        if not any(covers(other, shape) for other in found):
            found = [other for other in found if not covers(shape, other)] + [shape]
    return found


def _implied(condition: Condition, shapes: list[Shape]) -> bool:
    """Whether a condition holds only of terms of some shapes."""
    return all(any(covers(wide, one) for wide in shapes) for one in shapes_at_most(condition))
