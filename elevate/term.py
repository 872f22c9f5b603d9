"""The interface of terms, and paths to subterms. Independent of languages."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, ClassVar, Protocol, TypeAlias, TypeVar, runtime_checkable

from elevate.diagnostics import Diagnostic, StrategyError
from elevate.tracebacks import ends_at_the_users_line

Path: TypeAlias = tuple[int, ...]
"""The position of a subterm: the index of a child at each level, from the root; `()` is the root."""

Place: TypeAlias = "tuple[Place, int] | None"
"""A path as a list linked from the leaf up, so that adding a level costs O(1); None is the root."""


class Term(Protocol):
    """What a language must provide so that its programs can be rewritten. Terms are immutable; `==` and `hash` cost
    O(1).

    `==` compares structure, usually up to bound names (interned nameless twins); `is` may be finer.
    The order of `children` is the order in which every traversal visits them.
    """

    @property
    def children(self) -> tuple[Term, ...]:
        """The subterms one level down, first to last."""
        ...

    @property
    def root(self) -> Hashable:
        """A label that selects the rules to try, such as ("map", 2) for `map f xs`."""
        ...

    def rebuild(self, children: tuple[Any, ...], /) -> Term:
        """The same node with other children; equal to self if they are the same."""
        ...


@runtime_checkable
class Scoped(Protocol):
    """What a language with binders may also provide, so that explanations name variables."""

    def within(self, around: Sequence[Any], /) -> Any:
        """The same term, with the names that the enclosing terms (outermost first) give to their variables."""
        ...


@runtime_checkable
class Binding(Protocol):
    """What a language with binders may also provide, so that rules that look at the uses of a variable are tried again
    only where these have changed; see `elevate.rules.Reach`.
    """

    FURTHER: ClassVar[int]
    """The number of binders whose variables `mentions` tells apart."""

    @property
    def binds(self) -> bool:
        """Whether the term binds a variable in its children."""
        ...

    @property
    def mentions(self) -> int:
        """Bit i is set if the term mentions the variable of the i-th binder outwards, and bit `FURTHER` if it mentions
        one that is further outwards. If that bit is set, others may be, too, for variables that it does not mention.
        """
        ...


Breach: TypeAlias = tuple[str, str, str]
"""What a rule did, as a predicate of its name ("changes the type"); what was expected; what was found."""


@runtime_checkable
class Contracted(Protocol):
    """What a language with types or variables may also provide, so that every firing is checked."""

    def breach(self, contractum: Any, /) -> Breach | None:
        """Why the contractum cannot replace this term; None if it can."""
        ...


P = TypeVar("P", bound=Term)


@ends_at_the_users_line
def path_of(place: Place) -> Path:
    """The path of a linked place."""
    indices: list[int] = []
    try:
        while place is not None:
            place, index = place
            indices.append(index)
    except (TypeError, ValueError):
        raise _path_error("a linked place, (above, index) or None", place) from None
    indices.reverse()
    return tuple(indices)


def place_of(path: Path, above: Place = None) -> Place:
    """The linked place of a path that starts at `above`."""
    for index in path:
        above = (above, index)
    return above


def same_place(left: Place, right: Place) -> bool:
    """Whether two linked places are the same path. Iterative, unlike == on nested tuples."""
    while left is not right:
        if left is None or right is None or left[1] != right[1]:
            return False
        left, right = left[0], right[0]
    return True


@ends_at_the_users_line
def show_path(path: Path) -> str:
    """A path as text: `the root`, `1.0.2`; the middle of a long path is elided."""
    if not isinstance(path, tuple | list):
        raise _path_error("a path as (1, 0, 2)", path)
    if not path:
        return "the root"
    if len(path) > 40:
        return show_path(path[:20]) + f"...({len(path) - 30} more)..." + show_path(path[-10:])
    return ".".join(map(str, path))


def path_from(text: str) -> Path:
    """The path written in a text: child indices separated by dots; empty or `the root` for the root.

    Raises ValueError for any other text.
    """
    if text in ("", show_path(())):
        return ()
    parts = text.split(".")
    if not all(part.isascii() and part.isdecimal() for part in parts):
        raise ValueError(f"expected a path as 1.0.2, found {text!r}")
    return tuple(map(int, parts))


def show_term(term: object, width: int = 100) -> str:
    """A term on one line, cut to `width` characters."""
    text = " ".join(repr(term).split())
    return text if len(text) <= width else text[: width - 3] + "..."


def within(term: Term, around: Sequence[Term]) -> Term:
    """A term with its variables named as in the enclosing terms, given outermost first."""
    named: Term = term.within(around) if isinstance(term, Scoped) else term
    return named


def surroundings(term: Term, path: Path) -> tuple[Term, ...]:
    """The terms that enclose the subterm at a path, outermost first. The path must exist."""
    around: list[Term] = []
    for index in path:
        around.append(term)
        term = term.children[index]
    return tuple(around)


@ends_at_the_users_line
def subterm(term: Term, path: Path) -> Term | None:
    """The subterm at a path, None if there is no such place."""
    try:
        for index in path:
            children = term.children
            if not 0 <= index < len(children):
                return None
            term = children[index]
    except (TypeError, AttributeError):
        raise _path_error("a term and a path as (1, 0, 2)", path) from None
    return term


@ends_at_the_users_line
def replaced(term: Term, path: Path, new: Term) -> Term:
    """The term with `new` at a path. Raises StrategyError if there is no such place."""
    try:
        spine = [term]
        for index in path[:-1]:
            spine.append(spine[-1].children[index])
        _ = spine[-1].children[path[-1]] if path else term
    except (TypeError, AttributeError, LookupError):
        raise _path_error("a term and the path of one of its subterms", path) from None
    for index, node in zip(reversed(path), reversed(spine), strict=False):
        new = with_child(node, index, new)
    return new


def _path_error(expected: str, found: object) -> StrategyError:
    title = f"expected {expected}, found {show_term(found, 60)}"
    return StrategyError(Diagnostic("no-path", title, hint="`step.path` is a path"))


def with_child(term: Term, index: int, child: Term) -> Term:
    """The term with the child at one index replaced."""
    children = term.children
    if children[index] is child:
        return term
    if len(children) == 2:
        return term.rebuild((children[0], child) if index else (child, children[1]))
    return term.rebuild((*children[:index], child, *children[index + 1 :]))


def preorder(term: Term, place: Place = None) -> Iterator[tuple[Term, Place]]:
    """Every subterm with its place, parents first, children first to last."""
    waiting: list[tuple[Term, Place]] = [(term, place)]
    while waiting:
        node, here = waiting.pop()
        yield node, here
        children = node.children
        waiting.extend((children[index], (here, index)) for index in range(len(children) - 1, -1, -1))
