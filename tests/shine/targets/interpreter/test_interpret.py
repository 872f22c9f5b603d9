"""The interpreter of the imperative IR: its results, and the errors that it finds."""

from __future__ import annotations

from collections.abc import Sequence
from unittest.mock import ANY

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rise
import shine
from rise.naturals import Nat, const, exact_quotient, nat
from rise.quotients import floor_quotient, remainder
from shine.imperative.nodes import Allocate, Assign, Buffer, LoopKind, Parameter, Procedure, Statement
from shine.kernel import make_kernel
from tests.shine.procedures import (
    F32,
    array,
    assign,
    axpy,
    dot,
    gather,
    load,
    loop,
    matmul_tiled,
    number,
    op,
    parameter,
    procedure,
    rows_through_temporary,
    size,
    stencil,
)


@given(st.integers(0, 40), st.integers(0, 2**32 - 1))
def test_a_reshaped_copy_is_a_copy(n: int, seed: int) -> None:
    """Indices through quotients and remainders reach every element once."""
    x = np.random.default_rng(seed).random(n * 6, np.float32)
    assert (make_kernel(tiled_copy(), "interpret")(x) == x).all()


def tiled_copy() -> Procedure:
    n = size("n")
    x, output = parameter("x", array(nat(n) * 6)), parameter("output", array(nat(n) * 6))

    def body(i: Nat) -> Sequence[Statement]:
        at = floor_quotient(i, 6) * 6 + remainder(i, 6)
        return [assign(output.buffers[0], at, load(x.buffers[0], i))]

    return procedure("copy", [n], [x], output, loop("i", nat(n) * 6, body, "parallel"))


def test_kernels_compute() -> None:
    random = np.random.default_rng(0)
    x, y = random.random(37, np.float32), random.random(37, np.float32)
    a, b = random.random((8, 5), np.float32), random.random((5, 16), np.float32)
    at = random.integers(0, 37, 11)
    padded = np.pad(x, 1)
    assert (make_kernel(axpy(), "interpret")(2, x, y) == np.float32(2) * x + y).all()
    assert np.isclose(make_kernel(dot(), "interpret")(x, y), x @ y)
    assert np.allclose(make_kernel(matmul_tiled(4, 8), "interpret")(a, b), a @ b)
    assert (make_kernel(stencil(), "interpret")(x) == padded[:-2] + padded[1:-1] + padded[2:]).all()
    assert (make_kernel(gather(), "interpret")(at, x) == x[at]).all()
    assert (make_kernel(rows_through_temporary(), "interpret")(a) == (2 * a)[:, ::-1]).all()


def test_the_source_is_readable() -> None:
    source = make_kernel(axpy(), "interpret").source
    assert source == (
        "axpy(alpha: f32, x: n.f32, y: n.f32) -> n.f32 for all n\n"
        "  for i_n < n (parallel)\n"
        "    output[i_n] := add(mul(alpha[0], x[i_n]), y[i_n])\n"
    )


def shifted(by: int) -> Procedure:
    """A kernel that reads elements that are `by` positions too far."""
    n = size("n")
    x, output = parameter("x", array(n)), parameter("output", array(n))
    return procedure(
        "shifted",
        [n],
        [x],
        output,
        loop("i", n, lambda i: [assign(output.buffers[0], i, load(x.buffers[0], i + by))], "seq"),
    )


def with_temporary(*statements: Statement) -> Procedure:
    output = parameter("output", array(8))
    return procedure("defect", [], [], output, Allocate(T, (4, 2)), *statements)


T = Buffer("t", F32, const(8), "Local", (4, 2))
OUT: Parameter = parameter("output", array(8))
ZERO = number(0.0)


def copy_to_out(index: Nat, aligned: bool = False, lanes: int = 1) -> Assign:
    return assign(OUT.buffers[0], index, load(T, index, lanes, aligned))


@pytest.mark.parametrize("by", [-1, 1])
def test_an_access_out_of_bounds_is_found(by: int) -> None:
    with pytest.raises(AssertionError, match=r"out of bounds: x\[.*origin \(9,\)"):
        make_kernel(shifted(by), "interpret")(np.ones(4, np.float32))


