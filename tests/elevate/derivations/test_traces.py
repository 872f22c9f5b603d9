"""Derivations that are saved, read, shortened, shrunk and edited: the same steps, or one diagnostic."""

import ast
import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

import elevate
from elevate import (
    Derivation,
    FloatClass,
    Rule,
    Strategy,
    StrategyError,
    Success,
    derive,
    fingerprint,
    normalize,
    repeatNTimes,
    topDown,
    try_,
)
from elevate.testing import strategies_over, toy_trees
from elevate.toy import PREDICATES, RULES, Tree, dropG, fToG, grow, mergeH, sinkH, swap, tree
from tests.examples import examples

FUEL = 40
KNOWN = {f"elevate.toy:{rule.name}": rule for rule in RULES}
PROGRAM = tree("p", tree("h", tree("h", tree("f", "a"))), tree("h", tree("g", tree("f", "b"))))


@some.composite
def derivations(draw: some.DrawFn) -> Derivation[Tree]:
    """Derivations by random strategies that terminate."""
    program = draw(toy_trees())
    strategy = draw(strategies_over([*RULES, *PREDICATES]))
    try:
        result = elevate.run(try_(strategy), program, fuel=FUEL).result
    except StrategyError:
        result = Success(program, elevate.Steps())
    assert isinstance(result, Success)
    return Derivation(program, result.steps, result.program)


def code_of(error: pytest.ExceptionInfo[StrategyError]) -> str:
    return error.value.diagnostic.code


@given(toy_trees(), toy_trees())
def test_fingerprints_are_equal_if_terms_are(a: Tree, b: Tree) -> None:
    assert (fingerprint(a) == fingerprint(b)) == (a == b)
    assert fingerprint(a, {}) == fingerprint(elevate.toy.tree(a.label, *a.children, remark="other"))


def test_a_fingerprint_is_the_same_in_every_process() -> None:
    assert fingerprint(PROGRAM) == "3a0edf10b578f68d3e8b"


@given(derivations())
def test_a_saved_derivation_takes_the_same_steps(derivation: Derivation[Tree]) -> None:
    recorded = elevate.recording(derivation)
    assert elevate.from_json(elevate.to_json(recorded), KNOWN) == recorded
    script = elevate.to_python(recorded)
    assert elevate.from_python(script, KNOWN) == recorded
    names: dict[str, Any] = {}
    exec(script, names)
    assert names["derivation"] == recorded
    assert elevate.rederive(derivation.given, recorded) == derivation
    for engine in ("fast", "reference"):
        result = elevate.run(recorded, derivation.given, engine=engine).result  # type: ignore[arg-type]  # both are
        assert result == Success(derivation.result, derivation.steps)


@given(derivations(), toy_trees())
def test_another_program_is_reported(derivation: Derivation[Tree], other: Tree) -> None:
    recorded = elevate.recording(derivation)
    if other != derivation.given:
        with pytest.raises(StrategyError) as error:
            elevate.rederive(other, recorded)
        assert code_of(error) == "replay-differs"
        assert not isinstance(recorded(other), Success)


@given(derivations(), some.data())
def test_the_first_step_that_differs_is_named(derivation: Derivation[Tree], data: some.DataObject) -> None:
    written = json.loads(elevate.to_json(elevate.recording(derivation)))
    if not written["steps"]:
        return
    number = data.draw(some.integers(1, len(written["steps"])))
    step = written["steps"][number - 1]
    match data.draw(some.sampled_from(("after", "path", "rule"))):
        case "after":
            step["after"] = "0" * 20
        case "path":
            step["path"] = [*step["path"], 7]
        case _:
            rule = elevate.toy.grow if step["rule"] != "elevate.toy:grow" else fToG
            if (
                rule.apply(elevate.subterm(list(derivation.programs())[number - 1], tuple(step["path"])))
                is not None
            ):
                return
            step["rule"] = f"elevate.toy:{rule.name}"
    with pytest.raises(StrategyError) as error:
        elevate.rederive(derivation.given, elevate.from_json(json.dumps(written), KNOWN))
    assert code_of(error) == "replay-differs"
    assert error.value.diagnostic.title.startswith(f"step {number} (")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "this is not JSON"),
        ("[]", "not of format elevate-derivation"),
        (
            '{"format": "elevate-derivation", "version": 3}',
            "expected version 1 or 2 of elevate-derivation, found 3",
        ),
        ('{"format": "elevate-derivation", "version": 1}', "expected `given`"),
        (
            '{"format": "elevate-derivation", "version": 1, "given": "", "steps": [{"path": []}]}',
            "step 1: expected `rule`",
        ),
        (
            '{"format": "elevate-derivation", "version": 1, "given": "",'
            ' "steps": [{"rule": "os:system", "path": [], "after": ""}]}',
            "no rule is called os:system",
        ),
        (
            '{"format": "elevate-derivation", "version": 1, "given": "",'
            ' "steps": [{"rule": "elevate.toy:swap", "parameters": ["3"], "path": [], "after": ""}]}',
            "elevate.toy:swap at 3 is not a rule",
        ),
    ],
)
def test_texts_that_are_not_derivations_are_rejected(text: str, message: str) -> None:
    with pytest.raises(StrategyError, match=re.escape(message)) as error:
        elevate.from_json(text, KNOWN)
    assert code_of(error) == "derivation-file"


