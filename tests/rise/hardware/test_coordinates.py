"""Coordinates of matrix instructions: each group of lanes covers its matrices exactly once, and products computed by
them are correct.
"""

import numpy as np
import pytest

from rise.hardware import INSTRUCTIONS, MatrixInstruction, family_of, taking
from rise.scalars import ROLES

#: the instructions whose products all lanes of a warp execute together, or groups of lanes
TOGETHER, GROUPS = (
    [one for one in INSTRUCTIONS.values() if one.coordinates is not None and (one.part == one.shape) == whole]
    for whole in (True, False)
)
KNOWN = [one for one in INSTRUCTIONS.values() if one.coordinates is not None]


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: one.name)
def test_each_element_is_held_once_by_each_group_that_uses_it(one: MatrixInstruction) -> None:
    above, beside = one.parts
    for role, times in zip(ROLES, (beside, above, 1), strict=True):
        coordinates = one.coordinates_of(role)
        assert coordinates is not None and len(coordinates.offsets) == one.elements_of(role)
        places = [coordinates.place(lane, i) for lane in range(32) for i in range(one.elements_of(role))]
        rows, columns = one.extent_of(role)
        every = [(row, column) for row in range(rows) for column in range(columns) for _ in range(times)]
        assert sorted(places) == every


@pytest.mark.parametrize("one", GROUPS, ids=lambda one: one.name)
def test_a_lane_of_a_group_holds_a_row_of_a_and_a_column_of_b(one: MatrixInstruction) -> None:
    """In the paper, the specification of `HMMA.884` for a thread is a row of 4, a column of 4, and 8 sums in a row."""
    assert one.part == (8, 8, 4)
    for lane in range(32):
        a, b, sums = (
            [coordinates.place(lane, i) for i in range(one.elements_of(role))]
            for role in ROLES
            if (coordinates := one.coordinates_of(role)) is not None
        )
        own = lane % 4 + lane // 16 * 4
        assert {row % 8 for row, _ in a} == {own} and [k for _, k in a] == [0, 1, 2, 3]
        assert {column % 8 for _, column in b} == {own} and [k for k, _ in b] == [0, 1, 2, 3]
        if one.accumulator == "f16":
            assert {row for row, _ in sums} == {a[0][0]} and [at % 8 for _, at in sums] == list(range(8))


@pytest.mark.parametrize("one", TOGETHER, ids=lambda one: one.name)
def test_registers_hold_neighbours_along_k(one: MatrixInstruction) -> None:
    """This is how `ldmatrix` moves them: the numbers of one register, and those of four lanes, are adjacent."""
    for role, along in (("AMatrix", 1), ("BMatrix", 0)):
        coordinates = one.coordinates_of(role)
        assert coordinates is not None
        together = max(4 // (one.fragment_bytes(role) // one.elements_of(role)), 1)
        for i in range(0, one.elements_of(role), together):
            held = [coordinates.place(lane, i + e)[along] for lane in range(4) for e in range(together)]
            assert held == list(range(held[0], held[0] + 4 * together))


@pytest.mark.parametrize("one", KNOWN, ids=lambda one: one.name)
def test_products_computed_from_the_registers_of_lanes_are_correct(one: MatrixInstruction) -> None:
    """Each lane has rows of A and columns of B in common with the lanes that hold its sums."""
    random = np.random.default_rng(one.k)
    a, b = random.integers(-9, 10, (one.m, one.k)), random.integers(-9, 10, (one.k, one.n))
    for lanes in _groups(one):
        held = {}
        for role, matrix in (("AMatrix", a), ("BMatrix", b)):
            coordinates = one.coordinates_of(role)
            assert coordinates is not None
            held[role] = {
                coordinates.place(lane, i): matrix[coordinates.place(lane, i)]
                for lane in lanes
                for i in range(one.elements_of(role))
            }
        sums = one.coordinates_of("Accum")
        assert sums is not None
        for lane in lanes:
            for i in range(one.elements_of("Accum")):
                row, column = sums.place(lane, i)
                terms = (held["AMatrix"][row, k] * held["BMatrix"][k, column] for k in range(one.k))
                assert sum(terms) == (a @ b)[row, column]


def _groups(one: MatrixInstruction) -> list[list[int]]:
    """The lanes that execute a product together: all, or eight of them."""
    if one.part == one.shape:
        return [list(range(32))]
    return [[lane for lane in range(32) if lane // 4 % 4 == group] for group in range(4)]


def test_a_shape_belongs_to_one_family() -> None:
    """Therefore the shape and the types of fragments determine the instruction."""
    for one in INSTRUCTIONS.values():
        assert family_of(one.shape) == one.family
        same = [
            other for other in INSTRUCTIONS.values() if (other.shape, other.types) == (one.shape, one.types)
        ]
        assert same == [one]


def test_instructions_that_use_a_fragment_agree_on_its_layout() -> None:
    for one in INSTRUCTIONS.values():
        for role in ROLES:
            for other in taking(one.shape, role, one.type_of(role)):
                assert other.coordinates_of(role) == one.coordinates_of(role)
                assert other.elements_of(role) == one.elements_of(role)
                for space in ("Global", "Shared"):
                    for by_rows in (True, False):
                        assert other.alignments(role, space, by_rows) == one.alignments(role, space, by_rows)
