"""Rules that are functions take work in proportion to what they rewrite."""

from __future__ import annotations

import rise
from rise.terms import Expr
from strategies.rules.let_floating import narrowZip
from tests.call_counts import calls_of, forget


def map_over_zip(count: int) -> Expr:
    """A map over a zip of arrays, nested on the left, of which the last one is not read."""
    arrays, element, read = "x0", "p", []
    for number in range(1, count):
        arrays = f"zip({arrays}, x{number})"
        read.append(f"snd({element})")
        element = f"fst({element})"
    parameters = ", ".join(f"x{number}: N.f32" for number in range(count))
    body = " + ".join([*read[1:], element])
    term = rise.parse(f"fun({parameters} => {arrays} |> map(fun(p => {body})))").main
    while term.root != ("map", 2):
        (term,) = term.children
    return term


def test_arrays_of_a_zip_that_are_not_read_are_removed_in_one_pass() -> None:
    def effort(count: int) -> int:
        term = map_over_zip(count)
        assert narrowZip.apply(term) is not None
        forget("strategies")
        return calls_of(lambda: narrowZip.apply(term))

    assert effort(32) <= 3 * effort(16)
