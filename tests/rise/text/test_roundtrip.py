"""The law of the text: reading the printed text of a term gives the same term, and the same text. Independent of
layouts.

The generated terms must cover everything that the law is about, which the last test checks.
"""

from __future__ import annotations

import sys
from collections import Counter
from contextlib import suppress

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from rise import parse, parse_expr, show, show_program
from rise.primitives import PRIMITIVES
from rise.scalars import SCALARS, is_only_stored
from rise.terms import Expr
from rise.testing import Open, features, literals, open_terms, terms, types
from rise.text.type_printer import show_type
from rise.types import ScalarType, Type
from tests.examples import examples, in_whole, some

#: numbers of 8-bit floating-point types are written as casts
WITH_LITERALS = [name for name in SCALARS if not is_only_stored(name)]


def reads_back(e: Expr, context: dict[str, str]) -> None:
    """Check the law for one term."""
    shown = show(e)
    again = parse_expr(shown, context)
    assert again == e, shown
    assert show(again) == shown
    assert again.type == e.type
    for text in {show(e, width) for width in (1, 40, 100)} - {shown}:
        assert parse_expr(text, context) == e, text


@given(open_terms())
def test_an_open_term_reads_back(drawn: Open) -> None:
    reads_back(drawn.expr, dict(drawn.context))


@given(terms())
def test_a_closed_term_reads_back(e: Expr) -> None:
    reads_back(e, {})


@pytest.mark.parametrize("name", some(PRIMITIVES, 2))
@settings(max_examples=examples(3))
@given(st.data())
def test_every_primitive_reads_back(name: str, data: st.DataObject) -> None:
    drawn = data.draw(open_terms(using=name, depth=2))
    assert f"primitive {name}" in features(drawn.expr)
    reads_back(drawn.expr, dict(drawn.context))


@settings(max_examples=examples(10))
@given(st.lists(terms(depth=2), min_size=1, max_size=3))
def test_a_program_reads_back(bodies: list[Expr]) -> None:
    program = {f"f{i}": body for i, body in enumerate(bodies)}
    assert dict(parse(show_program(program))) == program


@pytest.mark.parametrize("name", WITH_LITERALS)
@given(st.data())
def test_every_literal_reads_back(name: str, data: st.DataObject) -> None:
    found = literals(ScalarType(name))
    assert found is not None
    literal = data.draw(found)
    assert parse_expr(show(literal)) is literal


@given(types())
def test_every_type_reads_back(t: Type) -> None:
    assert parse_expr("x", {"x": show_type(t)}).type == t


#: what the law is about, in addition to each primitive
WANTED = {
    *(f"literal {name}" for name in WITH_LITERALS),
    "literal TypeVar",
    "literal TypeBound",
    "literal IndexType",
    "nan",
    "inf",
    "-inf",
    "-0.0",
    "implicit function",
    "explicit function",
    "dependent application",
    "fact",
    "redex",
    "symbolic size",
    "free variable",
    "hidden name",
    "three binders deep",
}


class AllSeenError(Exception):
    """Ends the examples when each wanted feature occurred."""


@in_whole("test_every_primitive_reads_back")
def test_the_examples_cover_the_law(capsys: pytest.CaptureFixture[str]) -> None:
    seen: Counter[str] = Counter()

    def count(strategy: st.SearchStrategy[Expr], examples: int) -> None:
        @settings(max_examples=examples, phases=[Phase.generate])
        @given(strategy)
        def once(e: Expr) -> None:
            seen.update(features(e))
            if not WANTED - seen.keys():
                raise AllSeenError

        with suppress(AllSeenError):
            once()

    count(open_terms().map(lambda drawn: drawn.expr), 60)
    count(terms(), 60)
    with capsys.disabled():
        shown = ", ".join(f"{name} {number}" for name, number in sorted(seen.items()))
        sys.stdout.write(f"\nexamples of: {shown}\n")
    assert WANTED - seen.keys() == set()