def test_a_read_before_a_write_is_found() -> None:
    kernel = make_kernel(with_temporary(assign(T, 3, ZERO), copy_to_out(const(2))), "interpret")
    with pytest.raises(AssertionError, match=r"t\[2\] is read before it is written, origin \(9,\)"):
        kernel()


def test_a_vector_read_of_a_partly_written_temporary_is_found() -> None:
    statements = [*(assign(T, i, ZERO) for i in (0, 1, 3)), copy_to_out(const(0), True, 4)]
    with pytest.raises(AssertionError, match="read before it is written"):
        make_kernel(with_temporary(*statements), "interpret")()


def test_a_false_claim_of_alignment_is_found() -> None:
    statements = [*(assign(T, i, ZERO) for i in range(8)), copy_to_out(const(2), True, 4)]
    with pytest.raises(AssertionError, match="not aligned"):
        make_kernel(with_temporary(*statements), "interpret")()


def test_a_write_to_an_input_is_found() -> None:
    x = parameter("x", array(8))
    defect = procedure("defect", [], [x], OUT, assign(x.buffers[0], 0, ZERO))
    with pytest.raises(AssertionError, match="the input x is written to"):
        make_kernel(defect, "interpret")(np.ones(8, np.float32))


def test_an_index_that_is_not_an_integer_is_found() -> None:
    n = size("n")
    x, output = parameter("x", array(n)), parameter("output", array(1))
    middle = load(x.buffers[0], exact_quotient(n, 2))
    with pytest.raises(AssertionError, match="no integer"):
        make_kernel(procedure("defect", [n], [x], output, assign(output.buffers[0], 0, middle)), "interpret")(
            np.ones(5, np.float32)
        )


KINDS: list[LoopKind] = ["parallel", "simd"]


@pytest.mark.parametrize("kind", KINDS)
def test_iterations_that_share_an_element_are_found(kind: LoopKind) -> None:
    both_write = loop("i", 8, lambda i: [assign(T, 0, ZERO)], kind)
    accumulates = loop("i", 8, lambda i: [assign(T, 0, op("add", load(T, 0), ZERO))], kind)
    shifts = loop("i", 7, lambda i: [assign(T, i, load(T, i + 1))], kind)
    fill = [assign(T, i, ZERO) for i in range(8)]
    for defect in (both_write, accumulates, shifts):
        with pytest.raises(AssertionError, match="two iterations of a parallel loop conflict at t"):
            make_kernel(with_temporary(*fill, defect), "interpret")()


def test_each_iteration_has_its_own_temporary() -> None:
    def body(i: Nat) -> Sequence[Statement]:
        return [Allocate(T, (4,)), assign(T, 0, ZERO), assign(OUT.buffers[0], i, load(T, 0))]

    fine = procedure("fine", [], [], OUT, loop("i", 8, body, "parallel"))
    assert (make_kernel(fine, "interpret")() == 0).all()


def test_unwritten_elements_are_recognisable() -> None:
    kernel = make_kernel(procedure("half", [], [], OUT, assign(OUT.buffers[0], 3, ZERO)), "interpret")
    assert np.isnan(kernel()).tolist() == [i != 3 for i in range(8)]


def test_vectors_of_any_size_are_aligned_to_what_divides_it() -> None:
    text = """fun(i: idx[4] => generate(fun(n: idx[4] => vectorFromScalar{12}(indexAsInt(n))))
      |> mapSeq(fun(x => x)) |> toMem(Local) |> idx(i))"""
    kernel = shine.compile(rise.parse(text).main, "interpret")
    assert kernel(3).tolist() == [3] * 12


@pytest.mark.parametrize(
    ("stored", "expected"),
    [
        ("a |> mapSeq(fun(x => x)) |> padEmpty(3)", [5, 6, ANY, ANY, ANY]),
        ("a |> mapSeq(fun(x => x)) |> scatter([(3 : idx[5]), (1 : idx[5])])", [ANY, 6, ANY, 5, ANY]),
    ],
)
def test_stored_elements_may_be_unspecified(stored: str, expected: list[object]) -> None:
    """Found by the soak (SEED=7, programs, AT=247.7): an AssertionError, as if the kernel were wrong."""
    program = rise.parse_expr(f"fun(a: 2.i16 => toMem(Global, {stored}) |> mapSeq(fun(x => x)))")
    assert shine.compile(program, target="interpret")(np.array([5, 6], np.int16)).tolist() == expected
