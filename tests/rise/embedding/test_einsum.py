"""`np.einsum` in programs gives the same results as on arrays, for symbolic sizes; errors are reported at the call."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F722, F821

from typing import Any

import numpy as np
import pytest

import rise
import shine


@rise.program
def turned(a: "M.K.f32", b: "K.N.f32") -> Any:
    return np.einsum("ab,bc->ca", a, b) + 1


@rise.program
def rows(a: "M.2.K.f32", b: "K.N.f32", c: "N.f32") -> Any:
    return np.einsum("...b,bc,c", np.transpose(a, (1, 0, 2)), b, c)


@rise.program
def squares(a: "M.f32") -> Any:
    both = np.concatenate([a, a])
    return np.einsum("a,a", both, both)


@rise.program
def traces(a: "M.N.N.f32") -> Any:
    return np.einsum("aii->a", a)


@rise.program
def numbered(a: "M.K.f32", b: "K.N.f32") -> Any:
    return np.einsum(a, [0, 1], b, [1, 2], [2, 0], optimize=True)


SHAPES = {
    "numbered": (numbered, [(3, 4), (4, 5)]),
    "turned": (turned, [(3, 4), (4, 5)]),
    "rows": (rows, [(3, 2, 4), (4, 5), (5,)]),
    "squares": (squares, [(5,)]),
    "traces": (traces, [(3, 4, 4)]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_einsum_in_programs_agrees_with_numpy(name: str) -> None:
    program, shapes = SHAPES[name]
    rng = np.random.default_rng(0)
    arrays = [rng.integers(-4, 5, shape).astype(np.float32) for shape in shapes]
    expected = program.python(*arrays)
    np.testing.assert_array_equal(rise.evaluate(program, *arrays), expected)
    np.testing.assert_array_equal(shine.compile(program, target="interpret")(*arrays), expected)
    assert rise.parse(rise.show(program.main)).main == program.main


@pytest.mark.parametrize(
    ("spec", "title"),
    [
        ("ab,cd->ae", "expected letters of operands in the result, found `e`"),
        ("ab", "expected 1 operand, as the specification has, found 2"),
        ("ab,ac", "expected one size for `a`, found M and K"),
    ],
)
def test_an_error_is_shown_at_the_call(spec: str, title: str) -> None:
    def wrong(a: "M.K.f32", b: "K.N.f32") -> Any:
        return np.einsum(spec, a, b)

    with pytest.raises(rise.RiseError) as caught:
        rise.program(wrong)
    diagnostic = caught.value.diagnostic
    assert diagnostic.title == title
    assert "np.einsum(spec, a, b)" in diagnostic.source
    assert f"the specification is {spec!r}" in diagnostic.notes


def test_a_number_without_a_letter_is_shown_at_the_call() -> None:
    def wrong(a: "M.K.f32") -> Any:
        return np.einsum(a, [0, 52])

    with pytest.raises(rise.RiseError, match="expected numbers of axes from 0 to 51, found 52") as caught:
        rise.program(wrong)
    assert "np.einsum(a, [0, 52])" in caught.value.diagnostic.source