@pytest.mark.parametrize(
    "text",
    [
        "import os",
        "derivation = print('x')",
        "from elevate import recorded\nderivation = recorded(print('x'))",
        "from elevate import recorded, record\nderivation = recorded('', record(swap, '', ''))",
        "from elevate import *\nfrom os import system\nderivation = recorded('', record(system, '', ''))",
        "from elevate import recorded, record\nfrom os import system\n"
        "derivation = recorded('', record(system, '', ''))",
        "from elevate import recorded, record\nfrom elevate.toy import swap\n"
        "derivation = recorded('', record(swap, 'x', ''))",
        "1 +",
        "",
    ],
)
def test_a_script_is_parsed_and_never_run(text: str) -> None:
    with pytest.raises(StrategyError) as error:
        elevate.from_python(text, KNOWN)
    assert code_of(error) == "derivation-file"


@given(derivations())
def test_the_short_script_takes_the_same_steps(derivation: Derivation[Tree]) -> None:
    script = elevate.minimal_script(derivation)
    assert script(derivation.given) == Success(derivation.result, derivation.steps)
    names: dict[str, Any] = {}
    exec(elevate.script_text(script), names)
    assert names["script"] == script


def test_the_short_script_is_as_written_by_hand() -> None:
    written = normalize(fToG) >> topDown(sinkH | swap)
    derivation = derive(written, PROGRAM)
    assert str(elevate.minimal_script(derivation)) == "normalize(fToG) >> topDown(swap)"
    twice = derive(
        repeatNTimes(2)(topDown(fToG)), tree("p", tree("p", tree("f", "a"), tree("f", "b")), tree("f", "a"))
    )
    assert str(elevate.minimal_script(twice)) == "repeatNTimes(2)(topDown(fToG))"
    pair = tree("p", tree("g", tree("f", "a")), tree("g", tree("f", "b")))
    inside = derive(elevate.at("1")(dropG >> fToG), pair)
    assert str(elevate.minimal_script(inside)) == 'at("1")(dropG >> fToG)'


@given(derivations(), some.sampled_from("abfghkp"))
def test_shrinking_keeps_only_the_steps_that_the_property_needs(
    derivation: Derivation[Tree], label: str
) -> None:
    def holds(program: Tree) -> bool:
        return label in repr(program)

    if not holds(derivation.result):
        with pytest.raises(StrategyError, match="nothing-to-shrink"):
            elevate.shrink(derivation, holds)
        return
    shrunk = elevate.shrink(derivation, holds)
    short = shrunk.derivation
    assert holds(short.result) and len(short.steps) <= len(derivation.steps)
    assert list(short.programs())[-1] == short.result
    if holds(derivation.given):
        assert not short.steps
    for number in range(1, len(short.steps) + 1) if shrunk.is_minimal else ():
        less = elevate.without(short, number, goes_on=True).derivation
        assert len(less.steps) == len(short.steps) or not holds(less.result)


@given(derivations(), some.data())
def test_a_derivation_without_a_step_is_a_derivation(
    derivation: Derivation[Tree], data: some.DataObject
) -> None:
    count = len(derivation.steps)
    if not count:
        return
    number = data.draw(some.integers(1, count))
    for goes_on in (False, True):
        rebased = elevate.without(derivation, number, goes_on=goes_on)
        new = rebased.derivation
        assert list(new.programs())[-1] == new.result
        assert number not in rebased.kept and len(rebased.kept) == len(new.steps)
        assert list(new.steps)[: number - 1] == list(derivation.steps)[: number - 1]
        if rebased.divergence is None:
            assert len(new.steps) == count - 1
        else:
            assert rebased.divergence.number > number and str(rebased.divergence)
            assert rebased.divergence.number not in rebased.kept


@given(derivations(), some.data())
def test_replacing_a_step_by_itself_changes_nothing(
    derivation: Derivation[Tree], data: some.DataObject
) -> None:
    steps = list(derivation.steps)
    if not steps:
        return
    number = data.draw(some.integers(1, len(steps)))
    step = steps[number - 1]
    assert isinstance(step.rule, Rule)
    again = elevate.with_step(derivation, number, step.rule, step.path)
    assert again.derivation == derivation and again.divergence is None


