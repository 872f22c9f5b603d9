"""Names the parameters that stand for elements of named arrays. Depends on terms, but not on rules.

A program names an array, as in `let e = ... in zip(x, e) |> map(fun(p => ...))`, and a strategy computes its elements
where they are read. The name is then given to the parameters that stand for elements, since these are stored. Names do
not change a term: terms that differ only in names are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from rise.part_names import MOST_PARTS, Said, leaves, merged, part, said_by, spelled
from rise.primitives import PROJECTIONS, has_trait, lookup
from rise.terms import App, Bound, DepApp, Expr, Lam, Primitive, mention, spine
from rise.types import ArrayType, Type

#: what is known about the variables of the enclosing functions, innermost first
Around: TypeAlias = tuple[Said, ...]
#: the parameters of a function, its body, and what is known below them
Below: TypeAlias = tuple[tuple[tuple[str, Type], ...], Expr, Around]


def named_elements(name: str, t: Type, body: Expr) -> Expr:
    """The body of a function, in which parameters that stand for elements of its variable get the variable's name, and
    likewise for elements of these; the body itself if the name says nothing.

    >>> import rise
    >>> rows = rise.parse("fun(e: 8.4.f32 => e |> map(fun(p => p |> map(fun(x => x + x)))))").main
    >>> print(Lam("e", rows.parameter, named_elements("e", rows.parameter, rows.body)))
    fun(e: 8.4.f32 => e |> map(fun(e1: 4.f32 => e1 |> map(fun(e2: f32 => e2 + e2)))))
    """
    said = said_by(name, t)
    return body if said is None or not isinstance(t, ArrayType) else _Renaming().renamed(body, (said,))


def name_by_elements(body: Expr, other: str) -> str:
    """A name for the variable of a function: the one that its body gives to elements, otherwise `other`.

    >>> import rise
    >>> zipped = rise.parse("fun(x: 8.4.f32, y: 8.f32 => zip(x, y) |> map(fun(x_and_e => snd(x_and_e))))").main
    >>> single = rise.parse("fun(x: 8.f32 => x |> map(exp))").main
    >>> name_by_elements(zipped.body.body, "rows"), name_by_elements(single.body, "rows")
    ('e', 'rows')
    """
    waiting = [(body, 0)]
    while waiting:
        node, depth = waiting.pop()
        if not node.mentions & mention(depth):
            continue
        head, arguments = spine(node)
        operands = [one for one in arguments if isinstance(one, Expr)]
        read = _array_in(operands)
        if isinstance(head, Primitive) and read is not None:
            place = _said_of(read, (*(None,) * depth, _SOUGHT))
            for function in map(_innermost, operands):
                if function is not None and _reads(function, read):
                    found = _picked(place, said_by(function.name, function.parameter))
                    if found is not None:
                        return found
        waiting += [(one, depth + isinstance(node, Lam)) for one in reversed(node.children)]
    return other


#: placeholder for the name of a variable that has none yet
_SOUGHT: Final = "?"


class _Renaming:
    """Renames the parameters of functions that read elements of variables about which something is known."""

    def __init__(self) -> None:
        self._done: dict[tuple[int, Around], Expr] = {}

    def renamed(self, root: Expr, around: Around) -> Expr:
        """The renamed term; `around` is what is known about the variables of enclosing functions."""
        waiting: list[tuple[Expr, Around, bool]] = [(root, around, False)]
        while waiting:
            node, known, is_finished = waiting.pop()
            if (id(node), known) in self._done or not _mentions(node, known):
                continue
            parts = _parts(node, known)
            if is_finished:
                self._done[id(node), known] = self._rebuilt(node, parts)
                continue
            waiting.append((node, known, True))
            waiting += [(inner, below, False) for _, inner, below in parts]
        return self._done.get((id(root), around), root)

    def _rebuilt(self, node: Expr, parts: Sequence[Below]) -> Expr:
        new: list[Expr] = []
        for parameters, inner, below in parts:
            body = self._done.get((id(inner), below), inner)
            for name, t in reversed(parameters):
                body = Lam(name, t, body)
            new.append(body)
        if not isinstance(node, App | DepApp):
            return node.rebuild(tuple(new))
        _, arguments = spine(node)
        rest = iter(new)
        result = next(rest)
        for one in arguments:
            result = App(result, next(rest)) if isinstance(one, Expr) else DepApp(result, one)
        return result


def _mentions(node: Expr, known: Around) -> bool:
    return any(said is not None and node.mentions & mention(index) for index, said in enumerate(known))


def _parts(node: Expr, known: Around) -> list[Below]:
    """The subterms of a term or, for an application, its head followed by all operands."""
    if isinstance(node, Lam):
        return [((), node.body, (None, *known))]
    if not isinstance(node, App | DepApp):
        return [((), child, known) for child in node.children]
    head, arguments = spine(node)
    operands = [one for one in arguments if isinstance(one, Expr)]
    if isinstance(head, Lam):
        return [
            _below((head.name, head.parameter), head.body, _said_of(operands[0], known), known),
            *(((), one, known) for one in operands),
        ]
    read = _array_in(operands)
    said = None if read is None or not isinstance(head, Primitive) else _said_of(read, known)
    return [((), head, known), *(_operand(one, read, said, known) for one in operands)]


def _array_in(operands: Sequence[Expr]) -> Expr | None:
    """The array that a primitive reads: the last one."""
    return next((one for one in reversed(operands) if isinstance(one.type, ArrayType)), None)


def _innermost(function: Expr) -> Lam | None:
    """The function of the last parameter of a function."""
    found = None
    while isinstance(function, Lam):
        found, function = function, function.body
    return found


def _reads(function: Lam, array: Expr) -> bool:
    """Whether the parameter of a function stands for elements of an array, by its type."""
    return bool(array.type.parts[-1] == function.parameter)


def _operand(operand: Expr, read: Expr | None, said: Said, known: Around) -> Below:
    """An operand of a primitive, which may be a function of elements of the array that the primitive reads."""
    last, parameters = _innermost(operand), list[tuple[str, Type]]()
    body, below = operand, known
    while isinstance(body, Lam):
        is_element = body is last and read is not None and _reads(body, read)
        given, body, below = _below(
            (body.name, body.parameter), body.body, said if is_element else None, below
        )
        parameters += given
    return tuple(parameters), body, below


def _below(parameter: tuple[str, Type], body: Expr, said: Said, known: Around) -> Below:
    name, t = parameter
    if said is None:
        return (parameter,), body, (None, *known)
    found = merged(said, said_by(name, t))
    return ((spelled(found, t), t),), body, (found, *known)


def _picked(place: Said, said: Said) -> str | None:
    """The name in `said` at the position where `place` has `_SOUGHT`."""
    if isinstance(place, tuple):
        return _picked(place[0], part(said, 0)) or _picked(place[1], part(said, 1))
    return said if place == _SOUGHT and isinstance(said, str) else None


def _said_of(value: Expr, known: Around) -> Said:
    """The names known for a value: of a variable, or of a view of other values."""
    while not isinstance(value, Bound):
        head, arguments = spine(value)
        operands = [one for one in arguments if isinstance(one, Expr)]
        record = lookup(head.name) if isinstance(head, Primitive) and operands else None
        if record is None or record.level != "view" or not _mentions(value, known):
            return None
        if has_trait(record.name, "projects"):
            return part(_said_of(operands[0], known), PROJECTIONS.index(record.name))
        if has_trait(record.name, "pairs") and len(operands) > 1:
            if leaves(value.type) > MOST_PARTS:
                return None
            found = _said_of(operands[0], known), _said_of(operands[1], known)
            return found if any(found) else None
        value = operands[-1]
    return known[value.index] if value.index < len(known) else None
