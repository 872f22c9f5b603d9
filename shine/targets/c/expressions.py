"""Values, indices and conditions of the imperative IR as expressions in C and similar languages.

Independent of statements.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import partial
from typing import Final, assert_never

from rise.naturals import Nat, NatVar
from rise.records import dataclass
from rise.types import ScalarType, VectorType
from shine.imperative.limits import Noted
from shine.imperative.naturals_text import (
    BOTH,
    CONDITIONAL,
    EITHER,
    EQUAL,
    UNARY,
    Style,
    Text,
    below_text,
    natural_text,
)
from shine.imperative.nodes import (
    Buffer,
    Condition,
    Constant,
    Define,
    Exchange,
    Guarded,
    Index,
    Load,
    Local,
    Operation,
    Origin,
    Value,
    ValueType,
)
from shine.imperative.scopes import Scope
from shine.imperative.vectors import lanes_of
from shine.imperative.walk import loads
from shine.targets.c.dialect import Element
from shine.targets.c.gcc_defects import hidden_negative, with_choice_first, with_zeros_kept
from shine.targets.c.helpers import NATURAL_FUNCTIONS, Helpers
from shine.targets.c.index_forms import INDEX_FORMS, index_form_text
from shine.targets.c.operations import operation_text
from shine.targets.c.partial_vectors import across, across_text, first_lanes, first_text
from shine.targets.c.source import FAILURE, Mistake, Site
from shine.targets.c.types import constant_text

_WITHIN = """bool within_i64(int64_t i, int64_t n, int *status, int site) {
  if (0 <= i && i < n) return true;
  report(status, site);
  return false;
}"""

#: integers as wide as the numbers that a mask chooses
_MASK_TYPES: Final[Mapping[str, str]] = {"f32": "i32", "f64": "i64", "i64": "i64", "u64": "i64"}
#: the function that loads an f16 from an array as f32
WIDENED_AT: Final = "f32_of_f16_at"


@dataclass(slots=True)
class Context:
    """The state of printing one source: its helpers, the places that may fail, the buffers that are plain variables,
    those among them that are parameters and never change, the caller's arrays of truth values, the naturals that are
    truth values, and the naturals that it computes. `repeats` are variables with the value of a plain variable that
    no longer changes. The values of the definitions in `used_once` are printed where they are used; `inlined` has those
    that were reached so far. `divides`: whether the source divides integers. `chosen` are variables that are
    choices between a constant and another number. See Note [Truth values].
    """

    check: bool
    integral: tuple[Nat, ...]
    helpers: Helpers
    repeats: frozenset[Local] = frozenset()
    used_once: frozenset[Define] = frozenset()
    divides: bool = False
    chosen: frozenset[Local] = frozenset()
    inlined: dict[Local, Value] = field(default_factory=dict)
    sites: list[Site] = field(default_factory=list)
    variables: set[Buffer] = field(default_factory=set)
    given: set[Buffer] = field(default_factory=set)
    bytes: set[Buffer] = field(default_factory=set)
    truths: set[NatVar] = field(default_factory=set)
    noted: Noted = field(default_factory=Noted)

    def fresh(self) -> Context:
        """The context before anything is printed, except helpers, naturals and places that may fail."""
        return Context(
            self.check,
            self.integral,
            self.helpers,
            self.repeats,
            self.used_once,
            self.divides,
            self.chosen,
            sites=self.sites,
            noted=self.noted,
        )

    def site(self, mistake: Mistake, origin: Origin, *buffers: Buffer) -> str:
        """The arguments with which a helper reports that this place failed."""
        self.helpers.use("report")
        return f"&status, {self.number_of(Site(mistake, origin, buffers))}"

    def number_of(self, place: Site) -> int:
        """The number, from 1, of a place that may fail."""
        if place not in self.sites:
            self.sites.append(place)
        return self.sites.index(place) + 1


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an expression: the declarations visible there, and the statement's origin."""

    context: Context
    scope: Scope
    origin: Origin

    @property
    def style(self) -> Style:
        """How naturals are written here."""
        helpers = self.context.helpers

        def function(name: str) -> str:
            assert name in NATURAL_FUNCTIONS, f"no C text computes {name} of naturals"
            return helpers.use(f"{NATURAL_FUNCTIONS[name]}_{helpers.dialect.counting}")

        note = partial(self.context.noted.note, origin=self.origin)
        return Style(
            self.scope.name, self.scope.rank, function, note, self.context.integral, self.scope.known
        )


def index_text(a: Nat, place: Place) -> Text:
    """Write a natural in terms of the sizes and loop indices that are visible."""
    return natural_text(a, place.style)


def condition_text(condition: Condition, place: Place) -> Text | bool:
    """The text of a condition, or True or False if it always or never holds."""
    texts = [_truth(a, b, place) or below_text(a, b, place.style) for a, b in condition.below]
    if any(text is False for text in texts):
        return False
    unknown = [text for text in texts if isinstance(text, Text)]
    if not unknown:
        return True
    if len(unknown) == 1:
        return unknown[0]
    return Text(" && ".join(dict.fromkeys(text.at(BOTH + 1) for text in unknown)), BOTH)