def test_steps_after_an_edit_follow_their_places() -> None:
    program = tree("h", tree("h", tree("p", tree("f", "a"), tree("f", "b"))))
    derivation = derive(mergeH >> topDown(fToG) >> topDown(fToG), program)
    assert [step.path for step in derivation.steps] == [(), (0, 0), (0, 1)]
    rebased = elevate.without(derivation, 1)
    assert rebased.divergence is None
    assert [step.path for step in rebased.derivation.steps] == [(0, 0, 0), (0, 0, 1)]
    more = elevate.with_step_before(derivation, 2, swap, (0,))
    assert more.divergence is None
    assert [step.path for step in more.derivation.steps] == [(), (0,), (0, 1), (0, 0)]


def test_a_step_at_a_place_that_a_dropped_step_created_diverges() -> None:
    derivation = derive(sinkH >> topDown(mergeH) >> fToG, tree("h", tree("g", tree("f", tree("h", "a")))))
    rebased = elevate.without(derivation, 1)
    assert rebased.divergence is not None and rebased.divergence.number == 2
    assert "sinkH" in str(rebased.divergence)
    assert elevate.without(derivation, 1, goes_on=True).divergence == rebased.divergence


@pytest.mark.parametrize("number", [0, 4])
def test_unknown_steps_are_reported(number: int) -> None:
    derivation = derive(repeatNTimes(2)(topDown(fToG)), PROGRAM)
    with pytest.raises(StrategyError, match="expected the number of a step, 1 to 2"):
        elevate.without(derivation, number)


def test_an_edit_that_does_not_apply_says_why() -> None:
    derivation = derive(topDown(fToG), PROGRAM)
    with pytest.raises(StrategyError) as error:
        elevate.with_step(derivation, 1, mergeH, (1,))
    assert code_of(error) == "edit-does-not-apply"
    assert "at 1 is h(g(f(b)))" in error.value.diagnostic.notes[0]


@settings(max_examples=examples(20))
@given(derivations())
def test_pages_escape_their_contents_and_load_nothing(derivation: Derivation[Tree]) -> None:
    page = elevate.derivation_html(derivation, "<script>alert(1)</script>", lambda term: f"<b>{term!r}&")
    assert "<script>alert" not in page and "<b>" not in page and "://" not in page
    assert page.count("<section>") == len(derivation.steps) + 2
    assert derivation._repr_html_().count("<li>") == len(derivation.steps)


def test_a_difference_shows_what_changed() -> None:
    (step,) = derive(topDown(fToG), PROGRAM).steps
    assert elevate.step_text(step, PROGRAM) == "fToG at 0.0.0\n-f(a)\n+g(a)"
    assert "<del>f</del>(a)" in elevate.step_html(step, PROGRAM) and "<ins>g</ins>(a)" in elevate.step_html(
        step, PROGRAM
    )
    assert elevate.text_difference("a\nb\nc", "a\nd\nc") == " a\n-b\n+d\n c"
    left, right = elevate.html_difference("x < y", "x > y")
    assert (left, right) == ("x <del>&lt;</del> y", "x <ins>&gt;</ins> y")


@given(toy_trees(), strategies_over([*RULES, *PREDICATES]), some.sampled_from(("fast", "reference")))
def test_events_are_the_steps_with_times(program: Tree, strategy: Strategy, engine: Any) -> None:
    ticks = iter(range(1_000_000))
    events = elevate.Events(clock=lambda: float(next(ticks)))
    profile = elevate.Profile(clock=lambda: float(next(ticks)))
    try:
        outcome = elevate.run(strategy, program, engine=engine, observers=[events, profile], fuel=FUEL)
    except StrategyError:
        return
    if isinstance(outcome.result, Success):
        assert [event.step for event in events.fires] == list(outcome.result.steps)
        assert all(event.seconds > 0 for event in events.fires)
    rows = {row.rule: row for row in profile.rows()}
    assert sum(row.firings for row in rows.values()) == outcome.counters.firings
    assert sum(row.attempts for row in rows.values()) == outcome.counters.attempts
    assert all(0 < row.visits <= row.attempts and row.seconds > 0 for row in rows.values())


def test_a_derivation_knows_its_float_class() -> None:
    assert derive(topDown(mergeH), PROGRAM).float_class is FloatClass.REASSOCIATING
    with pytest.raises(StrategyError, match="does not apply"):
        derive(grow, PROGRAM)


def test_the_script_is_python() -> None:
    text = elevate.to_python(elevate.recording(derive(normalize(fToG), PROGRAM)), 'a "title"')
    assert isinstance(ast.parse(text), ast.Module)
