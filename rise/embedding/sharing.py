"""What a function computes once: its bindings, written where they are used or bound by `let`. Knows syntax only.

Note [What is computed once]
An operation binds its result to a variable of the scope (the function of the term) in which all that it needs is known.
When the scope is closed, a binding that is used once is written where it is used, and so is a view, which costs
nothing. A computation that is used twice, or in a function below the scope, which may run often, becomes a `let`: what
Python computes once, the term does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from rise.dsl.printer import (
    Applied,
    Braces,
    Embedded,
    Function,
    Listed,
    Meant,
    Mixed,
    Said,
    Syntax,
    Variable,
    Written,
)
from rise.embedding.places import Place


@dataclass(slots=True, eq=False)
class Binding:
    """A variable that stands for the result of an operation."""

    variable: Variable
    syntax: Syntax
    weight: int  # how many primitives a view has; 0 of a computation
    place: Place


@dataclass(slots=True)
class _Uses:
    """How often a variable is used, and whether in a function below its scope."""

    count: int = 0
    is_below: bool = False


def close(bindings: Sequence[Binding], result: Syntax) -> Syntax:
    """The result with all bindings in it, as terms or by `let`."""
    uses = {id(one.variable): _Uses() for one in bindings}

    def use(syntax: Syntax, times: int, is_below: bool) -> None:
        for variable, inside in occurrences(syntax):
            found = uses.get(id(variable))
            if found is not None:
                found.count += times
                found.is_below |= inside or is_below

    use(result, 1, False)
    named: dict[int, Variable] = {}
    for binding in reversed(bindings):
        found = uses[id(binding.variable)]
        if found.count and not binding.weight and (found.count > 1 or found.is_below):
            named[id(binding.variable)] = Variable(binding.place.assigned or "v")
            use(binding.syntax, 1, False)
        elif found.count:
            use(binding.syntax, found.count, found.is_below)
    meant: dict[int, Syntax] = {}
    values: list[tuple[Variable, Syntax]] = []
    for binding in bindings:
        if uses[id(binding.variable)].count:
            written = replaced(binding.syntax, meant)
            variable = named.get(id(binding.variable))
            meant[id(binding.variable)] = written if variable is None else variable
            if variable is not None:
                values.append((variable, written))
    body = replaced(result, meant)
    for variable, value in reversed(values):
        body = Applied(Written("let"), (value, Function(((variable, None),), body)))
    return body


def occurrences(root: Syntax) -> list[tuple[Variable, bool]]:
    """Every use of a variable, and whether it stands in a function."""
    found: list[tuple[Variable, bool]] = []
    work: list[tuple[Syntax, bool]] = [(root, False)]
    while work:
        syntax, inside = work.pop()
        match syntax:
            case Variable():
                found.append((syntax, inside))
            case Applied(Written("let"), (value, Function(_, body))):
                work += [(body, inside), (value, inside)]
            case Function(_, body, runs_once):
                work.append((body, inside or not runs_once))
            case _:
                work += [(one, inside) for one in _parts(syntax)]
    return found


def replaced(root: Syntax, meant: Mapping[int, Syntax]) -> Syntax:
    """The syntax with other syntax for some of its variables."""
    if not meant:
        return root
    done: dict[int, Syntax] = {}
    work: list[tuple[Syntax, bool]] = [(root, False)]
    while work:
        syntax, is_ready = work.pop()
        if id(syntax) in done:
            continue
        if isinstance(syntax, Variable):
            done[id(syntax)] = meant.get(id(syntax), syntax)
        elif is_ready:
            done[id(syntax)] = _rebuilt(syntax, done)
        else:
            work.append((syntax, True))
            work += [(one, False) for one in _parts(syntax)]
    return done[id(root)]


def _parts(syntax: Syntax) -> list[Syntax]:
    match syntax:
        case Variable() | Written() | Said() | Meant() | Embedded():
            return []
        case Applied(fun, arguments):
            return [*reversed(arguments), fun]
        case Braces(fun, inside):
            return [*inside, fun]
        case Mixed(pieces):
            return [one for one in pieces if not isinstance(one, str)]
        case Listed(elements):
            return list(reversed(elements))
        case Function(_, body):
            return [body]
    assert_never(syntax)


def _rebuilt(syntax: Syntax, done: Mapping[int, Syntax]) -> Syntax:
    if all(done[id(one)] is one for one in _parts(syntax)):
        return syntax
    match syntax:
        case Variable() | Written() | Said() | Meant() | Embedded():
            return syntax
        case Applied(fun, arguments):
            return Applied(done[id(fun)], tuple(done[id(one)] for one in arguments))
        case Braces(fun, inside):
            return Braces(done[id(fun)], tuple(done[id(one)] for one in inside))
        case Mixed(pieces):
            return Mixed(tuple(one if isinstance(one, str) else done[id(one)] for one in pieces))
        case Listed(elements):
            return Listed(tuple(done[id(one)] for one in elements))
        case Function(parameters, body, runs_once):
            return Function(parameters, done[id(body)], runs_once)
    assert_never(syntax)
