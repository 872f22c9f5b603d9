"""Conditions on terms: a shape at the root, somewhere, at a child; and, or, not.

Independent of strategies other than predicates.

Conditions say what a strategy requires of a program. They can be printed for people, and decided for a program.
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
    without_covered,
)
from elevate.rules import Predicate
from elevate.term import Term

MAX_CONDITION_PARTS: Final = 150
"""How many parts a condition may have; a larger one is approximated."""


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
class Negation:
    """The condition does not hold."""

    condition: Condition

    def __str__(self) -> str:
        return f"not {_tight(self.condition)}"


@dataclass(frozen=True, slots=True)
class AtChild:
    """The condition holds of the child at an index."""

    index: int
    condition: Condition

    def __str__(self) -> str:
        return f"child {self.index} is {_tight(self.condition)}"


@dataclass(frozen=True, slots=True)
class SomeChild:
    """The condition holds of at least one child."""

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
    """The condition holds of the term or of a subterm."""

    condition: Condition

    def __str__(self) -> str:
        return f"somewhere {_tight(self.condition)}"


Condition: TypeAlias = Is | Holds | Either | Both | Negation | AtChild | SomeChild | EachChild | Somewhere
TRUE: Final = Is(ANY)
FALSE: Final = Either(())


def _tight(condition: Condition) -> str:
    needs_parentheses = isinstance(condition, Either | Both) and len(condition.conditions) > 1
    return f"({condition})" if needs_parentheses else str(condition)


def either(conditions: Iterable[Condition]) -> Condition:
    """At least one of these holds."""
    flat: dict[Condition, None] = {}
    for condition in conditions:
        flat.update(dict.fromkeys(condition.conditions if isinstance(condition, Either) else [condition]))
    shapes = without_covered([condition.shape for condition in flat if isinstance(condition, Is)])
    rest = [
        condition for condition in flat if not isinstance(condition, Is) and not _implied(condition, shapes)
    ]
    parts = [*map(Is, shapes), *rest]
    return TRUE if TRUE in parts else parts[0] if len(parts) == 1 else Either(tuple(parts))


def both(*conditions: Condition) -> Condition:
    """All of these hold."""
    flat: dict[Condition, None] = {}
    for condition in conditions:
        flat.update(dict.fromkeys(condition.conditions if isinstance(condition, Both) else [condition]))
    shapes: list[Shape] = [ANY]
    rest: list[Condition] = []
    for condition in flat:
        if isinstance(condition, Is):
            shapes = meets(tuple(shapes), (condition.shape,))
        elif isinstance(condition, Either) and all(
            isinstance(alternative, Is) for alternative in condition.conditions
        ):
            shapes = meets(
                tuple(shapes),
                tuple(
                    alternative.shape for alternative in condition.conditions if isinstance(alternative, Is)
                ),
            )
        else:
            rest.append(condition)
    for condition in rest[:]:
        if isinstance(condition, AtChild) and isinstance(condition.condition, Is):
            refined = [_with_child(shape, condition.index, condition.condition.shape) for shape in shapes]
            if None not in refined:
                shapes = [shape for shape in refined if isinstance(shape, Built)]
                rest.remove(condition)
    root_condition = either(map(Is, shapes))
    parts = [*([] if root_condition == TRUE else [root_condition]), *rest]
    if root_condition == FALSE:
        return FALSE
    return TRUE if not parts else parts[0] if len(parts) == 1 else Both(tuple(parts))


def negation(condition: Condition) -> Condition:
    """The condition does not hold."""
    if condition in (TRUE, FALSE):
        return FALSE if condition == TRUE else TRUE
    return condition.condition if isinstance(condition, Negation) else Negation(condition)


def at_child(index: int, condition: Condition) -> Condition:
    """The condition holds of the child at an index."""
    return FALSE if condition == FALSE else AtChild(index, condition)


def some_child(condition: Condition) -> Condition:
    """The condition holds of at least one child."""
    return FALSE if condition == FALSE else SomeChild(condition)


def each_child(condition: Condition) -> Condition:
    """The condition holds of every child, and so of a leaf."""
    return TRUE if condition == TRUE else Is(LEAF) if condition == FALSE else EachChild(condition)


def somewhere(condition: Condition) -> Condition:
    """The condition holds of the term or of a subterm."""
    return (
        condition if condition in (TRUE, FALSE) or isinstance(condition, Somewhere) else Somewhere(condition)
    )


def size(condition: Condition) -> int:
    """How many parts a condition has, counted up to the limit."""
    count, waiting = 0, [condition]
    while waiting and count <= MAX_CONDITION_PARTS:
        count += 1
        match waiting.pop():
            case Either(parts) | Both(parts):
                waiting += parts
            case Negation(part) | AtChild(_, part) | SomeChild(part) | EachChild(part) | Somewhere(part):
                waiting.append(part)
            case _:
                pass
    return count


def shapes_at_most(condition: Condition, within: Shape = ANY) -> Shapes:
    """Shapes that cover all terms of the shape `within` for which a condition holds."""
    match condition:
        case Is(shape):
            return tuple(meets((within,), (shape,)))
        case Holds(predicate):
            roots = ALL if predicate.roots is None else tuple(map(Built, predicate.roots))
            return widened(meets((within,), roots))
        case Either(parts):
            return widened(shape for part in parts for shape in shapes_at_most(part, within))
        case Both(parts):
            shapes: Shapes = (within,)
            for part in parts:
                shapes = widened(shape for before in shapes for shape in shapes_at_most(part, before))
            return shapes
        case AtChild(index, part):
            return _at_child(index, part, within)
        case SomeChild(part) if isinstance(within, Built) and within.children is not None:
            count = len(within.children)
            return widened(shape for index in range(count) for shape in _at_child(index, part, within))
        case _:
            return (within,)


def _at_child(index: int, condition: Condition, within: Shape) -> Shapes:
    if not isinstance(within, Built) or within.children is None:
        return (within,)
    if not 0 <= index < len(within.children):
        return ()
    before, after = within.children[:index], within.children[index + 1 :]
    shapes = shapes_at_most(condition, within.children[index])
    return tuple(Built(within.root, (*before, child, *after)) for child in shapes)


def shapes_at_least(condition: Condition) -> Shapes:
    """Shapes such that a condition holds of every term that has one of them."""
    match condition:
        case Is(shape):
            return (shape,)
        case Either(parts):
            return narrowed(shape for part in parts for shape in shapes_at_least(part))
        case Both(parts):
            shapes: Shapes = ALL
            for part in parts:
                shapes = narrowed(meets(shapes, shapes_at_least(part)))
            return shapes
        case Somewhere(part):
            return shapes_at_least(part)
        case _:
            return ()


def holds(condition: Condition, term: Term) -> bool:
    """Whether a condition holds of a term."""
    return Decision().holds(condition, term)


class Decision:
    """Decides conditions on the terms of one program, each only once."""

    def __init__(self) -> None:
        self.somewhere: dict[tuple[Condition, Term], bool] = {}

    def holds(self, condition: Condition, term: Term) -> bool:
        """Whether a condition holds of a term."""
        match condition:
            case Is(shape):
                return fits(shape, term)
            case Holds(predicate):
                return predicate.holds(term)
            case Either(parts):
                return any(self.holds(part, term) for part in parts)
            case Both(parts):
                return all(self.holds(part, term) for part in parts)
            case Negation(part):
                return not self.holds(part, term)
            case AtChild(index, part):
                return 0 <= index < len(term.children) and self.holds(part, term.children[index])
            case SomeChild(part):
                return any(self.holds(part, child) for child in term.children)
            case EachChild(part):
                return all(self.holds(part, child) for child in term.children)
            case Somewhere(part):
                return self.anywhere(part, term)
        raise AssertionError(condition)

    def anywhere(self, condition: Condition, term: Term) -> bool:
        """Whether a condition holds of a term or of a subterm."""
        key = (condition, term)
        known = self.somewhere.get(key)
        if known is None:
            known = any(self.holds(condition, part) for part in distinct(term))
            self.somewhere[key] = known
        return known


def distinct(term: Term) -> Iterable[Term]:
    """A term and all its subterms, equal ones once."""
    seen: set[Term] = set()
    waiting = [term]
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting.extend(reversed(node.children))


def _with_child(shape: Shape, index: int, child: Shape) -> Shape | bool | None:
    """A shape with the child at an index refined; False if no term has it, None if the children are unknown."""
    if not isinstance(shape, Built) or shape.children is None:
        return None
    if not 0 <= index < len(shape.children):
        return False
    new = meet(shape.children[index], child)
    return new is not None and Built(shape.root, (*shape.children[:index], new, *shape.children[index + 1 :]))


def _implied(condition: Condition, shapes: list[Shape]) -> bool:
    """Whether a condition holds only of terms of some shapes."""
    return all(any(covers(other, shape) for other in shapes) for shape in shapes_at_most(condition))
