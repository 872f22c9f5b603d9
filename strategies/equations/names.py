"""Checks which free names of an equation may be metavariables, so that misspelt primitives are detected.

A metavariable is a letter, also doubled or in the plural, perhaps with digits: `f`, `xx`, `xs`, `b2`. Every other free
name is declared: in the arguments of the rule, or by a type in the equation, as in `(rows : n.m.t)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from rise.diagnostics import Diagnostic, Label, RiseError
from rise.inference.names import OVERLOADS, SPELLINGS
from rise.primitives import PRIMITIVES
from rise.scalars import ANY, ROLES
from rise.text import syntax as s
from rise.text.libraries import library_names, library_path, read_bytes
from rise.text.names import RESERVED
from rise.text.reader import decode, read_equation, read_program
from rise.text.trees import Span, Syntax

REGULAR: Final = re.compile(r"([A-Za-z])\1?s?\d*_?")
"""The names of metavariables."""
TAKEN: Final = RESERVED | {*ROLES, "data"}
"""Names with a fixed meaning, except primitives."""
MAX_EDITS: Final = 2
"""The maximum edit distance of a name from one that was probably meant."""


def check_names(equation: str, declared: frozenset[str] = frozenset()) -> None:
    """Raise RiseError with the place of the first free name that is neither regular nor declared.

    >>> check_names("map f (map g xs) = map (f . g) xs")
    >>> check_names("map f (revers xs) = xs")
    Traceback (most recent call last):
        ...
    rise.diagnostics.RiseError: error[unknown-name]: expected a primitive or a metavariable, found `revers`
      1 | map f (revers xs) = xs
        |        ^^^^^^
    note: a metavariable is a letter, perhaps doubled, in the plural, or with digits: `f`, `xx`, `xs`, `b2`
    hint: did you mean `reversed`? write out what `reversed` of `stencils` does: an equation has only primitives
    """
    syntax = read_equation(equation)
    typed = {name for node in _nodes(syntax) for name in _typed(node)}
    for name, span in _free(syntax):
        if name in declared | typed or REGULAR.fullmatch(name) or _is_known(name):
            continue
        title = f"expected a primitive or a metavariable, found `{name}`"
        note = "a metavariable is a letter, perhaps doubled, in the plural, or with digits: `f`, `xx`, `xs`, `b2`"
        label, hint = Label(span.start, span.end, ""), _meant(name)
        raise RiseError(Diagnostic("unknown-name", title, (label,), hint, (note,), source=equation))


def _is_known(name: str) -> bool:
    """Whether a name is that of a primitive, or has a meaning in types."""
    if name in PRIMITIVES or name in SPELLINGS or name in OVERLOADS:
        return True
    return name in TAKEN or re.fullmatch(rf"{ANY}\d*", name) is not None


def _typed(node: Any) -> tuple[str, ...]:
    """The name that a part of an equation declares by giving it a type."""
    match node:
        case s.Ascribe(_, s.Name(_, name), _):
            return (name,)
    return ()


def _nodes(node: Any) -> Iterator[Syntax]:
    """All parts of an equation. Recursive, since equations are small."""
    if isinstance(node, tuple):
        for one in node:
            yield from _nodes(one)
    elif isinstance(node, Syntax):
        yield node
        for field in node.__match_args__:
            yield from _nodes(getattr(node, field))


def _free(node: Any, bound: frozenset[str] = frozenset()) -> Iterator[tuple[str, Span]]:
    """The free names of a part of an equation, with their places, in textual order."""
    match node:
        case tuple() if not isinstance(node, Span):
            for one in node:
                yield from _free(one, bound)
        case s.Name(span, name) | s.TypeName(span, name):
            if name not in bound:
                yield name, span
        case s.Fun(_, params, body):
            for param in params:
                yield from _free(param.type, bound)
                bound |= {param.name}
            yield from _free(body, bound)
        case s.Block(_, bindings, body):
            for binding in bindings:
                yield from _free((binding.type, binding.value), bound)
                bound |= {binding.name}
            yield from _free(body, bound)
        case s.IndexMap(_, name, body):
            yield from _free(body, bound | {name})
        case (
            s.ExplicitArrow(_, name, kind, body)
            | s.ImplicitArrow(_, name, kind, body)
            | s.DependentPair(_, name, kind, body)
        ):
            yield from _free(kind, bound)
            yield from _free(body, bound | {name})
        case Syntax():
            for field in node.__match_args__:
                yield from _free(getattr(node, field), bound)


def _meant(name: str) -> str:
    """A hint about an unknown name: the primitives and library definitions within two edits, or to declare it."""
    definitions = library_definitions()
    near = sorted(
        (distance, known)
        for known in {*PRIMITIVES, *SPELLINGS, *OVERLOADS, *definitions}
        if (distance := edits(name, known)) <= MAX_EDITS
    )
    if not near:
        return f'write a letter, or declare it: rule(..., names=("{name}",))'
    *others, last = [f"`{known}`" for _, known in near[:3]]
    said = f"did you mean {', '.join(others)}{' or ' if others else ''}{last}?" if name != near[0][1] else ""
    nearest = near[0][1]
    if nearest not in definitions:
        return f'{said} or declare it: rule(..., names=("{name}",))'
    written = f"write out what `{nearest}` of `{definitions[nearest]}` does: an equation has only primitives"
    return f"{said} {written}".strip()


@cache
def library_definitions() -> dict[str, str]:
    """The definitions of the libraries that come with the project, with the library of each."""
    found: dict[str, str] = {}
    for library in library_names():
        path = library_path(library)
        program = read_program(decode(read_bytes(path, path.name), path.name), path.name)
        found |= {definition.name: library for definition in program.definitions}
    return found


def edits(a: str, b: str) -> int:
    """The number of letters to insert, delete, replace or swap with the next one, but at most `MAX_EDITS` + 1.

    >>> edits("mpa", "map"), edits("revers", "reversed"), edits("map", "transpose")
    (1, 2, 3)
    """
    if abs(len(a) - len(b)) > MAX_EDITS:
        return MAX_EDITS + 1
    rows = [list(range(len(b) + 1))]
    for i, x in enumerate(a, 1):
        row = [i]
        for j, y in enumerate(b, 1):
            row.append(min(row[-1] + 1, rows[-1][j] + 1, rows[-1][j - 1] + (x != y)))
            if i > 1 and j > 1 and (x, a[i - 2]) == (b[j - 2], y):
                row[-1] = min(row[-1], rows[-2][j - 2] + 1)
        rows.append(row)
    return min(rows[-1][-1], MAX_EDITS + 1)
