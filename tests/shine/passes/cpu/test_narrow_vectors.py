"""Stores of wide vectors in parts: the same numbers, bit by bit; no part reads what another part has stored."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rise.naturals import Nat, const
from rise.scalars import SCALARS
from rise.types import ScalarType, VectorType
from shine.imperative.nodes import Assign, Block, For, Operation, Procedure, Statement, Value
from shine.kernel import make_kernel
from shine.passes.cpu.narrow_vectors import narrow_vectors
from tests.examples import examples
from tests.shine.procedures import F32, array, assign, elementwise, load, loop, op, parameter, procedure, size


def stores(p: Procedure) -> list[Assign]:
    """The stores of a procedure, in order."""
    found: list[Assign] = []
    waiting: list[Statement] = list(p.body.statements)
    while waiting:
        one = waiting.pop(0)
        match one:
            case For(body=Block(statements)):
                waiting = [*statements, *waiting]
            case Assign():
                found.append(one)
            case _:
                pass
    return found


def lanes_stored(p: Procedure) -> list[int]:
    """The number of lanes of each store."""
    found = []
    for one in stores(p):
        lanes = one.value.type.size.constant if isinstance(one.value.type, VectorType) else 1
        assert lanes is not None
        found.append(lanes)
    return found


@given(
    st.sampled_from(["f32", "f64", "i32", "u8"]),
    st.sampled_from([2, 4, 8, 16, 32, 64]),
    st.sampled_from(["add", "mul", "sub", "min"]),
)
@settings(max_examples=examples(12))
def test_parts_agree_with_the_whole(kind: str, lanes: int, name: str) -> None:
    t = ScalarType(kind)
    whole = elementwise("whole", [t, t], lambda x, y: [op(name, x, y)], lanes)
    parts = narrow_vectors(whole)
    held = 512 // SCALARS[kind].bits
    assert lanes_stored(parts) == ([lanes] if lanes <= held else [held] * (lanes // held))
    x, y = np.random.default_rng(0).integers(0, 100, (2, 3, lanes)).astype(SCALARS[kind].dtype)
    found, expected = (make_kernel(p, "interpret")(x, y) for p in (parts, whole))
    np.testing.assert_array_equal(found, expected)


def test_a_broadcast_number_is_the_same_in_all_parts() -> None:
    n = size("n")
    x, alpha, output = (
        parameter("x", array(n, 32)),
        parameter("alpha", F32),
        parameter("output", array(n, 32)),
    )
    wide = VectorType(const(32), F32)

    def body(i: Nat) -> Sequence[Statement]:
        same = Operation("broadcast", (load(alpha.buffers[0], 0),), wide)
        sums = Operation("fma", (same, load(x.buffers[0], i * 32, 32), same), wide)
        return [assign(output.buffers[0], i * 32, sums)]

    parts = narrow_vectors(procedure("p", [n], [x, alpha], output, loop("i", n, body)))
    assert lanes_stored(parts) == [16, 16]
    given_x = np.arange(64, dtype=np.float32).reshape(2, 32)
    for target in ("interpret", "openmp"):
        np.testing.assert_array_equal(make_kernel(parts, target)(given_x, 2.0), 2 * given_x + 2)


def test_a_very_long_vector_is_not_split() -> None:
    whole = elementwise("whole", [F32], lambda x: [op("add", x, x)], 512)
    assert narrow_vectors(whole) == whole


@pytest.mark.parametrize(("offset", "expected"), [(0, [16, 16]), (16, [32]), (1, [32])])
def test_stores_that_read_overlapping_elements_are_not_split(offset: int, expected: list[int]) -> None:
    x, output = parameter("x", array(64)), parameter("output", array(64))
    own = output.buffers[0]
    sums = op("add", load(own, offset, 32), load(x.buffers[0], 0, 32))
    p = procedure("p", [], [x], output, assign(own, 0, sums))
    assert lanes_stored(narrow_vectors(p)) == expected


def test_stores_that_read_a_stored_number_are_not_split() -> None:
    x, output = parameter("x", array(32)), parameter("output", array(32))
    own, wide = output.buffers[0], VectorType(const(32), F32)
    same: Value = Operation("broadcast", (load(own, 3),), wide)
    p = procedure("p", [], [x], output, assign(own, 0, op("add", same, load(x.buffers[0], 0, 32))))
    assert lanes_stored(narrow_vectors(p)) == [32]


def test_vectors_of_single_numbers_are_not_split() -> None:
    x, output = parameter("x", array(32)), parameter("output", array(32))
    lanes = tuple(load(x.buffers[0], 31 - at) for at in range(32))
    value = Operation("vector", lanes, VectorType(const(32), F32))
    p = procedure("p", [], [x], output, assign(output.buffers[0], 0, value))
    assert narrow_vectors(p) == p
