"""Maps parts of a program without dependent pairs to parts of the original program. Independent of targets.

A part of the original program is replaced by a name, and dependent pairs are removed from the result: the name then
occurs where that part was moved to.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rise.diagnostics import RiseError
from rise.programs.dependent_pairs import take_apart
from rise.terms import Expr, Var

#: a name that no text can contain
_MARK: Final = "the part that is looked for\0"
MAX_MARKS: Final = 2_000


def origin_before_apart(e: Expr, origin: tuple[int, ...]) -> tuple[int, ...]:
    """The path of the smallest part found from which `take_apart` made the part at `origin` of its result.

    The search ends after `MAX_MARKS` parts; if no part is found, the result is the empty path, which is the whole
    program.
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
    """The terms along a path, including the first and the last one."""
    yield e
    for place in path:
        e = e.children[place]
        yield e


def _marked(e: Expr, path: tuple[int, ...], part: Expr) -> Expr | None:
    """The program with a part replaced by a name, without dependent pairs; None if pairs remain."""
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
    """Whether the mark occurs along a path, below the same kinds of terms as in the program without it."""
    term = marked
    for place, without in zip((*path, -1), along, strict=True):
        if term is None or (isinstance(term, Var) and term.name == _MARK):
            return term is not None
        if type(term) is not type(without) or len(term.children) != len(without.children) or place < 0:
            return False
        term = term.children[place]
    return False
