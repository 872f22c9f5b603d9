"""`einsum("ab,bc->ac")` in RISE text: its types, its meaning, how it prints, and its diagnostics."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import pytest

import rise
import shine
from elevate import Success
from rise.einsum.elaboration import from_left_to_right
from strategies.contractions import inPackedTiles
from tests.examples import some

#: specifications without ellipses, with the shapes of operands
SPECS: Final = {
    "ab,bc->ac": ((3, 4), (4, 5)),
    "ab,bc": ((3, 4), (4, 5)),
    "ba,bc->ca": ((4, 3), (4, 5)),
    "abk,cdk->acbd": ((2, 3, 4), (5, 6, 4)),
    "lab,lbc->lac": ((2, 3, 4), (2, 4, 5)),
    "ab,bc,cd->ad": ((3, 4), (4, 5), (5, 2)),
    "ab,bc,cd,d->a": ((3, 4), (4, 5), (5, 2), (2,)),
    "a,b->ba": ((3,), (4,)),
    "ab->": ((3, 4),),
    "ab->ba": ((3, 4),),
    "ii": ((4, 4),),
    "iij->j": ((3, 3, 2),),
    " a b , b -> a ": ((3, 4), (4,)),
    ",a->a": ((), (3,)),
}


def numbers(shape: tuple[int, ...], dtype: str, seed: int) -> np.ndarray[Any, Any]:
    return np.random.default_rng(seed).integers(-4, 4, shape).astype(dtype)


@pytest.mark.parametrize("spec", SPECS)
def test_a_contraction_is_a_function_of_arrays_of_any_sizes_and_numbers(spec: str) -> None:
    """The printed program has loops in place of the notation, and is read as the same program."""
    program = rise.parse(f'val contracted = einsum("{spec}")\nval main = contracted').main
    printed = rise.show(program)
    assert rise.parse_expr(printed) == program and "einsum" not in printed
    for dtype in some(["float32", "float64", "int32", "complex64"], 2):
        arrays = [numbers(shape, dtype, seed) for seed, shape in enumerate(SPECS[spec])]
        found = rise.evaluate(program, *arrays)
        np.testing.assert_array_equal(found, np.einsum(spec, *arrays))


@pytest.mark.parametrize(
    "text",
    [
        'einsum("ab,bc->ac")(a, b)',
        'einsum("ab,bc->ac", a, b)',
        'einsum("ab,bc->ac") a b',
        'b |> einsum("ab,bc->ac")(a)',
        'let f = einsum("ab,bc->ac") in f(a, b)',
        'einsum ("ab,bc->ac")(a)(b)',
    ],
)
def test_it_is_applied_like_any_function(text: str) -> None:
    program = rise.parse(f"fun(a: M.K.f32, b: K.N.f32 => {text})").main
    assert str(program.type) == "{M: nat} -> {K: nat} -> {N: nat} -> M.K.f32 -> K.N.f32 -> M.N.f32"
    a, b = numbers((3, 4), "f4", 0), numbers((4, 5), "f4", 1)
    np.testing.assert_array_equal(rise.evaluate(program, a, b), a @ b)


def test_a_definition_may_have_the_same_name() -> None:
    """The notation needs a string, so it hides no name, and is hidden by none."""
    program = rise.parse(
        'val einsum = fun(x: f32 => x + 1.0)\nval main = fun(x: f32 => einsum("->")(einsum(x)))'
    )
    assert rise.evaluate(program.main, np.float32(1)) == 2


def test_it_is_computed_in_tiles() -> None:
    program = rise.parse('fun(a: 2.3.4.f32, b: 5.6.4.f32 => einsum("abk,cdk->acbd", a, b))')
    result = inPackedTiles()(program.main)
    assert isinstance(result, Success)
    a, b = numbers((2, 3, 4), "f4", 0), numbers((5, 6, 4), "f4", 1)
    np.testing.assert_array_equal(shine.compile(result.program)(a, b), np.einsum("abk,cdk->acbd", a, b))


def test_many_letters_are_read() -> None:
    """26 letters on each side, in opposite orders."""
    left = "abcdefghijklmnopqrstuvwxyz"
    program = rise.parse(f'einsum("{left}->{left[::-1]}")').main
    assert rise.evaluate(program, np.ones((1,) * 26, "f4")).shape == (1,) * 26


@pytest.mark.parametrize(
    ("count", "path"), [(1, []), (2, [(0, 1)]), (3, [(0, 1), (1, 0)]), (4, [(0, 1), (2, 0), (1, 0)])]
)
def test_operands_are_contracted_from_left_to_right(count: int, path: list[tuple[int, int]]) -> None:
    assert from_left_to_right(count) == path


@pytest.mark.parametrize(
    ("text", "code", "underlined"),
    [
        ('fun(a: M.f32 => einsum("a..->a")(a))', "einsum-syntax", ".."),
        ('fun(a: M.f32 => einsum("a...->a")(a))', "einsum-axes", "..."),
        ('fun(a: M.f32 => einsum("a->b")(a))', "einsum-output", "b"),
        ('fun(a: M.f32 => einsum("a,a->aa")(a, a))', "einsum-output", "a"),
        ('fun(a: M.f32 => einsum("a1")(a))', "einsum-syntax", "1"),
        ('fun(a: M.K.f32, b: N.K.f32 => einsum("ab,bc")(a, b))', "size-mismatch", "b"),
        ('fun(a: M.K.f32 => einsum("a")(a))', "type-mismatch", "(a)"),
        ('fun(a: M.K.f32 => einsum("aa")(a))', "size-mismatch", "(a)"),
        ("fun(a: M.f32 => einsum(a))", "unknown-name", "einsum"),
    ],
)
def test_mistakes_are_underlined(text: str, code: str, underlined: str) -> None:
    with pytest.raises(rise.RiseError) as refused:
        rise.parse(f"// a program\n{text}")
    found = refused.value.diagnostic
    label = found.labels[0]
    assert (found.code, found.source[label.start : label.end]) == (code, underlined)
    assert found.hint
