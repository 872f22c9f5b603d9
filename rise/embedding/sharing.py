"""Decides which results of a function's operations are inlined, and which are bound with `let`. Depends only on syntax.

Note [Shared results]
An operation binds its result to a variable of the innermost scope (function of the term) of its operands. When the
scope is closed, a binding that is used once is inlined, and so is a view, which costs nothing. A computation that is
used twice, or in a function inside the scope, which may run often, becomes a `let`: the term has names where the Python
function has them, and strategies decide what is stored. So does an element of an array that is used after an assignment
to the array, as in `t = x[i]; x[i] = x[j]; x[j] = t`: read where it is used, it would keep the array from being changed
in place. Equal operations of one scope that return numbers, such as `2 * dx` twice, are one binding.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, assert_never

from rise.dsl.printer import (
    Application,
    ArrayLiteral,
    EmbeddedTerm,
    Function,
    ImplicitApplication,
    Parenthesized,
    Syntax,
    TextPiece,
    TypeNode,
    TypeText,
    Variable,
)
from rise.embedding.places import Place
from rise.records import dataclass

#: syntax without parts, except variables
LEAVES: Final = (TextPiece, TypeText, TypeNode, EmbeddedTerm)


@dataclass(slots=True, eq=False)
class Binding:
    """A variable for the result of an operation."""

    variable: Variable
    syntax: Syntax
    weight: int  # the number of primitives of a view; 0 for a computation
    place: Place
    #: for an element of an array that is assigned to later, the number of bindings before the assignment and its value
    changed: int | None = None
    name: str = ""  # the user's name, if it is not that of the line


@dataclass(slots=True)
class _Uses:
    """The number of uses of a variable, whether one is in a function inside its scope, and the last binding that
    uses it, also through views.
    """

    count: int = 0
    is_below: bool = False
    last: int = 0


def close(bindings: Sequence[Binding], result: Syntax) -> Syntax:
    """The result with all bindings, inlined or bound with `let`."""
    uses = {id(binding.variable): _Uses() for binding in bindings}

    def use(syntax: Syntax, times: int, is_below: bool, by: int) -> None:
        for variable, inside in occurrences(syntax):
            variable_uses = uses.get(id(variable))
            if variable_uses is not None:
                variable_uses.count += times
                variable_uses.is_below |= inside or is_below
                variable_uses.last = max(variable_uses.last, by)

    use(result, 1, False, len(bindings))
    named: dict[int, Variable] = {}
    following: Place | None = None  # of the next computed value; an expression's last value gets the name
    for number, binding in reversed([*enumerate(bindings)]):
        variable_uses = uses[id(binding.variable)]
        is_shared = not binding.weight and (variable_uses.count > 1 or variable_uses.is_below)
        is_changed = binding.changed is not None and binding.changed <= variable_uses.last
        if variable_uses.count and (is_shared or is_changed):
            name = binding.place.assigned if binding.place != following else ""
            named[id(binding.variable)] = Variable(binding.name or name or "v")
            use(binding.syntax, 1, False, number)
        elif variable_uses.count:
            use(binding.syntax, variable_uses.count, variable_uses.is_below, variable_uses.last)
        following = following if binding.weight else binding.place
    replacements: dict[int, Syntax] = {}
    values: list[tuple[Variable, Syntax]] = []
    for binding in bindings:
        if uses[id(binding.variable)].count:
            syntax = replaced(binding.syntax, replacements)
            variable = named.get(id(binding.variable))
            replacements[id(binding.variable)] = syntax if variable is None else variable
            if variable is not None:
                values.append((variable, syntax))
    body = replaced(result, replacements)
    for variable, value in reversed(values):
        body = Application(TextPiece("let"), (value, Function(((variable, None),), body)))
    return body


def occurrences(root: Syntax) -> list[tuple[Variable, bool]]:
    """All uses of variables, each with a flag that is True inside a function."""
    uses: list[tuple[Variable, bool]] = []
    work: list[tuple[Syntax, bool]] = [(root, False)]
    while work:
        syntax, inside = work.pop()
        match syntax:
            case Variable():
                uses.append((syntax, inside))
            case Application(TextPiece("let"), (value, Function(_, body))):
                work += [(body, inside), (value, inside)]
            case Function(_, body, runs_once, outside):
                is_inside = inside or not runs_once
                if outside is None:
                    work.append((body, is_inside))
                else:
                    uses += [(variable, is_inside or is_below) for variable, is_below in outside]
            case TextPiece() | TypeText() | TypeNode() | EmbeddedTerm():
                pass
            case _:
                work += [(part, inside) for part in parts_of(syntax)]
    return uses


def replaced(root: Syntax, replacements: Mapping[int, Syntax]) -> Syntax:
    """The syntax with some of its variables replaced."""
    if not replacements:
        return root
    done: dict[int, Syntax] = {}
    work: list[tuple[Syntax, bool]] = [(root, False)]
    while work:
        syntax, is_ready = work.pop()
        if id(syntax) in done:
            continue
        if isinstance(syntax, Variable):
            done[id(syntax)] = replacements.get(id(syntax), syntax)
        elif isinstance(syntax, LEAVES):
            done[id(syntax)] = syntax
        elif is_ready:
            done[id(syntax)] = _rebuilt(syntax, done)
        elif (
            isinstance(syntax, Function)
            and syntax.outside is not None
            and all(id(variable) not in replacements for variable, _ in syntax.outside)
        ):
            done[id(syntax)] = syntax
        else:
            work.append((syntax, True))
            work += [(part, False) for part in parts_of(syntax)]
    return done[id(root)]


def parts_of(syntax: Syntax) -> list[Syntax]:
    """The parts that a syntax consists of, the last first."""
    match syntax:
        case Variable() | TextPiece() | TypeText() | TypeNode() | EmbeddedTerm():
            return []
        case Application(fun, arguments):
            return [*reversed(arguments), fun]
        case ImplicitApplication(fun, inside):
            return [*inside, fun]
        case Parenthesized(pieces):
            return [piece for piece in pieces if not isinstance(piece, str)]
        case ArrayLiteral(elements):
            return list(reversed(elements))
        case Function(_, body):
            return [body]
    assert_never(syntax)


def _rebuilt(syntax: Syntax, done: Mapping[int, Syntax]) -> Syntax:
    if all(done[id(part)] is part for part in parts_of(syntax)):
        return syntax
    match syntax:
        case Variable() | TextPiece() | TypeText() | TypeNode() | EmbeddedTerm():
            return syntax
        case Application(fun, arguments):
            return Application(done[id(fun)], tuple(done[id(part)] for part in arguments))
        case ImplicitApplication(fun, inside):
            return ImplicitApplication(done[id(fun)], tuple(done[id(part)] for part in inside))
        case Parenthesized(pieces):
            return Parenthesized(tuple(part if isinstance(part, str) else done[id(part)] for part in pieces))
        case ArrayLiteral(elements):
            return ArrayLiteral(tuple(done[id(part)] for part in elements))
        case Function(parameters, body, runs_once, outside):
            return Function(parameters, done[id(body)], runs_once, _replaced_uses(outside, done))
    assert_never(syntax)


def _replaced_uses(
    uses: Sequence[tuple[Variable, bool]] | None, done: Mapping[int, Syntax]
) -> tuple[tuple[Variable, bool], ...] | None:
    """The uses after some of the variables have been replaced."""
    if uses is None:
        return None
    return tuple(
        (variable, is_below or is_inside)
        for replaced_one, is_below in uses
        for variable, is_inside in occurrences(done.get(id(replaced_one), replaced_one))
    )
