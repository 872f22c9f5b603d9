"""Notebooks show terms, types, sizes, programs and results of strategies as coloured text, complete and escaped."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from hypothesis import given, settings

import rise
from rise.printer.html import MAX_CHARACTERS, html_of
from rise.terms import Expr
from rise.testing import terms
from strategies.sequential import sequential
from tests.examples import examples


def text_of(shown: Any) -> str:
    """The text that a person reads."""
    html = shown._repr_html_()
    plain = unescape(re.sub(r"</?(?:pre|span|details|summary|ol|li)[^<>]*>", "", html))
    assert not re.search(r"<(?!/?(?:pre|span|details|summary|ol|li)\b)", html)
    return plain


@settings(max_examples=examples(25))
@given(terms())
def test_a_term_is_shown_as_text(e: Expr) -> None:
    assert text_of(e) == str(e)
    assert text_of(e.type) == str(e.type)


def test_programs_and_results_are_shown() -> None:
    program = rise.parse("// The <sum>.\nval sum = fun(xs: N.f32 => xs |> map(neg) |> reduce(add, 0.0))")
    assert text_of(program) == program.text
    assert '<span style="color:#888">// The &lt;sum&gt;.</span>' in program._repr_html_()  # type: ignore[attr-defined]
    result = sequential(program.main)
    assert text_of(result).startswith(str(result.program))
    assert all(step.rule.name in text_of(result) for step in result.steps)

    def twice(x: rise.f32) -> Any:
        return x * 2

    built = rise.program(twice)
    assert text_of(built) == f"// {built.type}\n{built.text}"


def test_long_texts_are_truncated() -> None:
    shown = html_of("x" * (MAX_CHARACTERS + 1))
    assert len(shown) < MAX_CHARACTERS + 100 and f"({MAX_CHARACTERS + 1} characters)" in shown
