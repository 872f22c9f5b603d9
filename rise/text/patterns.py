"""Patterns, `(a, b, c)`: names for the parts of a pair, as parameters and in blocks.

Independent of source text and types.

The value that a pattern decomposes gets a name that no text can contain; the names in the pattern stand for its parts.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rise.diagnostics import Diagnostic, Label, RiseError
from rise.text import syntax as s
from rise.text.trees import Span

#: the first character of the name of a decomposed value; the position of the pattern follows
WHOLE: Final = "("
#: the name of a decomposed value in terms
SHOWN: Final = "p"


def is_whole(name: str) -> bool:
    """Whether a name is that of a value decomposed by a pattern."""
    return name.startswith(WHOLE)


def shown_name(name: str) -> str:
    """The name of a binder in a term, given its name in the syntax."""
    return SHOWN if is_whole(name) else name


def bindings_of(pattern: s.Tuple, type: s.Type | None, value: s.Expr) -> tuple[s.Binding, ...]:
    """The bindings of `let (a, b) = value`: the value, and its parts. Raises RiseError for a name that occurs twice."""
    whole = s.Binding(
        Span(pattern.span.start, value.span.end), _whole(pattern), pattern.span, type, value, False
    )
    parts = _parts(pattern)
    refuse_twins(parts)
    return (whole, *parts)


def without_patterns(items: Sequence[s.Param | s.Expr], body: s.Expr) -> tuple[tuple[s.Param, ...], s.Expr]:
    """The parameters and the body of a function whose parameters may be patterns: the body binds their parts.

    Raises RiseError for an item that is not a parameter, and for a name that occurs twice.
    """
    params, parts = [], []
    for item in items:
        match item:
            case s.Tuple(span) as pattern:
                params.append(s.Param(span, _whole(pattern), None, False, ()))
                parts += _parts(pattern)
            case s.Ascribe(span, s.Tuple() as pattern, type):
                params.append(s.Param(span, _whole(pattern), type, False, ()))
                parts += _parts(pattern)
            case _:
                params.append(as_param(item))
    if parts:
        refuse_twins((*parts, *params))
        body = s.Block(body.span, tuple(parts), body)
    return tuple(params), body


def as_param(item: s.Param | s.Expr) -> s.Param:
    """A parameter that is one name. Raises RiseError for an expression that is not a parameter."""
    match item:
        case s.Param():
            return item
        case s.Name(span, name):
            return s.Param(span, name, None, False, ())
        case s.Ascribe(span, s.Name(_, name), type):
            return s.Param(span, name, type, False, ())
        case _:
            title = "expected a parameter, found an expression"
            hint = "a parameter is a name, a name with a type as `x: n.f32`, or an implicit one as `{n: nat}`"
            raise RiseError(
                Diagnostic("fun-parameter", title, (Label(item.span.start, item.span.end),), hint)
            )


def refuse_twins(named: Sequence[s.Binding | s.Param]) -> None:
    """Refuse a name that occurs twice in parameters with a pattern; `_` may occur several times."""
    seen: set[str] = set()
    for one in named:
        if one.name in seen:
            start, end = one.span if isinstance(one, s.Param) else one.name_span
            title = f"two names of one pattern or function are `{one.name}`"
            raise RiseError(
                Diagnostic("defined-twice", title, (Label(start, end, "again here"),), "rename one of them")
            )
        if one.name != "_":
            seen.add(one.name)


def _whole(pattern: s.Tuple) -> str:
    return f"{WHOLE}{pattern.span.start}"


def _parts(pattern: s.Tuple) -> list[s.Binding]:
    """The bindings of the names in a pattern, in the order of the text.

    The remaining part after each item gets a name that no text can contain, so that no expression is duplicated.
    """
    parts: list[s.Binding] = []
    work: list[tuple[s.Expr, s.Expr]] = [(pattern, s.Name(pattern.span, _whole(pattern)))]
    while work:
        item, value = work.pop()
        match item:
            case s.Tuple(span, items):
                taken = []
                for one in items[:-1]:
                    taken.append((one, _projection("fst", one.span, value)))
                    rest = Span(one.span.end, span.end)
                    name = f"{WHOLE}{rest.start}"
                    parts.append(s.Binding(rest, name, rest, None, _projection("snd", rest, value), True))
                    value = s.Name(rest, name)
                work += reversed([*taken, (items[-1], value)])
            case s.Ascribe(span, s.Tuple() as inner, type):
                work.append((inner, s.Ascribe(span, value, type)))
            case _:
                param = as_param(item)
                parts.append(s.Binding(param.span, param.name, param.span, param.type, value, True))
    return parts


def _projection(name: str, span: Span, value: s.Expr) -> s.Apply:
    return s.Apply(span, s.PrimitiveName(span, name), value)
