"""Nested reductions: those that accumulate in place of the outer one, and those that must not."""

from __future__ import annotations

from typing import Final

import pytest

from shine.imperative.nodes import Allocate, Procedure
from shine.translate import translate
from tests.shine.translate.interpretation import agree_on_numbers, program, statements

#: adds a row to an array, element by element
ADD: Final = "fun(a, row => zip(a, row) |> mapSeq(fun(p => fst(p) + snd(p))))"
START: Final = "mapSeq(fun(y => y), ys)"
ROWS: Final = "mapSeq(mapSeq(fun(y => y)), ys)"
#: an inner reduction starts from the outer accumulator, and its result is the next one
IN_PLACE: Final = {
    "of rows": f"""fun(xs: 2.3.4.f32, ys: 4.f32 =>
        xs |> reduceSeq(fun(acc, m => m |> reduceSeq({ADD}, acc)), {START}))""",
    "three deep": f"""fun(xs: 2.2.3.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, c =>
        c |> reduceSeq(fun(b, m => m |> reduceSeq({ADD}, b)), acc)), {START}))""",
    "beside what is not the accumulator": f"""fun(xs: 2.3.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, m =>
        zip(m, m) |> reduceSeq(fun(a, rows => zip(a, zip(fst(rows), snd(rows))) |> mapSeq(fun(p =>
        fst(p) + fst(snd(p)) * snd(snd(p))))), acc)), {START}))""",
    "of matrices": f"""fun(xs: 2.3.2.4.f32, ys: 2.4.f32 => xs |> reduceSeq(fun(acc, c => c |> reduceSeq(
        fun(a, m => zip(a, m) |> mapSeq(fun(r => zip(fst(r), snd(r)) |> mapSeq(fun(p => fst(p) + snd(p)))))),
        acc)), {ROWS}))""",
}
#: cases in which they must be separate
APART: Final = {
    "the inner step reads the outer accumulator": f"""fun(xs: 2.3.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, m =>
        m |> reduceSeq(fun(a, row => zip(a, zip(row, acc)) |> mapSeq(fun(p =>
        fst(p) + fst(snd(p)) * snd(snd(p))))), acc)), {START}))""",
    "elements are read after they were written": f"""fun(xs: 2.3.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, m =>
        m |> reduceSeq(fun(a, row => zip(padClamp(1, 0, a) |> take(4), row) |> mapSeq(fun(p =>
        fst(p) + snd(p)))), acc)), {START}))""",
    "the accumulator is an array of indices": """fun(xs: 2.3.f32 => xs |> reduceSeq(fun(acc, m =>
        m |> reduceSeq(fun(a: 4.idx[9], x: f32 => a |> mapSeq(fun(i => i))), acc)),
        generate(fun(i: idx[4] => (7 : idx[9]))) |> mapSeq(fun(i => i))) |> mapSeq(fun(i => indexAsInt(i))))""",
    "the start is another array": f"""fun(xs: 2.3.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, m =>
        m |> reduceSeq({ADD}, ys) |> zip(acc) |> mapSeq(fun(p => fst(p) + snd(p)))), {START}))""",
    "the start is the accumulator in another order": f"""fun(xs: 2.3.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, m =>
        m |> reduceSeq({ADD}, split(2, acc) |> transpose |> join |> mapSeq(fun(y => y)))), {START}))""",
    "the result is changed before it is kept": f"""fun(xs: 2.3.4.f32, ys: 4.f32 => xs |> reduceSeq(fun(acc, m =>
        m |> reduceSeq({ADD}, acc) |> mapSeq(fun(y => y * 2.0))), {START}))""",
}
#: numbers have their own accumulators, which are variables: only the results are tested
NUMBERS: Final = {
    "a sum of sums": "fun(xs: 3.4.f32 => xs |> reduceSeq(fun(acc, row => row |> reduceSeq(add, acc)), 0.0))",
    "pairs": """fun(xs: 3.4.f32 => xs |> reduceSeq(fun(acc, row => row |> reduceSeq(fun(p, x =>
        pair(fst(p) + x, max(snd(p), x))), acc)), pair(0.0, 0.0)))""",
    "halves of a pair": """fun(xs: 3.4.f32 => xs |> reduceSeq(fun(p, row =>
        pair(row |> reduceSeq(add, fst(p)), row |> reduceSeq(max, snd(p)))), pair(0.0, 1.0)))""",
    "halves that change places": """fun(xs: 3.4.f32 => xs |> reduceSeq(fun(p, row =>
        pair(row |> reduceSeq(add, snd(p)), row |> reduceSeq(max, fst(p)))), pair(0.0, 1.0)))""",
    "the outer one is read": """fun(xs: 3.4.f32 => xs |> reduceSeq(fun(acc, row =>
        row |> reduceSeq(fun(a, x => a + x * acc), acc)), 1.0))""",
    "it is used twice": """fun(xs: 3.4.f32 => xs |> reduceSeq(fun(acc, row =>
        (row |> reduceSeq(add, acc)) + (row |> reduceSeq(max, acc))), 0.0))""",
}


def arrays(made: Procedure) -> list[str]:
    """The temporaries of more than one element."""
    found = [one.buffer for one in statements(made.body) if isinstance(one, Allocate)]
    return [buffer.name for buffer in found if buffer.size.constant != 1]


@pytest.mark.parametrize("name", IN_PLACE)
def test_one_array_is_enough(name: str) -> None:
    agree_on_numbers(IN_PLACE[name])
    assert arrays(translate(program(IN_PLACE[name]))) == ["acc"]


@pytest.mark.parametrize("name", APART)
def test_a_second_array_is_needed(name: str) -> None:
    agree_on_numbers(APART[name])
    assert len(arrays(translate(program(APART[name])))) > 1


@pytest.mark.parametrize("name", NUMBERS)
def test_reductions_to_numbers_are_correct(name: str) -> None:
    agree_on_numbers(NUMBERS[name])
