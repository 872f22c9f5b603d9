"""Answers of the checker: checked for all sizes, or unknown, with the place where it stopped."""

import subprocess
import sys
from typing import Final

import pytest

import rise
from rise.checker import check
from tests.examples import deep

CHECKED: Final = {
    "fun(n: nat, xs: (4*n).f32 => xs |> split(4) |> join)": "fun(n: nat, xs: (4*n).f32 => xs)",
    "fun(n: nat, m: nat, xs: n.m.f32 => xs |> transpose |> join)": (
        "fun(n: nat, m: nat, xs: n.m.f32 => xs |> join |> split(m) |> transpose |> join)"
    ),
    "fun(n: nat, m: nat, xs: (n+m).f32 => concat(take(n, xs), drop(n, xs)))": (
        "fun(n: nat, m: nat, xs: (n+m).f32 => xs)"
    ),
    "fun(n: nat, xs: n.f32 => reduce(add, 0.0, map(neg, xs)))": (
        "fun(n: nat, xs: n.f32 => reduceSeq(fun(acc, x => acc + neg(x)), 0.0, xs))"
    ),
    "fun(n: nat, xs: (8*n).f32 => reduceSeq(add, 0.0, xs))": (
        "fun(n: nat, xs: (8*n).f32 =>"
        " reduceSeq(fun(acc, block => reduceSeq(add, acc, block)), 0.0, xs |> split(8)))"
    ),
    "fun(n: nat, xs: n.f32, ys: n.f32 => zip(xs, ys) |> map(fun(p => fst(p) + snd(p))))": (
        "fun(n: nat, xs: n.f32, ys: n.f32 => zip(ys, xs) |> map(fun(p => fst(p) + snd(p))))"
    ),
    "fun(n: nat, xs: n.f32 => padEmpty(3, xs))": "fun(n: nat, xs: n.f32 => padCst(0, 3, 1.0, xs))",
    "fun(n: nat, i: idx[n], xs: n.f32 => if idx(i, xs) < 0.0 then 1.0 else 2.0)": (
        "fun(n: nat, i: idx[n], xs: n.f32 => idx(i, xs |> map(fun(x => if x < 0.0 then 1.0 else 2.0))))"
    ),
    "fun(n: nat, xs: n.f32, is: n.idx[n] => gather(is, map(neg, xs)))": (
        "fun(n: nat, xs: n.f32, is: n.idx[n] => map(neg, gather(is, xs)))"
    ),
}
UNKNOWN: Final = {
    "fun(n: nat, xs: n.n.f32 => transpose(xs))": "fun(n: nat, xs: n.n.f32 => xs)",
    "fun(n: nat, xs: (4*n).f32 => xs |> split(4) |> map(fun(r => reduce(add, 0.0, r))))": (
        "fun(n: nat, xs: (4*n).f32 => xs |> split(n) |> transpose |> map(fun(r => reduce(add, 0.0, r))))"
    ),
    "fun(n: nat, xs: n.f32 => reduceSeq(add, 0.0, xs))": (
        "fun(n: nat, xs: n.f32 => reduceSeq(add, 0.0, gather(generate(fun(i => fromEnd(i))), xs)))"
    ),
    "fun(n: nat, xs: n.f32 => map(fun(x => x - 1.0), xs))": "fun(n: nat, xs: n.f32 => map(fun(x => 1.0 - x), xs))",
    "fun(n: nat, xs: n.f32 => padCst(0, 3, 1.0, xs))": "fun(n: nat, xs: n.f32 => padEmpty(3, xs))",
    "fun(n: nat, xs: n.f32 => padEmpty(3, xs))": "fun(n: nat, xs: n.f32 => padEmpty(3, map(neg, xs)))",
    "fun(n: nat, xs: n.f32 => padClamp(1, 0, xs))": "fun(n: nat, xs: n.f32 => padCst(1, 0, 0.0, xs))",
    "fun(x: f32 => 0.0 - x)": "fun(x: f32 => neg(x))",
    "fun(x: f32 => x * 0.0)": "fun(x: f32 => 0.0)",
    "fun(x: f32 => x + 0.0)": "fun(x: f32 => x + -0.0)",
    "fun(x: f32, y: f32, z: f32 => x + y + z)": "fun(x: f32, y: f32, z: f32 => x + (y + z))",
    "fun(xs: 3.f32 => reduce(add, 0.0, xs))": "fun(xs: 3.f32 => reduce(add, -0.0, xs))",
    "fun(x: f32, y: f32 => if x < y then x else y)": "fun(x: f32, y: f32 => if y < x then x else y)",
}


@pytest.mark.parametrize("given", CHECKED)
def test_equal_programs_are_checked(given: str) -> None:
    assert check(rise.parse_expr(given), rise.parse_expr(CHECKED[given]))


@pytest.mark.parametrize("given", UNKNOWN)
def test_different_programs_are_unknown(given: str) -> None:
    answer = check(rise.parse_expr(given), rise.parse_expr(UNKNOWN[given]))
    assert not answer
    assert answer.reason.startswith("stopped at ")


def test_conditions_of_the_result_on_sizes_are_part_of_the_answer() -> None:
    given = rise.parse_expr("fun(n: nat, xs: n.f32 => xs)")
    answer = check(given, rise.parse_expr("fun(n: nat, xs: n.f32 => xs |> split(4) |> join)"))
    assert [one.condition for one in answer.demands] == ["4 divides n"]
    stated = rise.parse_expr("fun(n: nat where 4 divides n, xs: n.f32 => xs)")
    assert check(stated, rise.parse_expr("fun(n: nat, xs: n.f32 => xs |> split(4) |> join)")).demands == ()


def test_programs_of_any_type_are_checked() -> None:
    program = rise.parse(
        "val a = fun(xs => xs |> map(neg) |> map(abs))\nval b = fun(xs => xs |> map(fun(x => abs(neg(x)))))\n"
        "val c = fun(xs => xs |> map(fun(x => neg(abs(x)))))"
    )
    assert check(program["a"], program["b"])
    assert not check(program["a"], program["c"])


def test_programs_of_different_types_differ() -> None:
    answer = check(rise.parse_expr("fun(x: f32 => x)"), rise.parse_expr("fun(x: f64 => x)"))
    assert answer.reason == "types f32 -> f32 and f64 -> f64 differ"


def test_the_work_is_bounded() -> None:
    given = rise.parse_expr("fun(n: nat, xs: n.f32 => xs |> map(neg) |> map(neg))")
    assert check(given, given, effort=3).reason == "stopped after 3 steps"
    depth = deep(20_000)
    one = rise.parse_expr(f"fun(x: f32 => {'neg(' * depth}x{')' * depth})")
    other = rise.parse_expr(f"fun(x: f32 => {'neg(' * depth}1.0{')' * depth})")
    assert not check(one, other)


def test_a_check_needs_assertions() -> None:
    program = (
        "import rise\nfrom rise.checker import check\ne = rise.parse_expr('fun(x: f32 => x)')\n"
        "try:\n    check(e, e)\nexcept rise.RiseError as error:\n    print(error.diagnostic.code)"
    )
    run = subprocess.run(
        [sys.executable, "-O", "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert run.stdout == "optimised-python\n"
