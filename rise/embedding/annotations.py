"""Reads the types of a Python function's parameters from annotations.

Depends on types as text, but not on symbolic values.
"""

from __future__ import annotations

import ast
import inspect
import re
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

from rise.argument_checks import expected, misplaced
from rise.diagnostics import RiseError
from rise.dsl.mentioned_names import mentions
from rise.dsl.printer import Annotation, TypeNode, TypeText, named_in
from rise.embedding.places import Place, names_here, parameter, refuse
from rise.embedding.trees import leaves_of
from rise.inference.scope import Scope
from rise.inference.types import read_type
from rise.naturals import Nat, NatVar, nat
from rise.naturals import var as size_variable
from rise.nodes import Node
from rise.records import dataclass
from rise.scalars import SCALARS
from rise.text.reader import read_type as read_type_text
from rise.text.type_printer import show_type
from rise.tracebacks import ends_at_the_users_line
from rise.types import ArrayType, ScalarType, Type


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar type; with `[N, M]`, the type of arrays of such scalars."""

    name: str
    __iter__ = None  # otherwise iteration would use `[0]`, `[1]` and so on, endlessly

    def __getitem__(self, sizes: Any) -> Type:
        t: Type = ScalarType(self.name)
        for size in reversed(sizes if isinstance(sizes, tuple) else (sizes,)):
            expected(size, str | int | Nat, "a size", 'write `f32[N, 3]`, where `N = sizes("N")`')
            t = ArrayType(size_variable(size) if isinstance(size, str) else nat(size), t)
        return t


#: the scalar types by name
TYPES: Final[Mapping[str, Scalar]] = {name: Scalar(name) for name in SCALARS}


@ends_at_the_users_line
def sizes(names: str) -> Any:
    """Sizes for annotations: `N, M = sizes("N M")`. A single name returns a single size."""
    if not isinstance(names, str):
        raise misplaced("names of sizes in one string", names, 'write `N, M = sizes("N M")`')
    variables = tuple(size_variable(name) for name in names.replace(",", " ").split())
    return variables[0] if len(variables) == 1 else variables


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its type, or None for a size; its annotation in the term; and the sizes that it uses, in order."""

    name: str
    type: Type | None
    annotation: Annotation
    sizes: tuple[str, ...]


def parameters_of(
    function: Callable[..., Any],
    types: Mapping[str, Any] = MappingProxyType({}),
    fixed: Collection[str] = (),
    trees: Mapping[str, Any] = MappingProxyType({}),
) -> list[Parameter]:
    """The parameters of a function, in order, except those that are `fixed`, and those with a default and without a
    type, which keep their default. `types` has types that replace annotations, by name. A parameter in `trees` stands
    for one parameter for each name in its tree.

    Raises RiseError at the line of a parameter without a type, and for a name that the function does not have.
    """
    signature = inspect.signature(function)
    several = {leaf for tree in trees.values() for leaf in leaves_of(tree)}
    for name in (*types, *fixed, *trees):
        if name not in signature.parameters and name not in several:
            names = ", ".join(f"`{one}`" for one in signature.parameters) or "none"
            title = f"expected the name of a parameter, found `{name}`"
            refuse("unknown-parameter", title, f"the function has {names}", at=parameter(function, ""))
    if not signature.parameters:
        title = "expected a function with parameters, found one without, whose result is always the same"
        refuse(
            "annotation",
            title,
            'take an array as a parameter: `def f(x: "N.f32"): ...`',
            at=parameter(function, ""),
        )
    parameters: list[Parameter] = []
    given = [
        inspected.replace(name=name, default=inspected.empty) if inspected.name in trees else inspected
        for inspected in signature.parameters.values()
        for name in leaves_of(trees.get(inspected.name, inspected.name))
    ]
    for inspected in given:
        if inspected.name in types:
            inspected = inspected.replace(annotation=types[inspected.name], default=inspected.empty)
        if inspected.name in fixed or _keeps_its_default(inspected):
            continue
        at = parameter(function, inspected.name)
        parameters.append(
            _parameter(
                function, inspected, {earlier.name for earlier in parameters if earlier.type is None}, at
            )
        )
        if parameters[-1].type is None:
            early = next((before.name for before in parameters if inspected.name in before.sizes), None)
            if early is not None:
                title = (
                    f"expected the size `{inspected.name}` before `{early}`, which uses it, found it after"
                )
                refuse("unknown-name", title, f"put `{inspected.name}` before `{early}`", at=at)
    return parameters


