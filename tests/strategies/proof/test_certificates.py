"""Certificates are read back, checked without rules, and refused if anything in them was changed."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import elevate
import rise
from elevate import Rule, StrategyError, topDown
from rise.terms import Expr
from strategies import rule
from strategies.proof import certificate, check_derivation, read_certificate
from strategies.rules.fusion import mapFusion
from strategies.rules.movement import splitJoin
from strategies.saved_derivations import read_derivation
from tests.cli.commands import shine
from tests.examples import some
from tests.strategies import corpus

STEPS = topDown(mapFusion) >> topDown(splitJoin(8))
MAPS = "fun({n: nat}, xs: n.f32 => xs |> map(exp) |> map(neg))"
WRONG = rule("map f (map g xs) = map (g . f) xs", why="The functions are in the wrong order.")


@cache
def saved() -> str:
    return certificate(elevate.derive(STEPS, rise.parse_expr(MAPS)), {"strategy": "two steps"})


@pytest.mark.parametrize("name", some(corpus.NAMES, 121, first=31))
def test_a_certificate_has_the_terms_of_the_derivation(name: str) -> None:
    derivation = elevate.Derivation(
        corpus.program(name), corpus.derived(name, 1).steps, corpus.derived(name, 1).program
    )
    again = read_certificate(certificate(derivation)).derivation
    assert (again.given, again.result) == (derivation.given, derivation.result)
    for step, expected in zip(again.steps, derivation.steps, strict=True):
        assert (step.path, step.redex, step.contractum) == (
            expected.path,
            expected.redex,
            expected.contractum,
        )
        shown = str(expected.rule)
        if (
            ":" in step.rule.name
        ):  # a parameter that is an address is not loaded, so it is shown as in the file
            assert step.rule.name.partition("(")[0] == shown.partition("(")[0]
        else:
            assert step.rule.name == shown
        assert step.rule.float_class == expected.rule.float_class
        assert not isinstance(step.rule, Rule)


def test_programs_with_foreign_functions_are_read_back() -> None:
    program = rise.parse(
        "foreign f : f32 -> f32\nval main = fun({n: nat}, xs: n.f32 => xs |> map(f) |> map(neg))"
    ).main
    found = read_certificate(certificate(elevate.derive(topDown(mapFusion), program)))
    assert found.derivation.given == program


def test_it_is_checked_and_repeated_by_rules() -> None:
    found = read_certificate(saved())
    checked = check_derivation(found.derivation)
    assert checked.stopped == 0
    assert checked.conditions == found.conditions == ("8 divides n",)
    assert found.about == {"strategy": "two steps"}
    assert elevate.rederive(rise.parse_expr(MAPS), read_derivation(saved())).result == found.derivation.result


def test_a_wrong_step_that_is_written_consistently_is_found(tmp_path: Path) -> None:
    """The fingerprints and programs agree, as if an attacker had computed them. Numbers show that it is wrong."""
    file = tmp_path / "d.json"
    file.write_text(certificate(elevate.derive(topDown(WRONG), rise.parse_expr(MAPS))))
    said = shine("check-derivation", file)
    assert said.status == 1
    assert said.err.startswith("error[wrong-step]: step 1 (WRONG) changes what the program computes where ")


def test_conditions_that_are_not_stated_are_named(tmp_path: Path) -> None:
    file = tmp_path / "d.json"
    file.write_text(saved())
    assert "needs: 8 divides n" in shine("check-derivation", file).out
    file.write_text(changed(lambda content: content.update(conditions=[])))
    said = shine("check-derivation", file)
    assert said.status == 1
    assert "found `8 divides n`" in said.err


def changed(change: Callable[[Any], object]) -> str:
    content = json.loads(saved())
    change(content)
    return json.dumps(content)


def of_step(number: int, **entries: object) -> Callable[[Any], object]:
    return lambda content: content["steps"][number - 1].update(entries)


IDENTITY = "fun({n: nat}, xs: n.f32 => xs)"
CHANGES: dict[str, tuple[Callable[[Any], object], str]] = {
    "version 1": (
        lambda c: c.update(version=1),
        "expected a derivation of version 2, which contains its programs",
    ),
    "version 3": (lambda c: c.update(version=3), "expected version 1 or 2 of elevate-derivation, found 3"),
    "no program": (lambda c: c.pop("program"), "the file: expected `program`, a text, found None"),
    "another program": (lambda c: c.update(program=IDENTITY), "the program: expected its fingerprint"),
    "no term": (lambda c: c.update(program="fun("), "the file: expected `program`, a term"),
    "another result": (
        lambda c: c.update(result=IDENTITY),
        "the result: expected the program after the last step",
    ),
    "fewer steps": (lambda c: c["steps"].pop(), "the result: expected the program after the last step"),
    "no step": (lambda c: c["steps"].append(3), "step 3: expected an object, found 3"),
    "no path": (of_step(2, path=["0"]), "step 2: expected `path`, a list of indices"),
    "a path outside": (of_step(2, path=[9]), "step 2: expected a path into the program, found 9"),
    "no contractum": (of_step(1, contractum=None), "step 1: expected `contractum`, a text"),
    "an open contractum": (of_step(1, contractum="xs"), "step 1: expected `contractum`, a term"),
    "another contractum": (
        of_step(1, contractum="fun({n: nat}, xs: n.f32 => xs |> map(exp))"),
        "step 1: expected the fingerprint of the program after it",
    ),
    "another type": (
        of_step(1, contractum="fun({n: nat}, xs: n.f32 => 1.0)"),
        "step 1: expected a term of type {n: nat} -> n.f32 -> n.f32",
    ),
    "other variables": (of_step(1, contractum="fun(xs: 3.f32 => xs)"), "step 1: expected a "),
    "no float class": (of_step(1, float_class="none"), "step 1: expected a float class: exact"),
    "no laws": (of_step(1, laws="all"), "step 1: expected `laws`, a list of texts, found 'all'"),
    "another fingerprint": (
        of_step(2, after="0"),
        "step 2: expected the fingerprint of the program after it",
    ),
    "another checkpoint": (
        of_step(1, program=IDENTITY),
        "step 1: expected the program after it, found another one",
    ),
    "no inputs": (lambda c: c.update(inputs=[]), "the file: expected `inputs`, types by names, found []"),
    "inputs without types": (lambda c: c.update(inputs={"f": "f32 ->"}), "`inputs`: expected types"),
    "no conditions": (
        lambda c: c.update(conditions=1),
        "the file: expected `conditions`, a list of texts, found 1",
    ),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_certificate_is_refused(name: str) -> None:
    change, message = CHANGES[name]
    with pytest.raises(StrategyError) as refused:
        read_certificate(changed(change))
    assert refused.value.diagnostic.title.startswith(message)
    assert refused.value.diagnostic.hint


def test_whole_programs_stand_between_many_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("strategies.proof.certificates.CHECKPOINT", 2)
    program: Expr = rise.parse_expr(MAPS)
    text = certificate(elevate.derive(STEPS, program))
    steps = json.loads(text)["steps"]
    assert ["program" in step for step in steps] == [False, True]
    assert read_certificate(text).derivation.given == program
