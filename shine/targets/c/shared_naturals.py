"""Declares variables for naturals that a block prints several times, and chooses their names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from rise.naturals import Nat, NatVar
from rise.quotients import NatCall
from shine.imperative.names import plain
from shine.imperative.nodes import Statement
from shine.imperative.scopes import Scope
from shine.imperative.shared_naturals import shared_naturals
from shine.targets.c.expressions import Place, index_text
from shine.targets.c.lines import Line, Page

#: how a loop cuts its axis, behind the name of the axis
_CUT: Final = re.compile(r"_(block|tile|strip|step|thread|warp|lane|turn)$")
UNITS: Final = frozenset(("block", "thread", "warp", "lane"))
MAX_AXES: Final = 3  # in a name
MAX_NAME_CHARACTERS: Final = 24


def declarations(
    statements: Sequence[Statement], page: Page, place: Callable[[Statement], Place]
) -> Callable[[int], list[Line]]:
    """The lines before each statement of a block that declare variables for naturals which it and later statements
    print several times.
    """
    shared = shared_naturals(statements, lambda a: page.scope.known(a) is not None)

    def before(at: int) -> list[Line]:
        statement = statements[at]
        return [
            page.line(text, statement.origin)
            for natural in shared.pop(at, ())
            for text in _declaration(natural, place(statement))
        ]

    return before


def _declaration(a: Nat, place: Place) -> list[str]:
    """Declare a variable for a natural, unless one with the same text or the same name is visible."""
    scope, dialect = place.scope, place.context.helpers.dialect
    text = index_text(a, place).code
    same = scope.known(("text", text))
    if same is not None:
        scope.alias(a, same)
        return []
    names = _names(a, place)
    free = [name for name in (*names, *_differences(a, names, scope)) if not scope.is_taken(name)]
    if not free:
        return []  # a name with a counter would say less than the text
    name = scope.bind(a, free[0])
    scope.alias(("text", text), name)
    return [f"const {dialect.types[dialect.counting]} {name} = {text};"]


def _names(a: Nat, place: Place) -> list[str]:
    """Names for a natural, the best first: from the axes along which it varies, the functions in it, or its loops. The
    name of a sum starts with `at`, since it is the place of an element.
    """
    scope = place.scope
    varying = [one for one in a.free if isinstance(one, NatVar) and one.upper is not None]
    loops = [plain(scope.known(one) or one.name) for one in sorted(varying, key=scope.rank)]
    axes = [_CUT.sub("", loop) for loop in loops if loop not in UNITS] or loops
    short = "_".join(tuple(dict.fromkeys(axes))[:MAX_AXES])
    functions = dict.fromkeys(base.function for m, _ in a.terms for base, _ in m if isinstance(base, NatCall))
    if len(a.terms) == 1:
        return ["_".join((short, *functions))]
    names = [f"at_{short}", "_".join(("at", short, *functions)), "_".join(("at", *dict.fromkeys(loops)))]
    return [name for name in names if len(name) <= MAX_NAME_CHARACTERS] or names[:1]


def _differences(a: Nat, names: Sequence[str], scope: Scope) -> Iterator[str]:
    """Names for a natural that differs by a size from one with one of these names: `at_m_minus_N`."""
    for name in names:
        other = scope.key_of(name, Nat)
        match () if other is None else (a - other).terms:
            case ((((NatVar(size, None), 1),), factor),) if isinstance(factor, int):
                count = "" if abs(factor) == 1 else abs(factor)
                yield f"{name}_{'plus' if factor > 0 else 'minus'}_{count}{size}"
            case _:
                pass
