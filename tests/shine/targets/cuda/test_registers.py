"""Estimates of the registers of a thread, as errors show them. Compiles nothing."""

from __future__ import annotations

import pytest

from rise.hardware.instructions import INSTRUCTIONS, STORED, MatrixInstruction
from rise.naturals import const
from rise.types import FragmentType, ScalarType, Type, VectorType
from shine.imperative.nodes import Allocate, Buffer
from shine.targets.cuda.registers import arrays_in_registers, registers_of
from tests.shine.procedures import F32, array, parameter
from tests.shine.targets.cuda.program_parts import F16, kernel, program


def kept(count: int, element: Type) -> Buffer:
    return Buffer("kept", element, const(count), "Local", (1,))


@pytest.mark.parametrize(
    ("count", "element", "registers"),
    [(8, F32, 8), (3, F16, 2), (4, VectorType(const(4), F16), 8), (5, ScalarType("f64"), 10), (0, F32, 0)],
)
def test_numbers_are_packed(count: int, element: Type, registers: int) -> None:
    assert registers_of(kept(count, element)) == registers


@pytest.mark.parametrize("one", [one for one in INSTRUCTIONS.values() if one.a not in STORED], ids=str)
def test_fragments_take_the_registers_of_their_instruction(one: MatrixInstruction) -> None:
    for role, (rows, columns, depth) in {
        "AMatrix": (one.m, one.k, one.n),
        "BMatrix": (one.k, one.n, one.m),
        "Accum": (one.m, one.n, one.k),
    }.items():
        t = FragmentType(
            const(rows), const(columns), const(depth), ScalarType(one.type_of(role)), role, "warp"
        )
        assert registers_of(kept(3, t)) * 4 == 3 * one.fragment_bytes(role)


def test_the_largest_arrays_come_first() -> None:
    small, large = kept(2, F32), kept(64, F32)
    made = program(
        "k",
        [],
        [],
        parameter("output", array(const(1))),
        kernel("k", [1], (32, 1, 1), Allocate(small, (1,)), Allocate(large, (2,))),
    )
    assert [str(one) for one in arrays_in_registers(made)] == [
        "kept takes 64 registers: 64 of f32",
        "kept takes 2 registers: 2 of f32",
    ]
