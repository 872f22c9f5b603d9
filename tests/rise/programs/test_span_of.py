"""Spans of parts of a term: the innermost place in the text that was written for them."""

from __future__ import annotations

from typing import Final

import pytest

from rise.programs.program import Program, parse, span_of
from rise.terms import DepLam, Expr, Lam, Literal, Primitive

TEXT: Final = """\
val dot = fun(xs: K.f32, ys: K.f32 => zip(xs, ys) |> map(mul) |> reduce(add, 0.25))

val main = fun(a: M.K.f32, b: K.N.f32 =>
  let columns = transpose(b)
  let scaled = fun(x => x * 2.5)
  in a |> map(fun(row =>
    columns |> map(fun(column => scaled(dot(row, column)) + 1.5)))))
"""


def parts(e: Expr) -> list[tuple[tuple[int, ...], Expr]]:
    """All parts of a term, by their paths below its head."""
    while isinstance(e, DepLam):
        e = e.body
    waiting: list[tuple[tuple[int, ...], Expr]] = [((), e)]
    found = []
    while waiting:
        path, node = waiting.pop()
        found.append((path, node))
        waiting += [((*path, index), one) for index, one in enumerate(node.children)]
    return found


def written(program: Program, path: tuple[int, ...]) -> str:
    span = span_of(program, "main", path)
    assert span is not None
    return program.text[span.start : span.end]


def test_every_number_and_function_is_where_it_is_written() -> None:
    program = parse(TEXT)
    numbers, names = set(), set()
    for path, node in parts(program.main):
        text = written(program, path)
        match node:
            case Literal() if node.value == 2.5:
                assert text == "scaled"  # a function of the block, where it is called
            case Literal():
                numbers.add(text)
                assert float(text) == node.value
            case Primitive(name) if text.strip("()") == name:
                names.add(name)
            case Lam(name) if name in ("row", "column"):
                assert text.startswith(f"(fun({name} =>") and text.endswith(")")
    assert numbers == {"0.25", "1.5"}
    assert names == {"zip", "map", "mul", "reduce", "add", "transpose"}


def test_a_part_is_inside_of_its_parent() -> None:
    """Except for calls of definitions and of local functions, which are defined elsewhere."""
    program = parse(
        "val main = fun(a: N.M.f32 => a |> map(map(fun(x => if x > 0.0 then x + 1.0 else 2.0 * x))))"
    )
    spans = {path: span_of(program, "main", path) for path, _ in parts(program.main)}
    for path, span in spans.items():
        around = spans[path[:-1]] if path else span
        assert span is not None and around is not None
        assert around.start <= span.start and span.end <= around.end, path


@pytest.mark.parametrize(
    "text", ["val f = map(sqrt)\nval main = f", "val main = fun({N: nat}, n: nat, a: N.f32 => a)"]
)
def test_parts_of_other_definitions_and_of_sizes_are_found(text: str) -> None:
    program = parse(text)
    for path, _ in parts(program.main):
        assert written(program, path)


def test_a_text_with_missing_imports_has_no_places() -> None:
    program = Program({}, 'import "gone.rise"\nval main = 1.0', "here.rise")
    assert span_of(program, "main", ()) is None
    assert span_of(parse("val f = 1.0"), "g", ()) is None
