"""Values, indices and conditions of the imperative IR as C expressions. Knows no statements."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias, assert_never

from rise.naturals import Nat
from rise.types import ScalarType, VectorType
from shine.imperative import (
    Buffer,
    Condition,
    Constant,
    Guarded,
    Index,
    Load,
    Local,
    Operation,
    Origin,
    Value,
)
from shine.naturals_text import BOTH, CONDITIONAL, EITHER, UNARY, Style, Text, below_text, natural_text
from shine.targets.c.helpers import NATURAL_FUNCTIONS, Helpers
from shine.targets.c.names import Scope
from shine.targets.c.operations import memory_access, operation_text, vector_type
from shine.targets.c.types import C_TYPES, constant_text, lanes_of

Mistake: TypeAlias = Literal["division", "bounds", "memory"]
_WITHIN = """bool within_i64(int64_t i, int64_t n, int *status, int site) {
  if (0 <= i && i < n) return true;
  report(status, site);
  return false;
}"""


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source that may fail at run time: how, and what it was translated from."""

    mistake: Mistake
    origin: Origin
    what: str


@dataclass(slots=True)
class Context:
    """What a source gathers while it is written: helpers, places that may fail, buffers that are plain
    variables.
    """

    check: bool
    integral: tuple[Nat, ...]
    helpers: Helpers = field(default_factory=Helpers)
    sites: list[Site] = field(default_factory=list)
    variables: set[Buffer] = field(default_factory=set)

    def site(self, mistake: Mistake, origin: Origin, what: str) -> str:
        """The arguments by which a helper reports that this place failed."""
        self.helpers.use("report")
        place = Site(mistake, origin, what)
        if place not in self.sites:
            self.sites.append(place)
        return f"&status, {self.sites.index(place) + 1}"


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression stands: what is visible there, and the statement's origin."""

    context: Context
    scope: Scope
    origin: Origin

    @property
    def style(self) -> Style:
        """How naturals are written here."""
        helpers = self.context.helpers

        def function(name: str) -> str:
            assert name in NATURAL_FUNCTIONS, f"no C text computes {name} of naturals"
            return helpers.use(NATURAL_FUNCTIONS[name])

        return Style(self.scope.name, self.scope.rank, function, self.context.integral)


def index_text(a: Nat, place: Place) -> Text:
    """Write a natural in terms of the sizes and loop indices that are visible."""
    return natural_text(a, place.style)


def condition_text(condition: Condition, place: Place) -> Text | bool:
    """Write a condition, or say that it always or never holds."""
    texts = [below_text(a, b, place.style) for a, b in condition.below]
    if any(text is False for text in texts):
        return False
    unknown = [text for text in texts if isinstance(text, Text)]
    if not unknown:
        return True
    if len(unknown) == 1:
        return unknown[0]
    return Text(" && ".join(dict.fromkeys(text.at(BOTH + 1) for text in unknown)), BOTH)


def value_text(value: Value, place: Place) -> Text:
    """Write a value."""
    context = place.context
    match value:
        case Load():
            return _load(value, place)
        case Constant(_, t):
            context.helpers.element(t.name)
            text = constant_text(value)
            if "NAN" in text.code or "INFINITY" in text.code:
                context.helpers.headers.add("math")
            return text
        case Index(natural, t):
            text = index_text(natural, place)
            return text if t.name == "i64" else Text(f"({C_TYPES[t.name]}){text.at(UNARY)}", UNARY)
        case Local():
            return Text(place.scope.name(value))
        case Operation(name, arguments, t):
            texts = [value_text(argument, place) for argument in arguments]
            types = [argument.type for argument in arguments]
            return operation_text(
                name, types, t, texts, context.helpers, lambda: context.site("division", place.origin, "")
            )
        case Guarded(condition, inner, otherwise, _):
            return _guarded(condition, inner, otherwise, place)
        case _:
            assert_never(value)


def _guarded(condition: Condition, value: Value, otherwise: Value, place: Place) -> Text:
    test = condition_text(condition, place)
    if isinstance(test, bool):
        return value_text(value if test else otherwise, place)
    yes, no = value_text(value, place), value_text(otherwise, place)
    return Text(f"{test.at(EITHER)} ? {yes.at(CONDITIONAL + 1)} : {no.at(CONDITIONAL)}", CONDITIONAL)


def element_text(buffer: Buffer, index: Nat, place: Place) -> str:
    """The variable, or the element of the array, that is read or written."""
    name = place.scope.name(buffer)
    return name if buffer in place.context.variables else f"{name}[{index_text(index, place).code}]"


def bounds_text(buffer: Buffer, index: Nat, lanes: int, place: Place) -> str:
    """In a check build: the test that an access is within its buffer; else nothing."""
    context = place.context
    if not context.check or buffer in context.variables:
        return ""
    site = context.site("bounds", place.origin, buffer.name)
    context.helpers.headers.add("stdbool")
    context.helpers.define("within_i64", _WITHIN)
    last = buffer.size if isinstance(buffer.element, VectorType) else buffer.size - (lanes - 1)
    return f"within_i64({index_text(index, place).code}, {index_text(last, place).code}, {site})"


def _load(load: Load, place: Place) -> Text:
    buffer, helpers = load.buffer, place.context.helpers
    element = element_text(buffer, load.index, place)
    zero = "0"
    if isinstance(buffer.element, ScalarType):
        helpers.element(buffer.element.name)
    if isinstance(load.type, VectorType) and isinstance(buffer.element, ScalarType):
        access = memory_access(load.type, trusted(load.aligned, buffer), helpers, store=False)
        text = Text(f"{access}(&{element})")
    else:
        text = Text(element)
    if isinstance(load.type, VectorType):
        zero = f"({vector_type(load.type, helpers)}){{0}}"
    within = bounds_text(buffer, load.index, lanes_of(load.type), place)
    return Text(f"{within} ? {text.code} : {zero}", CONDITIONAL) if within else text


def trusted(aligned: bool, buffer: Buffer) -> bool:
    """Whether an access may use aligned instructions: temporaries are aligned, callers' arrays may not be."""
    return aligned and buffer.space != "Global"
