"""Names of temporaries in texts, after their contents and the names in the program. Compiles nothing."""

from __future__ import annotations

import re

import pytest

import rise
from tests.cases.stages import passed_term, printed

DECLARED = re.compile(r"^ *(?:_Alignas\(64\) )?(?:float|int64_t) (\w+)(?:\[\d+\])?;$", re.MULTILINE)
GREATEST = """zip(xs, generate(fun(i: idx[8] => indexAsInt(i))))
    |> reduceSeq(fun(a, b => if fst(b) > fst(a) then b else a), pair(0.0, -1i64))"""
SQUARES = "xs |> mapSeq(fun(x => x * x)) |> toMem(Local)"
SUMS = "xs |> split(4) |> mapSeq(reduceSeq(add, 0.0)) |> toMem(Local)"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"let best = {GREATEST} in pair(snd(best), fst(best))", ["best_1st", "best_2nd"]),
        (f"let best = {GREATEST} in snd(best)", ["best_1st", "best_2nd"]),
        (f"snd({GREATEST})", ["a_1st", "a_2nd"]),
        (f"let total = {SQUARES} |> reduceSeq(add, 0.0) in total * total", ["products", "total"]),
        (
            f"let total = {SUMS} |> reduceSeq(add, 0.0) in total * total",
            ["total_from_xs", "total_of_xs_i_step", "total"],
        ),
        (
            f"let mean = 0.5 * ({SUMS} |> reduceSeq(add, 0.0)) in mean * mean",
            ["acc", "sum_of_xs_i_step", "sum"],
        ),
    ],
)
def test_temporaries_are_named_after_their_contents(body: str, expected: list[str]) -> None:
    """The name of a `let` is used for the whole value and for sums of parts of it, but not for their terms."""
    low = rise.parse(f"val main = fun(xs: 8.f32 => {body})").main
    assert DECLARED.findall(printed(passed_term(low, "f", "openmp"), "openmp")) == expected


ACCUMULATED = """xs |> reduceSeq(
    fun(acc, row => zip(acc, row) |> mapSeq(fun(p => {}(fst(p), snd(p))))),
    generate(fun(i: idx[64] => 0.0)) |> mapSeq(fun(x => x)))"""


@pytest.mark.parametrize(
    ("operations", "expected"),
    [
        (("add", "max"), ["sums", "maxima"]),
        (("min", "max"), ["minima", "maxima"]),
        (("add", "add"), ["acc", "acc_1"]),
    ],
)
def test_accumulators_visible_together_are_named_after_their_terms(
    operations: tuple[str, str], expected: list[str]
) -> None:
    """If their terms differ; a single accumulator is `acc`."""
    first, second = map(ACCUMULATED.format, operations)
    text = f"val main = fun(xs: 8.64.f32 => zip({first}, {second}) |> mapSeq(fun(p => fst(p) - snd(p))))"
    low = rise.parse(text).main
    assert DECLARED.findall(printed(passed_term(low, "f", "openmp"), "openmp")) == expected


def test_copies_of_one_array_are_distinguished_by_their_loops() -> None:
    copy = "mapSeq(fun(x => x)) |> toMem(Local)"
    text = f"""val main = fun(xs: N.64.f32, ys: 64.f32 =>
      let whole = ys |> {copy} |> reduceSeq(add, 0.0)
      in xs |> mapSeq(fun(row =>
        zip(row, ys |> {copy}) |> mapSeq(fun(p => fst(p) * snd(p) + whole)))))"""
    found = DECLARED.findall(printed(passed_term(rise.parse(text).main, "f", "openmp"), "openmp"))
    assert [name for name in found if name.startswith("ys")] == ["ys_tile", "ys_tile_of_n"]


def test_copies_of_a_row_and_of_a_column_say_so() -> None:
    first = "idx(0) |> mapSeq(fun(x => x)) |> toMem(Local)"
    text = f"""val main = fun(xs: 8.8.f32 =>
      zip(xs |> {first}, xs |> transpose |> {first}) |> mapSeq(fun(p => fst(p) * snd(p))))"""
    found = DECLARED.findall(printed(passed_term(rise.parse(text).main, "f", "openmp"), "openmp"))
    assert found == ["xs_tile_of_row", "xs_tile_of_column"]


def test_arrays_without_elements_are_not_declared() -> None:
    none = "xs |> take(0) |> mapSeq(fun(x => x + 1.0)) |> toMem(Local)"
    text = f"val main = fun(xs: 8.f32 => {none} |> reduceSeq(add, 0.0))"
    assert DECLARED.findall(printed(passed_term(rise.parse(text).main, "f", "openmp"), "openmp")) == ["acc"]
