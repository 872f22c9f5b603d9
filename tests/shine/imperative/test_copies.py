"""Assignments that store elements where they were copied from, through buffers of another order or shape."""

from __future__ import annotations

import pytest

from rise.naturals import Nat, NatVar, const, nat
from rise.types import ScalarType
from shine.imperative.masks import changes_nothing
from shine.imperative.nodes import Allocate, Assign, Block, Buffer, Constant, For, Load, Statement, Value

F32 = ScalarType("f32")
N = nat(NatVar("N", None))
STATE = Buffer("state", F32, N * N, "global", ())
OTHER = Buffer("other", F32, N * N, "global", ())
TILE = Buffer("tile", F32, const(32), "local", ())


def store(buffer: Buffer, at: Nat, value: Value) -> Assign:
    return Assign(buffer, at, value, False, ())


def load(buffer: Buffer, at: Nat) -> Load:
    return Load(buffer, at, 1, False, F32)


LOOPS = {"b": N, "k": N, "i": 4, "j": 8, "q": 8, "p": 2, "r": 2, "s": 2, "t": 4}
INDICES = {name: NatVar(name, nat(below)) for name, below in LOOPS.items()}
B, K, I, J, Q, P, R, S, T = (nat(one) for one in INDICES.values())
#: in a tile of 4 rows and 8 columns, copied in pieces of 2 rows and 4 columns
ROW, COLUMN = P * 2 + R, S * 4 + T


def loops(names: str, *statements: Statement) -> Statement:
    """The statements in loops, outermost first."""
    for name in reversed(names):
        statements = (For(INDICES[name], nat(LOOPS[name]), "seq", Block(statements), ()),)
    return statements[0]


def around(*statements: Statement) -> Block:
    return Block((loops("b", Allocate(TILE, ()), *statements),))


def copied(row: Nat = ROW, column: Nat = COLUMN, source: Buffer = STATE) -> Statement:
    return loops("prst", store(TILE, ROW * 8 + COLUMN, load(source, (B * 4 + row) * N + column)))


def stored(row: Nat, column: Nat) -> Statement:
    return loops("ij", store(STATE, (B * 4 + row) * N + column, load(TILE, I * 8 + J)))


@pytest.mark.parametrize(
    ("block", "expected"),
    [
        (around(copied(), stored(I, J)), True),
        (around(copied(), stored(J, I)), False),  # transposed
        (around(copied(), stored(I, J + 1)), False),
        (around(copied(ROW, COLUMN + 1), stored(I, J)), False),
        (around(copied(source=OTHER), stored(I, J)), False),
        (around(copied(), loops("q", store(TILE, Q, Constant(0.0, F32))), stored(I, J)), False),
        # a copy in the order of the array, however it is read
        (
            around(
                loops("kq", store(TILE, K * N + Q, load(STATE, K * N + Q))),
                loops("q", store(STATE, Q * N, load(TILE, Q * N))),
            ),
            True,
        ),
        (
            around(
                loops("kq", store(TILE, K * N + Q, load(STATE, K * N + Q))),
                loops("q", store(STATE, Q * N, load(TILE, Q * N + 1))),
            ),
            False,
        ),
        # an index that is that of several elements of the tile
        (around(copied(), loops("ij", store(STATE, B * 4 * N + I * N + J, load(TILE, I * 4 + J)))), False),
        # the tile has the elements of the last k
        (
            around(
                loops("kq", store(TILE, Q, load(STATE, K * N + Q))),
                loops("kq", store(STATE, K * N + Q, load(TILE, Q))),
            ),
            False,
        ),
    ],
)
def test_only_elements_in_their_places_are_unchanged(block: Block, expected: bool) -> None:
    assert changes_nothing(block) == expected