def _keeps_its_default(inspected: inspect.Parameter) -> bool:
    """Whether a parameter has no type, so that it always has its default, which is then part of the program."""
    return inspected.annotation is inspected.empty and inspected.default is not inspected.empty


def sizes_of(parameters: Sequence[Parameter]) -> list[str]:
    """The sizes that parameters use and that are not parameters themselves, in order."""
    explicit = {parameter.name for parameter in parameters if parameter.type is None}
    return [
        name
        for name in dict.fromkeys(name for parameter in parameters for name in parameter.sizes)
        if name not in explicit
    ]


def _parameter(
    function: Callable[..., Any], inspected: inspect.Parameter, sizes: set[str], at: Place
) -> Parameter:
    is_several = inspected.kind in (inspected.VAR_POSITIONAL, inspected.VAR_KEYWORD)
    if is_several or inspected.default is not inspected.empty:
        title = f"expected a plain parameter, found `{inspected}`"
        refuse(
            "annotation",
            title,
            "give it a type, or else a default that it keeps; `*` and `**` are not supported",
            at=at,
        )
    if inspected.annotation is inspected.empty:
        title = f"expected a type for the parameter `{inspected.name}`, found none"
        refuse(
            "annotation",
            title,
            f'annotate it: `{inspected.name}: "N.f32"`, or `{inspected.name}: rise.f32[N]`',
            at=at,
        )
    match _meant(function, inspected.annotation):
        case Scalar(name):
            return Parameter(inspected.name, ScalarType(name), TypeNode(ScalarType(name)), ())
        case Type() as type:
            return Parameter(inspected.name, type, TypeNode(type), _in_order(type))
        case str() as text:
            try:
                return _read(inspected.name, text, sizes, at)
            except RiseError as error:
                problem = error.diagnostic
                hint = problem.hint or 'write a RISE type, such as "N.M.f32"'
                refuse(problem.code, problem.title, hint, at=at)
    title = f"expected a type, found {inspected.annotation!r}"
    refuse("annotation", title, 'write it as a string, "N.M.f32", or as `rise.f32[N, M]`', at=at)


def _meant(function: Callable[..., Any], annotation: Any) -> Any:
    """The annotation. If it is a string, as with `from __future__ import annotations`, the value of that expression."""
    if not isinstance(annotation, str):
        return annotation
    try:
        with warnings.catch_warnings(action="ignore"):
            expression = ast.parse(annotation, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # not Python, or too deep for its parser
        return annotation
    if isinstance(expression, ast.Constant):
        return expression.value
    try:
        evaluated = eval(annotation, *_names(function))
    except Exception:  # not a Python expression, so it is a RISE type
        return annotation
    return evaluated if isinstance(evaluated, Scalar | Type) else annotation


def _names(function: Callable[..., Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    seen = inspect.getclosurevars(function).nonlocals if inspect.isfunction(function) else {}
    return getattr(function, "__globals__", {}), {**names_here(), **seen}


def _in_order(t: Type) -> tuple[str, ...]:
    """The sizes that a type uses, in the order of its text."""
    text = show_type(t)
    names = [node.name for node in named_in(t) if isinstance(node, NatVar)]
    return tuple(sorted(names, key=lambda name: min(at.start() for at in re.finditer(rf"\b{name}\b", text))))


def _read(name: str, text: str, sizes: set[str], at: Place) -> Parameter:
    mentioned_names = mentions(text, of_parameter=True)
    if mentioned_names.is_kind:
        used = tuple(mention.name for mention in mentioned_names.names if mention.name != name)
        _check_bound(used, sizes, at)
        return Parameter(name, None, TypeText(text.strip()), used)
    syntax = read_type_text(text)
    free: dict[str, Node] = {}

    def lookup(size: str, kind: str) -> Node | None:
        if kind == "nat":
            return free.setdefault(size, NatVar(size, None))
        return None

    type = read_type(Scope(free=lookup, source=text), syntax)
    _check_bound(free, sizes, at)
    return Parameter(name, type, TypeNode(type), tuple(free))


def _check_bound(mentioned: Iterable[str], sizes: set[str], at: Place) -> None:
    """Refuse a size that is neither an earlier parameter nor in capitals."""
    for name in mentioned:
        if name not in sizes and not name[:1].isupper():
            hint = (
                f'use a capital letter, `{name.upper()}`, or add a parameter before this one: `{name}: "nat"`'
            )
            refuse("unknown-name", f"the size `{name}` is not defined", hint, at=at)
