"""Assignments, definitions and conditions in C and similar languages. Independent of loops and allocations."""

from __future__ import annotations

from collections.abc import Callable

from rise.types import FragmentType, ScalarType, VectorType
from shine.imperative.naturals_text import UNARY
from shine.imperative.nodes import (
    Assign,
    Block,
    Buffer,
    Define,
    DefineIndex,
    If,
    Index,
    Load,
    Local,
    Operation,
    Value,
    ValueType,
)
from shine.imperative.vectors import lanes_of
from shine.targets.c.expressions import (
    Place,
    bounds_text,
    condition_text,
    element_text,
    elements,
    index_text,
    trusted,
    value_text,
)
from shine.targets.c.helpers import Helpers
from shine.targets.c.lines import Line, Page
from shine.targets.c.types import element_name


def value_type(t: ValueType, helpers: Helpers) -> str:
    """The declared type of a variable."""
    return helpers.dialect.vectors.name(t, helpers) if isinstance(t, VectorType) else helpers.element(t.name)


def element_type(buffer: Buffer, helpers: Helpers) -> str:
    """The declared type of a buffer's elements."""
    assert not isinstance(buffer.element, FragmentType), f"fragments are declared by themselves: {buffer!r}"
    return value_type(buffer.element, helpers)


def array_type(buffer: Buffer, helpers: Helpers) -> str:
    """The declared type of an array's elements in C: truth values are stored as bytes, which are 0 or 1.

    gcc vectorises loops over arrays of `bool` only if nothing but comparisons is stored.
    """
    is_truth = buffer.element == ScalarType("bool")
    return helpers.element("u8") if is_truth else element_type(buffer, helpers)


def count_text(buffer: Buffer, place: Place) -> str:
    """The number of elements of a buffer."""
    return index_text(buffer.size, place).code


def simple_statement(statement: Assign | Define | DefineIndex, place: Place) -> list[str]:
    """The lines of a statement without a body. What it defines is visible afterwards."""
    scope, helpers = place.scope, place.context.helpers
    match statement:
        case Assign():
            return _assign(statement, place)
        case Define(local, value) if statement in place.context.used_once:
            place.context.inlined[local] = value
            return []
        case Define(local, value):
            text = value_text(value, place).code
            place.context.inlined.pop(local, None)
            if (local in place.context.repeats or _stays(value, place)) and text.isidentifier():
                scope.alias(local, text)  # another name for it would add no information
                return []
            return [f"const {value_type(local.type, helpers)} {scope.bind(local, local.name)} = {text};"]
        case DefineIndex(variable, Operation("select", (test, Index(yes), Index(no)))) if (
            yes.constant == 1 and no.constant == 0
        ):
            place.context.truths.add(variable)
            text = value_text(test, place).code
            if isinstance(test, Local) and text.isidentifier():
                scope.alias(variable, text, scope.enter_loop())
                return []
            name = scope.bind(variable, variable.name, scope.enter_loop())
            return [f"const {helpers.element('bool')} {name} = {text};"]
        case DefineIndex(variable, value):
            counting = helpers.dialect.types[helpers.dialect.counting]
            converted = value_text(value, place).at(UNARY)
            cast = "" if element_name(value.type) == helpers.dialect.counting else f"({counting})"
            name = scope.bind(variable, variable.name, scope.enter_loop())
            return [f"const {counting} {name} = {cast}{converted};"]


def _stays(value: Value, place: Place) -> bool:
    """Whether a value is a name whose value does not change."""
    match value:
        case Local():
            return True
        case Load(buffer=buffer):
            return buffer in place.context.given
        case _:
            return False


def _assign(statement: Assign, place: Place) -> list[str]:
    buffer, value = statement.buffer, statement.value
    text, lanes = value_text(value, place), lanes_of(value.type)
    if isinstance(value.type, VectorType) and not isinstance(buffer.element, VectorType):
        at = elements(buffer, statement.index, lanes, place)
        vectors = place.context.helpers.dialect.vectors
        is_aligned = trusted(statement.aligned, buffer, place)
        stores = list(vectors.store(value.type, is_aligned, at, text, place.context.helpers))
    else:
        stores = [f"{element_text(buffer, statement.index, place)} = {text.code};"]
    within = bounds_text(buffer, statement.index, lanes, place)
    return [f"if ({within}) {store}" for store in stores] if within else stores


def conditional(
    statement: If,
    page: Page,
    place: Place,
    body: Callable[[Block], list[Line]],
    otherwise: If | None = None,
) -> list[Line]:
    """The lines of an `if` around a statement; another statement, if given, becomes its `else` branch."""
    test = condition_text(statement.condition, place)
    if isinstance(test, bool):
        taken = statement if test else otherwise
        if taken is None:
            return []
        return [page.line("{", taken.origin), *body(taken.body), page.line("}", taken.origin)]
    lines = [page.line(f"if ({test.code}) {{", statement.origin), *body(statement.body)]
    if otherwise is None:
        return [*lines, page.line("}", statement.origin)]
    lines += [page.line("} else {", otherwise.origin), *body(otherwise.body)]
    return [*lines, page.line("}", otherwise.origin)]