def worth_text(condition: Condition, place: Place) -> Text | bool:
    """The condition under which a loop has enough work for several threads. If it overflows, only their
    number changes.
    """
    return condition_text(condition, replace(place, context=replace(place.context, noted=Noted())))


def _truth(a: Nat, b: Nat, place: Place) -> Text | None:
    """Print `0 < b` or `a < 1`, where b or a is a truth value (0 or 1), as a test of the truth value."""
    if a.constant == 0 and (name := _truth_name(b, place)) is not None:
        return Text(name)
    if b.constant == 1 and (name := _truth_name(a, place)) is not None:
        return Text(f"!{name}", UNARY)
    return None


def _truth_name(a: Nat, place: Place) -> str | None:
    """The variable of a natural that is just a truth value."""
    match a.terms:
        case ((((NatVar() as variable, 1),), 1),) if variable in place.context.truths:
            return place.scope.name(variable)
        case _:
            return None


def value_text(value: Value, place: Place) -> Text:
    """Write a value."""
    context = place.context
    match value:
        case Load():
            return _load(value, place)
        case Constant(_, t):
            context.helpers.element(t.name)
            text = constant_text(value, context.helpers.dialect)
            if "NAN" in text.code or "INFINITY" in text.code:
                context.helpers.headers.add("math")
            return text
        case Index(natural, t):
            text = index_text(natural, place)
            c = context.helpers.element(t.name)
            return (
                text if t.name == context.helpers.dialect.counting else Text(f"({c}){text.at(UNARY)}", UNARY)
            )
        case Local():
            inlined = context.inlined.get(value)
            return Text(place.scope.name(value)) if inlined is None else value_text(inlined, place)
        case Operation(name, arguments, t, foreign):
            first = None if context.check or not isinstance(t, VectorType) else first_lanes(value)
            if first is not None and isinstance(t, VectorType) and context.helpers.dialect.language == "C":
                start = element_text(first[0].buffer, first[0].index, place)
                vector = context.helpers.dialect.vectors.name(t, context.helpers)
                return first_text(t, start, index_text(first[1], place), context.helpers, vector)
            value = _chosen_by_itself(value)
            if context.helpers.dialect.language == "C":
                value = with_choice_first(value, context.chosen)
            arguments = value.arguments
            texts = [value_text(argument, place) for argument in arguments]
            if foreign is not None:
                return Text(f"{foreign.name}({', '.join(text.code for text in texts)})")
            if name in INDEX_FORMS:
                return index_form_text(name, texts, context.helpers, _failure_site(name, place))
            types = [argument.type for argument in arguments]
            if name == "cast" and _is_half_of_array(arguments[0], place):
                # every half is an f32, so that converting by way of it changes nothing
                texts = [Text(f"{context.helpers.use(WIDENED_AT)}(&{texts[0].code})")]
                types = [ScalarType("f32")]
            texts = with_zeros_kept(value, texts, context.inlined, context.helpers)
            if (negative := hidden_negative(value, texts[0], context.divides, context.helpers)) is not None:
                return negative
            if name == "select" and _chooses_by_mask(value, place):
                texts = [_widened(texts[0], t, context.helpers), *texts[1:]]
            return operation_text(
                name, types, t, texts, context.helpers, lambda: context.site("division", place.origin)
            )
        case Guarded(condition, inner, otherwise, _):
            return _guarded(condition, inner, otherwise, place)
        case Exchange():
            return _exchange(value, place)
        case _:
            assert_never(value)


def _failure_site(name: str, place: Place) -> str:
    """The arguments with which a form of `toIndex` reports a failure, with the number and the size."""
    site = place.context.number_of(Site("index", place.origin, operation=name))
    if place.context.helpers.dialect.reports:
        return f"&status, {site}, {FAILURE.name}"
    return f"{place.scope.name(FAILURE)}, {site}"


def _is_half_of_array(value: Value, place: Place) -> bool:
    """Whether a value is an f16 loaded from a C array, so that it can be loaded as bits."""
    context = place.context
    if not isinstance(value, Load) or context.check or WIDENED_AT not in context.helpers.dialect.conversions:
        return False
    return value.type == value.buffer.element == ScalarType("f16") and value.buffer not in context.variables


def _chosen_by_itself(value: Operation) -> Operation:
    """A choice by a truth value, not by its negation, which vectors have no masks of."""
    match value:
        case Operation("select", (Operation("not", (Load() as mask,)), yes, no)):
            return replace(value, arguments=(mask, no, yes))
    return value


def _chooses_by_mask(choice: Operation, place: Place) -> bool:
    """Whether a truth value from a C array selects between numbers neither of which is a variable. Variables come from
    the previous iteration, and loops that use them are not vectorised anyway.
    """
    context, (mask, *numbers) = place.context, choice.arguments
    if not isinstance(mask, Load) or context.check or context.helpers.dialect.language != "C":
        return False
    if not isinstance(mask.buffer.element, ScalarType) or mask.buffer in context.variables:
        return False
    return not any(load.buffer in context.variables for number in numbers for load in loads(number))


