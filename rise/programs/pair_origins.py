"""Maps parts of a program without dependent pairs to those of the program with them. Independent of targets.

A part of the given program is replaced by a name, and the result is taken apart: the name stands where that part went.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rise.diagnostics import RiseError
from rise.programs.dependent_pairs import take_apart
from rise.terms import Expr, Var

#: a name that no text can write
_MARK: Final = "the part that is looked for\0"
MAX_MARKS: Final = 2_000


def origin_before_apart(e: Expr, origin: tuple[int, ...]) -> tuple[int, ...]:
    """The path of the smallest part of a program found from which `take_apart` made the part of its result at `origin`.

    The empty path, the whole program, if more than `MAX_MARKS` parts would have to be followed.
    """
    along = list(_along(take_apart(e).term, origin))
    found: tuple[int, ...] = ()
    waiting = list(_children(e, ()))
    for _ in range(MAX_MARKS):
        if not waiting:
            return found
        path, part = waiting.pop()
        if _went_along(_marked(e, path, part), origin, along):
            found, waiting = path, list(_children(part, path))
        else:
            waiting += _children(part, path)
    return found


def _children(e: Expr, path: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Expr]]:
    return (((*path, place), child) for place, child in enumerate(e.children))


def _along(e: Expr, path: tuple[int, ...]) -> Iterator[Expr]:
    """The terms on the way down a path, the first and the last included."""
    yield e
    for place in path:
        e = e.children[place]
        yield e


def _marked(e: Expr, path: tuple[int, ...], part: Expr) -> Expr | None:
    """The program taken apart with a name in place of a part; None if pairs remain without that part."""
    above = list(_along(e, path))[:-1]
    term: Expr = Var(_MARK, part.type)
    for parent, place in zip(reversed(above), reversed(path), strict=True):
        children = list(parent.children)
        children[place] = term
        term = parent.rebuild(tuple(children))
    try:
        return take_apart(term).term
    except RiseError:
        return None


def _went_along(marked: Expr | None, path: tuple[int, ...], along: list[Expr]) -> bool:
    """Whether the mark stands on the way down a path, below terms like those of the program without it."""
    term = marked
    for place, without in zip((*path, -1), along, strict=True):
        if term is None or (isinstance(term, Var) and term.name == _MARK):
            return term is not None
        if type(term) is not type(without) or len(term.children) != len(without.children) or place < 0:
            return False
        term = term.children[place]
    return False
