"""A test case for each primitive that kernels support, and cases combined in one program. Independent of targets.

The cases are those of the meaning, except if a kernel needs a type that it supports, windows in order, or a function
that may be reassociated; these cases are defined here, and their oracle is the meaning of the program itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final

import rise
from tests.rise.primitives.cases import EXPANDED, SIZES, Case
from tests.rise.primitives.scalar_cases import SCALAR_CASES

FACTORS: Final = ("16.16.f16", "16.16.f16", "16.16.f32")
TILE: Final = (
    "asMatrix(zipFragment(fun(x, y => x - y), asFragmentAcc(c),"
    " mapFragment(fun(x => x * 2.0), tensorMatMulAdd(asFragmentA(a), asFragmentB(b), asFragmentAcc(c)))))"
)
SUMS: Final = "iterateStream(reduceSeq(add, 0.0))"


def _case(name: str, types: Sequence[str], body: str) -> Case:
    """A case whose expected result is the meaning of the program."""
    made = Case(name, tuple(types), body, lambda sizes, *given: rise.evaluate(made.program(), *given))
    return made


KERNEL_CASES: Final = [
    *(_case(name, FACTORS, TILE) for name in ("asFragmentA", "asFragmentB", "asFragmentAcc", "asMatrix")),
    *(_case(name, FACTORS, TILE) for name in ("tensorMatMulAdd", "mapFragment", "zipFragment")),
    _case("generateFragment", ("f32",), "asMatrix(generateFragment{m=16, n=16, k=16}(a))"),
    _case("circularBuffer", ("(N+3).f32", "f32"), f"a |> circularBuffer(4, 3, fun(x => x * b)) |> {SUMS}"),
    _case("rotateValues", ("(N+3).f32", "f32"), f"a |> rotateValues(3, fun(x => x * b)) |> {SUMS}"),
    _case(
        "lineBuffer",
        ("(N+3).5.f32", "f32"),
        "a |> lineBuffer(3, fun(x => x * b))"
        " |> iterateStream(fun(row => row |> iterateStream(reduceSeq(add, 0.0))))",
    ),
    _case("mapWarp", ("4.f32", "f32"), "mapWarp(0, fun(x => x * b), a)"),
    _case(
        "depMapWarp",
        ("10.f32", "f32"),
        "partition{(i |-> i + 1)}(4, a) |> depMapWarp(0, fun(i: nat, row => row |> reduceSeq(add, b)))",
    ),
    _case("reduce", ("N.i32", "i32"), "reduce(add, b, a)"),
    _case("mapFst", ("N.(f32, i32)",), "a |> mapSeq(mapFst(sqrt))"),
    _case("mapSnd", ("(f32, N.f32)",), "a |> mapSnd(mapSeq(fun(x => x + 1.0)))"),
    _case("let", ("N.f32",), "let(reduceSeq(add, 0.0, a), fun(sum => mapSeq(fun(x => x * sum), a)))"),
]


def kernel_cases() -> dict[str, Case]:
    """For each primitive, the first case that can be compiled to a kernel."""
    found: dict[str, Case] = {}
    for case in (*KERNEL_CASES, *EXPANDED, *SCALAR_CASES):
        found.setdefault(case.name, case)
    return found


def together(cases: Sequence[Case]) -> rise.Expr:
    """One program that returns all distinct results, in pairs."""
    head: list[str] = []
    bodies: list[str] = []
    for number, case in enumerate({case.body: case for case in cases}.values()):
        head += [f"{name}{number}: {t}" for name, t in zip("abc", case.types, strict=False)]
        bodies.append(re.sub(r"\b([abc])\b", rf"\g<1>{number}", case.body))
    *rest, last = bodies
    nested = "".join(f"pair({body}, " for body in rest) + last + ")" * len(rest)
    return rise.parse_expr(f"fun({', '.join(head)} => {nested})")


def sizes_of(cases: Sequence[Case]) -> dict[str, Any]:
    """The sizes that the cases use."""
    text = " ".join(" ".join((*case.types, case.body)) for case in cases)
    return {name: size for name, size in SIZES[0].items() if re.search(rf"\b{name}\b", text)}
