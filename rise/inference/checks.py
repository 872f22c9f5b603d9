"""Checks the literals, sizes and facts of an elaborated definition, once all unknowns are solved."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import Any, NoReturn

from rise.dependent_binders import instantiate_all
from rise.diagnostics import quoted
from rise.facts import evaluate_fact
from rise.inference import draft as d
from rise.inference.elaboration import Elaboration
from rise.inference.names import without_numbers
from rise.naturals import Nat
from rise.nodes import Node
from rise.primitives import lookup
from rise.primitives.related_types import unrelated
from rise.rounding import NumberRangeError
from rise.terms import DepApp, DepLam, Expr, Fact, Primitive, rounded_value
from rise.text.nat_printer import show_fact, show_nat
from rise.text.trees import Span
from rise.text.type_printer import brief_type
from rise.types import IndexType, ScalarType, TypeVar, WideType


def check_literals(work: Elaboration) -> None:
    """Check that the type of each literal can represent its value."""
    for draft in work.drafts:
        if not isinstance(draft, d.Number):
            continue
        given = work.solver.resolve(draft.type)
        if not isinstance(given, ScalarType | TypeVar | WideType | IndexType):
            hint = "`vectorFromScalar(x)` makes a vector whose elements are all x"
            title = "expected a vector, found a number"
            work.scope.fail("number", title, draft.span, "", hint)
        if not _is_near(draft.value, given):
            written = quoted(work.scope.source[draft.span.start : draft.span.end].strip("( )"))
            title = f"{written} is not a value of type {without_numbers(brief_type(given))}"
            hint = "choose a type that can hold it, with a suffix or a cast"
            if isinstance(given, IndexType):
                size = show_nat(given.size)
                title = f"expected an index below {without_numbers(size)}, found {written}"
                hint = f"the indices of {without_numbers(size)} elements start at 0"
                if written.startswith("`-") and draft.value == int(draft.value):
                    hint += f"; to count from the end, write `idx(fromEnd({-int(draft.value) - 1}))`"
            work.scope.fail("number", title, draft.span, "", hint)


def _is_near(value: Any, given: ScalarType | TypeVar | WideType | IndexType) -> bool:
    """Whether the type can represent the value after rounding, but not as an infinity."""
    try:
        rounded = rounded_value(value, given)
    except OverflowError:
        return False
    return isinstance(value, float) or not isinstance(rounded, float) or math.isfinite(rounded)


def check_facts(work: Elaboration) -> None:
    """Check the facts of each definition that is used at known sizes."""
    for draft, span in zip(work.drafts, work.spans, strict=True):
        if isinstance(draft, d.Whole):
            for text, fact in _facts_at(
                draft, [work.solver.resolve(argument) for argument in draft.arguments]
            ):
                if not evaluate_fact(fact, {}):
                    title = f"the definition promises `{text}`, found {show_fact(fact)}"
                    hint = "use it at sizes for which this holds, or pad the array first"
                    work.scope.fail("fact", title, span, "", hint)


def _facts_at(draft: d.Whole, arguments: list[Any]) -> Iterator[tuple[str, Fact]]:
    """The facts of a definition that contain no variables at these arguments: each as text, and with the arguments
    inserted.
    """
    e = draft.expr
    names: list[str] = []
    for position in range(len(arguments)):
        if not isinstance(e, DepLam):
            return
        names.append(e.name)
        for fact in e.facts:
            used: Fact = instantiate_all(fact, arguments[: position + 1])
            if not used.free and used.dep_loose == 0:
                yield show_fact(fact, names), used
        e = e.body


def check_sizes(work: Elaboration, terms: list[Expr]) -> None:
    """Check that constant sizes are natural numbers; those with variables become obligations."""
    seen = work.instances.checked
    at_more_sizes = {draft.fun for draft in work.drafts if isinstance(draft, d.DepApplication)}
    for number, (term, draft, span) in enumerate(zip(terms, work.drafts, work.spans, strict=True)):
        stack: list[Node] = [] if number in at_more_sizes and isinstance(term, DepApp) else [term.type]
        if isinstance(term, Primitive):
            stack.append(term)
        elif isinstance(term, DepApp) and isinstance(term.argument, Nat):
            stack.append(term.argument)
        elif isinstance(draft, d.DepApplication) or (isinstance(draft, d.Whole) and draft.arguments):
            stack.append(term)  # the definition applied to its arguments
        if isinstance(term, DepApp):
            stack += _checked_indices(work, term, span)
        while stack:
            node = stack.pop()
            if id(node) in seen or type(node) is Fact:
                continue
            seen[id(node)] = node
            stack += node.parts
            kind = type(node)
            if kind is Nat:
                _check_size(work, node, span)  # type: ignore[arg-type]  # as its class says
            elif kind is Primitive:
                _check_related(work, node.name, node.implicits, span)  # type: ignore[attr-defined]  # as its class says
            elif kind is DepApp:
                stack += _checked_indices(work, node, span)  # type: ignore[arg-type]  # as its class says


def _checked_indices(work: Elaboration, e: DepApp, span: Span) -> list[Node]:
    """Check that the index literals in a function of sizes fit their types at the sizes that it is applied to; returns
    its body at these sizes, if there are such literals.
    """
    arguments: list[Any] = []
    function: Expr = e
    while isinstance(function, DepApp):
        arguments.append(function.argument)
        function = function.fun
    body = function
    for _ in arguments:
        if not isinstance(body, DepLam):
            return []
        body = body.body
    if work.instances.has_known_indices(body):
        return []
    try:
        return [instantiate_all(body, arguments[::-1])]
    except NumberRangeError as error:
        hint = "apply it at a size above the index, or change the index"
        work.scope.fail("number", f"at this size: {error.why}", span, "applied here", hint)


def _check_related(work: Elaboration, name: str, implicits: Iterable[Node], span: Span) -> None:
    record = lookup(name)
    problem = None if record is None else unrelated(record.relation, implicits)
    if problem is not None:
        work.scope.fail(problem.code, problem.title, span, "", problem.hint)


def _check_size(work: Elaboration, size: Nat, span: Span) -> None:
    match size.terms:
        case (((), value),) if isinstance(value, Fraction) or value < 0:
            _refuse_size(work, value, span)


def _refuse_size(work: Elaboration, value: int | Fraction, span: Span) -> NoReturn:
    if isinstance(value, Fraction):
        title = f"expected a natural number as a size, found {value}"
        hint = "use it at sizes that can be divided without remainder, or pad the array first"
        work.scope.fail("size-mismatch", title, span, "the size of this", hint)
    title = f"expected a size >= 0, found {value}"
    hint = "a size is a natural number: take or drop fewer elements, or pad the array first"
    work.scope.fail("size-mismatch", title, span, "the size of this", hint)
