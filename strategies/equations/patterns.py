"""Facts about the left side of an equation that do not depend on a term. Does not match terms."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from operator import attrgetter
from typing import Any, Final, TypeAlias

from rise.inference.equations import is_context
from rise.records import dataclass
from rise.terms import App, Bound, DepApp, Expr, Lam, Literal, LiteralValue, Primitive, Var, spine
from rise.types import Argument

Binders: TypeAlias = tuple[str, ...]
Fits: TypeAlias = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Parts:
    """The places of the parts of a pattern in a term of its shape. A place is a number: 0 is the term itself."""

    #: for each place from 1 on, the place of its parent, and its index among the children
    steps: tuple[tuple[int, int], ...]
    #: metavariables, each with the binders around it, and the indices of those that it must not mention
    variables: tuple[tuple[str, int, Binders, tuple[int, ...]], ...]
    functions: tuple[tuple[str, int], ...]
    literals: tuple[tuple[LiteralValue, int], ...]
    primitives: tuple[tuple[tuple[Argument, ...], int], ...]
    #: types and sizes, each with a place and the function that reads it from the term there
    types: tuple[tuple[Any, int, Callable[[Any], Any]], ...]


def parts_of(pattern: Expr, may_mention: Mapping[str, frozenset[str]], around: Binders = ()) -> Parts:
    """The parts of a pattern below the binders `around`; a context is a single part. See Note [Implied types]."""
    steps: list[tuple[int, int]] = []
    variables: list[tuple[str, int, Binders, tuple[int, ...]]] = []
    functions: list[tuple[str, int]] = []
    literals: list[tuple[LiteralValue, int]] = []
    primitives: list[tuple[tuple[Argument, ...], int]] = []
    types: list[tuple[Any, int, Callable[[Any], Any]]] = []
    stack: list[tuple[Expr, int, Binders, bool]] = [(pattern, 0, around, False)]
    while stack:
        node, place, binders, implied = stack.pop()
        below = [implied] * len(node.children)
        match node:
            case Var(name, given):
                inwards = enumerate(reversed(binders))
                hidden = tuple(index for index, binder in inwards if binder not in may_mention[name])
                variables.append((name, place, binders, hidden))
                if given.free and not implied:
                    types.append((given, place, _TYPE))
            case App() if (context := context_of(node)) is not None:
                variables.append((context, place, binders, ()))
                if not implied:
                    types.append((node.type, place, _TYPE))
                continue
            case App():
                below = [False, isinstance(spine(node)[0], Primitive)]
            case DepApp(_, argument):
                below = [False]
                types.append((argument, place, _ARGUMENT))
            case Lam(name, parameter, _):
                functions.append((name, place))
                if not implied:
                    types.append((parameter, place, _PARAMETER))
            case Primitive(_, implicits, _) if implicits:
                primitives.append((implicits, place))
            case Literal():
                literals.append((node.value, place))
                if not implied:
                    types.append((node.type, place, _TYPE))
        inside = (*binders, node.name) if isinstance(node, Lam) else binders
        for index, child in enumerate(node.children):
            steps.append((place, index))
            stack.append((child, len(steps), inside, below[index]))
    return Parts(
        tuple(steps), tuple(variables), tuple(functions), tuple(literals), tuple(primitives), tuple(types)
    )


def context_of(node: Expr) -> str | None:
    """The name of a context; None for other parts of an equation."""
    while isinstance(node, App):
        node = node.fun
    return node.name if isinstance(node, Var) and is_context(node.name) else None


_TYPE: Final = attrgetter("type")
_ARGUMENT: Final = attrgetter("argument")
_PARAMETER: Final = attrgetter("parameter")
#: the attribute that each of these functions reads
READ_AS: Final[Mapping[Callable[[Any], Any], str]] = {
    _TYPE: "type",
    _ARGUMENT: "argument",
    _PARAMETER: "parameter",
}


def shape_test(pattern: Expr, asks_variables: bool = True) -> Fits:
    """A test whether a term has the shape of a pattern, as one Python expression; bindings and types are not compared.

    Without `asks_variables`, variables are not compared either, since they have other indices below other binders.
    """
    tests: list[str] = []
    values: dict[str, Any] = {
        "App": App,
        "Lam": Lam,
        "DepApp": DepApp,
        "Primitive": Primitive,
        "Bound": Bound,
    }
    stack: list[tuple[Expr, str]] = [(pattern, "term")]
    while stack:
        node, place = stack.pop()
        kind = type(node).__name__
        if kind not in values or context_of(node) is not None:
            continue
        tests.append(f"type({place}) is {kind}")
        match node:
            case App(fun, arg):
                stack += [(arg, f"{place}.arg"), (fun, f"{place}.fun")]
            case Lam(_, _, body):
                stack.append((body, f"{place}.body"))
            case DepApp(fun, _):
                stack.append((fun, f"{place}.fun"))
            case Primitive(name, _, _):
                tests.append(f"{place}.name == {name!r}")
            case Bound(index, _) if asks_variables:
                tests.append(f"{place}.index == {index}")
    test: Fits = eval(f"lambda term: {' and '.join(tests) or True}", values)
    return test


# Note [Implied types]
# Terms are typed, and the type of a primitive follows from its implicit parameters and its dependent arguments. So if
# those match, so do the types of all its arguments, including the parameters and results of functions. Only terms in
# other positions, such as functions that are applied, have types that must be matched separately.
