"""Accesses are inferred as in the papers, and accepted programs can be translated.

Independent of the internals of the translation.
"""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from rise.terms import Expr
from shine.translate import TRANSLATIONS, translate
from shine.translate.access import Arrow, Cell, find_conflict, fresh, parse_signature, unify
from tests.shine.translate.interpretation import program

SIGNATURES = {**{name: record.access for name, record in TRANSLATIONS.items()}, "map": "(a -> b) -> a -> b"}


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("a -> a", ("a", "a")),
        ("read -> read -> write", ("read", ("read", "write"))),
        ("(read -> write) -> read -> write", (("read", "write"), ("read", "write"))),
        ("read -> (read -> a) -> a", ("read", (("read", "a"), "a"))),
        ("((a -> b) -> a) -> b", ((("a", "b"), "a"), "b")),
    ],
)
def test_signatures_are_read(text: str, parsed: object) -> None:
    assert parse_signature(text) == parsed


@pytest.mark.parametrize("text", ["(a -> b", "a) -> b"])
def test_brackets_must_match(text: str) -> None:
    with pytest.raises((AssertionError, IndexError)):
        parse_signature(text)


def conflict(text: str) -> tuple[str, str, str] | None:
    found = find_conflict(program(text), SIGNATURES)
    return None if found is None else (found.expected, found.found, found.subject)


FITS = [
    "fun(xs: 4.f32 => xs |> mapSeq(fun(x => x + 1.0)))",
    "fun(xs: 4.f32 => xs |> reduceSeq(add)(0.0))",
    "fun(xs: 4.f32 => xs |> map(neg) |> split(2) |> mapSeq(mapSeq(id)) |> join)",
    "fun(xs: 2.4.f32 => xs |> mapSeq(mapSeq(id)) |> map(split(2)) |> map(map(id)))",
    "fun(xs: 4.f32 => toMem(Local, mapSeq(id)(xs)) |> mapSeq(id))",
    "fun(xs: 4.f32 => pair(mapSeq(id)(xs), xs |> reduceSeq(add)(0.0)))",
    "fun(xs: 4.f32 => (fun(ys => join(split(2)(ys))))(mapSeq(id)(xs)))",
    "fun(x: f32 => [x, x])",
    "fun(xs: 4.f32 => let(toMem(Local, mapSeq(id)(xs)), fun(ys => zip(ys, ys) |> mapSeq(fun(p => fst(p))))))",
    "fun(xs: 4.(f32, f32) => fst(xs |> reduceSeq(fun(a, x => x))(pair(0.0, 1.0))))",
]


@pytest.mark.parametrize("text", FITS)
def test_consistent_accesses_are_accepted_and_translated(text: str) -> None:
    assert conflict(text) is None
    translate(program(text))


CONFLICTS = {
    "fun(xs: 4.f32 => xs)": ("write", "read", "an array that is in memory"),
    "fun(xs: 4.f32 => xs |> split(2) |> join)": ("write", "read", "an array that is in memory"),
    "fun(xs: 4.f32 => mapSeq(id)(xs) |> mapSeq(id))": ("read", "write", "`mapSeq`"),
    "fun(xs: 4.f32 => mapSeq(id)(xs) |> slide(2, 2) |> mapSeq(mapSeq(id)))": ("read", "write", "`mapSeq`"),
    "fun(xs: 2.2.f32 => xs |> mapSeq(fun(x => x)))": ("write", "read", "an array that is in memory"),
    "fun(xs: 2.2.f32 => xs |> mapSeq(fun(x => mapSeq(id)(x) |> toMem(Local))))": ("write", "read", "`toMem`"),
    "fun(xs: 2.2.f32 => xs |> reduceSeq(fun(a, x => x))(xs |> mapSeq(reduceSeq(add)(0.0))) |> mapSeq(id))": (
        "write",
        "read",
        "an array that is in memory",
    ),
    "fun(xs: 4.f32 => zip(xs, mapSeq(id)(xs)) |> mapSeq(fst))": ("read", "write", "`mapSeq`"),
    "fun(xs: 4.f32 => let(mapSeq(id)(xs), fun(ys => ys |> mapSeq(id))))": ("read", "write", "`mapSeq`"),
}


@pytest.mark.parametrize("text", CONFLICTS)
def test_accesses_that_conflict_are_found(text: str) -> None:
    assert conflict(text) == CONFLICTS[text]


def test_a_conflict_is_reported_at_its_sub_term() -> None:
    e: Expr = program("fun(xs: 4.f32 => zip(xs, mapSeq(id)(xs)) |> mapSeq(fst))")
    found = find_conflict(e, SIGNATURES)
    assert found is not None
    for step in found.origin:
        e = e.children[step]
    assert e.root == ("mapSeq", 2)


def test_values_without_arrays_have_no_access() -> None:
    assert fresh(program("fun(x: f32 => x)").type.parameter) is None  # type: ignore[attr-defined]  # a function's type
    assert isinstance(fresh(program("fun(x: 2.f32 => x |> mapSeq(id))").type), Arrow)


@given(some.lists(some.tuples(some.integers(0, 9), some.integers(0, 9)), max_size=20), some.integers(0, 9))
def test_unified_cells_have_one_access(pairs: list[tuple[int, int]], known: int) -> None:
    cells = [Cell() for _ in range(10)]
    for a, b in pairs:
        assert unify(cells[a], cells[b]) is None
    assert unify(cells[known], Cell("read")) is None
    together = {known}
    for _ in pairs:
        together |= {b for a, b in pairs if a in together} | {a for a, b in pairs if b in together}
    for position, cell in enumerate(cells):
        assert (unify(cell, Cell("write")) is not None) == (position in together)
        if position not in together:
            break
