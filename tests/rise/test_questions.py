"""Questions about types: the output of `typeHole` and `printType`, and that `printType` does not change a program."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
from tests.rise.test_dependent import message
from tests.shine.executors import LOWERINGS, compiled
from tests.snapshot_files import read_snapshots, write_snapshots

F = np.float32
PRODUCT = """val main = fun(A: M.K.f32, B: K.N.f32 =>
  A |> map(fun(row => B |> transpose |> printType("columns") |> map(fun(column =>
    zip(row, column) |> map(mul) |> printType |> reduce(add, 0.0))))))"""
WITHOUT = PRODUCT.replace(' |> printType("columns")', "").replace(" |> printType", "")


def test_print_type_shows_the_type_of_its_argument() -> None:
    notes = [str(note) for note in rise.parse(PRODUCT).notes]
    assert notes == ["2:41: columns : N.K.f32", "3:37: this : K.f32"]
    assert rise.parse(WITHOUT).notes == ()


def test_print_type_of_any_type_and_in_a_block() -> None:
    text = """val twice = fun(xs => xs |> printType("any"))
val main = let f = fun(x => printType("x")(x) + 1.0) in map(f)"""
    assert [str(note) for note in rise.parse(text).notes] == ["1:29: any : t", "2:29: x : t"]


def test_print_type_takes_message_and_argument_in_one_application() -> None:
    one, other = (rise.parse(f'fun(xs: N.f32 => printType("xs"{gap}xs))') for gap in (", ", ")("))
    assert one.main == other.main
    assert [str(note) for note in one.notes] == [str(note) for note in other.notes] == ["1:18: xs : N.f32"]


def test_a_long_message_is_clipped() -> None:
    (note,) = rise.parse(f'1 |> printType("{"x" * 5000}")').notes
    assert len(str(note)) < 150 and len(note.message) == 5000


@pytest.mark.parametrize("target", LOWERINGS)
def test_print_type_does_not_change_a_program(target: str) -> None:
    a, b = np.arange(6, dtype=F).reshape(2, 3), np.arange(12, dtype=F).reshape(3, 4)
    e = rise.parse(PRODUCT).main
    assert e.type == rise.parse(WITHOUT).main.type
    assert rise.parse_expr(rise.show(e)) == e
    expected = rise.evaluate(rise.parse(WITHOUT).main, a, b).tolist()
    assert rise.evaluate(e, a, b).tolist() == expected
    assert compiled(PRODUCT, target, lower=True)(a, b).tolist() == expected


SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "question_errors.txt"
MISTAKES: Final = {
    "a function": 'fun(xs: N.f32 => xs |> map(typeHole("f")) |> reduce(add, 0.0))',
    "a number, with sizes and values around": "fun(n: nat, xs: n.f32 => xs |> map(fun(x => typeHole + x)))",
    "two holes": 'fun(xs: N.f32 => zip(xs, typeHole("ys")) |> map(fun(p => fst(p) * typeHole("y"))))',
    "what a declared type says": 'val f : N.f32 -> N.i32 = fun(xs => typeHole("the result"))',
    "nothing is known": "typeHole",
    "hidden names, functions and types": (
        "fun({t: data}, x: t, f: t -> f32 => let g = fun(x => x * 2.0) in fun(x: t => g(typeHole)))"
    ),
    "more names than are shown": f"fun({', '.join(f'x{k}: f32' for k in range(15))} => typeHole)",
    "a text alone": 'fun(xs: N.f32 => "xs")',
    "a text as an argument": 'fun(xs: N.f32 => xs |> map("f"))',
    "a long message": f'typeHole("{"x" * 500}")',
    "where a type is written": "fun(x: typeHole => x)",
    "where a size is written": "fun(xs: N.f32 => xs |> split(typeHole))",
    "a literal where a size is written": "[true..3)",
    "a definition of this name": "val typeHole = 1",
}


@pytest.mark.parametrize("name", MISTAKES)
def test_error_messages(name: str) -> None:
    assert message(lambda: rise.parse(MISTAKES[name])) == read_snapshots(SNAPSHOTS)[name]


def test_every_message_has_a_case() -> None:
    assert list(read_snapshots(SNAPSHOTS)) == list(MISTAKES)


if __name__ == "__main__":
    said = {name: message(partial(rise.parse, text)) for name, text in MISTAKES.items()}
    write_snapshots(SNAPSHOTS, said)
