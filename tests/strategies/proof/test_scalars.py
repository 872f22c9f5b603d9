"""Laws of numbers: proved at each scalar type, by Z3 or by all numbers, and refuted by numbers that show it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rise
from elevate import FloatClass
from rise.checker import check
from rise.primitives import operands_of
from rise.terms import Lam, make_literal, substitute
from rise.testing.edges import pool
from rise.types import ScalarType
from strategies import rule
from strategies.proof import instances, prove, scalars
from strategies.proof.scalars import Solver, has_solver
from tests.examples import examples, in_turns, some
from tests.required_tools import Z3, needs

FLOATS = ("f16", "bf16", "f32", "f64")
INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")

with_z3 = needs(Z3, has_solver())


def verdict(equation: str, **more: Any) -> Any:
    (found,) = prove(rule(equation, why="A law.", **more), scalars=True)
    return found


@with_z3
@pytest.mark.parametrize(
    ("law", "types"),
    [
        ("x * 1.0 = x", FLOATS),
        ("x - 0.0 = x", FLOATS),
        ("x * 2.0 = x + x", FLOATS),
        ("x / 2.0 = x * 0.5", FLOATS),
        ("floor (floor x) = floor x", FLOATS),
        ("max x x = x", (*INTEGERS, *FLOATS)),
        ("(x : i32) * (y + z) = x * y + x * z", ("i32",)),
        ("(x : i64) - x = 0", ("i64",)),
        ("cast (cast (x : f16) : f32) = x", ("f16",)),
        ("bitAnd (x : u32) (bitNot x) = 0", ("u32",)),
        ("map (fun(x => x * 1.0)) xs = xs", FLOATS),
        ("reduce f i (map (fun(x => x - 0.0)) xs) = reduce f i xs", FLOATS),
        ("if x < 0 then neg x else abs x = abs (x : i16)", ("i16",)),
    ],
)
def test_a_law_is_proved_at_all_types(law: str, types: tuple[str, ...]) -> None:
    found = verdict(law)
    assert found.is_proved, found.reason
    assert found.types == types
    assert "Z3" in found.uses


REFUTED = [
    "0.0 - x = neg x",
    "x - x = 0.0",
    "x + 0.0 = x",
    "neg (x - y) = (y : f16) - x",
    "x == x = true",
    "(x : i32) < x + 1 = true",
    "((x : i8) * 2) / 2 = x",
    "((x : i32) * y) / y = x",
    "sqrt ((x : f32) * x) = abs x",
    "if (x : i32) == 123456 then 0 else x = x",
    "(x + y : f32) + z = x + (y + z)",
    "x * y + z = fma (x : f16) y z",
    "(x : bf16) / y = x * (1.0 / y)",
]


@with_z3
@pytest.mark.parametrize("law", REFUTED)
def test_a_wrong_law_is_refuted_and_the_code_shows_it(law: str) -> None:
    found = verdict(law)
    assert not found.is_proved
    assert found.counterexample, found.reason
    seen: dict[str, Any] = {}
    exec(found.counterexample, seen)
    before, after = np.asarray(seen["before"]), np.asarray(seen["after"])
    assert before.dtype == after.dtype
    assert before.tobytes() != after.tobytes()


@pytest.mark.parametrize(
    ("law", "types"),
    [
        ("(x : i8) * 2 = x + x", ("i8",)),
        ("(x : u8) + y = y + x + 0", ("u8",)),
        ("(x : f16) * 1.0 = x", ("f16",)),
    ],
)
def test_narrow_types_need_no_solver(
    monkeypatch: pytest.MonkeyPatch, law: str, types: tuple[str, ...]
) -> None:
    monkeypatch.setattr(scalars, "z3", None)
    found = verdict(law)
    assert found.is_proved and found.types == types
    assert found.uses == (instances.BY_ENUMERATION,)


def test_without_the_solver_wide_types_stay_open_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalars, "z3", None)
    found = verdict("x * 1.0 = x")
    assert not found.is_proved
    assert found.types == ("f16", "bf16")
    assert "pip install 'rise-shine[prove]'" in found.reason
    wrong = verdict("((x : i8) * 2) / 2 = x")
    assert wrong.counterexample


@with_z3
def test_too_hard_a_law_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scalars, "BUDGET", 1000)
    found = verdict("(x : f32) / 2.0 = x * 0.5")
    assert not found.is_proved
    assert not found.counterexample


@pytest.mark.parametrize(
    "law",
    [
        "if (x : f32) < y then x else y = min x y",
        "max (max (x : f32) y) y = max x y",
        "neg (fma (x : f32) y z) = fma (neg x) y (neg z)",
    ],
)
def test_unspecified_signs_of_zeros_are_neither_proved_nor_refuted(law: str) -> None:
    found = verdict(law)
    assert not found.is_proved
    if "if" not in law:  # at NaN, this one is wrong
        assert not found.counterexample


@with_z3
def test_an_operation_without_formula_is_an_unknown_function() -> None:
    assert verdict("exp (x * 1.0) = exp (x : f32)").is_proved
    assert not verdict("exp (x : f32) = exp (neg x)").is_proved


def test_guards_of_divisions_are_no_assumptions() -> None:
    """Where a divisor is 0, both sides may differ."""
    found = verdict("if y == 0 then (x : i8) else x / y = if y == 0 then 0 else x / y")
    assert not found.is_proved
    assert found.counterexample


def test_the_library_is_proved_without_laws_of_numbers() -> None:
    """Its verdicts do not depend on what is installed."""
    (found,) = prove(rule("(x : i8) * 2 = x + x", why="A law."))
    assert not found.is_proved


def test_contracting_rules_are_not_refuted_by_rounding() -> None:
    found = verdict("(x : f16) * y + z = fma x y z", float_class=FloatClass.CONTRACTING)
    assert found.is_proved


#: a term for each operation with a formula, of inputs x, y and z of a type
OPERATIONS = (
    [
        (name, t)
        for name in (*scalars.OF_FLOATS, *scalars.OF_SIGNED, *scalars.OF_INTEGERS, *scalars.CHOICES)
        for t in ("f16", "bf16", "f32", "i8", "i32", "u16")
        if (
            name in scalars.OF_FLOATS or name in scalars.CHOICES
            if t in scalars.FLOATS
            else name in {**scalars.OF_SIGNED, **scalars.OF_INTEGERS}
        )
    ]
    if has_solver()
    else []
)


CASTS = in_turns(("f16", "bf16", "f32", "i8", "i32", "u8", "u16"), ("f16", "f64", "i8", "i64", "u32"))


@with_z3
@pytest.mark.parametrize(("name", "t"), some(OPERATIONS, 3))
def test_a_formula_has_the_values_of_the_operation(name: str, t: str) -> None:
    names = [f"x{k}" for k in range(operands_of(name))]
    inputs = ", ".join(f"{one}: {t}" for one in names)
    agrees(
        rise.parse_expr(f"fun({inputs} => {name}({', '.join(names)}))"), t, name in (*scalars.CHOICES, "fma")
    )


@with_z3
@pytest.mark.parametrize(("source", "target"), CASTS)
def test_a_formula_has_the_values_of_the_conversion(source: str, target: str) -> None:
    agrees(rise.parse_expr(f"fun(x: {source} => cast{{{target}}}(x))"), source, False)


def agrees(call: Any, t: str, has_any_zero: bool) -> None:
    """At edges of a type: a function of it equals the literal that `evaluate` gives, and no other."""
    numbers = pool(t, False)
    random = np.random.default_rng(len(str(call)))
    for _ in range(examples(30)):
        closed, arguments = call, []
        while isinstance(closed, Lam):
            arguments.append(numbers[random.integers(len(numbers))])
            closed = substitute(closed.body, make_literal(_exact(arguments[-1]), ScalarType(t)))
        try:
            with np.errstate(all="ignore"):
                value = rise.evaluate(call, *arguments)
        except rise.RiseError:
            continue  # a division by zero
        is_open = has_any_zero and bool(np.all(value == 0))
        for number, is_equal in ((value, True), (_next(value), False)):
            literal = make_literal(_exact(number), closed.type)
            found = check(closed, literal, others=(Solver().lemma,))
            assert found.is_checked == is_equal or is_open, (arguments, value)


def _exact(number: Any) -> Any:
    one = np.asarray(number)[()]
    return bool(one) if one.dtype.kind == "b" else int(one) if one.dtype.kind in "iu" else float(one)


def _next(number: Any) -> Any:
    """Another number."""
    one = np.asarray(number).reshape(1)
    if one.dtype.kind == "b":
        return ~one[0]
    if one.dtype.kind in "iu":
        return one[0] ^ 1
    return (
        one.dtype.type(1.0)
        if not np.isfinite(one[0].astype(np.float64))
        else (one.view(f"u{one.dtype.itemsize}") ^ 1).view(one.dtype)[0]
    )
