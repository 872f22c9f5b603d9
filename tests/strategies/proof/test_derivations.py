"""Checks of derivations: correct ones as a whole or in parts, wrong ones up to the wrong step."""

# The annotations are types of RISE, not of Python.
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import pytest

import elevate
import rise
from elevate import FloatClass, Strategy, topDown
from rise.terms import Expr
from strategies import rule
from strategies.openmp import parallel
from strategies.proof import check_derivation
from strategies.python_loops import loopsInto
from strategies.rules.fusion import mapFusion
from strategies.rules.gpu_reductions import reducePairs
from strategies.rules.lowering import mapToMapSeq
from strategies.rules.movement import splitJoin
from strategies.rules.reductions import blockedReduce
from strategies.sequential import sequential
from tests.laws.primitive_names import ROOT

MAPS = "fun(n: nat, xs: (8*n).f32 => xs |> map(exp) |> map(neg))"
SQUARE = "fun(n: nat, xs: n.n.f32 => xs |> transpose |> map(map(exp)) |> map(map(neg)))"
SUM = "fun(n: nat, xs: (8*n).f32 => xs |> reduce(add, 0.0))"

WRONG = rule("map (map f) (transpose xs) = map (map f) xs", why="Wrong.")
NESTED = rule("map (map f) (map (map g) xs) = map (map (f . g)) xs", why="One loop outside.")
UNSOUND = rule("reduce f i xs = reduce f i (map (fun(x => f i x)) xs)", why="It claims to be exact.")


