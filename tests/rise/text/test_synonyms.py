"""Synonyms of types: they stand for their definitions, with parameters substituted, and are imported like
definitions.
"""

from pathlib import Path

import pytest

import rise
from rise import parse

HEAD = """type Image[H, W] = H.W.f32
type Pairs[n, t: data] = n.(t, t)
type Tile = Image[4, 4]
"""
SAME = {
    "Image[N, 2 * M]": "N.(2 * M).f32",
    "Pairs[N, Image[3, N]]": "N.(3.N.f32, 3.N.f32)",
    "Pairs[2, Pairs[N, Pairs[M, i32]]]": "2.(N.(M.(i32, i32), M.(i32, i32)), N.(M.(i32, i32), M.(i32, i32)))",
    "N.Tile": "N.4.4.f32",
    "(Tile, Image[N, N]) -> Tile": "(4.4.f32, N.N.f32) -> 4.4.f32",
}


@pytest.mark.parametrize("written", SAME)
def test_a_synonym_stands_for_its_type(written: str) -> None:
    e = parse(f"{HEAD}val f = fun(x: {written} => x)")["f"]
    assert e == parse(f"val f = fun(x: {SAME[written]} => x)")["f"]
    assert rise.parse_expr(rise.show(e)) == e


def test_synonyms_below_binders_of_a_type() -> None:
    text = "val f : {n: nat} -> {t: data} -> Pairs[n, t] -> n.t = fun(x => x |> map(fst))"
    assert str(parse(HEAD + text)["f"].type) == "{n: nat} -> {t: data} -> n.(t, t) -> n.t"


def test_synonyms_in_a_local_function() -> None:
    text = "val f = fun(x: Tile => let g = fun(y: Tile => y) in g(x))"
    assert str(parse(HEAD + text)["f"].type) == "4.4.f32 -> 4.4.f32"


def test_synonyms_are_imported(tmp_path: Path) -> None:
    (tmp_path / "a.rise").write_text(HEAD, "utf-8")
    main = str(tmp_path / "main.rise")
    assert parse("import .a\nval f = fun(x: Tile => x)", main).main.type
    assert parse("import .a: Image\nval f = fun(x: Image[2, 3] => x)", main).main.type
    own = parse("import .a\ntype Tile = 2.i8\nval f = fun(x: Tile => x)", main)
    assert str(own.main.type) == "2.i8 -> 2.i8" and list(own.types) == ["Tile"]


def test_type_is_not_a_reserved_word() -> None:
    assert parse("val type = 1\nval main = type + type").main.type
