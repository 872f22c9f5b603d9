"""The pass `join_temporaries`: a value that is only copied into a variable is computed there, and nothing else
changes.
"""

from pathlib import Path
from typing import Final

import numpy as np
import pytest

import rise
import shine
from rise.naturals import NatLike, NatVar, const, nat
from rise.types import ScalarType
from shine.imperative.nodes import (
    Allocate,
    Assign,
    Block,
    Buffer,
    Exchange,
    For,
    Load,
    LoopKind,
    Parameter,
    Procedure,
    Statement,
    Value,
)
from shine.imperative.text import write_block
from shine.passes.join_temporaries import join_temporaries
from tests.shine.procedures import F32, number, op

CASES: Final = Path(__file__).resolve().parents[3] / "cases"
U, T, WIDE = (Buffer(name, F32, const(1), "Local", (k,)) for k, name in enumerate(("u", "t", "wide")))
OTHER = Buffer("other", ScalarType("f64"), const(1), "Local", (3,))
OUTPUT = Buffer("output", F32, const(1), "Global", ())
ZERO = nat(0)


def store(buffer: Buffer, value: Value) -> Assign:
    return Assign(buffer, ZERO, value, True, ())


def load(buffer: Buffer) -> Load:
    return Load(buffer, ZERO, 1, True, F32)


def joined(*statements: Statement) -> list[str]:
    procedure = Procedure("p", (), (), Parameter("output", F32, (OUTPUT,)), Block(statements))
    return [text for text, _ in write_block(join_temporaries(procedure).body)]


def loop(*statements: Statement, kind: LoopKind = "seq") -> For:
    return For(NatVar("i", const(4)), const(4), kind, Block(statements), ())


COMPUTED = (Allocate(T, ()), store(T, number(1.0)), loop(store(T, op("add", load(T), number(2.0)))))
COPIED = store(U, load(T))
END = store(OUTPUT, load(U))


def test_a_sum_that_is_copied_is_computed_in_its_place() -> None:
    assert joined(Allocate(U, ()), *COMPUTED, COPIED, END) == [
        "new u : f32 [1] in Local",
        "u[0] := 1.0f32",
        "for i < 4 (seq)",
        "  u[0] := add(u[0], 2.0f32)",
        "output[0] := u[0]",
    ]


def test_copies_of_copies_are_joined_from_the_outside_in() -> None:
    inner = loop(Allocate(WIDE, ()), store(WIDE, number(3.0)), store(T, load(WIDE)))
    assert joined(Allocate(U, ()), Allocate(T, ()), inner, COPIED, END) == [
        "new u : f32 [1] in Local",
        "for i < 4 (seq)",
        "  u[0] := 3.0f32",
        "output[0] := u[0]",
    ]


def test_thousands_of_temporaries_are_joined() -> None:
    """In a chain in which each is copied into the previous one, and one after the other into the same variable."""
    many = [Buffer(f"t{k}", F32, const(1), "Local", (k,)) for k in range(3000)]
    chain = [store(to, load(one)) for one, to in zip(reversed(many), [*reversed(many[:-1]), U], strict=True)]
    computed = store(many[-1], number(1.0))
    ends = [*(Allocate(one, ()) for one in many), computed, *chain, END]
    assert joined(Allocate(U, ()), *ends) == [
        "new u : f32 [1] in Local",
        "u[0] := 1.0f32",
        "output[0] := u[0]",
    ]
    turns = [s for one in many for s in (Allocate(one, ()), store(one, number(1.0)), store(U, load(one)))]
    assert joined(Allocate(U, ()), *turns, END) == [
        "new u : f32 [1] in Local",
        *["u[0] := 1.0f32"] * len(many),
        "output[0] := u[0]",
    ]


@pytest.mark.parametrize(
    "statements",
    [
        (Allocate(U, ()), *COMPUTED, store(OUTPUT, load(U)), COPIED),
        (Allocate(U, ()), *COMPUTED, store(U, number(5.0)), COPIED),
        (Allocate(U, ()), *COMPUTED, COPIED, store(OUTPUT, load(T))),
        (Allocate(U, ()), *COMPUTED, loop(COPIED), END),
        (Allocate(U, ()), loop(*COMPUTED, COPIED, kind="parallel"), END),
        (Allocate(OTHER, ()), *COMPUTED, store(OTHER, load(T))),
        (Allocate(U, ()), *COMPUTED, store(OUTPUT, Exchange(T, ZERO, ZERO, F32)), COPIED, END),
    ],
    ids=["read", "written", "used later", "copied in a loop", "threads", "other type", "sent"],
)
def test_other_temporaries_are_unchanged(statements: tuple[Statement, ...]) -> None:
    assert joined(*statements) == [text for text, _ in write_block(Block(statements))]


TURN = NatVar("i", const(4))
FOUR, AGAIN = (
    Buffer(name, F32, const(4), "Local", (k,)) for k, name in enumerate(("four", "again"), start=4)
)


def each(target: Buffer, value: Value, at: NatLike = TURN, count: int = 4) -> For:
    assign = Assign(target, nat(at), value, True, ())
    return For(TURN, const(count), "simd", Block((assign,)), ())


def element(buffer: Buffer, at: NatLike = TURN) -> Load:
    return Load(buffer, nat(at), 1, True, F32)


ARRAY = (Allocate(FOUR, ()), Allocate(AGAIN, ()), each(AGAIN, number(1.0)))
LAST = store(OUTPUT, Load(FOUR, const(3), 1, True, F32))


def test_an_array_that_is_copied_is_computed_in_its_place() -> None:
    assert joined(*ARRAY, each(FOUR, element(AGAIN)), LAST) == [
        "new four : f32 [4] in Local",
        "for i < 4 (simd)",
        "  four[i] := 1.0f32",
        "output[0] := four[3]",
    ]


@pytest.mark.parametrize(
    "copy",
    [
        each(FOUR, element(AGAIN, const(3) - TURN)),  # in another order
        each(FOUR, element(AGAIN), at=const(3) - TURN),
        each(FOUR, element(AGAIN), count=3),  # in part
        each(FOUR, op("add", element(AGAIN), number(1.0))),
        Assign(FOUR, const(0), element(AGAIN, const(0)), True, ()),
    ],
)
def test_arrays_that_are_not_copied_as_a_whole_are_unchanged(copy: Statement) -> None:
    assert "new again : f32 [4] in Local" in joined(*ARRAY, copy, LAST)


def test_an_array_that_is_used_after_the_copy_is_unchanged() -> None:
    used = store(OUTPUT, element(AGAIN, const(0)))
    assert "new again : f32 [4] in Local" in joined(*ARRAY, each(FOUR, element(AGAIN)), used, LAST)


@pytest.mark.parametrize("target", ["openmp", "cuda-sim"])
def test_an_option_switches_it_off(target: str) -> None:
    program = rise.parse_file(CASES / "running_max.rise")
    usual, other = (shine.compile(program, target=target, join=join) for join in (True, False))
    xs = np.random.default_rng(1).standard_normal(100, dtype=np.float32)
    assert len(other.source.splitlines()) > len(usual.source.splitlines())
    assert (other(xs) == usual(xs)).all() and (usual(xs) == np.maximum.accumulate(xs)).all()