def _widened(mask: Text, t: ValueType, helpers: Helpers) -> Text:
    """A byte as a condition for numbers of a type. gcc 12 does not vectorise loops that choose f32 or 64-bit numbers by
    bytes, unless the byte is widened to their width, and negated, so that the compiler does not undo this.
    """
    if not isinstance(t, ScalarType) or t.name not in _MASK_TYPES:
        return mask
    wide = helpers.dialect.types[_MASK_TYPES[t.name]]
    name = f"is_set_{_MASK_TYPES[t.name]}"
    helpers.element("bool")
    helpers.define(name, f"bool {name}({wide} mask) {{ return -mask < 0; }} // for vectors of such numbers")
    return Text(f"{name}({mask.code})")


def _guarded(condition: Condition, value: Value, otherwise: Value, place: Place) -> Text:
    test = condition_text(condition, place)
    if isinstance(test, bool):
        return value_text(value if test else otherwise, place)
    match value, otherwise:
        case Constant(1, ScalarType("bool")), Constant(0):
            return test
    yes, no = value_text(value, place), value_text(otherwise, place)
    return Text(f"{test.at(EITHER)} ? {yes.at(CONDITIONAL + 1)} : {no.at(CONDITIONAL)}", CONDITIONAL)


def element_text(buffer: Buffer, index: Nat, place: Place, lanes: int = 1) -> str:
    """The variable or array element that is read or written; for several lanes, the first element.

    Where a dialect reports no failures, a check build tests the index here.
    """
    context = place.context
    name = place.scope.name(buffer)
    if buffer in context.variables:
        return name
    code = index_text(index, place).code
    if context.check and not context.helpers.dialect.reports:
        code = f"{context.helpers.within()}({code}, {index_text(_end(buffer, lanes), place).code})"
    return f"{name}[{code}]"


def elements(buffer: Buffer, index: Nat, lanes: int, place: Place) -> Element:
    """The elements of a vector in an array of scalars."""
    return lambda lane: element_text(buffer, index + lane, place, lanes - lane)


def bounds_text(buffer: Buffer, index: Nat, lanes: int, place: Place) -> str:
    """In a check build that reports failures, the test that an access is within its buffer; otherwise empty."""
    context = place.context
    if not context.check or buffer in context.variables or not context.helpers.dialect.reports:
        return ""
    site = context.site("bounds", place.origin, buffer)
    context.helpers.element("bool")
    context.helpers.define("within_i64", _WITHIN)
    end = index_text(_end(buffer, lanes), place)
    return f"within_i64({index_text(index, place).code}, {end.code}, {site})"


def _end(buffer: Buffer, lanes: int) -> Nat:
    """The exclusive bound of an index."""
    return buffer.size - (lanes - 1) if isinstance(buffer.element, ScalarType) else buffer.size


def _load(load: Load, place: Place) -> Text:
    buffer, helpers = load.buffer, place.context.helpers
    vectors, zero = helpers.dialect.vectors, "0"
    if isinstance(buffer.element, ScalarType):
        helpers.element(buffer.element.name)
    two = across(load) if helpers.dialect.language == "C" else None
    if isinstance(load.type, VectorType) and two is not None:
        first, second = _load(two[0], place), _load(two[1], place)
        return across_text(load.type, two[2], first, second, helpers, vectors.name(load.type, helpers))
    if isinstance(load.type, VectorType) and isinstance(buffer.element, ScalarType):
        at = elements(buffer, load.index, lanes_of(load.type), place)
        text = vectors.load(load.type, trusted(load.aligned, buffer, place), at, helpers)
    else:
        text = Text(element_text(buffer, load.index, place))
        text = Text(f"{text.code} != 0", EQUAL) if buffer in place.context.bytes else text
    if isinstance(load.type, VectorType):
        zero = vectors.literal.format(vectors.name(load.type, helpers), "0")
    within = bounds_text(buffer, load.index, lanes_of(load.type), place)
    return Text(f"{within} ? {text.at(CONDITIONAL + 1)} : {zero}", CONDITIONAL) if within else text


def trusted(aligned: bool, buffer: Buffer, place: Place) -> bool:
    """Whether an access may use aligned instructions: only if the array itself starts at an aligned address."""
    return aligned and buffer.space in place.context.helpers.dialect.vectors.aligned


def _exchange(value: Exchange, place: Place) -> Text:
    exchange = place.context.helpers.dialect.exchange
    assert exchange is not None, f"a loop for one thread exchanges registers: {value!r}"
    own = Text(element_text(value.buffer, value.index, place))
    return exchange(own, index_text(value.lane, place), value.type, place.context.helpers)


# Note [Truth values]
# A caller's truth values may be any bytes: views of arrays, files, mapped memory. A `bool` of C that is neither 0 nor 1
# is undefined, and compilers compute on its byte. So such arrays are declared as bytes and each is read as `x != 0`, as
# numpy reads it; vectors of truth values are read in the same way everywhere. Programs write only 0 or 1.
