"""The types of a Python function's parameters, as it annotates them. Knows RISE's types as text, no symbolic values."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rise.diagnostics import RiseError
from rise.dsl.mentioned_names import mentions
from rise.dsl.printer import Annotation, Meant, Said, named_in
from rise.embedding.places import Place, names_here, parameter, refuse
from rise.expected import expected, misplaced
from rise.inference.scope import Scope
from rise.inference.types import read_type
from rise.naturals import Nat, NatVar, nat
from rise.naturals import var as size_variable
from rise.nodes import Node
from rise.scalars import SCALARS
from rise.text.reader import read_type as read_type_text
from rise.text.type_printer import show_type
from rise.types import ArrayType, ScalarType, Type


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type of scalars, and by `[N, M]` of arrays of them."""

    name: str
    __iter__ = None  # or iteration would take `[0]`, `[1]` and so on for elements, without an end

    def __getitem__(self, sizes: Any) -> Type:
        found: Type = ScalarType(self.name)
        for size in reversed(sizes if isinstance(sizes, tuple) else (sizes,)):
            expected(size, str | int | Nat, "a size", 'write `f32[N, 3]`, where `N = sizes("N")`')
            found = ArrayType(size_variable(size) if isinstance(size, str) else nat(size), found)
        return found


#: the types of scalars by name
TYPES: Final[Mapping[str, Scalar]] = {name: Scalar(name) for name in SCALARS}


def sizes(names: str) -> Any:
    """Sizes for annotations: `N, M = sizes("N M")`; one name gives one size."""
    if not isinstance(names, str):
        raise misplaced("names of sizes in one text", names, 'write `N, M = sizes("N M")`')
    found = tuple(size_variable(name) for name in names.replace(",", " ").split())
    return found[0] if len(found) == 1 else found


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its type, or None for a size; what stands in the term; the sizes that it mentions, in order."""

    name: str
    type: Type | None
    annotation: Annotation
    sizes: tuple[str, ...]


def parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function, in order. Raises RiseError at the line of one that has no type."""
    signature = inspect.signature(function)
    if not signature.parameters:
        title = "expected a function of annotated parameters, found one without parameters"
        refuse("annotation", title, 'write `def f(x: "N.f32"): ...`', at=parameter(function, ""))
    found: list[Parameter] = []
    for one in signature.parameters.values():
        at = parameter(function, one.name)
        found.append(_parameter(function, one, {known.name for known in found if known.type is None}, at))
        if found[-1].type is None:
            early = next((before.name for before in found if one.name in before.sizes), None)
            if early is not None:
                title = f"the size `{one.name}` is a parameter behind `{early}`, which mentions it"
                refuse("unknown-name", title, f"put `{one.name}` before `{early}`", at=at)
    return found


def sizes_of(parameters: Sequence[Parameter]) -> list[str]:
    """The sizes that parameters mention and that are no parameters, in order."""
    explicit = {one.name for one in parameters if one.type is None}
    return [
        name
        for name in dict.fromkeys(name for one in parameters for name in one.sizes)
        if name not in explicit
    ]


def _parameter(function: Callable[..., Any], one: inspect.Parameter, sizes: set[str], at: Place) -> Parameter:
    if one.kind > one.POSITIONAL_OR_KEYWORD or one.default is not one.empty:
        title = f"expected a plain parameter, found `{one}`"
        refuse("annotation", title, "parameters have a type and no default, `*` or `**`", at=at)
    if one.annotation is one.empty:
        title = f"expected a type for the parameter `{one.name}`"
        refuse(
            "annotation", title, f'annotate it: `{one.name}: "N.f32"`, or `{one.name}: rise.f32[N]`', at=at
        )
    match _meant(function, one.annotation):
        case Scalar(name):
            return Parameter(one.name, ScalarType(name), Meant(ScalarType(name)), ())
        case Type() as type:
            return Parameter(one.name, type, Meant(type), _in_order(type))
        case str() as text:
            try:
                return _read(one.name, text, sizes, at)
            except RiseError as error:
                said = error.diagnostic
                refuse(said.code, said.title, said.hint or 'write a type of RISE, as "N.M.f32"', at=at)
    title = f"expected a type, found {one.annotation!r}"
    refuse("annotation", title, 'write it as text, "N.M.f32", or as `rise.f32[N, M]`', at=at)


def _meant(function: Callable[..., Any], annotation: Any) -> Any:
    """The annotation; where they are kept as text, as `from __future__ import annotations` does, what it says."""
    if not isinstance(annotation, str):
        return annotation
    try:
        expression = ast.parse(annotation, mode="eval").body
    except SyntaxError:
        return annotation
    if isinstance(expression, ast.Constant):
        return expression.value
    try:
        found = eval(annotation, *_names(function))
    except Exception:  # whatever the text means in Python, it is RISE's then
        return annotation
    return found if isinstance(found, Scalar | Type) else annotation


def _names(function: Callable[..., Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    seen = inspect.getclosurevars(function).nonlocals if inspect.isfunction(function) else {}
    return getattr(function, "__globals__", {}), {**names_here(), **seen}


def _in_order(t: Type) -> tuple[str, ...]:
    """The sizes that a type mentions, in the order of its text."""
    text = show_type(t)
    names = [one.name for one in named_in(t) if isinstance(one, NatVar)]
    return tuple(sorted(names, key=lambda name: min(at.start() for at in re.finditer(rf"\b{name}\b", text))))


def _read(name: str, text: str, sizes: set[str], at: Place) -> Parameter:
    said = mentions(text, of_parameter=True)
    if said.is_kind:
        mentioned = tuple(one.name for one in said.names if one.name != name)
        _check_bound(mentioned, sizes, at)
        return Parameter(name, None, Said(text.strip()), mentioned)
    syntax = read_type_text(text)
    free: dict[str, Node] = {}

    def lookup(size: str, kind: str) -> Node | None:
        if kind == "nat":
            return free.setdefault(size, NatVar(size, None))
        return None

    type = read_type(Scope(free=lookup, source=text), syntax)
    _check_bound(free, sizes, at)
    return Parameter(name, type, Meant(type), tuple(free))


def _check_bound(mentioned: Iterable[str], sizes: set[str], at: Place) -> None:
    """Refuse a size that is no parameter before and not in capitals."""
    for name in mentioned:
        if name not in sizes and not name[:1].isupper():
            hint = f'use a capital, `{name.upper()}`; or make it a parameter before this one: `{name}: "nat"`'
            refuse("unknown-name", f"the size `{name}` is bound nowhere", hint, at=at)
