"""The types of a Python function's parameters, as it annotates them. Knows RISE's types as text, no symbolic values."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from rise.diagnostics import RiseError
from rise.embedding.places import names_here, parameter, refuse
from rise.inference.kinds import is_kind
from rise.inference.scope import Scope
from rise.inference.types import read_type
from rise.naturals import NatVar, nat
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

    def __getitem__(self, sizes: Any) -> Type:
        found: Type = ScalarType(self.name)
        for size in reversed(sizes if isinstance(sizes, tuple) else (sizes,)):
            found = ArrayType(size_variable(size) if isinstance(size, str) else nat(size), found)
        return found


#: the types of scalars by name
TYPES: Final[Mapping[str, Scalar]] = {name: Scalar(name) for name in SCALARS}


def sizes(names: str) -> Any:
    """Sizes for annotations: `N, M = sizes("N M")`; one name gives one size."""
    found = tuple(size_variable(name) for name in names.replace(",", " ").split())
    return found[0] if len(found) == 1 else found


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter: its type, or None for a size; and the text that stands in the term."""

    name: str
    type: Type | None
    text: str


def parameters_of(function: Callable[..., Any]) -> list[Parameter]:
    """The parameters of a function, in order. Raises RiseError at the line of one that has no type."""
    signature = inspect.signature(function)
    if not signature.parameters:
        title = "expected a function of annotated parameters, found one without parameters"
        refuse("annotation", title, 'write `def f(x: "N.f32"): ...`', at=parameter(function, ""))
    return [_parameter(function, one) for one in signature.parameters.values()]


def _parameter(function: Callable[..., Any], one: inspect.Parameter) -> Parameter:
    at = parameter(function, one.name)
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
            return Parameter(one.name, ScalarType(name), name)
        case Type() as type:
            return Parameter(one.name, type, show_type(type))
        case str() as text:
            try:
                return _read(one.name, text)
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


def _read(name: str, text: str) -> Parameter:
    syntax = read_type_text(text)
    if is_kind(syntax) or text.split()[0] == "nat":
        return Parameter(name, None, text)
    free: dict[str, Node] = {}

    def lookup(size: str, kind: str) -> Node | None:
        if kind == "nat":
            return free.setdefault(size, NatVar(size, None))
        return None

    return Parameter(name, read_type(Scope(free=lookup, source=text), syntax), text)
