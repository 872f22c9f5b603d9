"""Finds the place in the text of a part of a definition's term, using the drafts that it was built from. Builds no
terms.
"""

from __future__ import annotations

from collections.abc import Mapping

from rise.inference import draft as d
from rise.inference.elaboration import Elaboration
from rise.terms import Expr
from rise.text.trees import Span


def span_in(work: Elaboration, path: tuple[int, ...], others: Mapping[Expr, Elaboration]) -> Span:
    """The place of a part of an elaborated term, by its path below the dependent parameters at the term's head.

    The place of a part of another definition is there if that is one of `others`, otherwise where that definition is
    named.
    """
    steps, current = list(path), _below_head(work)
    while True:
        match work.drafts[current]:
            case d.Moved(moved) if steps:
                current = moved
            case d.Whole(expr) if steps and expr in others:
                work = others[expr]
                current = _below_head(work)
            case d.Function(_, _, body) if steps:
                steps, current = steps[1:], body
            case d.DepFunction(binders, body) if len(steps) >= len(binders):
                steps, current = steps[len(binders) :], body
            case d.Application(fun, arg) if steps:
                steps, current = steps[1:], arg if steps[0] else fun
            case d.DepApplication(fun, _) if steps:
                steps, current = (steps if _is_definition(work, fun) else steps[1:]), fun
            case d.Uncurried(fun, _, _, _) if steps[:3] == [0, 0, 0]:
                steps, current = steps[3:], fun
            case _:
                return work.spans[current]


def _below_head(work: Elaboration) -> int:
    current = work.root
    while isinstance(head := work.drafts[current], d.DepFunction):
        current = head.body
    return current


def _is_definition(work: Elaboration, draft: int) -> bool:
    """Whether a draft is another definition, possibly at some sizes: its term is inlined without an application."""
    while isinstance(applied := work.drafts[draft], d.DepApplication):
        draft = applied.fun
    return isinstance(applied, d.Whole | d.Moved)
