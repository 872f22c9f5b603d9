"""Statements of kernels in the imperative IR as text. Independent of targets."""

from __future__ import annotations

from rise.naturals import NatVar, const, nat
from rise.types import FragmentType
from shine.imperative.nodes import (
    Assign,
    AtomicUpdate,
    Barrier,
    Block,
    Buffer,
    Exchange,
    FillFragment,
    For,
    Level,
    LoadFragment,
    Local,
    MapFragment,
    Matrix,
    MultiplyAdd,
    Piece,
    StoreFragment,
)
from shine.imperative.text import write_block
from tests.shine.procedures import F32, number, op

FRAGMENT = FragmentType(const(16), const(16), const(16), F32, "Accumulator", "warp")
ACC = Buffer("acc", FRAGMENT, const(4), "Local", (1,))
S = Buffer("s", F32, const(256), "Shared", (1,))


def test_statements_of_kernels() -> None:
    i, x = NatVar("i", const(2)), Local("x", F32)
    piece, matrix = Piece(ACC, nat(i)), Matrix(S, 16 * nat(i), const(16), True)
    statements = (
        FillFragment(piece, number(0.0), (1,)),
        LoadFragment(piece, matrix, (2,)),
        MultiplyAdd(piece, piece, piece, piece, (3,)),
        MapFragment(piece, (piece,), (x,), Block(()), op("neg", x), (4,)),
        Barrier("warp", (5,)),
        StoreFragment(Matrix(S, 16 * nat(i), const(16), False), piece, (6,)),
        AtomicUpdate("add", S, nat(i), number(1.0), (7,)),
        Assign(S, nat(i), Exchange(S, nat(i), const(3), F32), True, (8,)),
    )
    loop = For(i, const(2), Level("warp", 0), Block(statements), (9,))
    lines = list(write_block(Block((loop,))))
    assert [text for text, _ in lines] == [
        "for i < 2 (warp 0)",
        "  acc[i] := fill 0.0f32",
        "  acc[i] := load s[16 * i .. rows 16 apart]",
        "  acc[i] := acc[i] * acc[i] + acc[i]",
        "  acc[i] := map (x) of (acc[i])",
        "    give neg(x)",
        "  barrier (warp)",
        "  s[16 * i .. columns 16 apart] := store acc[i]",
        "  atomic s[i] := add(s[i], 1.0f32)",
        "  s[i] := s[i] of lane 3",
    ]
    assert [origin for _, origin in lines] == [(n,) for n in (9, 1, 2, 3, 4, 4, 5, 6, 7, 8)]
