"""Diagnostics of `shine.einsum`: snapshots, with the specification underlined.

Run this file as a program (`python -m tests.shine.front.test_bad_einsum`) to rewrite the snapshots.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import rise
import shine

SNAPSHOTS: Final = Path(__file__).parent / "snapshots" / "einsum_errors.txt"
F: Final = np.float32
A, B = np.zeros((3, 4), F), np.zeros((4, 5), F)
A8: Final = np.zeros(3, np.int8)
READ_ONLY: Final = np.zeros((3, 5), F)
READ_ONLY.flags.writeable = False
MEMORY: Final = np.zeros(24, F)
SHARED: Final = np.lib.stride_tricks.as_strided(MEMORY, (3, 5), (0, 4))
ROLLED: Final = np.lib.stride_tricks.as_strided(MEMORY, (3, 5), (8, 4))
PLAN: Final = shine.contraction("ab,bc", "M.K.f32", "K.N.f32")

CASES: Final[dict[str, Callable[[], Any]]] = {
    "a letter too few": lambda: shine.einsum("a,bc->ac", A, B),
    "a letter too many": lambda: shine.einsum("abd,bc->ac", A, B),
    "a letter too many around an ellipsis": lambda: shine.einsum("ab...d,bc", A, B),
    "two sizes": lambda: shine.einsum("ab,ac->bc", A, B),
    "two sizes on a diagonal": lambda: shine.einsum("aa->a", A),
    "two sizes of an ellipsis": lambda: shine.einsum("...,...", A, B),
    "an unknown letter in the result": lambda: shine.einsum("ab,bc->ad", A, B),
    "a letter twice in the result": lambda: shine.einsum("ab,bc->aac", A, B),
    "two dots": lambda: shine.einsum("..b,bc", A, B),
    "four dots": lambda: shine.einsum("....b,bc", A, B),
    "two ellipses": lambda: shine.einsum("...a...,bc", A, B),
    "an ellipsis that is lost": lambda: shine.einsum("...b,bc->c", A, B),
    "half an arrow": lambda: shine.einsum("ab,bc-ac", A, B),
    "two arrows": lambda: shine.einsum("ab,bc->a->c", A, B),
    "a digit": lambda: shine.einsum("ab,b1", A, B),
    "no operands": lambda: shine.einsum("ab,bc"),
    "an operand too few": lambda: shine.einsum("ab,bc", A),
    "an operand too many": lambda: shine.einsum("ab", A, B),
    "no specification": lambda: shine.einsum(A, B),
    "a number beyond the letters": lambda: shine.einsum(A, [0, 52], B, [1, 2]),
    "more than 52 letters": lambda: shine.einsum(np.zeros((1,) * 53, F), [*range(53)]),
    "two types": lambda: shine.einsum("ab,bc", A, B.astype("f8")),
    "a type that loses": lambda: shine.einsum("ab,bc", A, B.astype("f8"), dtype=F),
    "no type": lambda: shine.einsum("ab,bc", A, B, dtype="number"),
    "a type that does not hash": lambda: shine.einsum("ab,bc", A, B, dtype=[1]),
    "a rule of conversion that is none": lambda: shine.einsum("ab,bc", A, B, casting="some"),
    "an order that is none": lambda: shine.einsum("ab,bc", A, B, order="R", target="interpret"),
    "times": lambda: shine.einsum("ab,bc", A.astype("M8[s]"), B.astype("M8[s]")),
    "no arrays": lambda: shine.einsum("ab,bc", [[1], [2, 3]], B),
    "an operator without neutral element": lambda: shine.einsum("ab,bc", A, B, operators=("sub", "mul")),
    "an unknown operator": lambda: shine.einsum("ab,bc", A, B, operators=("maximum", "add")),
    "one operator": lambda: shine.einsum("ab,bc", A, B, operators=("max",)),
    "a wrong neutral element": lambda: shine.einsum("ab,bc", A, B, operators=("max", "add", "least")),
    "a function that is none": lambda: shine.einsum("ab,bc", A, B, operators=("fun(x => x)", "add", 0)),
    "a wrong shape of out": lambda: shine.einsum("ab,bc", A, B, out=np.zeros((5, 3), F), target="interpret"),
    "a wrong type of out": lambda: shine.einsum("ab,bc", A, B, out=np.zeros((3, 5)), target="interpret"),
    "an out that overlaps": lambda: shine.einsum("ab->ba", A[:3, :3], out=A[:3, :3], target="interpret"),
    "an out over a part of an operand": lambda: shine.einsum(
        "ab,bc->ac", MEMORY[:16].reshape(4, 4), MEMORY[8:].reshape(4, 4), out=MEMORY[4:20].reshape(4, 4)
    ),
    "an out over the last of three operands": lambda: shine.einsum(
        "ab,bc,cd->ad", A[:, :3], A[:, :3], A[:, :3], out=A[:, :3], target="interpret"
    ),
    "an out with several elements in one place": lambda: shine.einsum("ab,bc", A, B, out=SHARED),
    "an out that overlaps itself": lambda: shine.einsum("ab,bc", A, B, out=ROLLED),
    "a factor of out without out": lambda: shine.einsum("ab,bc", A, B, beta=1),
    "a complex factor": lambda: shine.einsum("ab,bc", A, B, alpha=1j),
    "a factor that is too large": lambda: shine.einsum("a,a", A8, A8, alpha=300),
    "a factor that is no number": lambda: shine.einsum("ab,bc", A, B, alpha=A),
    "a read-only out": lambda: shine.einsum("ab,bc", A, B, out=READ_ONLY, beta=1, target="interpret"),
    "an intermediate result that is too large": lambda: shine.einsum(
        "ab,cd,ef->abcdef", A, A, A, memory_limit=100
    ),
    "a limit that is no number": lambda: shine.einsum("ab,bc", A, B, memory_limit="2 GB"),
    "a limit of nothing": lambda: shine.einsum("ab,bc", A, B, memory_limit=0),
    "an unknown target": lambda: shine.einsum("ab,bc", A, B, target="fpga"),
    "a type of an operand that is none": lambda: shine.contraction("ab,bc", "M.K.f32", "K.N"),
    "named sizes that differ": lambda: shine.contraction("ab,bc", "M.K.f32", "L.N.f32"),
    "two types of operands": lambda: shine.contraction("ab,bc", "M.K.f32", "K.N.f64"),
    "no types": lambda: shine.contraction("ab,bc"),
    "arrays of another type than the plan's": lambda: PLAN(A, B.astype("f8")),
    "arrays of other sizes than the plan's": lambda: PLAN(A, A),
    "a size that is no number": lambda: PLAN.explain({"M": "x"}),
    "a size of another name": lambda: PLAN.explain({"M": 3, "k": 4}),
    "a time without sizes": lambda: PLAN.explain(measure=True),
}


def said(name: str) -> str:
    with pytest.raises(rise.RiseError) as caught:
        CASES[name]()
    return caught.value.diagnostic.render()


def written() -> str:
    return "\n".join(f"=== {name}\n{said(name)}\n" for name in CASES)


def test_messages_are_as_in_the_snapshots() -> None:
    assert written() == SNAPSHOTS.read_text(encoding="utf-8")


if __name__ == "__main__":
    SNAPSHOTS.write_text(written(), encoding="utf-8")