def energies(d: M.N.N.f64, s: K.L.N.N.f64):
    for k in range(s.shape[0]):
        for e in range(s.shape[1]):
            for q in range(len(d)):
                for w in range(q):
                    for i in range(d.shape[1]):
                        s[k, e, i] += (d[q] @ d[w, i]) * d[w] @ s[k, e, (i + 3) // 2]
                        s[k, e, 0] -= d[w] @ s[k, e, i // 2]
    return s


def derived(strategy: Strategy, program: str) -> Any:
    return elevate.derive(strategy, rise.parse_expr(program))


def test_a_correct_derivation_is_checked_as_a_whole() -> None:
    found = check_derivation(
        derived(topDown(mapFusion) >> topDown(splitJoin(8)) >> topDown(mapToMapSeq), MAPS)
    )
    assert [(part.first, part.last) for part in found.parts] == [(1, 3)]
    assert (found.stopped, found.laws) == (0, ())


def test_the_lowering_of_an_example_is_checked() -> None:
    program = rise.parse_file(ROOT / "examples" / "mm.rise")
    found = check_derivation(elevate.derive(sequential, program.main))
    assert found.stopped == 0


@pytest.mark.parametrize("name", ["mm_left_transposed", "csr_mv"])
def test_a_whole_derivation_is_checked_at_once(name: str) -> None:
    """One of many steps of the checker, and one over a function of sizes."""
    program = rise.parse_file(ROOT / "cases" / f"{name}.rise")
    found = check_derivation(elevate.derive(parallel(), program.main))
    assert (found.stopped, len(found.parts)) == (0, 1)


@pytest.mark.parametrize("name", ["gemv", "prefix_sum", "trsv", "sparse_mv", "rank_sort"])
def test_sums_in_lanes_are_checked_at_once(name: str) -> None:
    """Lanes with a rest, a scan of blocks, sums of triangles, a choice of two orders, and choices by sums."""
    program = rise.parse_file(ROOT / "cases" / f"{name}.rise")
    derivation = elevate.derive(parallel(), program.main)
    assert derivation.float_class is FloatClass.REASSOCIATING
    found = check_derivation(derivation)
    assert (found.stopped, len(found.parts)) == (0, 1)


def test_sums_in_another_order_name_the_law() -> None:
    found = check_derivation(derived(topDown(blockedReduce(8)), SUM))
    assert found.stopped == 0
    assert found.laws == ("add is associative and commutative with neutral element 0",)


@pytest.mark.parametrize("wrong", [1, 2])
def test_the_first_wrong_step_is_named(wrong: int) -> None:
    strategy = topDown(WRONG) >> topDown(mapFusion) if wrong == 1 else topDown(NESTED) >> topDown(WRONG)
    found = check_derivation(derived(strategy, SQUARE))
    assert found.stopped == wrong
    assert found.reason.startswith("stopped at ")
    assert [part.last for part in found.parts] == ([] if wrong == 1 else [1])


def test_a_rule_that_hides_its_float_class_is_found() -> None:
    assert UNSOUND.float_class is FloatClass.EXACT
    found = check_derivation(derived(topDown(UNSOUND), SUM))
    assert found.stopped == 1


def changed(derivation: Any, result: Expr) -> Any:
    """The derivation with another result of its last step, as if a rule had returned it."""
    (step,) = derivation.steps
    tampered = elevate.Step(step.rule, (), derivation.given, result)
    return elevate.Derivation(derivation.given, elevate.Steps([tampered]), result)


@pytest.mark.parametrize(
    "result",
    [
        "fun(n: nat, xs: (8*n).f32 => xs |> split(8) |> map(map(exp)) |> join)",
        "fun(n: nat, xs: (8*n).f32 => xs |> split(n) |> transpose |> map(map(fun(x => neg(exp(x))))) |> join)",
        "fun(n: nat, xs: (8*n).f32 => xs |> map(fun(x => exp(neg(x)))))",
        "fun(n: nat, xs: (8*n).f32 => concat(drop(n, xs), take(n, xs)) |> map(fun(x => neg(exp(x)))))",
        "fun(n: nat, xs: (8*n).f32 => generate(fun(i => xs |> idx(fromEnd(i)))) |> map(fun(x => neg(exp(x)))))",
    ],
)
def test_a_changed_result_is_not_checked(result: str) -> None:
    derivation = derived(topDown(mapFusion), MAPS)
    assert check_derivation(derivation).stopped == 0
    other = rise.parse_expr(result)
    assert other.type == derivation.result.type
    assert check_derivation(changed(derivation, other)).stopped == 1


TWICE = rule(
    "reduce f i xs = f (reduce f i xs) i",
    why="It adds the start twice.",
    float_class=FloatClass.REASSOCIATING,
)
DEEP = (
    "fun(n: nat, xs: n.64.f32 => xs |> map(fun(row => row |> split(8)"
    " |> map(fun(block => block |> map(fun(x => x * x)) |> reduce(add, 1.0))) |> reduce(add, 1.0))))"
)


def test_a_step_that_is_hard_in_its_program_is_checked_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    derivation = derived(topDown(reducePairs), DEEP)
    monkeypatch.setattr("strategies.proof.derivations.DEFAULT_EFFORT", 0)  # for the whole program
    found = check_derivation(derivation)
    assert (found.stopped, len(found.parts)) == (0, 1)


def test_a_wrong_step_is_not_checked_by_itself() -> None:
    found = check_derivation(derived(topDown(TWICE), DEEP))
    assert found.stopped == 1


def test_parts_that_mention_other_variables_are_not_the_same() -> None:
    other_variable = rule(
        "map (fun(x => map (fun(y => x * exp x)) xs)) xs = map (fun(x => map (fun(y => y * exp y)) xs)) xs",
        why="Wrong.",
    )
    program = "fun(n: nat, xs: n.f32 => xs |> map(fun(x => xs |> map(fun(y => x * exp(x))))))"
    assert check_derivation(derived(topDown(other_variable), program)).stopped == 1


def test_parts_that_mention_variables_are_not_computed() -> None:
    """The bodies of the loops take more steps than a check may, and are the same before and after each step."""
    program = rise.program(energies)
    steps = elevate.derive(loopsInto(program.main), program.sequential.main)
    found = check_derivation(steps)
    assert not found.stopped, found.reason
    assert len(found.parts) == len(steps.steps) == 2
